//! Pages, SVG images and copies of `use` elements, as browsers read them.

use super::{assert_each, assert_notes, assert_painted, near, painted, read, read_file};
use crate::svg::{Options, encode};
use std::sync::Arc;
use treebounds_core::Rect;
use usvg::fontdb::{Database, Family, Query};

#[test]
fn a_root_without_a_size_is_noted() {
    for (attributes, size, noted) in [
        ("viewBox='0 0 50 20'", (50., 20.), ""),
        ("width='100' viewBox='0 0 50 20'", (100., 40.), ""),
        ("height='40' viewBox='0 0 50 20'", (100., 40.), ""),
        ("width='100%' height='100%' viewBox='0 0 50 20'", (50., 20.), ""),
        ("width='100%' height='auto' viewBox='0 0 50 20'", (50., 20.), ""),
        ("height='40' style='width: auto' viewBox='0 0 50 20'", (100., 40.), ""),
        ("width='50%' viewBox='0 0 50 20'", (50., 20.), "width of svg: a part of a window"),
        ("", (10., 10.), "width of svg: left to the window"),
        ("width='40'", (40., 10.), "height of svg: left to the window"),
        ("height='40' width='auto'", (10., 40.), "width of svg: left to the window"),
        ("height='4'", (10., 4.), "width of svg: left to the window"),
        ("style='width:auto' width='40' height='9'", (10., 9.), "width of svg: left"),
        ("width='40' height='30' style='max-width:9px'", (40., 30.), "max-width of svg"),
        ("width='100%' viewBox='0 0 50 20' style='max-width:50px'", (50., 20.), ""),
        ("width='40' height='30' display='none'", (40., 30.), ""),
        ("width='40' height='30' viewBox='0 0 9 9px'", (40., 30.), ""),
    ] {
        let rect = "<rect id='a' width='10' height='10'/>";
        let drawing = read_file(&format!(
            "<svg xmlns='http://www.w3.org/2000/svg' {attributes}>{rect}</svg>"
        ));
        assert_eq!((drawing.scene.width, drawing.scene.height), size, "{attributes}");
        let notes = drawing.scene.notes.join("; ");
        assert!(notes.contains(noted) && notes.is_empty() == noted.is_empty(), "{notes}");
        assert!(painted(&drawing, "a").is_some(), "{attributes}");
    }
}

/// Returns a link to an SVG image with these attributes and this content.
fn link(attributes: &str, inside: &str) -> String {
    let text = format!("<svg xmlns='http://www.w3.org/2000/svg' {attributes}>{inside}</svg>");
    let text: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
    format!("href='data:image/svg+xml,{text}'")
}

#[test]
fn svg_images_fill_their_elements_by_their_view_boxes() {
    let whole = "<rect width='100%' height='100%'/>";
    let (square, empty) = ("viewBox='0 0 20 20'", "preserveAspectRatio=''");
    for (root, more, expected) in [
        ("width='20' height='20'", "", [0., 0., 80., 40.]),
        (square, "", [20., 0., 60., 40.]),
        ("width='20' height='20' viewBox='0 0 40 20'", "", [0., 0., 80., 40.]),
        (
            "viewBox='0 0 20 20' preserveAspectRatio='xMinYMin'",
            "preserveAspectRatio='xMaxYMax slice'",
            [0., 0., 40., 40.],
        ),
        (square, "preserveAspectRatio='none'", [0., 0., 80., 40.]),
        (&format!("{square} {empty}"), empty, [20., 0., 60., 40.]),
    ] {
        let image = format!("<image id='a' width='80' height='40' {more} {}/>", link(root, whole));
        let [x0, y0, x1, y1] = expected;
        let found = painted(&assert_notes(&image, &[]), "a").expect("an image");
        assert!(near(found, Rect::new(x0, y0, x1, y1)), "{root}: {found:?}");
    }
    let own = format!("<image id='a' {}/>", link("width='20' height='10'", whole));
    assert_painted(&own, "0 0 20 10");
    let half = format!("<image id='a' width='80' height='40' {}/>", link("width='20'", whole));
    assert_notes(&half, &["href of #a"]);
}

#[test]
fn svg_images_fill_their_elements_in_images_and_masks() {
    let square = link("viewBox='0 0 20 20'", "<rect width='20' height='20'/>");
    let image =
        format!("<image width='80' height='40' preserveAspectRatio='xMinYMin slice' {square}/>");
    let outer = link("viewBox='0 0 80 40'", &image);
    let inside = format!(
        "<image id='a' width='80' height='40' {outer}/><mask id='m'>{image}</mask>
        <rect id='b' width='80' height='40' mask='url(#m)'/>"
    );
    assert_painted(&inside, "a 20 0 60 40, b 20 0 60 40");
}

