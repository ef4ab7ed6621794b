//! Regression tests with small scenes that renderers got wrong: boxes, landings and damage.

use treebounds_core::damage::{DamageFinder, FrameRecorder, RecordedFrame, Region};
use treebounds_core::{Footprint, NodeKind, Rect, reference};

const CANVAS: [f32; 4] = [0.0, 0.0, 200.0, 120.0];
const NOTHING: [f32; 4] = [f32::MAX, f32::MAX, -f32::MAX, -f32::MAX];

type Edges = [f32; 4];

/// An element. Its key is its index in the list.
#[derive(Clone, Copy)]
enum Part {
    Draw(Edges),
    /// A draw with another color.
    Inked(Edges),
    Clip(Edges),
    /// An unbounded layer with an opacity in percent.
    Layer(u64),
    /// A filter with this footprint.
    Filter(Edges),
    /// A layer with a backdrop filter of this radius.
    Glass(Edges, f32),
    End,
}

use Part::{Clip, Draw, End, Filter, Glass, Inked, Layer};

fn rect([x0, y0, x1, y1]: Edges) -> Rect {
    Rect::new(x0, y0, x1, y1)
}

fn around(by: f32) -> Edges {
    [-by, -by, by, by]
}

fn record(parts: &[Part]) -> RecordedFrame {
    let mut scene = FrameRecorder::new(rect(CANVAS));
    for (key, part) in (1..).zip(parts) {
        let added = match *part {
            Draw(edges) => scene.element(key, 0).draw(rect(edges)),
            Inked(edges) => scene.element(key, 1).draw(rect(edges)),
            Clip(edges) => scene.element(key, 0).begin(NodeKind::Clip, rect(edges)),
            Layer(opacity) => scene.element(key, opacity).begin(NodeKind::Blend, Rect::EVERYTHING),
            Filter(by) => {
                scene.element(key, 0).begin_spread(Footprint::from_rect(rect(by)).unwrap())
            }
            Glass(edges, reach) => {
                let reads = Footprint::from_rect(rect(around(reach))).unwrap();
                scene.begin_backdrop(key, 0, rect(edges), reads)
            }
            End => scene.end(),
        };
        added.unwrap();
    }
    scene.finish().unwrap()
}

/// A name, a list of parts, the parts to replace in it, and the damage in either direction.
type Change<'a> = (&'a str, &'a [Part], &'a [(usize, Part)], &'a [Edges]);

/// The rects of a region, from left to right.
fn sorted(region: &Region) -> Vec<Edges> {
    let mut rects: Vec<Edges> = region.rects().iter().map(|rect| rect.to_array()).collect();
    rects.sort_by(|a, b| a[0].total_cmp(&b[0]));
    rects
}

#[test]
fn changes_damage_all_pixels_that_show_them() {
    let (cursor, image) = ([50.0, 40.0, 52.0, 56.0], [20.0, 20.0, 60.0, 50.0]);
    let moved = [30.0, 20.0, 70.0, 50.0];
    let sheet = Draw([40.0, 30.0, 90.0, 80.0]);
    let [soft, softer] = [3.0, 6.0].map(|reach| Filter(around(reach)));
    let (page, card) = (Draw(CANVAS), [40.0, 24.0, 52.0, 36.0]);
    let (glass, far) = ([60.0, 20.0, 140.0, 50.0], [20.0, 24.0, 40.0, 36.0]);
    let pane = Glass([62.0, 40.0, 100.0, 80.0], 5.0);
    let layer = |clip: Edges| {
        [page, Clip(clip), Layer(90), Draw(image), End, End, Draw([100.0, 20.0, 120.0, 40.0])]
    };
    let (wide, narrow) = (layer(CANVAS), layer([0.0, 0.0, 45.0, 80.0]));
    let rows: [Change; 15] = [
        // The group itself does not change.
        (
            "a cursor in a blurred group",
            &[page, softer, sheet, Draw(cursor), End],
            &[(3, Inked(cursor))],
            &[[44.0, 34.0, 58.0, 62.0]],
        ),
        (
            "a cursor in two blurs",
            &[soft, softer, Draw(cursor), End, End],
            &[(2, Inked(cursor))],
            &[[41.0, 31.0, 61.0, 65.0]],
        ),
        (
            "beside glass that reads it",
            &[page, Draw(card), Glass(glass, 15.0), End],
            &[(1, Inked(card))],
            &[card, [60.0, 20.0, 67.0, 50.0]],
        ),
        (
            "beside glass that does not",
            &[page, Draw(far), Glass(glass, 15.0), End],
            &[(1, Inked(far))],
            &[far],
        ),
        (
            "beside glass that reads only what it covers",
            &[page, Draw(card), Glass(glass, 0.0), End],
            &[(1, Inked(card))],
            &[card],
        ),
        (
            "glass over glass",
            &[page, Draw(card), Glass(glass, 15.0), End, pane, End],
            &[(1, Inked(card))],
            &[card, [60.0, 20.0, 72.0, 55.0]],
        ),
        (
            "in front of glass",
            &[page, Glass(glass, 15.0), End, Draw(card)],
            &[(3, Inked(card))],
            &[card],
        ),
        (
            "glass that reads farther",
            &[page, Glass(glass, 15.0), End],
            &[(1, Glass(glass, 16.0))],
            &[glass],
        ),
        ("a layer fades", &wide, &[(2, Layer(50))], &[image]),
        ("a layer disappears", &wide, &[(2, Layer(0))], &[image]),
        ("the content of a layer moves", &wide, &[(3, Draw(moved))], &[[20.0, 20.0, 70.0, 50.0]]),
        (
            "it moves and the layer fades",
            &wide,
            &[(2, Layer(50)), (3, Draw(moved))],
            &[[20.0, 20.0, 70.0, 50.0]],
        ),
        ("a layer in a clip fades", &narrow, &[(2, Layer(50))], &[[20.0, 20.0, 45.0, 50.0]]),
        ("the clip of a layer changes", &wide, &[(1, Clip([0.0, 0.0, 45.0, 80.0]))], &[image]),
        ("nothing changes", &wide, &[], &[]),
    ];
    for (name, old, edits, expected) in rows {
        let mut new = old.to_vec();
        edits.iter().for_each(|(place, part)| new[*place] = *part);
        let frames = [record(old), record(&new)];
        for [old, new] in [[0, 1], [1, 0]] {
            let mut region = Region::new(rect(CANVAS), 8);
            DamageFinder::default().compare(&frames[old], &frames[new], &mut region);
            assert_eq!(sorted(&region), expected, "{name}");
        }
    }
}

