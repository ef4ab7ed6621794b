//! Style sheets and values as browsers read them: one small file for each way in which usvg alone differs.

use super::{file, near};
use crate::svg::{Drawing, Media, Options, encode};
use treebounds_core::{Rect, reference};
use treebounds_report::Document;

pub(super) fn read(text: &str) -> Drawing {
    encode(text.as_bytes(), &Options::default()).expect("a good file")
}

/// The union of what is painted of an object and of everything inside of it.
pub(super) fn painted(drawing: &Drawing, id: &str) -> Option<Rect> {
    let Document { objects, sources, .. } = &drawing.document;
    let object = objects.iter().position(|one| one.id.as_deref() == Some(id)).expect("the id");
    let is_inside = |mut at: u32| loop {
        match objects.get(at as usize) {
            Some(_) if at as usize == object => return true,
            Some(one) => at = one.parent,
            None => return false,
        }
    };
    let bounds = reference::bounds(&drawing.scene.stream);
    let boxes = reference::landings(&drawing.scene.stream, &bounds);
    let tags = drawing.scene.stream.tags();
    let draws = (0..boxes.len()).filter(|at| tags[*at] == treebounds_core::Tag::DRAW);
    let own = draws.filter(|at| is_inside(sources[*at])).map(|at| boxes[at]);
    own.filter(|one| !one.is_empty()).reduce(|a, b| a.union(b))
}

/// Expects these boxes; one without edges is nothing.
#[track_caller]
pub(super) fn assert_boxes(inside: &str, expected: &[(&str, &[f32])]) {
    let drawing = read(&file(inside));
    for (id, edges) in expected {
        match (painted(&drawing, id), *edges) {
            (None, []) => {}
            (Some(found), [x0, y0, x1, y1]) if near(found, Rect::new(*x0, *y0, *x1, *y1)) => {}
            (found, _) => panic!("{id}: {found:?} is not {edges:?} in {inside}"),
        }
    }
}

pub(super) const BOX: &str = "width='10' height='10'";
pub(super) const NONE: &[f32] = &[];

#[test]
fn the_cascade_is_that_of_css() {
    let case = |sheet: &str, more: &str, is_shown: bool| {
        let inside =
            format!("<style>{sheet}</style><g><path/><rect id='a' class='c' {BOX} {more}/></g>");
        let edges: &[f32] = if is_shown { &[0., 0., 10., 10.] } else { NONE };
        assert_boxes(&inside, &[("a", edges)]);
    };
    case("rect{display:none}", "", false);
    case("rect{display:none}", "style='display:inline'", true);
    case("rect{display:none!important}", "style='display:inline'", false);
    case("#a{display:inline}.c{display:none}", "", true);
    case("g>rect:not(.d):nth-child(2){display:none}", "", false);
    case(":is(.c,.e):where(rect){DISPLAY:NONE}", "", false);
    case("path+rect:last-child{display:none}", "", false);
    case("[id^='a']{display:none}", "", false);
    case("rect{display:none;display:bogus}", "", false);
    case("rect{;display:none}", "", false);
    case("g{&amp; rect{display:none}}", "", false);
    case("@media print{rect{display:none}}", "", true);
    case("@media (prefers-color-scheme:dark){rect{display:none}}", "", true);
    case("@media screen and (max-width:200px){rect{display:none}}", "", false);
    case(
        "@media (width >= 100px) and (50px &lt; height &lt; 200px){rect{display:none}}",
        "",
        false,
    );
    case("@media (width > 100px){rect{display:none}}", "", true);
    case("@layer x{#a{display:none}}rect{display:inline}", "", true);
    case("rect::before,rect:hover{display:none}", "", true);
    case("rect,::bogus{display:none}", "", true);
    case("rect:not(:enabled){display:none}", "", false);
    case(":root{--d:none}rect{display:var(--d)}", "", false);
    case("rect{display:var(--e, none)}", "", false);
    case("a{--a:var(--b);--b:var(--a)}rect{display:var(--a)}", "", true);
}

