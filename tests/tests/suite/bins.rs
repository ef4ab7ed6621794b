//! Tests binning, as whole lists and in pieces: in every variant, against the reference, list by list.

use proptest::prelude::*;
use treebounds::{
    BinCapacity, BinStatus, Binner, BinnerDescriptor, Capacity, Error, PieceBinner, Stage,
    StageDescriptor, Tuning, Variant, wgpu,
};
use treebounds_core::{BinGrid, BinHeader, Rect, Stream, reference};
use treebounds_tests::bound::{Binned, Binning, Bound, POISON};
use treebounds_tests::boxes::BOX_SHAPES;
use treebounds_tests::gpu::{can_bin, device_with, gpu, run_counted, run_times, whole};
use treebounds_tests::streams::{VIEWPORT, filtered, shapes};

enum Method {
    Lists(Binner),
    Pieces(PieceBinner),
}

use Method::{Lists, Pieces};

fn lists(descriptor: &BinnerDescriptor<'_>) -> Binner {
    Binner::new(&gpu().device, descriptor).unwrap()
}

fn pieces(tuning: Tuning) -> PieceBinner {
    PieceBinner::new(&gpu().device, &tuning.into()).unwrap()
}

fn both(descriptor: &BinnerDescriptor<'_>) -> [Method; 2] {
    [Lists(lists(descriptor)), Pieces(pieces(descriptor.tuning))]
}

/// Returns both methods, with default sizes and with small workgroups, so that few boxes fill many workgroups.
fn large_and_small() -> Vec<Method> {
    [BinnerDescriptor::default(), small(4, 2)].iter().flat_map(both).collect()
}

fn small(threads: u32, per_thread: u32) -> BinnerDescriptor<'static> {
    tuned(Tuning { workgroup_size: Some(threads), ..Default::default() }, per_thread)
}

fn tuned(tuning: Tuning, per_thread: u32) -> BinnerDescriptor<'static> {
    BinnerDescriptor { per_thread: Some(per_thread), ..tuning.into() }
}

impl Method {
    fn bind(&self, grid: &BinGrid, capacity: BinCapacity) -> Binning {
        match self {
            Lists(bin) => Binning::new(bin, grid, capacity).unwrap(),
            Pieces(bin) => Binning::in_pieces(bin, grid, capacity).unwrap(),
        }
    }

    /// Returns the number of consecutive elements per piece of a list.
    fn piece(&self) -> u32 {
        match self {
            Lists(_) => u32::MAX,
            Pieces(bin) => bin.elements(),
        }
    }

    fn about(&self, elements: u32) -> String {
        match self {
            Lists(bin) => format!("lists, segments of {}", bin.segment(elements)),
            Pieces(bin) => format!("pieces of {}", bin.elements()),
        }
    }
}

fn grid(size: [u32; 2], bin: [u32; 2]) -> BinGrid {
    BinGrid::with_bins([0, 0], size, bin).unwrap()
}

/// Returns grids: one bin; a screen; a window of 16 x 16 bins, and one more in each direction; a screen with
/// another origin; two and three levels of cells.
fn grids() -> Vec<BinGrid> {
    vec![
        grid([100, 100], [256, 256]),
        BinGrid::new(1920, 1080).unwrap(),
        grid([16, 16], [1, 1]),
        grid([17, 17], [1, 1]),
        BinGrid::with_bins([-1000, 77], [999, 515], [31, 16]).unwrap(),
        grid([300, 200], [7, 5]),
        grid([1100, 3], [1, 2]),
    ]
}

fn entries_of(expected: &[Vec<u32>]) -> u32 {
    expected.iter().map(Vec::len).sum::<usize>() as u32
}

/// Returns the elements of a list that belong to a piece.
fn elements_in_piece(list: &[u32], number: usize, piece: u32) -> Vec<u32> {
    list.iter().copied().filter(|element| (element / piece) as usize == number).collect()
}

/// Asserts that each piece contains its part of the list, or nothing, if `may_lack` allows that.
fn assert_lists(found: &Binned, expected: &[Vec<u32>], piece: u32, may_lack: bool, about: &str) {
    for (number, row) in found.lists().chunks(expected.len().max(1)).enumerate() {
        for (bin, (list, expected)) in row.iter().zip(expected).enumerate() {
            let own = elements_in_piece(expected, number, piece);
            let lacks = may_lack && list.is_empty();
            assert!(
                lacks || **list == own,
                "{about}: piece {number}, bin {bin}: {list:?}, not {own:?}"
            );
        }
    }
}