#[test]
fn css_keywords_ignore_case() {
    let sheet = "<style>G{}#r{width:1EM;height:2eM}CLIPPATH{display:NONE}</style>";
    let inside = format!("{sheet}<defs><rect id='r'/></defs><use id='a' href='#r' font-size='9'/>");
    assert_painted(&inside, "0 0 9 18");
    let text = "<text id='t' x='1eX' y='1CAP' font-size='10' font-family='DejaVu Sans'>A</text>";
    let lower = text.replace("1eX", "1ex").replace("1CAP", "1cap");
    let [text, lower] = [text, &lower].map(|text| painted(&read(text).unwrap(), "t"));
    assert!(text == lower && text.is_some(), "{text:?} {lower:?}");
}

#[test]
fn texts_with_a_different_layout_are_noted() {
    for (text, note) in [
        ("<text id='a' textLength='90'>A<tspan>B</tspan></text>", "textLength of #a"),
        ("<text id='a' textLength='90' letter-spacing='2'>AB</text>", "textLength of #a"),
        ("<text id='a' direction='rtl'>abc!</text>", "direction of #a"),
        ("<text id='a' writing-mode='sideways-rl'>A</text>", "writing-mode of #a"),
        (
            "<text id='a' letter-spacing='2'>fi</text>",
            "letter-spacing of #a: letters of a ligature",
        ),
        (
            "<svg id='a' width='0' viewBox='0 0 9 9' overflow='visible'><rect BOX/></svg>",
            "viewBox of #a: its contents are left out",
        ),
        ("<text id='a' style='text-transform:capitalize'>a</text>", "text-transform of #a"),
        ("<g id='a' style='mask:url(#m),url(#n)'/>", "mask of #a: left out; it cuts nothing"),
        ("<g id='a' clip-path='url(other.svg#c)'/>", "clip-path of #a: links to other files"),
        ("<switch><foreignObject/><g id='a'/></switch>", "foreignObject of #a: browsers show it"),
    ] {
        assert_notes(text, &[note]);
    }
    // Inkscape writes text properties into its shapes.
    let shape = "<path style='text-orientation:sideways;inline-size:9px;text-shadow:1px 1px'/>";
    assert_notes(shape, &[]);
    let sizes = "<text id='a' y='50' font-size='20' font-family='DejaVu Sans'>\
                 A<tspan font-size='0'>B</tspan><tspan id='b' font-size='9'>C</tspan></text>";
    assert!(painted(&read(sizes).unwrap(), "b").is_some());
}

#[test]
fn selectors_do_not_match_outside_a_use() {
    let all = "<style>defs rect, defs > g { display: none } g rect { stroke: red; stroke-width: 4 }</style>
        <defs><rect id='r' BOX/><g id='g'><rect BOX/></g></defs>
        <use id='a' href='#r' x='20' y='20'/><use id='b' href='#g' x='50' y='20'/>";
    assert_painted(all, "a 20 20 30 30, b 48 18 62 32");
    let both = "<style>.k rect { stroke: red; stroke-width: 4 }</style>
        <g class='k' transform='translate(20 20)'><rect id='r' BOX/></g><use id='a' href='#r'/>";
    assert_painted(both, "r 18 18 32 32, a 0 0 10 10");
}

#[test]
fn copies_of_a_use_inherit_from_the_use() {
    let used = "<style>use { --w: 9px } rect { width: var(--w, 5px) }</style><defs><rect id='r' height='9'/></defs><use id='a' href='#r'/>";
    assert_painted(used, "0 0 9 9");
    let nested = "<defs><g id='g' font-size='2em'><rect width='1em' height='9'/></g><use id='h' href='#g' x='5'/></defs><use id='a' href='#h' font-size='10' y='3'/>";
    assert_painted(nested, "5 3 25 12");
    let clip = "<defs><rect id='r' width='1em' height='9'/></defs><clipPath id='c'><use href='#r' x='2' font-size='5'/></clipPath><rect id='a' width='90' height='90' clip-path='url(#c)'/>";
    assert_painted(clip, "2 0 7 9");
    let line = "<defs><path id='p' d='M10 20H30' stroke='context-fill' stroke-width='4'/></defs><use id='a' href='#p' fill='$'/>";
    assert_each(line, &[("red", "10 18 30 22"), ("none", "")]);
}

#[test]
fn non_scaling_strokes_inherit_from_a_use() {
    let case = |path: &str, of_use: &str, right: f32, [top, bottom]: [f32; 2]| {
        let path = format!(
            "<path id='p' d='M0 30H40L0 50' fill='none' {path} vector-effect='non-scaling-stroke'/>"
        );
        let all = format!("<defs>{path}</defs><use id='a' href='#p' stroke='red' {of_use}/>");
        assert_painted(&all, &format!("0 {top} {right} {bottom}"));
    };
    let miter = |width: f32| 40.0 + width / 2.0 / (0.5 * 0.5_f32.atan()).tan();
    case("", "stroke-width='8' stroke-miterlimit='9'", miter(8.0), [26.0, 53.5777]);
    let narrow = "stroke-width='8' stroke-miterlimit='9'";
    case("stroke-width='4'", narrow, miter(4.0), [28.0, 51.7889]);
    case("", "stroke-width='4' stroke-miterlimit='1'", 40.8944, [28.0, 51.7889]);
}

