//! Shapes, texts and viewports as browsers read them: one small file for each way in which usvg alone differs.

use super::browsers::{BOX, NONE, assert_boxes, painted, read};
use super::file;
use treebounds_core::Rect;
use treebounds_report::Part;

#[test]
fn objects_with_one_id_are_told_apart() {
    let twice = format!(
        "<g id='a'><rect id='x' {BOX}/></g><g id='b'><rect id='x' x='50' {BOX}/></g><use id='c' y='40' href='#x'/>"
    );
    assert_boxes(
        &twice,
        &[("a", &[0., 0., 10., 10.]), ("b", &[50., 0., 60., 10.]), ("c", &[0., 40., 10., 50.])],
    );
}

#[test]
fn markers_belong_to_their_shape() {
    let marker = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='20' markerHeight='20' refX='10' refY='10'><rect width='20' height='20'/></marker>";
    let line = "d='M30 50H70' stroke='red' marker-end='url(#m)'";
    assert_boxes(&format!("{marker}<path id='a' {line}/>"), &[("a", &[30., 40., 80., 60.])]);
    assert_boxes(
        &format!("{marker}<path id='a' {line} paint-order='fill markers stroke'/>"),
        &[("a", &[30., 40., 80., 60.])],
    );
    // A path that is only a move ends there, and starts nowhere.
    for (name, edges) in [("start", NONE), ("mid", NONE), ("end", &[30., 30., 50., 50.])] {
        let inside = format!("{marker}<path id='a' d='M40 40' marker-{name}='url(#m)'/>");
        assert_boxes(&inside, &[("a", edges)]);
    }
    assert_boxes(
        &format!("{marker}<g marker-start='url(#m)'><rect id='a' x='30' {BOX}/></g>"),
        &[("a", &[30., 0., 40., 10.])],
    );
}

#[test]
fn strokes_follow_path_lengths_and_scales() {
    let dashes = "<path id='a' d='M0 50H100' pathLength='10' stroke='red' stroke-width='10' stroke-dasharray='5 20'/>";
    assert_boxes(dashes, &[("a", &[0., 45., 50., 55.])]);
    // Browsers measure a small circle by the chords of its eighths.
    let ring = "<circle id='a' cx='20' cy='20' r='6' fill='none' stroke='red' stroke-width='2' pathLength='100' stroke-dasharray='25 75' stroke-dashoffset='25'/>";
    assert_boxes(ring, &[("a", &[19.1785, 13., 26.9148, 19.2163])]);
    let rounded = "<rect id='a' x='5' y='5' width='70' height='50' rx='20' ry='10' fill='none' stroke='red' stroke-width='4' pathLength='100' stroke-dasharray='10 90'/>";
    assert_boxes(rounded, &[("a", &[24.3745, 3., 46.6264, 7.0045])]);
    let twice = "<path id='a' d='M10 50H50' stroke='red' stroke-width='10' vector-effect='non-scaling-stroke'/><use id='b' href='#a' transform='scale(.5)'/>";
    assert_boxes(twice, &[("a", &[10., 45., 50., 55.]), ("b", &[5., 20., 25., 30.])]);
    assert_boxes(
        "<path id='a' d='M10 50H50' stroke='red' stroke-width='-4'/>",
        &[("a", &[10., 49.5, 50., 50.5])],
    );
}

#[test]
fn points_have_caps_where_their_dashes_begin() {
    let case = |more: &str, expected: &[f32]| {
        let point = "stroke='red' stroke-width='6' stroke-linecap='round'";
        assert_boxes(&format!("<path id='a' {point} {more}/>"), &[("a", expected)]);
    };
    case("d='M40 40h0' stroke-dasharray='4'", &[37., 37., 43., 43.]);
    case("d='M40 40h0' stroke-dasharray='4 8' stroke-dashoffset='5'", NONE);
    case("d='M40 40h0z' stroke-dasharray='4'", NONE);
}

