//! Shapes, texts and viewports as browsers read them: one small file per case in which usvg alone differs.

use super::{assert_each, assert_notes, assert_painted, painted, read, read_file};
use crate::Part;
use treebounds_core::Rect;

#[test]
fn objects_with_the_same_id_are_separate() {
    let twice = "<g id='a'><rect id='x' BOX/></g><g id='b'><rect id='x' x='50' BOX/></g><use id='c' y='40' href='#x'/>";
    assert_painted(twice, "a 0 0 10 10, b 50 0 60 10, c 0 40 10 50");
}

#[test]
fn markers_belong_to_their_shape() {
    let marker = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='20' markerHeight='20' refX='10' refY='10'><rect width='20' height='20'/></marker>$";
    let line = "<path id='a' d='M30 50H70' stroke='red' marker-end='url(#m)'";
    let shapes = [
        (&*format!("{line}/>"), "30 40 80 60"),
        (&format!("{line} paint-order='fill markers stroke'/>"), "30 40 80 60"),
        // A path that is only a move has an end but no start.
        ("<path id='a' d='M40 40' marker-start='url(#m)'/>", ""),
        ("<path id='a' d='M40 40' marker-mid='url(#m)'/>", ""),
        ("<path id='a' d='M40 40' marker-end='url(#m)'/>", "30 30 50 50"),
        ("<g marker-start='url(#m)'><rect id='a' x='30' BOX/></g>", "30 0 40 10"),
    ];
    assert_each(marker, &shapes);
}

#[test]
fn strokes_respect_path_lengths_and_scales() {
    let lines = [
        (
            "<path id='a' d='M0 50H100' pathLength='10' stroke-width='10' stroke-dasharray='5 20'/>",
            "0 45 50 55",
        ),
        // Browsers measure a small circle by the chords of its eighths.
        (
            "<circle id='a' cx='20' cy='20' r='6' fill='none' stroke-width='2' pathLength='100' stroke-dasharray='25 75' stroke-dashoffset='25'/>",
            "19.1785 13 26.9148 19.2163",
        ),
        (
            "<rect id='a' x='5' y='5' width='70' height='50' rx='20' ry='10' fill='none' stroke-width='4' pathLength='100' stroke-dasharray='10 90'/>",
            "24.3798 3 46.6269 7.0044",
        ),
        (
            "<path id='a' d='M10 50H50' stroke-width='10' vector-effect='non-scaling-stroke'/><use id='b' href='#a' transform='scale(.5)'/>",
            "a 10 45 50 55, b 5 20 25 30",
        ),
        ("<path id='a' d='M10 50H50' stroke-width='-4'/>", "10 49.5 50 50.5"),
    ];
    assert_each("<g stroke='red'>$</g>", &lines);
}

#[test]
fn closed_points_and_invalid_points_have_no_stroke() {
    let lines = [
        ("path id='a' d='M30 40H50M80 30Z'", "30 35 50 45"),
        ("polyline id='a' points='10 10 40 10 x'", ""),
        ("polyline id='a' points='10,10 40,10, 60'", "10 5 40 15"),
    ];
    assert_each("<$ stroke='red' stroke-width='10'/>", &lines);
}

#[test]
fn dashed_points_have_caps_if_the_pattern_begins_with_a_dash() {
    let points = [
        ("d='M40 40h0' stroke-dasharray='4'", "37 37 43 43"),
        ("d='M40 40h0' stroke-dasharray='4 8' stroke-dashoffset='5'", ""),
        ("d='M40 40h0z' stroke-dasharray='4'", ""),
    ];
    assert_each("<path id='a' stroke='red' stroke-width='6' stroke-linecap='round' $/>", &points);
}

