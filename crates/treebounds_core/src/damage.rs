//! Damage: the pixels that differ between two frames.
//!
//! A renderer that keeps its last picture only needs to repaint the damage. Outside the damage, the pixels of both frames are equal.
//!
//! ```text
//! old frame, new frame        two streams with element identities: FrameRecorder
//!   │  Pairing    pairs new and old elements with the same identity and appearance, in the same order
//!   │  Finder     one walk through both trees; each element without a partner adds its box on the canvas
//!   ▼  Region     few disjoint rects around all of these boxes
//! ```
//!
//! *Theory.* Compositing works pixel by pixel: a pixel of a node depends on the pixels of its contents at the same position, with two
//! exceptions. A filter moves and spreads pixels, so boxes inside it are mapped through the filter. A backdrop filter reads the pixels
//! below it, so it is damaged where its footprint reaches damage below it. Therefore, elements with a partner in the same node and
//! order contribute equal pixels, and all other elements contribute pixels only inside their boxes. A node without a partner is
//! damaged with all its contents, in both frames.

mod bins;
mod frame;
mod pairing;
mod recorder;
mod region;
#[cfg(test)]
mod tests;
mod walk;

pub use bins::{BinDamage, bins};
pub use frame::{Backdrop, DamageFrame, FrameError};
pub use pairing::{Ident, Pairing};
pub use recorder::{FrameRecorder, RecordedFrame};
pub use region::Region;

use crate::{NONE, Rect, Role};
use alloc::vec::Vec;
use walk::{CHANGED, Walk, visible_backdrops};

/// Finds the damage between two frames. It contains only reusable memory.
///
/// ```
/// use treebounds_core::damage::{DamageFinder, FrameRecorder, Region};
/// use treebounds_core::{BuildError, Rect};
///
/// let [page, caret] = [1, 2]; // keys
/// let [white, black] = [0xffffff, 0]; // hashes of the appearance
/// let window = Rect::new(0.0, 0.0, 100.0, 100.0);
/// let frame = |x: f32| {
///     let mut scene = FrameRecorder::new(window);
///     scene.element(page, white).draw(window)?;
///     scene.element(caret, black).draw(Rect::new(x, 20.0, x + 2.0, 40.0))?;
///     scene.finish()
/// };
///
/// let mut region = Region::new(window, 8);
/// DamageFinder::default().compare(&frame(10.0)?, &frame(50.0)?, &mut region);
/// assert_eq!(region.rects(), [Rect::new(50.0, 20.0, 52.0, 40.0), Rect::new(10.0, 20.0, 12.0, 40.0)]);
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DamageFinder {
    old: Walk,
    new: Walk,
    pairing: Pairing,
    traced: Vec<Rect>,
}

impl DamageFinder {
    /// Adds the damage between two recorded frames to a region. See [`DamageFinder::find`] for details.
    pub fn compare(&mut self, old: &RecordedFrame, new: &RecordedFrame, region: &mut Region) {
        let mut pairing = core::mem::take(&mut self.pairing);
        let partners = pairing.find(&old.idents, &new.idents);
        self.find(&old.frame(), &new.frame(), partners, region);
        self.pairing = pairing;
    }

    /// Adds the damage between two frames to a region.
    ///
    /// `partners` contains, for each new element, the index of its identical old element, or [`NONE`]. Missing entries count as
    /// `NONE`. Indices must be ascending; elements out of order count as removed and inserted. [`Pairing`] creates this list. Entries
    /// of Ends are ignored.
    ///
    /// Pixels outside the old frame's viewport are also damaged. Backdrops also read pixels that were already in the region.
    ///
    /// Cost: one pass over both frames. Each damaged element adds one step per filter around it, and at most r² steps for a region of
    /// at most r rects.
    pub fn find(
        &mut self,
        old: &DamageFrame<'_>,
        new: &DamageFrame<'_>,
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
            // In both walks, paired nodes store their index in the old frame.
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

    /// Adds all pixels that the region depends on through backdrops. The widened region must be painted to get correct pixels in the
    /// original region.
    ///
    /// Keep the original region, and show only its pixels: backdrops in the added part may read pixels that are missing. For a region
    /// that can be shown completely, widen repeatedly until the area stays the same.
    ///
    /// Cost: one pass up to the last backdrop, then one step per backdrop and rect.
    pub fn widen(frame: &DamageFrame<'_>, region: &mut Region) {
        // Front to back, because a backdrop only reads elements painted before it.
        for (backdrop, clip, is_in_filter) in visible_backdrops(frame).into_iter().rev() {
            // A filter around the node may move it anywhere.
            if is_in_filter && !region.rects().is_empty() {
                region.add(Rect::EVERYTHING);
                continue;
            }
            let shown = region.rects().iter().map(|rect| rect.intersect(clip));
            let read: Vec<Rect> =
                shown.map(|rect| backdrop.footprint.reverse_bounds(rect)).collect();
            read.into_iter().for_each(|rect| region.add(rect));
        }
    }

    /// Damages a node with a backdrop where its backdrop is damaged.
    fn look_through(&mut self, frame: &DamageFrame<'_>, node: u32, region: &mut Region) {
        let Some(backdrop) = self.new.backdrop(frame, node) else { return };
        let clip = self.new.clip_inside(frame);
        if !self.new.filters.is_empty() {
            // The region is in canvas coordinates, but the node is inside a filter.
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