/// Asserts all guarantees for sufficient capacity.
fn assert_all(found: &Binned, expected: &[Vec<u32>], piece: u32, elements: u32, about: &str) {
    let entries = entries_of(expected);
    let status = BinStatus { needed: entries, written: entries, flags: 0, elements };
    assert_eq!(found.status, status, "{about}");
    assert_lists(found, expected, piece, false, about);
    assert_eq!(found.entries_without_gaps(about), entries, "{about}");
}

/// Bins the boxes with the minimum capacity.
fn check(method: &Method, grid: &BinGrid, boxes: &[Rect], about: &str) {
    let expected = reference::bins(grid, boxes);
    let elements = boxes.len() as u32;
    let capacity = BinCapacity { elements, entries: entries_of(&expected) };
    let found = method.bind(grid, capacity).run(boxes, elements);
    let size = [grid.columns(), grid.rows()];
    let about = format!("{elements} boxes, {about}, in {size:?} bins, {}", method.about(elements));
    assert_all(&found, &expected, method.piece(), elements, &about);
}

fn check_shapes(method: &Method, grid: &BinGrid, sizes: &[usize]) {
    for (seed, &n) in sizes.iter().enumerate() {
        for shape in BOX_SHAPES {
            check(method, grid, &shape.boxes(grid, n, seed as u64), shape.name);
        }
    }
}

