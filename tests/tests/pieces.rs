//! Binning in pieces: in every variant, against the reference, piece by piece.
#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use std::sync::LazyLock;
use treebounds::{BinCapacity, BinPieces, BinStatus, Bins, Error, Options, Variant, wgpu};
use treebounds_core::{BinGrid, Rect, reference};
use treebounds_tests::boxes::BOX_SHAPES;
use treebounds_tests::gpu::{Binned, Binning, buffer, can_bin_pieces, gpu, one_at_a_time};
use wgpu::BufferUsages;

fn pieces(options: &Options) -> BinPieces {
    BinPieces::new(&gpu().device, options).unwrap()
}

fn small(threads: u32) -> Options {
    Options { workgroup_size: Some(threads), ..Options::default() }
}

fn grid(size: [u32; 2], bin: [u32; 2]) -> BinGrid {
    BinGrid::with_bins([0, 0], size, bin).unwrap()
}

/// One bin, a screen, windows of 16 x 16 bins and one more each way, and rows of them.
fn grids() -> Vec<BinGrid> {
    vec![
        grid([100, 100], [256, 256]),
        BinGrid::new(1920, 1080).unwrap(),
        grid([16, 16], [1, 1]),
        grid([17, 17], [1, 1]),
        BinGrid::with_bins([-1000, 77], [999, 515], [31, 16]).unwrap(),
        grid([1100, 3], [1, 2]),
    ]
}

fn entries_of(expected: &[Vec<u32>]) -> u32 {
    expected.iter().map(Vec::len).sum::<usize>() as u32
}

/// Each piece has the part of its list that lies in its elements; or none where `may_lack`.
fn assert_pieces(found: &Binned, expected: &[Vec<u32>], each: u32, may_lack: bool, about: &str) {
    let lists = found.lists();
    for (piece, row) in lists.chunks(expected.len().max(1)).enumerate() {
        let first = piece as u32 * each;
        for (bin, (list, expected)) in row.iter().zip(expected).enumerate() {
            let own = expected.iter().filter(|element| (first..first + each).contains(element));
            let own: Vec<u32> = own.copied().collect();
            let lacks = may_lack && list.is_empty();
            assert!(
                lacks || **list == own,
                "{about}: piece {piece}, bin {bin}: {list:?}, not {own:?}"
            );
        }
    }
}

/// All that is promised where everything fits: no gaps either.
fn assert_all(found: &Binned, expected: &[Vec<u32>], each: u32, elements: u32, about: &str) {
    let needed = entries_of(expected);
    let status = BinStatus { needed, written: needed, flags: 0, elements };
    assert_eq!(found.status, status, "{about}");
    assert_pieces(found, expected, each, false, about);
    assert_eq!(found.entries_without_gaps(about), needed, "{about}");
}

fn check(bin: &BinPieces, grid: &BinGrid, boxes: &[Rect], about: &str) {
    let expected = reference::bins(grid, boxes);
    let elements = boxes.len() as u32;
    let capacity = BinCapacity { elements, entries: entries_of(&expected) };
    let found = Binning::in_pieces(bin, grid, capacity).unwrap().run(boxes, elements);
    let size = [grid.columns(), grid.rows()];
    let about = format!("{elements} boxes, {about}, {size:?} bins, {} a piece", bin.elements());
    assert_all(&found, &expected, bin.elements(), elements, &about);
}

fn check_shapes(bin: &BinPieces, grid: &BinGrid, sizes: &[usize]) {
    for (seed, &n) in sizes.iter().enumerate() {
        for shape in BOX_SHAPES {
            check(bin, grid, &shape.boxes(grid, n, seed as u64), shape.name);
        }
    }
}

#[test]
fn from_nothing_to_many_pieces() {
    let _turn = one_at_a_time();
    let bin = pieces(&Options::default());
    assert_eq!((bin.elements(), bin.pieces(0), bin.pieces(256), bin.pieces(257)), (256, 0, 1, 2));
    check_shapes(&bin, &grids()[1], &[0, 1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 5000]);
    for grid in grids() {
        check_shapes(&bin, &grid, &[0, 1, 256, 700]);
    }
}

#[test]
fn every_workgroup_size() {
    let _turn = one_at_a_time();
    for threads in [2, 16, 32, 64, 512, 1024] {
        for checked in [false, true] {
            if !can_bin_pieces(&Variant::new(threads, 1).unwrap()) {
                continue;
            }
            let bin = pieces(&Options { checked, ..small(threads) });
            let each = threads as usize;
            for grid in [grid([500, 300], [16, 16]), grid([100, 100], [256, 256])] {
                check_shapes(&bin, &grid, &[each - 1, each, (3 * each + 1).min(1500)]);
            }
        }
    }
}