#[test]
fn widen_adds_the_pixels_that_backdrops_read() {
    let glass = [60.0, 20.0, 140.0, 50.0];
    let behind = [Glass([60.0, 20.0, 80.0, 50.0], 30.0), End];
    let rows: [(&str, &[Part], Edges, Edges); 3] = [
        ("no glass", &[Draw(CANVAS)], glass, glass),
        (
            "a part of glass",
            &[Glass(glass, 15.0), End],
            [60.0, 20.0, 67.0, 50.0],
            [45.0, 5.0, 82.0, 65.0],
        ),
        // The front layer reads up to 82. The layer behind it ends at 80 and reads up to 110.
        (
            "glass behind it",
            &[behind[0], End, Glass(glass, 15.0), End],
            [60.0, 20.0, 67.0, 50.0],
            [30.0, 0.0, 110.0, 80.0],
        ),
    ];
    for (name, parts, shown, expected) in rows {
        let mut region = Region::new(rect(CANVAS), 8);
        region.add(rect(shown));
        DamageFinder::widen(&record(parts).frame(), &mut region);
        assert_eq!(sorted(&region), [expected], "{name}");
    }
}

/// An element, its box, and its landing.
type Places = (usize, Edges, Edges);

#[test]
fn filters_show_elements_outside_the_canvas_and_outside_clips() {
    // An offset by (60, 50) and a blur of 2.
    let shadow = Filter([0.0, 0.0, 66.0, 56.0]);
    let above = [-40.0, -50.0, 0.0, -10.0];
    let gone = Draw([-120.0, -50.0, -70.0, -10.0]);
    let corner = [0.0, 0.0, 66.0, 46.0];
    let source = [shadow, Draw(above), gone, Draw([-100.0, -60.0, -65.0, -50.0]), End];
    let lines = [
        Filter(around(5.0)),
        Clip([8.0, 10.0, 60.0, 30.0]),
        Draw([12.0, 14.0, 100.0, 20.0]),
        End,
        Clip([8.0, 10.0, 80.0, 30.0]),
        Draw([14.0, 24.0, 120.0, 36.0]),
        End,
        End,
    ];
    let rows: [(&str, &[Part], &[Places]); 2] = [
        (
            "a shadow whose source is off the canvas",
            &source,
            &[
                (0, corner, corner),
                (1, above, corner),
                (2, NOTHING, NOTHING),
                (3, [-66.0, -56.0, -65.0, -50.0], [0.0, 0.0, 1.0, 6.0]),
            ],
        ),
        (
            "a shadow of things with clips of their own",
            &lines,
            &[
                (0, [7.0, 9.0, 85.0, 35.0], [7.0, 9.0, 85.0, 35.0]),
                (2, [12.0, 14.0, 60.0, 20.0], [7.0, 9.0, 65.0, 25.0]),
                (5, [14.0, 24.0, 80.0, 30.0], [9.0, 19.0, 85.0, 35.0]),
            ],
        ),
    ];
    for (name, parts, expected) in rows {
        let frame = record(parts);
        let bounds = reference::bounds(frame.stream());
        let landings = reference::landings(frame.stream(), &bounds);
        for (element, own, landing) in expected {
            assert_eq!(bounds.boxes[*element].to_array(), *own, "{name}, {element}");
            assert_eq!(landings[*element].to_array(), *landing, "{name}, {element}");
        }
    }
    let clip = reference::bounds(record(&source).stream()).clips[0];
    assert_eq!(clip, Rect::new(-66.0, -56.0, 200.0, 120.0));
}
