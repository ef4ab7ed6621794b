use super::*;

const CLIP: &str = "<clipPath id='c'><rect x='20' y='20' width='40' height='40'/></clipPath>";

#[test]
fn a_clip_and_a_blend_on_one_group_are_one_node() {
    let (scene, bounds) = scene(&format!(
        "{CLIP}<g id='g' clip-path='url(#c)' opacity='.5'><rect width='30' height='30'/></g>"
    ));
    assert_eq!(names(&scene), ["begin_clip_blend", "draw", "end_clip_blend"]);
    assert_eq!(rect(&scene, "g"), Rect::new(20.0, 20.0, 60.0, 60.0));
    assert_eq!(bounds.boxes[1], Rect::new(20.0, 20.0, 30.0, 30.0));
    assert_eq!(scene.origins[0], scene.origins[2]);
    assert_eq!(scene.origins[0].source, "g");
}

#[test]
fn blend_boxes_are_unlimited() {
    for style in ["opacity:.5", "mix-blend-mode:multiply", "isolation:isolate"] {
        let (scene, _) =
            scene(&format!("<g id='g' style='{style}'><rect width='30' height='30'/></g>"));
        assert_eq!(names(&scene), ["begin_blend", "draw", "end_blend"]);
        assert_eq!(rect(&scene, "g"), Rect::EVERYTHING);
        assert!(!scene.stream.tags()[0].is_non_local());
    }
    let (scene, _) = scene("<g id='g'><rect width='30' height='30'/></g>");
    assert_eq!(names(&scene), ["draw"], "a group that only groups is no node");
}

#[test]
fn clip_paths_accept_both_units_and_nesting() {
    let (scene, _) = scene(
        "<clipPath id='box' clipPathUnits='objectBoundingBox'>
           <rect x='.5' width='.5' height='.5'/></clipPath>
         <clipPath id='on' clip-path='url(#box)'><rect width='100' height='100'/></clipPath>
         <clipPath id='in'><rect width='9' height='9'/>
           <rect width='100' height='100' clip-path='url(#box)'/></clipPath>
         <clipPath id='moved' transform='translate(10 5)'><circle r='10'/></clipPath>
         <rect id='a' x='10' y='10' width='40' height='40' clip-path='url(#box)'/>
         <rect id='b' x='10' y='10' width='40' height='40' clip-path='url(#on)'/>
         <rect id='c' x='10' y='10' width='40' height='40' clip-path='url(#in)'/>
         <rect id='d' x='10' y='10' width='40' height='40' clip-path='url(#moved)'
               transform='rotate(180)'/>",
    );
    assert!(scene.origins[..3].iter().all(|origin| origin.id.as_deref() == Some("a")));
    assert_eq!(rect(&scene, "a"), Rect::new(30.0, 10.0, 50.0, 30.0));
    assert_eq!(rect(&scene, "b"), Rect::new(30.0, 10.0, 50.0, 30.0));
    assert_eq!(rect(&scene, "c"), Rect::new(0.0, 0.0, 100.0, 50.0));
    assert!(near(rect(&scene, "d"), Rect::new(-20.0, -15.0, 0.0, 5.0)));
}

#[test]
fn masks_clip_to_their_paint_inside_their_region() {
    for kind in ["luminance", "alpha"] {
        let (scene, _) = scene(&format!(
            "<mask id='m' mask-type='{kind}' maskUnits='userSpaceOnUse' x='0' y='0' width='50'
                   height='50'><circle cx='40' cy='20' r='20' fill='white'/></mask>
             <mask id='mm' mask='url(#m)' maskUnits='userSpaceOnUse' x='0' y='0' width='100'
                   height='100'><rect x='30' y='30' width='50' height='50' fill='white'/></mask>
             <mask id='none' maskUnits='userSpaceOnUse' width='50' height='50'><g/></mask>
             <rect id='a' width='100' height='100' mask='url(#m)'/>
             <rect id='b' width='100' height='100' mask='url(#mm)'/>
             <rect id='c' width='100' height='100' mask='url(#none)'/>"
        ));
        assert!(near(rect(&scene, "a"), Rect::new(20.0, 0.0, 50.0, 40.0)));
        assert!(near(rect(&scene, "b"), Rect::new(30.0, 30.0, 80.0, 80.0)), "no mask masks a mask");
        assert_eq!(rect(&scene, "c"), Rect::NOTHING);
        let tags = scene.stream.tags();
        assert!(tags.iter().all(|tag| !tag.is_non_local()), "masks of SVG are local");
        assert_eq!(names(&scene)[0], "begin_clip_blend");
    }
}

