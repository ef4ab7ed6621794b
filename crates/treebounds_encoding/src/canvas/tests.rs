use super::{Canvas, CanvasError, FilterFunction, Place};
use crate::Scene;
use kurbo::{Affine, Arc, BezPath, Circle, Rect as Square, Stroke, Vec2};
use peniko::{Compose, Mix};
use treebounds_core::{Footprint, NodeKind, Rect, Role, Tag, reference};

const FIRST: Square = Square::new(0.0, 0.0, 10.0, 10.0);

fn rects(scene: &Scene) -> Vec<[f32; 4]> {
    scene.stream.rects().iter().map(|rect| rect.to_array()).collect()
}

fn names(scene: &Scene) -> Vec<&'static str> {
    scene.stream.tags().iter().map(|tag| tag.name()).collect()
}

#[test]
fn each_call_has_its_box() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.translate((5.0, 0.0)).scale(2.0, 1.0).fill(&FIRST);
    canvas.set_transform(Affine::IDENTITY).stroke(&Stroke::new(2.0), &FIRST);
    canvas.draw_image((30.0, 20.0), Affine::translate((1.0, 2.0)));
    canvas.draw_glyphs([Square::new(1.0, 1.0, 2.0, 3.0), Square::new(4.0, 0.0, 5.0, 2.0)]);
    canvas.rotate(std::f64::consts::FRAC_PI_2).fill(&FIRST);
    let scene = canvas.finish().unwrap();
    let expected = [
        [5.0, 0.0, 25.0, 10.0],
        [-1.0, -1.0, 11.0, 11.0],
        [1.0, 2.0, 31.0, 22.0],
        [1.0, 0.0, 5.0, 3.0],
        [-10.0, 0.0, 0.0, 10.0],
    ];
    assert_eq!(rects(&scene), expected);
    let sources: Vec<_> = scene.origins.iter().map(|origin| origin.source.as_ref()).collect();
    assert_eq!(sources, ["fill", "stroke", "image", "glyphs", "fill"]);
}

#[test]
fn the_box_of_a_circle_is_exact() {
    let circle = Circle::new((50.0, 50.0), 30.0);
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.fill(&circle).stroke(&Stroke::new(10.0), &circle);
    canvas.translate((50.0, 50.0)).rotate(0.7).translate((-50.0, -50.0)).fill(&circle);
    let scene = canvas.finish().unwrap();
    let expected = [[20.0, 20.0, 80.0, 80.0], [15.0, 15.0, 85.0, 85.0], [20.0, 20.0, 80.0, 80.0]];
    assert_eq!(rects(&scene), expected);
}

#[test]
fn empty_draws_have_an_empty_box() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.fill(&BezPath::new()).stroke(&Stroke::new(0.0), &FIRST).draw_glyphs([]);
    canvas.clip(&BezPath::new()).fill(&FIRST);
    let scene = canvas.finish().unwrap();
    let bounds = reference::bounds(&scene.stream);
    assert!(bounds.boxes.iter().all(|rect| rect.is_empty()));
}

#[test]
fn restore_closes_the_clips_since_save_and_restores_the_transform() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.clip(&FIRST).save().translate((1.0, 1.0)).clip(&FIRST).clip(&FIRST).restore();
    assert_eq!(canvas.transform, Affine::IDENTITY);
    let scene = canvas.finish().unwrap();
    let (open, close) = ("begin_clip", "end_clip");
    assert_eq!(names(&scene), [open, open, open, close, close, close]);
    let indices: Vec<_> = scene.origins.iter().map(|origin| origin.index).collect();
    assert_eq!(indices, [0, 1, 2, 2, 1, 0]);
    assert_eq!(scene.notes, ["the clip at element 0 was open at the end and has been closed"]);
}

#[test]
fn layer_calls_produce_their_tags() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.push_layer(Mix::Normal, 1.0, Affine::translate((3.0, 0.0)), &FIRST);
    canvas.push_layer(Compose::SrcIn, 1.0, Affine::IDENTITY, &FIRST);
    canvas.push_group(Mix::Multiply, 0.5).push_group(Compose::Copy, 1.0);
    canvas.push_clip_layer(Affine::IDENTITY, &FIRST);
    canvas.push_luminance_mask_layer(1.0, Affine::IDENTITY, &FIRST);
    for _ in 0..6 {
        canvas.pop_layer();
    }
    let scene = canvas.finish().unwrap();
    let expected = [
        Tag::begin(NodeKind::ClipBlend),
        Tag::begin(NodeKind::ClipBlend).non_local(),
        Tag::begin(NodeKind::Blend),
        Tag::begin(NodeKind::Blend).non_local(),
        Tag::begin(NodeKind::Clip),
        Tag::begin(NodeKind::ClipBlend).non_local(),
    ];
    assert_eq!(scene.stream.tags()[..6], expected);
    assert_eq!(rects(&scene)[0], [3.0, 0.0, 13.0, 10.0]);
    assert_eq!(scene.stream.rects()[2], Rect::EVERYTHING);
    assert!(scene.notes.is_empty());
    assert!(scene.stream.tags()[6..].iter().all(|tag| tag.role() == Role::End));
}

