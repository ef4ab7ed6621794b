//! Tests millions of random scenes, many per submission. Each scene is a frame of a job for all sizes, and is compared with
//! the reference.
//!
//! Scenes are numbered, and the number selects the variant of the stage. `TREEBOUNDS_SCENES=0..10000000 cargo test --release
//! --workspace --test suite many:: -- --nocapture` checks the first ten million and prints the number of scenes per second.
//! A failure prints the number of the scene, its variant, and a scene file; `N..N+1` runs that scene alone.

use rayon::prelude::*;
use std::ops::Range;
use std::time::Instant;
use treebounds::{Capacity, Gpu, Inputs, Job, Outputs, Stage, StageDescriptor, Tuning};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_testkit::failing;
use treebounds_tests::gpu::{gpu, read_all};
use treebounds_tests::streams::{filtered, random_few_markers, random_mixture, random_scene};

/// The number of scenes per submission.
const EACH: usize = 128;

/// The number of scenes without `TREEBOUNDS_SCENES`.
const USUAL: u64 = 4096;

/// The maximum number of elements in a scene.
const MOST: u32 = 300;

/// The maximum number of nodes in a scene with few markers: so few that the stage compacts them first if there are many
/// tiles.
const MOST_OF_FEW: u32 = MOST / 8;

/// The maximum number of nested filters.
const DEPTH: u32 = 4;

struct Variant {
    name: &'static str,
    threads: Option<u32>,
    /// Whether it may use subgroups.
    subgroups: Option<bool>,
    capacity: Capacity,
    scene: fn(u64) -> Stream,
}

const fn any(name: &'static str, threads: u32, room: u32) -> Variant {
    let capacity = Capacity::all_markers(room);
    let (threads, scene) = (Some(threads), any_scene);
    Variant { name, threads, subgroups: None, capacity, scene }
}

const fn filters(name: &'static str, threads: u32, room: u32) -> Variant {
    let capacity = Capacity { filter_depth: DEPTH, ..Capacity::all_markers(room) };
    Variant { capacity, scene: filtered_scene, ..any(name, threads, room) }
}

/// Returns a variant for scenes without nested filters, which a single run of the stage computes.
const fn one_filter(name: &'static str, threads: u32, room: u32) -> Variant {
    let capacity = Capacity { filter_depth: 1, ..Capacity::all_markers(room) };
    Variant { capacity, scene: once_filtered_scene, ..any(name, threads, room) }
}

const fn few(name: &'static str, threads: u32, elements: u32, markers: u32) -> Variant {
    let capacity = Capacity { elements, markers, filter_depth: 0 };
    Variant { capacity, scene: few_scene, ..any(name, threads, elements) }
}

/// Returns a variant for few markers, without nested filters.
const fn few_filters(name: &'static str, threads: u32, elements: u32, markers: u32) -> Variant {
    let capacity = Capacity { elements, markers, filter_depth: 1 };
    Variant { capacity, scene: few_filtered_scene, ..any(name, threads, elements) }
}

impl Variant {
    const fn tuned(self) -> Self {
        Self { threads: None, ..self }
    }

    const fn without_subgroups(self) -> Self {
        Self { subgroups: Some(false), ..self }
    }

    /// Whether markers are compacted first.
    fn compacts(&self) -> bool {
        self.capacity.markers < self.capacity.elements
    }
}

