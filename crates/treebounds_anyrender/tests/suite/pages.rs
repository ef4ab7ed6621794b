//! Three pages at three scroll positions and two scales have the same pixels with fewer layers. Counts the removed
//! layers by rule.
//!
//! `cargo test --test suite pages:: -- --nocapture` prints a table with one row per rule.

use crate::support::paint::{difference, paint_at};
use crate::support::{Sums, optimized};
use kurbo::Rect;
use treebounds_anyrender::Options;
use treebounds_testkit::pages::{NAMES, page, size};

const PLACES: [f64; 3] = [0.0, 0.5, 1.0];
/// The scales of the small windows. Text and edges are off the pixel grid, as in practice.
const SCALES: [f64; 2] = [0.5, 0.75];

/// Sums the counts of a page over all positions and scales. No channel of a pixel may differ by more than `most`.
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
fn exact_options_keep_every_bit() {
    let sums = NAMES.map(|name| sum(name, &Options::EXACT, 0));
    print("bits", &sums);
    for (name, sum) in NAMES.iter().zip(&sums) {
        let gone = sum.of("layers before") - sum.of("layers after");
        assert!(gone > 0 && sum.of("kept for rounding") > 0, "{name}: {sum:?}");
    }
    // Above the window, layers of the feed are empty; most are removed.
    let [feed, ..] = &sums;
    assert!(10 * feed.of("layers after") < 3 * feed.of("layers before"), "{feed:?}");
}

#[test]
fn rounding_options_remove_nine_of_ten_layers() {
    // One rounding per removed layer above a pixel: four for mail.
    let sums = NAMES.map(|name| sum(name, &Options::ROUNDING, 4));
    print("rounding", &sums);
    for (name, sum) in [("feed", &sums[0]), ("thread", &sums[2])] {
        assert!(10 * sum.of("layers after") <= sum.of("layers before"), "{name}: {sum:?}");
    }
}

/// Removes layers without an effect, from the outermost inwards. Each such layer rounds its content once more, and
/// `Exactness::Bits` preserves this rounding.
#[test]
fn removing_layers_kept_for_rounding_changes_pixels() {
    let size = size(SCALES[0]);
    let scene = page("thread", SCALES[0], 0.0);
    let (bits, kept) = optimized(&scene, viewport(size), &Options::EXACT);
    let (rounding, _) = optimized(&scene, viewport(size), &Options::ROUNDING);
    let (most, pixels) = difference(&paint_at(&bits, size), &paint_at(&rounding, size));
    assert!(kept.kept_for_rounding > 0 && (1..=2).contains(&most), "{pixels} by {most}");
}
