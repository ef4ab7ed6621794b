//! Damage: which pixels differ between two frames.
//!
//! A renderer that keeps its last picture has to repaint only the damage. Outside of it, both frames have equal pixels.
//!
//! ```text
//! old frame, new frame
//!   │  Pairing    which new element is which old one, and looks the same, in the same order
//!   │  Damage     one walk through both trees; each element without a partner adds its box on the canvas
//!   ▼  Region     few disjoint rects around all of these boxes
//! ```
//!
//! *Theory.* Compositing works pixel by pixel: a pixel of a node depends on the pixels of its contents at the same place. There are two
//! exceptions. A filter moves and spreads pixels, so a box inside it is traced outward. A backdrop filter reads what lies
//! below it, so it is damaged where its footprint carries any damage below it. Hence elements that have a partner, in the same
//! node and the same order, contribute equal pixels, and all others contribute pixels only inside their boxes. A node without a partner
//! is damaged as a whole, with all its contents, in the old frame and in the new one.

mod bins;
mod pairing;
mod region;
#[cfg(test)]
mod tests;

pub use bins::{BinDamage, bins};
pub use pairing::{Ident, Pairing};
pub use region::Region;

use crate::{Footprint, NONE, Rect, Role, Stream, Tag};
use alloc::vec::Vec;

/// One frame: its elements, and which of them read what is below them.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    tags: &'a [Tag],
    rects: &'a [Rect],
    viewport: Rect,
    backdrops: &'a [Backdrop],
}

/// A node that shows what lies below it through a filter. Its tag has [`Tag::FILLS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backdrop {
    /// The element index of the node's Begin.
    pub node: u32,
    /// How far the filter reads. [`Footprint::EVERYWHERE`] if the filter depends on all of what it reads.
    pub footprint: Footprint,
}

/// Why elements and backdrops are no [`Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// There are more tags than rects, or fewer.
    #[error("{tags} tags, but {rects} rects; each element has one of both")]
    LengthsDiffer {
        /// The number of tags.
        tags: usize,
        /// The number of rects.
        rects: usize,
    },
    /// A backdrop is no Begin, or not in order.
    #[error("backdrop {index} is not the Begin of a node after the backdrop before it; sort them")]
    BadBackdrop {
        /// The index among the backdrops.
        index: usize,
    },
}

impl<'a> Frame<'a> {
    /// A frame: a stream, and the nodes in it that read what is below them, in ascending order.
    ///
    /// # Errors
    /// [`FrameError`]
    pub fn new(stream: &'a Stream, backdrops: &'a [Backdrop]) -> Result<Self, FrameError> {
        Self::of(stream.tags(), stream.rects(), stream.viewport(), backdrops)
    }

    /// A frame of elements that are not in a [`Stream`]. The rects must be [canonical](Rect::canonical). This is not checked, and other
    /// rects may give wrong damage.
    ///
    /// # Errors
    /// [`FrameError`]
    pub fn of(
        tags: &'a [Tag],
        rects: &'a [Rect],
        viewport: Rect,
        backdrops: &'a [Backdrop],
    ) -> Result<Self, FrameError> {
        if tags.len() != rects.len() {
            return Err(FrameError::LengthsDiffer { tags: tags.len(), rects: rects.len() });
        }
        let mut from = 0;
        for (index, backdrop) in backdrops.iter().enumerate() {
            let node = backdrop.node as usize;
            let tag = tags.get(node).filter(|_| node >= from);
            if tag.is_none_or(|tag| tag.role() != Role::Begin) {
                return Err(FrameError::BadBackdrop { index });
            }
            from = node + 1;
        }
        Ok(Self { tags, rects, viewport, backdrops })
    }

    /// The clip of each backdrop that paints anything, and whether the backdrop is inside a filter.
    fn places(&self) -> Vec<(Backdrop, Rect, bool)> {
        let (mut walk, mut places) = (Side::default(), Vec::new());
        let mut nowhere = Region::new(Rect::NOTHING, 1);
        for backdrop in self.backdrops {
            while walk.at < backdrop.node as usize {
                walk.step(self, NONE, &mut nowhere);
            }
            let clip = walk.clip_inside(self);
            if !clip.is_empty() {
                places.push((*backdrop, clip, !walk.filters.is_empty()));
            }
        }
        places
    }
}

