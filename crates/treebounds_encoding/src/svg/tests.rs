//! Whole files and the boxes expected for them: fills, strokes, texts, ids.

mod browsers;
mod css;
mod effects;
mod hostile;
mod pages;
mod shapes;

use super::{Drawing, Options, Painter, SvgError, encode, encode_tree};
use treebounds_core::{Bounds, Footprint, Rect, Tag, reference};
use treebounds_report::{Document, Origin, Scene};

/// A file of 100 by 100 pixels with this content.
fn file(inside: &str) -> String {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='100' height='100'>{inside}</svg>"
    )
}

fn read(inside: &str) -> Result<Drawing, SvgError> {
    encode(file(inside).as_bytes(), &Options::default())
}

fn scene(inside: &str) -> (Scene, Bounds) {
    let scene = read(inside).expect("a good file").scene;
    let bounds = reference::bounds(&scene.stream);
    (scene, bounds)
}

/// The tags of the elements, in order.
fn names(scene: &Scene) -> Vec<&'static str> {
    scene.stream.tags().iter().map(|tag| tag.name()).collect()
}

/// The rect of the first element with this id.
fn rect(scene: &Scene, id: &str) -> Rect {
    scene.stream.rects()[position(scene, id)]
}

fn position(scene: &Scene, id: &str) -> usize {
    scene.origins.iter().position(|origin| origin.id.as_deref() == Some(id)).expect("the id")
}

/// The rects of the draws.
fn draws(scene: &Scene) -> Vec<Rect> {
    let all = scene.stream.tags().iter().zip(scene.stream.rects());
    all.filter(|(tag, _)| **tag == Tag::DRAW).map(|(_, rect)| *rect).collect()
}

/// Whether the edges agree within the precision of `f32`.
fn near(a: Rect, b: Rect) -> bool {
    a.to_array().iter().zip(b.to_array()).all(|(a, b)| (a - b).abs() < 1e-3)
}

#[test]
fn fills() {
    let (scene, _) = scene(
        "<rect id='a' x='10.5' y='20' width='30' height='5'/>
         <circle id='b' cx='50' cy='50' r='10'/>
         <path id='c' d='M 0 0 C 0 40 100 40 100 0 Z'/>
         <rect id='d' width='10' height='20' transform='translate(50 50) rotate(90)'/>",
    );
    assert_eq!(rect(&scene, "a"), Rect::new(10.5, 20.0, 40.5, 25.0));
    assert!(near(rect(&scene, "b"), Rect::new(40.0, 40.0, 60.0, 60.0)));
    assert_eq!(rect(&scene, "c"), Rect::new(0.0, 0.0, 100.0, 30.0));
    assert!(near(rect(&scene, "d"), Rect::new(30.0, 50.0, 50.0, 60.0)));
    let indices: Vec<u32> = scene.origins.iter().map(|origin| origin.index).collect();
    assert_eq!(indices, [0, 1, 2, 4], "the turned rect is inside a group of its own");
}

#[test]
fn strokes_follow_joins_and_caps() {
    let corner = |style: &str| {
        let (scene, _) = scene(&format!(
            "<path id='p' d='M 20 20 H 60 V 60' fill='none' stroke='red' stroke-width='10' {style}/>"
        ));
        rect(&scene, "p")
    };
    assert_eq!(corner(""), Rect::new(20.0, 15.0, 65.0, 60.0));
    assert_eq!(corner("stroke-linejoin='bevel'"), Rect::new(20.0, 15.0, 65.0, 60.0));
    assert_eq!(corner("stroke-linecap='square'"), Rect::new(15.0, 15.0, 65.0, 65.0));
    assert!(near(corner("stroke-linecap='round'"), Rect::new(15.0, 15.0, 65.0, 65.0)));
}

#[test]
fn a_miter_ends_at_its_limit() {
    let spike = |limit: u32| {
        let (scene, _) = scene(&format!(
            "<path id='p' d='M 10 40 L 50 60 L 10 80' fill='none' stroke='red' stroke-width='10'
             stroke-miterlimit='{limit}'/>"
        ));
        rect(&scene, "p").x1
    };
    let tip = 50.0 + 5.0 * 5.0_f32.sqrt();
    assert!((spike(4) - tip).abs() < 1e-3, "{}", spike(4));
    assert!(spike(1) < 53.0);
}

#[test]
fn dashes_leave_gaps_at_the_ends() {
    let (scene, _) = scene(
        "<path id='p' d='M 10 50 H 90' stroke='red' stroke-width='4' stroke-dasharray='20 100'
         stroke-dashoffset='-10'/>
         <path id='q' d='M 10 50 h 1000000' stroke='red' stroke-width='4' stroke-dasharray='1 1'/>",
    );
    assert_eq!(rect(&scene, "p"), Rect::new(20.0, 48.0, 40.0, 52.0));
    let many = rect(&scene, "q");
    assert!(many.contains(Rect::new(10.0, 48.0, 1_000_010.0, 52.0)) && many.y0 > 30.0);
}

