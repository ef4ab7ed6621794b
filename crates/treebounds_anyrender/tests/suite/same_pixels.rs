//! Optimized lists paint the same picture: bit for bit with 8 bits per channel, and up to a rounding in floating
//! point.
//!
//! `TREEBOUNDS_LISTS=20000 cargo test --release -p treebounds_anyrender --test suite same_pixels::` tries more lists.

use crate::support::Sums;
use crate::support::paint::{difference, paint, paint_in_floats};
use anyrender::recording::{RenderCommand, Scene};
use treebounds_anyrender::{Exactness, Options, Report};
use treebounds_testkit::lists::{count as lists, list, viewport};

fn optimized(scene: &Scene, options: &Options) -> (Scene, Report) {
    crate::support::optimized(scene, viewport(), options)
}

#[test]
fn exact_options_keep_the_picture_bit_for_bit() {
    let mut sum = Sums::default();
    for seed in 0..lists() {
        let scene = list(seed);
        let options = Options { vertical_hinting: seed % 2 == 1, ..Options::EXACT };
        let (fewer, report) = optimized(&scene, &options);
        sum.add(&report);
        if paint(&fewer) != paint(&scene) {
            fail(seed, &scene, &options);
        }
    }
    println!("{sum:#?}");
    // A rule that never fires would pass every test. Opacity is off.
    let never = sum.0.iter().filter(|(name, count)| **count == 0 && **name != "folded groups");
    assert!(lists() < 500 || never.count() == 0, "{sum:#?}");
}

#[test]
fn each_exact_rule_keeps_the_picture_bit_for_bit() {
    let none = Options::NONE;
    let rules = [
        Options { cull: true, ..none },
        Options { occlusion: true, ..none },
        Options { layers: true, ..none },
        Options { clips: true, ..none },
        Options { nested: true, ..none },
    ];
    for seed in 0..lists() / 5 {
        let scene = list(1_000_000 + seed);
        let picture = paint(&scene);
        for rule in &rules {
            if paint(&optimized(&scene, rule).0) != picture {
                fail(seed, &scene, rule);
            }
        }
    }
}

#[test]
fn rounding_options_keep_the_picture_in_floating_point() {
    let all = Options { opacity: true, ..Options::ROUNDING };
    let mut sum = Sums::default();
    let mut differing = 0;
    for seed in 0..lists() {
        let mut scene = list(2_000_000 + seed);
        // The floating-point painter supports neither filters nor glyphs.
        scene.commands.retain(|command| !matches!(command, RenderCommand::GlyphRun(_)));
        for command in &mut scene.commands {
            if let RenderCommand::PushLayer(layer) = command {
                (layer.filter, layer.backdrop_filter) = (None, None);
            }
        }
        let (fewer, report) = optimized(&scene, &all);
        sum.add(&report);
        let (most, pixels) = difference(&paint_in_floats(&fewer), &paint_in_floats(&scene));
        differing += pixels;
        if most > 1 {
            fail(seed, &scene, &all);
        }
    }
    println!("{sum:#?}, {differing} pixels of {} differ by one", lists() * 3_500);
    assert!(sum.of("folded groups") > 0 || lists() < 500);
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn wide_blurs_keep_the_picture_up_to_rounding() {
    let (mut filtered, mut worst) = (0, 0);
    for seed in 0..lists() {
        let scene = list(4_000_000 + seed);
        let has_filter = scene.commands.iter().any(
            |command| matches!(command, RenderCommand::PushLayer(layer) if layer.filter.is_some()),
        );
        if !has_filter {
            continue;
        }
        let (fewer, _) = optimized(&scene, &Options::ROUNDING);
        let (most, _) = difference(&paint(&fewer), &paint(&scene));
        filtered += 1;
        worst = worst.max(most);
        if most > 8 {
            fail(seed, &scene, &Options::ROUNDING);
        }
    }
    println!("{filtered} lists with filters differ by at most {worst}");
}

#[test]
fn optimizing_twice_changes_nothing() {
    for seed in 0..100 {
        let (once, _) = optimized(&list(seed), &Options::EXACT);
        let (twice, report) = optimized(&once, &Options::EXACT);
        assert!(report.after.commands <= report.before.commands);
        assert_eq!(paint(&twice), paint(&once), "list {seed}");
    }
}

#[test]
fn disabled_rules_change_nothing() {
    for seed in 0..100 {
        let scene = list(seed);
        let (same, report) = optimized(&scene, &Options::NONE);
        assert_eq!(same, scene);
        assert_eq!(report.before, report.after);
        let rounding = Options { exactness: Exactness::Rounding, ..Options::NONE };
        assert_eq!(optimized(&scene, &rounding).0, scene);
    }
}

fn fail(seed: u64, scene: &Scene, options: &Options) -> ! {
    let (fewer, report) = optimized(scene, options);
    let (fewer_pixels, pixels) = (paint(&fewer), paint(scene));
    let (most, count) = difference(&fewer_pixels, &pixels);
    let first = fewer_pixels.chunks(4).zip(pixels.chunks(4)).position(|(a, b)| a != b);
    panic!(
        "list {seed}: {count} pixels differ, by at most {most}, first {:?}\n{options:?}\n{:#?}\nbecame\n{:#?}\n{report:?}",
        first.map(|at| (at % 70, at / 70)),
        scene.commands,
        fewer.commands,
    );
}