#[test]
fn empty_groups_do_not_count_as_points() {
    let masked = "<mask id='m' maskContentUnits='objectBoundingBox'><rect width='0.5' height='1' fill='white'/></mask>
        <g id='a' mask='url(#m)'><rect x='60' y='30' width='30' height='30'/>$</g>";
    let empty = [
        ("<g/>", "60 30 75 60"),
        ("<g><svg/><a/></g>", "60 30 75 60"),
        ("<g transform='translate(90 5)' id='e'></g>", "60 30 75 60"),
    ];
    assert_each(masked, &empty);
}

#[test]
fn percentages_refer_to_the_nearest_viewport() {
    let symbol = "<symbol id='s' viewBox='0 0 20 20'><svg viewBox='0 0 4 4'><rect width='4' height='2'/></svg></symbol>
        <use id='a' href='#s' x='20' y='20' width='60' height='60'/>";
    assert_painted(symbol, "20 20 80 50");
    let sum = "<defs><rect id='r' style='width:calc(10% + 5px)' height='9'/></defs><use id='a' href='#r'/>";
    assert_painted(sum, "0 0 15 9");
    let view = "<defs><rect id='r' width='50%' height='50%'/></defs>
        <svg x='20' y='20' width='60' height='60' viewBox='0 0 20 20'><use id='a' href='#r'/></svg>";
    assert_painted(view, "20 20 50 50");
}

#[test]
fn non_scaling_strokes_use_the_scale_where_they_are_shown() {
    let line = "d='M0 10H10' vector-effect='non-scaling-stroke'";
    let pen = "stroke='red' stroke-width='8' transform='scale(4 2)'";
    let used = format!("<defs><path id='p' {line}/></defs><use id='a' href='#p' {pen}/>");
    assert_painted(&used, "0 16 40 24");
    // Masks and markers also scale non-scaling strokes inside them.
    let mask = format!(
        "<mask id='m' maskUnits='userSpaceOnUse' width='99' height='99'><path {line} stroke='white' stroke-width='8'/></mask>
        <g transform='scale(2)'><rect id='a' width='99' height='99' mask='url(#m)'/></g>"
    );
    assert_painted(&mask, "0 12 20 28");
    let image = format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><path {line} stroke='red' stroke-width='8'/></svg>").replace('<', "%3C");
    let image = format!(
        "<path {line} {pen}/><image id='a' width='20' height='20' href=\"data:image/svg+xml,{image}\"/>"
    );
    assert_painted(&image, "0 6 10 14");
}

#[test]
fn transforms_in_definitions_are_applied() {
    let shape = "<rect width='40' height='10' style='transform-box:fill-box;transform-origin:100% 0;transform:scale(.5)'/>";
    let definitions = [
        ("<defs><g id='d'>SHAPE</g></defs><use id='a' href='#d'/>", "20 0 40 5"),
        (
            "<clipPath id='d'>SHAPE</clipPath><rect id='a' width='90' height='90' clip-path='url(#d)'/>",
            "20 0 40 5",
        ),
        // Attribute and style both set the transform.
        (
            "<linearGradient id='p' gradientTransform='scale(2)' style='transform-origin:5px 5px'/><rect id='a' fill='url(#p)' stroke='red' BOX/>",
            "0 0 10.5 10.5",
        ),
        (
            "<pattern id='p' patternTransform='scale(2)' style='transform-origin:5px 5px'/><rect id='a' fill='url(#p)' stroke='red' BOX/>",
            "0 0 10.5 10.5",
        ),
        (
            "<rect id='a' x='40' y='40' width='20' height='20' stroke='red' stroke-width='10' style='transform-box:stroke-box;transform-origin:0 0;transform:scale(.5)'/>",
            "35 35 50 50",
        ),
    ];
    for (definition, expected) in definitions {
        assert_painted(&definition.replace("SHAPE", shape), expected);
    }
    let text = "<text id='a' x='20' y='50' font-size='20' style='transform-box:fill-box;transform-origin:center;transform:rotate(180deg)'>HOH</text>";
    assert_notes(text, &[]);
}

#[test]
fn dangling_references_are_ignored() {
    for more in
        ["filter='url(#no)'", "clip-path='url(#g)'", "mask='url(#no)'", "style='filter:url(#g)'"]
    {
        assert_painted(&format!("<g id='g'/><rect id='a' BOX {more}/>"), "0 0 10 10");
    }
}

