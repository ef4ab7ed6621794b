//! Binning: in every variant, against the reference, list by list.
#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use treebounds::{
    Bin, BinCapacity, BinStatus, Bins, Capacity, Error, Inputs, Options, Outputs, Params, Stage,
    Variant, wgpu,
};
use treebounds_core::{BinGrid, BinHeader, NodeKind, Rect, Stream, StreamBuilder, reference};
use treebounds_tests::boxes::BOX_SHAPES;
use treebounds_tests::gpu::{
    Binned, Binning, POISON, buffer, can_bin, device_with, gpu, one_at_a_time, read, run,
};
use treebounds_tests::streams::{VIEWPORT, shapes};
use wgpu::BufferUsages;

fn bin(options: &Options) -> Bin {
    Bin::new(&gpu().device, options).unwrap()
}

/// Small tiles, so that few boxes cross many of them.
fn small_tiles(threads: u32, per_thread: u32) -> Options {
    Options { workgroup_size: Some(threads), per_thread: Some(per_thread), ..Options::default() }
}

fn grid(size: [u32; 2], bin: [u32; 2]) -> BinGrid {
    BinGrid::with_bins([0, 0], size, bin).unwrap()
}

/// One bin, a screen, a screen that begins elsewhere, two levels of cells and three.
fn grids() -> Vec<BinGrid> {
    vec![
        grid([100, 100], [256, 256]),
        BinGrid::new(1920, 1080).unwrap(),
        BinGrid::with_bins([-1000, 77], [999, 515], [31, 16]).unwrap(),
        grid([300, 200], [7, 5]),
        grid([1100, 3], [1, 2]),
    ]
}

fn entries_of(expected: &[Vec<u32>]) -> u32 {
    expected.iter().map(Vec::len).sum::<usize>() as u32
}

/// All that is promised where everything fits.
fn assert_bins(found: &Binned, expected: &[Vec<u32>], elements: u32, about: &str) {
    let entries = entries_of(expected);
    let status = BinStatus { needed: entries, written: entries, flags: 0, elements };
    assert_eq!(found.status, status, "{about}");
    let end = found.entries_without_gaps(about);
    assert_eq!(end, entries, "{about}: the lists do not end with the entries");
    for (at, (list, expected)) in found.lists().into_iter().zip(expected).enumerate() {
        let differs = list.iter().zip(expected).position(|(found, expected)| found != expected);
        assert_eq!(list.len(), expected.len(), "{about}: bin {at}, first difference {differs:?}");
        assert_eq!(differs, None, "{about}: bin {at}: {list:?}, not {expected:?}");
    }
}

/// Bins these boxes with no more room than they need.
fn check(bin: &Bin, grid: &BinGrid, boxes: &[Rect], about: &str) {
    let expected = reference::bins(grid, boxes);
    let elements = boxes.len() as u32;
    let capacity = BinCapacity { elements, entries: entries_of(&expected) };
    let found = Binning::new(bin, grid, capacity).unwrap().run(boxes, elements);
    let variant = bin.variant(elements);
    let size = [grid.columns(), grid.rows()];
    let about = format!("{elements} boxes, {about}, in {size:?} bins, {variant:?}");
    assert_bins(&found, &expected, elements, &about);
}

fn check_shapes(bin: &Bin, grid: &BinGrid, sizes: &[usize]) {
    for (seed, &n) in sizes.iter().enumerate() {
        for shape in BOX_SHAPES {
            check(bin, grid, &shape.boxes(grid, n, seed as u64), shape.name);
        }
    }
}

#[test]
fn default_variant_from_nothing_to_many_chunks() {
    let _turn = one_at_a_time();
    let screen = BinGrid::new(1920, 1080).unwrap();
    // A workgroup a bin, and chunks.
    for options in [Options::default(), small_tiles(256, 1)] {
        let bin = bin(&options);
        check_shapes(&bin, &screen, &[0, 1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 5000]);
        for grid in grids() {
            check_shapes(&bin, &grid, &[0, 1, 256, 700]);
        }
    }
}

