//! Three pages, at three places and two scales: the same pixels from fewer layers, and which rule took which.
//!
//! `cargo test --test suite pages:: -- --nocapture` prints a table with one row per rule.

use crate::support::paint::{difference, paint_at};
use crate::support::{Sums, optimized};
use kurbo::Rect;
use treebounds_anyrender::Options;
use treebounds_testkit::pages::{NAMES, page, size};

const PLACES: [f64; 3] = [0.0, 0.5, 1.0];
/// Small windows, for speed: text and edges off the pixels' grid, as at any scale.
const SCALES: [f64; 2] = [0.5, 0.75];

/// Sums the counts of a page over all places and scales. No channel of a pixel may differ by more than `most`.
fn sum(name: &str, options: &Options, most: u8) -> Sums {
    let mut all = Sums::default();
    for scale in SCALES {
        for place in PLACES {
            let (scene, size) = (page(name, scale, place), size(scale));
            let (fewer, report) = optimized(&scene, viewport(size), options);
            let (apart, pixels) = difference(&paint_at(&fewer, size), &paint_at(&scene, size));
            assert!(
                apart <= most,
                "{name} at {place}, scale {scale}: {pixels} pixels differ by up to {apart}"
            );
            all.add(&report);
        }
    }
    all
}

fn viewport([width, height]: [u32; 2]) -> Rect {
    Rect::new(0.0, 0.0, width.into(), height.into())
}

fn print(mode: &str, sums: &[Sums; 3]) {
    println!("| {mode} | {} |", NAMES.join(" | "));
    for name in sums[0].0.keys() {
        let counts: String = sums.iter().map(|sums| format!(" {} |", sums.of(name))).collect();
        println!("| {name} |{counts}");
    }
}

#[test]
fn every_bit_stays() {
    let sums = NAMES.map(|name| sum(name, &Options::EXACT, 0));
    print("bits", &sums);
    for (name, sum) in NAMES.iter().zip(&sums) {
        let gone = sum.of("layers before") - sum.of("layers after");
        assert!(gone > 0 && sum.of("kept for rounding") > 0, "{name}: {sum:?}");
    }
    // Above the window, layers of the feed are empty; most go.
    let [feed, ..] = &sums;
    assert!(10 * feed.of("layers after") < 3 * feed.of("layers before"), "{feed:?}");
}

#[test]
fn nine_layers_of_ten_go_where_rounding_may_differ() {
    // A rounding for each layer that is gone above a pixel: four of mail.
    let sums = NAMES.map(|name| sum(name, &Options::ROUNDING, 4));
    print("rounding", &sums);
    for (name, sum) in [("feed", &sums[0]), ("thread", &sums[2])] {
        assert!(10 * sum.of("layers after") <= sum.of("layers before"), "{name}: {sum:?}");
    }
}

/// A layer that does nothing, from the outermost one in, rounds what is in it once more: this is what `bits` keeps.
#[test]
fn undoing_what_is_kept_for_rounding_shows() {
    let size = size(SCALES[0]);
    let scene = page("thread", SCALES[0], 0.0);
    let (bits, kept) = optimized(&scene, viewport(size), &Options::EXACT);
    let (rounding, _) = optimized(&scene, viewport(size), &Options::ROUNDING);
    let (most, pixels) = difference(&paint_at(&bits, size), &paint_at(&rounding, size));
    assert!(kept.kept_for_rounding > 0 && (1..=2).contains(&most), "{pixels} by {most}");
}
