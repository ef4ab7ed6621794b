//! The single pass of Levien, "The stack monoid revisited" (2021), with the decoupled fallback of Smith,
//! Levien and Owens (2025): a dispatch that clears the board, and a dispatch that looks back.
//!
//! `lookback.wgsl` describes the algorithm, and the memory guarantees that its loads rely on. The walk through
//! a partition is the same as in the paper's work-efficient algorithm.

use crate::contest::{Prepared, Strategy};
use crate::matching::board::Puzzle;
use crate::matching::paper::{BICYCLIC, TREE, WALK, workgroup};
use crate::measure::{Kernel, Transfer, bytes, fill, storage};
use crate::record::LOOKBACK;
use treebounds::wgpu;

const SOURCE: &str = include_str!("lookback.wgsl");

/// The waiting behavior of workgroups, and the words that are never published, for tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    /// How often a workgroup reloads a missing reduction before it computes the reduction itself.
    pub(crate) spins: u32,
    /// If not 0, the number of repeated loads is random, up to `spins`.
    pub(crate) seed: u32,
    /// Every n-th partition does not publish its reductions, where n is this number; 0 publishes all.
    pub(crate) muted_reductions: u32,
    /// Every n-th partition does not publish its backlinks, where n is this number; 0 publishes all.
    pub(crate) muted_backlinks: u32,
    /// Every n-th partition does not publish its slices, where n is this number; 0 publishes all.
    pub(crate) muted_slices: u32,
}

impl Default for Waiting {
    fn default() -> Self {
        let [seed, muted_reductions, muted_backlinks, muted_slices] = [0; 4];
        Self { spins: 64, seed, muted_reductions, muted_backlinks, muted_slices }
    }
}

/// Matching in a single pass with look-back.
pub(crate) struct LookBack {
    threads: u32,
    per_thread: u32,
    clear: Kernel,
    resolve: Kernel,
}

impl LookBack {
    /// Builds look-back with `threads` threads per workgroup, or fewer if workgroup memory is too small, and
    /// `per_thread` elements per thread, at most 16.
    pub(crate) fn new(
        device: &wgpu::Device,
        threads: u32,
        per_thread: u32,
        waiting: Waiting,
        checked: bool,
    ) -> anyhow::Result<Self> {
        anyhow::ensure!(per_thread <= 16, "{per_thread} elements per thread; at most 16 fit");
        // Words per thread: 4 for the tree (two nodes of two words), 1 for unmatched opens, 1 for a slice,
        // `per_thread` for the stack, and 1 that covers all other variables.
        let words = 4 + 1 + 1 + per_thread + 1;
        let threads = workgroup(&device.limits(), threads, 4 * words);
        let Waiting { spins, seed, muted_reductions, muted_backlinks, muted_slices } = waiting;
        let constants = format!(
            "const W = {threads}u;\nconst K = {per_thread}u;\nconst NODES = {}u;\n\
             const SPINS = {spins}u;\nconst SEED = {seed}u;\n\
             const MUTED_REDUCTIONS = {muted_reductions}u;\n\
             const MUTED_BACKLINKS = {muted_backlinks}u;\n\
             const MUTED_SLICES = {muted_slices}u;\n",
            2 * threads
        );
        let source = [&constants, BICYCLIC, TREE, WALK, SOURCE].concat();
        Ok(Self {
            threads,
            per_thread,
            clear: fill(device, "lookback_clear", 0, checked)?,
            resolve: Kernel::new(device, "lookback_match", &source, checked)?,
        })
    }

    #[cfg(test)]
    pub(crate) fn partition(&self) -> usize {
        self.threads as usize * self.per_thread as usize
    }

    /// Describes the workgroup size.
    pub(crate) fn describe(&self) -> String {
        format!("{} (k = {})", self.threads, self.per_thread)
    }
}

impl Strategy<Puzzle> for LookBack {
    fn name(&self) -> &str {
        LOOKBACK
    }

    fn prepare<'p>(
        &self,
        transfer: &Transfer<'_>,
        puzzle: &'p Puzzle,
    ) -> anyhow::Result<Prepared<'p>> {
        let (device, board) = (&transfer.gpu.device, &puzzle.board);
        let partitions = board.n.div_ceil((self.threads * self.per_thread) as usize);
        // Slices, reductions, backlinks, and the ticket.
        let words = partitions * (self.threads as usize + 2) + 1;
        let published = storage(device, "board", bytes(words))?;
        let all = [&board.size, &board.tags, &published, &board.links];
        let clear = Box::new(self.clear.bind_to_fill(device, &published)?);
        let resolve = Box::new(self.resolve.bind(device, &all, partitions.max(1) as u64)?);
        Ok(puzzle.prepared(vec![clear, resolve], published.size()))
    }
}
