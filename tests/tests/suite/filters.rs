//! Tests scenes with filters, that is, spread nodes and nodes that fill their clip, on the GPU against the reference, bit
//! for bit.

use proptest::prelude::*;
use treebounds::{
    Capacity, Counts, Error, Inputs, NodeOutputBindings, NodeOutputs, NodeStage, Params, Passes,
    Stage, StageDescriptor, Tuning,
};
use treebounds_core::{Footprint, NONE, NodeKind, Rect, Stream, StreamBuilder, Tag, reference};
use treebounds_testkit::failing;
use treebounds_tests::bound::{Bound, expected};
use treebounds_tests::gpu::{gpu, read, run, tuning, variants};
use treebounds_tests::streams::{
    SHAPES, filtered, random_few_markers, random_mixture, random_scene, random_walk, strategy,
};

fn stage(tuning: Tuning) -> Stage {
    let descriptor = StageDescriptor { filter_depth: 16, landings: true, ..tuning.into() };
    Stage::new(&gpu().device, &descriptor).unwrap()
}

/// Compares the stage with the reference in two frames. The second frame reuses the buffers of the first without
/// clearing them.
fn check(stage: &Stage, about: &str, stream: &Stream) {
    let bound = Bound::with_filters(stage, Capacity::of(stream), stream.filter_depth()).unwrap();
    for frame in 0..2 {
        let n = stream.len();
        let expected = reference::bounds(stream);
        let about = format!("{about}, {n}, frame {frame}");
        assert_eq!(bound.run(stream), expected, "{about}; {}", failing(stream));
        let landings = reference::landings(stream, &expected);
        assert_eq!(bound.landings(stream), landings, "landings, {about}; {}", failing(stream));
    }
}

