//! The variants of the stage: which a scene runs on, its number says.

use treebounds::{Capacity, Stage, Tuning, wgpu};
use treebounds_core::Stream;
use treebounds_tests::streams::{random_few_markers, random_mixture, random_scene};

/// Elements of the largest scene.
pub(crate) const MOST: u32 = 300;

/// Nodes of a scene of few: so few that the stage compacts them first, where it has many tiles.
pub(crate) const MOST_OF_FEW: u32 = MOST / 8;

/// A variant of the stage.
pub(crate) struct Variant {
    /// The name in messages of failures.
    pub(crate) name: &'static str,
    /// Threads per workgroup.
    threads: Option<u32>,
    /// Whether it may use subgroups.
    subgroups: Option<bool>,
    /// The capacity of its buffers.
    pub(crate) capacity: Capacity,
    /// Its scenes.
    pub(crate) scene: fn(u64) -> Stream,
}

const fn any(name: &'static str, threads: u32, room: u32) -> Variant {
    let capacity = Capacity { elements: room, markers: room };
    Variant { name, threads: Some(threads), subgroups: None, capacity, scene: any_scene }
}

const fn few(name: &'static str, threads: u32, elements: u32, markers: u32) -> Variant {
    let capacity = Capacity { elements, markers };
    let scene = few_scene;
    Variant { name, threads: Some(threads), subgroups: None, capacity, scene }
}

impl Variant {
    const fn tuned(self) -> Self {
        Self { threads: None, ..self }
    }

    const fn without_subgroups(self) -> Self {
        Self { subgroups: Some(false), ..self }
    }

    /// Whether nodes are compacted first.
    fn compacts(&self) -> bool {
        self.capacity.markers < self.capacity.elements
    }
}

/// One tile; a few tiles, each of which reads all before it, or looks at all others; many, in bundles or in a high pyramid;
/// the same with room for more than the scenes need, also of several runs. Then the nodes of many tiles of elements: a few
/// tiles of nodes, or many, also of several runs.
pub(crate) const VARIANTS: [Variant; 17] = [
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
];

/// How many elements a scene has: small scenes as often as large ones.
fn length(number: u64) -> usize {
    let n = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % u64::from(MOST + 1);
    if number.is_multiple_of(3) { (n % 20) as usize } else { n as usize }
}

/// Half of them balanced, half of them anything.
fn any_scene(number: u64) -> Stream {
    let n = length(number);
    if number.is_multiple_of(2) {
        random_scene(number, n, [0, 20, 50, 90][(number / 2 % 4) as usize])
    } else {
        random_mixture(number, n)
    }
}

/// A scene of few markers.
fn few_scene(number: u64) -> Stream {
    random_few_markers(number, length(number), MOST_OF_FEW as usize)
}

/// The variant of a scene.
pub(crate) fn of(number: u64) -> usize {
    // Seventeen is prime: each variant has scenes of every kind.
    (number % VARIANTS.len() as u64) as usize
}

/// The stage of each variant.
pub(crate) fn build(device: &wgpu::Device) -> Vec<Stage> {
    let stage = |variant: &Variant| {
        let Variant { threads, subgroups, .. } = *variant;
        let options = Tuning { workgroup_size: threads, subgroups, ..Tuning::default() };
        Stage::new(device, &options.into()).unwrap()
    };
    VARIANTS.iter().map(stage).collect()
}

/// That a job compacts nodes first where its variant is meant to.
pub(crate) fn check_compaction(variant: &Variant, job: &treebounds::Job) {
    let compacts = job.dispatches().iter().any(|dispatch| dispatch.label() == "compact_markers");
    assert_eq!(compacts, variant.compacts(), "{}", variant.name);
}