#[test]
fn sheets_are_read_for_the_medium_that_is_asked_for() {
    let sheet = "<style>@media print{#a{display:none}}@media (prefers-color-scheme:dark){#b{display:none}}#c{color-scheme:light dark;fill:light-dark(transparent,red)}</style>";
    let all = ["a", "b", "c"].map(|id| format!("<rect id='{id}' {BOX}/>")).concat();
    for (print, dark) in [(false, false), (true, false), (false, true)] {
        let options = Options::default().media(Media { print, dark });
        let drawing = encode(file(&format!("{sheet}{all}")).as_bytes(), &options).unwrap();
        let shown = ["a", "b", "c"].map(|id| painted(&drawing, id).is_some());
        assert_eq!(shown, [!print, !dark, dark]);
    }
}

#[test]
fn colours_paint_as_in_browsers() {
    for paint in [
        "light-dark(red, blue)",
        "rebeccapurple",
        "rgb(0 0 255 / 50%)",
        "rgba(255,0,0,50%)",
        "hsl(0.5turn 100% 31%)",
        "hsl(180, 100%, 31.5%)",
        "oklch(60% 0.2 200)",
        "color(display-p3 1 0 0)",
        "color-mix(in srgb, red, blue 20%)",
        "CanvasText",
        "currentcolor",
        "url(#nothing) red",
        "RED",
        "lab(50% 40 40)",
        "hwb(120 0% 0%)",
        "grey",
        "rgb(1/**/2/**/3)",
    ] {
        assert_boxes(
            &format!("<path id='a' d='M20 20H40' stroke='{paint}' stroke-width='10'/>"),
            &[("a", &[20., 15., 40., 25.])],
        );
    }
    for paint in [
        "none",
        "NONE",
        "transparent",
        "url(#nothing)",
        "bogus",
        "rgb(0 0 0 / 0)",
        "light-dark(red, none)",
        "rgb(from transparent r g b)",
        "rgb(from red r, g, b)",
        "color-mix(in srgb longer hue, red, blue)",
        "url(#nothing) url(#nothing)",
    ] {
        assert_boxes(
            &format!("<path id='a' d='M20 20H40' stroke='{paint}' stroke-width='10'/>"),
            &[("a", NONE)],
        );
    }
}

#[test]
fn lengths_have_all_units() {
    let cases = [
        ("2em", 32.),
        ("2rem", 32.),
        ("20PX", 20.),
        (" 20 ", 20.),
        ("1in", 96.),
        ("40q", 37.795_277),
        ("10vw", 10.),
        ("calc(50% - 20px)", 30.),
        ("min(3rem, 40px)", 40.),
        ("clamp(1px, 30px, 20px)", 20.),
        ("calc(2 * (3px + 4px))", 14.),
    ];
    for (width, expected) in cases {
        assert_boxes(
            &format!("<rect id='a' width='{width}' height='5'/>"),
            &[("a", &[0., 0., expected, 5.])],
        );
        assert_boxes(
            &format!("<rect id='a' height='5' style='width:{width}'/>")
                .replace("width: 20 ", "width:20px"),
            &[("a", &[0., 0., expected, 5.])],
        );
    }
    assert_boxes(
        "<g font-size='10' style='line-height: .5'><rect id='a' width='2em' height='1lh'/></g>",
        &[("a", &[0., 0., 20., 5.])],
    );
    let root = "<svg xmlns='http://www.w3.org/2000/svg' width='1em' height='2rem'/>";
    assert_eq!((read(root).scene.width, read(root).scene.height), (16.0, 32.0));
}

/// What usvg does not know is lost without a word in its tree.
#[test]
fn conditions_are_answered_as_in_browsers() {
    let holds = [
        "@media (min-width: 50px) and (orientation: portrait)",
        "@media print, (width <= 200px)",
        "@media not print",
        "@supports (fill: lab(50% 40 40)) and (not (fill: bogus(1)))",
        "@supports (--x: 1)",
        "@layer a",
    ];
    let fails = [
        "@media (bogus)",
        "@media not (bogus)",
        "@media (min-width: 50)",
        "@supports (transform: bogus(1))",
        "@supports not (display: grid)",
        "@supports (width: 5)",
    ];
    for (rules, is_met) in [(&holds[..], true), (&fails, false)] {
        for rule in rules {
            let inside =
                format!("<style>{rule} {{ rect {{ width: 9px }} }}</style><rect id='a' {BOX}/>")
                    .replace("<=", "&lt;=");
            let width = if is_met { 9. } else { 10. };
            let edges: &[f32] = if width > 0. { &[0., 0., width, 10.] } else { NONE };
            assert_boxes(&inside, &[("a", edges)]);
        }
    }
    let notes =
        read(&file("<style>@supports (bogus: 1) { rect { fill: red } }</style>")).scene.notes;
    assert!(notes.join("").contains("@supports (bogus: 1) of svg: not understood"), "{notes:?}");
}

