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
        ("width='100%' viewBox='0 0 50 20' style='max-width:50px'", (50., 20.), ""),
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
    let empty = "preserveAspectRatio=''";
    let (found, notes) = image(&format!("viewBox='0 0 20 20' {empty}"), &format!("{wide} {empty}"));
    assert!(near(found, Rect::new(20., 0., 60., 40.)) && notes.is_empty(), "{found:?} {notes}");
    assert!(image("width='20'", wide).1.contains("href of #a"));
}

#[test]
fn svg_images_are_measured_wherever_they_are() {
    let link = |text: &str| {
        let text: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("data:image/svg+xml,{text}")
    };
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'";
    let square = link(&format!("{svg} viewBox='0 0 20 20'><rect width='20' height='20'/></svg>"));
    let image = format!(
        "<image width='80' height='40' preserveAspectRatio='xMinYMin slice' href='{square}'/>"
    );
    let outer = link(&format!("{svg} viewBox='0 0 80 40'>{image}</svg>"));
    assert_boxes(
        &format!(
            "<image id='a' width='80' height='40' href='{outer}'/><mask id='m'>{image}</mask>\
             <rect id='b' width='80' height='40' mask='url(#m)'/>"
        ),
        &[("a", &[20., 0., 60., 40.]), ("b", &[20., 0., 60., 40.])],
    );
}

#[test]
fn a_selector_that_looks_out_of_what_a_use_shows_is_noted() {
    let notes = |sheet: &str| {
        let all = format!(
            "<style>{sheet}</style><g class='k'><rect id='r' {BOX}/></g><use id='u' href='#r'/>"
        );
        read(&file(&all)).scene.notes.join("; ")
    };
    assert!(notes(".k rect{stroke:red}").contains("stroke of #u: of a selector"));
    assert_eq!(notes("rect{stroke:red}"), "");
}

#[test]
fn layers_are_reverted_as_a_whole() {
    let shown = |sheet: &str, style: &str, is_shown: bool| {
        let edges: &[f32] = if is_shown { &[0., 0., 10., 10.] } else { NONE };
        let all = format!("<style>{sheet}</style><rect id='a' class='c' {BOX} style='{style}'/>");
        assert_boxes(&all, &[("a", edges)]);
    };
    shown("rect{fill:none}#a{fill:revert-layer}", "", true);
    shown("rect{fill:none}", "fill:red;fill:revert-layer", false);
    shown("@layer x{rect{fill:none}}rect{fill:red}#a{fill:revert-layer}", "", false);
    shown("@layer x{.c{fill:red}rect{fill:none}@layer y{#a{fill:revert-layer}}}", "", true);
}

#[test]
fn words_of_css_have_any_case() {
    let sheet = "<style>G{}#r{width:1EM;height:2eM}CLIPPATH{display:NONE}</style>";
    let inside = format!("{sheet}<defs><rect id='r'/></defs><use href='#r' font-size='9'/>");
    let notes = read(&file(&inside)).scene.notes.join("; ");
    assert!(notes.contains("width of #r: read as in the definition"), "{notes}");
    let text = "<text id='t' x='1eX' y='1CAP' font-size='10' font-family='DejaVu Sans'>A</text>";
    let lower = text.to_lowercase().replace("dejavu sans", "DejaVu Sans").replace(">a<", ">A<");
    assert_eq!(painted(&read(&file(text)), "t"), painted(&read(&file(&lower)), "t"));
}

