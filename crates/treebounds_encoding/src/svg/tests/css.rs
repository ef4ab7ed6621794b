//! CSS that usvg does not read. It is rewritten, or listed in the notes.

use super::{assert_each, assert_notes, assert_painted, draws, read};
use treebounds_core::Rect;

#[test]
fn css_transforms_move_boxes() {
    let both = "<rect id='a' BOX transform='translate(90)'/></g>";
    let sheet = "<style>/* a */ #a{fill:red;transform:scale(3)} g { transform : translateX(5px) !important }</style>";
    assert_painted(&format!("{sheet}<g style='transform:none'>{both}"), "5 0 35 30");
    let styles = [
        ("style='transform: translate(20px, .5in)'", "20 48 30 58"),
        ("style='transform:rotate(90deg);transform-origin:10px 10px'", "10 0 20 10"),
        ("style='translate: 50% 5px; scale: 200%'", "50 5 70 25"),
        ("transform='translate(7)' style='transform: none'", "0 0 10 10"),
        ("transform='translate(7)' style='scale: 2'", "14 0 34 20"),
        // CSS functions require units, and attributes forbid them.
        ("style='transform: translate(5px, 3px)'", "5 3 15 13"),
        ("style='transform: translate(5, 3)'", "0 0 10 10"),
        ("transform='translate(5 3)'", "5 3 15 13"),
        ("transform='translate(5px, 3px)'", "0 0 10 10"),
        ("transform='translate(5. 3)'", "0 0 10 10"),
        ("style='transform: rotateX(60deg)'", "0 0 10 5"),
        ("style='scale: 2 3'", "0 0 20 30"),
        ("style='translate: 5px, 3px'", "0 0 10 10"),
    ];
    assert_each("<rect id='a' BOX $/>", &styles);
}

#[test]
fn transforms_about_a_box_use_its_size() {
    // A path counts up to its first error.
    let moved = "style='transform-box:fill-box;transform-origin:center;transform:scale(0.5)'";
    let path = format!("<path id='a' d='M20 20h30v30h-30z L' {moved}/>");
    assert_painted(&path, "27.5 27.5 42.5 42.5");
    let turned = "style='transform-box:fill-box;transform-origin:center;transform:scale(2)'";
    let shape = format!("x='20' y='20' width='10' height='10' {turned}");
    assert_painted(&format!("<rect id='a' {shape}/>"), "15 15 35 35");
    let nested = "<rect id='a' x='35' y='20' width='5' height='5'/>";
    // The box of the group is 15..40 by 15..35, with the centre (27.5, 25).
    assert_painted(&format!("<g {turned}><rect {shape}/>{nested}</g>"), "42.5 15 52.5 25");
    let text = format!("<text x='20' y='50' font-family='DejaVu Sans' {turned}>x</text>");
    assert_notes(&text, &[]);
}

#[test]
fn non_scaling_strokes_keep_their_width() {
    let line =
        "<g transform='scale(4)'><path id='a' d='M5 5H15' stroke='red' stroke-width='2' $/></g>";
    let effects = [
        ("", "20 16 60 24"),
        ("vector-effect='non-scaling-stroke'", "20 19 60 21"),
        ("style='vector-effect:non-scaling-stroke'", "20 19 60 21"),
    ];
    assert_each(line, &effects);
    let uneven = "<path id='a' transform='scale(8 2)' d='M5 5V15' stroke='red' stroke-width='4' vector-effect='non-scaling-stroke'/>";
    assert_painted(uneven, "38 10 42 30");
    let used = "<defs><g id='d'><path d='M5 5H15' stroke='red' vector-effect='non-scaling-stroke'/></g></defs><use href='#d'/>";
    assert_notes(used, &[]);
}

#[test]
fn css_sizes_apply() {
    let sheet =
        "<style>rect { width: 20px; height: 10px; x: 5px } path { d: path('M1 2H9V8z') }</style>$";
    let shapes = [
        ("<rect id='a' width='99'/>", "5 0 25 10"),
        ("<path id='a'/>", "1 2 9 8"),
        ("<circle id='a' style='r:5px;cx:10px;cy:50%'/>", "5 45 15 55"),
    ];
    assert_each(sheet, &shapes);
}

#[test]
fn notes_list_all_ignored_properties() {
    let inside = "<style>@container (width > 9px) { rect { fill: red } } .spin { animation: spin 2s infinite }</style>
        <foreignObject id='f' width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>
        <g><foreignObject width='9' height='9'/></g>
        <rect id='r' width='9' height='9' class='spin'><animate attributeName='x' to='9'/></rect>
        <rect id='s' width='9' height='9' style='clip-path: shape(from 0 0)'/>
        <rect id='t' width='9' height='9' style='transform: perspective(40px)'/>
        <rect id='u' width='9' height='9' style='clip-path: none; transform: none'/>
        <rect id='w' width='9' height='9' style='transform: rotateX(9deg) rotateY(9deg)'/>
        <rect id='x' width='9' height='9' style='fill: rgb(from red r g b)'/>
        <rect id='y' width='9' height='9' style='width: calc(9px * sin(30deg))'/>
        <rect id='z' width='9' height='9' style='clip-path: xywh(0 0 9px 9px)'/>
        <use id='v' href='other.svg#x'/>";
    let notes = [
        "@container of svg: its rules are left out",
        "foreignObject of #f, svg/g[1]/foreignObject[1]: not painted",
        "animation of #r: left out",
        "animate of svg/rect[1]/animate[1]: left out",
        "clip-path of #s, #z: left out; it cuts nothing",
        "transform of #t, #w: not understood; the value is left out",
        "fill of #x: not understood; the value is left out",
        "width of #y: not understood; the value is left out",
        "use of #v: links to other files",
    ];
    let drawing = assert_notes(inside, &notes);
    assert!(!drawing.scene.notes.concat().contains("#u"), "{:?}", drawing.scene.notes);
    let found = drawing.document.ignored.iter().find(|one| one.what.starts_with("transform"));
    assert_eq!(found.map(|one| &*one.what), Some("transform: perspective(40px)"));
    assert_notes("<rect width='9' height='9'/>", &[]);
}

#[test]
fn svg_images_are_rewritten_with_notes() {
    let image = "%3Csvg xmlns='http://www.w3.org/2000/svg' width='50' height='50'%3E%3Crect width='5' height='5' style='transform:scale(2)'/%3E%3CforeignObject id='q'/%3E%3C/svg%3E";
    let image = format!("<image href=\"data:image/svg+xml,{image}\" width='50' height='50'/>");
    let drawing = read(&image).unwrap();
    assert_eq!(draws(&drawing.scene), [Rect::new(0.0, 0.0, 10.0, 10.0)]);
    let note = "in an SVG image, foreignObject of #q of svg/image[1]: not painted; it has no box";
    assert_eq!(drawing.scene.notes, [note]);
}