/// Finds the damage between two frames. Holds only memory that is reused.
///
/// ```
/// use treebounds_core::damage::{Damage, Frame, Ident, Pairing, Region};
/// use treebounds_core::{Rect, StreamBuilder};
///
/// let viewport = Rect::new(0.0, 0.0, 100.0, 100.0);
/// let frame = |caret: f32| {
///     let mut scene = StreamBuilder::new(viewport);
///     scene.draw(viewport)?;
///     scene.draw(Rect::new(caret, 20.0, caret + 2.0, 40.0))?;
///     scene.finish()
/// };
/// let (old, new) = (frame(10.0)?, frame(50.0)?);
/// // Which element it is, and how it looks. The caret has moved.
/// let page = Ident { key: 1, hash: 77 };
/// let partners = Pairing::default()
///     .find(&[page, Ident { key: 2, hash: 10 }], &[page, Ident { key: 2, hash: 50 }])
///     .to_vec();
///
/// let mut region = Region::new(viewport, 8);
/// let (old, new) = (Frame::new(&old, &[])?, Frame::new(&new, &[])?);
/// Damage::default().find(&old, &new, &partners, &mut region);
/// assert_eq!(region.rects(), [Rect::new(50.0, 20.0, 52.0, 40.0), Rect::new(10.0, 20.0, 12.0, 40.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Damage {
    old: Side,
    new: Side,
    traced: Vec<Rect>,
}

/// The pair of a node that has none. No index, because a stream has fewer elements.
const CHANGED: u32 = u32::MAX - 1;

impl Damage {
    /// Adds the damage between two frames to a region.
    ///
    /// `partners` has, for each new element, the index of the old element that it replaces without a difference, or [`NONE`];
    /// a missing entry counts as `NONE`. Indices rise: what is not in order counts as removed and inserted. [`Pairing`] makes such
    /// a list. Entries of Ends are ignored.
    ///
    /// Pixels outside the old frame's viewport are damaged too. Backdrops also react to pixels that the region held before.
    ///
    /// Cost: one pass over both frames, one step per filter around each damaged element, and for each of them, up to the square of
    /// the region's most rects.
    pub fn find(
        &mut self,
        old: &Frame<'_>,
        new: &Frame<'_>,
        partners: &[u32],
        region: &mut Region,
    ) {
        region.add_outside(new.viewport, old.viewport);
        self.old.start();
        self.new.start();
        for (index, tag) in new.tags.iter().enumerate() {
            let partner = partners.get(index).copied().unwrap_or(NONE);
            let is_next = (self.old.at..old.tags.len()).contains(&(partner as usize))
                && old.tags[partner as usize] == *tag;
            if tag.role() == Role::End || !is_next {
                self.new.step(new, CHANGED, region);
                continue;
            }
            while self.old.at < partner as usize {
                self.old.step(old, CHANGED, region);
            }
            // Nodes that are partners hold their index in the old frame on both sides.
            let is_same = self.old.parent() == self.new.parent() && self.old.parent() != CHANGED;
            let pair = if is_same { partner } else { CHANGED };
            if is_same {
                self.look_through(new, index as u32, region);
            }
            self.old.step(old, pair, region);
            self.new.step(new, pair, region);
        }
        while self.old.at < old.tags.len() {
            self.old.step(old, CHANGED, region);
        }
        self.old.close_all(old, region);
        self.new.close_all(new, region);
    }

    /// Adds everything that backdrops in the region read. A picture of the region alone is then right: without these pixels, a backdrop at
    /// the edge of the region would read pixels that are missing.
    ///
    /// Cost: one pass up to the last backdrop, then one step per backdrop and rect, repeated while the region grows.
    pub fn widen(frame: &Frame<'_>, region: &mut Region) {
        let (places, mut area) = (frame.places(), f64::NAN);
        while area != region.area() {
            area = region.area();
            for (backdrop, clip, is_in_filter) in &places {
                // A filter around the node may show it anywhere.
                if *is_in_filter && area > 0.0 {
                    region.add(Rect::EVERYTHING);
                } else if region.rects().iter().any(|rect| !rect.intersect(*clip).is_empty()) {
                    region.add(backdrop.footprint.reverse_bounds(*clip));
                }
            }
        }
    }