#[test]
fn every_workgroup_size_and_elements_per_thread_around_a_chunk() {
    let _turn = one_at_a_time();
    for threads in [2, 16, 32, 64, 256, 1024] {
        for per_thread in [1, 3, 32] {
            for subgroups in [false, true] {
                let variant = Variant::new(threads, per_thread).unwrap().with_subgroups(subgroups);
                if !can_bin(&variant) {
                    continue;
                }
                let options =
                    Options { subgroups: Some(subgroups), ..small_tiles(threads, per_thread) };
                let bin = bin(&options);
                let tile = (variant.tile() as usize).min(3000);
                for grid in [grid([500, 300], [16, 16]), grid([300, 200], [7, 5])] {
                    check_shapes(&bin, &grid, &[tile - 1, tile, tile + 1]);
                }
            }
        }
    }
}

/// What wgpu's checks would hide, the unchecked kernels of the other tests would
/// show, and the other way round.
#[test]
fn kernels_with_runtime_checks_agree_too() {
    let _turn = one_at_a_time();
    for (threads, per_thread) in [(256, 8), (64, 1), (4, 4)] {
        for subgroups in [false, true] {
            let variant = Variant::new(threads, per_thread).unwrap().with_subgroups(subgroups);
            if !can_bin(&variant) {
                continue;
            }
            let bin = bin(&Options {
                checked: true,
                subgroups: Some(subgroups),
                ..small_tiles(threads, per_thread)
            });
            for grid in grids() {
                check_shapes(&bin, &grid, &[1, 300]);
            }
        }
    }
}

#[test]
fn many_bins_one_and_rows_of_them() {
    let _turn = one_at_a_time();
    let bins = [bin(&Options::default()), bin(&small_tiles(8, 2))];
    let sizes = [[1, 1], [32, 32], [33, 1], [1, 33], [300, 200], [256, 256], [1024, 3], [1025, 2]];
    for size in sizes {
        for bin in &bins {
            for shape in BOX_SHAPES {
                let n = if shape.name.starts_with("everything") { 3 } else { 100 };
                let grid = grid(size, [1, 1]);
                check(bin, &grid, &shape.boxes(&grid, n, 5), shape.name);
            }
        }
    }
}

/// A workgroup a bin looks at all elements, 16 a thread at most; beyond they are cut into chunks.
#[test]
fn few_elements_in_every_workgroup_size() {
    let _turn = one_at_a_time();
    for threads in [2, 16, 32, 64, 256, 1024] {
        for subgroups in [false, true] {
            let variant = Variant::new(threads, 1).unwrap().with_subgroups(subgroups);
            if !can_bin(&variant) {
                continue;
            }
            let bin = bin(&Options {
                workgroup_size: Some(threads),
                subgroups: Some(subgroups),
                checked: threads == 64,
                ..Options::default()
            });
            let most = (16 * threads as usize).min(2000);
            for grid in [grid([500, 300], [31, 16]), grid([100, 100], [256, 256])] {
                let dispatches = |elements| {
                    let capacity = BinCapacity { elements, entries: 1 };
                    Binning::new(&bin, &grid, capacity).unwrap().job.dispatches().len()
                };
                assert_eq!(dispatches(most as u32), 1);
                assert!(dispatches(16 * threads + 1) > 1);
                check_shapes(&bin, &grid, &[0, 1, 33, most - 1, most, most + 1]);
            }
        }
    }
}

/// Few chunks sum the matrix themselves; for more of them other kernels do.
#[test]
fn either_side_of_where_another_kernel_sums() {
    let _turn = one_at_a_time();
    let screen = BinGrid::new(1920, 1080).unwrap();
    let [mixed, tiny] = [&BOX_SHAPES[0], &BOX_SHAPES[3]];
    let bins = bin(&Options::default());
    for n in [40_000, 42_000] {
        check(&bins, &screen, &tiny.boxes(&screen, n, 9), tiny.name);
    }
    let small = bin(&small_tiles(4, 1));
    for n in [600, 700] {
        let boxes = mixed.boxes(&screen, n, 9);
        check(&small, &screen, &boxes, mixed.name);
        let expected = reference::bins(&screen, &boxes);
        check_retry(&small, &screen, &boxes, &expected, entries_of(&expected) - 1);
    }
}

#[test]
fn many_elements() {
    let _turn = one_at_a_time();
    let bin = bin(&Options::default());
    let [mixed, tiny] = [&BOX_SHAPES[0], &BOX_SHAPES[3]];
    for side in [2160, 16_384] {
        let grid = BinGrid::new(16_384, side).unwrap();
        check(&bin, &grid, &mixed.boxes(&grid, 1 << 14, 9), mixed.name);
        // One over each size at which another variant begins.
        for n in [(1 << 17) + 1, (1 << 20) + 1] {
            check(&bin, &grid, &tiny.boxes(&grid, n, 9), tiny.name);
        }
    }
}