#[test]
fn many_elements() {
    let _turn = one_at_a_time();
    let bin = pieces(&Options::default());
    let grid = BinGrid::new(4096, 4096).unwrap();
    let [mixed, tiny] = [&BOX_SHAPES[0], &BOX_SHAPES[3]];
    check(&bin, &grid, &mixed.boxes(&grid, 1 << 14, 9), mixed.name);
    check(&bin, &grid, &tiny.boxes(&grid, (1 << 20) + 1, 9), tiny.name);
}

#[test]
fn what_is_too_little_says_exactly_what_is_needed() {
    let _turn = one_at_a_time();
    for bin in [pieces(&Options::default()), pieces(&small(4))] {
        for grid in grids() {
            for shape in BOX_SHAPES {
                let boxes = shape.boxes(&grid, 60, 3);
                let expected = reference::bins(&grid, &boxes);
                let needed = entries_of(&expected);
                for entries in [0, 1, needed / 2, needed.saturating_sub(1)] {
                    if entries < needed {
                        check_retry(&bin, &grid, &boxes, &expected, entries);
                    }
                }
            }
        }
    }
}

/// The most entries of a piece that was left out.
fn largest_missing(found: &Binned, expected: &[Vec<u32>], each: u32) -> u32 {
    let lists = found.lists();
    let missing = lists.iter().enumerate().filter(|(_, list)| list.is_empty()).map(|(at, _)| {
        let (piece, bin) = ((at / expected.len()) as u32, at % expected.len());
        let own = |element: &&u32| **element / each == piece;
        expected[bin].iter().filter(own).count() as u32
    });
    missing.max().unwrap_or(0)
}

fn check_retry(
    bin: &BinPieces,
    grid: &BinGrid,
    boxes: &[Rect],
    expected: &[Vec<u32>],
    entries: u32,
) {
    let elements = boxes.len() as u32;
    let capacity = BinCapacity { elements, entries };
    let found = Binning::in_pieces(bin, grid, capacity).unwrap().run(boxes, elements);
    let (needed, flags) = (entries_of(expected), BinStatus::ENTRIES_TOO_FEW);
    assert_eq!(found.status, BinStatus { needed, written: 0, flags, elements });
    assert_pieces(&found, expected, bin.elements(), true, "the first try");
    // The first piece that does not fit is larger than what was left, and keeps out those after it.
    let stored = found.entries_without_gaps("the first try");
    let largest = largest_missing(&found, expected, bin.elements());
    assert!(stored <= entries && stored + largest > entries, "{stored} + {largest} of {entries}");

    let capacity = BinCapacity { elements, entries: found.status.needed };
    let found = Binning::in_pieces(bin, grid, capacity).unwrap().run(boxes, elements);
    assert_all(&found, expected, bin.elements(), elements, "the second try");
}

#[test]
fn the_count_is_cut_to_the_capacity_and_what_is_beyond_it_does_not_matter() {
    let _turn = one_at_a_time();
    for bin in [pieces(&Options::default()), pieces(&small(4))] {
        for grid in grids() {
            let boxes = BOX_SHAPES[0].boxes(&grid, 700, 8);
            let entries = entries_of(&reference::bins(&grid, &boxes)) + 5;
            let capacity = BinCapacity { elements: 700, entries };
            let bound = Binning::in_pieces(&bin, &grid, capacity).unwrap();
            for count in [700, 300, 701, 0, u32::MAX, 1, 257, 699] {
                let used = count.min(700);
                let expected = reference::bins(&grid, &boxes[..used as usize]);
                let mut found = bound.run(&boxes, count);
                let clamped = if count > 700 { BinStatus::ELEMENTS_CLAMPED } else { 0 };
                assert_eq!(found.status.flags, clamped);
                found.status.flags = 0;
                assert_all(&found, &expected, bin.elements(), used, &format!("{count} of 700"));
            }
        }
    }
}

/// A job is recorded again and again without anything in between.
#[test]
fn one_job_can_run_many_times_at_once() {
    let _turn = one_at_a_time();
    let (bin, grid) = (pieces(&Options::default()), grid([300, 200], [7, 5]));
    let boxes = BOX_SHAPES[0].boxes(&grid, 500, 4);
    let expected = reference::bins(&grid, &boxes);
    let capacity = BinCapacity { elements: 500, entries: entries_of(&expected) };
    let bound = Binning::in_pieces(&bin, &grid, capacity).unwrap();
    bound.run(&boxes, 500);
    bound.poison();
    let descriptor = wgpu::CommandEncoderDescriptor::default();
    let mut encoder = gpu().device.create_command_encoder(&descriptor);
    for _ in 0..3 {
        bound.job.record(&mut encoder);
    }
    gpu().queue.submit([encoder.finish()]);
    assert_all(&bound.read(), &expected, bin.elements(), 500, "three times");
}

