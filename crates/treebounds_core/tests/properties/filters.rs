//! Compares the boxes of scenes with filters to painted pixels.
//!
//! A model renderer paints small scenes. Each pixel is the set of elements that it depends on, so two pictures are equal only if all
//! pixels depend on the same elements. The tests paint each scene unchanged and with every element cut to its box, and compare the
//! pixels in the viewport.

use proptest::prelude::*;
use treebounds_core::{Bounds, Footprint, NodeKind, Rect, Role, Stream, reference};
use treebounds_testkit::Rng;
use treebounds_testkit::streams::{dress::filtered_by, strategy};

/// The margin around the viewport in pixels, larger than the reach of three footprints of three pixels.
const MARGIN: i32 = 12;
const VIEW: i32 = 8;
const WIDTH: i32 = VIEW + 2 * MARGIN;

/// A canvas that stores the set of elements that each pixel depends on. `rows` is 1 for one-dimensional scenes.
#[derive(Clone, PartialEq)]
struct Canvas {
    rows: i32,
    pixels: Vec<u64>,
}

impl Canvas {
    fn new(rows: i32) -> Self {
        Self { rows, pixels: vec![0; (WIDTH * rows) as usize] }
    }

    /// The margin above and below. A single row has none.
    fn margin_y(&self) -> i32 {
        if self.rows == 1 { 0 } else { MARGIN }
    }

    fn points(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let margin = self.margin_y();
        (-margin..self.rows - margin).flat_map(|y| (-MARGIN..WIDTH - MARGIN).map(move |x| (x, y)))
    }

    fn at(&self, x: i32, y: i32) -> Option<usize> {
        let (column, row) = (x + MARGIN, y + self.margin_y());
        let inside = (0..WIDTH).contains(&column) && (0..self.rows).contains(&row);
        inside.then_some((row * WIDTH + column) as usize)
    }

    fn get(&self, x: i32, y: i32) -> u64 {
        self.at(x, y).map_or(0, |at| self.pixels[at])
    }

    /// Adds elements to all pixels inside a rect.
    fn paint(&mut self, rect: Rect, elements: u64) {
        for (x, y) in self.points().filter(|point| contains_pixel(rect, *point)) {
            if let Some(at) = self.at(x, y) {
                self.pixels[at] |= elements;
            }
        }
    }

    fn paint_all(&mut self, other: &Self) {
        self.pixels.iter_mut().zip(&other.pixels).for_each(|(to, from)| *to |= from);
    }

    fn cut(&mut self, rect: Rect) {
        for (x, y) in self.points().filter(|point| !contains_pixel(rect, *point)) {
            if let Some(at) = self.at(x, y) {
                self.pixels[at] = 0;
            }
        }
    }

    /// Applies a filter: each pixel becomes the union of its inputs.
    fn spread(&self, footprint: Rect) -> Self {
        let mut out = Self::new(self.rows);
        for (x, y) in self.points() {
            let offsets = (footprint.y0 as i32..=footprint.y1 as i32)
                .flat_map(|dy| (footprint.x0 as i32..=footprint.x1 as i32).map(move |dx| (dx, dy)));
            let pixel = offsets.fold(0, |pixel, (dx, dy)| pixel | self.get(x - dx, y - dy));
            if let Some(at) = self.at(x, y) {
                out.pixels[at] = pixel;
            }
        }
        out
    }

    /// The smallest box around all painted pixels.
    fn ink(&self) -> Rect {
        self.points()
            .filter(|(x, y)| self.get(*x, *y) != 0)
            .fold(Rect::NOTHING, |ink, point| ink.union(pixel(point)))
    }
}

fn pixel((x, y): (i32, i32)) -> Rect {
    Rect::new(x as f32, y as f32, x as f32 + 1.0, y as f32 + 1.0)
}

fn contains_pixel(rect: Rect, point: (i32, i32)) -> bool {
    rect.contains(pixel(point))
}

/// A picture of a scene, and the output of every node.
struct Painted {
    canvas: Canvas,
    nodes: Vec<(usize, Canvas)>,
}