#[test]
fn what_is_too_little_says_exactly_what_is_needed() {
    let _turn = one_at_a_time();
    let all = [Options::default(), small_tiles(4, 2), small_tiles(256, 1)].map(|o| bin(&o));
    for grid in grids() {
        for shape in BOX_SHAPES {
            let boxes = shape.boxes(&grid, 60, 3);
            let expected = reference::bins(&grid, &boxes);
            let needed = entries_of(&expected);
            for bin in &all {
                for entries in [0, 1, needed / 2, needed.saturating_sub(1)] {
                    if entries < needed {
                        check_retry(bin, &grid, &boxes, &expected, entries);
                    }
                }
            }
        }
    }
}

fn check_retry(bin: &Bin, grid: &BinGrid, boxes: &[Rect], expected: &[Vec<u32>], entries: u32) {
    let elements = boxes.len() as u32;
    let first = Binning::new(bin, grid, BinCapacity { elements, entries }).unwrap();
    let found = first.run(boxes, elements);
    let flags = BinStatus::ENTRIES_TOO_FEW;
    let needed = entries_of(expected);
    assert_eq!(found.status, BinStatus { needed, written: 0, flags, elements });
    assert!(found.headers.iter().all(|header| *header == BinHeader::default()));
    assert!(found.entries.iter().all(|entry| *entry == POISON));

    let capacity = BinCapacity { elements, entries: found.status.needed };
    let found = Binning::new(bin, grid, capacity).unwrap().run(boxes, elements);
    assert_bins(&found, expected, elements, "the second try");
}

#[test]
fn more_entries_than_32_bits_count_are_too_many() {
    let _turn = one_at_a_time();
    let bin = bin(&Options::default());
    let grid = grid([1024, 1024], [1, 1]);
    let elements = 5000;
    let boxes = vec![Rect::EVERYTHING; elements as usize];
    let capacity = BinCapacity { elements, entries: 10 };
    let found = Binning::new(&bin, &grid, capacity).unwrap().run(&boxes, elements);
    let flags = BinStatus::ENTRIES_TOO_FEW;
    assert_eq!(found.status, BinStatus { needed: u32::MAX, written: 0, flags, elements });
}

/// Counts in no order, so that the scratch has what longer inputs left.
#[test]
fn the_count_is_cut_to_the_capacity_and_what_is_beyond_it_does_not_matter() {
    let _turn = one_at_a_time();
    for bin in [bin(&Options::default()), bin(&small_tiles(4, 2)), bin(&small_tiles(2, 1))] {
        for grid in grids() {
            let boxes = BOX_SHAPES[0].boxes(&grid, 700, 8);
            let entries = entries_of(&reference::bins(&grid, &boxes)) + 5;
            let capacity = BinCapacity { elements: 700, entries };
            let bound = Binning::new(&bin, &grid, capacity).unwrap();
            for count in [700, 300, 701, 0, u32::MAX, 1, 257, 699] {
                let used = count.min(700);
                let expected = reference::bins(&grid, &boxes[..used as usize]);
                let mut found = bound.run(&boxes, count);
                let clamped = if count > 700 { BinStatus::ELEMENTS_CLAMPED } else { 0 };
                assert_eq!(found.status.flags, clamped);
                found.status.flags = 0;
                assert_bins(&found, &expected, used, &format!("{count} of 700 boxes"));
            }
        }
    }
}

/// What is not a number spoils at most its own element.
#[test]
fn odd_numbers_do_bounded_damage() {
    let _turn = one_at_a_time();
    let odd = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45, -0.0];
    let edge = |at: usize| odd[at % odd.len()];
    let spoilt = |at: usize| match at % 3 {
        0 => Some(Rect::new(edge(at / 3), edge(at / 21), 50.0, edge(at / 5))),
        1 => Some(Rect::new(3.0, edge(at / 3), edge(at / 21), edge(at / 7))),
        _ => None,
    };
    for bin in [bin(&Options::default()), bin(&small_tiles(8, 1))] {
        for grid in grids() {
            let mut boxes = BOX_SHAPES[3].boxes(&grid, 1000, 2);
            for (at, rect) in boxes.iter_mut().enumerate() {
                *rect = spoilt(at).unwrap_or(*rect);
            }
            let capacity = BinCapacity { elements: 1000, entries: 1000 * grid.bins() };
            let found = Binning::new(&bin, &grid, capacity).unwrap().run(&boxes, 1000);
            assert_eq!(found.status.flags, 0);
            let expected = reference::bins(&grid, &boxes);
            for (list, expected) in found.lists().into_iter().zip(&expected) {
                assert!(list.is_sorted_by(|a, b| a < b), "each element once, in paint order");
                let sound = |list: &[u32]| -> Vec<u32> {
                    list.iter().copied().filter(|at| spoilt(*at as usize).is_none()).collect()
                };
                assert_eq!(sound(list), sound(expected));
            }
        }
    }
}