#[test]
fn empty_groups_do_not_count_as_points() {
    let mask = "<mask id='m' maskContentUnits='objectBoundingBox'><rect width='0.5' height='1' fill='white'/></mask>";
    for empty in ["<g/>", "<g><svg/><a/></g>", "<g transform='translate(90 5)' id='e'></g>"] {
        let inside = format!("<rect x='60' y='30' width='30' height='30'/>{empty}");
        let group = format!("{mask}<g id='a' mask='url(#m)'>{inside}</g>");
        assert_boxes(&group, &[("a", &[60., 30., 75., 60.])]);
    }
}

#[test]
fn percentages_are_of_the_viewport_around_them() {
    let symbol = "<symbol id='s' viewBox='0 0 20 20'><svg viewBox='0 0 4 4'><rect width='4' height='2'/></svg></symbol>";
    let shown = format!("{symbol}<use id='a' href='#s' x='20' y='20' width='60' height='60'/>");
    assert_boxes(&shown, &[("a", &[20., 20., 80., 50.])]);
    let defined = "<defs><rect id='r' width='50%' height='50%'/></defs>";
    let sum = "<defs><rect id='r' style='width:calc(10% + 5px)' height='9'/></defs>";
    let shown = format!("{sum}<use id='a' href='#r'/>");
    assert_boxes(&shown, &[("a", &[0., 0., 15., 9.])]);
    let view = "x='20' y='20' width='60' height='60' viewBox='0 0 20 20'";
    let shown = format!("{defined}<svg {view}><use id='a' href='#r'/></svg>");
    assert_boxes(&shown, &[("a", &[20., 20., 50., 50.])]);
}

#[test]
fn strokes_that_do_not_scale_take_their_scale_where_they_are_shown() {
    let line = "d='M0 10H10' vector-effect='non-scaling-stroke'";
    let pen = "stroke='red' stroke-width='8' transform='scale(4 2)'";
    assert_boxes(
        &format!("<defs><path id='p' {line}/></defs><use id='a' href='#p' {pen}/>"),
        &[("a", &[0., 16., 40., 24.])],
    );
    // The contents of masks and markers scale with them.
    let mask = format!(
        "<mask id='m' maskUnits='userSpaceOnUse' width='99' height='99'><path {line} stroke='white' stroke-width='8'/></mask>"
    );
    assert_boxes(
        &format!(
            "{mask}<g transform='scale(2)'><rect id='a' width='99' height='99' mask='url(#m)'/></g>"
        ),
        &[("a", &[0., 12., 20., 28.])],
    );
    let image = format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><path {line} stroke='red' stroke-width='8'/></svg>").replace('<', "%3C");
    assert_boxes(
        &format!(
            "<path {line} {pen}/><image id='a' width='20' height='20' href=\"data:image/svg+xml,{image}\"/>"
        ),
        &[("a", &[0., 6., 10., 14.])],
    );
}

#[test]
fn transforms_in_definitions_are_applied() {
    let moves = "transform-box:fill-box;transform-origin:100% 0;transform:scale(.5)";
    let shape = format!("<rect width='40' height='10' style='{moves}'/>");
    let edges: &[f32] = &[20., 0., 40., 5.];
    assert_boxes(
        &format!("<defs><g id='d'>{shape}</g></defs><use id='a' href='#d'/>"),
        &[("a", edges)],
    );
    assert_boxes(
        &format!(
            "<clipPath id='d'>{shape}</clipPath><rect id='a' width='90' height='90' clip-path='url(#d)'/>"
        ),
        &[("a", edges)],
    );
    // Once they had two attributes of one name.
    for (tag, name) in [("linearGradient", "gradientTransform"), ("pattern", "patternTransform")] {
        let origin = "style='transform-origin:5px 5px'";
        let inside = format!(
            "<{tag} id='p' {name}='scale(2)' {origin}/><rect id='a' fill='url(#p)' stroke='red' {BOX}/>"
        );
        assert_boxes(&inside, &[("a", &[0., 0., 10.5, 10.5])]);
    }
    let stroke = "<rect id='a' x='40' y='40' width='20' height='20' stroke='red' stroke-width='10' style='transform-box:stroke-box;transform-origin:0 0;transform:scale(.5)'/>";
    assert_boxes(stroke, &[("a", &[35., 35., 50., 50.])]);
    let text = "<text id='a' x='20' y='50' font-size='20' style='transform-box:fill-box;transform-origin:center;transform:rotate(180deg)'>HOH</text>";
    assert!(read(&file(text)).scene.notes.is_empty());
}

