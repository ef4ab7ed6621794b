//! Invalid, huge or deep lists produce a typed error or the same picture, without a panic or a stack overflow.

use crate::support::paint::paint;
use anyrender::filters::FilterEffect;
use anyrender::recording::{RenderCommand, Scene};
use anyrender::{Filter, Glyph, Paint, PaintScene};
use kurbo::{Affine, BezPath, Rect, Shape, Stroke};
use peniko::{Blob, Color, Fill, FontData, ImageBrush, ImageSampler, Mix};
use std::sync::Arc;
use std::time::{Duration, Instant};
use treebounds_anyrender::{Error, Optimizer, Options, Workspace, optimize, stream};
use treebounds_core::reference;
use treebounds_testkit::font;
use treebounds_testkit::lists::{image_of, viewport};

const UNIT: Rect = Rect::new(0.0, 0.0, 30.0, 30.0);

fn fill(scene: &mut Scene, transform: Affine, rect: Rect) {
    scene.fill(Fill::NonZero, transform, Color::WHITE, None, &rect);
}

/// Pushes a layer as large as the picture, optionally with a backdrop blur.
fn push(scene: &mut Scene, alpha: f32, blurs: bool) {
    let blur = || Arc::new(Filter::single(FilterEffect::blur(2.0)));
    let (at, clip) = (Affine::IDENTITY, viewport());
    scene.push_layer(Fill::NonZero, Mix::Normal, alpha, at, &clip, None, blurs.then(blur));
}

fn push_clip(scene: &mut Scene, clip: Rect) {
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
}

fn glyph(scene: &mut Scene, font: &FontData, x: f32, size: f32, embolden: f32) {
    scene.draw_glyphs(
        font,
        size,
        false,
        &[],
        kurbo::Vec2::splat(embolden.into()),
        Fill::NonZero,
        Color::WHITE,
        1.0,
        Affine::IDENTITY,
        None,
        [Glyph { id: 40, x, y: 0.0 }].into_iter(),
    );
}

fn stream_and_optimize(scene: &Scene) -> Result<(), Error> {
    let streamed = stream(scene, viewport()).map(|_| ());
    let optimized = optimize(scene, viewport()).map(|_| ());
    assert_eq!(streamed, optimized);
    optimized
}

#[test]
fn errors_locate_unbalanced_layers() {
    let mut scene = Scene::new();
    fill(&mut scene, Affine::IDENTITY, UNIT);
    scene.pop_layer();
    assert_eq!(stream_and_optimize(&scene), Err(Error::NothingOpen { command: 1 }));
    let mut scene = Scene::new();
    push_clip(&mut scene, UNIT);
    push_clip(&mut scene, UNIT);
    assert_eq!(stream_and_optimize(&scene), Err(Error::StillOpen { count: 2, innermost: 1 }));
}

#[test]
fn errors_locate_non_finite_numbers() {
    let nan = f64::NAN;
    let refused = |add: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::new();
        fill(&mut scene, Affine::IDENTITY, UNIT);
        add(&mut scene);
        assert!(matches!(stream_and_optimize(&scene), Err(Error::NotFinite { command: 1, .. })));
        // The list is painted unchanged.
        let (mut painter, mut workspace) = (Scene::new(), Workspace::new());
        let mut optimizer =
            Optimizer::new(&mut painter, &mut workspace, viewport(), Options::EXACT);
        optimizer.append_scene(scene.clone(), Affine::IDENTITY);
        assert!(optimizer.finish().is_err());
        assert_eq!(painter.commands.len(), scene.commands.len());
    };
    for bad in [Affine::translate((nan, 0.0)), Affine::scale(f64::INFINITY)] {
        refused(&|scene| fill(scene, bad, UNIT));
        refused(&|scene| scene.stroke(&Stroke::new(1.0), bad, Color::WHITE, None, &UNIT));
        refused(&|scene| scene.draw_box_shadow(bad, UNIT, Color::WHITE, 1.0, 1.0));
        refused(&|scene| {
            scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, Some(bad), &UNIT)
        });
        refused(&|scene| {
            scene.push_clip_layer(Fill::NonZero, bad, &UNIT);
            scene.pop_layer();
        });
    }
    for [x, size, embolden] in
        [[f32::NAN, 9.0, 0.0], [0.0, f32::INFINITY, 0.0], [0.0, 9.0, f32::NAN]]
    {
        refused(&|scene| glyph(scene, font(), x, size, embolden));
    }
    refused(&|scene| fill(scene, Affine::IDENTITY, Rect::new(0.0, nan, 1.0, 1.0)));
    refused(&|scene| scene.draw_box_shadow(Affine::IDENTITY, UNIT, Color::WHITE, 1.0, nan));
    refused(&|scene| scene.stroke(&Stroke::new(nan), Affine::IDENTITY, Color::WHITE, None, &UNIT));
    refused(&|scene| {
        let mut path = BezPath::new();
        path.move_to((0.0, 0.0));
        path.curve_to((1.0, f64::INFINITY), (0.0, 0.0), (1.0, 1.0));
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &path);
        scene.pop_layer();
    });
    refused(&|scene| {
        push(scene, f32::NAN, false);
        scene.pop_layer();
    });
    let bad_viewport = Rect::new(0.0, 0.0, nan, 1.0);
    assert_eq!(optimize(&Scene::new(), bad_viewport).unwrap_err(), Error::Viewport);
    assert_eq!(stream(&Scene::new(), bad_viewport).unwrap_err(), Error::Viewport);
}

