//! Tests scenes beyond the limits of Vello's own clip stage against an independent renderer.

use treebounds_tests::cpu::{Cpu, render_cpu};
use treebounds_tests::scenes::{self, Layer, Painter};
use treebounds_tests::vello::{difference, pipeline, render_vello, renderer};
use treebounds_vello::{Antialiasing, Clips, Error, Frame, Options, Pipeline, Report, Sizes};
use vello::Scene;
use vello::kurbo::{Rect, Shape};
use vello::peniko::Color;

fn white(width: u32, height: u32) -> Frame {
    Frame { base_color: Color::WHITE, ..Frame::new(width, height) }
}

/// Checks our picture against the CPU's, with this tolerance per channel. Returns the report of the frame.
fn check_ours(clips: Clips, scene: &Scene, frame: &Frame, expected: &[u8], most: u8) -> Report {
    let (found, report) =
        pipeline(clips).unwrap().render_to_pixels(scene.encoding(), frame).unwrap();
    let (count, worst) = difference(&found, expected);
    assert!(worst <= most, "{clips:?}: {count} pixels differ, by up to {worst}");
    report
}

/// Returns the difference between Vello's own renderer and the CPU.
fn vello_difference(scene: &Scene, frame: &Frame, expected: &[u8]) -> (usize, u8) {
    difference(&render_vello(&mut renderer(Antialiasing::Area), scene, frame), expected)
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn two_hundred_thousand_clip_elements_are_painted_correctly() {
    let (side, clips) = (scenes::SIDE, 100_000);
    let scene = scenes::painted(|scene| scenes::many_clips(scene, side, clips, 40));
    let frame = white(side, side);
    let expected = render_cpu(&frame, |cpu| scenes::many_clips(cpu, side, clips, 40));
    for clips in [Clips::Treebounds, Clips::TreeboundsShrink] {
        let report = check_ours(clips, &scene, &frame, &expected, 3);
        assert!(report.clips > 200_000);
    }
    let refused = pipeline(Clips::Vello).unwrap().render_to_pixels(scene.encoding(), &frame);
    assert!(matches!(refused, Err(Error::TooMany { .. })), "{refused:?}");
    let (count, most) = vello_difference(&scene, &frame, &expected);
    assert!(count > 1000 && most > 20, "Vello: {count} pixels differ, by up to {most}");
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn five_thousand_nested_layers_are_painted_correctly() {
    let depth = 5000;
    let scene = scenes::painted(|scene| scenes::deep_clips(scene, depth));
    let frame = white(64, 64);
    let expected = render_cpu(&frame, |cpu| scenes::deep_clips(cpu, depth));
    for clips in [Clips::Treebounds, Clips::TreeboundsShrink] {
        check_ours(clips, &scene, &frame, &expected, 2);
    }
    let refused = pipeline(Clips::Vello).unwrap().render_to_pixels(scene.encoding(), &frame);
    assert!(matches!(refused, Err(Error::TooMany { .. })), "{refused:?}");
    let (count, most) = vello_difference(&scene, &frame, &expected);
    assert!(count > 1000 && most > 20, "Vello: {count} pixels differ, by up to {most}");
}

/// Checks a frame that Vello leaves blank.
fn nested_groups(depth: u32) {
    let frame = white(1920, 1080);
    let paint = |painter: &mut Cpu| scenes::groups(painter, 1920, 1080, depth);
    let scene = scenes::painted(|scene| scenes::groups(scene, 1920, 1080, depth));
    let expected = render_cpu(&frame, paint);
    let report = check_ours(Clips::TreeboundsShrink, &scene, &frame, &expected, 2);
    assert!(report.used.spill_words <= (depth - 4) * 256 * 4, "{report:?}");
    let blank = render_vello(&mut renderer(Antialiasing::Area), &scene, &frame);
    assert!(blank.iter().all(|channel| *channel == 0), "Vello painted something");
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn five_full_screen_groups_are_painted_correctly() {
    nested_groups(5);
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn fifty_full_screen_groups_are_painted_correctly() {
    nested_groups(50);
}

/// With a planned blend spill, no frame of these scenes is rendered twice, and the pixels stay the same.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn the_blend_spill_is_planned() {
    let gpu = treebounds_tests::gpu::gpu();
    let groups = |depth| scenes::painted(|scene| scenes::groups(scene, 150, 100, depth));
    let examples = [
        ("five groups", white(150, 100), groups(5)),
        ("fifty groups", white(150, 100), groups(50)),
        ("left open", white(256, 256), scenes::left_open()),
        ("30 clips deep", white(64, 64), scenes::painted(|scene| scenes::deep_clips(scene, 30))),
    ];
    for (name, frame, scene) in examples {
        for clips in [Clips::Treebounds, Clips::TreeboundsShrink] {
            let render = |plan_spill| {
                let sizes = Sizes { spill_words: 0, ..Sizes::default() };
                let options = Options { clips, sizes, plan_spill };
                let mut pipeline = Pipeline::new(&gpu.device, &gpu.queue, &options).unwrap();
                pipeline.render_to_pixels(scene.encoding(), &frame)
            };
            let (before, without) = render(false).unwrap();
            let (after, with) = render(true).unwrap();
            let words = without.used.spill_words;
            println!(
                "| {name} | {clips:?} | {words} words | {} → {} attempts |",
                without.attempts, with.attempts
            );
            assert_eq!((without.attempts, with.attempts), (1 + u32::from(words > 0), 1), "{name}");
            assert!(before == after && words == with.used.spill_words, "{name}");
        }
    }
}

/// A frame with many draws and no layers makes buffers grow; the clips of the next frame must not be lost.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn frames_without_layers_do_not_affect_the_next() {
    let square = |at: f64, side: f64| Rect::new(at, at, at + side, at + side).to_path(0.1);
    let layered = |at: f64| {
        scenes::painted(|scene| {
            Painter::push(scene, &square(at, 20.0), Layer::opacity(0.5));
            Painter::push(scene, &square(at + 2.0, 9.0), Layer::Clip);
            Painter::fill(scene, &square(0.0, 64.0), Color::BLACK);
            Painter::pop(scene);
            Painter::pop(scene);
        })
    };
    let plain = scenes::painted(|scene| {
        (0..3000)
            .for_each(|at| Painter::fill(scene, &square(f64::from(at % 60), 1.0), Color::BLACK));
    });
    for clips in [Clips::Vello, Clips::Treebounds, Clips::TreeboundsShrink] {
        let mut kept = pipeline(clips).unwrap();
        for scene in [layered(3.0), plain.clone()] {
            kept.render_to_pixels(scene.encoding(), &white(64, 64)).unwrap();
        }
        let last = layered(33.0);
        let (found, _) = kept.render_to_pixels(last.encoding(), &white(64, 64)).unwrap();
        let mut fresh = pipeline(clips).unwrap();
        let (expected, _) = fresh.render_to_pixels(last.encoding(), &white(64, 64)).unwrap();
        assert_eq!(difference(&found, &expected), (0, 0), "{clips:?}");
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn unclosed_layers_are_painted_as_closed() {
    let scene = scenes::left_open();
    assert!(scene.encoding().n_open_clips > 0);
    let frame = white(scenes::SIDE, scenes::SIDE);
    let expected = render_cpu(&frame, scenes::left_open_closed);
    for clips in [Clips::Vello, Clips::Treebounds, Clips::TreeboundsShrink] {
        check_ours(clips, &scene, &frame, &expected, 2);
    }
    let (count, most) = vello_difference(&scene, &frame, &expected);
    assert!(count > 1000 && most > 20, "Vello: {count} pixels differ, by up to {most}");
}
