//! Tests `skeleton` from a shell. The program itself compares every bone with kurbo and fails if
//! one is out of place.

use crate::program::Program;
use std::collections::HashSet;
use tiny_skia::Pixmap;

/// Grows this number of bones and returns the picture.
fn grow(bones: &str, backend: &str) -> Pixmap {
    let program = Program::new("skeleton");
    let run = program.run(&["--bones", bones, "--out", "fern.png", "--backend", backend]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for word in [&format!("bones     {bones},"), "checked   every bone", "fern.png"] {
        assert!(run.stdout.contains(word), "{} lacks {word}", run.stdout);
    }
    Pixmap::load_png(program.path_of("fern.png")).unwrap()
}

/// Counts the colours in the picture's middle third, from top to bottom.
fn count_colors(picture: &Pixmap) -> usize {
    let third = picture.width() / 3;
    let column = |y| (third..2 * third).filter_map(move |x| picture.pixel(x, y));
    let colors: HashSet<_> =
        (0..picture.height()).flat_map(column).map(|c| [c.red(), c.green(), c.blue()]).collect();
    colors.len()
}

#[test]
fn a_rig_of_100000_bones_is_drawn() {
    let picture = grow("100000", "cpu");
    assert_eq!((picture.width(), picture.height()), (1600, 1200));
    assert!(count_colors(&picture) > 1000, "{} colours", count_colors(&picture));
}

#[test]
fn the_gpu_draws_the_same_picture() {
    let picture = grow("100000", "gpu");
    assert!(count_colors(&picture) > 1000, "{} colours", count_colors(&picture));
}

#[test]
fn small_rigs_match_kurbo() {
    for bones in ["1", "2", "10", "11", "1000"] {
        grow(bones, "cpu");
    }
}

#[test]
fn impossible_options_are_errors() {
    let program = Program::new("skeleton");
    program.check_failure(
        &["--backend", "cpu", "--bones", "9", "-o", "no/where.png"],
        &["no/where.png"],
    );
    for args in [["--bones", "0"], ["--bones", "-1"], ["--bones", "many"], ["--backend", "tpu"]] {
        assert_eq!(program.run(&args).code, Some(2), "{args:?}");
    }
    assert_eq!(std::fs::read_dir(&program.folder).unwrap().count(), 0);
}
