//! The sequential reference, which all backends must match bit for bit.
//!
//! It is one loop and a stack. As the test oracle it stays naive; as the CPU backend it avoids unnecessary work.
//!
//! ```text
//! stack = [viewport]
//! begin: push (its rect ∩ the clip of the top; for a filter, the area that it reads for the clip of the top)
//! draw:  box = its rect ∩ the clip of the top; add the box to the content of the top
//! end:   pop; add the popped content to the content of the new top (for a filter, its forward bounds)
//! ```
//!
//! [`root_fix`] and [`leaf_fix`] are the corresponding passes, down and up, for any [`Monoid`](crate::Monoid).

mod brackets;
mod fix;

pub use brackets::{Brackets, brackets};
pub use fix::{leaf_fix, root_fix};

use crate::{BinGrid, Bounds, Footprint, NONE, Rect, Role, Stream, Tag};
use alloc::vec::Vec;

/// Matches parentheses. The link of an end is the index of its begin; the link of a begin is the index of its parent. Missing links
/// and the links of draws are [`NONE`].
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
                let parent = open.last().copied().unwrap_or(NONE);
                open.push(ix as u32);
                parent
            }
            Role::End => open.pop().unwrap_or(NONE),
        });
    }
    links
}

/// Lists the elements that overlap each bin, in paint order. Empty boxes overlap no bins.
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

/// Computes the bounds of every element.
///
/// Cost: one pass, a stack as deep as the nesting, and a few nanoseconds per element. Allocating the result can take longer;
/// [`bounds_into`] reuses an existing one.
pub fn bounds(stream: &Stream) -> Bounds {
    let mut out = Bounds::default();
    bounds_into(stream, &mut out);
    out
}

/// Like [`bounds`], but reuses the memory of an existing result.
///
/// ```
/// # use treebounds_core::{Bounds, Rect, StreamBuilder, reference};
/// # let stream = StreamBuilder::new(Rect::EVERYTHING).finish()?;
/// let mut out = Bounds::default();
/// reference::bounds_into(&stream, &mut out); // for example once per frame
/// assert_eq!(out, reference::bounds(&stream));
/// # Ok::<(), treebounds_core::BuildError>(())
/// ```
pub fn bounds_into(stream: &Stream, out: &mut Bounds) {
    out.resize(stream.len(), stream.marker_count());
    let mut parents: Vec<u32> = Vec::new();
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
                parents.push(top.node);
                let bounds = if tag.is_non_local() { top.clip } else { Rect::NOTHING };
                let link = out.suspend(top);
                let clip = match tag.is_spread() {
                    true => Footprint::stored(*rect).reverse_bounds(top.clip),
                    false => rect.intersect(top.clip),
                };
                top = Open { node, clip, content: Rect::NOTHING };
                out.write_node(ix, link, node, top, bounds);
            }
            Role::End => match parents.pop() {
                None => out.write_node(ix, NONE, node, Open::NOTHING, Rect::NOTHING),
                Some(parent) => {
                    let mut closed = top;
                    top = out.resume(parent, stream.viewport());
                    let (begin, bounds) = out.close(stream, &mut closed, &mut top);
                    out.write_node(ix, begin, node, closed, bounds);
                }
            },
        }
        node += 1;
    }
    while let Some(parent) = parents.pop() {
        let mut closed = top;
        top = out.resume(parent, stream.viewport());
        out.close(stream, &mut closed, &mut top);
    }
}

/// Computes the box on the canvas that each element can change, by mapping its box through all filters around it. `bounds` must
/// belong to `stream`. Without filters, the result is `bounds.boxes`.
///
/// Cost: one pass, plus one step per element and filter around it.
pub fn landings(stream: &Stream, bounds: &Bounds) -> Vec<Rect> {
    let mut out = bounds.boxes.clone();
    // `open` contains the clip of each open node, and whether the node is a filter. `filters` contains the footprint of each open
    // filter, and the clip around it.
    let (mut open, mut filters) = (Vec::new(), Vec::<(Footprint, Rect)>::new());
    let mut marker = 0;
    for (ix, landing) in out.iter_mut().enumerate() {
        let tag = stream.tags()[ix];
        if tag.role() == Role::End && open.pop().is_some_and(|(_, is_spread)| is_spread) {
            filters.pop();
        }
        for (footprint, around) in filters.iter().rev() {
            *landing = footprint.forward_bounds(*landing, *around);
        }
        if tag.role() == Role::Begin {
            let around = open.last().map_or(stream.viewport(), |(clip, _)| *clip);
            if tag.is_spread() {
                filters.push((Footprint::stored(stream.rects()[ix]), around));
            }
            open.push((bounds.clips[marker], tag.is_spread()));
        }
        marker += usize::from(tag.is_marker());
    }
    out
}

/// The innermost open node ([`NONE`] for the viewport), with its clip and its current content.
///
/// The stack contains only the indices of its ancestors. Their clips and contents are in the result.
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
    /// Resizes the arrays. All values are overwritten later.
    fn resize(&mut self, elements: usize, nodes: usize) {
        self.marker_elements.resize(nodes, NONE);
        self.links.resize(nodes, NONE);
        self.clips.resize(nodes, Rect::NOTHING);
        self.contents.resize(nodes, Rect::NOTHING);
        self.boxes.resize(elements, Rect::NOTHING);
    }

    /// Stores the content of a node when a child is pushed, and returns its begin.
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

    /// Loads a node when its child is popped.
    #[inline(always)]
    fn resume(&self, node: u32, viewport: Rect) -> Open {
        match self.contents.get(node as usize) {
            Some(content) => Open { node, clip: self.clips[node as usize], content: *content },
            None => Open { node, clip: viewport, content: Rect::NOTHING },
        }
    }

    /// Writes the final values of a node at its begin, and adds them to its parent. Returns the begin and its box.
    #[inline(always)]
    fn close(&mut self, stream: &Stream, closed: &mut Open, parent: &mut Open) -> (u32, Rect) {
        let node = closed.node as usize;
        let begin = self.marker_elements[node];
        let tag = stream.tags()[begin as usize];
        if tag.is_spread() {
            let footprint = Footprint::stored(stream.rects()[begin as usize]);
            closed.content = footprint.forward_bounds(closed.content, parent.clip);
        } else if tag.is_filling() {
            closed.content = closed.clip;
        }
        let changed = self.boxes[begin as usize];
        let bounds = changed.union(closed.content);
        // Faster than `union(bounds)`, because only one of the two unions depends on the content.
        parent.content = parent.content.union(changed).union(closed.content);
        self.contents[node] = closed.content;
        self.boxes[begin as usize] = bounds;
        (begin, bounds)
    }

    /// Writes the values of element `ix`, the marker with index `node`.
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