#[test]
fn references_to_nothing_are_left_out() {
    for more in
        ["filter='url(#no)'", "clip-path='url(#g)'", "mask='url(#no)'", "style='filter:url(#g)'"]
    {
        assert_boxes(
            &format!("<g id='g'/><rect id='a' {BOX} {more}/>"),
            &[("a", &[0., 0., 10., 10.])],
        );
    }
}

#[test]
fn sizes_of_viewports_are_those_of_browsers() {
    assert_boxes(&format!("<svg width='0' height='9'><rect id='a' {BOX}/></svg>"), &[("a", NONE)]);
    assert_boxes(
        "<svg x='20' width='30'><rect id='a' x='-9' width='99' height='9'/></svg>",
        &[("a", &[20., 0., 50., 9.])],
    );
    assert_boxes(
        "<symbol id='s' viewBox='0 0 2 2' width='20' height='20'><rect width='9' height='9'/></symbol><use id='a' x='5' href='#s'/>",
        &[("a", &[5., 0., 25., 20.])],
    );
    for tag in ["image href='data:image/gif;base64,R0lGODlhAQABAAAAACw=' x='0'", "use href='#s'"] {
        assert_boxes(
            &format!(
                "<symbol id='s' viewBox='0 0 2 2'><rect {BOX}/></symbol><{tag} id='a' width='auto' height='9'/>"
            ),
            &[("a", NONE)],
        );
    }
    // Effects of a use are around the viewport of the symbol, whose transform is inside of its place.
    let symbol = "<symbol id='s' viewBox='0 0 2 2' style='transform:translate(5px) scale(2)'><rect width='9' height='9'/></symbol>";
    let shown = "id='a' x='20' y='20' width='20' height='20' href='#s'";
    for (style, edges) in [
        ("", [25., 20., 65., 60.]),
        ("clip-path:circle(10px at 5px 0)", [25., 20., 40., 30.]),
        ("filter:drop-shadow(10px 0 0 red)", [25., 20., 75., 60.]),
        ("transform:translateX(10px)", [35., 20., 75., 60.]),
    ] {
        assert_boxes(&format!("{symbol}<use {shown} style='{style}'/>"), &[("a", &edges)]);
    }
}

#[test]
fn effects_of_css_know_their_region() {
    let shape =
        |filter: &str| format!("<rect id='a' x='20' y='20' {BOX} style='filter:{filter}'/>");
    assert_boxes(&shape("drop-shadow(30px 20px 0 #f00)"), &[("a", &[20., 20., 60., 50.])]);
    assert_boxes(&shape("blur(2px)"), &[("a", &[14., 14., 36., 36.])]);
    // Browsers clip the result of a filter to its region, and not its source; and a tile not even to that.
    let region = "filterUnits='userSpaceOnUse' x='30' y='0' width='10' height='99'";
    for (primitive, edges) in [
        ("<feOffset dx='15'/>", [35., 20., 40., 30.]),
        ("<feTile x='5' y='5' width='90' height='80'/>", [5., 5., 95., 85.]),
    ] {
        let filter = format!("<filter id='f' {region}>{primitive}</filter>");
        assert_boxes(&(filter + &shape("url(#f)")), &[("a", &edges)]);
    }
    let clip = |shape: &str| {
        format!("<rect id='a' x='20' y='20' width='40' height='40' style='clip-path:{shape}'/>")
    };
    assert_boxes(&clip("inset(10px 5px)"), &[("a", &[25., 30., 55., 50.])]);
    assert_boxes(&clip("circle(25% at 50% 50%)"), &[("a", &[30., 30., 50., 50.])]);
    assert_boxes(&clip("polygon(0 0, 50% 0, 50% 100%)"), &[("a", &[20., 20., 40., 60.])]);
    let page = "<svg xmlns='http://www.w3.org/2000/svg' id='a' width='50' height='40' style='background:white'/>";
    assert_eq!(painted(&read(page), "a"), Some(Rect::new(0.0, 0.0, 50.0, 40.0)));
}

