//! Tests `NodeStage`, for streams of markers only, against the reference: links, clips and contents, indexed by element.

use proptest::prelude::*;
use treebounds::{
    Capacity, Error, Inputs, NodeOutputs, NodeStage, Outputs, Passes, Stage, StageDescriptor,
    Tuning, Variant, wgpu,
};
use treebounds_core::{NONE, Rect, Role, Stream, reference};
use treebounds_tests::gpu::{buffer, gpu, read, read_all, run, tuning, variants};
use treebounds_tests::streams::{SHAPES, random_walk, strategy, unclipped};
use wgpu::BufferUsages;

#[derive(Debug, PartialEq)]
struct Found {
    links: Vec<u32>,
    clips: Vec<Rect>,
    contents: Vec<Rect>,
}

/// Returns the reference's answer, indexed by element.
fn expected(stream: &Stream) -> Found {
    let bounds = reference::bounds(stream);
    let mut found = Found {
        links: enclosing(stream),
        clips: bounds.boxes.clone(),
        contents: bounds.boxes.clone(),
    };
    for (node, &element) in bounds.marker_elements.iter().enumerate() {
        found.links[element as usize] = bounds.links[node];
        found.clips[element as usize] = bounds.clips[node];
        found.contents[element as usize] = bounds.contents[node];
    }
    found
}

/// Returns the begin around each element, or NONE.
fn enclosing(stream: &Stream) -> Vec<u32> {
    let mut stack = Vec::new();
    let tops = stream.tags().iter().zip(0..).map(|(tag, element)| {
        let top = stack.last().copied().unwrap_or(NONE);
        match tag.role() {
            Role::Begin => stack.push(element),
            Role::End => drop(stack.pop()),
            Role::Draw => (),
        }
        top
    });
    tops.collect()
}

/// Returns everything that the GPU writes into poisoned buffers.
fn found(bounds: &NodeStage, stream: &Stream, room: u32) -> Found {
    let device = &gpu().device;
    let n = stream.len();
    let inputs =
        Inputs::new(device, Capacity { elements: room, markers: 0, filter_depth: 0 }).unwrap();
    let outputs = outputs(room);
    inputs.write(&gpu().queue, stream).unwrap();
    let scratch = bounds.scratch(Capacity::all_markers(room)).unwrap();
    // Separate buffers include the uniforms, but no padding between ranges.
    assert!(
        scratch.bytes().abs_diff(bounds.scratch_bytes(Capacity::all_markers(room)).unwrap()) < 4096
    );
    run(&bounds.bind(&inputs, &outputs, &scratch).unwrap());
    found_in(&outputs, n)
}

/// Reads the first elements of all outputs.
fn found_in(outputs: &NodeOutputs, n: usize) -> Found {
    let NodeOutputs { links, clips, contents } = outputs;
    let parts = read_all(&[(links, 4 * n), (clips, 16 * n), (contents, 16 * n)]);
    Found {
        links: bytemuck::pod_collect_to_vec(&parts[0]),
        clips: bytemuck::pod_collect_to_vec(&parts[1]),
        contents: bytemuck::pod_collect_to_vec(&parts[2]),
    }
}

fn outputs(elements: u32) -> NodeOutputs {
    let new = |bytes| {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let buffer = buffer(bytes * u64::from(elements.max(1)), usage);
        let poison = vec![0x55; buffer.size() as usize];
        gpu().queue.write_buffer(&buffer, 0, &poison);
        buffer
    };
    NodeOutputs { links: new(4), clips: new(16), contents: new(16) }
}

struct Parts {
    whole: NodeStage,
    clips: NodeStage,
    blends: NodeStage,
}

impl Parts {
    fn new(options: &Tuning) -> Self {
        let device = &gpu().device;
        let part = |passes| {
            NodeStage::new(
                device,
                &StageDescriptor { passes, tuning: *options, ..Default::default() },
            )
            .unwrap()
        };
        Self {
            whole: NodeStage::new(device, &(*options).into()).unwrap(),
            clips: part(Passes::ClipsOnly),
            blends: part(Passes::BlendsOnly),
        }
    }

    fn check(&self, about: &str, stream: &Stream, room: u32) {
        let about = format!("{about}, n = {}, room for {room}", stream.len());
        assert_eq!(found(&self.whole, stream, room), expected(stream), "{about}");
        let clips = found(&self.clips, stream, room);
        let all = expected(stream);
        assert_eq!((clips.links, clips.clips), (all.links, all.clips), "clips, {about}");
        let cut = unclipped(stream);
        let blends = found(&self.blends, &cut, room);
        let all = expected(&cut);
        assert_eq!((blends.links, blends.contents), (all.links, all.contents), "blends, {about}");
    }

