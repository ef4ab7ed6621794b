//! The part of an answer that one chunk writes.

use rayon::prelude::*;
use std::mem::take;
use treebounds_core::{Bounds, Rect};

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
