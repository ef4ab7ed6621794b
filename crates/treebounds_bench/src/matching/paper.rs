//! The algorithms of Levien, "Fast GPU bounding boxes on tree-structured scenes" (2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659)), implemented from the paper's description for
//! comparison.
//!
//! Each has two dispatches. The first reduces partitions and writes their remaining opens. In the second,
//! each partition combines all earlier partitions and resolves its own elements. With `W` threads per
//! workgroup and `K` elements per thread, there are at most `W K` partitions of `W K` elements.
//!
//! ```text
//!            K              within a thread   within a partition    n at most
//! simple     1              -                 one search each       W^2
//! efficient  2, 4, 8, 16    a stack           few searches          W^2 K^2
//! ```

use crate::contest::{Prepared, Strategy};
use crate::matching::board::Puzzle;
use crate::measure::{Kernel, Transfer, storage};
use crate::record::PAPER;
use treebounds::wgpu;

pub(crate) const BICYCLIC: &str = include_str!("paper/bicyclic.wgsl");
const REDUCE: &str = include_str!("paper/reduce.wgsl");
const SPINE: &str = include_str!("paper/spine.wgsl");
pub(crate) const TREE: &str = include_str!("paper/tree.wgsl");
pub(crate) const WALK: &str = include_str!("paper/walk.wgsl");
const SIMPLE: &str = include_str!("paper/simple.wgsl");
const EFFICIENT: &str = include_str!("paper/efficient.wgsl");

/// The elements per thread in the paper.
pub(crate) const PER_THREAD: [u32; 5] = [1, 2, 4, 8, 16];

/// One of the paper's algorithms.
pub(crate) struct Paper {
    name: String,
    threads: u32,
    partition: u32,
    reduce: Kernel,
    resolve: Kernel,
}

impl Paper {
    /// Builds the simple algorithm for one element per thread, and the work-efficient algorithm for more. A
    /// workgroup has `threads` threads, or fewer if workgroup memory is too small.
    pub(crate) fn new(
        device: &wgpu::Device,
        threads: u32,
        per_thread: u32,
        checked: bool,
    ) -> anyhow::Result<Self> {
        let threads = workgroup(&device.limits(), threads, bytes(per_thread));
        let (kind, walk, resolve) =
            if per_thread == 1 { ("simple", "", SIMPLE) } else { ("efficient", WALK, EFFICIENT) };
        let constants = |nodes: u32| {
            format!("const W = {threads}u;\nconst K = {per_thread}u;\nconst NODES = {nodes}u;\n")
        };
        let reduce = [&constants(threads), BICYCLIC, REDUCE].concat();
        let resolve = [&constants(2 * threads), BICYCLIC, SPINE, TREE, walk, resolve].concat();
        Ok(Self {
            name: format!("{PAPER}, {kind}, k = {per_thread}"),
            threads,
            partition: threads * per_thread,
            reduce: Kernel::new(device, "paper_reduce", &reduce, checked)?,
            resolve: Kernel::new(device, "paper_match", &resolve, checked)?,
        })
    }

    /// Threads per workgroup (`w` in the paper).
    pub(crate) fn threads(&self) -> u32 {
        self.threads
    }

    /// The maximum number of elements.
    pub(crate) fn max_n(&self) -> usize {
        self.partition as usize * self.partition as usize
    }
}

impl Strategy<Puzzle> for Paper {
    fn name(&self) -> &str {
        &self.name
    }

    fn unsuited_reason(&self, puzzle: &Puzzle) -> Option<String> {
        let most = self.max_n();
        (puzzle.board.n > most).then(|| format!("n > {most}"))
    }

    fn prepare<'p>(
        &self,
        transfer: &Transfer<'_>,
        puzzle: &'p Puzzle,
    ) -> anyhow::Result<Prepared<'p>> {
        let (device, board) = (&transfer.gpu.device, &puzzle.board);
        let partitions = (board.n as u64).div_ceil(self.partition.into()).max(1);
        let bytes = [8 * partitions, 4 * partitions * u64::from(self.partition)];
        let aggregates = storage(device, "aggregates", bytes[0])?;
        let slices = storage(device, "slices", bytes[1])?;
        let before = [&board.size, &board.tags, &aggregates, &slices];
        let all = [&board.size, &board.tags, &aggregates, &slices, &board.links];
        let reduce = Box::new(self.reduce.bind(device, &before, partitions)?);
        let resolve = Box::new(self.resolve.bind(device, &all, partitions)?);
        Ok(puzzle.prepared(vec![reduce, resolve], bytes[0] + bytes[1]))
    }
}

/// The largest power of two up to `wanted` threads that the device supports with `bytes` of workgroup memory
/// per thread.
pub(crate) fn workgroup(limits: &wgpu::Limits, wanted: u32, bytes: u32) -> u32 {
    let most =
        limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    let mut threads = 1 << wanted.min(most).max(2).ilog2();
    while threads > 2 && bytes * threads > limits.max_compute_workgroup_storage_size {
        threads /= 2;
    }
    threads
}

/// Workgroup memory of the second dispatch per thread: a tree with two words per node, the threads' unmatched
/// opens, and the stack.
fn bytes(per_thread: u32) -> u32 {
    16 + 4 + 4 * per_thread
}
