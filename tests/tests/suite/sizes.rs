//! Tests frames with fewer elements than the capacity of the job: [`Job::up_to`](treebounds::Job::up_to).

use treebounds::{Capacity, Counts, Dispatch, Job, Passes, Stage, StageDescriptor, Tuning};
use treebounds_core::{Rect, Stream, reference};
use treebounds_tests::bound::{Bound, expected};
use treebounds_tests::gpu::{gpu, read, run};
use treebounds_tests::streams::{filtered, random_few_markers, random_scene, unclipped};

const ROOM: u32 = 3000;

/// Element counts that need one tile, several tiles, bundles of tiles, and groups, with 8 threads per workgroup.
const COUNTS: [usize; 12] = [0, 1, 8, 9, 64, 65, 129, 512, 513, 1024, 1025, ROOM as usize];

/// The kinds of jobs: name, passes, capacity for markers, and nested filters.
const KINDS: [(&str, Passes, u32, u32); 6] = [
    ("both passes", Passes::ClipsAndBlends, ROOM, 0),
    ("clips", Passes::ClipsOnly, ROOM, 0),
    ("blends", Passes::BlendsOnly, ROOM, 0),
    ("few markers", Passes::ClipsAndBlends, 100, 0),
    ("one filter", Passes::ClipsAndBlends, ROOM, 1),
    ("one filter, few markers", Passes::ClipsAndBlends, 100, 1),
];

fn stage(passes: Passes, filter_depth: u32) -> Stage {
    let tuning = Tuning { workgroup_size: Some(8), ..Tuning::default() };
    let descriptor = StageDescriptor {
        passes,
        few_markers: true,
        frame_sizes: true,
        filter_depth,
        landings: filter_depth > 0,
        ..tuning.into()
    };
    Stage::new(&gpu().device, &descriptor).unwrap()
}

