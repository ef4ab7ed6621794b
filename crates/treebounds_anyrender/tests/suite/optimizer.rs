//! The optimizing painter produces the same commands as `optimize`, and passes on commands that cannot be recorded.
//! Also tests individual filters.

use crate::support::optimized;
use crate::support::paint::paint;
use crate::support::spy::Spy;
use anyrender::filters::FilterEffect;
use anyrender::recording::{FillCommand, RenderCommand, Scene};
use anyrender::{Filter, Paint, PaintRef, PaintScene};
use kurbo::{Affine, Rect, Shape, Vec2};
use peniko::{Color, Fill, Mix};
use std::sync::Arc;
use treebounds_anyrender::{Optimizer, Options, Report, Workspace, optimize, replay};
use treebounds_testkit::lists::{list, viewport};

const UNIT: Rect = Rect::new(2.0, 2.0, 30.0, 30.0);

fn white(scene: &mut impl PaintScene, rect: Rect) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &rect);
}

/// Paints a fill inside a clip that cuts nothing.
fn idle_clip(scene: &mut impl PaintScene) {
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &viewport());
    white(scene, UNIT);
    scene.pop_layer();
}

#[test]
fn paints_the_same_commands_as_optimize() {
    let mut workspace = Workspace::new();
    for seed in 0..1_000 {
        let scene = list(5_000_000 + seed);
        for options in [Options::EXACT, Options { opacity: true, ..Options::ROUNDING }] {
            let mut expected = scene.clone();
            let report = Workspace::new().optimize(&mut expected, viewport(), &options).unwrap();
            let mut painter = Scene::new();
            let mut optimizer = Optimizer::new(&mut painter, &mut workspace, viewport(), options);
            replay(&scene, &mut optimizer);
            assert_eq!(optimizer.finish(), Ok(report), "list {seed}, command by command");
            assert_eq!(painter, expected, "list {seed}, command by command");
            let mut painter = Scene::new();
            let mut optimizer = Optimizer::new(&mut painter, &mut workspace, viewport(), options);
            optimizer.append_scene(scene.clone(), Affine::IDENTITY);
            assert_eq!(optimizer.finish(), Ok(report), "list {seed}, appended");
            assert_eq!(painter, expected, "list {seed}, appended");
        }
    }
}

#[test]
fn appended_scenes_are_transformed() {
    let mut inner = Scene::new();
    idle_clip(&mut inner);
    let away = Affine::translate((0.0, 1_000.0));
    let (mut painter, mut workspace) = (Scene::new(), Workspace::new());
    let mut optimizer = Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
    optimizer.append_scene(inner.clone(), away);
    optimizer.append_scene(inner, Affine::IDENTITY);
    let report = optimizer.finish().unwrap();
    assert_eq!((report.culled_layers, report.idle_clips, painter.commands.len()), (1, 1, 1));
}

#[test]
fn a_custom_paint_ends_the_recording() {
    let (mut painter, mut workspace) = (Spy::default(), Workspace::new());
    let mut optimizer = Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
    idle_clip(&mut optimizer);
    let (fill, stroke) = (7_u32, 8_u32);
    optimizer.fill(Fill::NonZero, Affine::IDENTITY, PaintRef::Custom(&fill), None, &UNIT);
    idle_clip(&mut optimizer);
    let style = kurbo::Stroke::new(2.0);
    optimizer.stroke(&style, Affine::IDENTITY, PaintRef::Custom(&stroke), None, &UNIT);
    assert_eq!(optimizer.finish(), Ok(Report::default()));
    // Everything is unchanged, including clips that cut nothing.
    assert_eq!(painter.customs, [(3, 7), (7, 8)]);
    assert_eq!(painter.commands, 8);
    // The workspace can be reused.
    let mut next = Scene::new();
    let mut optimizer = Optimizer::new(&mut next, &mut workspace, viewport(), Options::EXACT);
    idle_clip(&mut optimizer);
    assert_eq!(optimizer.finish().unwrap().idle_clips, 1);
    assert_eq!(next.commands.len(), 1);
}

#[test]
fn a_custom_paint_in_an_appended_scene_ends_the_recording() {
    let mut inner = Scene::new();
    idle_clip(&mut inner);
    inner.commands.push(RenderCommand::Fill(FillCommand {
        fill: Fill::NonZero,
        transform: Affine::IDENTITY,
        brush: Paint::Custom(Arc::new(9_u32)),
        brush_transform: None,
        shape: UNIT.to_path(0.1),
    }));
    let (mut painter, mut workspace) = (Spy::default(), Workspace::new());
    let mut optimizer = Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
    idle_clip(&mut optimizer);
    optimizer.append_scene(inner, Affine::translate((1.0, 0.0)));
    assert_eq!(optimizer.finish(), Ok(Report::default()));
    assert_eq!((&painter.customs[..], painter.commands), (&[(6, 9)][..], 7));
}

#[test]
fn reset_clears_the_recording() {
    let custom = 1_u32;
    for has_custom in [false, true] {
        let (mut painter, mut workspace) = (Spy::default(), Workspace::new());
        let mut optimizer =
            Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
        // An open clip would be an error.
        optimizer.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &UNIT);
        if has_custom {
            optimizer.fill(Fill::NonZero, Affine::IDENTITY, PaintRef::Custom(&custom), None, &UNIT);
        }
        optimizer.reset();
        idle_clip(&mut optimizer);
        let report = optimizer.finish().unwrap();
        assert_eq!((report.before.commands, report.idle_clips), (3, 1));
        assert_eq!((painter.resets, painter.customs.len()), (1, 0));
        assert_eq!(painter.commands, 1);
    }
}