#[test]
fn invisible_content_is_skipped_but_must_balance() {
    let away = Rect::new(9e5, 0.0, 9e5 + 9.0, 9.0);
    let mut scene = Scene::new();
    push_clip(&mut scene, away);
    push_clip(&mut scene, UNIT);
    fill(&mut scene, Affine::translate((f64::NAN, 0.0)), UNIT);
    let open = scene.clone();
    scene.pop_layer();
    scene.pop_layer();
    fill(&mut scene, Affine::IDENTITY, UNIT);
    let (optimized, report) = optimize(&scene, viewport()).unwrap();
    assert_eq!((optimized.commands.len(), report.culled_layers), (1, 1));
    let before = report.before;
    assert_eq!((before.commands, before.layers, before.depth, before.layer_pixels), (6, 2, 2, 0));
    let still_open = Error::StillOpen { count: 2, innermost: 1 };
    assert_eq!(optimize(&open, viewport()).unwrap_err(), still_open);
    // `stream` computes the box of every command, and `cull` checks visibility.
    assert!(matches!(stream(&scene, viewport()), Err(Error::NotFinite { command: 2, .. })));
    let all = Options { cull: false, ..Options::EXACT };
    let refused = Workspace::new().optimize(&mut scene, viewport(), &all);
    assert!(matches!(refused, Err(Error::NotFinite { command: 2, .. })));
}

#[test]
fn flat_and_empty_shapes_keep_the_picture() {
    let flat = [Affine::scale(0.0), Affine::scale_non_uniform(1.0, 0.0), Affine::new([1.0; 6])];
    let mut dot = BezPath::new();
    dot.move_to((3.0, 3.0));
    let shapes =
        [BezPath::new(), dot, Rect::new(5.0, 5.0, 5.0, 25.0).to_path(0.1), UNIT.to_path(0.1)];
    for transform in flat.into_iter().chain([Affine::IDENTITY]) {
        let mut scene = Scene::new();
        for shape in &shapes {
            fill(&mut scene, Affine::IDENTITY, Rect::new(20.0, 2.0, 40.0, 12.0));
            scene.fill(Fill::NonZero, transform, Color::BLACK, None, shape);
            scene.stroke(&Stroke::new(2.0), transform, Color::WHITE, None, shape);
            scene.push_clip_layer(Fill::NonZero, transform, shape);
            fill(&mut scene, Affine::IDENTITY, UNIT);
            scene.pop_layer();
        }
        let (optimized, _) = optimize(&scene, viewport()).unwrap();
        assert!(paint(&optimized) == paint(&scene), "{transform:?}");
    }
}

#[test]
fn huge_clips_are_counted_without_overflow() {
    let mut scene = Scene::new();
    let all = Rect::new(-1e300, -1e300, 1e300, 1e300);
    for _ in 0..40 {
        push_clip(&mut scene, all);
        fill(&mut scene, Affine::IDENTITY, UNIT);
        scene.pop_layer();
    }
    assert_eq!(stream_and_optimize(&scene), Ok(()));
    let report = Workspace::new().optimize(&mut scene, all, &Options::NONE).unwrap();
    assert_eq!(report.after.layer_pixels, u64::MAX);
}

/// Compares only counts: `vello_cpu` 0.3 panics on both inputs, optimized or not. The tests of the renderer paint
/// the image.
#[test]
fn unreadable_fonts_and_empty_images_are_kept() {
    let mut scene = Scene::new();
    glyph(&mut scene, &FontData::new(Blob::from(vec![1, 2, 3]), 7), 0.0, 12.0, 0.0);
    let image = image_of([0, 0], |_, _| [0; 4]);
    let brush = ImageBrush { image, sampler: ImageSampler::default() };
    scene.fill(Fill::NonZero, Affine::IDENTITY, brush.as_ref(), None, &UNIT);
    let (optimized, report) = optimize(&scene, viewport()).unwrap();
    assert_eq!(optimized.commands.len(), 2);
    assert_eq!(report.after.commands, 2);
}

/// A time limit that linear algorithms meet even on a slow machine, and quadratic ones miss even on a fast
/// machine.
const LINEAR: Duration = Duration::from_secs(30);

