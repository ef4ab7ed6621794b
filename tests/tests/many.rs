//! Random scenes by the thousand, many in a submission: each is a frame of a job that serves all
//! sizes, and the GPU gives the reference's answer.
//!
//! Scenes have numbers. `TREEBOUNDS_SCENES=0..1000000 cargo test --release -p treebounds_tests
//! --test many` checks the first million; one that fails says its number, and `N..N+1` is that one
//! alone.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ops::Range;
use treebounds::{Capacity, Inputs, Job, Options, Outputs, Stage, wgpu};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_tests::gpu::{buffer, gpu};
use treebounds_tests::streams::{random_few_nodes, random_mixture, random_scene};
use wgpu::BufferUsages;

/// Elements of the largest scene.
const MOST: u32 = 300;
const CAPACITY: Capacity = Capacity { elements: MOST, nodes: MOST };
/// So few that the stage compacts them first, where it has many tiles.
const FEW: Capacity = Capacity { elements: MOST, nodes: MOST / 8 };
/// Scenes in a submission.
const BATCH: u64 = 128;

/// How many elements a scene has: small ones as often as large ones.
fn length(number: u64) -> usize {
    let n = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % u64::from(MOST + 1);
    if number.is_multiple_of(3) { (n % 20) as usize } else { n as usize }
}

/// Half of them balanced, half of them anything.
fn scene(number: u64) -> Stream {
    let n = length(number);
    if number.is_multiple_of(2) {
        random_scene(number, n, [0, 20, 50, 90][(number / 2 % 4) as usize])
    } else {
        random_mixture(number, n)
    }
}

/// Of few nodes.
fn scene_of_few(number: u64) -> Stream {
    random_few_nodes(number, length(number), FEW.nodes as usize)
}

/// One tile, with subgroups and without; a few tiles, each of which reads all before it, or looks at all others;
/// many, in bundles or in a high pyramid; and the same with room for more than the scenes need, also of several runs.
fn stages() -> Vec<(Stage, Capacity)> {
    let alone = Options { subgroups: Some(false), ..Options::default() };
    let runs = Options { subgroups: Some(false), ..sized(64) };
    let few = [Options::default(), alone, sized(64), runs, sized(32), sized(8), sized(4)];
    let few = few.map(|options| (options, CAPACITY));
    let many = [(sized(64), 1100), (sized(32), 1100), (sized(8), 1100), (runs, 5000)];
    let many = many.map(|(options, most)| (options, room(most, most)));
    built(few.into_iter().chain(many))
}

/// Many tiles of elements, and of nodes a few, or many, also of several runs.
fn stages_of_few() -> Vec<(Stage, Capacity)> {
    let alone = Options { subgroups: Some(false), ..sized(8) };
    let few = [sized(8), alone, sized(4)].map(|options| (options, FEW));
    let many =
        [(sized(16), room(1100, 100)), (sized(32), room(8800, 1100)), (sized(4), room(1100, 100))];
    built(few.into_iter().chain(many))
}

const fn room(elements: u32, nodes: u32) -> Capacity {
    Capacity { elements, nodes }
}

fn sized(threads: u32) -> Options {
    Options { workgroup_size: Some(threads), ..Options::default() }
}

fn built(all: impl Iterator<Item = (Options, Capacity)>) -> Vec<(Stage, Capacity)> {
    all.map(|(options, room)| (Stage::new(&gpu().device, &options).unwrap(), room)).collect()
}

/// A frame of a stage, and where its answer goes.
struct Frame {
    inputs: Inputs,
    outputs: Outputs,
    job: Job,
}

/// Bytes of each output in the answer of a frame: element of each node, links, clips, contents,
/// bounds.
const PARTS: [u64; 5] = [4, 4, 16, 16, 16];
const ANSWER: u64 = (4 + 4 + 16 + 16 + 16) * MOST as u64;