#[test]
fn rules_are_sorted_by_layers_and_order() {
    let cases = [
        ("@layer a { rect { width: 5px } } rect { width: 6px }", 6.),
        ("rect { width: 6px !important } @layer a { rect { width: 5px !important } }", 5.),
        ("@layer a { @layer b { rect { width: 5px } } rect { width: 6px } }", 6.),
        ("rect { width: 5px; &amp; { width: 6px } width: 7px }", 7.),
        ("rect { --w: initial; width: var(--w, 6px) }", 6.),
        ("g { --u: 2px; --w: calc(var(--u) * 3) } rect { --u: 9px; width: var(--w) }", 6.),
        ("rect { width: calc(2px - 9px); min-width: 0 }", 0.),
        ("rect:lang(en) { width: 6px }", 6.),
    ];
    for (sheet, width) in cases {
        let inside = format!("<style>{sheet}</style><g lang='en'><rect id='a' {BOX}/></g>");
        let edges: &[f32] = if width > 0. { &[0., 0., width, 10.] } else { NONE };
        assert_boxes(&inside, &[("a", edges)]);
    }
}

#[test]
fn the_current_colour_is_known() {
    let inside = "<g color='transparent'>
        <path id='a' d='M20 20H40' stroke='color-mix(in srgb, currentcolor, transparent)'/>
        <path id='b' d='M20 20H40' color='currentcolor' stroke='currentcolor'/>
        <path id='c' d='M20 20H40' color='red' stroke='currentcolor' stroke-width='10'/></g>";
    assert_boxes(inside, &[("a", NONE), ("b", NONE), ("c", &[20., 15., 40., 25.])]);
}

#[test]
fn broken_styles_are_read_as_in_browsers() {
    let cases = [
        ("}width: 5px; height: 6px", [10., 6.]),
        ("width: 5px} height: 6px; height: 7px", [10., 7.]),
        ("--w: 6px; --w: revert-layer; width: var(--w, 7px)", [7., 10.]),
        ("--w: 5; width: var(--w)px", [0., 0.]),
        ("width: 5px\u{a0}; height: 6px", [10., 6.]),
        ("width: 3px; width: var(w, 4px)", [3., 10.]),
        ("width: calc(1px+ 2px); width: calc(1px + 1px)", [2., 10.]),
        ("d: M0 0H9; width: 6; height: calc(6)", [6., 10.]),
        ("width: 3px; width: var(--w 4px)", [3., 10.]),
        ("width: 3px; width: var(--w, 4px", [4., 10.]),
        ("width: calc(5px + env(safe-area-inset-top, 9px))", [5., 10.]),
        ("font: 2px/1 serif; width: 2em; height: 1lh", [4., 2.]),
        ("font: 2px/-1 serif; width: 1em", [16., 10.]),
        ("width: max-content", [0., 0.]),
        ("font: 1em monospace; width: 1em", [13., 10.]),
        ("font: 1rem monospace; width: 1em", [16., 10.]),
    ];
    for (style, [width, height]) in cases {
        let edges: &[f32] = if width > 0. { &[0., 0., width, height] } else { NONE };
        assert_boxes(&format!("<rect id='a' {BOX} style='{style}'/>"), &[("a", edges)]);
    }
    let sheet = "<style>rect { width: 6; x: 5 }</style>";
    assert_boxes(&format!("{sheet}<rect id='a' {BOX}/>"), &[("a", &[5., 0., 15., 10.])]);
    let origin = "style='transform: scale(-1); transform-origin: var(--none)'";
    assert_boxes(&format!("<rect id='a' {BOX} {origin}/>"), &[("a", &[90., 90., 100., 100.])]);
    let titles = "<style title='x'>rect { x: 5px }</style><style title='y'>rect { y: 5px }</style>";
    assert_boxes(&format!("{titles}<rect id='a' {BOX}/>"), &[("a", &[5., 0., 15., 10.])]);
    for first in ["<style/>", "<bogus/>", "<title/>"] {
        let choice = format!("<switch>{first}<rect id='a' {BOX}/></switch>");
        assert_boxes(&choice, &[("a", NONE)]);
    }
    let filter = "<filter id='f'><feOffset dx='5'/></filter><rect id='a' width='9' height='9' style='filter:url(\"#f\")drop-shadow(2px 2px)'/>";
    assert_boxes(filter, &[("a", &[5., 0., 12., 11.])]);
    let attributes = "<ellipse id='a' cx='50' cy='50' rx='bogus' ry='9'/>";
    assert_boxes(attributes, &[("a", NONE)]);
}

