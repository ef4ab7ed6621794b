//! Pages, SVG images and what `use` elements show, as browsers read them.

use super::browsers::{BOX, NONE, assert_boxes, painted, read};
use super::{file, near};
use treebounds_core::Rect;

#[test]
fn a_root_without_a_size_is_noted() {
    let root = |attributes: &str| {
        let inside = format!("<rect id='a' {BOX}/>");
        read(&format!("<svg xmlns='http://www.w3.org/2000/svg' {attributes}>{inside}</svg>"))
    };
    for (attributes, size, noted) in [
        ("viewBox='0 0 50 20'", (50., 20.), ""),
        ("width='100' viewBox='0 0 50 20'", (100., 40.), ""),
        ("height='40' viewBox='0 0 50 20'", (100., 40.), ""),
        ("width='100%' height='100%' viewBox='0 0 50 20'", (50., 20.), ""),
        ("width='50%' viewBox='0 0 50 20'", (50., 20.), "width of svg: a part of a window"),
        ("", (10., 10.), "width of svg: left to the window"),
        ("width='40'", (10., 10.), "height of svg: left to the window"),
        ("style='width:auto' width='40' height='9'", (10., 10.), "width of svg: left"),
        ("width='40' height='30' style='max-width:9px'", (40., 30.), "max-width of svg"),
        ("width='40' height='30' display='none'", (40., 30.), ""),
        ("width='40' height='30' viewBox='0 0 9 9px'", (40., 30.), ""),
    ] {
        let drawing = root(attributes);
        assert_eq!((drawing.scene.width, drawing.scene.height), size, "{attributes}");
        let notes = drawing.scene.notes.join("; ");
        assert!(if noted.is_empty() { notes.is_empty() } else { notes.contains(noted) }, "{notes}");
        assert!(painted(&drawing, "a").is_some(), "{attributes}");
    }
}

#[test]
fn svg_images_fill_their_elements_by_their_own_view_boxes() {
    let image = |root: &str, attributes: &str| {
        let inner = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' {root}><rect width='100%' height='100%'/></svg>"
        );
        let inner: String = inner.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let href = format!("data:image/svg+xml,{inner}");
        let drawing = read(&file(&format!("<image id='a' {attributes} href='{href}'/>")));
        let found = painted(&drawing, "a").expect("a painted image");
        (found, drawing.scene.notes.join("; "))
    };
    let wide = "width='80' height='40'";
    for (root, attributes, expected) in [
        ("width='20' height='20'", wide, [0., 0., 80., 40.]),
        ("viewBox='0 0 20 20'", wide, [20., 0., 60., 40.]),
        ("width='20' height='20' viewBox='0 0 40 20'", wide, [0., 0., 80., 40.]),
        (
            "viewBox='0 0 20 20' preserveAspectRatio='xMinYMin'",
            "width='80' height='40' preserveAspectRatio='xMaxYMax slice'",
            [0., 0., 40., 40.],
        ),
        (
            "viewBox='0 0 20 20'",
            "width='80' height='40' preserveAspectRatio='none'",
            [0., 0., 80., 40.],
        ),
        ("width='20' height='10'", "", [0., 0., 20., 10.]),
    ] {
        let (found, notes) = image(root, attributes);
        let [x0, y0, x1, y1] = expected;
        assert!(near(found, Rect::new(x0, y0, x1, y1)), "{root}: {found:?}");
        assert_eq!(notes, "");
    }
    assert!(image("width='20'", wide).1.contains("href of #a"));
}

#[test]
fn selectors_do_not_look_out_of_what_a_use_shows() {
    let sheet = "<style>defs rect, defs > g { display: none } g rect { stroke: red; stroke-width: 4 }</style>";
    let all = format!(
        "{sheet}<defs><rect id='r' {BOX}/><g id='g'><rect {BOX}/></g></defs>\
         <use id='a' href='#r' x='20' y='20'/><use id='b' href='#g' x='50' y='20'/>"
    );
    assert_boxes(&all, &[("a", &[20., 20., 30., 30.]), ("b", &[48., 18., 62., 32.])]);
    let used = "<style>use { --w: 9px } rect { width: var(--w, 5px) }</style><defs><rect id='r' height='9'/></defs><use href='#r'/>";
    assert!(
        read(&file(used)).scene.notes.join("").contains("width of #r: read as in the definition")
    );
}

#[test]
fn paints_that_are_not_there_are_those_of_browsers() {
    let definitions = "<linearGradient id='g'/><linearGradient id='h' href='#g'/><pattern id='p' width='0' height='1'/>";
    for (paint, is_painted) in [
        ("url(#g) red", false),
        ("url(#h) red", false),
        ("url(#p) red", true),
        ("url(#q) red", true),
    ] {
        let shape = format!("{definitions}<rect id='a' {BOX} fill='{paint}'/>");
        assert_boxes(&shape, &[("a", if is_painted { &[0., 0., 10., 10.] } else { NONE })]);
    }
    for filter in ["opacity(0)", "opacity(0%) blur(2px)", "drop-shadow(1px 1px red) opacity(0)"] {
        assert_boxes(&format!("<rect id='a' {BOX} style='filter:{filter}'/>"), &[("a", NONE)]);
    }
    let line =
        "<path id='a' d='M10 10L50 50' stroke='red' stroke-width='2' stroke-dasharray='1e-3 99'/>";
    let found = painted(&read(&file(line)), "a").expect("a dash");
    assert!(found.x1 < 12.0, "the fill of a line is nothing: {found:?}");
}

#[test]
fn numbers_that_end_in_a_dot_are_none() {
    assert_boxes(
        "<polygon id='a' points='0,0 9.,0 9,9'/><path id='b' d='M0 0H9V9.'/><path id='c' d='M0 0H9V8Z M1. 9'/>",
        &[("a", NONE), ("b", NONE), ("c", &[0., 0., 9., 8.])],
    );
}

#[test]
fn monospace_text_is_smaller_unless_it_has_a_size() {
    for (outer, inner, expected) in [
        ("", "font-family='monospace'", 13.),
        ("font-family='monospace'", "", 13.),
        ("font-family='monospace'", "font-family='serif'", 16.),
        ("font-family='monospace'", "style='font-size:large'", 16.),
        ("font-size='20'", "font-family='monospace'", 20.),
        ("", "style='font:medium monospace, serif'", 16.),
        ("font-family='serif bold'", "style='font-size:10px;font:20px serif bold'", 10.),
    ] {
        let inside =
            format!("<g {outer}><g {inner}><rect id='a' width='1em' height='1em'/></g></g>");
        assert_boxes(&inside, &[("a", &[0., 0., expected, expected])]);
    }
}
