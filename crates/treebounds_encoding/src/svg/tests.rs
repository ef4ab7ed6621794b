//! Expected boxes of whole files: fills, strokes, texts, ids.

mod browsers;
mod css;
mod effects;
mod hostile;
mod kept;
mod pages;
mod shapes;

use super::{Drawing, Options, Painter, SvgError, encode, encode_tree};
use crate::{Origin, Scene, SourceDocument};
use treebounds_core::{Bounds, Footprint, Rect, Tag, reference};

/// Returns a file of 100 by 100 pixels with this content. `BOX` stands for a width and a height of 10.
fn file(inside: &str) -> String {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    let inside = inside.replace("BOX", "width='10' height='10'");
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='100' height='100'>{inside}</svg>"
    )
}

fn read(inside: &str) -> Result<Drawing, SvgError> {
    encode(file(inside).as_bytes(), &Options::default())
}

fn read_file(text: &str) -> Drawing {
    encode(text.as_bytes(), &Options::default()).expect("a good file")
}

fn scene(inside: &str) -> (Scene, Bounds) {
    let scene = read(inside).expect("a good file").scene;
    let bounds = reference::bounds(&scene.stream);
    (scene, bounds)
}

fn names(scene: &Scene) -> Vec<&'static str> {
    scene.stream.tags().iter().map(|tag| tag.name()).collect()
}

/// Returns the rect of the first element with this id.
fn rect(scene: &Scene, id: &str) -> Rect {
    scene.stream.rects()[position(scene, id)]
}

fn position(scene: &Scene, id: &str) -> usize {
    scene.origins.iter().position(|origin| origin.id.as_deref() == Some(id)).expect("the id")
}

fn draws(scene: &Scene) -> Vec<Rect> {
    let all = scene.stream.tags().iter().zip(scene.stream.rects());
    all.filter(|(tag, _)| **tag == Tag::DRAW).map(|(_, rect)| *rect).collect()
}

/// Whether the edges agree within the precision of `f32`.
fn near(a: Rect, b: Rect) -> bool {
    a.to_array().iter().zip(b.to_array()).all(|(a, b)| (a - b).abs() < 1e-3)
}

fn object(document: &SourceDocument, id: &str) -> usize {
    document.objects.iter().position(|object| object.id.as_deref() == Some(id)).expect("the id")
}

/// Returns the union of the painted boxes of an object and its descendants.
fn painted(drawing: &Drawing, id: &str) -> Option<Rect> {
    object(&drawing.document, id);
    let inside = drawing.document.inside(id)?;
    let bounds = reference::bounds(&drawing.scene.stream);
    let boxes = reference::landings(&drawing.scene.stream, &bounds);
    let elements = drawing.scene.stream.tags().iter().zip(&drawing.document.sources).zip(boxes);
    let own = elements.filter(|((tag, source), rect)| {
        **tag == Tag::DRAW && !rect.is_empty() && inside.get(**source as usize) == Some(&true)
    });
    own.map(|(_, rect)| rect).reduce(|a, b| a.union(b))
}

/// Asserts the painted boxes of objects: `a 0 0 10 10, b` means that `a` has these edges and `b` paints nothing. Edges
/// without an id belong to `a`.
#[track_caller]
fn assert_painted(inside: &str, expected: &str) {
    let drawing = read(inside).expect("a good file");
    for one in expected.split(", ") {
        let (id, edges) = match one.split_once(' ') {
            Some((id, edges)) if id.parse::<f32>().is_err() => (id, edges),
            None if !one.is_empty() => (one, ""),
            _ => ("a", one),
        };
        let edges: Vec<f32> = edges.split_whitespace().map(|edge| edge.parse().unwrap()).collect();
        match (painted(&drawing, id), &edges[..]) {
            (None, []) => {}
            (Some(found), [x0, y0, x1, y1]) if near(found, Rect::new(*x0, *y0, *x1, *y1)) => {}
            (found, _) => panic!("{id}: {found:?} is not {edges:?} in {inside}"),
        }
    }
}

/// Asserts the painted boxes of each row, whose text replaces `$`.
#[track_caller]
fn assert_each(inside: &str, rows: &[(&str, &str)]) {
    for (row, expected) in rows {
        assert_painted(&inside.replace('$', row), expected);
    }
}

/// Asserts a note with each of these words, or no notes if there are no words.
#[track_caller]
fn assert_notes(inside: &str, words: &[&str]) -> Drawing {
    let drawing = read(inside).expect("a good file");
    let notes = &drawing.scene.notes;
    let has = |words: &&str| notes.iter().any(|note| note.contains(*words));
    assert!(words.iter().all(has) && words.is_empty() == notes.is_empty(), "{words:?}: {notes:#?}");
    drawing
}