#[test]
fn keywords_reach_usvg_in_its_own_case() {
    let inside = format!(
        "<g color='#102030'><filter id='f' color-interpolation-filters='SRGB'><feFlood flood-color='CURRENTCOLOR'/></filter>
         <rect id='a' {BOX} shape-rendering='crispedges' filter='url(#f)'/></g>"
    );
    let tree = read(&file(&inside)).tree;
    let mut filters = Vec::new();
    fn find<'t>(group: &'t usvg::Group, filters: &mut Vec<&'t usvg::filter::Primitive>) {
        for node in group.children() {
            if let usvg::Node::Group(inner) = node {
                filters.extend(inner.filters().iter().flat_map(|filter| filter.primitives()));
                find(inner, filters);
            }
            if let usvg::Node::Path(path) = node {
                assert!(!path.rendering_mode().use_shape_antialiasing());
            }
        }
    }
    find(tree.root(), &mut filters);
    let [flood] = filters[..] else { panic!("{filters:?}") };
    assert_eq!(flood.color_interpolation(), usvg::filter::ColorInterpolation::SRGB);
    let usvg::filter::Kind::Flood(fe) = flood.kind() else { panic!("{flood:?}") };
    assert_eq!(fe.color(), usvg::Color::new_rgb(0x10, 0x20, 0x30));
}

#[test]
fn definitions_are_found_unless_they_are_not_displayed_themselves() {
    let clip = "<rect width='5' height='5'/></clipPath>";
    let inside = format!(
        "<style>.off {{ display: none }}</style>
         <g class='off'><clipPath id='c'>{clip}</g><clipPath id='d' class='off'>{clip}
         <symbol id='s' class='off'><rect width='5' height='5'/></symbol><defs class='off'><clipPath id='e'>{clip}</defs>
         <rect id='a' {BOX} clip-path='url(#c)'/><rect id='b' {BOX} clip-path='url(#d)'/><use id='u' href='#s'/><rect id='f' {BOX} clip-path='url(#e)'/>"
    );
    let whole: &[f32] = &[0., 0., 10., 10.];
    assert_boxes(&inside, &[("a", &[0., 0., 5., 5.]), ("b", whole), ("u", NONE), ("f", whole)]);
}

#[test]
fn nothing_is_painted_of_a_closed_point() {
    assert_boxes(
        "<path id='a' d='M30 40H50M80 30Z' stroke='red' stroke-width='10'/>",
        &[("a", &[30., 35., 50., 45.])],
    );
}

#[test]
fn nothing_is_painted_of_points_with_words() {
    for (points, edges) in [("10 10 40 10 x", NONE), ("10,10 40,10, 60", &[10., 5., 40., 15.])] {
        let inside = format!("<polyline id='a' points='{points}' stroke='red' stroke-width='10'/>");
        assert_boxes(&inside, &[("a", edges)]);
    }
}

#[test]
fn nothing_is_painted_without_an_area() {
    for transform in ["scale(0)", "matrix(1 1 1 1 0 0)"] {
        let inside = format!("<g transform='{transform}'><rect id='a' {BOX}/></g>");
        assert_boxes(&inside, &[("a", NONE)]);
    }
}

#[test]
fn hidden_parts_stay_hidden() {
    let inside = format!(
        "<g display='none'><rect id='a' visibility='visible' {BOX}/></g><g visibility='hidden'><rect id='b' visibility='visible' {BOX}/><rect id='c' {BOX}/></g>"
    );
    let document = read(&file(&inside)).document;
    let part = |id: &str| {
        document.objects.iter().find(|one| one.id.as_deref() == Some(id)).map(|one| one.part)
    };
    assert_eq!(part("a"), Some(Part::Hidden));
    assert_eq!(part("b"), Some(Part::Painted));
    assert_eq!(part("c"), Some(Part::Hidden));
}