#[test]
fn opacity_folds_in_linear_time() {
    // Visiting the whole content of each layer would take 2 * 10^10 steps.
    const DEPTH: usize = 200_000;
    let mut scene = Scene::new();
    (0..DEPTH).for_each(|_| push(&mut scene, 0.999_999, false));
    fill(&mut scene, Affine::IDENTITY, UNIT);
    (0..DEPTH).for_each(|_| scene.pop_layer());
    let start = Instant::now();
    let all = Options { opacity: true, ..Options::ROUNDING };
    let report = Workspace::new().optimize(&mut scene, viewport(), &all).unwrap();
    assert_eq!((report.folded_groups, report.after.commands), (DEPTH, 1));
    assert!(start.elapsed() < LINEAR, "{:?}", start.elapsed());
    let [RenderCommand::Fill(fill)] = &scene.commands[..] else { panic!("{:?}", scene.commands) };
    let Paint::Solid(Color { components, .. }) = fill.brush else { panic!("{:?}", fill.brush) };
    let product = 0.999_999_f64.powi(DEPTH as i32) as f32;
    assert!((components[3] - product).abs() < 0.01, "{} instead of {product}", components[3]);
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn backdrop_filters_take_linear_time() {
    // Visiting all open layers at each filter would take 10^10 steps, or 4 * 10^10.
    const COUNT: usize = 200_000;
    let mut scene = Scene::new();
    for _ in 0..COUNT {
        push_clip(&mut scene, UNIT);
    }
    for _ in 0..COUNT {
        push(&mut scene, 1.0, true);
        fill(&mut scene, Affine::IDENTITY, UNIT);
        scene.pop_layer();
        fill(&mut scene, Affine::IDENTITY, UNIT);
    }
    (0..COUNT).for_each(|_| scene.pop_layer());
    let start = Instant::now();
    let report = Workspace::new().optimize(&mut scene, viewport(), &Options::EXACT).unwrap();
    // Each fill is behind the next filter, which reads it. The fill hides only content in its own filter's layer.
    assert_eq!((report.after.layers, report.hidden_draws), (2 * COUNT, COUNT));
    assert!(start.elapsed() < LINEAR, "{:?}", start.elapsed());
}

#[test]
fn draws_are_kept_behind_backdrop_filters_but_not_behind_outer_fills() {
    let mut scene = Scene::new();
    let unit = |scene: &mut Scene| fill(scene, Affine::IDENTITY, UNIT);
    unit(&mut scene); // kept: the filter may read it
    push_clip(&mut scene, UNIT);
    unit(&mut scene); // kept as well
    push(&mut scene, 1.0, true);
    scene.pop_layer();
    push_clip(&mut scene, UNIT);
    unit(&mut scene); // removed: behind the next
    unit(&mut scene); // removed: behind the last
    scene.pop_layer();
    scene.pop_layer();
    unit(&mut scene);
    let picture = paint(&scene);
    let (optimized, report) = optimize(&scene, viewport()).unwrap();
    assert_eq!(report.hidden_draws, 2, "{optimized:#?}");
    assert!(paint(&optimized) == picture);
}

#[test]
fn layers_may_nest_a_hundred_thousand_deep() {
    const DEPTH: usize = 100_000;
    let mut scene = Scene::new();
    for _ in 0..DEPTH {
        push_clip(&mut scene, UNIT);
    }
    fill(&mut scene, Affine::IDENTITY, UNIT);
    (0..DEPTH).for_each(|_| scene.pop_layer());
    let (optimized, report) = optimize(&scene, viewport()).unwrap();
    assert_eq!((report.before.depth, optimized.commands.len()), (DEPTH, 1));
    let bounds = reference::bounds(&stream(&scene, viewport()).unwrap().stream);
    assert_eq!(bounds.boxes[DEPTH], treebounds_core::Rect::new(0.0, 0.0, 30.0, 30.0));
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn lists_may_have_a_million_commands() {
    let mut scene = Scene::new();
    for i in 0..250_000_i32 {
        let at = Affine::translate((f64::from(i % 70), f64::from(i / 70 % 50)));
        scene.push_clip_layer(Fill::NonZero, at, &UNIT);
        fill(&mut scene, at, Rect::new(0.0, 0.0, 1.0, 1.0));
        fill(&mut scene, Affine::translate((f64::from(i), -40.0)), UNIT);
        scene.pop_layer();
    }
    let (optimized, report) = optimize(&scene, viewport()).unwrap();
    assert_eq!(report.before.commands, 1_000_000);
    assert!(optimized.commands.iter().all(|command| matches!(command, RenderCommand::Fill(_))));
    assert_eq!(stream(&scene, viewport()).unwrap().elements.len(), 1_000_000);
}
