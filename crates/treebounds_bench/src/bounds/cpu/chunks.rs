//! One chunk of a stream: as an element of the stack monoid, which pops and then pushes nodes; the part of the answer that
//! it writes; and the loop of the reference over it, on top of the nodes that are open before it.

use rayon::prelude::*;
use std::mem::take;
use treebounds_core::{Bounds, NONE, Rect, Role, Tag};

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

/// What a chunk writes: its elements, its nodes.
pub(super) struct Part<'a> {
    /// Its first element and its first node.
    pub(super) start: usize,
    pub(super) first_node: usize,
    pub(super) marker_elements: &'a mut [u32],
    pub(super) links: &'a mut [u32],
    pub(super) clips: &'a mut [Rect],
    pub(super) contents: &'a mut [Rect],
    pub(super) bounds: &'a mut [Rect],
}

/// What becomes known of a node at once.
pub(super) struct Known {
    pub(super) link: u32,
    pub(super) clip: Rect,
    pub(super) content: Rect,
    pub(super) bounds: Rect,
}

impl<'a> Part<'a> {
    /// An answer in parts of `len` elements with so many nodes.
    pub(super) fn split(
        out: &'a mut Bounds,
        len: usize,
        nodes: impl Iterator<Item = usize>,
    ) -> impl IndexedParallelIterator<Item = Self> {
        let mut marker_elements = out.marker_elements.as_mut_slice();
        let mut links = out.links.as_mut_slice();
        let mut clips = out.clips.as_mut_slice();
        let mut contents = out.contents.as_mut_slice();
        let mut first_node = 0;
        let mut parts = Vec::new();
        for ((ix, bounds), nodes) in out.boxes.chunks_mut(len).enumerate().zip(nodes) {
            parts.push(Self {
                start: ix * len,
                first_node,
                marker_elements: cut(&mut marker_elements, nodes),
                links: cut(&mut links, nodes),
                clips: cut(&mut clips, nodes),
                contents: cut(&mut contents, nodes),
                bounds,
            });
            first_node += nodes;
        }
        parts.into_par_iter()
    }

    /// Writes the `node`-th node of the part, which is its element `ix`.
    pub(super) fn write(&mut self, ix: usize, node: usize, known: Known) {
        self.marker_elements[node] = (self.start + ix) as u32;
        self.links[node] = known.link;
        self.clips[node] = known.clip;
        self.contents[node] = known.content;
        self.bounds[ix] = known.bounds;
    }
}

/// Takes the first few off a slice.
fn cut<'a, T>(slice: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let (first, rest) = take(slice).split_at_mut(len);
    *slice = rest;
    first
}

/// An open node. The [`NONE`] element stands for what is outside all nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) element: u32,
    /// Its place among the nodes; meaningless for one from before the chunk.
    pub(super) node: u32,
    pub(super) clip: Rect,
    /// What it has gained in this chunk.
    pub(super) content: Rect,
}

/// An end whose begin lies before the chunk, and what the node gained here.
pub(super) struct OutwardEnd {
    pub(super) element: u32,
    pub(super) node: u32,
    pub(super) gain: Rect,
}

/// The part that other chunks must know about this one.
#[derive(Default)]
pub(super) struct Solved {
    pub(super) ends: Vec<OutwardEnd>,
    /// What is open in the end: the innermost node from before the chunk, then its own.
    pub(super) levels: Vec<Level>,
}

impl From<Below> for Level {
    fn from(below: Below) -> Self {
        let Below { element, clip } = below;
        Self { element, node: NONE, clip, content: Rect::NOTHING }
    }
}

impl Solved {
    /// Solves a chunk; `below` are the nodes open before it, the innermost first.
    pub(super) fn solve(
        &mut self,
        mut below: impl Iterator<Item = Below>,
        viewport: Rect,
        part: &mut Part<'_>,
        tags: &[Tag],
        rects: &[Rect],
    ) {
        let mut next = || Level::from(below.next().unwrap_or(Below::outside(viewport)));
        self.ends.clear();
        self.levels.clear();
        let mut top = next();
        let mut node = 0;
        for (ix, (tag, rect)) in tags.iter().zip(rects).enumerate() {
            match tag.role() {
                Role::Draw => {
                    let visible = rect.intersect(top.clip);
                    top.content = top.content.union(visible);
                    part.bounds[ix] = visible;
                    continue;
                }
                Role::Begin => {
                    let bounds = if tag.is_non_local() { top.clip } else { Rect::NOTHING };
                    let link = top.element;
                    self.levels.push(top);
                    top = Level {
                        element: (part.start + ix) as u32,
                        node: (part.first_node + node) as u32,
                        clip: rect.intersect(top.clip),
                        content: Rect::NOTHING,
                    };
                    let known = Known { link, clip: top.clip, content: Rect::NOTHING, bounds };
                    part.write(ix, node, known);
                }
                Role::End => match self.levels.pop() {
                    Some(around) => {
                        let bounds = close(top, part);
                        part.write(ix, node, Known { bounds, ..known(top) });
                        top = around;
                        top.content = top.content.union(bounds);
                    }
                    None if top.element == NONE => {
                        let nothing = Level { clip: Rect::NOTHING, ..top };
                        let content = Rect::NOTHING;
                        part.write(ix, node, Known { content, ..known(nothing) });
                    }
                    None => {
                        part.write(ix, node, known(top));
                        self.ends.push(OutwardEnd {
                            element: (part.start + ix) as u32,
                            node: (part.first_node + node) as u32,
                            gain: top.content,
                        });
                        top = next();
                    }
                },
            }
            node += 1;
        }
        self.levels.push(top);
    }
}

/// A node that ends, without its bounds.
fn known(level: Level) -> Known {
    let Level { element, clip, content, .. } = level;
    Known { link: element, clip, content, bounds: Rect::NOTHING }
}

/// Writes what is now known of a node of this chunk at its begin; returns its bounds.
fn close(level: Level, part: &mut Part<'_>) -> Rect {
    let bounds = &mut part.bounds[level.element as usize - part.start];
    *bounds = bounds.union(level.content);
    part.contents[level.node as usize - part.first_node] = level.content;
    *bounds
}