/// The places of a marker 20 wide and 10 high, which points away from a vertex, in whole pixels.
#[test]
fn markers_turn_as_in_browsers() {
    let marker = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='20' markerHeight='10' refY='5' orient='auto'><rect width='20' height='10'/></marker>";
    let cases: &[(&str, &str, [f32; 4])] = &[
        // At the start and end of a closed path the angle is that between its sides.
        ("start", "M50 50H100V100H50Z", [46., 32., 68., 54.]),
        ("end", "M50 50H100V100H50Z", [46., 32., 68., 54.]),
        ("end", "M50 50H100V100H50V50Z", [50., 45., 70., 55.]),
        ("mid", "M50 50H80ZH90", [45., 30., 85., 70.]),
        ("end", "M50 50", [46., 46., 68., 68.]),
        ("start", "M50 50C50 50 80 80 100 80", [46., 46., 68., 68.]),
        ("mid", "M20 50L50 50L20 50", [45., 30., 55., 50.]),
        ("end", "M10 10M50 10A40 40 0 0 1 90 50", [85., 50., 95., 70.]),
    ];
    let edges = |inside: &str| {
        let found = painted(&read(&file(inside)), "a");
        found.map(|found| found.to_array().map(f32::round))
    };
    for (name, d, expected) in cases {
        let inside = format!("{marker}<path id='a' d='{d}' fill='none' marker-{name}='url(#m)'/>");
        assert_eq!(edges(&inside), Some(*expected), "{name} of {d}");
    }
    // An arc is one side, however many curves draw it.
    let arc = format!(
        "{marker}<path id='a' d='M10 50A40 40 0 0 1 90 50' fill='none' marker-mid='url(#m)'/>"
    );
    assert_boxes(&arc, &[("a", NONE)]);
    let arc = format!(
        "{marker}<g marker-mid='url(#m)'><path id='a' d='M10 50A40 40 0 0 1 90 50' fill='none'/></g>"
    );
    assert_boxes(&arc, &[("a", NONE)]);
    let paint = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='9' markerHeight='9'><rect width='9' height='9' fill='context-fill'/></marker><path id='a' d='M10 10H15V12Z' marker-end='url(#m)'";
    assert_boxes(&format!("{paint} fill='none'/>"), &[("a", NONE)]);
    assert_eq!(edges(&format!("{paint} fill='red'/>")), Some([10., 10., 19., 19.]));
}

#[test]
fn lines_of_anchored_texts_without_x_are_noted() {
    let notes = |before: &str, anchor: &str| {
        let line = format!("{before}<tspan y='60'>HH</tspan>");
        let text = format!("<text y='30' text-anchor='{anchor}' font-size='9'>{line}</text>");
        read(&file(&text)).scene.notes.iter().filter(|note| note.contains("without x")).count()
    };
    assert_eq!([notes("HH", "middle"), notes("HH", "start"), notes("\n  ", "middle")], [1, 0, 0]);
}

#[test]
fn markers_in_a_box_that_an_effect_refers_to_are_noted() {
    let marker = "<marker id='k'><circle r='2'/></marker>";
    for (units, is_noted) in [("objectBoundingBox", true), ("userSpaceOnUse", false)] {
        let clip = format!("<clipPath id='c' clipPathUnits='{units}'><rect {BOX}/></clipPath>");
        let line = "<path d='M0 0H9' stroke='red' marker-end='url(#k)'/>";
        let inside = format!("{marker}{clip}<g id='a' clip-path='url(#c)'>{line}</g>");
        let notes = read(&file(&inside)).scene.notes;
        assert_eq!(notes.iter().any(|note| note.contains("its markers count")), is_noted);
    }
}

#[test]
fn markers_have_effects() {
    let marker = |effect: &str| {
        format!(
            "<clipPath id='c'><rect width='5' height='5'/></clipPath><marker id='m' markerUnits='userSpaceOnUse' markerWidth='20' markerHeight='20' {effect}><rect width='20' height='20'/></marker><path id='a' d='M40 40h9' marker-start='url(#m)'/>"
        )
    };
    assert_boxes(&marker("opacity='0'"), &[("a", NONE)]);
    assert_boxes(&marker("clip-path='url(#c)'"), &[("a", &[40., 40., 45., 45.])]);
    assert_boxes(&marker("style='clip-path: inset(5px)'"), &[("a", &[45., 45., 55., 55.])]);
}

