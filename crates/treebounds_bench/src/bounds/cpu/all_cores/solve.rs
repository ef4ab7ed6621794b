//! The loop of the reference over one chunk, on top of the nodes open before it.

use super::chunk::Below;
use super::part::{Known, Part};
use treebounds_core::{NONE, Rect, Role, Tag};

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

/// What the other chunks must know about this one.
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

/// What is known of a node that ends; its bounds are not.
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