/// Inside a filter, the boxes of the stream are positions before the filter, and land where the filter
/// moves them.
#[test]
fn filters_move_their_content() {
    let (scene, bounds) = scene(&format!(
        "{CLIP}<filter id='f' filterUnits='userSpaceOnUse' x='10' y='10' width='50' height='50'>
           <feOffset dx='20'/></filter>
         <g id='g' filter='url(#f)'>
           <g clip-path='url(#c)' id='inner'><rect id='r' x='15' width='50' height='50'/></g>
           <rect id='s' x='45' y='45' width='9' height='9' filter='drop-shadow(100px 0 0 red)'/>
         </g>"
    ));
    let spread = ["begin_blend", "begin_spread", "begin_clip", "draw", "end_clip"];
    let shadow = ["begin_blend", "begin_spread", "draw", "end_spread", "end_blend"];
    let end = ["end_spread", "end_blend"];
    assert_eq!(names(&scene), [&spread[..], &shadow, &end].concat());
    let region = Rect::new(10.0, 10.0, 60.0, 60.0);
    assert_eq!(rect(&scene, "g"), region);
    assert_eq!(scene.stream.rects()[1], Rect::new(20.0, 0.0, 20.0, 0.0));
    assert_eq!(rect(&scene, "inner"), Rect::new(20.0, 20.0, 60.0, 60.0));
    let (r, s) = (position(&scene, "r"), position(&scene, "s") + 2);
    assert_eq!(scene.stream.rects()[r], Rect::new(15.0, 0.0, 65.0, 50.0));
    assert_eq!(bounds.boxes[r], Rect::new(20.0, 20.0, 40.0, 50.0), "what the offset shows");
    assert_eq!(bounds.boxes[0], Rect::new(40.0, 20.0, 60.0, 50.0), "where it lands");
    assert!(bounds.boxes[s].is_empty(), "both land outside of the region");
    let landings = reference::landings(&scene.stream, &bounds);
    assert_eq!(landings[r], bounds.boxes[0]);
}

#[test]
fn clips_apply_after_filters() {
    let (scene, bounds) = scene(&format!(
        "{CLIP}<filter id='f' filterUnits='userSpaceOnUse' x='10' y='10' width='50' height='10.5'>
           <feFlood/></filter><g id='g' filter='url(#f)' clip-path='url(#c)'/>"
    ));
    let clip = ["begin_clip_blend", "begin_clip", "end_clip", "end_clip_blend"];
    assert_eq!(names(&scene), clip);
    assert_eq!(scene.origins[1].source, "filter");
    assert_eq!(scene.stream.rects()[1], Rect::NOTHING, "a flood reads nothing");
    assert!(scene.stream.tags()[0].is_filling());
    assert_eq!(bounds.boxes[0], Rect::new(20.0, 20.0, 60.0, 21.0));
}

/// Returns the footprint of the spread node of a filter with these primitives, and whether the filter
/// fills its region.
fn footprint(primitives: &str, attributes: &str) -> (Rect, bool) {
    let (scene, _) = scene(&format!(
        "<filter id='f' filterUnits='userSpaceOnUse' width='90' height='90'>{primitives}</filter>
         <g id='g' filter='url(#f)' {attributes}><rect width='30' height='30'/></g>"
    ));
    let found = scene.stream.tags().iter().position(|tag| tag.is_spread());
    let footprint = found.map_or(Rect::new(0.0, 0.0, 0.0, 0.0), |at| scene.stream.rects()[at]);
    (footprint, scene.stream.tags()[0].is_filling())
}