    /// Damages a node that reads what is below it, where that is damaged.
    fn look_through(&mut self, frame: &Frame<'_>, node: u32, region: &mut Region) {
        let Some(backdrop) = self.new.backdrop(frame, node) else { return };
        let clip = self.new.clip_inside(frame);
        if !self.new.filters.is_empty() {
            // The region is on the canvas, and the node is not.
            if !region.rects().is_empty() {
                let around = self.new.clip(frame);
                let is_wide = frame.tags[node as usize].is_non_local();
                region.add(self.new.landing(if is_wide { around } else { clip }));
            }
            return;
        }
        let need = backdrop.footprint.reverse_bounds(clip);
        let below = region.rects().iter().map(|rect| rect.intersect(need));
        self.traced.clear();
        self.traced.extend(below.map(|rect| backdrop.footprint.forward_bounds(rect, clip)));
        self.traced.iter().for_each(|rect| region.add(*rect));
    }
}

/// A walk through one of the frames.
#[derive(Clone, Debug, Default)]
struct Side {
    /// The next element.
    at: usize,
    /// The next backdrop.
    backdrop: usize,
    open: Vec<Open>,
    /// The filters among the open nodes, each with the clip around it.
    filters: Vec<(Footprint, Rect)>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    tag: Tag,
    /// Its index in the old frame if it has a partner, or [`CHANGED`]: then all its content is damaged.
    pair: u32,
    clip: Rect,
    /// The box of the content so far, if that is damaged.
    content: Rect,
}

impl Side {
    fn start(&mut self) {
        (self.at, self.backdrop) = (0, 0);
        self.open.clear();
        self.filters.clear();
    }

    /// The pair of the innermost open node; [`NONE`] for the root.
    fn parent(&self) -> u32 {
        self.open.last().map_or(NONE, |open| open.pair)
    }

    /// The clip in the innermost open node.
    fn clip(&self, frame: &Frame<'_>) -> Rect {
        self.open.last().map_or(frame.viewport, |open| open.clip)
    }

    /// The clip in the next element, a Begin.
    fn clip_inside(&self, frame: &Frame<'_>) -> Rect {
        let (around, rect) = (self.clip(frame), frame.rects[self.at]);
        match frame.tags[self.at].is_spread() {
            true => Footprint::stored(rect).reverse_bounds(around),
            false => rect.intersect(around),
        }
    }

    /// Passes the next element. Without a pair it is damaged.
    fn step(&mut self, frame: &Frame<'_>, pair: u32, region: &mut Region) {
        let tag = frame.tags[self.at];
        match tag.role() {
            Role::Draw => {
                let visible = frame.rects[self.at].intersect(self.clip(frame));
                self.show(visible, pair, region);
            }
            Role::Begin => {
                let clip = self.clip_inside(frame);
                if tag.is_spread() {
                    let footprint = Footprint::stored(frame.rects[self.at]);
                    self.filters.push((footprint, self.clip(frame)));
                }
                self.open.push(Open { tag, pair, clip, content: Rect::NOTHING });
            }
            Role::End => self.close(frame, region),
        }
        self.at += 1;
    }

    fn close(&mut self, frame: &Frame<'_>, region: &mut Region) {
        let Some(Open { tag, pair, clip, mut content }) = self.open.pop() else { return };
        let around = self.clip(frame);
        if tag.is_spread() {
            let filter = self.filters.pop();
            content = filter
                .map_or(content, |(footprint, around)| footprint.forward_bounds(content, around));
        } else if tag.is_filling() {
            content = clip;
        }
        self.show(if tag.is_non_local() { around.union(content) } else { content }, pair, region);
    }

    /// Closes what is still open at the end.
    fn close_all(&mut self, frame: &Frame<'_>, region: &mut Region) {
        while !self.open.is_empty() {
            self.close(frame, region);
        }
    }

    /// Damages a box of the innermost open node, or adds it to the content that is damaged as a whole.
    fn show(&mut self, rect: Rect, pair: u32, region: &mut Region) {
        match self.open.last_mut() {
            Some(open) if open.pair == CHANGED => open.content = open.content.union(rect),
            _ if pair == CHANGED => region.add(self.landing(rect)),
            _ => {}
        }
    }

    /// Where a box inside the open filters lands on the canvas.
    fn landing(&self, rect: Rect) -> Rect {
        let filters = self.filters.iter().rev();
        filters.fold(rect, |rect, (footprint, around)| footprint.forward_bounds(rect, *around))
    }

    /// The backdrop of this node, if it has one. Nodes are asked for in ascending order.
    fn backdrop(&mut self, frame: &Frame<'_>, node: u32) -> Option<Backdrop> {
        while frame.backdrops.get(self.backdrop).is_some_and(|backdrop| backdrop.node < node) {
            self.backdrop += 1;
        }
        frame.backdrops.get(self.backdrop).copied().filter(|backdrop| backdrop.node == node)
    }
}
