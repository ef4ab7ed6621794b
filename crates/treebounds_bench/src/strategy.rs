//! What is compared: ways to match parentheses, on the GPU and on the CPU.

use crate::board::Board;
use crate::harness::Recordable;
use crate::puzzle::Puzzle;

/// A way to match parentheses on the GPU. Its pipelines are built already.
pub(crate) trait Strategy {
    /// What its line is called.
    fn name(&self) -> &str;

    /// The most elements that it can take, where its algorithm has a limit.
    fn max_n(&self) -> Option<usize> {
        None
    }

    /// Why it cannot read such an input, where it cannot.
    fn unsuited(&self, _puzzle: &Puzzle) -> Option<&'static str> {
        None
    }

    /// Bytes of GPU memory besides input and links, where that is known.
    fn scratch_bytes(&self, _n: usize) -> Option<u64> {
        None
    }

    /// Binds the board's buffers: what must be recorded, in order, to write
    /// every link of the board.
    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>>;

    /// What must be in the board's links in the end.
    fn answer<'a>(&self, puzzle: &'a Puzzle) -> &'a [u32] {
        &puzzle.links
    }
}

/// A way to match parentheses on the CPU. Its working memory is used again.
pub(crate) trait CpuStrategy {
    /// What its line is called.
    fn name(&self) -> &str;

    /// Writes every link.
    fn run(&mut self, tags: &[u32], links: &mut [u32]);
}

/// More elements than the algorithm can take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{strategy} takes at most {max_n} elements, not {n}")]
pub(crate) struct TooLong {
    pub(crate) strategy: String,
    pub(crate) max_n: usize,
    pub(crate) n: usize,
}

/// Whether a strategy can take this many elements.
pub(crate) fn fits(strategy: &dyn Strategy, n: usize) -> Result<(), TooLong> {
    match strategy.max_n() {
        Some(max_n) if n > max_n => Err(TooLong { strategy: strategy.name().to_owned(), max_n, n }),
        _ => Ok(()),
    }
}