#[test]
fn infinities_reach_to_the_edge() {
    let _turn = one_at_a_time();
    let bin = bin(&Options::default());
    let far = f32::MAX;
    let boxes = [
        Rect::new(-far, -far, 300.0, far),
        Rect::new(700.0, -far, far, 10.0),
        Rect::new(1e30, 0.0, far, far),
        Rect::new(-far, 0.0, -1e30, far),
    ];
    for grid in grids() {
        check(&bin, &grid, &boxes, "far away");
    }
}

/// The scratch and the buffers are used again by the next dispatches of one pass.
#[test]
fn one_job_can_run_many_times_at_once() {
    let _turn = one_at_a_time();
    for bin in [bin(&Options::default()), bin(&small_tiles(4, 2))] {
        let grid = grid([300, 200], [7, 5]);
        let boxes = BOX_SHAPES[0].boxes(&grid, 500, 4);
        let expected = reference::bins(&grid, &boxes);
        let capacity = BinCapacity { elements: 500, entries: entries_of(&expected) };
        let bound = Binning::new(&bin, &grid, capacity).unwrap();
        assert_bins(&bound.run(&boxes, 500), &expected, 500, "once");
        bound.poison();
        let descriptor = wgpu::CommandEncoderDescriptor::default();
        let mut encoder = gpu().device.create_command_encoder(&descriptor);
        for _ in 0..3 {
            bound.job.record(&mut encoder);
        }
        gpu().queue.submit([encoder.finish()]);
        assert_bins(&bound.read(), &expected, 500, "three times");
    }
}

/// Begins and ends of layers are in every bin that what they hold touches.
#[test]
fn bins_of_what_the_stage_found() {
    let _turn = one_at_a_time();
    let device = &gpu().device;
    let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 1000.0, 1000.0));
    scene.begin(NodeKind::Clip, Rect::new(100.0, 0.0, 700.0, 900.0)).unwrap();
    scene.draw(Rect::new(0.0, 300.0, 400.0, 310.0)).unwrap();
    scene.draw(Rect::new(0.0, 0.0, 90.0, 90.0)).unwrap();
    scene.end().unwrap();
    let stream = scene.finish().unwrap();
    let capacity = Capacity::of(&stream);
    let stage = Stage::new(device, &Options::default()).unwrap();
    let inputs = Inputs::new(device, capacity).unwrap();
    let outputs = Outputs::new(device, capacity).unwrap();
    let stage_scratch = stage.scratch(capacity).unwrap();
    let stage_job = stage.bind(&inputs, &outputs, &stage_scratch).unwrap();
    inputs.write(&gpu().queue, &stream).unwrap();

    let grid = BinGrid::new(1000, 1000).unwrap();
    let bin = bin(&Options::default());
    let bin_capacity = BinCapacity { elements: capacity.elements, entries: 100 };
    let scratch = bin.scratch(bin_capacity, &grid).unwrap();
    assert_eq!((scratch.capacity(), scratch.grid()), (bin_capacity, grid));
    let bins = Bins::new(device, &grid, bin_capacity.entries).unwrap();
    let job = bin.bind(&inputs.params, &outputs.bounds, &bins, &scratch).unwrap();
    run(&stage_job);
    run(&job);
    let found = Binned {
        status: read(&bins.status, 1)[0],
        headers: read(&bins.headers, grid.bins() as usize),
        entries: read(&bins.entries, 100),
    };
    let lists = found.lists();
    for (at, list) in lists.into_iter().enumerate() {
        let expected: &[u32] = if [4, 5].contains(&at) { &[0, 1, 3] } else { &[] };
        assert_eq!(list, expected, "bin {at}");
    }
}