#[test]
fn primitives_have_their_footprints() {
    let around = |x: f32, y: f32| Rect::new(-x, -y, x, y);
    let right = |x: f32| Rect::new(0.0, 0.0, x, 0.0);
    let (every, none) = (Footprint::EVERYWHERE.to_rect(), around(0.0, 0.0));
    let identity = "kernelMatrix='1 0 0 0 0 0 0 0 0'";
    let convolve = |more| format!("<feConvolveMatrix order='3' {identity} {more}/>");
    let on_alpha = |more| format!("<feComposite operator={more} in2='SourceAlpha'/>");
    let matrix = |offset, alpha| {
        let rows = format!("1 0 0 0 {offset} 0 1 0 0 {offset} 0 0 1 0 {offset} 0 0 0 1 {alpha}");
        format!("<feColorMatrix values='{rows}'/>")
    };
    let alpha = |more| format!("<feComponentTransfer><feFuncA {more}/></feComponentTransfer>");
    let merge = "<feMerge><feMergeNode in='o'/><feMergeNode in='SourceGraphic'/></feMerge>";
    let local = [
        ("<feOffset dx='1.5' dy='-2'/>", Rect::new(1.0, -2.0, 2.0, -2.0)),
        ("<feOffset dx='3'/><feOffset dx='4'/>", Rect::new(7.0, 0.0, 7.0, 0.0)),
        ("<feDropShadow dx='9' dy='0' stdDeviation='0'/>", right(9.0)),
        ("<feMorphology radius='2 3' operator='dilate'/>", around(2.0, 3.0)),
        ("<feConvolveMatrix order='3 1' kernelMatrix='1 0 0' targetX='2'/>", right(2.0)),
        (&convolve("edgeMode='wrap'"), every),
        ("<feTile/>", every),
        ("<feFlood flood-opacity='0'/>", none),
        (&("<feFlood/>".to_owned() + &on_alpha("'in'")), none),
        (&("<feFlood/>".to_owned() + &on_alpha("'atop'")), none),
        (&on_alpha("'arithmetic' k2='1'"), none),
        (&matrix("1", "0"), none),
        (&alpha("type='table' tableValues='0 1'"), none),
        (&format!("<feOffset dx='8' result='o'/>{merge}"), right(8.0)),
        ("<feOffset dx='8' result='o'/><feBlend in='SourceGraphic' in2='o'/>", right(8.0)),
        ("<feDisplacementMap in2='SourceGraphic' scale='4'/>", around(8.0, 8.0)),
    ];
    let filling = [
        (&*convolve("bias='.1'"), around(1.0, 1.0)),
        ("<feFlood/><feTile/>", none),
        ("<feTurbulence baseFrequency='.1'/>", none),
        ("<feDiffuseLighting><feDistantLight/></feDiffuseLighting>", around(1.0, 1.0)),
        ("<feSpecularLighting><feDistantLight/></feSpecularLighting>", around(1.0, 1.0)),
        (&("<feFlood/>".to_owned() + &on_alpha("'out'")), none),
        (&on_alpha("'arithmetic' k4='.1'"), none),
        (&matrix("0", ".1"), none),
        (&alpha("type='linear' intercept='.1'"), none),
    ];
    for (rows, fills) in [(&local[..], false), (&filling, true)] {
        for (primitives, sides) in rows {
            assert_eq!(footprint(primitives, ""), (*sides, fills), "{primitives}");
        }
    }
    let (blur, _) = footprint("<feGaussianBlur stdDeviation='4 0'/>", "");
    assert!(blur.x1 >= 12.0 && blur.x0 == -blur.x1 && (blur.y0, blur.y1) == (0.0, 0.0), "{blur:?}");
}

#[test]
fn footprints_rotate_with_their_element() {
    let offset = "<feOffset dx='6' dy='2'/>";
    let turned = |transform: &str| footprint(offset, &format!("transform='{transform}'")).0;
    assert_eq!(turned("scale(2 3)"), Rect::new(12.0, 6.0, 12.0, 6.0));
    assert_eq!(turned("matrix(0 1 -1 0 50 0)"), Rect::new(-2.0, 6.0, -2.0, 6.0));
    let slanted = turned("rotate(30)");
    let middle = (6.0 * 0.866 - 1.0, 3.0 + 2.0 * 0.866);
    assert!(
        slanted.x0 < middle.0 && middle.0 < slanted.x1 && slanted.width() < 12.0,
        "{slanted:?}"
    );
    assert!(slanted.y0 < middle.1 && middle.1 < slanted.y1, "{slanted:?}");
}

#[test]
fn filter_functions_have_no_region() {
    let (_, bounds) = scene("<rect width='9' height='9' filter='drop-shadow(70px 0 0 red)'/>");
    assert_eq!(bounds.boxes[0], Rect::new(0.0, 0.0, 79.0, 9.0));
}

#[test]
fn raster_images_are_draws_and_svg_images_are_clipped_blends() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
    let svg = "%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2210%22 height=%2210%22%3E%3Crect id=%22in%22 width=%225%22 height=%2250%22/%3E%3C/svg%3E";
    let (scene, _) = scene(&format!(
        "<image id='a' x='10' y='10' width='20' height='20' href='data:image/png;base64,{png}'/>
         <image id='b' x='50' y='50' width='20' height='20' href='data:image/svg+xml,{svg}'/>
         <image id='c' x='50' y='50' width='20' height='20' href='nowhere.png'/>"
    ));
    assert_eq!(rect(&scene, "a"), Rect::new(10.0, 10.0, 30.0, 30.0));
    assert_eq!(
        names(&scene),
        ["draw", "begin_clip", "begin_blend", "draw", "end_blend", "end_clip"]
    );
    assert_eq!(scene.origins[2].own, Some(Rect::new(50.0, 50.0, 70.0, 70.0)));
    assert_eq!(rect(&scene, "in"), Rect::new(50.0, 50.0, 60.0, 150.0));
}
