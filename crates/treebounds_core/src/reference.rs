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

use crate::{Bounds, NONE, Rect, Role, Stream, Tag};
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

/// An open node: where its begin is, and what is known of it so far.
struct Open {
    node: usize,
    element: u32,
    clip: Rect,
    content: Rect,
    non_local: bool,
}

/// The bounds of every element.
///
/// Cost: one pass, a stack as deep as the nesting, a few nanoseconds an element.
pub fn bounds(stream: &Stream) -> Bounds {
    let mut out = Bounds { bounds: Vec::with_capacity(stream.len()), ..Bounds::default() };
    let root = Open {
        node: usize::MAX,
        element: NONE,
        clip: stream.viewport(),
        content: Rect::NOTHING,
        non_local: false,
    };
    let mut around: Vec<Open> = Vec::new();
    let mut top = root;
    for (ix, (tag, rect)) in stream.tags().iter().zip(stream.rects()).enumerate() {
        match tag.role() {
            Role::Draw => {
                let visible = rect.intersect(top.clip);
                top.content = top.content.union(visible);
                out.bounds.push(visible);
            }
            Role::Begin => {
                let open = Open {
                    node: out.links.len(),
                    element: ix as u32,
                    clip: rect.intersect(top.clip),
                    content: Rect::NOTHING,
                    non_local: tag.is_non_local(),
                };
                out.push_node(ix as u32, top.element, open.clip, Rect::NOTHING);
                around.push(core::mem::replace(&mut top, open));
            }
            Role::End => match around.pop() {
                None => out.push_node(ix as u32, NONE, Rect::NOTHING, Rect::NOTHING),
                Some(parent) => {
                    let closed = core::mem::replace(&mut top, parent);
                    let bounds = close(&closed, &mut top, &mut out);
                    out.push_node(ix as u32, closed.element, closed.clip, closed.content);
                    out.bounds[ix] = bounds;
                }
            },
        }
    }
    while let Some(parent) = around.pop() {
        let closed = core::mem::replace(&mut top, parent);
        close(&closed, &mut top, &mut out);
    }
    out
}

/// Writes what is now known of a node at its begin, lets its parent's content
/// grow by it, and returns its bounds.
fn close(closed: &Open, parent: &mut Open, out: &mut Bounds) -> Rect {
    let bounds = if closed.non_local { parent.clip } else { closed.content };
    parent.content = parent.content.union(bounds);
    out.contents[closed.node] = closed.content;
    out.bounds[closed.element as usize] = bounds;
    bounds
}

impl Bounds {
    fn push_node(&mut self, element: u32, link: u32, clip: Rect, content: Rect) {
        self.node_elements.push(element);
        self.links.push(link);
        self.clips.push(clip);
        self.contents.push(content);
        self.bounds.push(Rect::NOTHING);
    }
}