#[test]
fn errors_contain_their_place() {
    let place = |element, id: &str| Place {
        element,
        id: Some(id.into()).filter(|s: &String| !s.is_empty()),
    };

    let mut canvas = Canvas::new(10.0, 10.0);
    canvas.fill(&FIRST).restore();
    assert_eq!(canvas.error(), Some(&CanvasError::NothingSaved { before: place(1, "") }));

    let mut canvas = Canvas::new(10.0, 10.0);
    canvas.save().label("card").push_group(Mix::Normal, 1.0).restore();
    let error = CanvasError::LayerOpen { before: place(1, ""), layer: place(0, "card") };
    assert_eq!(canvas.clone().finish(), Err(error.clone()));
    assert!(error.to_string().contains("the layer at element 0 ('card')"), "{error}");
    // Only the first error counts.
    canvas.pop_layer().pop_layer();
    assert_eq!(canvas.finish(), Err(error));

    let mut canvas = Canvas::new(10.0, 10.0);
    canvas.save().pop_layer();
    assert_eq!(canvas.finish(), Err(CanvasError::NoLayer { before: place(0, "") }));
}

#[test]
fn nan_errors_contain_their_place() {
    let nan = Square::new(0.0, f64::NAN, 1.0, 1.0);
    let refused = |draw: &dyn Fn(&mut Canvas) -> &mut Canvas| {
        let mut canvas = Canvas::new(10.0, 10.0);
        canvas.fill(&FIRST).label("odd");
        draw(&mut canvas);
        canvas.finish().unwrap_err().to_string()
    };
    assert_eq!(
        refused(&|canvas| canvas.fill(&nan)),
        "the fill at element 1 ('odd') has a coordinate that is NaN; check its shape, transform and style"
    );
    let hairy = Stroke::new(f64::NAN);
    assert!(refused(&|canvas| canvas.stroke(&hairy, &FIRST)).contains("the stroke at"));
    assert!(refused(&|canvas| canvas.clip(&nan)).contains("the clip at"));
    assert!(refused(&|canvas| canvas.draw_glyphs([nan])).contains("the glyphs at"));
    assert!(refused(&|canvas| canvas.rotate(f64::NAN).fill(&FIRST)).contains("NaN"));
    let hole = Circle::new((0.0, 0.0), f64::NAN);
    assert!(refused(&|canvas| canvas.fill(&hole)).contains("NaN"));
    assert!(Canvas::new(f32::NAN, 1.0).finish().is_err());
}

#[test]
fn infinite_shapes_have_unlimited_boxes() {
    let mut canvas = Canvas::new(10.0, 10.0);
    canvas.fill(&Circle::new((0.0, 0.0), f64::INFINITY));
    canvas.fill(&Arc::new((0.0, 0.0), (1e300, 1e300), 0.0, 1e300, 0.0));
    let scene = canvas.finish().unwrap();
    assert_eq!(scene.stream.rects(), [Rect::EVERYTHING; 2]);
}

#[test]
fn shadows_and_filters_are_spread_nodes_around_draws() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.save().scale(2.0, 2.0).shadow_blur(4.0).shadow_offset((10.0, 0.0));
    canvas.label("card").fill(&FIRST).restore();
    canvas.fill(&FIRST);
    canvas.filter(&[FilterFunction::Blur(2.0), FilterFunction::Color, FilterFunction::Blur(2.0)]);
    let far = Square::new(109.0, 0.0, 120.0, 10.0);
    canvas.clip(&Square::new(0.0, 0.0, 50.0, 100.0)).stroke(&Stroke::new(2.0), &FIRST).fill(&far);
    let scene = canvas.finish().unwrap();
    let (spread, draw, end) = ("begin_spread", "draw", "end_spread");
    assert_eq!(names(&scene)[..5], [spread, draw, end, draw, "begin_clip"]);
    // The transform moves the card but not its shadow, which is 10 pixels to the right and blurred by two.
    assert_eq!(rects(&scene)[..2], [[0.0, -6.0, 16.0, 6.0], [0.0, 0.0, 20.0, 20.0]]);
    // Two blurs add up to 12 pixels.
    assert_eq!(rects(&scene)[5], [-12.0, -12.0, 12.0, 12.0]);
    let ids: Vec<_> = scene.origins.iter().map(|origin| origin.id.as_deref()).collect();
    assert_eq!(ids[..4], [Some("card"), Some("card"), Some("card"), None]);
    let indices: Vec<_> = scene.origins.iter().map(|origin| origin.index).collect();
    assert_eq!(indices[..4], [0, 0, 0, 1]);
    let bounds = reference::bounds(&scene.stream);
    // The shadow ends at 20 + 16.
    assert_eq!(bounds.boxes[0], Rect::new(0.0, 0.0, 36.0, 26.0));
    assert_eq!(bounds.boxes[5], Rect::new(0.0, 0.0, 23.0, 23.0));
    // The distance of the last draw from the clip exceeds the blur's reach.
    assert_eq!(bounds.boxes[9], Rect::NOTHING);
}

#[test]
fn invalid_effects_are_ignored_and_huge_ones_limited() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.shadow_blur(-1.0).shadow_blur(f64::NAN).shadow_offset((f64::INFINITY, 0.0)).fill(&FIRST);
    canvas.filter(&[FilterFunction::Blur(-4.0)]).fill(&FIRST).filter(&[]).fill(&FIRST);
    canvas.filter(&[FilterFunction::Blur(1e9), FilterFunction::Blur(f64::INFINITY)]).fill(&FIRST);
    let shadow = FilterFunction::DropShadow { offset: Vec2::new(f64::NAN, 0.0), deviation: 0.0 };
    canvas.filter(&[shadow]).fill(&FIRST);
    let scene = canvas.finish().unwrap();
    assert_eq!(names(&scene)[..4], ["draw", "draw", "draw", "begin_spread"]);
    assert_eq!(scene.stream.rects()[3], Footprint::EVERYWHERE.to_rect());
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.shadow_blur(1.0).fill(&Square::new(0.0, f64::NAN, 1.0, 1.0));
    assert!(canvas.finish().unwrap_err().to_string().contains("the fill at element 1"));
}
