//! Matching on the CPU: one core, and all of them.

use crate::contest::CpuStrategy;
use crate::matching::board::Puzzle;
use crate::measure::{POISON, compare};
use rayon::prelude::*;
use treebounds_core::{NONE, Tag};

/// A way to match, and the last answer.
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

/// One core, one stack.
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

/// A chunk has at least this many elements.
const SMALLEST: usize = 1 << 12;
/// Chunks per core: later ones fill the gaps that earlier ones leave.
const PER_CORE: usize = 4;

/// All cores of rayon's pool.
#[derive(Debug)]
pub(crate) struct AllCores {
    smallest: usize,
    chunks: Vec<Chunk>,
}

#[derive(Debug, Default)]
struct Chunk {
    /// `NONE`, then the nodes that it leaves open, bottom first, then anything.
    stack: Vec<u32>,
    /// How many nodes that is.
    open: usize,
    /// The elements that refer to a node from before it, in order.
    outward: Vec<u32>,
    /// How many of those close.
    closes: usize,
    /// The stack before it, top first, as deep as it looks.
    below: Vec<Run>,
}

/// The lowest `len` nodes that a chunk leaves open.
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
    /// With chunks of at least this many elements.
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
    /// Links what lies inside the chunk, which begins at element `start`.
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

    /// The nodes that it leaves open, bottom first.
    fn open(&self) -> &[u32] {
        &self.stack[1..=self.open]
    }

    /// Links what refers to earlier chunks.
    fn match_outside(&self, chunks: &[Self], start: usize, tags: &[u32], links: &mut [u32]) {
        let mut runs = self.below.iter();
        let mut rest: &[u32] = &[];
        for &ix in &self.outward {
            while rest.is_empty() {
                match runs.next() {
                    Some(run) => rest = &chunks[run.chunk].open()[..run.len],
                    // Nothing is open there; the links say so already.
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

/// Gives every chunk the part of the stack before it that it reads.
///
/// Each turn of the inner loop but the last of a chunk removes a run for good, so
/// all chunks together take as many turns as there are chunks, twice.
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