#[test]
fn fill_boxes_include_curves_and_transforms() {
    let (scene, _) = scene(
        "<rect id='a' x='10.5' y='20' width='30' height='5'/>
         <circle id='b' cx='50' cy='50' r='10' transform='rotate(45 50 50)'/>
         <path id='c' d='M0 0C0 40 100 40 100 0Q50 -20 0 0'/>
         <rect id='d' width='10' height='20' transform='translate(50 50) rotate(90)'/>",
    );
    assert_eq!(rect(&scene, "a"), Rect::new(10.5, 20.0, 40.5, 25.0));
    assert!(near(rect(&scene, "b"), Rect::new(40.0, 40.0, 60.0, 60.0)));
    assert_eq!(rect(&scene, "c"), Rect::new(0.0, -10.0, 100.0, 30.0));
    assert!(near(rect(&scene, "d"), Rect::new(30.0, 50.0, 50.0, 60.0)));
    let indices: Vec<u32> = scene.origins.iter().map(|origin| origin.index).collect();
    assert_eq!(indices, [0, 2, 3, 5], "the turned shapes are inside groups of their own");
}

#[test]
fn stroke_boxes_include_joins_caps_and_dashes() {
    let lines = [
        ("d='M20 20H60V60'", "20 15 65 60"),
        ("d='M20 20H60V60' stroke-linejoin='bevel'", "20 15 65 60"),
        ("d='M20 20H60V60' stroke-linecap='square'", "15 15 65 65"),
        ("d='M20 20H60V60' stroke-linecap='round'", "15 15 65 65"),
        // The miter ends at its limit.
        ("d='M10 40L50 60L10 80' stroke-miterlimit='4'", "7.7639 35.5279 61.1803 84.4721"),
        ("d='M10 40L50 60L10 80' stroke-miterlimit='1'", "7.7639 35.5279 52.2361 84.4721"),
        ("d='M10 50H90' stroke-dasharray='20 100' stroke-dashoffset='-10'", "20 45 40 55"),
    ];
    assert_each("<path id='a' fill='none' stroke='red' stroke-width='10' $/>", &lines);
    let (scene, _) = scene(
        "<path id='q' d='M10 50h1000000' stroke='red' stroke-width='4' stroke-dasharray='1 1'/>
         <path id='s' d='M20 40 100 45 20 50' fill='none' stroke='red' stroke-miterlimit='99'/>
         <circle id='c' r='10' fill='none' stroke='red' stroke-width='2' transform='translate(50 50) scale(4 1)'/>
         <path id='m' d='M10 10 40 40 10 40ZM90 90'/>",
    );
    let many = rect(&scene, "q");
    assert!(many.contains(Rect::new(10.0, 48.0, 1_000_010.0, 52.0)) && many.y0 > 30.0);
    assert!(rect(&scene, "s").x1 > 107.0, "thin strokes keep their miters");
    assert!(near(rect(&scene, "c"), Rect::new(6.0, 39.0, 94.0, 61.0)));
    assert_eq!(rect(&scene, "m"), Rect::new(10.0, 10.0, 40.0, 40.0), "lone moves have no box");
}