#[test]
fn texts_that_usvg_sets_in_another_way_are_noted() {
    for (text, note) in [
        ("<text id='a' textLength='90'>A<tspan>B</tspan></text>", "textLength of #a"),
        ("<text id='a' textLength='90' letter-spacing='2'>AB</text>", "textLength of #a"),
        ("<text id='a' direction='rtl'>abc!</text>", "direction of #a"),
        ("<text id='a' writing-mode='sideways-rl'>A</text>", "writing-mode of #a"),
        ("<g id='a' style='mask:url(#m),url(#n)'/>", "mask of #a: left out; it cuts nothing"),
        ("<g id='a' clip-path='url(other.svg#c)'/>", "clip-path of #a: links to other files"),
        ("<switch><foreignObject/><g id='a'/></switch>", "foreignObject of #a: browsers show it"),
    ] {
        let notes = read(&file(text)).scene.notes.join("; ");
        assert!(notes.contains(note), "{text}: {notes}");
    }
    // Inkscape writes the properties of texts into its shapes.
    let shape = "<path style='text-orientation:sideways;inline-size:9px;text-shadow:1px 1px'/>";
    assert!(read(&file(shape)).scene.notes.is_empty());
    let sizes = "<text id='a' y='50' font-size='20' font-family='DejaVu Sans'>\
                 A<tspan font-size='0'>B</tspan><tspan id='b' font-size='9'>C</tspan></text>";
    assert!(painted(&read(&file(sizes)), "b").is_some());
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
fn strokes_that_do_not_scale_do_not_inherit_from_a_use() {
    let noted = |path: &str, of_use: &str| {
        let path =
            format!("<path id='p' d='M0 9H9L0 5' {path} vector-effect='non-scaling-stroke'/>");
        let all =
            format!("<g transform='scale(2)' stroke='red'>{path}</g><use href='#p' {of_use}/>");
        let notes = read(&file(&all)).scene.notes.join("; ");
        ["width", "miterlimit"].map(|name| notes.contains(&format!("stroke-{name} of #p")))
    };
    assert_eq!(noted("", "stroke-width='9'"), [true, false]);
    assert_eq!(noted("stroke-width='5'", "stroke-width='9'"), [false, false]);
    assert_eq!(noted("stroke-width='5'", "stroke-miterlimit='9'"), [false, true]);
    assert_eq!(noted("", "stroke='blue'"), [false, false]);
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
fn fonts_are_measured_in_their_size_on_the_page() {
    let text =
        "<text>A<tspan id='a' style='font:13px DejaVu Sans;baseline-shift:sub'>H</tspan></text>";
    for (scale, shift) in [(1, 8.), (2, 15.)] {
        let drawing = read(&file(&format!("<g transform='scale({scale})'>{text}</g>")));
        let found = painted(&drawing, "a").map(|found| found.y1);
        assert!(!drawing.scene.notes.is_empty() || found == Some(shift), "{scale}: {found:?}");
    }
}

#[test]
fn names_of_fonts_are_replaced_as_on_linux() {
    for (name, other) in [
        ("helvetica", "Liberation Sans"),
        ("Times", "Liberation Serif"),
        ("Courier New", "Liberation Mono"),
        ("Nothing, Sans, serif", "DejaVu Sans"),
    ] {
        let text = format!("<text id='a' y='50' font-family='{name}'>Wi</text>");
        let (named, replaced) = (read(&file(&text)), read(&file(&text.replace(name, other))));
        if replaced.scene.notes.is_empty() {
            assert_eq!(painted(&named, "a"), painted(&replaced, "a"), "{name}");
            assert!(named.scene.notes.is_empty(), "{:?}", named.scene.notes);
        }
    }
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
        ("", "style='font-size:20px;font-size:bogus;font-family:monospace'", 20.),
        ("", "style='font-size:20px;font-size:initial;font-family:monospace'", 13.),
        ("style='font:x-large monospace'", "font-family='serif'", 24.),
        ("font-size='larger'", "font-family='monospace'", 15.6),
        ("font-family='serif bold'", "style='font-size:10px;font:20px serif bold'", 10.),
    ] {
        let inside =
            format!("<g {outer}><g {inner}><rect id='a' width='1em' height='1em'/></g></g>");
        assert_boxes(&inside, &[("a", &[0., 0., expected, expected])]);
    }
}
