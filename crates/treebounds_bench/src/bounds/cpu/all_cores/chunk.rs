//! A chunk as an element of the stack monoid: pops, then pushes of nodes.

use treebounds_core::{NONE, Rect, Role, Tag};

/// What a chunk does to the stack of open nodes, and what it finds there.
#[derive(Default)]
pub(super) struct Chunk {
    /// How many of its elements are nodes.
    nodes: usize,
    /// How many nodes from before it it closes.
    closes: usize,
    /// The elements that it leaves open, bottom first.
    open: Vec<u32>,
    /// The clip of each, as far as the chunk knows.
    clips: Vec<Rect>,
    /// The clip around those, once it is known.
    base: Option<Rect>,
    /// The stack before it, top first, as deep as it looks.
    below: Vec<Run>,
}

/// The lowest `len` nodes that a chunk leaves open.
#[derive(Clone, Copy)]
struct Run {
    chunk: usize,
    len: usize,
}

/// An open node from before a chunk; [`NONE`] where there is none.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub(super) element: u32,
    pub(super) clip: Rect,
}

impl Chunk {
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Looks at the chunk that begins at element `start` on its own.
    pub(super) fn survey(&mut self, start: usize, tags: &[Tag], rects: &[Rect]) {
        (self.nodes, self.closes) = (0, 0);
        self.open.resize(tags.len() + 1, NONE);
        // Every element is written above the top, and the height tells whether it stays:
        // branches on random parentheses would be foreseen half of the time.
        let mut height = 0;
        for (ix, tag) in (start as u32..).zip(tags) {
            let (begins, ends) = (tag.role() == Role::Begin, tag.role() == Role::End);
            let pops = ends & (height > 0);
            self.open[height] = ix;
            height = height + usize::from(begins) - usize::from(pops);
            self.closes += usize::from(ends & !pops);
            self.nodes += usize::from(begins | ends);
        }
        self.open.truncate(height);
        let clips = self.open.iter().scan(Rect::EVERYTHING, |clip, &ix| {
            *clip = rects[ix as usize - start].intersect(*clip);
            Some(*clip)
        });
        self.clips.clear();
        self.clips.extend(clips);
    }

    /// The open nodes before the chunk, top first, as deep as it looks.
    pub(super) fn below<'a>(&'a self, chunks: &'a [Self]) -> impl Iterator<Item = Below> + 'a {
        let run = move |run: &Run| {
            let chunk = &chunks[run.chunk];
            (0..run.len).rev().map(|at| chunk.open(at))
        };
        self.below.iter().flat_map(run)
    }

    /// A node that it leaves open.
    fn open(&self, at: usize) -> Below {
        Below {
            element: self.open[at],
            clip: self.base.map_or(self.clips[at], |base| self.clips[at].intersect(base)),
        }
    }
}

impl Below {
    /// Outside all nodes.
    pub(super) fn outside(viewport: Rect) -> Self {
        Self { element: NONE, clip: viewport }
    }
}

/// Gives every chunk the part of the stack before it that it looks at, and the clip
/// around what it leaves open. Returns how many nodes there are.
///
/// Each turn of the inner loop but the last of a chunk removes a run for good, so
/// all chunks together take as many turns as there are chunks, twice.
pub(super) fn connect(chunks: &mut [Chunk], viewport: Rect) -> usize {
    let mut stack: Vec<Run> = Vec::new();
    for ix in 0..chunks.len() {
        let mut closes = chunks[ix].closes;
        chunks[ix].below.clear();
        while let Some(run) = stack.pop() {
            chunks[ix].below.push(run);
            if closes < run.len {
                stack.push(Run { len: run.len - closes, ..run });
                break;
            }
            closes -= run.len;
        }
        let around = stack.last().map(|run| chunks[run.chunk].open(run.len - 1));
        let chunk = &mut chunks[ix];
        chunk.base = Some(around.map_or(viewport, |around| around.clip));
        if !chunk.open.is_empty() {
            stack.push(Run { chunk: ix, len: chunk.open.len() });
        }
    }
    chunks.iter().map(Chunk::nodes).sum()
}
