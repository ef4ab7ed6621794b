//! CSS that usvg does not read: rewritten for it, or listed in the notes.

use super::{near, read, rect};
use treebounds_core::Rect;

/// The box of the element `a` of a file with this inside.
#[track_caller]
fn assert_box(inside: &str, expected: [f32; 4]) {
    let drawing = read(inside).expect("a good file");
    let [x0, y0, x1, y1] = expected;
    let found = rect(&drawing.scene, "a");
    assert!(near(found, Rect::new(x0, y0, x1, y1)), "{inside}: {found:?} is not {expected:?}");
}

fn notes(inside: &str) -> Vec<String> {
    read(inside).expect("a good file").scene.notes
}

#[test]
fn transforms_of_css_move_boxes() {
    let shape = "width='10' height='10'";
    assert_box(
        &format!("<rect id='a' {shape} style='transform: translate(20px, 1in)'/>"),
        [20., 96., 30., 106.],
    );
    assert_box(
        &format!(
            "<rect id='a' {shape} style='transform:rotate(90deg);transform-origin:10px 10px'/>"
        ),
        [10., 0., 20., 10.],
    );
    assert_box(
        &format!("<rect id='a' {shape} style='translate: 50% 5px; scale: 200%'/>"),
        [50., 5., 70., 25.],
    );
    let sheet = "<style>/* a */ #a{fill:red;transform:scale(3)} g { transform : translateX(5px) !important }</style>";
    let both = format!(
        "{sheet}<g style='transform:none'><rect id='a' {shape} transform='translate(90)'/></g>"
    );
    assert_box(&both, [5., 0., 35., 30.]);
    assert_box(
        &format!("<rect id='a' {shape} transform='translate(7)' style='transform: none'/>"),
        [0., 0., 10., 10.],
    );
    assert_box(
        &format!("<rect id='a' {shape} transform='translate(7)' style='scale: 2'/>"),
        [14., 0., 34., 20.],
    );
}

#[test]
fn transforms_about_a_box_know_the_box() {
    // A path counts up to its first error.
    let moved = "style='transform-box:fill-box;transform-origin:center;transform:scale(0.5)'";
    let path = format!("<path id='a' d='M20 20h30v30h-30z L' {moved}/>");
    assert_box(&path, [27.5, 27.5, 42.5, 42.5]);
    let turned = "transform-box:fill-box;transform-origin:center;transform:scale(2)";
    let shape = "x='20' y='20' width='10' height='10'";
    assert_box(&format!("<rect id='a' {shape} style='{turned}'/>"), [15., 15., 35., 35.]);
    let nested = format!(
        "<g style='{turned}'><rect {shape} style='{turned}'/><rect id='a' x='35' y='20' width='5' height='5'/></g>"
    );
    // The group is 15..40 by 15..35, about (27.5, 25).
    assert_box(&nested, [42.5, 15., 52.5, 25.]);
    let text =
        format!("<text id='a' x='20' y='50' font-family='DejaVu Sans' style='{turned}'>x</text>");
    assert!(read(&text).expect("a good file").scene.notes.is_empty());
}

#[test]
fn strokes_that_do_not_scale_are_as_wide_as_they_say() {
    let line = |more: &str| {
        format!(
            "<g transform='scale(4)'><path id='a' d='M5 5H15' stroke='red' stroke-width='2' {more}/></g>"
        )
    };
    assert_box(&line(""), [20., 16., 60., 24.]);
    assert_box(&line("vector-effect='non-scaling-stroke'"), [20., 19., 60., 21.]);
    assert_box(&line("style='vector-effect:non-scaling-stroke'"), [20., 19., 60., 21.]);
    let uneven = "<path id='a' transform='scale(8 2)' d='M5 5V15' stroke='red' stroke-width='4' vector-effect='non-scaling-stroke'/>";
    let drawing = read(uneven).expect("a good file");
    assert!(near(rect(&drawing.scene, "a"), Rect::new(38.0, 10.0, 42.0, 30.0)));
    let used = "<defs><g id='d'><path d='M5 5H15' stroke='red' vector-effect='non-scaling-stroke'/></g></defs><use href='#d'/>";
    assert!(notes(used).is_empty(), "{:?}", notes(used));
}

#[test]
fn sizes_of_css_are_sizes() {
    let sheet =
        "<style>rect { width: 20px; height: 10px; x: 5px } path { d: path('M1 2H9V8z') }</style>";
    assert_box(&format!("{sheet}<rect id='a' width='99'/>"), [5., 0., 25., 10.]);
    assert_box(&format!("{sheet}<path id='a'/>"), [1., 2., 9., 8.]);
    assert_box("<circle id='a' style='r:5px;cx:10px;cy:50%'/>", [5., 45., 15., 55.]);
}

#[test]
fn notes_list_everything_that_is_left_out() {
    let inside = "<style>@container (width > 9px) { rect { fill: red } } .spin { animation: spin 2s infinite }</style>
        <foreignObject id='f' width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>
        <g><foreignObject width='9' height='9'/></g>
        <rect id='r' width='9' height='9' class='spin'><animate attributeName='x' to='9'/></rect>
        <rect id='s' width='9' height='9' style='clip-path: shape(from 0 0)'/>
        <rect id='t' width='9' height='9' style='transform: perspective(40px)'/>
        <rect id='u' width='9' height='9' style='clip-path: none; transform: none'/>
        <use id='v' href='other.svg#x'/>";
    let drawing = read(inside).expect("a good file");
    let all = drawing.scene.notes.join("\n");
    for words in [
        "@container of svg: its rules are left out",
        "foreignObject of #f, svg/g[1]/foreignObject[1]: not painted",
        "animation of #r: left out",
        "animate of svg/rect[1]/animate[1]: left out",
        "clip-path of #s: left out; it cuts nothing",
        "transform of #t: not understood; the value is left out",
        "use of #v: links to other files",
    ] {
        assert!(all.contains(words), "{words} is not in\n{all}");
    }
    assert!(!all.contains("#u"), "{all}");
    let found = drawing.document.ignored.iter().find(|one| one.what.starts_with("transform"));
    assert_eq!(found.map(|one| &*one.what), Some("transform: perspective(40px)"));
    assert!(notes("<rect width='9' height='9'/>").is_empty());
}

#[test]
fn images_are_rewritten_too() {
    let image = "%3Csvg xmlns='http://www.w3.org/2000/svg' width='50' height='50'%3E%3Crect width='5' height='5' style='transform:scale(2)'/%3E%3CforeignObject id='q'/%3E%3C/svg%3E";
    let drawing =
        read(&format!("<image href=\"data:image/svg+xml,{image}\" width='50' height='50'/>"));
    let drawing = drawing.expect("a good file");
    assert_eq!(super::draws(&drawing.scene), [Rect::new(0.0, 0.0, 10.0, 10.0)]);
    let note = "in an SVG image, foreignObject of #q: not painted; it has no box";
    assert_eq!(drawing.scene.notes, [note]);
}
