//! Matching on one CPU core and on all cores.

use crate::contest::CpuStrategy;
use crate::matching::board::Puzzle;
use crate::measure::{POISON, compare};
use rayon::prelude::*;
use treebounds_core::{NONE, Tag};

/// A matching algorithm and its last result.
pub(crate) struct OnCpu<F> {
    name: &'static str,
    run: F,
    links: Vec<u32>,
}

impl<F: FnMut(&[u32], &mut [u32])> OnCpu<F> {
    pub(crate) fn new(name: &'static str, run: F) -> Self {
        Self { name, run, links: Vec::new() }
    }
}

impl<F: FnMut(&[u32], &mut [u32])> CpuStrategy<Puzzle> for OnCpu<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn load(&mut self, puzzle: &Puzzle) {
        self.links.clear();
        self.links.resize(puzzle.tags.len(), POISON);
    }

    fn run(&mut self, puzzle: &Puzzle) {
        (self.run)(&puzzle.tags, &mut self.links);
    }

    fn mismatch(&self, puzzle: &Puzzle) -> Option<String> {
        compare(0, &self.links, &puzzle.links).map(|mismatch| mismatch.to_string())
    }
}

/// Matching on one core with one stack.
#[derive(Debug, Default)]
pub(crate) struct OneCore {
    stack: Vec<u32>,
}

impl OneCore {
    pub(crate) fn run(&mut self, tags: &[u32], links: &mut [u32]) {
        self.stack.clear();
        for (ix, (tag, link)) in (0..).zip(tags.iter().zip(links)) {
            *link = match tag & Tag::ROLE_MASK {
                Tag::ROLE_BEGIN => {
                    let around = self.stack.last().copied().unwrap_or(NONE);
                    self.stack.push(ix);
                    around
                }
                Tag::ROLE_END => self.stack.pop().unwrap_or(NONE),
                _ => NONE,
            };
        }
    }
}

/// The minimum number of elements per chunk.
const SMALLEST: usize = 1 << 12;
/// Chunks per core, for load balancing.
const PER_CORE: usize = 4;

/// Matching on all cores of rayon's pool.
#[derive(Debug)]
pub(crate) struct AllCores {
    smallest: usize,
    chunks: Vec<Chunk>,
}

#[derive(Debug, Default)]
struct Chunk {
    /// `NONE`, then the nodes that the chunk leaves open, bottom first, then unused entries.
    stack: Vec<u32>,
    /// The number of nodes that the chunk leaves open.
    open: usize,
    /// The elements that refer to a node of an earlier chunk, in order.
    outward: Vec<u32>,
    /// The number of closes in `outward`.
    closes: usize,
    /// The stack before the chunk, top first, as deep as the chunk needs it.
    below: Vec<Run>,
}

/// The lowest `len` open nodes of a chunk.
#[derive(Clone, Copy, Debug)]
struct Run {
    chunk: usize,
    len: usize,
}

impl Default for AllCores {
    fn default() -> Self {
        Self::with_chunks_of(SMALLEST)
    }
}

impl AllCores {
    /// Uses chunks of at least `smallest` elements.
    pub(crate) fn with_chunks_of(smallest: usize) -> Self {
        Self { smallest, chunks: Vec::new() }
    }

    pub(crate) fn run(&mut self, tags: &[u32], links: &mut [u32]) {
        let most = PER_CORE * rayon::current_num_threads();
        let len = tags.len().div_ceil(most).max(self.smallest);
        self.chunks.resize_with(tags.len().div_ceil(len), Chunk::default);
        self.chunks
            .par_iter_mut()
            .zip(tags.par_chunks(len).zip(links.par_chunks_mut(len)))
            .enumerate()
            .for_each(|(ix, (chunk, (tags, links)))| chunk.match_inside(ix * len, tags, links));
        connect(&mut self.chunks);
        let chunks = &self.chunks;
        chunks
            .par_iter()
            .zip(tags.par_chunks(len).zip(links.par_chunks_mut(len)))
            .enumerate()
            .for_each(|(ix, (chunk, (tags, links)))| {
                chunk.match_outside(chunks, ix * len, tags, links);
            });
    }
}

impl Chunk {
    /// Writes the links inside the chunk, which begins at element `start`.
    fn match_inside(&mut self, start: usize, tags: &[u32], links: &mut [u32]) {
        self.outward.clear();
        self.closes = 0;
        if self.stack.len() < tags.len() + 2 {
            self.stack.resize(tags.len() + 2, NONE);
        }
        let mut height = 0;
        for (ix, (tag, link)) in (start as u32..).zip(tags.iter().zip(links)) {
            let role = tag & Tag::ROLE_MASK;
            let (opens, closes) = (role == Tag::ROLE_BEGIN, role == Tag::ROLE_END);
            *link = if opens | closes { self.stack[height] } else { NONE };
            self.stack[height + 1] = ix;
            if height == 0 && (opens | closes) {
                self.outward.push(ix);
                self.closes += usize::from(closes);
                height = usize::from(opens);
            } else {
                height = height + usize::from(opens) - usize::from(closes);
            }
        }
        self.open = height;
    }

    /// The nodes that the chunk leaves open, bottom first.
    fn open(&self) -> &[u32] {
        &self.stack[1..=self.open]
    }

    /// Writes the links to earlier chunks.
    fn match_outside(&self, chunks: &[Self], start: usize, tags: &[u32], links: &mut [u32]) {
        let mut runs = self.below.iter();
        let mut rest: &[u32] = &[];
        for &ix in &self.outward {
            while rest.is_empty() {
                match runs.next() {
                    Some(run) => rest = &chunks[run.chunk].open()[..run.len],
                    // No more nodes are open. The links are already `NONE`.
                    None => return,
                }
            }
            let at = ix as usize - start;
            links[at] = rest[rest.len() - 1];
            if tags[at] & Tag::ROLE_MASK == Tag::ROLE_END {
                rest = &rest[..rest.len() - 1];
            }
        }
    }
}

/// Computes, for each chunk, the part of the stack before it that its elements refer to.
///
/// Each iteration of the inner loop, except the last one per chunk, removes a run, so the total number of
/// iterations is at most twice the number of chunks.
fn connect(chunks: &mut [Chunk]) {
    let mut stack: Vec<Run> = Vec::new();
    for (ix, chunk) in chunks.iter_mut().enumerate() {
        chunk.below.clear();
        let mut closes = chunk.closes;
        while let Some(run) = stack.pop() {
            chunk.below.push(run);
            if closes < run.len {
                stack.push(Run { len: run.len - closes, ..run });
                break;
            }
            closes -= run.len;
        }
        if chunk.open > 0 {
            stack.push(Run { chunk: ix, len: chunk.open });
        }
    }
}
