//! The nodes around an element, and which of them cuts it.

use crate::reason::{Cutter, Reason};
use crate::scene::Document;
use std::collections::HashSet;
use treebounds_core::{NodeKind, Rect};

/// A node that is open.
#[derive(Clone, Copy, Debug)]
struct OpenNode {
    ix: u32,
    kind: Option<NodeKind>,
    /// What is left of the plane inside it.
    clip: Rect,
}

/// The nodes that are open, from the outermost to the innermost.
#[derive(Clone, Debug)]
pub(crate) struct Open<'a> {
    document: Option<&'a Document>,
    ids: &'a [crate::scene::Origin],
    /// The ids that the document has.
    known: HashSet<&'a str>,
    viewport: Rect,
    nodes: Vec<OpenNode>,
}

impl<'a> Open<'a> {
    pub(crate) fn new(
        document: Option<&'a Document>,
        ids: &'a [crate::scene::Origin],
        viewport: Rect,
    ) -> Self {
        let objects = document.into_iter().flat_map(|document| &document.objects);
        let known = objects.filter_map(|object| object.id.as_deref()).collect();
        Self { document, ids, known, viewport, nodes: Vec::new() }
    }

    /// How many there are.
    pub(crate) fn depth(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The innermost.
    pub(crate) fn innermost(&self) -> Option<u32> {
        self.nodes.last().map(|node| node.ix)
    }

    pub(crate) fn push(&mut self, ix: u32, kind: Option<NodeKind>, clip: Rect) {
        self.nodes.push(OpenNode { ix, kind, clip });
    }

    /// Closes the innermost; the element that began it.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.nodes.pop().map(|node| node.ix)
    }

    /// Why nothing of this box is visible, inside all open nodes.
    pub(crate) fn reason(&self, rect: Rect) -> Reason<'a> {
        if !rect.is_empty() && rect.intersect(self.viewport).is_empty() {
            return Reason::only(Cutter::Canvas);
        }
        // What is left only shrinks, so the first node that leaves nothing is found by halves.
        let first = self.nodes.partition_point(|node| !node.clip.intersect(rect).is_empty());
        match self.nodes.get(first) {
            Some(node) if !rect.is_empty() => self.by(node),
            _ => Reason::only(Cutter::Empty),
        }
    }

    /// Why a node that was just opened leaves nothing, whatever is in it: `rect` is its own box.
    pub(crate) fn reason_of_node(&self, rect: Rect) -> Reason<'a> {
        match self.nodes.split_last() {
            // What cuts it cuts all of its box; if nothing does, it has none.
            Some((own, around)) if own.clip.is_empty() => {
                let first = around.iter().find(|node| node.clip.intersect(rect).is_empty());
                match first {
                    _ if rect.is_empty() => self.by(own),
                    _ if rect.intersect(self.viewport).is_empty() => Reason::only(Cutter::Canvas),
                    Some(node) => self.by(node),
                    None => self.by(own),
                }
            }
            _ => Reason::only(Cutter::Empty),
        }
    }

    fn by(&self, node: &OpenNode) -> Reason<'a> {
        let cut = self.document.and_then(|document| document.cut(node.ix));
        let by = Cutter::of_node(self.document, node.ix, node.kind);
        let path = match by {
            Cutter::Clip => cut.and_then(|cut| cut.clip.as_deref()),
            Cutter::Mask => cut.and_then(|cut| cut.mask.as_deref()),
            _ => None,
        };
        // usvg names what has no id.
        let path = path.filter(|id| self.known.contains(id));
        let id = self.ids.get(node.ix as usize).and_then(|origin| origin.id.as_deref());
        Reason { by, ix: Some(node.ix), node: id, path }
    }

    /// What cuts a box, and how much of its area each cutter takes, from the outermost to the innermost.
    pub(crate) fn losses(&self, rect: Rect, mut lost: impl FnMut(Cutter, f64)) {
        let mut left = rect.intersect(self.viewport).area();
        for node in &self.nodes {
            let now = node.clip.intersect(rect).area();
            if now < left {
                lost(Cutter::of_node(self.document, node.ix, node.kind), left - now);
                left = now;
            }
        }
    }
}
