//! Optimized lists paint the same picture: bit for bit with 8 bits a channel, and up to a rounding in floating point.
//!
//! `TREEBOUNDS_LISTS=20000 cargo test --release -p treebounds_anyrender --test suite same_pixels::` tries more lists.

use crate::support::lists::{list, viewport};
use crate::support::paint::{difference, paint, paint_in_floats};
use crate::support::smaller::smallest;
use anyrender::recording::{RenderCommand, Scene};
use treebounds_anyrender::{Exactness, Options, Report, Workspace};

fn lists() -> u64 {
    std::env::var("TREEBOUNDS_LISTS").ok().map_or(3_000, |lists| lists.parse().unwrap())
}

fn optimized(scene: &Scene, options: &Options) -> (Scene, Report) {
    let mut scene = scene.clone();
    let report = Workspace::new().optimize(&mut scene, viewport(), options).unwrap();
    (scene, report)
}

#[test]
fn equal_bit_for_bit() {
    let mut sum = Sums::default();
    for seed in 0..lists() {
        let scene = list(seed);
        let options = Options { vertical_hinting: seed % 2 == 1, ..Options::EXACT };
        let (fewer, report) = optimized(&scene, &options);
        sum.add(&report);
        if paint(&fewer) != paint(&scene) {
            fail(seed, &scene, &options, |a, b| paint(a) != paint(b));
        }
    }
    println!("{sum:#?}");
    sum.each_rule_did_something();
}

#[test]
fn each_rule_alone_is_equal_bit_for_bit() {
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
                fail(seed, &scene, rule, |a, b| paint(a) != paint(b));
            }
        }
    }
}

#[test]
fn equal_but_for_rounding_in_floats() {
    let all = Options { opacity: true, ..Options::ROUNDING };
    let mut sum = Sums::default();
    let mut differing = 0;
    for seed in 0..lists() {
        let mut scene = list(2_000_000 + seed);
        // The painter in floats has neither filters nor glyphs.
        scene.commands.retain(|command| !matches!(command, RenderCommand::GlyphRun(_)));
        for command in &mut scene.commands {
            if let RenderCommand::PushLayer(layer) = command {
                (layer.filter, layer.backdrop_filter) = (None, None);
            }
        }
        let (fewer, report) = optimized(&scene, &all);
        sum.add(&report);
        let apart = |a: &Scene, b: &Scene| difference(&paint_in_floats(a), &paint_in_floats(b));
        let (most, pixels) = apart(&fewer, &scene);
        differing += pixels;
        if most > 1 {
            fail(seed, &scene, &all, |a, b| apart(a, b).0 > 1);
        }
    }
    println!("{sum:#?}, {differing} pixels of {} differ by one", lists() * 3_500);
    assert!(sum.0.folded_groups > 0 || lists() < 500);
}

#[test]
fn what_is_optimized_stays_so() {
    for seed in 0..100 {
        let (once, _) = optimized(&list(seed), &Options::EXACT);
        let (twice, report) = optimized(&once, &Options::EXACT);
        assert!(report.after.commands <= report.before.commands);
        assert_eq!(paint(&twice), paint(&once), "list {seed}");
    }
}

#[test]
fn no_rule_changes_nothing() {
    for seed in 0..100 {
        let scene = list(seed);
        let (same, report) = optimized(&scene, &Options::NONE);
        assert_eq!(same, scene);
        assert_eq!(report.before, report.after);
        let rounding = Options { exactness: Exactness::Rounding, ..Options::NONE };
        assert_eq!(optimized(&scene, &rounding).0, scene);
    }
}

/// The reports of all lists together.
#[derive(Debug, Default)]
struct Sums(Report);

impl Sums {
    fn add(&mut self, report: &Report) {
        let sum = &mut self.0;
        sum.before.layers += report.before.layers;
        sum.after.layers += report.after.layers;
        sum.before.commands += report.before.commands;
        sum.after.commands += report.after.commands;
        for (total, count) in [
            (&mut sum.culled_draws, report.culled_draws),
            (&mut sum.culled_layers, report.culled_layers),
            (&mut sum.empty_layers, report.empty_layers),
            (&mut sum.idle_layers, report.idle_layers),
            (&mut sum.idle_clips, report.idle_clips),
            (&mut sum.shaped_draws, report.shaped_draws),
            (&mut sum.simpler_clips, report.simpler_clips),
            (&mut sum.nested_clips, report.nested_clips),
            (&mut sum.shrunk_layers, report.shrunk_layers),
            (&mut sum.folded_groups, report.folded_groups),
            (&mut sum.hidden_draws, report.hidden_draws),
            (&mut sum.kept_for_rounding, report.kept_for_rounding),
        ] {
            *total += count;
        }
    }

    /// A rule that never fires would pass every test.
    fn each_rule_did_something(&self) {
        let sum = &self.0;
        let counts = [
            sum.culled_draws,
            sum.culled_layers,
            sum.empty_layers,
            sum.idle_layers,
            sum.idle_clips,
            sum.shaped_draws,
            sum.simpler_clips,
            sum.nested_clips,
            sum.shrunk_layers,
            sum.hidden_draws,
        ];
        assert!(lists() < 500 || counts.iter().all(|count| *count > 0), "{sum:#?}");
    }
}

fn fail(seed: u64, scene: &Scene, options: &Options, differ: impl Fn(&Scene, &Scene) -> bool) -> ! {
    let small = smallest(scene, |scene| differ(&optimized(scene, options).0, scene));
    let (fewer, report) = optimized(&small, options);
    let (most, pixels) = difference(&paint(&fewer), &paint(&small));
    let first = paint(&fewer).chunks(4).zip(paint(&small).chunks(4)).position(|(a, b)| a != b);
    panic!(
        "list {seed}: {pixels} pixels differ, by at most {most}, first {:?}\n{options:?}\n{:#?}\nbecame\n{:#?}\n{report:?}",
        first.map(|at| (at % 70, at / 70)),
        small.commands,
        fewer.commands,
    );
}
