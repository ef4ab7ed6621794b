//! The sequential reference: the answer that every backend must give.
//!
//! One loop and a stack. It is the oracle of the tests, so it stays naive; it is
//! also the CPU backend, so it does not waste time.
//!
//! ```text
//! stack = [viewport]
//! begin: push (its rect inside the top's clip)
//! draw:  bounds = its rect inside the top's clip; the top's content grows by it
//! end:   pop; the new top's content grows by what was popped
//! ```
//!
//! [`root_fix`] and [`leaf_fix`] are the same two movements, down and up, for any
//! [`Monoid`](crate::Monoid).

mod fix;

pub use fix::{leaf_fix, root_fix};

use crate::{BinGrid, Bounds, NONE, Rect, Role, Stream, Tag};
use alloc::vec::Vec;

/// Parentheses matching: for an end, the index of its begin; for a begin, the
/// index of the nearest enclosing begin; [`NONE`] for what has neither, and for
/// draws.
///
/// ```
/// use treebounds_core::{NONE, NodeKind, Tag, reference};
/// let (open, close) = (Tag::begin(NodeKind::Clip), Tag::end(NodeKind::Clip));
/// assert_eq!(reference::links(&[open, open, close, close, close]), [NONE, 0, 1, 0, NONE]);
/// ```
pub fn links(tags: &[Tag]) -> Vec<u32> {
    let mut open: Vec<u32> = Vec::new();
    let mut links = Vec::with_capacity(tags.len());
    for (ix, tag) in tags.iter().enumerate() {
        links.push(match tag.role() {
            Role::Draw => NONE,
            Role::Begin => {
                let around = open.last().copied().unwrap_or(NONE);
                open.push(ix as u32);
                around
            }
            Role::End => open.pop().unwrap_or(NONE),
        });
    }
    links
}

/// The elements that touch each bin, in paint order, a list a bin; a box that is
/// empty touches none.
///
/// ```
/// use treebounds_core::{BinGrid, Rect, reference};
///
/// let grid = BinGrid::new(512, 256)?; // two bins
/// let boxes = [Rect::new(0.0, 0.0, 256.0, 9.0), Rect::NOTHING, Rect::EVERYTHING];
/// assert_eq!(reference::bins(&grid, &boxes), [vec![0, 2], vec![2]]);
/// # Ok::<(), treebounds_core::BinGridError>(())
/// ```
pub fn bins(grid: &BinGrid, bounds: &[Rect]) -> Vec<Vec<u32>> {
    let mut bins = alloc::vec![Vec::new(); grid.bins() as usize];
    for (element, rect) in (0..).zip(bounds) {
        let Some([low, high]) = grid.touched(*rect) else { continue };
        for row in low[1]..high[1] {
            for column in low[0]..high[0] {
                bins[(row * grid.columns() + column) as usize].push(element);
            }
        }
    }
    bins
}

/// The bounds of every element.
///
/// Cost: one pass, a stack as deep as the nesting, a few nanoseconds an element;
/// on top of that what the operating system asks for the pages of a fresh
/// answer, which can be more. [`bounds_into`] uses an old one again.
pub fn bounds(stream: &Stream) -> Bounds {
    let mut out = Bounds::default();
    bounds_into(stream, &mut out);
    out
}