#[test]
fn non_scaling_strokes_include_transforms_about_boxes() {
    let moves = "transform-box:fill-box;transform-origin:0 0;transform:scale(4,2)";
    let line = "<path d='M5 10H15M5 20H15' stroke='red' stroke-width='4' vector-effect='non-scaling-stroke'/>";
    // The box of the group is 5..15 by 10..20.
    assert_painted(&format!("<g id='a' style='{moves}'>{line}</g>"), "5 8 45 32");
}

#[test]
fn missing_paints_fall_back_as_in_browsers() {
    let paints = [
        ("fill='url(#g) red'", ""),
        ("fill='url(#h) red'", ""),
        ("fill='url(#p) red'", "0 0 10 10"),
        ("fill='url(#q) red'", "0 0 10 10"),
        ("style='filter:opacity(0)'", ""),
        ("style='filter:opacity(0%) blur(2px)'", ""),
        ("style='filter:drop-shadow(1px 1px red) opacity(0)'", ""),
    ];
    let shape = "<linearGradient id='g'/><linearGradient id='h' href='#g'/><pattern id='p' width='0' height='1'/><rect id='a' BOX $/>";
    assert_each(shape, &paints);
    let line =
        "<path id='a' d='M10 10L50 50' stroke='red' stroke-width='2' stroke-dasharray='1e-3 99'/>";
    let found = painted(&read(line).unwrap(), "a").expect("a dash");
    assert!(found.x1 < 12.0, "the fill of a line is nothing: {found:?}");
}

#[test]
fn numbers_with_a_trailing_dot_are_invalid() {
    let shapes = "<polygon id='a' points='0,0 9.,0 9,9'/><path id='b' d='M0 0H9V9.'/><path id='c' d='M0 0H9V8Z M1. 9'/>";
    assert_painted(shapes, "a, b, c 0 0 9 8");
}

#[test]
fn fonts_are_measured_at_their_page_size() {
    let text =
        "<text>A<tspan id='a' style='font:13px DejaVu Sans;baseline-shift:sub'>H</tspan></text>";
    for (scale, shift) in [(1, 8.), (2, 15.)] {
        let drawing = read(&format!("<g transform='scale({scale})'>{text}</g>")).unwrap();
        let found = painted(&drawing, "a").map(|found| found.y1);
        assert_eq!(found, Some(shift), "{scale}: {:?}", drawing.scene.notes);
    }
}

#[test]
fn font_names_are_substituted_as_on_linux() {
    let mut system = Database::new();
    system.load_system_fonts();
    let mut fonts = Database::new();
    for (own, name) in [
        ("DejaVu Sans", "Liberation Sans"),
        ("DejaVu Serif", "Liberation Serif"),
        ("DejaVu Sans Mono", "Liberation Mono"),
        ("DejaVu Serif", "DejaVu Sans"),
    ] {
        let query = Query { families: &[Family::Name(own)], ..Query::default() };
        let mut face = system
            .query(&query)
            .and_then(|id| system.face(id))
            .cloned()
            .expect("apt-get install fonts-dejavu-core");
        face.families[0].0 = name.to_owned();
        fonts.push_face_info(face);
    }
    let fonts = Arc::new(fonts);
    let width = |family: &str| {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><text id='a' y='50' font-family='{family}'>Wi</text></svg>"
        );
        let mut options = Options::default().system_fonts(false);
        options.fonts = Some(Arc::clone(&fonts));
        let drawing = encode(text.as_bytes(), &options).unwrap();
        assert!(drawing.scene.notes.is_empty(), "{family}: {:?}", drawing.scene.notes);
        painted(&drawing, "a")
    };
    for (name, other) in [
        ("helvetica", "Liberation Sans"),
        ("Times", "Liberation Serif"),
        ("Courier New", "Liberation Mono"),
        ("Nothing, Sans, serif", "DejaVu Sans"),
    ] {
        assert_eq!(width(name), width(other), "{name}");
    }
    assert_ne!(width("helvetica"), width("Times"));
    assert_ne!(width("Times"), width("Courier New"));
}

#[test]
fn monospace_text_without_a_size_is_smaller() {
    for (outer, inner, expected) in [
        ("", "font-family='monospace'", 13.),
        ("font-family='monospace'", "", 13.),
        ("font-family='monospace'", "font-family='serif'", 16.),
        ("font-family='monospace'", "style='font-size:large'", 16.),
        ("font-size='20'", "font-family='monospace'", 20.),
        ("", "style='font:medium monospace, serif'", 16.),
        ("", "style='font-size:20px;font-size:bogus;font-family:monospace'", 20.),
        ("", "style='font-size:20px;font-size:initial;font-family:monospace'", 13.),
        ("style='font:x-large monospace'", "font-family='serif'", 24.),
        ("font-size='larger'", "font-family='monospace'", 15.6),
        ("font-family='serif bold'", "style='font-size:10px;font:20px serif bold'", 10.),
    ] {
        let rect = "<rect id='a' width='1em' height='1em'/>";
        let inside = format!("<g {outer}><g {inner}>{rect}</g></g>");
        assert_painted(&inside, &format!("0 0 {expected} {expected}"));
    }
}
