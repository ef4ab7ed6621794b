//! The oracles: each answer straight from its definition, however slowly.

use crate::words::roles;
use treebounds_core::{Bounds, NONE, Rect, Role, Stream, Tag};

/// The nearest begin before an element that is still open there: going left, a begin is open unless an end that came
/// before it on the way has closed it.
pub(crate) fn open_before(tags: &[Tag], element: usize) -> Option<usize> {
    let mut closed = 0;
    for at in (0..element).rev() {
        match tags[at].role() {
            Role::Draw => {}
            Role::End => closed += 1,
            Role::Begin if closed == 0 => return Some(at),
            Role::Begin => closed -= 1,
        }
    }
    None
}

/// The link of every element.
pub(crate) fn links(tags: &[Tag]) -> Vec<u32> {
    let link = |(at, role)| match role {
        Role::Draw => NONE,
        Role::Begin | Role::End => open_before(tags, at).map_or(NONE, |open| open as u32),
    };
    roles(tags).enumerate().map(link).collect()
}

/// All begins that are open before an element, innermost first.
pub(crate) fn stack_before(tags: &[Tag], element: usize) -> Vec<usize> {
    std::iter::successors(open_before(tags, element), |at| open_before(tags, *at)).collect()
}

/// A stream, and of each element the begin around it.
struct Tree<'a> {
    stream: &'a Stream,
    around: Vec<Option<usize>>,
}

impl Tree<'_> {
    fn around(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.around[element], |at| self.around[*at])
    }

    /// The viewport, cut by all that is around an element.
    fn clip_around(&self, element: usize) -> Rect {
        let rects = self.stream.rects();
        self.around(element).fold(self.stream.viewport(), |clip, at| clip.intersect(rects[at]))
    }

    fn clip(&self, begin: usize) -> Rect {
        self.stream.rects()[begin].intersect(self.clip_around(begin))
    }

    /// All that is visible inside of a begin; what a blend may change around itself is visible too.
    fn content(&self, begin: usize) -> Rect {
        let inside = (0..self.stream.len()).filter(|at| self.around(*at).any(|one| one == begin));
        let visible = |at: usize| {
            let tag = self.stream.tags()[at];
            match tag.role() {
                Role::Draw => self.clip(at),
                Role::Begin if tag.is_non_local() => self.clip_around(at),
                _ => Rect::NOTHING,
            }
        };
        inside.fold(Rect::NOTHING, |content, at| content.union(visible(at)))
    }

    fn bounds(&self, begin: usize) -> Rect {
        if self.stream.tags()[begin].is_non_local() {
            self.clip_around(begin)
        } else {
            self.content(begin)
        }
    }
}

/// The bounds of every element.
pub(crate) fn bounds(stream: &Stream) -> Bounds {
    let tags = stream.tags();
    let around = (0..tags.len()).map(|at| open_before(tags, at)).collect();
    let tree = Tree { stream, around };
    let mut out = Bounds::default();
    for (at, role) in roles(tags).enumerate() {
        let begin = match role {
            Role::Draw => {
                out.boxes.push(tree.clip(at));
                continue;
            }
            Role::Begin => Some(at),
            Role::End => tree.around[at],
        };
        out.marker_elements.push(at as u32);
        out.links.push(tree.around[at].map_or(NONE, |open| open as u32));
        out.clips.push(begin.map_or(Rect::NOTHING, |begin| tree.clip(begin)));
        out.contents.push(begin.map_or(Rect::NOTHING, |begin| tree.content(begin)));
        out.boxes.push(begin.map_or(Rect::NOTHING, |begin| tree.bounds(begin)));
    }
    out
}