/// Bounds and bins of a scene, found by one job.
fn check_fused(stream: &Stream, stage: &Stage, bin: &Bin, grid: &BinGrid) {
    let device = &gpu().device;
    let capacity = Capacity::of(stream);
    let expected = reference::bounds(stream).bounds;
    let lists = reference::bins(grid, &expected);
    let inputs = Inputs::new(device, capacity).unwrap();
    let outputs = Outputs::new(device, capacity).unwrap();
    let scratch = stage.scratch(capacity).unwrap();
    let bin_capacity = BinCapacity { elements: capacity.elements, entries: entries_of(&lists) };
    let bin_scratch = bin.scratch(bin_capacity, grid).unwrap();
    let bins = Bins::new(device, grid, bin_capacity.entries).unwrap();
    let job = stage.bind_bins(&inputs, &outputs, &scratch, bin, &bins, &bin_scratch).unwrap();
    inputs.write(&gpu().queue, stream).unwrap();
    run(&job);
    assert_eq!(read::<Rect>(&outputs.bounds, stream.len()), expected);
    let found = Binned {
        status: read(&bins.status, 1)[0],
        headers: read(&bins.headers, grid.bins() as usize),
        entries: read(&bins.entries, bin_capacity.entries as usize),
    };
    assert_bins(&found, &lists, capacity.elements, "fused with the stage");
}

#[test]
fn one_job_finds_bounds_and_bins() {
    let _turn = one_at_a_time();
    let Rect { x1, y1, .. } = VIEWPORT;
    for options in [Options::default(), small_tiles(4, 4)] {
        let stage = Stage::new(&gpu().device, &options).unwrap();
        let bin = bin(&options);
        for side in [64, 5] {
            let grid = grid([x1 as u32, y1 as u32], [side; 2]);
            for n in [0, 1, 100, 600] {
                for (_, stream) in shapes(n, n as u64) {
                    check_fused(&stream, &stage, &bin, &grid);
                }
            }
        }
    }
}

#[test]
fn one_job_wants_one_number_of_elements() {
    let _turn = one_at_a_time();
    let device = &gpu().device;
    let capacity = Capacity { elements: 9, nodes: 5 };
    let stage = Stage::new(device, &Options::default()).unwrap();
    let bin = bin(&Options::default());
    let grid = BinGrid::new(100, 100).unwrap();
    let inputs = Inputs::new(device, capacity).unwrap();
    let outputs = Outputs::new(device, capacity).unwrap();
    let bins = Bins::new(device, &grid, 9).unwrap();
    let scratch = stage.scratch(capacity).unwrap();
    let bin_scratch = bin.scratch(BinCapacity { elements: 8, entries: 9 }, &grid).unwrap();
    let refused = stage.bind_bins(&inputs, &outputs, &scratch, &bin, &bins, &bin_scratch);
    assert_eq!(refused.map(|_| ()).unwrap_err(), Error::CapacitiesDiffer { stage: 9, bins: 8 });
}

/// Buffers that are just large enough.
struct Buffers {
    params: wgpu::Buffer,
    bounds: wgpu::Buffer,
    bins: Bins,
}

const SMALL: BinCapacity = BinCapacity { elements: 100, entries: 50 };

impl Buffers {
    fn new() -> Self {
        let storage = BufferUsages::STORAGE;
        Self {
            params: buffer(32, BufferUsages::UNIFORM),
            bounds: buffer(1600, storage),
            bins: Bins {
                status: buffer(16, storage),
                headers: buffer(8 * 40, storage),
                entries: buffer(200, storage),
            },
        }
    }

    fn bind(&self, bin: &Bin) -> Result<(), Error> {
        let grid = BinGrid::new(1920, 1080).unwrap();
        let scratch = bin.scratch(SMALL, &grid).unwrap();
        bin.bind(&self.params, &self.bounds, &self.bins, &scratch).map(|_| ())
    }
}