/// Returns scenes of `n` elements, with one to four nested filters.
fn scenes(n: usize, seed: u64) -> [Stream; 5] {
    let few = random_few_markers(seed, n, n / 8);
    [
        filtered(&random_scene(seed, n, 40), seed, 10, 1),
        filtered(&random_scene(seed, n, 0), seed, 30, 4),
        filtered(&random_mixture(seed, n), seed, 60, 3),
        filtered(&few, seed, 50, 2),
        filtered(&random_walk(seed, n), seed, 0, 0),
    ]
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_variant_matches_the_reference_at_sizes_around_a_tile() {
    for variant in variants([4, 32]) {
        let stage = stage(tuning(&variant));
        let w = variant.workgroup_size() as usize;
        let many = if w == 4 { 700 } else { 9 * w + 5 };
        for n in [0, 1, w - 1, w, w + 1, 2 * w, many] {
            for (seed, stream) in scenes(n, w as u64).iter().enumerate() {
                check(&stage, &format!("{variant:?}, scene {seed}"), stream);
            }
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn filtered_shapes_match_the_reference() {
    let stage = stage(Tuning { workgroup_size: Some(16), ..Tuning::default() });
    for (seed, shape) in SHAPES.iter().enumerate() {
        let stream = shape.stream(700, seed as u64);
        check(&stage, shape.name, &filtered(&stream, seed as u64, 20, 1 + seed % 4));
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn kernels_with_runtime_checks_match_the_reference() {
    let stage = stage(Tuning { checked: true, workgroup_size: Some(8), ..Tuning::default() });
    scenes(500, 1).iter().for_each(|stream| check(&stage, "checked", stream));
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn the_default_matches_the_reference_from_one_tile_to_many() {
    let stage = stage(Tuning::default());
    for n in [255, 256, 257, 1024, 5000, 70_000] {
        check(&stage, "walk", &filtered(&random_walk(3, n), 3, 10, 1));
        check(&stage, "few markers", &filtered(&random_few_markers(4, n, n / 20), 4, 50, 2));
    }
}

/// Tests filters at the limits of each rule: one filter between clips, with two draws inside and one outside; and a
/// filter in a filter.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn footprints_and_clips_at_their_limits_match_the_reference() {
    let stage = stage(Tuning::default());
    let view = Rect::new(0.0, 0.0, 100.0, 100.0);
    let rects = [
        view,
        Rect::EVERYTHING,
        Rect::NOTHING,
        Rect::new(-0.25, -0.5, 0.25, 0.5),
        Rect::new(8_388_607.5, -8_388_608.0, 8_388_608.0, 0.0),
        Rect::new(8_388_609.0, 0.0, 1e30, 1.0),
        Rect::new(300.0, 10.0, 301.0, 20.0),
    ];
    let most = f64::from(Footprint::MAX);
    let footprints = [
        Footprint::IDENTITY,
        Footprint::EVERYWHERE,
        Footprint::blur(4.0, 0.0),
        Footprint::offset(-201.5, 0.0),
        Footprint::offset(most, -most),
    ];
    for depth in [1, 2] {
        let mut scene = StreamBuilder::new(Rect::EVERYTHING);
        for (at, footprint) in footprints.into_iter().enumerate() {
            for (outer, inner) in rects.iter().flat_map(|outer| rects.map(|inner| (outer, inner))) {
                scene.begin(NodeKind::Clip, *outer).unwrap();
                for filter in 0..depth {
                    scene
                        .begin_spread([footprint, footprints[(at + 1) % footprints.len()]][filter])
                        .unwrap();
                }
                scene.begin(NodeKind::Clip, inner).unwrap();
                scene.draw(view).unwrap();
                scene.draw(*outer).unwrap();
                for _ in 0..depth + 2 {
                    scene.end().unwrap();
                }
                scene.draw(inner).unwrap();
            }
        }
        check(&stage, "limits", &scene.finish().unwrap());
    }
}

/// A backdrop filter reads the pixels below it: its layer fills its clip, and changes pixels outside its painted content.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn backdrops_fill_their_clip() {
    let view = Rect::new(0.0, 0.0, 100.0, 100.0);
    let card = Rect::new(20.0, 20.0, 60.5, 60.5);
    let blend = Tag::begin(NodeKind::ClipBlend);
    for tag in [blend.fills(), blend.fills().non_local(), Tag::begin(NodeKind::Clip).fills()] {
        let tags = vec![
            Tag::begin(NodeKind::Spread),
            tag,
            Tag::begin(NodeKind::Blend),
            Tag::DRAW,
            Tag::end(NodeKind::Blend),
            tag.closing(),
            Tag::end(NodeKind::Spread),
            tag,
            Tag::DRAW,
        ];
        let ink = Rect::new(30.0, 30.0, 31.0, 31.0);
        let rects = vec![
            Footprint::blur(2.0, 2.0).to_rect(),
            card,
            Rect::EVERYTHING,
            ink,
            Rect::NOTHING,
            Rect::NOTHING,
            Rect::NOTHING,
            card,
            ink,
        ];
        let stream = Stream::new(tags, rects, view).unwrap();
        let bounds = reference::bounds(&stream);
        assert_eq!(bounds.contents[1], card);
        check(&stage(Tuning::default()), "backdrop", &stream);
    }
}

/// `NodeStage` stores the same results, indexed by element.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn a_node_stage_with_filters_matches_the_reference() {
    for threads in [None, Some(8)] {
        let tuning = Tuning { workgroup_size: threads, ..Tuning::default() };
        let descriptor = StageDescriptor { filter_depth: 4, ..tuning.into() };
        let stage = NodeStage::new(&gpu().device, &descriptor).unwrap();
        for n in [0, 1, 255, 256, 257, 3000] {
            let stream = filtered(&random_walk(n as u64, n), 5, 20, 3);
            let capacity = Capacity::of(&stream);
            let scratch = stage.scratch(capacity).unwrap();
            assert!(stage.scratch_bytes(capacity).unwrap() <= scratch.bytes() + 1024);
            let inputs = Inputs::new(&gpu().device, capacity).unwrap();
            let outputs = NodeOutputs::new(&gpu().device, capacity.elements).unwrap();
            inputs.write(&gpu().queue, &stream).unwrap();
            run(&stage.bind(&inputs, &outputs, &scratch).unwrap());
            let expected = reference::bounds(&stream);
            assert_eq!(read::<u32>(&outputs.links, n), expected.links, "{n}");
            assert_eq!(read::<Rect>(&outputs.clips, n), expected.clips, "{n}");
            assert_eq!(read::<Rect>(&outputs.contents, n), expected.contents, "{n}");
        }
    }
}

/// With clips only, the bounds of a node are its clip, and no buffer of contents is bound.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn clips_only_with_filters_match_the_clips_of_both_passes() {
    let tuning = Tuning { workgroup_size: Some(8), ..Tuning::default() };
    let (passes, few_markers, filter_depth) = (Passes::ClipsOnly, true, 4);
    let descriptor =
        StageDescriptor { passes, few_markers, filter_depth, landings: true, ..tuning.into() };
    let stage = Stage::new(&gpu().device, &descriptor).unwrap();
    let nodes = NodeStage::new(&gpu().device, &descriptor).unwrap();
    let few = filtered(&random_few_markers(3, 700, 60), 3, 40, 1);
    for stream in [0, 5, 300].iter().flat_map(|n| scenes(*n, 7)).chain([few]) {
        let capacity =
            Capacity { filter_depth: stream.filter_depth().max(1), ..Capacity::of(&stream) };
        let bound = Bound::new(&stage, capacity).unwrap();
        let about = failing(&stream);
        let expected = expected(passes, &stream);
        assert_eq!(bound.run(&stream), expected, "{about}");
        let landings = reference::landings(&stream, &expected);
        assert_eq!(bound.landings(&stream), landings, "landings, {about}");

        let outputs = NodeOutputs::new(&gpu().device, capacity.elements).unwrap();
        let (links, clips) = (&outputs.links, &outputs.clips);
        let bindings = NodeOutputBindings {
            links: links.as_entire_buffer_binding(),
            clips: Some(clips.as_entire_buffer_binding()),
            contents: None,
        };
        run(&nodes.bind(&bound.inputs, bindings, &nodes.scratch(capacity).unwrap()).unwrap());
        let clips: Vec<Rect> = read(clips, stream.len());
        let clips = expected.marker_elements.iter().map(|element| clips[*element as usize]);
        assert!(clips.eq(expected.clips), "{about}");
    }
}

/// Returns a stream with this number of nested filters.
fn nest(depth: usize) -> Stream {
    let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 100.0));
    for _ in 0..depth {
        scene.begin_spread(Footprint::blur(1.0, 1.0)).unwrap();
    }
    scene.draw(Rect::new(10.0, 10.0, 20.0, 20.0)).unwrap();
    for _ in 0..depth {
        scene.end().unwrap();
    }
    scene.finish().unwrap()
}

#[test]
fn rejects_too_many_nested_filters() {
    let (gpu, stage) = (gpu(), stage(Tuning::default()));
    let deep = nest(100_000);
    let refused = Error::FilterDepth { needed: 100_000, limit: 16 };
    assert_eq!(treebounds::compute(&gpu.device, &gpu.queue, &deep).unwrap_err(), refused);
    assert_eq!(stage.compute(&gpu.queue, &deep).unwrap_err(), refused);
    assert!(refused.to_string().contains("16"), "{refused}");
    assert_eq!(stage.compute(&gpu.queue, &nest(16)).unwrap(), reference::bounds(&nest(16)));

    let refusal = |needed, limit| Error::FilterDepth { needed, limit };
    let of = |filter_depth| Capacity { filter_depth, ..Capacity::all_markers(100) };
    assert_eq!(stage.scratch(of(17)).unwrap_err(), refusal(17, 16));
    let inputs = [0, 2].map(|depth| Inputs::new(&gpu.device, of(depth)).unwrap());
    assert_eq!(inputs[0].write(&gpu.queue, &nest(1)).unwrap_err(), refusal(1, 0));
    assert_eq!(inputs[1].write(&gpu.queue, &nest(3)).unwrap_err(), refusal(3, 2));
    let outputs = treebounds::Outputs::new(&gpu.device, of(0)).unwrap();
    let scratch = stage.scratch(of(1)).unwrap();
    let refused = stage.bind(&inputs[1], &outputs, &scratch).map(drop).unwrap_err();
    assert_eq!(refused, refusal(2, 1));

    // A scratch without landings would leave them unwritten.
    let descriptor = StageDescriptor { filter_depth: 1, ..Default::default() };
    let plain = Stage::new(&gpu.device, &descriptor).unwrap().scratch(of(1)).unwrap();
    let inputs_of_one = Inputs::new(&gpu.device, of(1)).unwrap();
    let refused = stage.bind(&inputs_of_one, &outputs, &plain).map(drop).unwrap_err();
    assert_eq!(refused, Error::ForeignScratch);

    let without = Stage::new(&gpu.device, &StageDescriptor::default()).unwrap();
    assert_eq!(without.scratch(of(1)).unwrap_err(), refusal(1, 0));
    assert_eq!(without.compute(&gpu.queue, &nest(1)).unwrap_err(), refusal(1, 0));
    let passes = Passes::BlendsOnly;
    let descriptor = StageDescriptor { passes, filter_depth: 1, ..Default::default() };
    let refused = Stage::new(&gpu.device, &descriptor).map(drop).unwrap_err();
    assert_eq!(refused, Error::FiltersNeedClips);
}

/// Writes a stream without the CPU's checks, like a renderer that writes footprints on the GPU.
fn write_raw(inputs: &Inputs, stream: &Stream) {
    let params = Params {
        viewport: stream.viewport().to_array(),
        elements: stream.len() as u32,
        ..Params::default()
    };
    gpu().queue.write_buffer(&inputs.params, 0, bytemuck::bytes_of(&params));
    gpu().queue.write_buffer(&inputs.tags, 0, bytemuck::cast_slice(stream.tags()));
    gpu().queue.write_buffer(&inputs.rects, 0, bytemuck::cast_slice(stream.rects()));
}

/// A stream known only to the GPU may have too many nested filters. The status reports it, and no box is too small.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn excessive_depth_on_the_gpu_is_reported_with_sufficient_boxes() {
    let stage = stage(Tuning { workgroup_size: Some(16), ..Tuning::default() });
    for depth in 0..3 {
        for seed in 0..10 {
            let stream = filtered(&random_scene(seed, 600, 40), seed, 40, 4);
            let bound = Bound::with_filters(&stage, Capacity::of(&stream), depth).unwrap();
            write_raw(&bound.inputs, &stream);
            run(&bound.job);
            let counts = bound.counts();
            assert_eq!(counts.elements as usize, stream.len());
            assert_eq!(
                counts.status == Counts::FILTERS_TOO_DEEP,
                stream.filter_depth() > depth.max(1)
            );
            let expected = reference::bounds(&stream);
            let holds = |large: &Rect, small: &Rect| large.union(*small) == *large;
            let boxes: Vec<Rect> = read(&bound.outputs.boxes, stream.len());
            for (at, (large, small)) in boxes.iter().zip(&expected.boxes).enumerate() {
                assert!(holds(large, small), "element {at}: {large:?} does not hold {small:?}");
            }
            let clips: Vec<Rect> = read(&bound.outputs.clips, expected.clips.len());
            let links: Vec<u32> = read(&bound.outputs.links, expected.links.len());
            for (marker, clip) in clips.iter().enumerate() {
                let is_known = links[marker] == expected.links[marker];
                assert!(is_known || links[marker] == NONE, "marker {marker}");
                assert!(*clip == expected.clips[marker] || *clip == Rect::EVERYTHING);
            }
        }
    }
}