    /// Checks with exact capacity and with spare capacity.
    fn check_both(&self, about: &str, stream: &Stream) {
        let n = stream.len() as u32;
        self.check(about, stream, n);
        self.check(about, stream, 3 * n + 100);
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_shape_matches_the_reference_in_every_variant() {
    for variant in variants([2, 8, 32, 256]) {
        let tile = variant.tile() as usize;
        let parts = Parts::new(&Tuning { checked: variant.tile() == 32, ..tuning(&variant) });
        for shape in SHAPES {
            // Sizes of one tile and of a few tiles.
            for n in [0, 1, tile - 1, tile, tile + 1, (5 * tile + 3).min(1500)] {
                parts.check(shape.name, &shape.stream(n, 7), n as u32);
            }
            // Sizes with bundles of tiles and, if the tiles are small, many groups.
            for n in [tile * tile + 5, tile * tile * tile + 5] {
                parts.check_both(shape.name, &shape.stream(n.min(1500), 7));
            }
        }
    }
}

/// Tests sizes for one tile, for as many tiles as there are threads, for as many bundles as there are
/// threads, and for more.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn default_kernels_match_the_reference_at_their_sizes() {
    let parts = Parts::new(&Tuning::default());
    for n in [200, 1000, 1025, 8192, 8193, 16_000, 66_000, 263_000, 1_050_000] {
        parts.check("random walk", &random_walk(n as u64, n), n as u32);
    }
}

/// Tests as many bundles of tiles as a workgroup has threads, plus or minus one element.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn sizes_around_bundle_boundaries_match_the_reference() {
    for (threads, most) in [(4, 64), (8, 512), (16, 4096)] {
        let options = Tuning { workgroup_size: Some(threads), ..Tuning::default() };
        let parts = Parts::new(&options);
        for shape in SHAPES {
            for n in [most - 1, most, most + 1] {
                parts.check(shape.name, &shape.stream(n, 7), n as u32);
            }
        }
    }
}

/// Tests the largest size at which each workgroup reads all elements, with stacks of every height.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn the_most_elements_read_by_each_workgroup_match_the_reference() {
    for subgroups in [Some(false), None] {
        let parts = Parts::new(&Tuning { subgroups, ..Tuning::default() });
        for shape in SHAPES {
            parts.check(shape.name, &shape.stream(8192, 7), 8192);
        }
    }
}

#[test]
fn counts_are_clamped_to_the_capacity() {
    let bounds = NodeStage::new(&gpu().device, &Default::default()).unwrap();
    // Sizes of one tile and of several.
    for (n, room) in [(500, 300), (2500, 2000)] {
        let stream = random_walk(3, n);
        let capacity = Capacity { elements: n as u32, markers: 0, filter_depth: 0 };
        let inputs = Inputs::new(&gpu().device, capacity).unwrap();
        inputs.write(&gpu().queue, &stream).unwrap();
        let outputs = outputs(n as u32);
        run(&bounds
            .bind(&inputs, &outputs, &bounds.scratch(Capacity::all_markers(room as u32)).unwrap())
            .unwrap());
        let links = enclosing(&stream);
        let seen: Vec<u32> = read(&outputs.links, n);
        assert_eq!(seen[..room], links[..room]);
        assert!(seen[room..].iter().all(|link| *link == 0x5555_5555));
    }
}

/// A single pass accepts any buffers in place of those it does not use.
#[test]
fn single_passes_ignore_the_buffers_of_the_other_pass() {
    let device = &gpu().device;
    let parts = Parts::new(&Tuning::default());
    let inputs =
        Inputs::new(device, Capacity { elements: 100, markers: 0, filter_depth: 0 }).unwrap();
    let good = NodeOutputs::new(device, 100).unwrap();
    let short = NodeOutputs { contents: buffer(1584, BufferUsages::STORAGE), ..good.clone() };
    let twice = NodeOutputs { contents: good.clips.clone(), ..good.clone() };
    let too_small = Error::BufferTooSmall { buffer: "contents", needed: 1600, size: 1584 };
    let overlap = Error::Overlap { first: "clips", second: "contents" };
    let Parts { whole, clips, blends } = &parts;
    for (part, outputs, expected) in [
        (whole, &good, None),
        (whole, &short, Some(&too_small)),
        (blends, &short, Some(&too_small)),
        (clips, &short, None),
        (whole, &twice, Some(&overlap)),
        (clips, &twice, None),
        (blends, &twice, None),
    ] {
        let bound = part
            .bind(&inputs, outputs, &part.scratch(Capacity::all_markers(100)).unwrap())
            .map(|_| ());
        assert_eq!(bound.err().as_ref(), expected);
    }
}