#[test]
fn masks_have_no_effects_and_clip_paths_are_clipped_by_elements() {
    let shape = "<rect width='90' height='90' fill='#fff'/>";
    let inside = format!(
        "<clipPath id='c'><rect width='5' height='5'/></clipPath><mask id='m' clip-path='url(#c)' opacity='0'>{shape}</mask><rect id='a' {BOX} mask='url(#m)'/>"
    );
    assert_boxes(&inside, &[("a", &[0., 0., 10., 10.])]);
    let inside = format!(
        "<clipPath id='c' style='clip-path: inset(1px)'>{shape}</clipPath><rect {BOX} clip-path='url(#c)'/>"
    );
    let notes = read(&file(&inside)).scene.notes;
    assert_eq!(notes, ["clip-path of #c: left out; it cuts nothing"]);
}

#[test]
fn contents_replace_groups() {
    let inside = format!(
        "<style>.c {{ display: contents }}</style><defs><rect id='d' {BOX}/></defs>
         <g id='a' class='c' opacity='0' transform='scale(9)'><rect {BOX}/></g>
         <svg id='b' class='c' x='50' width='5' height='5'><rect y='20' {BOX}/></svg>
         <use id='u' class='c' x='60' href='#d'/><a class='c'><rect id='e' {BOX}/></a><rect id='f' class='c' {BOX}/>"
    );
    let (whole, below): (&[f32], &[f32]) = (&[0., 0., 10., 10.], &[0., 20., 10., 30.]);
    assert_boxes(&inside, &[("a", whole), ("b", below), ("u", whole), ("e", NONE), ("f", NONE)]);
}

#[test]
fn parts_of_texts_are_noted_if_usvg_leaves_something_out() {
    let case = |part: &str| {
        read(&file(&format!("<filter id='f'/><text y='50'>{part}</text>"))).scene.notes.join("")
    };
    assert!(case("<tspan id='s' filter='url(#f)'>H</tspan>").contains("filter of #s: left out"));
    assert!(
        case("<tspan id='s' style='clip-path: inset(1px)'>H</tspan>").contains("clip-path of #s")
    );
    assert!(
        case("<tspan id='s' text-decoration='underline'>H</tspan>")
            .contains("text-decoration of #s")
    );
    assert!(
        case("<tspan id='s' alignment-baseline='middle'>H</tspan>")
            .contains("alignment-baseline of #s")
    );
    assert!(
        case("<textPath path='M0 0H9'>H</textPath> after").contains("its place may be another")
    );
    assert_boxes("<text y='50'><tspan id='a' opacity='0'>H</tspan></text>", &[("a", NONE)]);
}

#[test]
fn texts_follow_paths_that_they_have_themselves() {
    let edges = |inside: &str| {
        let drawing = read(&file(&format!(
            "<path id='p' d='M0 90H100' pathLength='10' fill='none'/><path id='q' d='M0 90H100' fill='none'/><text font-size='20'>{inside}</text>"
        )));
        painted(&drawing, "a").map(|edges| edges.to_array().map(f32::round))
    };
    let expected = edges("<textPath id='a' href='#q' startOffset='50'>H</textPath>");
    assert!(expected.is_some());
    assert_eq!(edges("<textPath id='a' path='M50 90H100'>H</textPath>"), expected);
    assert_eq!(edges("<textPath id='a' href='#p' startOffset='5'>H</textPath>"), expected);
}

#[test]
fn a_part_of_the_window_is_noted() {
    let root = |size: &str| {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' {size} viewBox='0 0 40 20'><rect {BOX}/></svg>"
        );
        let drawing = read(&text);
        (drawing.scene.width, drawing.scene.height, drawing.scene.notes.len())
    };
    assert_eq!(root("width='50%'"), (40.0, 20.0, 1));
    assert_eq!(root("width='100%' height='auto'"), (40.0, 20.0, 0));
    assert_eq!(root("height='40' style='width: auto'"), (80.0, 40.0, 0));
}