#[test]
fn dashes_on_huge_curves_are_not_outlined() {
    let start = std::time::Instant::now();
    for dashed in ["r='2147483647' stroke-dasharray='2 5'", "r='1e30' stroke-dasharray='1e27'"] {
        let (scene, _) = scene(&format!("<circle id='c' {dashed} fill='none' stroke='red'/>"));
        assert!(rect(&scene, "c").contains(Rect::new(0.0, 0.0, 100.0, 100.0)));
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn hairlines_are_wider_for_resvg() {
    let line = file("<path id='p' d='M 10 50 H 90' stroke='red' stroke-width='.5'/>");
    let read = |painter| encode(line.as_bytes(), &Options::default().painter(painter)).unwrap();
    let exact = read(Painter::Exact);
    assert_eq!(rect(&exact.scene, "p"), Rect::new(10.0, 49.75, 90.0, 50.25));
    let wide = read(Painter::Resvg);
    assert_eq!(rect(&wide.scene, "p"), Rect::new(9.0, 49.0, 91.0, 51.0));
    assert_eq!(encode_tree(&exact.tree).unwrap(), wide.scene);
}

#[test]
fn hidden_elements_and_definitions_are_left_out() {
    let (scene, _) = scene(
        "<rect BOX display='none'/><rect BOX visibility='hidden'/><rect BOX fill='none'/>
         <rect width='0' height='10'/><line x2='50' fill='red'/><defs><rect BOX/></defs>",
    );
    assert!(scene.stream.is_empty(), "{:?}", names(&scene));
}

#[test]
fn markers_uses_symbols_and_viewports_are_clips_around_draws() {
    let drawing = read(
        "<marker id='m' markerWidth='4' markerHeight='4' markerUnits='userSpaceOnUse'>
           <rect width='40' height='2'/></marker>
         <path id='p' d='M 10 10 H 30' stroke='none' fill='none' marker-end='url(#m)'/>
         <symbol id='s' viewBox='0 0 10 10'><rect width='20' height='5'/></symbol>
         <use id='u' xlink:href='#s' x='50' y='50' width='20' height='20'/>
         <svg id='v' x='5' y='80' width='10' height='10'><rect x='-50' width='100' height='5'/></svg>",
    )
    .unwrap();
    assert_eq!(painted(&drawing, "p"), Some(Rect::new(30.0, 10.0, 34.0, 12.0)));
    assert_eq!(painted(&drawing, "u"), Some(Rect::new(50.0, 50.0, 70.0, 60.0)));
    assert_eq!(painted(&drawing, "v"), Some(Rect::new(5.0, 80.0, 15.0, 85.0)));
    let scene = &drawing.scene;
    assert_eq!(names(scene), ["begin_clip", "draw", "end_clip"].repeat(3));
    assert_eq!(scene.origins[position(scene, "v")].source, "g");
}

#[test]
fn text_has_the_box_of_its_glyphs_and_a_note_if_no_font_matches() {
    let text = "<text id='t' x='10' y='50' font-family='No Such Font'>Hi</text>
         <g style='font-family:No Such Font'><text>Ho</text></g>";
    let options = Options::default().system_fonts(false);
    let scene = encode(file(text).as_bytes(), &options).unwrap().scene;
    assert!(scene.stream.is_empty());
    assert_eq!(
        scene.notes,
        ["font-family of #t, svg/g[1]/text[1]: no font matches; its text is left out"]
    );

    let (scene, _) = self::scene(text);
    let [note] = &scene.notes[..] else { panic!("{:?}", scene.notes) };
    let start = "font-family of #t, svg/g[1]/text[1]: no font matches; its text is drawn with";
    assert!(note.starts_with(start), "{note}: apt-get install fonts-dejavu-core");
    assert!(!rect(&scene, "t").is_empty());

    let (scene, _) = self::scene("<text id='t' x='10' y='50' font-family='serif'>Hi</text>");
    assert!(scene.notes.is_empty(), "{:?}: apt-get install fonts-dejavu-core", scene.notes);
    assert_eq!(scene.origins[0].source, "text");
    let glyphs = rect(&scene, "t");
    assert!(Rect::new(9.0, 35.0, 40.0, 55.0).contains(glyphs), "{glyphs:?}");
}

#[test]
fn transparent_elements_have_no_box() {
    let nothing = "<g opacity='0'><rect width='5' height='5'/><rect x='9' width='5' height='5'/></g>
         <rect width='9' height='9' fill-opacity='0'/><rect width='9' height='9' fill='transparent'/>
         <path d='M0 0H9' stroke='red' stroke-opacity='0'/>";
    let (scene, bounds) = self::scene(nothing);
    assert!(bounds.boxes.iter().all(|bounds| bounds.is_empty()), "{:?}", names(&scene));
    // The antialiased edges of a pattern are painted anyway.
    let pattern = "<pattern id='p' width='9' height='9' patternUnits='userSpaceOnUse'>
         <rect width='9' height='9'/></pattern>
         <circle id='c' cx='40' cy='40' r='30' fill='url(#p)' fill-opacity='0'/>
         <filter id='f'><feFlood/></filter>
         <g transform='rotate(20)'><g id='l' opacity='0' filter='url(#f)'>
         <rect x='30' y='9' width='20' height='20'/></g></g>";
    let (scene, _) = self::scene(pattern);
    assert_eq!(rect(&scene, "c"), Rect::new(10.0, 10.0, 70.0, 70.0));
    assert!(!rect(&scene, "l").is_empty());
}

#[test]
fn groups_and_uses_contain_their_elements() {
    let uses = "<defs><g id='icon'><rect width='9' height='9'/><circle r='5'/></g></defs>
         <g id='bar'><use id='save' xlink:href='#icon'/><use id='open' xlink:href='#icon' x='20'/></g>
         <g id='layer' opacity='.5'><g id='one'><rect width='9' height='9'/></g></g>";
    let Drawing { document, .. } = read(uses).unwrap();
    for (id, expected) in [
        ("save", Some(vec![0, 1])),
        ("open", Some(vec![2, 3])),
        ("bar", Some(vec![0, 1, 2, 3])),
        ("layer", Some(vec![4, 5, 6])),
        ("one", Some(vec![5])),
        ("icon", Some(vec![])), // only a definition
        ("nobody", None),
    ] {
        let found = document.inside(id).map(|inside| {
            let of = |element: &usize| {
                document.source(*element as u32).is_some_and(|at| inside[at as usize])
            };
            (0..document.sources.len()).filter(of).collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{id}");
    }
}

#[test]
fn elements_have_paths_with_or_without_ids() {
    let inside = "<g/><g><rect width='9' height='9'/><rect id='b' width='9' height='9'/>
        <g opacity='.5'><image width='9' height='9' href='data:image/svg+xml,%3Csvg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"%3E%3Crect id=\"b\" width=\"5\" height=\"5\"/%3E%3C/svg%3E'/></g></g>";
    let drawing = read(inside).unwrap();
    let path = |element: usize| drawing.document.path(drawing.document.sources[element]);
    // An image has its own ids.
    let image = "svg/g[2]/g[1]/image[1]";
    let expected = ["svg/g[2]/rect[1]", "svg/g[2]/rect[2]", "svg/g[2]/g[1]", image, image, image];
    assert_eq!([0, 1, 2, 3, 4, 5].map(path), expected);
    let ids: Vec<_> = drawing.scene.origins.iter().map(|origin| origin.id.as_deref()).collect();
    assert_eq!(ids[..4], [None, Some("b"), None, None]);
}

#[test]
fn each_part_of_a_text_has_its_own_object() {
    let text = "<text id='t' x='5' y='20' font-family='DejaVu Sans' font-size='10'>ab
        <tspan id='u' text-decoration='underline line-through'>cd <tspan id='v' x='5 20' y='40' stroke='red'>ef</tspan> </tspan>
        <tspan id='blank'> </tspan><tspan id='w'>gh</tspan>i</text>";
    let drawing = read(text).unwrap();
    let document = &drawing.document;
    let names: Vec<_> = document.sources.iter().map(|object| document.name(*object)).collect();
    let count = |name: &str| names.iter().filter(|it| *it == name).count();
    assert_eq!(["#t", "#u", "#v", "#w"].map(count), [2, 5, 6, 1], "{names:?}");
    let is_text = |origin: &Origin| origin.id.as_deref() == Some("t");
    assert!(drawing.scene.origins.iter().all(is_text), "elements go by the id of the text");
}

#[test]
fn clip_paths_and_masks_have_boxes_where_they_are_used() {
    let inside = "<clipPath id='c'><rect id='r' x='1' y='1' width='4' height='4'/></clipPath>
        <mask id='m' maskUnits='userSpaceOnUse' x='0' y='0' width='50' height='50'>
          <g id='n'><rect id='s' width='60' height='20' fill='white'/></g></mask>
        <clipPath id='unused'><rect width='4' height='4'/></clipPath>
        <rect clip-path='url(#c)' width='9' height='9'/>
        <g transform='translate(10 0)'><rect id='cut' clip-path='url(#c)' width='9' height='9'/></g>
        <rect id='masked' mask='url(#m)' width='90' height='90'/><g id='gone' opacity='0'><rect width='9' height='9'/></g>";
    let Drawing { document, .. } = read(inside).unwrap();
    for (id, used) in [
        ("c", Rect::new(1.0, 1.0, 15.0, 5.0)),
        ("r", Rect::new(1.0, 1.0, 15.0, 5.0)),
        ("m", Rect::new(0.0, 0.0, 50.0, 20.0)),
        ("s", Rect::new(0.0, 0.0, 60.0, 20.0)),
        ("unused", Rect::NOTHING),
    ] {
        assert_eq!(document.objects[object(&document, id)].used, used, "{id}");
    }
    let cuts = document.cuts.iter();
    let cuts = cuts.map(|cut| (cut.clip.as_deref(), cut.mask.as_deref(), cut.transparent));
    let clip = (Some("c"), None, false);
    let expected = [clip, clip, (None, Some("m"), false), (None, None, true)];
    assert_eq!(cuts.collect::<Vec<_>>(), expected);
}
