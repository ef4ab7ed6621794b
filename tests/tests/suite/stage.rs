//! Tests `Stage` as a library: its limits, its errors and its guarantees.

use treebounds::{
    Capacity, Counts, Error, Gpu, Inputs, Params, Passes, Stage, StageDescriptor, Tuning,
};
use treebounds_core::{NONE, NodeKind, Rect, Stream, StreamBuilder, Tag, reference};
use treebounds_tests::bound::{Bound, expected};
use treebounds_tests::gpu::{device_with, gpu, read, run};
use treebounds_tests::streams::{random_few_markers, random_scene, unclipped};

const SMALL: Capacity = Capacity { elements: 100, markers: 40, filter_depth: 0 };

fn bound(capacity: Capacity, tuning: Tuning) -> Bound {
    let stage = Stage::new(&gpu().device, &tuning.into()).unwrap();
    Bound::new(&stage, capacity).unwrap()
}

fn by_default(capacity: Capacity) -> Bound {
    bound(capacity, Tuning::default())
}

/// Runs with these tags, rects and count, even if they are invalid.
fn run_raw(bound: &Bound, tags: &[u32], rects: &[[f32; 4]], elements: u32) {
    let queue = &gpu().queue;
    let params = Params { viewport: [0.0, 0.0, 1e3, 1e3], elements, ..Params::default() };
    queue.write_buffer(&bound.inputs.params, 0, bytemuck::bytes_of(&params));
    queue.write_buffer(&bound.inputs.tags, 0, bytemuck::cast_slice(tags));
    queue.write_buffer(&bound.inputs.rects, 0, bytemuck::cast_slice(rects));
    run(&bound.job);
}

/// Opens a device with only the guaranteed limits of WebGPU.
fn small_device() -> Gpu {
    device_with(treebounds::required_limits())
}

#[test]
fn default_limits_suffice_and_larger_scenes_are_rejected() {
    let small = small_device();
    let stage = Stage::new(&small.device, &Default::default()).unwrap();
    assert!(!stage.variant(0).subgroups());
    // One tile takes an additional dispatch here, for lack of storage buffers.
    for n in [0, 1, 200, 20_000] {
        let stream = random_scene(3, n, 50);
        assert_eq!(stage.compute(&small.queue, &stream).unwrap(), reference::bounds(&stream));
    }

    // A binding of 128 MiB can contain 2^23 rects.
    let capacity = Capacity { elements: (1 << 23) + 1, markers: 10, filter_depth: 0 };
    let error = Inputs::new(&small.device, capacity).unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 0x800_0000, .. }), "{error}");
    assert!(error.to_string().contains("max_storage_buffer_binding_size"), "{error}");
    let capacity = Capacity::all_markers(u32::MAX);
    assert!(matches!(stage.scratch(capacity), Err(Error::TooMany { .. })));

    let subgroups = Tuning { subgroups: Some(true), ..Tuning::default() };
    assert_eq!(Stage::new(&small.device, &subgroups.into()).unwrap_err(), Error::NoSubgroups);
    let wide = Tuning { workgroup_size: Some(1024), ..Tuning::default() };
    let error = Stage::new(&small.device, &wide.into()).unwrap_err();
    assert!(matches!(error, Error::DeviceLacks { needed: 1024, has: 256, .. }), "{error}");
}

#[test]
fn counts_over_the_capacity_are_clamped_and_reported() {
    let b = by_default(SMALL);
    let tags = vec![Tag::DRAW.bits(); 100];
    run_raw(&b, &tags, &vec![[1.0, 1.0, 2.0, 2.0]; 100], 5000);
    let counts = b.counts();
    assert_eq!((counts.elements, counts.markers), (100, 0));
    assert_eq!(counts.status, Counts::ELEMENTS_CLAMPED);
    assert_eq!(read::<Rect>(&b.outputs.boxes, 100), vec![Rect::new(1.0, 1.0, 2.0, 2.0); 100]);

    let tags = vec![Tag::begin(NodeKind::Clip).bits(); 100];
    run_raw(&b, &tags, &vec![[1.0, 1.0, 2.0, 2.0]; 100], 100);
    let counts = b.counts();
    assert_eq!((counts.elements, counts.markers, counts.markers_needed), (100, 40, 100));
    assert_eq!(counts.status, Counts::MARKERS_CLAMPED);
}

/// Markers past the capacity are ignored and reported, and the results before them are right. Tests bundles of tiles,
/// many groups, compacted markers, and single passes.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn counts_are_clamped_with_many_tiles() {
    for (threads, markers) in [(16, 300), (8, 300), (8, 100), (8, 1), (8, 0)] {
        for passes in [Passes::ClipsAndBlends, Passes::ClipsOnly, Passes::BlendsOnly] {
            check_clamped_counts(threads, markers, passes);
        }
    }
}