impl Frame {
    fn new(stage: &Stage, capacity: Capacity) -> Self {
        let device = &gpu().device;
        let inputs = Inputs::new(device, capacity).unwrap();
        // What is copied out of them is as long for all.
        let largest = room(capacity.elements.max(MOST), capacity.nodes.max(MOST));
        let outputs = Outputs::new(device, largest).unwrap();
        let scratch = stage.scratch(capacity).unwrap();
        let job = stage.bind(&inputs, &outputs, &scratch).unwrap();
        Self { inputs, outputs, job }
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::Buffer, at: u64) {
        self.job.record(encoder);
        let outputs = &self.outputs;
        let sources = [
            &outputs.node_elements,
            &outputs.links,
            &outputs.clips,
            &outputs.contents,
            &outputs.bounds,
        ];
        let mut offset = at;
        for (source, each) in sources.into_iter().zip(PARTS) {
            let size = each * u64::from(MOST);
            encoder.copy_buffer_to_buffer(source, 0, target, offset, size);
            offset += size;
        }
    }
}

/// What a frame found, cut to what the scene has.
fn answer(bytes: &[u8], elements: usize, nodes: usize) -> Bounds {
    let mut rest = bytes;
    let mut part = |index: usize| {
        let (own, others) = rest.split_at((PARTS[index] * u64::from(MOST)) as usize);
        rest = others;
        own
    };
    let words = |bytes: &[u8]| bytemuck::pod_collect_to_vec::<u8, u32>(bytes)[..nodes].to_vec();
    let rects =
        |bytes: &[u8], len: usize| bytemuck::pod_collect_to_vec::<u8, Rect>(bytes)[..len].to_vec();
    Bounds {
        node_elements: words(part(0)),
        links: words(part(1)),
        clips: rects(part(2), nodes),
        contents: rects(part(3), nodes),
        bounds: rects(part(4), elements),
    }
}

/// Runs all scenes of a batch on all stages, and compares.
fn check(
    frames: &[Vec<Frame>],
    target: &wgpu::Buffer,
    scene: fn(u64) -> Stream,
    numbers: Range<u64>,
) {
    let (device, queue) = (&gpu().device, &gpu().queue);
    let scenes: Vec<Stream> = numbers.clone().map(scene).collect();
    let mut encoder = device.create_command_encoder(&Default::default());
    for (stage, frames) in frames.iter().enumerate() {
        for (slot, (frame, scene)) in frames.iter().zip(&scenes).enumerate() {
            frame.inputs.write(queue, scene).unwrap();
            frame.record(&mut encoder, target, (stage as u64 * BATCH + slot as u64) * ANSWER);
        }
    }
    queue.submit([encoder.finish()]);
    target.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = target.get_mapped_range(..).unwrap();
    for (slot, (number, scene)) in numbers.zip(&scenes).enumerate() {
        let expected = reference::bounds(scene);
        for stage in 0..frames.len() {
            let at = (stage * BATCH as usize + slot) * ANSWER as usize;
            let found =
                answer(&bytes[at..at + ANSWER as usize], scene.len(), expected.node_elements.len());
            assert_eq!(found, expected, "scene {number}, stage {stage}");
        }
    }
    drop(bytes);
    target.unmap();
}

/// The numbers of the scenes to check.
fn wanted() -> Range<u64> {
    let Ok(text) = std::env::var("TREEBOUNDS_SCENES") else { return 0..1024 };
    let ends = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    let ends = ends.filter(|numbers| !numbers.is_empty());
    ends.unwrap_or_else(|| panic!("TREEBOUNDS_SCENES={text}: expected FIRST..END, with END above"))
}

fn check_all(stages: &[(Stage, Capacity)], scene: fn(u64) -> Stream) {
    let frames = |(stage, room): &(Stage, Capacity)| {
        (0..BATCH).map(|_| Frame::new(stage, *room)).collect::<Vec<_>>()
    };
    let frames: Vec<Vec<Frame>> = stages.iter().map(frames).collect();
    for (frames, (_, room)) in frames.iter().zip(stages) {
        // Few nodes are compacted first, in every stage that is meant to.
        let compacts =
            frames[0].job.dispatches().iter().any(|dispatch| dispatch.label() == "compact_nodes");
        assert_eq!(compacts, room.nodes < room.elements);
    }
    let size = ANSWER * BATCH * stages.len() as u64;
    let target = buffer(size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
    let mut numbers = wanted();
    while !numbers.is_empty() {
        let end = numbers.end.min(numbers.start + BATCH);
        check(&frames, &target, scene, numbers.start..end);
        numbers.start = end;
    }
}

#[test]
fn random_scenes_are_the_references() {
    check_all(&stages(), scene);
}

#[test]
fn random_scenes_of_few_nodes_are_the_references() {
    check_all(&stages_of_few(), scene_of_few);
}
