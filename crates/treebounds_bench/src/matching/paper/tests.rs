//! Every GPU strategy against the reference, on every shape, around its tiles
//! and at its limit.

use super::{PER_THREAD, Paper};
use crate::inputs::{self, Input};
use crate::matching::board::{Board, Puzzle, Strategy, TooLong};
use crate::matching::ours::Ours;
use crate::measure::{Copy, Output, Trial, submit};
use crate::tests::gpu;
use treebounds::{MatcherDescriptor, Tuning};

fn check(strategy: &dyn Strategy, input: &Input, n: usize, tile: usize) {
    let puzzle = Puzzle::new(input, n, tile);
    if strategy.unsuited(&puzzle).is_some() {
        return;
    }
    let board = Board::new(gpu(), n).unwrap();
    board.load(&puzzle).unwrap();
    let trial = Trial {
        dispatches: strategy.prepare(&board).unwrap(),
        outputs: vec![Output::new("links", &board.links, strategy.answer(&puzzle))],
    };
    if let Some(wrong) = trial.check(&board.transfer).unwrap() {
        panic!("{}, {} at n = {n}: {wrong}", strategy.name(), input.name);
    }
}

fn paper(threads: u32, per_thread: u32) -> Paper {
    Paper::new(&gpu().device, threads, per_thread, false).unwrap()
}

#[test]
fn right_around_a_workgroup() {
    for (k, checked) in PER_THREAD.into_iter().flat_map(|k| [(k, false), (k, true)]) {
        let strategy = Paper::new(&gpu().device, 16, k, checked).unwrap();
        let tile = 16 * k as usize;
        for n in [0, 1, 15, 16, 17, tile - 1, tile, tile + 1, 3 * tile + 5] {
            for input in inputs::ALL {
                check(&strategy, input, n, tile);
            }
        }
    }
}

#[test]
fn right_up_to_the_limit() {
    for (w, k) in [(2, 1), (16, 1), (64, 1), (4, 2), (16, 2), (16, 4), (8, 8), (4, 16)] {
        let strategy = paper(w, k);
        let tile = (w * k) as usize;
        let limit = strategy.max_n().unwrap();
        assert_eq!(limit, tile * tile);
        for n in [limit - 1, limit] {
            for input in inputs::ALL {
                check(&strategy, input, n, tile);
            }
        }
    }
}

#[test]
fn right_with_the_workgroup_that_is_measured() {
    for k in PER_THREAD {
        let strategy = paper(256, k);
        let tile = (strategy.threads() * k) as usize;
        for n in [tile - 1, tile, tile + 1, tile * 16 + 1] {
            for input in inputs::ALL {
                check(&strategy, input, n, tile);
            }
        }
    }
}

#[test]
fn beyond_the_limit_is_an_error() {
    for k in PER_THREAD {
        let strategy = paper(16, k);
        let n = strategy.max_n().unwrap() + 1;
        let board = Board::new(gpu(), n).unwrap();
        let error = strategy.prepare(&board).map(|_| ()).unwrap_err();
        let error = error.downcast_ref::<TooLong>().unwrap();
        assert_eq!((error.max_n, error.n), (n - 1, n));
    }
}

#[test]
fn the_library_and_the_copy_kernel_are_checked_alike() {
    let ours = Ours::new(&gpu().device, "treebounds", &MatcherDescriptor::default()).unwrap();
    let bits = Ours::reading_bits(&gpu().device, &MatcherDescriptor::default()).unwrap();
    let copy = Copy::new(&gpu().device, false).unwrap();
    let tile = ours.tile(1);
    for n in [0, 1, 31, 33, tile - 1, tile, tile + 1, 16 * tile + 1] {
        for input in inputs::ALL {
            check(&ours, input, n, ours.tile(n));
            check(&bits, input, n, bits.tile(n));
            check(&copy, input, n, ours.tile(n));
        }
    }
}

#[test]
fn ours_says_what_it_uses_for_which_sizes() {
    let tuning = Tuning { workgroup_size: Some(64), subgroups: Some(false), ..Default::default() };
    let options =
        |per_thread| MatcherDescriptor { per_thread, tuning, ..MatcherDescriptor::default() };
    let fixed = Ours::new(&gpu().device, "64 x 8", &options(Some(8))).unwrap();
    assert_eq!(fixed.describe([1 << 10, 1 << 20, 1 << 28]), "64 x 8, without subgroups");
    assert_eq!(fixed.tile(1 << 20), 512);

    let ours = Ours::new(&gpu().device, "treebounds", &MatcherDescriptor::default()).unwrap();
    let sizes = || (10..=28).map(|log2| 1 << log2);
    let text = ours.describe(sizes());
    let mut each: Vec<_> = sizes().map(|n| ours.describe([n])).collect();
    each.dedup();
    assert_eq!(text.matches(" x ").count(), each.len(), "{text}");
    assert_eq!(text.matches(" elements, then ").count(), each.len() - 1, "{text}");
}

#[test]
fn a_wrong_link_is_found_wherever_it_is() {
    let puzzle = Puzzle::new(&inputs::ALL[0], 1000, 64);
    let board = Board::new(gpu(), 1000).unwrap();
    board.load(&puzzle).unwrap();
    let copy = Copy::new(&gpu().device, false).unwrap();
    submit(gpu(), copy.prepare(&board).unwrap().iter().map(Box::as_ref)).unwrap();
    for at in [0, 511, 999] {
        let mut expected = puzzle.tags.clone();
        expected[at] = 77;
        let mismatch = board.transfer.mismatch(&board.links, &expected).unwrap().unwrap();
        assert_eq!((mismatch.at, mismatch.expected), (at, 77));
    }
    board.transfer.poison(&board.links).unwrap();
    assert!(board.transfer.mismatch(&board.links, &puzzle.tags).unwrap().is_some());
}
