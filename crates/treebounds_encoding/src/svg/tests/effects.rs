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
fn blends_have_no_extent_of_their_own() {
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
fn a_clip_on_one_element_goes_by_its_id() {
    let (scene, _) =
        scene(&format!("{CLIP}<rect id='r' width='30' height='30' clip-path='url(#c)'/>"));
    let ids: Vec<_> = scene.origins.iter().map(|origin| origin.id.as_deref()).collect();
    assert_eq!(ids, [Some("r"); 3]);
}

#[test]
fn clip_paths_in_both_units_on_each_other_and_inside() {
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
    assert_eq!(rect(&scene, "a"), Rect::new(30.0, 10.0, 50.0, 30.0));
    assert_eq!(rect(&scene, "b"), Rect::new(30.0, 10.0, 50.0, 30.0));
    assert_eq!(rect(&scene, "c"), Rect::new(0.0, 0.0, 100.0, 50.0));
    assert!(near(rect(&scene, "d"), Rect::new(-20.0, -15.0, 0.0, 5.0)));
}

#[test]
fn a_mask_clips_to_what_it_paints_in_its_region() {
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
        assert!(near(rect(&scene, "b"), Rect::new(30.0, 30.0, 50.0, 40.0)));
        assert_eq!(rect(&scene, "c"), Rect::NOTHING);
        let tags = scene.stream.tags();
        assert!(tags.iter().all(|tag| !tag.is_non_local()), "masks of SVG are local");
        assert_eq!(names(&scene)[0], "begin_clip_blend");
    }
}

#[test]
fn what_is_inside_a_filter_takes_its_region() {
    let (scene, bounds) = scene(&format!(
        "{CLIP}<filter id='f' filterUnits='userSpaceOnUse' x='10' y='10' width='50' height='50'>
           <feOffset dx='20'/></filter>
         <g id='g' filter='url(#f)'>
           <g clip-path='url(#c)' id='inner'><rect id='r' width='5' height='5'/></g>
           <circle id='s' cx='80' cy='80' r='5' filter='blur(1)'/>
         </g>"
    ));
    let region = Rect::new(10.0, 10.0, 60.0, 60.0);
    assert_eq!(rect(&scene, "g"), region);
    assert_eq!(draws(&scene), [region, region]);
    assert_eq!(rect(&scene, "inner"), Rect::EVERYTHING);
    let own = |id: &str| scene.origins[position(&scene, id)].own;
    assert_eq!(own("inner"), Some(Rect::new(20.0, 20.0, 60.0, 60.0)));
    assert_eq!(own("r"), Some(Rect::new(0.0, 0.0, 5.0, 5.0)));
    assert_eq!(bounds.boxes[0], region);
}

#[test]
fn a_filter_outside_a_clip_is_cut_by_it() {
    let (scene, bounds) = scene(&format!(
        "{CLIP}<filter id='f' filterUnits='userSpaceOnUse' x='10' y='10' width='50' height='10.5'>
           <feFlood/></filter><g id='g' filter='url(#f)' clip-path='url(#c)'/>"
    ));
    assert_eq!(names(&scene), ["begin_clip_blend", "draw", "end_clip_blend"]);
    assert_eq!(scene.origins[1].source, "filter");
    assert_eq!(bounds.boxes[1], Rect::new(20.0, 20.0, 60.0, 21.0));
}

#[test]
fn images_raster_and_svg() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
    let svg = "%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2210%22 height=%2210%22%3E%3Crect id=%22in%22 width=%225%22 height=%2250%22/%3E%3C/svg%3E";
    let (scene, _) = scene(&format!(
        "<image id='a' x='10' y='10' width='20' height='20' href='data:image/png;base64,{png}'/>
         <image id='b' x='50' y='50' width='20' height='20' href='data:image/svg+xml,{svg}'/>
         <image id='c' x='50' y='50' width='20' height='20' href='nowhere.png'/>"
    ));
    assert_eq!(rect(&scene, "a"), Rect::new(10.0, 10.0, 30.0, 30.0));
    assert_eq!(names(&scene), ["draw", "begin_blend", "draw", "end_blend"]);
    assert_eq!(scene.origins[1].own, Some(Rect::new(50.0, 50.0, 70.0, 70.0)));
    assert_eq!(rect(&scene, "in"), Rect::new(50.0, 50.0, 60.0, 150.0));
}

#[test]
fn patterns_leave_the_box_alone() {
    let (scene, _) = scene(
        "<pattern id='p' width='5' height='5' patternUnits='userSpaceOnUse'>
           <rect width='50' height='50'/></pattern>
         <rect id='r' width='30' height='30' fill='url(#p)'/>",
    );
    assert_eq!(draws(&scene), [Rect::new(0.0, 0.0, 30.0, 30.0)]);
}