/// Paints a scene. With `bounds`, every draw and node is first cut to its box.
fn paint(stream: &Stream, rows: i32, bounds: Option<&Bounds>) -> Painted {
    let mut stack = vec![(usize::MAX, Canvas::new(rows))];
    let mut nodes = Vec::new();
    let close = |stack: &mut Vec<(usize, Canvas)>, nodes: &mut Vec<(usize, Canvas)>| {
        let Some((begin, mut inside)) = (stack.len() > 1).then(|| stack.pop()).flatten() else {
            return;
        };
        let (tag, rect) = (stream.tags()[begin], stream.rects()[begin]);
        let node = |ix: usize, bounds: &Bounds| bounds.marker_of(ix as u32).expect("a marker");
        let clip = bounds.map(|bounds| bounds.clips[node(begin, bounds)]);
        clip.into_iter().for_each(|clip| inside.cut(clip));
        let (around, around_canvas) = stack.last_mut().expect("the root stays");
        let outside = bounds.map_or(Rect::EVERYTHING, |bounds| match *around {
            usize::MAX => stream.viewport(),
            begin => bounds.clips[node(begin, bounds)],
        });
        if tag.is_spread() {
            inside = inside.spread(rect);
            inside.cut(outside);
        } else {
            if tag.is_filling() {
                inside.paint(clip.unwrap_or(rect), 1 << begin);
            }
            inside.cut(rect);
        }
        if tag.is_non_local() {
            inside.paint(outside, 1 << begin);
        }
        around_canvas.paint_all(&inside);
        nodes.push((begin, inside));
    };
    for (ix, (tag, rect)) in stream.tags().iter().zip(stream.rects()).enumerate() {
        match tag.role() {
            Role::Draw => {
                let rect = bounds.map_or(*rect, |bounds| bounds.boxes[ix]);
                stack.last_mut().expect("the root stays").1.paint(rect, 1 << ix);
            }
            Role::Begin => stack.push((ix, Canvas::new(rows))),
            Role::End => close(&mut stack, &mut nodes),
        }
    }
    while stack.len() > 1 {
        close(&mut stack, &mut nodes);
    }
    let mut canvas = stack.remove(0).1;
    canvas.cut(stream.viewport());
    Painted { canvas, nodes }
}

/// Checks that cutting all elements to their boxes changes no visible pixels, and that boxes cover their contents.
fn check_soundness(stream: &Stream, rows: i32) -> Result<(), TestCaseError> {
    let bounds = reference::bounds(stream);
    let (whole, cut) = (paint(stream, rows, None), paint(stream, rows, Some(&bounds)));
    prop_assert!(whole.canvas == cut.canvas, "a visible pixel changed");
    for (begin, painted) in &cut.nodes {
        let content = bounds.boxes[*begin];
        prop_assert!(
            content.contains(painted.ink()),
            "node {}: {:?} in {:?}",
            begin,
            painted.ink(),
            content
        );
    }
    Ok(())
}

/// Random scenes on whole pixels with up to three filters around an element, because a fourth could exceed the margin. In one
/// dimension, every rect has the height of the row.
fn scene(longest: usize, rows: i32) -> impl Strategy<Value = Stream> {
    let flat = move |rect: Rect| if rows == 1 { Rect { y0: 0.0, y1: 1.0, ..rect } } else { rect };
    let view = flat(Rect::new(0.0, 0.0, VIEW as f32, VIEW as f32));
    let rect = move |rng: &mut Rng| {
        let [x0, y0] = [(); 2].map(|()| rng.below(VIEW as u32 + 8) as f32 - 4.0);
        let [width, height] = [(); 2].map(|()| rng.below(VIEW as u32) as f32);
        flat(Rect::new(x0, y0, x0 + width, y0 + height))
    };
    let footprint = move |rng: &mut Rng| {
        let [a, b, c, d] = [(); 4].map(|()| *rng.pick(&[0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0]));
        let [top, bottom] = if rows == 1 { [0.0; 2] } else { [c, d] };
        Footprint::new(f32::min(a, b), f32::min(top, bottom), f32::max(a, b), f32::max(top, bottom))
            .unwrap()
    };
    let plain = strategy::stream_of(longest, move |_| view, rect);
    (plain, strategy::choices(6 * longest))
        .prop_map(move |(stream, mut rng)| filtered_by(&mut rng, &stream, 40, 3, footprint))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn boxes_are_sound_in_one_dimension(stream in scene(24, 1)) {
        check_soundness(&stream, 1)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn boxes_are_sound_in_two_dimensions(stream in scene(20, WIDTH)) {
        check_soundness(&stream, WIDTH)?;
    }
}

/// A draw outside its clip, whose blur reaches into the clip.
#[test]
fn blurs_read_draws_outside_the_clip() {
    let mut scene = treebounds_core::StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 100.0));
    let clip = scene.begin(NodeKind::Clip, Rect::new(20.0, 0.0, 40.0, 100.0)).unwrap();
    let blur = scene.begin_spread(Footprint::blur(2.0, 2.0)).unwrap();
    let draw = scene.draw(Rect::new(42.0, 50.0, 60.0, 60.0)).unwrap();
    scene.end().unwrap();
    scene.end().unwrap();
    let stream = scene.finish().unwrap();
    let bounds = reference::bounds(&stream);
    let of = |element: u32| bounds.marker_of(element).unwrap();
    assert_eq!(stream.filter_depth(), 1);
    assert_eq!(bounds.clips[of(blur)], Rect::new(14.0, -6.0, 46.0, 106.0));
    assert_eq!(bounds.boxes[draw as usize], Rect::new(42.0, 50.0, 46.0, 60.0));
    assert_eq!(bounds.boxes[blur as usize], Rect::new(36.0, 44.0, 40.0, 66.0));
    assert_eq!(bounds.boxes[clip as usize], bounds.boxes[blur as usize]);
}