#[test]
fn viewport_sizes_match_browsers() {
    assert_painted("<svg width='0' height='9'><rect id='a' BOX/></svg>", "");
    let svg = "<svg x='20' width='30'><rect id='a' x='-9' width='99' height='9'/></svg>";
    assert_painted(svg, "20 0 50 9");
    let symbol = "<symbol id='s' viewBox='0 0 2 2' width='20' height='20'><rect width='9' height='9'/></symbol><use id='a' x='5' href='#s'/>";
    assert_painted(symbol, "5 0 25 20");
    let auto = [
        ("image href='data:image/gif;base64,R0lGODlhAQABAAAAACw=' x='0'", ""),
        ("use href='#s'", ""),
    ];
    assert_each(
        "<symbol id='s' viewBox='0 0 2 2'><rect BOX/></symbol><$ id='a' width='auto' height='9'/>",
        &auto,
    );
    // Effects of a use surround the viewport of its symbol; the symbol's transform is inside the placement by
    // the use.
    let symbol = "<symbol id='s' viewBox='0 0 2 2' style='transform:translate(5px) scale(2)'><rect width='9' height='9'/></symbol>
        <use id='a' x='20' y='20' width='20' height='20' href='#s' style='$'/>";
    let effects = [
        ("", "25 20 65 60"),
        ("filter:drop-shadow(10px 0 0 red)", "25 20 75 60"),
        ("transform:translateX(10px)", "35 20 75 60"),
    ];
    assert_each(symbol, &effects);
}

#[test]
fn css_effects_use_the_region_of_browsers() {
    // Browsers clip the result of a filter to its region, but not its source. They do not clip a tile at all.
    let filter = |primitive: &str| {
        let region = "id='f' filterUnits='userSpaceOnUse' x='30' y='0' width='10' height='99'";
        let shape = "<rect id='a' x='20' y='20' BOX style='filter:url(#f)'/>";
        format!("<filter {region}>{primitive}</filter>{shape}")
    };
    assert_painted(&filter("<feOffset dx='15'/>"), "35 20 40 30");
    assert_painted(&filter("<feTile x='5' y='5' width='90' height='80'/>"), "5 5 95 85");
    let effects = [
        ("BOX style='filter:drop-shadow(30px 20px 0 #f00)'", "20 20 60 50"),
        ("BOX style='filter:blur(2px)'", "14 14 36 36"),
    ];
    assert_each("<rect id='a' x='20' y='20' $/>", &effects);
    let page = "<svg xmlns='http://www.w3.org/2000/svg' id='a' width='50' height='40' style='background:white'/>";
    assert_eq!(painted(&read_file(page), "a"), Some(Rect::new(0.0, 0.0, 50.0, 40.0)));
}