/// All variants. The first are for scenes without filters: one tile; a few tiles, each of which reads all preceding
/// tiles or looks at all others; many tiles, in bundles or in a high pyramid; and the same with spare capacity, or in
/// several runs. The next are for scenes with few markers, which fill a few or many tiles after compaction, or in
/// several runs. The last, more than half, are for scenes with filters: nested ones, one level of them, and filters
/// among few markers.
const VARIANTS: [Variant; 37] = [
    any("as tuned", 256, MOST).tuned(),
    any("as tuned, no subgroups", 256, MOST).tuned().without_subgroups(),
    any("64 threads", 64, MOST),
    any("64 threads, no subgroups", 64, MOST).without_subgroups(),
    any("32 threads", 32, MOST),
    any("8 threads", 8, MOST),
    any("4 threads", 4, MOST),
    any("64 threads, room for 1,100", 64, 1100),
    any("32 threads, room for 1,100", 32, 1100),
    any("8 threads, room for 1,100", 8, 1100),
    any("64 threads, no subgroups, room for 5,000", 64, 5000).without_subgroups(),
    few("few markers, 8 threads", 8, MOST, MOST_OF_FEW),
    few("few markers, 8 threads, no subgroups", 8, MOST, MOST_OF_FEW).without_subgroups(),
    few("few markers, 4 threads", 4, MOST, MOST_OF_FEW),
    few("few markers, 16 threads, room for 1,100", 16, 1100, 100),
    few("few markers, 32 threads, room for 8,800", 32, 8800, 1100),
    few("few markers, 4 threads, room for 1,100", 4, 1100, 100),
    filters("filters, as tuned", 256, MOST).tuned(),
    filters("filters, as tuned, no subgroups", 256, MOST).tuned().without_subgroups(),
    filters("filters, 64 threads", 64, MOST),
    filters("filters, 8 threads", 8, MOST),
    filters("filters, 4 threads, no subgroups", 4, MOST).without_subgroups(),
    filters("filters, 32 threads, room for 1,100", 32, 1100),
    one_filter("one filter, as tuned", 256, MOST).tuned(),
    one_filter("one filter, as tuned, no subgroups", 256, MOST).tuned().without_subgroups(),
    one_filter("one filter, 64 threads", 64, MOST),
    one_filter("one filter, 8 threads", 8, MOST),
    one_filter("one filter, 4 threads, no subgroups", 4, MOST).without_subgroups(),
    one_filter("one filter, 4 threads, room for 1,100", 4, 1100),
    one_filter("one filter, 32 threads, room for 5,000", 32, 5000),
    filters("filters, 4 threads", 4, MOST),
    few_filters("one filter, few markers, 8 threads", 8, MOST, MOST_OF_FEW),
    few_filters("one filter, few markers, 8 threads, no subgroups", 8, MOST, MOST_OF_FEW)
        .without_subgroups(),
    few_filters("one filter, few markers, 4 threads", 4, MOST, MOST_OF_FEW),
    few_filters("one filter, few markers, 16 threads, room for 1,100", 16, 1100, 100),
    few_filters("one filter, few markers, 32 threads, room for 8,800", 32, 8800, 1100),
    few_filters("one filter, few markers, 4 threads, room for 1,100", 4, 1100, 100),
];

/// The variants checked before every commit: each strategy once, and the default without subgroups.
const MAIN: [&str; 6] = [
    "as tuned",
    "as tuned, no subgroups",
    "8 threads",
    "few markers, 8 threads",
    "filters, 8 threads",
    "one filter, 8 threads",
];

/// Returns the number of elements in a scene. All sizes are equally frequent.
fn length(number: u64) -> usize {
    let n = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % u64::from(MOST + 1);
    if number.is_multiple_of(3) { (n % 20) as usize } else { n as usize }
}

/// Returns a random scene. Half of them are balanced.
fn any_scene(number: u64) -> Stream {
    let n = length(number);
    if number.is_multiple_of(2) {
        random_scene(number, n, [0, 20, 50, 90][(number / 2 % 4) as usize])
    } else {
        random_mixture(number, n)
    }
}

fn few_scene(number: u64) -> Stream {
    random_few_markers(number, length(number), MOST_OF_FEW as usize)
}

/// Returns a scene with filters: none, few or many, nested up to four levels.
fn filtered_scene(number: u64) -> Stream {
    filtered_to(number, (number / 9 % 5) as usize)
}

/// Returns a scene without nested filters.
fn once_filtered_scene(number: u64) -> Stream {
    filtered_to(number, 1)
}

/// Returns a scene with few markers and without nested filters.
fn few_filtered_scene(number: u64) -> Stream {
    filtered(&few_scene(number), number, [5, 20, 60][(number / 3 % 3) as usize], 1)
}

fn filtered_to(number: u64, deepest: usize) -> Stream {
    let percent = [5, 20, 60][(number / 3 % 3) as usize];
    let scene = if number.is_multiple_of(4) { few_scene(number) } else { any_scene(number) };
    filtered(&scene, number, percent, deepest)
}

fn of(number: u64) -> usize {
    // Thirty-seven is prime, so each variant gets scenes of every kind.
    (number % VARIANTS.len() as u64) as usize
}

/// The buffers and the job for one scene.
struct Frame {
    inputs: Inputs,
    outputs: Outputs,
    job: Job,
}

/// Creates `each` frames of a variant. They share a scratch because they run one after the other.
fn frames(variant: &Variant, each: usize) -> Vec<Frame> {
    if each == 0 {
        return Vec::new();
    }
    let device = &gpu().device;
    let Variant { threads, subgroups, capacity, .. } = *variant;
    let tuning = Tuning { workgroup_size: threads, subgroups, ..Tuning::default() };
    let filter_depth = capacity.filter_depth;
    let few_markers = variant.compacts();
    let landings = filter_depth > 0;
    let descriptor = StageDescriptor { few_markers, filter_depth, landings, ..tuning.into() };
    let stage = Stage::new(device, &descriptor).unwrap();
    let scratch = stage.scratch(capacity).unwrap();
    let frame = |_| {
        let inputs = Inputs::new(device, capacity).unwrap();
        let outputs = Outputs::new(device, capacity).unwrap();
        let job = stage.bind(&inputs, &outputs, &scratch).unwrap();
        let compacts = job.dispatches().iter().any(|one| one.label() == "compact_markers");
        assert_eq!(compacts, variant.compacts(), "{}", variant.name);
        Frame { inputs, outputs, job }
    };
    (0..each).map(frame).collect()
}