#[test]
fn dropped_optimizers_paint_nothing_and_leave_no_state() {
    let (mut painter, mut workspace) = (Scene::new(), Workspace::new());
    {
        let mut dropped = Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
        dropped.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &UNIT);
    }
    assert_eq!(painter.commands.len(), 0);
    let mut scene = Scene::new();
    idle_clip(&mut scene);
    let expected = optimize(&scene, viewport()).unwrap();
    let report = workspace.optimize(&mut scene, viewport(), &Options::EXACT).unwrap();
    assert_eq!((scene, report), expected);
}

/// Paints a layer with this clip and these filters, and inside it a fill of 10 by 10 pixels at each position.
fn filtered(
    scene: &mut Scene,
    transform: Affine,
    clip: Rect,
    [filter, backdrop]: [Option<FilterEffect>; 2],
    fills: &[(f64, f64)],
) {
    let [filter, backdrop] =
        [filter, backdrop].map(|effect| effect.map(|effect| Arc::new(Filter::single(effect))));
    scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, transform, &clip, filter, backdrop);
    for place in fills {
        let square = Rect::from_origin_size(*place, (10.0, 10.0));
        scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &square);
    }
    scene.pop_layer();
}

#[test]
fn filtered_layers_shrink_to_what_they_can_show() {
    // A blur by 1.5 pixels reaches 5: one column of the first fill is visible in the window, none of the second.
    let blur = || Some(FilterEffect::blur(1.5));
    let all = Rect::new(-500.0, -500.0, 500.0, 500.0);
    let mut scene = Scene::new();
    filtered(&mut scene, Affine::IDENTITY, all, [blur(), None], &[(-14.0, 20.0), (-15.0, 20.0)]);
    let (fewer, report) = optimized(&scene, viewport(), &Options::ROUNDING);
    assert_eq!((report.culled_draws, report.shrunk_layers), (1, 1));
    assert_eq!(clip_of(&fewer.commands[0]), Rect::new(0.0, 15.0, 1.0, 35.0));
    assert_eq!(paint(&fewer), paint(&scene));

    // The filter keeps its transform: here it blurs by 3.
    let mut scene = Scene::new();
    filtered(&mut scene, Affine::scale(2.0), all, [blur(), None], &[(20.0, 20.0)]);
    let (fewer, _) = optimized(&scene, viewport(), &Options::EXACT);
    let RenderCommand::PushLayer(layer) = &fewer.commands[0] else { panic!("{fewer:?}") };
    assert_eq!(layer.transform, Affine::scale(2.0));
    assert_eq!(paint(&fewer), paint(&scene));

    // An offset moves the fill out of the clip: the layer is removed too.
    let mut scene = Scene::new();
    let away = Some(FilterEffect::Offset(Vec2::new(300.0, 0.0)));
    filtered(&mut scene, Affine::IDENTITY, viewport(), [away, None], &[(100.0, 20.0)]);
    assert_eq!(optimized(&scene, viewport(), &Options::EXACT).0.commands, []);
}

#[test]
fn floods_and_wide_blurs_are_unchanged() {
    let effects = [FilterEffect::Flood(Color::BLACK), FilterEffect::blur(9.0)];
    for effect in effects {
        let mut scene = Scene::new();
        filtered(&mut scene, Affine::IDENTITY, viewport(), [Some(effect), None], &[(-400.0, 20.0)]);
        assert_eq!(optimized(&scene, viewport(), &Options::EXACT).0, scene);
    }
}

#[test]
fn backdrop_filter_inputs_are_neither_removed_nor_shrunk() {
    let blur = || Some(FilterEffect::blur(2.0));
    let (left, right) = (Rect::new(0.0, 0.0, 20.0, 50.0), Rect::new(0.0, 0.0, 70.0, 50.0));
    let mut scene = Scene::new();
    // A group that is clipped on the left. The filter may read its content on the right.
    scene.push_layer(Fill::NonZero, Mix::Multiply, 0.5, Affine::IDENTITY, &left, None, None);
    scene.fill(
        Fill::NonZero,
        Affine::IDENTITY,
        Color::WHITE,
        None,
        &Rect::new(21.0, 0.0, 30.0, 9.0),
    );
    // The filter, without content.
    filtered(&mut scene, Affine::IDENTITY, right, [None, blur()], &[]);
    // An opaque fill in front, which would hide the first fill.
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &right);
    scene.pop_layer();
    assert_eq!(optimized(&scene, viewport(), &Options::ROUNDING).0, scene);
    // The same inside another filter that would not show it.
    let mut nested = Scene::new();
    let clip = Rect::new(0.0, 0.0, 9.0, 9.0);
    let filter = blur().map(|effect| Arc::new(Filter::single(effect)));
    nested.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &clip, filter, None);
    nested.append_scene(scene, Affine::IDENTITY);
    nested.pop_layer();
    assert_eq!(optimized(&nested, viewport(), &Options::ROUNDING).0, nested);
}

fn clip_of(push: &RenderCommand) -> Rect {
    let RenderCommand::PushLayer(layer) = push else { panic!("{push:?}") };
    layer.clip.bounding_box()
}