fn scene(n: usize, passes: Passes, markers: u32, filter_depth: u32) -> Stream {
    let scene = match markers {
        ROOM => random_scene(n as u64, n, 40),
        few => random_few_markers(n as u64, n, few as usize),
    };
    match passes {
        Passes::BlendsOnly => unclipped(&scene),
        _ if filter_depth == 0 => scene,
        _ => filtered(&scene, n as u64, 20, filter_depth as usize),
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn smaller_frames_need_only_the_dispatches_of_a_smaller_job() {
    for (name, passes, markers, filter_depth) in KINDS {
        let stage = stage(passes, filter_depth);
        let capacity = Capacity { elements: ROOM, markers, filter_depth };
        let bound = Bound::new(&stage, capacity).unwrap();
        for n in COUNTS {
            let stream = scene(n, passes, markers, filter_depth);
            bound.inputs.write(&gpu().queue, &stream).unwrap();
            let job = bound.job.up_to(n as u32);
            run(job);
            let expected = expected(passes, &stream);
            assert_eq!(bound.found(&stream), expected, "{name}, {n} elements");
            if filter_depth > 0 {
                assert_eq!(bound.landings(&stream), reference::landings(&stream, &expected), "{n}");
            }

            let elements = (n as u32).next_power_of_two().clamp(8, ROOM);
            let exact = Bound::new(&stage, Capacity { elements, ..capacity }).unwrap().job;
            let [own, exact] = [job, &exact].map(|job| job.dispatches().len());
            // A scratch for few markers may be too small to skip compaction.
            let compaction = if markers < ROOM { 2 } else { 0 };
            assert!((exact..=exact + compaction).contains(&own), "{name}, {n} elements");
        }
    }
}

/// If there are more elements than announced, no box is too small, and boxes that depend only on earlier elements
/// are right.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn oversized_frames_are_reported_with_sufficient_boxes() {
    for (name, passes, markers, filter_depth) in KINDS {
        let capacity = Capacity { elements: ROOM, markers, filter_depth };
        let bound = Bound::new(&stage(passes, filter_depth), capacity).unwrap();
        let stream = scene(ROOM as usize, passes, markers, filter_depth);
        let whole = expected(passes, &stream);
        for up_to in [1, 50, 400, 1000] {
            bound.inputs.write(&gpu().queue, &stream).unwrap();
            run(bound.job.up_to(up_to));
            let about = format!("{name}, up to {up_to}");
            let counts = bound.counts();
            assert_eq!(counts.elements, up_to.next_power_of_two().max(8), "{about}");
            assert_eq!(counts.status, Counts::ELEMENTS_CLAMPED, "{about}");
            let boxes: Vec<Rect> = read(&bound.outputs.boxes, stream.len());
            let is_too_small = |(large, small): (&Rect, &Rect)| large.union(*small) != *large;
            assert_eq!(boxes.iter().zip(&whole.boxes).position(is_too_small), None, "{about}");
            if filter_depth > 0 {
                let (found, needed) =
                    (bound.landings(&stream), reference::landings(&stream, &whole));
                assert_eq!(found.iter().zip(&needed).position(is_too_small), None, "{about}");
            }
            let links: Vec<u32> = read(&bound.outputs.links, counts.markers as usize);
            assert_eq!(links, whole.links[..links.len()], "{about}");
            if passes != Passes::BlendsOnly {
                let clips: Vec<Rect> = read(&bound.outputs.clips, links.len());
                assert_eq!(clips, whole.clips[..links.len()], "{about}");
            }
        }
    }
}

/// After an oversized frame, the next frame is right.
#[test]
fn jobs_recover_from_oversized_frames() {
    let bound = Bound::new(&stage(Passes::ClipsAndBlends, 0), Capacity::all_markers(ROOM)).unwrap();
    let stream = random_scene(1, ROOM as usize, 40);
    bound.inputs.write(&gpu().queue, &stream).unwrap();
    run(bound.job.up_to(100));
    assert_eq!(bound.counts().status, Counts::ELEMENTS_CLAMPED);
    assert_eq!(bound.run(&stream), reference::bounds(&stream));
}

/// A job for filters also has the kernels of a stage without filters, for every size and in the same scratch.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn jobs_without_filters_match_a_stage_without_filters() {
    let labels = |job: &Job| job.dispatches().iter().map(Dispatch::label).collect::<Vec<_>>();
    for (markers, filter_depth) in [(ROOM, 1), (100, 1), (ROOM, 3), (100, 3)] {
        let capacity = Capacity { elements: ROOM, markers, filter_depth };
        let tuning = Tuning { workgroup_size: Some(8), ..Tuning::default() };
        let (few_markers, frame_sizes) = (true, true);
        let descriptor =
            StageDescriptor { few_markers, frame_sizes, filter_depth, ..tuning.into() };
        let stage = Stage::new(&gpu().device, &descriptor).unwrap();
        let bound = Bound::new(&stage, capacity).unwrap();
        let plain = Bound::new(&stage, Capacity { filter_depth: 0, ..capacity }).unwrap().job;
        assert_eq!(labels(bound.job.without_filters()), labels(&plain), "{capacity:?}");
        for n in [0, 65, 513, ROOM] {
            let stream = scene(n as usize, Passes::ClipsAndBlends, markers, 0);
            let expected = reference::bounds(&stream);
            bound.inputs.write(&gpu().queue, &stream).unwrap();
            let plain = bound.job.without_filters();
            for job in [plain, plain.up_to(n), &bound.job] {
                run(job);
                assert_eq!(bound.found(&stream), expected, "{capacity:?}, {n} elements");
            }
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn jobs_without_filters_write_landings() {
    let capacity = Capacity { elements: ROOM, markers: ROOM, filter_depth: 1 };
    let bound = Bound::new(&stage(Passes::ClipsAndBlends, 1), capacity).unwrap();
    let stream = scene(700, Passes::ClipsAndBlends, ROOM, 0);
    bound.inputs.write(&gpu().queue, &stream).unwrap();
    run(bound.job.without_filters());
    assert_eq!(bound.landings(&stream), reference::bounds(&stream).boxes);
}