struct Scene {
    number: u64,
    stream: Stream,
    expected: Bounds,
    landings: Vec<Rect>,
}

impl Scene {
    fn new(number: u64) -> Self {
        let stream = (VARIANTS[of(number)].scene)(number);
        let expected = reference::bounds(&stream);
        let landings = reference::landings(&stream, &expected);
        Self { number, stream, expected, landings }
    }

    /// Returns the expected answer in parts.
    fn answer(&self) -> [&[u8]; 6] {
        let Bounds { marker_elements, links, clips, contents, boxes } = &self.expected;
        [
            bytemuck::cast_slice(marker_elements),
            bytemuck::cast_slice(links),
            bytemuck::cast_slice(clips),
            bytemuck::cast_slice(contents),
            bytemuck::cast_slice(boxes),
            bytemuck::cast_slice(&self.landings),
        ]
    }

    /// Compares an answer with the reference's, byte for byte.
    fn check(&self, found: &[Vec<u8>]) {
        let names = ["marker elements", "links", "clips", "contents", "boxes", "landings"];
        for ((name, found), expected) in names.into_iter().zip(found).zip(self.answer()) {
            let Some(at) = found.iter().zip(expected).position(|(a, b)| a != b) else { continue };
            let (number, variant) = (self.number, VARIANTS[of(self.number)].name);
            panic!(
                "scene {number} ({variant}): {name}, byte {at} of {}, is not the reference's; \
                 TREEBOUNDS_SCENES={number}..{} is this scene alone; {}",
                found.len(),
                number + 1,
                failing(&self.stream)
            );
        }
    }
}

/// Runs scenes of one variant in one pass, at most one per frame.
fn check(frames: &[Frame], numbers: &[u64]) {
    let scenes: Vec<_> = numbers.par_iter().map(|number| Scene::new(*number)).collect();
    let Gpu { device, queue, .. } = gpu();
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    for (Frame { inputs, job, .. }, scene) in frames.iter().zip(&scenes) {
        inputs.write(queue, &scene.stream).unwrap();
        job.record_in_pass(&mut pass);
    }
    drop(pass);
    queue.submit([encoder.finish()]);
    let parts = frames.iter().zip(&scenes).flat_map(|(frame, scene)| {
        let Outputs { marker_elements, links, clips, contents, boxes, landings, .. } =
            &frame.outputs;
        // Without filters, landings are the boxes.
        let landings = landings.as_ref().unwrap_or(boxes);
        let outputs = [marker_elements, links, clips, contents, boxes, landings];
        outputs.into_iter().zip(scene.answer().map(<[u8]>::len))
    });
    let found = read_all(&parts.collect::<Vec<_>>());
    scenes.par_iter().zip(found.par_chunks(6)).for_each(|(scene, found)| scene.check(found));
}

fn wanted() -> Range<u64> {
    let Ok(text) = std::env::var("TREEBOUNDS_SCENES") else { return 0..USUAL };
    let ends = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    let ends = ends.filter(|numbers| !numbers.is_empty());
    ends.unwrap_or_else(|| panic!("TREEBOUNDS_SCENES={text}: expected FIRST..END, with END above"))
}

/// Checks the scenes of the variants accepted by `wants`, one variant after the other, because a software driver caches only
/// a few kernels and recompiles the others.
fn check_all(numbers: Range<u64>, wants: impl Fn(&Variant) -> bool) {
    let Range { start, end } = numbers;
    let since = Instant::now();
    for (place, variant) in VARIANTS.iter().enumerate().filter(|(_, variant)| wants(variant)) {
        let numbers: Vec<u64> = (start..end).filter(|number| of(*number) == place).collect();
        let frames = frames(variant, EACH.min(numbers.len()));
        numbers.chunks(EACH).for_each(|numbers| check(&frames, numbers));
    }
    let (count, seconds) = (end - start, since.elapsed().as_secs_f64());
    println!(
        "scenes {start}..{end} are right: {count} in {seconds:.1} s, {:.0} per second, on {}",
        count as f64 / seconds,
        gpu().adapter.name
    );
}

#[test]
fn random_scenes_match_the_reference_in_the_main_variants() {
    check_all(0..USUAL / 4, |variant| MAIN.contains(&variant.name));
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn random_scenes_match_the_reference_in_every_variant() {
    check_all(wanted(), |_| true);
}
