//! The painter that optimizes: the same commands as `optimize` gives, and what it does with what cannot be recorded.

use crate::support::lists::{list, viewport};
use crate::support::spy::Spy;
use anyrender::recording::{FillCommand, RenderCommand, Scene};
use anyrender::{Paint, PaintRef, PaintScene};
use kurbo::{Affine, Rect, Shape};
use peniko::{Color, Fill};
use std::sync::Arc;
use treebounds_anyrender::{Optimizer, Options, Report, Workspace, optimize, replay};

const UNIT: Rect = Rect::new(2.0, 2.0, 30.0, 30.0);

fn white(scene: &mut impl PaintScene, rect: Rect) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &rect);
}

/// A clip that cuts nothing, around a fill.
fn idle_clip(scene: &mut impl PaintScene) {
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &viewport());
    white(scene, UNIT);
    scene.pop_layer();
}

#[test]
fn paints_what_optimize_gives() {
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
fn an_appended_scene_is_where_its_transform_says() {
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
    // All as it came: idle clips too.
    assert_eq!(painter.customs, [(3, 7), (7, 8)]);
    assert_eq!(painter.commands, 8);
    // The workspace is good for the next.
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
fn reset_begins_anew() {
    let custom = 1_u32;
    for has_custom in [false, true] {
        let (mut painter, mut workspace) = (Spy::default(), Workspace::new());
        let mut optimizer =
            Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
        // A clip that stays open would be an error.
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
fn one_that_is_dropped_paints_nothing_and_leaves_nothing_behind() {
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