/// Needing less memory than the stage is the purpose of `NodeStage`.
#[test]
fn node_stages_need_less_memory_and_no_more_dispatches_than_stages() {
    let device = &gpu().device;
    for passes in [Passes::ClipsAndBlends, Passes::ClipsOnly, Passes::BlendsOnly] {
        let stage = Stage::new(device, &StageDescriptor { passes, ..Default::default() }).unwrap();
        let bounds =
            NodeStage::new(device, &StageDescriptor { passes, ..Default::default() }).unwrap();
        for n in [100, 100_000, 1_000_000] {
            let capacity = Capacity::all_markers(n);
            let inputs = Inputs::new(device, capacity).unwrap();
            let outputs = Outputs::new(device, capacity).unwrap();
            let scratch = stage.scratch(capacity).unwrap();
            let whole = stage.bind(&inputs, &outputs, &scratch).unwrap().dispatches().len();
            let outputs = NodeOutputs::new(device, n).unwrap();
            let own = bounds.scratch(Capacity::all_markers(n)).unwrap();
            let part = bounds.bind(&inputs, &outputs, &own).unwrap().dispatches().len();
            assert!(part <= whole && own.bytes() <= scratch.bytes(), "{passes:?}, {n}");
        }
    }
}

#[test]
fn the_documented_number_of_dispatches_is_right() {
    let device = &gpu().device;
    let counts = |passes, at: &[u32]| {
        let bounds =
            NodeStage::new(device, &StageDescriptor { passes, ..Default::default() }).unwrap();
        let count = |n: &u32| {
            let inputs = Inputs::new(device, Capacity::all_markers(*n)).unwrap();
            let outputs = NodeOutputs::new(device, *n).unwrap();
            let scratch = bounds.scratch(Capacity::all_markers(*n)).unwrap();
            bounds.bind(&inputs, &outputs, &scratch).unwrap().dispatches().len()
        };
        at.iter().map(count).collect::<Vec<_>>()
    };
    let sizes = [256, 1025, 65_536, (1 << 18) + 1, 1 << 20, (1 << 20) + 1];
    assert_eq!(counts(Passes::ClipsAndBlends, &sizes), [1, 3, 3, 4, 4, 6]);
    assert_eq!(counts(Passes::ClipsOnly, &sizes), [1, 2, 2, 3, 3, 4]);
    assert_eq!(counts(Passes::BlendsOnly, &sizes), [1, 3, 3, 4, 4, 6]);
}

/// A NaN in a buffer affects the bounds inside its node and the contents of the enclosing nodes, but no
/// sibling.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn nans_do_not_affect_siblings() {
    let parts = Parts::new(&tuning(&Variant::new(8, 1).unwrap()));
    let stream = random_walk(5, 400);
    let expected = expected(&stream);
    let victim = (100..).find(|at| stream.tags()[*at].role() == Role::Begin).unwrap();
    let end = (victim + 1..stream.len())
        .find(|at| expected.links[*at] == victim as u32 && stream.tags()[*at].role() == Role::End);
    let inside = victim..end.map_or(stream.len(), |end| end + 1);

    let inputs = Inputs::new(&gpu().device, Capacity::of(&stream)).unwrap();
    inputs.write(&gpu().queue, &stream).unwrap();
    let nan = [f32::NAN; 4];
    gpu().queue.write_buffer(&inputs.rects, 16 * victim as u64, bytemuck::bytes_of(&nan));
    let (outputs, scratch) =
        (outputs(400), parts.whole.scratch(Capacity::all_markers(400)).unwrap());
    run(&parts.whole.bind(&inputs, &outputs, &scratch).unwrap());
    assert_eq!(read::<u32>(&outputs.links, 400), expected.links);
    let clips: Vec<Rect> = read(&outputs.clips, 400);
    for at in (0..400).filter(|at| !inside.contains(at)) {
        assert_eq!(clips[at], expected.clips[at], "{at}");
    }
}

/// The count may change between frames, and earlier frames do not affect later ones.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn frames_of_different_sizes_match_the_reference() {
    let bounds =
        NodeStage::new(&gpu().device, &tuning(&Variant::new(8, 1).unwrap()).into()).unwrap();
    let room = 900;
    let inputs =
        Inputs::new(&gpu().device, Capacity { elements: room, markers: 0, filter_depth: 0 })
            .unwrap();
    let outputs = outputs(room);
    let job = bounds
        .bind(&inputs, &outputs, &bounds.scratch(Capacity::all_markers(room)).unwrap())
        .unwrap();
    for (round, n) in [900, 17, 0, 300, 16, 900, 1].into_iter().enumerate() {
        let stream = SHAPES[round % SHAPES.len()].stream(n, 7);
        inputs.write(&gpu().queue, &stream).unwrap();
        run(&job);
        assert_eq!(found_in(&outputs, n), expected(&stream), "{n}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "minutes: run with --include-ignored"]
    fn random_streams_match_the_reference(stream in strategy::stream(200)) {
        thread_local! {
            static PARTS: [Parts; 2] = [4, 32].map(|threads| {
                Parts::new(&Tuning { workgroup_size: Some(threads), ..Tuning::default() })
            });
        }
        PARTS.with(|parts| parts.iter().for_each(|parts| parts.check_both("random", &stream)));
    }
}