#[test]
fn refuses_buffers_that_do_not_fit() {
    let _turn = one_at_a_time();
    let bin = bin(&Options::default());
    assert_eq!(Buffers::new().bind(&bin), Ok(()));
    let storage = BufferUsages::STORAGE;
    let bins = |change: fn(&mut Bins, wgpu::Buffer), with| {
        let mut all = Buffers::new();
        change(&mut all.bins, with);
        all.bind(&bin)
    };
    let short =
        |buffer, needed: u64| Err(Error::BufferTooSmall { buffer, needed, size: needed - 4 });
    let params = Buffers { params: buffer(28, BufferUsages::UNIFORM), ..Buffers::new() };
    assert_eq!(params.bind(&bin), short("params", 32));
    let bounds = Buffers { bounds: buffer(1596, storage), ..Buffers::new() };
    assert_eq!(bounds.bind(&bin), short("bounds", 1600));
    assert_eq!(bins(|b, with| b.status = with, buffer(12, storage)), short("status", 16));
    assert_eq!(bins(|b, with| b.headers = with, buffer(316, storage)), short("headers", 320));
    assert_eq!(bins(|b, with| b.entries = with, buffer(196, storage)), short("entries", 200));

    let needed = storage;
    let unusable = bins(|b, with| b.entries = with, buffer(200, BufferUsages::COPY_DST));
    assert_eq!(unusable, Err(Error::BufferUsage { buffer: "entries", needed }));
    let mut twice = Buffers::new();
    twice.bins.entries = twice.bounds.clone();
    let twice = twice.bind(&bin);
    assert_eq!(twice, Err(Error::BoundTwice { first: "bounds", second: "entries" }));
}

#[test]
fn refuses_foreign_scratches_and_what_is_too_large() {
    let _turn = one_at_a_time();
    let bin = bin(&Options::default());
    let grid = BinGrid::new(1920, 1080).unwrap();
    let other = self::bin(&small_tiles(64, 2));
    let foreign = other.scratch(SMALL, &grid).unwrap();
    assert_eq!(foreign.variant(), other.variant(100));
    let all = Buffers::new();
    let refused = bin.bind(&all.params, &all.bounds, &all.bins, &foreign).map(|_| ());
    assert_eq!(refused, Err(Error::ForeignScratch));

    let huge = BinCapacity { elements: u32::MAX, entries: 1 };
    assert!(matches!(bin.scratch(huge, &grid), Err(Error::TooMany { .. })));
    let limits =
        wgpu::Limits { max_storage_buffer_binding_size: 1 << 16, ..treebounds::required_limits() };
    let own = device_with(limits);
    let options = Options { subgroups: Some(false), ..Options::default() };
    let small = Bin::new(&own.device, &options).unwrap();
    let capacity = BinCapacity { elements: 1 << 14, entries: 1 };
    let Err(Error::TooLarge { needed, limit, .. }) = small.scratch(capacity, &grid) else {
        panic!("a scratch over the limit was not refused");
    };
    assert_eq!((needed, limit), (small.scratch_bytes(capacity, &grid).unwrap(), 1 << 16));
}

/// WebGPU's default limits are enough.
#[test]
fn default_limits_are_enough() {
    let _turn = one_at_a_time();
    let own = device_with(wgpu::Limits::default());
    let bin = Bin::new(&own.device, &Options::default()).unwrap();
    let grid = BinGrid::new(16_384, 16_384).unwrap();
    let scratch = bin.scratch(BinCapacity { elements: 1 << 20, entries: 1 << 22 }, &grid);
    assert!(scratch.is_ok());
}

/// The count may come from a kernel: a copy on the GPU stands for it.
#[test]
fn the_count_can_come_from_the_gpu() {
    let _turn = one_at_a_time();
    let bin = bin(&Options::default());
    let grid = BinGrid::new(1920, 1080).unwrap();
    let boxes = BOX_SHAPES[0].boxes(&grid, 500, 1);
    let capacity = BinCapacity { elements: 500, entries: 20_000 };
    let bound = Binning::new(&bin, &grid, capacity).unwrap();
    bound.run(&boxes, 7);
    let count = buffer(4, BufferUsages::COPY_SRC | BufferUsages::COPY_DST);
    gpu().queue.write_buffer(&count, 0, bytemuck::bytes_of(&333_u32));
    bound.poison();
    let descriptor = wgpu::CommandEncoderDescriptor::default();
    let mut encoder = gpu().device.create_command_encoder(&descriptor);
    let at = std::mem::offset_of!(Params, elements) as u64;
    encoder.copy_buffer_to_buffer(&count, 0, &bound.params, at, 4);
    bound.job.record(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
    assert_bins(&bound.read(), &reference::bins(&grid, &boxes[..333]), 333, "333 of 500");
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
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bins_are_the_references(grid in some_grid(), boxes in prop::collection::vec(some_box(), 0..120)) {
        let _turn = one_at_a_time();
        thread_local! {
            static BINS: [Bin; 2] = [Options::default(), small_tiles(4, 4)].map(|options| bin(&options));
        }
        BINS.with(|bins| bins.iter().for_each(|bin| check(bin, &grid, &boxes, "any boxes")));
    }
}