/// [`bounds`], into an answer whose memory is used again.
///
/// ```
/// # use treebounds_core::{Bounds, Rect, StreamBuilder, reference};
/// # let stream = StreamBuilder::new(Rect::EVERYTHING).finish()?;
/// let mut answer = Bounds::default();
/// reference::bounds_into(&stream, &mut answer); // once a frame, say
/// assert_eq!(answer, reference::bounds(&stream));
/// # Ok::<(), treebounds_core::BuildError>(())
/// ```
pub fn bounds_into(stream: &Stream, out: &mut Bounds) {
    out.resize(stream.len(), stream.marker_count());
    let mut around: Vec<u32> = Vec::new();
    let mut top = Open { node: NONE, clip: stream.viewport(), content: Rect::NOTHING };
    let mut node = 0;
    for (ix, (tag, rect)) in stream.tags().iter().zip(stream.rects()).enumerate() {
        match tag.role() {
            Role::Draw => {
                let visible = rect.intersect(top.clip);
                top.content = top.content.union(visible);
                out.boxes[ix] = visible;
                continue;
            }
            Role::Begin => {
                around.push(top.node);
                let bounds = if tag.is_non_local() { top.clip } else { Rect::NOTHING };
                let link = out.suspend(top);
                top = Open { node, clip: rect.intersect(top.clip), content: Rect::NOTHING };
                out.write_node(ix, link, node, top, bounds);
            }
            Role::End => match around.pop() {
                None => out.write_node(ix, NONE, node, Open::NOTHING, Rect::NOTHING),
                Some(parent) => {
                    let closed = top;
                    top = out.resume(parent, stream.viewport());
                    let (begin, bounds) = out.close(closed, &mut top);
                    out.write_node(ix, begin, node, closed, bounds);
                }
            },
        }
        node += 1;
    }
    while let Some(parent) = around.pop() {
        let closed = top;
        top = out.resume(parent, stream.viewport());
        out.close(closed, &mut top);
    }
}

/// The innermost open node ([`NONE`]: the viewport), and what is known of it.
///
/// The nodes around it are kept by index alone. Their clips are in the answer
/// already, and their contents wait there until they are on top again.
#[derive(Clone, Copy)]
struct Open {
    node: u32,
    clip: Rect,
    content: Rect,
}

impl Open {
    const NOTHING: Self = Self { node: NONE, clip: Rect::NOTHING, content: Rect::NOTHING };
}

impl Bounds {
    /// Room for an answer. What is in it does not matter: all of it is written.
    fn resize(&mut self, elements: usize, nodes: usize) {
        self.marker_elements.resize(nodes, NONE);
        self.links.resize(nodes, NONE);
        self.clips.resize(nodes, Rect::NOTHING);
        self.contents.resize(nodes, Rect::NOTHING);
        self.boxes.resize(elements, Rect::NOTHING);
    }

    /// Another node is on top now. Returns the element where this one begins.
    #[inline(always)]
    fn suspend(&mut self, open: Open) -> u32 {
        match self.contents.get_mut(open.node as usize) {
            Some(content) => {
                *content = open.content;
                self.marker_elements[open.node as usize]
            }
            None => NONE,
        }
    }

    /// The node is on top again.
    #[inline(always)]
    fn resume(&self, node: u32, viewport: Rect) -> Open {
        match self.contents.get(node as usize) {
            Some(content) => Open { node, clip: self.clips[node as usize], content: *content },
            None => Open { node, clip: viewport, content: Rect::NOTHING },
        }
    }

    /// Writes what is now known of a node at its begin, and lets its parent grow
    /// by it; returns which element the begin is, and the bounds.
    #[inline(always)]
    fn close(&mut self, closed: Open, parent: &mut Open) -> (u32, Rect) {
        let node = closed.node as usize;
        let begin = self.marker_elements[node];
        let changed = self.boxes[begin as usize];
        let bounds = changed.union(closed.content);
        // Not `union(bounds)`: of the two unions only one waits for the content.
        parent.content = parent.content.union(changed).union(closed.content);
        self.contents[node] = closed.content;
        self.boxes[begin as usize] = bounds;
        (begin, bounds)
    }

    /// Element `ix`, which is the `node`-th, begins or ends this one.
    #[inline(always)]
    fn write_node(&mut self, ix: usize, link: u32, node: u32, open: Open, bounds: Rect) {
        let node = node as usize;
        self.marker_elements[node] = ix as u32;
        self.links[node] = link;
        self.clips[node] = open.clip;
        self.contents[node] = open.content;
        self.boxes[ix] = bounds;
    }
}