/// Checks 1,000 elements, alternately begins and draws, with counts within and over the capacity.
fn check_clamped_counts(threads: u32, most: u32, passes: Passes) {
    let tuning = Tuning { workgroup_size: Some(threads), ..Tuning::default() };
    let descriptor = StageDescriptor { passes, few_markers: true, ..tuning.into() };
    let stage = Stage::new(&gpu().device, &descriptor).unwrap();
    let b =
        Bound::new(&stage, Capacity { elements: 1000, markers: most, filter_depth: 0 }).unwrap();
    assert_eq!(b.compacts(), most < 1000 / 8);
    let begin = Tag::begin(NodeKind::Clip).bits();
    let tags: Vec<u32> = (0..1000).map(|at| if at % 2 == 0 { begin } else { 0 }).collect();
    let own = Rect::new(1.0, 1.0, 2.0, 2.0);
    for elements in [u32::MAX, 1000, 0, 401, 1, 3000] {
        run_raw(&b, &tags, &[own.to_array(); 1000], elements);
        let used = elements.min(1000);
        let needed = used.div_ceil(2);
        let markers = needed.min(most);
        let status = [
            (elements > used, Counts::ELEMENTS_CLAMPED),
            (needed > markers, Counts::MARKERS_CLAMPED),
        ];
        let status = status.iter().map(|(is_cut, flag)| if *is_cut { *flag } else { 0 }).sum();
        let expected = Counts { elements: used, markers, status, markers_needed: needed };
        let about = format!("{elements} elements, {threads} threads, {passes:?}");
        assert_eq!(b.counts(), expected, "{about}");
        let (n, m) = (used as usize, markers as usize);
        let before: Vec<u32> = (0..used).map(|at| at.div_ceil(2).min(most)).collect();
        assert_eq!(read::<u32>(&b.outputs.markers_before, n), before, "{about}");
        let begins: Vec<u32> = (0..markers).map(|marker| 2 * marker).collect();
        assert_eq!(read::<u32>(&b.outputs.marker_elements, m), begins, "{about}");
        let links: Vec<u32> = [NONE].into_iter().chain(begins).take(m).collect();
        assert_eq!(read::<u32>(&b.outputs.links, m), links, "{about}");
        let boxes: Vec<Rect> = read(&b.outputs.boxes, n);
        assert!(boxes.iter().skip(1).step_by(2).all(|draw| *draw == own), "{about}");
    }
    let stream = random_few_markers(3, 1000, most as usize);
    let stream = if passes == Passes::BlendsOnly { unclipped(&stream) } else { stream };
    assert_eq!(b.run(&stream), expected(passes, &stream), "{threads} threads, {passes:?}");
}

#[test]
fn rejects_streams_over_the_capacity() {
    let b = by_default(Capacity::all_markers(5000));
    let refused = b.inputs.write(&gpu().queue, &random_scene(6, 5001, 40)).unwrap_err();
    assert!(matches!(refused, Error::BufferTooSmall { buffer: "tags", .. }));
}

/// A NaN in the buffer may affect only its own subtree and the contents around it. The siblings before and after keep
/// their bits.
#[test]
fn nans_do_not_affect_siblings() {
    let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 1e3, 1e3));
    for at in [0.0, 100.0, 200.0] {
        scene.begin(NodeKind::Clip, Rect::new(at, 0.0, at + 50.0, 50.0)).unwrap();
        scene.draw(Rect::new(at + 10.0, 10.0, at + 90.0, 20.0)).unwrap();
        scene.end().unwrap();
    }
    let stream: Stream = scene.finish().unwrap();
    let expected = reference::bounds(&stream);
    let b = by_default(Capacity::of(&stream));
    let tags: Vec<u32> = stream.tags().iter().map(|tag| tag.bits()).collect();
    let mut rects: Vec<[f32; 4]> = stream.rects().iter().map(|rect| rect.to_array()).collect();
    rects[3] = [f32::NAN; 4];
    run_raw(&b, &tags, &rects, 9);
    let bounds: Vec<Rect> = read(&b.outputs.boxes, 9);
    for sibling in [0, 1, 2, 6, 7, 8] {
        assert_eq!(bounds[sibling], expected.boxes[sibling]);
    }
    assert_eq!(read::<u32>(&b.outputs.links, 6), expected.links);
}

#[test]
fn scratch_size_is_as_announced() {
    let device = &gpu().device;
    let stage = Stage::new(device, &Default::default()).unwrap();
    for elements in [0, 1, 2048, 100_000] {
        let capacity = Capacity::all_markers(elements);
        let said = stage.scratch_bytes(capacity).unwrap();
        let has = stage.scratch(capacity).unwrap().bytes();
        // Separate buffers include the uniforms, a few hundred bytes per dispatch, but no padding between ranges.
        assert!(said.abs_diff(has) < 20_000, "{elements}: said {said}, has {has}");
    }
}

/// A single tile takes one dispatch. Up to as many tiles as threads take three: one for the nodes that tiles leave
/// open, one for the boxes, and one for the boxes of nodes that end in another tile. Bundles of tiles take one more
/// dispatch, and larger scenes two more.
#[test]
fn scenes_need_few_dispatches() {
    let stage = Stage::new(&gpu().device, &Default::default()).unwrap();
    let dispatches = |elements| {
        let capacity = Capacity::all_markers(elements);
        Bound::new(&stage, capacity).unwrap().job.dispatches().len()
    };
    let limits = gpu().device.limits();
    let buffers = limits.max_storage_buffers_per_shader_stage;
    // The maximum sizes of one tile (1,024 elements, or fewer if the device is limited to fewer threads), and of as
    // many tiles as threads (of 512 or 256 elements each).
    let one = [1024, 512, 256].into_iter().find(|n| stage.variant(*n).tile() == *n).unwrap();
    let near = [512, 256].into_iter().find(|n| stage.variant(n * n).tile() == *n).unwrap();
    if limits.max_compute_invocations_per_workgroup >= 1024
        && limits.max_compute_workgroup_storage_size >= 48 << 10
        && buffers >= 9
    {
        assert_eq!(one, 1024);
    }
    assert_eq!([1, one].map(dispatches), [if buffers < 9 { 3 } else { 1 }; 2]);
    assert_eq!([one + 1, near * near].map(dispatches), [3, 3]);
    assert_eq!([near * near + 1, 1 << 20].map(dispatches), [4, 4]);
    assert_eq!(dispatches((1 << 20) + 1), 6);
}
