//! Tests scenes with many elements and few markers, which the stage compacts first, against the reference, bit
//! for bit.

use treebounds::{Capacity, Passes, Stage, StageDescriptor, Tuning};
use treebounds_core::{Rect, Role, Stream, reference};
use treebounds_tests::bound::{Bound, expected};
use treebounds_tests::gpu::{gpu, run};
use treebounds_tests::streams::{SHAPES, few_markers, random_few_markers, unclipped};

/// Uses few threads, so that there are many tiles.
fn options(threads: u32, subgroups: bool) -> Tuning {
    Tuning { workgroup_size: Some(threads), subgroups: Some(subgroups), ..Tuning::default() }
}

fn stage(passes: Passes, options: &Tuning) -> Stage {
    let descriptor = StageDescriptor { passes, few_markers: true, ..(*options).into() };
    Stage::new(&gpu().device, &descriptor).unwrap()
}

fn bound(stage: &Stage, capacity: Capacity) -> Bound {
    Bound::new(stage, capacity).unwrap()
}

fn check(stage: &Stage, passes: Passes, name: &str, stream: &Stream) {
    let bound = bound(stage, Capacity::of(stream));
    let n = stream.len();
    assert!(bound.compacts(), "{name}, {n} elements, {} nodes", stream.marker_count());
    // The second frame reuses the buffers of the first without clearing them.
    let frames = if n < 1 << 20 { 2 } else { 1 };
    for frame in 0..frames {
        assert_eq!(
            bound.run(stream),
            expected(passes, stream),
            "{name}, {n} elements, frame {frame}"
        );
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn shapes_with_draws_match_the_reference() {
    let sizes: [(u32, &[usize]); 4] =
        [(4, &[3, 15, 16, 300]), (8, &[1000]), (32, &[1500]), (64, &[5000])];
    for (threads, sizes) in sizes {
        for subgroups in [false, true] {
            for passes in [Passes::ClipsAndBlends, Passes::ClipsOnly, Passes::BlendsOnly] {
                if threads == 64 && passes != Passes::ClipsAndBlends {
                    continue;
                }
                let stage = stage(passes, &options(threads, subgroups));
                for &markers in sizes {
                    check_shapes(&stage, passes, threads, markers);
                }
            }
        }
    }
}

fn check_shapes(stage: &Stage, passes: Passes, threads: u32, markers: usize) {
    let least = (4 * threads * threads + 1) as usize;
    let most = if markers > 1500 { 20 } else { 60 };
    for (seed, shape) in SHAPES.iter().enumerate() {
        let stream = few_markers(shape, markers, most, least, seed as u64);
        let stream = if passes == Passes::BlendsOnly { unclipped(&stream) } else { stream };
        check(stage, passes, shape.name, &stream);
    }
}

/// The draws extend beyond the viewport. The reference would cut them, so the test compares with the kernels
/// for scenes of any kind.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn blends_only_match_the_kernels_for_any_scene() {
    for subgroups in [false, true] {
        let stage = stage(Passes::BlendsOnly, &options(8, subgroups));
        for seed in 0..30 {
            let stream = random_few_markers(seed, 700, 80);
            let small = Rect::new(300.0, 200.0, 500.0, 400.0);
            let (tags, rects) = (stream.tags().to_vec(), stream.rects().to_vec());
            let stream = Stream::new(tags, rects, small).unwrap();
            let any = bound(&stage, Capacity::all_markers(700));
            let few = bound(&stage, Capacity { elements: 700, markers: 87, filter_depth: 0 });
            assert!(few.compacts() && !any.compacts());
            assert_eq!(few.run(&stream), any.run(&stream), "{seed}");
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn kernels_with_runtime_checks_match_the_reference() {
    let stage = stage(Passes::ClipsAndBlends, &Tuning { checked: true, ..options(8, true) });
    for (seed, shape) in SHAPES.iter().enumerate() {
        let stream = few_markers(shape, 200, 30, 257, seed as u64);
        check(&stage, Passes::ClipsAndBlends, shape.name, &stream);
    }
}

/// Tests few or no nodes, gaps that span many workgroups, and markers at the ends of workgroups and groups.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn gaps_between_markers_of_any_length_match_the_reference() {
    for (threads, n) in [(4, 65), (4, 300), (16, 1025), (16, 2000), (32, 5000), (32, 8192)] {
        let stage = stage(Passes::ClipsAndBlends, &options(threads, true));
        for (seed, most) in [0, 1, 2, 3, 7].into_iter().enumerate() {
            let stream = random_few_markers(seed as u64, n, most);
            check(&stage, Passes::ClipsAndBlends, "few", &stream);
        }
    }
}

/// Tests each default kernel for large scenes: for adjacent tiles, for both tile sizes, for bundles, and for
/// groups.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn large_scenes_match_the_reference_in_the_default_variant() {
    let stage = stage(Passes::ClipsAndBlends, &Tuning::default());
    let walk = SHAPES.iter().find(|shape| shape.name == "random walk").unwrap();
    for (nodes, draws) in [(0, 1), (1000, 600), (70_000, 20), (270_000, 20), (840_000, 20)] {
        let stream = few_markers(walk, nodes, draws, (1 << 18) + 1, 5);
        check(&stage, Passes::ClipsAndBlends, walk.name, &stream);
    }
}

/// The markers fill at most as many tiles, or as many bundles, as there are threads. A stage that computes
/// only clips needs no `span` dispatch.
#[test]
fn scenes_with_few_markers_need_few_dispatches() {
    for passes in [Passes::ClipsAndBlends, Passes::ClipsOnly, Passes::BlendsOnly] {
        let stage = stage(passes, &Tuning::default());
        let dispatches = |[elements, nodes]: [u32; 2]| {
            bound(&stage, Capacity { elements, markers: nodes, filter_depth: 0 })
                .job
                .dispatches()
                .len()
        };
        let spans = usize::from(passes != Passes::ClipsOnly);
        let sizes = [[1 << 19, 1 << 14], [1 << 22, 1 << 18]];
        assert_eq!(sizes.map(dispatches), [4 + spans, 5 + spans], "{passes:?}");
    }
}

/// NaNs that bypass the encoder affect the boxes inside and around them, but not the next frame.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn nans_affect_only_related_boxes() {
    let stage = stage(Passes::ClipsAndBlends, &options(8, true));
    let stream = random_few_markers(11, 2000, 200);
    let bound = bound(&stage, Capacity { elements: 2000, markers: 250, filter_depth: 0 });
    bound.inputs.write(&gpu().queue, &stream).unwrap();
    let mut rects = stream.rects().to_vec();
    for at in (0..rects.len()).step_by(70) {
        rects[at] = Rect::new(f32::NAN, f32::INFINITY, f32::NAN, f32::NEG_INFINITY);
    }
    gpu().queue.write_buffer(&bound.inputs.rects, 0, bytemuck::cast_slice(&rects));
    run(&bound.job);
    let (found, expected) = (bound.found(&stream), reference::bounds(&stream));
    assert_eq!(found.links, expected.links);
    let (mut spoilt, mut whole) = (Vec::new(), 0);
    for (at, tag) in stream.tags().iter().enumerate() {
        let inside = spoilt.last() == Some(&true);
        let own = inside || at % 70 == 0;
        match tag.role() {
            Role::Begin => spoilt.push(own),
            Role::End => drop(spoilt.pop()),
            Role::Draw if !own => {
                assert_eq!(found.boxes[at], expected.boxes[at], "draw {at}");
                whole += 1;
            }
            Role::Draw => {}
        }
    }
    assert!(whole > 500, "{whole}");
    assert_eq!(bound.run(&stream), expected);
}

#[test]
fn few_markers_need_less_than_a_third_of_the_scratch_of_many() {
    let stage = stage(Passes::ClipsAndBlends, &Tuning::default());
    let elements = 1 << 20;
    let few = Capacity { elements, markers: elements / 8, filter_depth: 0 };
    let many = Capacity { elements, markers: elements / 8 + 1, filter_depth: 0 };
    let scratch = stage.scratch(few).unwrap();
    assert_eq!(scratch.capacity(), few);
    let bytes = stage.scratch_bytes(few).unwrap();
    assert!(bytes <= scratch.bytes() && scratch.bytes() < bytes + 10_000);
    assert!(bytes < u64::from(elements) * 10);
    assert!(stage.scratch_bytes(many).unwrap() > 3 * bytes);
}