#[test]
fn texts_have_the_attributes_of_browsers() {
    let start = |text: &str, more: &str| {
        let inside = format!(
            "<g xml:space='preserve' font-family='DejaVu Sans' font-size='20'><text id='a' y='50' {more}>{text}</text></g>"
        );
        painted(&read(&file(&inside)), "a").map(|found| found.x0.round()..found.x1.round())
    };
    let plain = start("HH", "");
    assert_eq!(start("  HH", ""), plain);
    assert_ne!(start("  HH", "xml:space='preserve'"), plain);
    assert_eq!(start("  HH", "xml:space='preserve' style='white-space:inherit'"), plain);
    assert_eq!(start("HH", "x=' 20'"), plain);
    assert_ne!(start("HH", "x='20 '"), plain);
    assert_eq!(start("hh", "text-transform='uppercase'"), start("hh", ""));
    assert_eq!(start("hh", "style='text-transform:uppercase'"), plain);
    assert_eq!(start("it's", "style='text-transform:capitalize'"), start("It's", ""));
    assert_eq!(start("HH", "style='font-family:\"X\", \"Sans\"'"), plain);
    let lighter = "<tspan font-weight='lighter'>HH</tspan>";
    assert_eq!(start(lighter, "font-weight='bold'"), plain);
    assert_ne!(start("HH", "font-weight='bold'"), plain);
    assert_eq!(start("HH", "font-stretch='narrower'"), plain);
    assert_eq!(start("HH", "font-stretch='75%'"), start("HH", "font-stretch='condensed'"));
    assert_eq!(start("HH", "dx='calc(3px + 3px)'"), plain);
    assert_eq!(start("HH", "style='letter-spacing:calc(3 * 2)'"), plain);
}

#[test]
fn functions_of_transforms_need_units_in_css_alone() {
    let cases = [
        ("style='transform: translate(5px, 3px)'", [5., 3., 15., 13.]),
        ("style='transform: translate(5, 3)'", [0., 0., 10., 10.]),
        ("transform='translate(5 3)'", [5., 3., 15., 13.]),
        ("transform='translate(5px, 3px)'", [0., 0., 10., 10.]),
        ("transform='translate(5. 3)'", [0., 0., 10., 10.]),
        (
            "style='transform: rotate3d(0, 0, 1, 180deg); transform-origin: 5px 4px'",
            [0., 0., 10., 8.],
        ),
        ("style='transform: rotateX(60deg)'", [0., 0., 10., 5.]),
        ("style='scale: 2 3'", [0., 0., 20., 30.]),
        ("style='translate: 5px, 3px'", [0., 0., 10., 10.]),
    ];
    for (transform, expected) in cases {
        assert_boxes(&format!("<rect id='a' {BOX} {transform}/>"), &[("a", &expected)]);
    }
}

#[test]
fn hostile_style_sheets_end() {
    let deep = |open: &str, close: &str| {
        format!("<style>{}{}</style>", open.repeat(20_000), close.repeat(20_000))
    };
    read(&file(&deep("a{", "}")));
    read(&file(&deep(":is(", ")")));
    let mut bomb = "<rect width='9' height='9' style='--a0:1px".to_owned();
    for at in 1..60 {
        bomb += &format!(";--a{at}:var(--a{0}) var(--a{0})", at - 1);
    }
    read(&file(&(bomb + ";stroke-dasharray:var(--a59)'/>")));
    let calc = format!("<rect height='9' width='{}1{}'/>", "calc(".repeat(9000), ")".repeat(9000));
    read(&file(&calc));
    let mix =
        format!("<rect {BOX} fill='{}red{}'/>", "light-dark(".repeat(9000), ",red)".repeat(9000));
    read(&file(&mix));
}