#[test]
fn sizes_from_zero_to_many_segments_match_the_reference() {
    let screen = BinGrid::new(1920, 1080).unwrap();
    for method in both(&BinnerDescriptor::default()) {
        check_shapes(&method, &screen, &[0, 1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 5000]);
        for grid in grids() {
            check_shapes(&method, &grid, &[0, 1, 256, 700]);
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_tuning_matches_the_reference_at_sizes_around_a_segment() {
    for threads in [2, 16, 32, 64, 256, 1024] {
        for per_thread in [1, 3, 32] {
            for subgroups in [false, true] {
                let variant = Variant::new(threads, per_thread).unwrap().with_subgroups(subgroups);
                if !can_bin(&variant) {
                    continue;
                }
                let tuning = Tuning {
                    workgroup_size: Some(threads),
                    subgroups: Some(subgroups),
                    checked: false,
                };
                let options = tuned(tuning, per_thread);
                let segment = (variant.tile() as usize).min(3000);
                for grid in [grid([500, 300], [16, 16]), grid([300, 200], [7, 5])] {
                    check_shapes(
                        &Lists(lists(&options)),
                        &grid,
                        &[segment - 1, segment, segment + 1],
                    );
                }
            }
        }
    }
}

#[test]
fn every_workgroup_size_matches_the_reference_at_sizes_around_a_piece() {
    for threads in [2, 16, 32, 64, 512, 1024] {
        if !can_bin(&Variant::new(threads, 1).unwrap()) {
            continue;
        }
        let method = Pieces(pieces(small(threads, 1).tuning));
        let piece = threads as usize;
        for grid in [grid([500, 300], [16, 16]), grid([100, 100], [256, 256])] {
            check_shapes(&method, &grid, &[piece - 1, piece, (3 * piece + 1).min(1500)]);
        }
    }
}

/// wgpu's bounds checks could hide errors that unchecked kernels show, and vice versa.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn kernels_with_runtime_checks_match_the_reference() {
    for (threads, per_thread) in [(256, 8), (64, 1), (4, 4)] {
        for subgroups in [false, true] {
            let variant = Variant::new(threads, per_thread).unwrap().with_subgroups(subgroups);
            if !can_bin(&variant) {
                continue;
            }
            let tuning =
                Tuning { workgroup_size: Some(threads), subgroups: Some(subgroups), checked: true };
            for method in both(&tuned(tuning, per_thread)) {
                for grid in grids() {
                    check_shapes(&method, &grid, &[1, 300]);
                }
            }
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn extreme_grids_match_the_reference() {
    let methods = large_and_small();
    let sizes = [[1, 1], [32, 32], [33, 1], [1, 33], [300, 200], [256, 256], [1024, 3], [1025, 2]];
    for size in sizes {
        for method in &methods {
            for shape in BOX_SHAPES {
                let n = if shape.name.starts_with("everything") { 3 } else { 100 };
                let grid = grid(size, [1, 1]);
                check(method, &grid, &shape.boxes(&grid, n, 5), shape.name);
            }
        }
    }
}

/// With few segments, the kernel sums the matrix itself; with more, another kernel does. Likewise, with few
/// pieces the last workgroup writes the status; with many, another kernel does.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn sizes_around_kernel_switches_match_the_reference() {
    let screen = BinGrid::new(1920, 1080).unwrap();
    let [mixed, tiny] = [&BOX_SHAPES[0], &BOX_SHAPES[3]];
    let dispatches = |method: &Method, elements| {
        method.bind(&screen, BinCapacity { elements, entries: 1 }).job.dispatches().len()
    };
    let [whole, in_pieces] = both(&BinnerDescriptor::default());
    for (method, few, many, least) in
        [(&whole, 41_000, 42_000, 2), (&in_pieces, 131_072, 131_073, 1)]
    {
        assert_eq!((dispatches(method, few), dispatches(method, many)), (least, least + 1));
        for n in [few, many] {
            check(method, &screen, &tiny.boxes(&screen, n as usize, 9), tiny.name);
        }
    }
    let [whole, in_pieces] = both(&small(4, 1));
    for (method, sizes, least) in [(&whole, [600, 700], 2), (&in_pieces, [10_000, 20_000], 1)] {
        for (n, dispatches_of) in sizes.into_iter().zip(least..) {
            assert_eq!(dispatches(method, n as u32), dispatches_of);
            let boxes = mixed.boxes(&screen, n, 9);
            check(method, &screen, &boxes, mixed.name);
            let expected = reference::bins(&screen, &boxes);
            check_retry(method, &screen, &boxes, &expected, entries_of(&expected) - 1);
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn bins_of_many_elements_match_the_reference() {
    let [mixed, tiny] = [&BOX_SHAPES[0], &BOX_SHAPES[3]];
    let [whole, in_pieces] = both(&BinnerDescriptor::default());
    for side in [2160, 16_384] {
        let grid = BinGrid::new(16_384, side).unwrap();
        check(&whole, &grid, &mixed.boxes(&grid, 1 << 14, 9), mixed.name);
        // Sizes just above those at which segments become longer.
        for n in [(1 << 17) + 1, (1 << 20) + 1] {
            check(&whole, &grid, &tiny.boxes(&grid, n, 9), tiny.name);
        }
    }
    let grid = BinGrid::new(4096, 4096).unwrap();
    check(&in_pieces, &grid, &mixed.boxes(&grid, 1 << 14, 9), mixed.name);
    check(&in_pieces, &grid, &tiny.boxes(&grid, (1 << 20) + 1, 9), tiny.name);
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn insufficient_capacity_reports_the_required_size() {
    let methods = large_and_small();
    for grid in grids() {
        for shape in BOX_SHAPES {
            let boxes = shape.boxes(&grid, 60, 3);
            let expected = reference::bins(&grid, &boxes);
            let needed = entries_of(&expected);
            for method in &methods {
                for entries in [0, 1, needed / 2, needed.saturating_sub(1)] {
                    if entries < needed {
                        check_retry(method, &grid, &boxes, &expected, entries);
                    }
                }
            }
        }
    }
}

fn check_retry(
    method: &Method,
    grid: &BinGrid,
    boxes: &[Rect],
    expected: &[Vec<u32>],
    entries: u32,
) {
    let elements = boxes.len() as u32;
    let found = method.bind(grid, BinCapacity { elements, entries }).run(boxes, elements);
    let (needed, flags) = (entries_of(expected), BinStatus::ENTRIES_TOO_FEW);
    assert_eq!(found.status, BinStatus { needed, written: 0, flags, elements });
    assert_lists(&found, expected, method.piece(), true, "the first try");
    let stored = found.entries_without_gaps("the first try");
    match method {
        Lists(_) => assert_eq!(stored, 0),
        // The first batch that does not fit is larger than the remaining space, and excludes all later ones.
        Pieces(bin) => {
            let largest = largest_batch(expected, elements, bin.elements());
            assert!(
                stored <= entries && stored + largest > entries,
                "{stored} + {largest} of {entries}"
            );
        }
    }
    let capacity = BinCapacity { elements, entries: found.status.needed };
    let found = method.bind(grid, capacity).run(boxes, elements);
    assert_all(&found, expected, method.piece(), elements, "the second try");
}

/// Returns the maximum number of entries for the elements of one piece.
fn largest_batch(expected: &[Vec<u32>], elements: u32, piece: u32) -> u32 {
    let mut batches = vec![0; elements.div_ceil(piece) as usize];
    expected.iter().flatten().for_each(|element| batches[(element / piece) as usize] += 1);
    batches.into_iter().max().unwrap_or(0)
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_more_entries_than_32_bits_count() {
    let bin = lists(&BinnerDescriptor::default());
    let grid = grid([1024, 1024], [1, 1]);
    let elements = 5000;
    let boxes = vec![Rect::EVERYTHING; elements as usize];
    let capacity = BinCapacity { elements, entries: 10 };
    let found = Binning::new(&bin, &grid, capacity).unwrap().run(&boxes, elements);
    let flags = BinStatus::ENTRIES_TOO_FEW;
    assert_eq!(found.status, BinStatus { needed: u32::MAX, written: 0, flags, elements });
    assert!(found.headers.iter().all(|header| *header == BinHeader::default()));
    assert!(found.entries.iter().all(|entry| *entry == POISON));
}

/// Counts in random order, so that the scratch contains data of longer inputs.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn counts_are_clamped_to_the_capacity() {
    let smallest = both(&small(2, 1));
    for method in large_and_small().iter().chain(&smallest) {
        for grid in grids() {
            let boxes = BOX_SHAPES[0].boxes(&grid, 700, 8);
            let entries = entries_of(&reference::bins(&grid, &boxes)) + 5;
            let bound = method.bind(&grid, BinCapacity { elements: 700, entries });
            for count in [700, 300, 701, 0, u32::MAX, 1, 257, 699] {
                let used = count.min(700);
                let expected = reference::bins(&grid, &boxes[..used as usize]);
                let mut found = bound.run(&boxes, count);
                let clamped = if count > 700 { BinStatus::ELEMENTS_CLAMPED } else { 0 };
                assert_eq!(found.status.flags, clamped);
                found.status.flags = 0;
                let about = format!("{count} of 700 boxes");
                assert_all(&found, &expected, method.piece(), used, &about);
            }
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn nans_affect_only_their_own_elements() {
    let odd = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45, -0.0];
    let edge = |at: usize| odd[at % odd.len()];
    let spoilt = |at: usize| match at % 3 {
        0 => Some(Rect::new(edge(at / 3), edge(at / 21), 50.0, edge(at / 5))),
        1 => Some(Rect::new(3.0, edge(at / 3), edge(at / 21), edge(at / 7))),
        _ => None,
    };
    for method in large_and_small() {
        for grid in grids() {
            let mut boxes = BOX_SHAPES[3].boxes(&grid, 1000, 2);
            for (at, rect) in boxes.iter_mut().enumerate() {
                *rect = spoilt(at).unwrap_or(*rect);
            }
            let capacity = BinCapacity { elements: 1000, entries: 1000 * grid.bins() };
            let found = method.bind(&grid, capacity).run(&boxes, 1000);
            assert_eq!(found.status.flags, 0);
            let sound = |list: &[u32]| -> Vec<u32> {
                list.iter().copied().filter(|at| spoilt(*at as usize).is_none()).collect()
            };
            let lists = found.lists_of(grid.bins());
            for (list, expected) in lists.iter().zip(reference::bins(&grid, &boxes)) {
                assert!(list.is_sorted_by(|a, b| a < b), "each element once, in paint order");
                assert_eq!(sound(list), sound(&expected));
            }
        }
    }
}

#[test]
fn infinite_boxes_reach_the_edge() {
    let far = f32::MAX;
    let boxes = [
        Rect::new(-far, -far, 300.0, far),
        Rect::new(700.0, -far, far, 10.0),
        Rect::new(1e30, 0.0, far, far),
        Rect::new(-far, 0.0, -1e30, far),
    ];
    for method in both(&BinnerDescriptor::default()) {
        for grid in grids() {
            check(&method, &grid, &boxes, "far away");
        }
    }
}

/// The next dispatches of the same pass reuse the scratch and the buffers.
#[test]
fn one_job_can_run_many_times_in_a_pass() {
    for method in large_and_small() {
        let grid = grid([300, 200], [7, 5]);
        let boxes = BOX_SHAPES[0].boxes(&grid, 500, 4);
        let expected = reference::bins(&grid, &boxes);
        let capacity = BinCapacity { elements: 500, entries: entries_of(&expected) };
        let bound = method.bind(&grid, capacity);
        assert_all(&bound.run(&boxes, 500), &expected, method.piece(), 500, "once");
        bound.poison();
        run_times(&bound.job, 3);
        assert_all(&bound.read(), &expected, method.piece(), 500, "three times");
    }
}

/// A copy on the GPU stands in for a kernel that writes the count.
#[test]
fn the_gpu_can_write_the_count() {
    let grid = BinGrid::new(1920, 1080).unwrap();
    let boxes = BOX_SHAPES[0].boxes(&grid, 500, 1);
    for method in both(&BinnerDescriptor::default()) {
        let bound = method.bind(&grid, BinCapacity { elements: 500, entries: 20_000 });
        bound.run(&boxes, 7);
        bound.poison();
        run_counted(&bound.job, &bound.params, 333);
        let expected = reference::bins(&grid, &boxes[..333]);
        assert_all(&bound.read(), &expected, method.piece(), 333, "333 of 500");
    }
}

/// Computes bounds and bins of a scene in one job. Bins the landings, which without filters are the boxes.
fn check_fused(stream: &Stream, stage: &Stage, bin: &Binner, grid: &BinGrid) {
    let capacity = Capacity::of(stream);
    let expected = reference::bounds(stream);
    let lists = reference::bins(grid, &reference::landings(stream, &expected));
    let bin_capacity = BinCapacity { elements: capacity.elements, entries: entries_of(&lists) };
    let mut bounds = Bound::new(stage, capacity).unwrap();
    let bins = Binning::new(bin, grid, bin_capacity).unwrap();
    let scratch = stage.scratch(capacity).unwrap();
    let bin_scratch = bin.scratch(bin_capacity, grid).unwrap();
    let Bound { inputs, outputs, .. } = &bounds;
    let job = stage.bind_bins(inputs, outputs, &scratch, bin, &bins.bins, &bin_scratch).unwrap();
    bins.poison();
    bounds.job = job;
    assert_eq!(bounds.run(stream), expected);
    assert_all(&bins.read(), &lists, u32::MAX, capacity.elements, "fused with the stage");
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn one_job_computes_bounds_and_bins() {
    let Rect { x1, y1, .. } = VIEWPORT;
    for options in [BinnerDescriptor::default(), small(4, 4)] {
        let descriptor =
            StageDescriptor { filter_depth: 4, landings: true, ..options.tuning.into() };
        let stage = Stage::new(&gpu().device, &descriptor).unwrap();
        let bin = lists(&options);
        // With small bins, few elements suffice for very many entries.
        for (side, sizes) in [(64, &[0, 1, 100, 600][..]), (5, &[0, 1, 100])] {
            let grid = grid([x1 as u32, y1 as u32], [side; 2]);
            for &n in sizes {
                for (_, stream) in shapes(n, n as u64) {
                    check_fused(&stream, &stage, &bin, &grid);
                    check_fused(&filtered(&stream, 3, 20, 3), &stage, &bin, &grid);
                }
            }
        }
    }
}

#[test]
fn rejects_a_job_with_two_element_counts() {
    let stage = Stage::new(&gpu().device, &Default::default()).unwrap();
    let bin = lists(&BinnerDescriptor::default());
    let grid = BinGrid::new(100, 100).unwrap();
    let capacity = Capacity { elements: 9, markers: 5, filter_depth: 0 };
    let few = BinCapacity { elements: 8, entries: 9 };
    let (bounds, bins) =
        (Bound::new(&stage, capacity).unwrap(), Binning::new(&bin, &grid, few).unwrap());
    let scratch = stage.scratch(capacity).unwrap();
    let bin_scratch = bin.scratch(few, &grid).unwrap();
    let Bound { inputs, outputs, .. } = &bounds;
    let refused = stage.bind_bins(inputs, outputs, &scratch, &bin, &bins.bins, &bin_scratch);
    assert_eq!(refused.map(|_| ()).unwrap_err(), Error::CapacitiesDiffer { stage: 9, bins: 8 });
}

#[test]
fn rejects_scratch_of_another_variant_and_excessive_sizes() {
    let bin = lists(&BinnerDescriptor::default());
    let grid = BinGrid::new(1920, 1080).unwrap();
    let capacity = BinCapacity { elements: 300, entries: 50 };
    let foreign = lists(&small(64, 2)).scratch(capacity, &grid).unwrap();
    let all = Binning::new(&bin, &grid, capacity).unwrap();
    let refused = bin.bind(whole(&all.params), whole(&all.bounds), &all.bins, &foreign).map(|_| ());
    assert_eq!(refused, Err(Error::ForeignScratch));

    let huge = BinCapacity { elements: u32::MAX, entries: 1 };
    assert!(matches!(bin.scratch(huge, &grid), Err(Error::TooMany { .. })));
    let limits =
        wgpu::Limits { max_storage_buffer_binding_size: 1 << 16, ..treebounds::required_limits() };
    let own = device_with(limits);
    let tuning = Tuning { subgroups: Some(false), ..Default::default() };
    let small = Binner::new(&own.device, &tuning.into()).unwrap();
    let capacity = BinCapacity { elements: 1 << 14, entries: 1 };
    let Err(Error::TooLarge { needed, limit, .. }) = small.scratch(capacity, &grid) else {
        panic!("a scratch over the limit was not refused");
    };
    assert_eq!((needed, limit), (8 << 14, 1 << 16));
    assert!(small.scratch_bytes(capacity, &grid).unwrap() > needed);
}

#[test]
fn rejects_more_pieces_than_32_bits_count() {
    let bin = pieces(Tuning::default());
    assert_eq!((bin.elements(), bin.pieces(0), bin.pieces(256), bin.pieces(257)), (256, 0, 1, 2));
    let many = grid([4096, 4096], [1, 1]);
    let capacity = BinCapacity { elements: 256, entries: 10 };
    let too_large = bin.buffers(capacity, &many).unwrap_err();
    assert!(matches!(too_large, Error::TooMany { needed: 0x1_0000_0000, .. }), "{too_large}");
    assert!(too_large.to_string().contains("elements times bins"), "{too_large}");
}

#[test]
fn default_limits_allow_a_million_elements() {
    let own = device_with(wgpu::Limits::default());
    let bin = Binner::new(&own.device, &Default::default()).unwrap();
    let capacity = BinCapacity { elements: 1 << 20, entries: 1 << 22 };
    let grid = BinGrid::new(16_384, 16_384).unwrap();
    assert!(bin.scratch(capacity, &grid).is_ok());
    let pieces = PieceBinner::new(&own.device, &Default::default()).unwrap();
    assert!(pieces.buffers(capacity, &BinGrid::new(3840, 2160).unwrap()).is_ok());
}

fn some_grid() -> impl Strategy<Value = BinGrid> {
    let side = prop_oneof![1..40_u32, 1..200_u32];
    (-50..50_i32, -50..50_i32, side.clone(), side, 1..20_u32, 1..20_u32).prop_map(
        |(x, y, width, height, bin_x, bin_y)| {
            BinGrid::with_bins([x, y], [width, height], [bin_x, bin_y]).unwrap()
        },
    )
}

fn some_box() -> impl Strategy<Value = Rect> {
    let edge = || prop_oneof![(-60..260_i32).prop_map(|x| x as f32), -60.0..260.0_f32];
    let any =
        (edge(), edge(), edge(), edge()).prop_map(|(x0, y0, x1, y1)| Rect::new(x0, y0, x1, y1));
    let small = (edge(), edge(), 0.0..9.0_f32, 0.0..9.0_f32)
        .prop_map(|(x, y, width, height)| Rect::new(x, y, x + width, y + height));
    prop_oneof![1 => any, 3 => small, 1 => Just(Rect::NOTHING), 1 => Just(Rect::EVERYTHING)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bins_match_the_reference(grid in some_grid(), boxes in prop::collection::vec(some_box(), 0..300)) {
        thread_local! {
            static METHODS: Vec<Method> =
                [BinnerDescriptor::default(), small(4, 4), small(64, 1)].iter().flat_map(both).collect();
        }
        METHODS.with(|methods| methods.iter().for_each(|one| check(one, &grid, &boxes, "any boxes")));
    }
}