/// Elements beyond the capacity are ignored and reported.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn counts_over_the_capacity_are_clamped_and_reported() {
    let stage = stage(Tuning { workgroup_size: Some(8), ..Tuning::default() });
    let whole = filtered(&random_scene(12, 800, 30), 12, 20, 2);
    let (tags, rects) = (whole.tags()[..300].to_vec(), whole.rects()[..300].to_vec());
    let cut = Stream::new(tags, rects, whole.viewport()).unwrap();
    let capacity = Capacity::all_markers(300);
    let bound = Bound::with_filters(&stage, capacity, 2).unwrap();
    write_raw(&bound.inputs, &cut);
    let params = Params { viewport: cut.viewport().to_array(), elements: 800, ..Params::default() };
    gpu().queue.write_buffer(&bound.inputs.params, 0, bytemuck::bytes_of(&params));
    run(&bound.job);
    assert_eq!(bound.counts().status, Counts::ELEMENTS_CLAMPED);
    assert_eq!(read::<Rect>(&bound.outputs.boxes, 300), reference::bounds(&cut).boxes);

    // With too small a capacity for markers, those that fit are right, and nothing is written past them.
    let few =
        Bound::with_filters(&stage, Capacity { elements: 300, markers: 10, filter_depth: 0 }, 2)
            .unwrap();
    write_raw(&few.inputs, &cut);
    run(&few.job);
    assert_eq!(few.counts().status, Counts::MARKERS_CLAMPED);
    assert_eq!(read::<u32>(&few.outputs.links, 10), reference::bounds(&cut).links[..10]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "minutes: run with --include-ignored"]
    fn bounds_match_the_reference(stream in strategy::stream(60), seed: u64, deepest in 0_usize..5) {
        thread_local! {
            static STAGE: Stage = stage(Tuning { workgroup_size: Some(4), ..Tuning::default() });
        }
        let stream = filtered(&stream, seed, 40, deepest);
        let found = STAGE.with(|stage| stage.compute(&gpu().queue, &stream).unwrap());
        prop_assert_eq!(found, reference::bounds(&stream));
    }
}
