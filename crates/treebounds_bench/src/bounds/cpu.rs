//! Bounds on the CPU: by the reference on one core, and on all cores.
//!
//! On all cores, chunks run in parallel, a short loop goes over them, chunks run in parallel again, and a loop goes over
//! what reaches out of its chunk:
//!
//! ```text
//! survey    a chunk as an element of the stack monoid: how many nodes from before it
//!           it closes, and which of its own it leaves open, with their clips as far
//!           as the chunk knows
//! connect   one stack of runs of open nodes, (chunk, how many): before each chunk, its
//!           top as deep as the chunk closes, and one more (`below`); and the clip that
//!           is around all that the chunk leaves open (`base`)
//! solve     the loop of the reference, one chunk each, with `below` under its stack. It
//!           writes everything but the contents of nodes that reach into other chunks;
//!           for those it keeps what they gain here, level by level
//! settle    one stack again: sums the gains, and writes those contents
//! ```
//!
//! Work: the tags twice, the rects once, and what leaves the chunks twice more, the last time on one core. In a random walk
//! that is a few hundred elements. If nothing matches inside a chunk, it is all of them.

mod chunks;

use crate::bounds::cpu::chunks::{Chunk, Level, Part, Solved, connect};
use crate::bounds::{CpuStrategy, Scene};
use crate::record::ONE_CORE;
use rayon::prelude::*;
use treebounds_core::{Bounds, NONE, Rect, Stream, reference};

/// Writes the bounds of a stream over an old answer.
type Run = dyn FnMut(&Stream, &mut Bounds);

/// A way to find bounds, and the last answer.
pub(super) struct OnCpu {
    name: &'static str,
    run: Box<Run>,
    answer: Bounds,
}

impl OnCpu {
    pub(super) fn one_core() -> Self {
        Self::new(OneCore::NAME, |stream, out| OneCore.run(stream, out))
    }

    pub(super) fn all_cores() -> Self {
        let mut all_cores = AllCores::default();
        Self::new(AllCores::NAME, move |stream, out| all_cores.run(stream, out))
    }

    fn new(name: &'static str, run: impl FnMut(&Stream, &mut Bounds) + 'static) -> Self {
        Self { name, run: Box::new(run), answer: Bounds::default() }
    }
}

impl CpuStrategy for OnCpu {
    fn name(&self) -> &str {
        self.name
    }

    fn load(&mut self, _: &Scene) {
        self.answer = Bounds::default();
    }

    fn run(&mut self, scene: &Scene) {
        (self.run)(&scene.stream, &mut self.answer);
    }

    fn mismatch(&self, scene: &Scene) -> Option<String> {
        let (found, expected) = (&self.answer, &scene.bounds);
        let parts = [
            ("marker_elements", found.marker_elements == expected.marker_elements),
            ("links", found.links == expected.links),
            ("clips", found.clips == expected.clips),
            ("contents", found.contents == expected.contents),
            ("bounds", found.boxes == expected.boxes),
        ];
        parts.iter().find(|part| !part.1).map(|part| format!("{} are wrong", part.0))
    }
}

/// One core, one stack.
#[derive(Debug, Default)]
pub(crate) struct OneCore;

impl OneCore {
    pub(crate) const NAME: &'static str = ONE_CORE;

    pub(crate) fn run(&mut self, stream: &Stream, out: &mut Bounds) {
        reference::bounds_into(stream, out);
    }
}

/// A chunk has at least this many elements.
const SMALLEST: usize = 1 << 12;
/// Chunks per core: later ones fill the gaps that earlier ones leave.
const PER_CORE: usize = 4;

/// All cores of rayon's pool.
pub(crate) struct AllCores {
    smallest: usize,
    chunks: Vec<Chunk>,
    solved: Vec<Solved>,
}

impl Default for AllCores {
    fn default() -> Self {
        Self::with_chunks_of(SMALLEST)
    }
}

impl AllCores {
    pub(crate) const NAME: &'static str = crate::record::ALL_CORES;

    /// With chunks of at least this many elements.
    pub(crate) fn with_chunks_of(smallest: usize) -> Self {
        Self { smallest, chunks: Vec::new(), solved: Vec::new() }
    }

    pub(crate) fn run(&mut self, stream: &Stream, out: &mut Bounds) {
        let (tags, rects) = (stream.tags(), stream.rects());
        let most = PER_CORE * rayon::current_num_threads();
        let len = tags.len().div_ceil(most).max(self.smallest);
        let count = tags.len().div_ceil(len);
        self.chunks.resize_with(count, Chunk::default);
        self.solved.resize_with(count, Solved::default);

        let pieces = || tags.par_chunks(len).zip(rects.par_chunks(len)).enumerate();
        self.chunks.par_iter_mut().zip(pieces()).for_each(|(chunk, (ix, (tags, rects)))| {
            chunk.survey(ix * len, tags, rects);
        });
        let nodes = connect(&mut self.chunks, stream.viewport());
        resize(out, tags.len(), nodes);
        let parts = Part::split(out, len, self.chunks.iter().map(Chunk::nodes));
        let chunks = &self.chunks;
        self.solved.par_iter_mut().zip(parts).zip(pieces()).for_each(
            |((solved, mut part), (ix, (tags, rects)))| {
                let below = chunks[ix].below(chunks);
                solved.solve(below, stream.viewport(), &mut part, tags, rects);
            },
        );
        settle(&self.solved, out);
    }
}

/// Makes room for an answer. All of it is written later.
fn resize(out: &mut Bounds, elements: usize, nodes: usize) {
    out.marker_elements.resize(nodes, NONE);
    out.links.resize(nodes, NONE);
    out.clips.resize(nodes, Rect::NOTHING);
    out.contents.resize(nodes, Rect::NOTHING);
    out.boxes.resize(elements, Rect::NOTHING);
}

/// Sums up the nodes that reach out of their chunks.
fn settle(solved: &[Solved], out: &mut Bounds) {
    let mut open: Vec<Level> = Vec::new();
    for chunk in solved {
        for end in &chunk.ends {
            if let Some(node) = open.pop() {
                let node = Level { content: node.content.union(end.gain), ..node };
                let bounds = close(node, &mut open, out);
                out.contents[end.node as usize] = node.content;
                out.boxes[end.element as usize] = bounds;
            }
        }
        if let (Some(top), Some(around)) = (open.last_mut(), chunk.levels.first()) {
            top.content = top.content.union(around.content);
        }
        open.extend(chunk.levels.iter().skip(1));
    }
    while let Some(node) = open.pop() {
        close(node, &mut open, out);
    }
}

/// Writes what is now known of a node at its begin, and lets the one around it grow;
/// returns its bounds.
fn close(node: Level, open: &mut [Level], out: &mut Bounds) -> Rect {
    let bounds = &mut out.boxes[node.element as usize];
    *bounds = bounds.union(node.content);
    out.contents[node.node as usize] = node.content;
    if let Some(around) = open.last_mut() {
        around.content = around.content.union(*bounds);
    }
    *bounds
}