#[test]
fn keywords_are_written_in_usvg_case() {
    let inside = "<g color='#102030'><filter id='f' color-interpolation-filters='SRGB'><feFlood flood-color='CURRENTCOLOR'/></filter>
         <rect id='a' BOX shape-rendering='crispedges' filter='url(#f)'/></g>";
    let text = read(inside).unwrap().tree.to_string(&usvg::WriteOptions::default());
    for words in [
        "flood-color=\"#102030\"",
        "color-interpolation-filters=\"sRGB\"",
        "shape-rendering=\"crispEdges\"",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn definitions_are_found_unless_not_displayed() {
    let inside = "<style>.off { display: none }</style>
         <g class='off'><clipPath id='c'>CLIP</g><clipPath id='d' class='off'>CLIP
         <symbol id='s' class='off'><rect width='5' height='5'/></symbol><defs class='off'><clipPath id='e'>CLIP</defs>
         <rect id='a' BOX clip-path='url(#c)'/><rect id='b' BOX clip-path='url(#d)'/><use id='u' href='#s'/><rect id='f' BOX clip-path='url(#e)'/>";
    let inside = inside.replace("CLIP", "<rect width='5' height='5'/></clipPath>");
    assert_painted(&inside, "a 0 0 5 5, b 0 0 10 10, u, f 0 0 10 10");
}

#[test]
fn shapes_without_area_paint_nothing() {
    let transforms = [("scale(0)", ""), ("matrix(1 1 1 1 0 0)", "")];
    assert_each("<g transform='$'><rect id='a' BOX/></g>", &transforms);
}

#[test]
fn hidden_parts_stay_hidden() {
    let inside = "<g display='none'><rect id='a' visibility='visible' BOX/></g><g visibility='hidden'><rect id='b' visibility='visible' BOX/><rect id='c' BOX/></g>";
    let document = read(inside).unwrap().document;
    let part = |id: &str| {
        document.objects.iter().find(|one| one.id.as_deref() == Some(id)).map(|one| one.part)
    };
    assert_eq!(["a", "b", "c"].map(part), [Part::Hidden, Part::Painted, Part::Hidden].map(Some));
}

/// Checks the position of a marker 20 wide and 10 high, which points away from a vertex, in whole pixels.
#[test]
fn markers_turn_as_in_browsers() {
    let marker = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='20' markerHeight='10' refY='5' orient='auto'><rect width='20' height='10'/></marker>$";
    let edges = |inside: &str| {
        let found = painted(&read(inside).unwrap(), "a");
        found.map(|found| found.to_array().map(f32::round))
    };
    for (name, d, expected) in [
        // At the start and end of a closed path, the marker bisects the angle of the sides.
        ("start", "M50 50H100V100H50Z", [46., 32., 68., 54.]),
        ("end", "M50 50H100V100H50Z", [46., 32., 68., 54.]),
        ("end", "M50 50H100V100H50V50Z", [50., 45., 70., 55.]),
        ("mid", "M50 50H80ZH90", [45., 30., 85., 70.]),
        ("end", "M50 50", [46., 46., 68., 68.]),
        ("start", "M50 50C50 50 80 80 100 80", [46., 46., 68., 68.]),
        ("mid", "M20 50L50 50L20 50", [45., 30., 55., 50.]),
        ("end", "M10 10M50 10A40 40 0 0 1 90 50", [85., 50., 95., 70.]),
    ] {
        let path = format!("<path id='a' d='{d}' fill='none' marker-{name}='url(#m)'/>");
        assert_eq!(edges(&marker.replace('$', &path)), Some(expected), "{path}");
    }
    // An arc is one side, even if several curves draw it.
    let arcs = [
        ("<path id='a' d='M10 50A40 40 0 0 1 90 50' fill='none' marker-mid='url(#m)'/>", ""),
        ("<g marker-mid='url(#m)'><path id='a' d='M10 50A40 40 0 0 1 90 50' fill='none'/></g>", ""),
    ];
    assert_each(marker, &arcs);
    let paint = "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='9' markerHeight='9'><rect width='9' height='9' fill='context-fill'/></marker>
        <path id='a' d='M10 10H15V12Z' marker-end='url(#m)' fill='$'/>";
    assert_painted(&paint.replace('$', "none"), "");
    assert_eq!(edges(&paint.replace('$', "red")), Some([10., 10., 19., 19.]));
}

#[test]
fn lines_of_anchored_texts_without_x_are_noted() {
    for (before, anchor, noted) in [("HH", "middle", 1), ("HH", "start", 0), ("\n  ", "middle", 0)]
    {
        let line = format!("{before}<tspan y='60'>HH</tspan>");
        let text = format!("<text y='30' text-anchor='{anchor}' font-size='9'>{line}</text>");
        let notes = read(&text).unwrap().scene.notes;
        let found = notes.iter().filter(|note| note.contains("without x")).count();
        assert_eq!(found, noted, "{before} {anchor}");
    }
}

#[test]
fn markers_in_a_box_that_an_effect_refers_to_are_noted() {
    let line = "<path d='M0 0H9' stroke='red' marker-end='url(#k)'/>";
    for (units, is_noted) in [("objectBoundingBox", true), ("userSpaceOnUse", false)] {
        let clip = format!("<clipPath id='c' clipPathUnits='{units}'><rect BOX/></clipPath>");
        let marker = "<marker id='k'><circle r='2'/></marker>";
        let notes =
            read(&format!("{marker}{clip}<g clip-path='url(#c)'>{line}</g>")).unwrap().scene.notes;
        assert_eq!(notes.iter().any(|note| note.contains("its markers count")), is_noted);
    }
}

#[test]
fn effects_apply_to_markers() {
    let marker = "<clipPath id='c'><rect width='5' height='5'/></clipPath>
        <marker id='m' markerUnits='userSpaceOnUse' markerWidth='20' markerHeight='20' $><rect width='20' height='20'/></marker>
        <path id='a' d='M40 40h9' marker-start='url(#m)'/>";
    let effects = [("opacity='0'", ""), ("clip-path='url(#c)'", "40 40 45 45")];
    assert_each(marker, &effects);
}

#[test]
fn effects_on_masks_and_shapes_on_clip_paths_are_ignored() {
    let mask = "<clipPath id='c'><rect width='5' height='5'/></clipPath>
        <mask id='m' clip-path='url(#c)' opacity='0'><rect width='90' height='90' fill='#fff'/></mask><rect id='a' BOX mask='url(#m)'/>";
    assert_painted(mask, "0 0 10 10");
    let clip = "<clipPath id='c' style='clip-path: inset(1px)'><rect width='90' height='90'/></clipPath><rect BOX clip-path='url(#c)'/>";
    let notes = read(clip).unwrap().scene.notes;
    assert_eq!(notes, ["clip-path of #c: left out; it cuts nothing"]);
}

#[test]
fn display_contents_removes_the_group() {
    let inside = "<style>.c { display: contents }</style><defs><rect id='d' BOX/></defs>
         <g id='a' class='c' opacity='0' transform='scale(9)'><rect BOX/></g>
         <svg id='b' class='c' x='50' width='5' height='5'><rect y='20' BOX/></svg>
         <use id='u' class='c' x='60' href='#d'/><a class='c'><rect id='e' BOX/></a><rect id='f' class='c' BOX/>";
    assert_painted(inside, "a 0 0 10 10, b 0 20 10 30, u 0 0 10 10, e, f");
}

#[test]
fn unsupported_text_parts_are_noted() {
    for (part, note) in [
        ("<tspan id='s' filter='url(#f)'>H</tspan>", "filter of #s: left out"),
        ("<tspan id='s' style='clip-path: inset(1px)'>H</tspan>", "clip-path of #s"),
        ("<tspan id='s' rotate='9' text-decoration='underline'>H</tspan>", "text-decoration of #s"),
        ("<tspan id='s' alignment-baseline='middle'>H</tspan>", "alignment-baseline of #s"),
        ("<textPath path='M0 0H9'>H</textPath> after", "its place may be another"),
    ] {
        assert_notes(&format!("<filter id='f'/><text y='50'>{part}</text>"), &[note]);
    }
    assert_painted("<text y='50'><tspan id='a' opacity='0'>H</tspan></text>", "");
}

#[test]
fn texts_follow_their_own_path_attribute() {
    let edges = |path: &str| {
        let inside = format!(
            "<path id='p' d='M0 90H100' pathLength='10' fill='none'/><path id='q' d='M0 90H100' fill='none'/>
            <text font-size='20'><textPath id='a' {path}>H</textPath></text>"
        );
        let found =
            painted(&read(&inside).unwrap(), "a").expect("apt-get install fonts-dejavu-core");
        found.to_array().map(f32::round)
    };
    let expected = edges("href='#q' startOffset='50'");
    assert_eq!(edges("path='M50 90H100'"), expected);
    assert_eq!(edges("href='#p' startOffset='5'"), expected);
}