#[test]
fn refuses_what_32_bits_do_not_count_and_buffers_that_do_not_fit() {
    let _turn = one_at_a_time();
    let bin = pieces(&Options::default());
    let screen = BinGrid::new(1920, 1080).unwrap();
    let many = grid([4096, 4096], [1, 1]);
    let capacity = BinCapacity { elements: 256, entries: 10 };
    let too_large = bin.buffers(capacity, &many).unwrap_err();
    assert!(matches!(too_large, Error::TooMany { needed: 0x1_0000_0000, .. }), "{too_large}");
    assert!(too_large.to_string().contains("elements times bins"), "{too_large}");

    let storage = BufferUsages::STORAGE;
    let capacity = BinCapacity { elements: 300, entries: 50 };
    let [params, bounds] = [buffer(32, BufferUsages::UNIFORM), buffer(4800, storage)];
    let bind = |bins: &Bins| bin.bind(&params, &bounds, bins, capacity, &screen).map(|_| ());
    let bins = bin.buffers(capacity, &screen).unwrap();
    assert_eq!(bind(&bins), Ok(()));
    // Two pieces of 40 bins.
    let short = Bins { headers: buffer(8 * 80 - 4, storage), ..bins.clone() };
    let (needed, size) = (8 * 80, 8 * 80 - 4);
    assert_eq!(bind(&short), Err(Error::BufferTooSmall { buffer: "headers", needed, size }));
    let twice = Bins { entries: bounds.clone(), ..bins };
    assert_eq!(bind(&twice), Err(Error::BoundTwice { first: "bounds", second: "entries" }));
}

/// What is not a number spoils at most its own element.
#[test]
fn odd_numbers_do_bounded_damage() {
    let _turn = one_at_a_time();
    let odd = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45, -0.0];
    let spoilt = |at: usize| {
        let edge = |step: usize| odd[at / step % odd.len()];
        at.is_multiple_of(3).then(|| Rect::new(edge(3), edge(21), 50.0, edge(5)))
    };
    let bin = pieces(&Options::default());
    for grid in grids() {
        let mut boxes = BOX_SHAPES[3].boxes(&grid, 1000, 2);
        boxes.iter_mut().enumerate().for_each(|(at, rect)| *rect = spoilt(at).unwrap_or(*rect));
        let capacity = BinCapacity { elements: 1000, entries: 1000 * grid.bins() };
        let found = Binning::in_pieces(&bin, &grid, capacity).unwrap().run(&boxes, 1000);
        assert_eq!(found.status.flags, 0);
        let sound = |list: &[u32]| -> Vec<u32> {
            list.iter().copied().filter(|at| spoilt(*at as usize).is_none()).collect()
        };
        let mut lists = vec![Vec::new(); grid.bins() as usize];
        for pieces in found.lists().chunks(lists.len()) {
            lists
                .iter_mut()
                .zip(pieces)
                .for_each(|(list, piece)| list.extend(piece.iter().copied()));
        }
        for (list, expected) in lists.iter().zip(reference::bins(&grid, &boxes)) {
            assert!(list.is_sorted_by(|a, b| a < b), "each element once, in paint order");
            assert_eq!(sound(list), sound(&expected));
        }
    }
}

static SMALL: LazyLock<BinPieces> = LazyLock::new(|| pieces(&small(64)));

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_boxes_in_any_grid(
        size in [1_u32..70, 1_u32..70],
        side in [1_u32..9, 1_u32..9],
        edges in prop::collection::vec((-20_i32..90, -20_i32..90, -2_i32..90, -2_i32..90), 0..600),
    ) {
        let _turn = one_at_a_time();
        let grid = BinGrid::with_bins([0, 0], size, side).unwrap();
        let rect = |&(x, y, w, h): &(i32, i32, i32, i32)| {
            let [x0, y0, x1, y1] = [x, y, x + w, y + h].map(|edge| edge as f32);
            Rect::new(x0, y0, x1, y1)
        };
        let boxes: Vec<Rect> = edges.iter().map(rect).collect();
        check(&SMALL, &grid, &boxes, "any");
    }
}
