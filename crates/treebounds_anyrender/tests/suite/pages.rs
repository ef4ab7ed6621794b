//! Three pages, at three places and two scales: the same pixels from fewer layers, and which rule took which.
//!
//! `cargo test --test suite pages:: -- --nocapture` prints a table with one row per rule.

use crate::support::pages::{NAMES, page, size};
use crate::support::paint::{difference, paint_at};
use anyrender::recording::Scene;
use kurbo::Rect;
use treebounds_anyrender::{Options, Report, Workspace};

const PLACES: [f64; 3] = [0.0, 0.5, 1.0];
/// Small windows, for speed: text and edges off the pixels' grid, as at any scale.
const SCALES: [f64; 2] = [0.5, 0.75];

fn optimized(scene: &Scene, [width, height]: [u32; 2], options: &Options) -> (Scene, Report) {
    let mut scene = scene.clone();
    let viewport = Rect::new(0.0, 0.0, width.into(), height.into());
    let report = Workspace::new().optimize(&mut scene, viewport, options).unwrap();
    (scene, report)
}

/// The reports of a page's places and scales, and the pixels that differ.
fn sum(name: &str, options: &Options, most: u8) -> Report {
    let mut all = Report::default();
    for scale in SCALES {
        for place in PLACES {
            let (scene, size) = (page(name, scale, place), size(scale));
            let (fewer, report) = optimized(&scene, size, options);
            let (apart, pixels) = difference(&paint_at(&fewer, size), &paint_at(&scene, size));
            assert!(
                apart <= most,
                "{name} at {place}, scale {scale}: {pixels} pixels differ by up to {apart}"
            );
            add(&mut all, &report);
        }
    }
    all
}

fn add(all: &mut Report, one: &Report) {
    all.before.layers += one.before.layers;
    all.after.layers += one.after.layers;
    for ((_, total), (_, count)) in rules(all).into_iter().zip(rules(&mut { *one })) {
        *total += *count;
    }
}

fn rules(report: &mut Report) -> [(&'static str, &mut usize); 12] {
    [
        ("culled layers", &mut report.culled_layers),
        ("empty layers", &mut report.empty_layers),
        ("idle layers", &mut report.idle_layers),
        ("idle clips", &mut report.idle_clips),
        ("shaped draws", &mut report.shaped_draws),
        ("nested clips", &mut report.nested_clips),
        ("folded groups", &mut report.folded_groups),
        ("simpler clips", &mut report.simpler_clips),
        ("shrunk layers", &mut report.shrunk_layers),
        ("culled draws", &mut report.culled_draws),
        ("hidden draws", &mut report.hidden_draws),
        ("kept for rounding", &mut report.kept_for_rounding),
    ]
}

fn print(mode: &str, reports: &mut [Report]) {
    println!("| {mode} | {} |", NAMES.join(" | "));
    let counts = |of: &dyn Fn(&Report) -> usize, reports: &[Report]| -> String {
        reports.iter().map(|report| format!(" {} |", of(report))).collect()
    };
    println!("| layers before |{}", counts(&|report| report.before.layers, reports));
    println!("| layers after |{}", counts(&|report| report.after.layers, reports));
    for row in 0..12 {
        let name = rules(&mut reports[0])[row].0;
        println!("| {name} |{}", counts(&|report| *rules(&mut { *report })[row].1, reports));
    }
}

#[test]
fn every_bit_stays() {
    let mut reports = NAMES.map(|name| sum(name, &Options::EXACT, 0));
    print("bits", &mut reports);
    for (name, report) in NAMES.iter().zip(&reports) {
        assert!(report.layers_gone() > 0 && report.kept_for_rounding > 0, "{name}: {report:?}");
    }
    // Above the window, layers of the feed are empty; most go.
    let [feed, ..] = reports;
    assert!(10 * feed.after.layers < 3 * feed.before.layers, "{feed:?}");
}

#[test]
fn nine_layers_of_ten_go_where_rounding_may_differ() {
    // A rounding for each layer that is gone above a pixel: four of mail.
    let mut reports = NAMES.map(|name| sum(name, &Options::ROUNDING, 4));
    print("rounding", &mut reports);
    for (name, report, percent) in [("feed", reports[0], 90), ("thread", reports[2], 90)] {
        let gone = 100 * report.layers_gone();
        assert!(gone >= percent * report.before.layers, "{name}: {report:?}");
    }
}

/// A layer that does nothing, from the outermost one in, rounds what is in it once more: this is what `bits` keeps.
#[test]
fn undoing_what_is_kept_for_rounding_shows() {
    let size = size(SCALES[0]);
    let scene = page("thread", SCALES[0], 0.0);
    let (bits, kept) = optimized(&scene, size, &Options::EXACT);
    let (rounding, _) = optimized(&scene, size, &Options::ROUNDING);
    let (most, pixels) = difference(&paint_at(&bits, size), &paint_at(&rounding, size));
    assert!(kept.kept_for_rounding > 0 && (1..=2).contains(&most), "{pixels} by {most}");
}