#[test]
fn dashes_along_endless_curves_are_not_measured() {
    let start = std::time::Instant::now();
    for dashed in ["r='2147483647' stroke-dasharray='2 5'", "r='1e30' stroke-dasharray='1e27'"] {
        let (scene, _) = scene(&format!("<circle id='c' {dashed} fill='none' stroke='red'/>"));
        assert!(rect(&scene, "c").contains(Rect::new(0.0, 0.0, 100.0, 100.0)));
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn strokes_are_scaled_unevenly() {
    let (scene, _) = scene(
        "<circle id='c' r='10' fill='none' stroke='red' stroke-width='2'
         transform='translate(50 50) scale(4 1)'/>",
    );
    assert!(near(rect(&scene, "c"), Rect::new(6.0, 39.0, 94.0, 61.0)));
}

#[test]
fn hairlines_are_wider_where_resvg_paints_them() {
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
        "<rect width='10' height='10' display='none'/>
         <rect width='10' height='10' visibility='hidden'/>
         <rect width='10' height='10' fill='none'/>
         <rect width='0' height='10'/>
         <line x2='50' fill='red'/>
         <defs><rect width='10' height='10'/></defs>",
    );
    assert!(scene.stream.is_empty(), "{:?}", names(&scene));
}

#[test]
fn markers_uses_symbols_and_viewports() {
    let (scene, bounds) = scene(
        "<marker id='m' markerWidth='4' markerHeight='4' markerUnits='userSpaceOnUse'>
           <rect width='40' height='2'/></marker>
         <path d='M 10 10 H 30' stroke='none' fill='none' marker-end='url(#m)'/>
         <symbol id='s' viewBox='0 0 10 10'><rect width='20' height='5'/></symbol>
         <use id='u' xlink:href='#s' x='50' y='50' width='20' height='20'/>
         <svg id='v' x='5' y='80' width='10' height='10'><rect x='-50' width='100' height='5'/></svg>",
    );
    let all = scene.stream.tags().iter().zip(&bounds.boxes);
    let draws: Vec<Rect> =
        all.filter(|(tag, _)| **tag == Tag::DRAW).map(|(_, bounds)| *bounds).collect();
    let expected = [
        Rect::new(30.0, 10.0, 34.0, 12.0),
        Rect::new(50.0, 50.0, 70.0, 60.0),
        Rect::new(5.0, 80.0, 15.0, 85.0),
    ];
    assert_eq!(draws, expected);
    assert_eq!(names(&scene), ["begin_clip", "draw", "end_clip"].repeat(3));
    assert_eq!(scene.origins[position(&scene, "v")].source, "g");
}

#[test]
fn text_has_the_box_of_its_glyphs_or_a_note() {
    let text = "<text id='t' x='10' y='50' font-family='No Such Font'>Hi</text>
         <g style='font-family:No Such Font'><text>Ho</text></g>";
    let options = Options::default().system_fonts(false);
    let scene = encode(file(text).as_bytes(), &options).unwrap().scene;
    assert!(scene.stream.is_empty());
    assert_eq!(scene.notes, ["no font matches 'No Such Font': its text is left out"]);

    let (scene, _) = self::scene(text);
    let [note] = &scene.notes[..] else { panic!("{:?}", scene.notes) };
    assert!(note.starts_with("no font matches 'No Such Font'"), "{note}");
    if note.contains("drawn with") {
        assert!(!rect(&scene, "t").is_empty());
    }

    let (scene, _) = self::scene("<text id='t' x='10' y='50' font-family='serif'>Hi</text>");
    if scene.notes.is_empty() {
        assert_eq!(scene.origins[0].source, "text");
        let glyphs = rect(&scene, "t");
        assert!(Rect::new(9.0, 35.0, 40.0, 55.0).contains(glyphs), "{glyphs:?}");
    }
}

#[test]
fn transparent_elements_have_no_box() {
    let nothing = "<g opacity='0'><rect width='5' height='5'/><rect x='9' width='5' height='5'/></g>
         <rect width='9' height='9' fill-opacity='0'/><rect width='9' height='9' fill='transparent'/>
         <path d='M0 0H9' stroke='red' stroke-opacity='0'/>";
    let (scene, bounds) = self::scene(nothing);
    assert!(bounds.boxes.iter().all(|bounds| bounds.is_empty()), "{:?}", names(&scene));
    // The antialiased edges of a pattern are painted all the same.
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
fn thin_strokes_keep_their_miters_and_lone_moves_have_no_box() {
    let spike =
        "<path id='s' d='M20 40 100 45 20 50' fill='none' stroke='red' stroke-miterlimit='99'/>";
    let (scene, _) = self::scene(spike);
    assert!(rect(&scene, "s").x1 > 107.0, "{:?}", rect(&scene, "s"));
    let (scene, _) = self::scene("<path id='m' d='M10 10 40 40 10 40ZM90 90'/>");
    assert_eq!(rect(&scene, "m"), Rect::new(10.0, 10.0, 40.0, 40.0));
}

#[test]
fn groups_and_uses_contain_their_elements() {
    let uses = "<defs><g id='icon'><rect width='9' height='9'/><circle r='5'/></g></defs>
         <g id='bar'><use id='save' xlink:href='#icon'/><use id='open' xlink:href='#icon' x='20'/></g>
         <g id='layer' opacity='.5'><g id='one'><rect width='9' height='9'/></g></g>";
    let drawing = encode(file(uses).as_bytes(), &Options::default()).unwrap();
    let document = &drawing.document;
    let inside = |id: &str| {
        let inside = document.inside(id)?;
        let of = |element: &u32| document.source(*element).is_some_and(|it| inside[it as usize]);
        Some((0..drawing.scene.stream.len() as u32).filter(of).collect::<Vec<_>>())
    };
    assert_eq!(inside("save"), Some(vec![0, 1]));
    assert_eq!(inside("open"), Some(vec![2, 3]));
    assert_eq!(inside("bar"), Some(vec![0, 1, 2, 3]));
    assert_eq!(inside("layer"), Some(vec![4, 5, 6]));
    assert_eq!(inside("one"), Some(vec![5]));
    assert_eq!(inside("icon"), Some(vec![]), "it is only a definition");
    assert_eq!(inside("nobody"), None);
}

#[test]
fn elements_have_paths_with_or_without_ids() {
    let inside = "<g/><g><rect width='9' height='9'/><rect id='b' width='9' height='9'/>
        <g opacity='.5'><image width='9' height='9' href='data:image/svg+xml,%3Csvg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"%3E%3Crect id=\"b\" width=\"5\" height=\"5\"/%3E%3C/svg%3E'/></g></g>";
    let drawing = encode(file(inside).as_bytes(), &Options::default()).unwrap();
    let path = |element: u32| drawing.document.path(drawing.document.sources[element as usize]);
    assert_eq!(path(0), "svg/g[2]/rect[1]");
    assert_eq!(path(1), "svg/g[2]/rect[2]");
    assert_eq!(path(2), "svg/g[2]/g[1]");
    let image = "svg/g[2]/g[1]/image[1]";
    assert_eq!([3, 4, 5].map(path), [image, image, image], "an image's ids are its own");
    let ids: Vec<_> = drawing.scene.origins.iter().map(|origin| origin.id.as_deref()).collect();
    assert_eq!(ids[..4], [None, Some("b"), None, None]);
}

#[test]
fn each_part_of_a_text_has_its_own_object() {
    let text = "<text id='t' x='5' y='20' font-family='DejaVu Sans' font-size='10'>ab
        <tspan id='u' text-decoration='underline line-through'>cd <tspan id='v' x='5 20' y='40' stroke='red'>ef</tspan> </tspan>
        <tspan id='blank'> </tspan><tspan id='w'>gh</tspan>i</text>";
    let drawing = encode(file(text).as_bytes(), &Options::default()).unwrap();
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
    let drawing = encode(file(inside).as_bytes(), &Options::default()).unwrap();
    let document = &drawing.document;
    let used = |id: &str| document.objects[document_object(document, id)].used;
    assert_eq!(used("c"), Rect::new(1.0, 1.0, 15.0, 5.0));
    assert_eq!(used("r"), Rect::new(1.0, 1.0, 15.0, 5.0));
    assert_eq!(used("m"), Rect::new(0.0, 0.0, 50.0, 20.0));
    assert_eq!(used("s"), Rect::new(0.0, 0.0, 60.0, 20.0));
    assert_eq!(used("unused"), Rect::NOTHING);
    let cuts =
        document.cuts.iter().map(|cut| (cut.clip.as_deref(), cut.mask.as_deref(), cut.transparent));
    let expected = [
        (Some("c"), None, false),
        (Some("c"), None, false),
        (None, Some("m"), false),
        (None, None, true),
    ];
    assert_eq!(cuts.collect::<Vec<_>>(), expected);
}

fn document_object(document: &Document, id: &str) -> usize {
    document.objects.iter().position(|object| object.id.as_deref() == Some(id)).expect("the id")
}
