//! Damage: which pixels differ between two frames.
//!
//! A renderer that keeps its last picture has to repaint only the damage. Outside of it, both frames have equal pixels.
//!
//! ```text
//! old frame, new frame        a stream each, and the identity of each element: FrameRecorder
//!   │  Pairing    which new element is which old one, and looks the same, in the same order
//!   │  Finder     one walk through both trees; each element without a partner adds its box on the canvas
//!   ▼  Region     few disjoint rects around all of these boxes
//! ```
//!
//! *Theory.* Compositing works pixel by pixel: a pixel of a node depends on the pixels of its contents at the same place. There are two
//! exceptions. A filter moves and spreads pixels, so a box inside it is traced outward. A backdrop filter reads what lies
//! below it, so it is damaged where its footprint carries any damage below it. Hence elements that have a partner, in the same
//! node and the same order, contribute equal pixels, and all others contribute pixels only inside their boxes. A node without a partner
//! is damaged as a whole, with all its contents, in the old frame and in the new one.

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
use walk::{CHANGED, Walk, places};

/// Finds the damage between two frames. Holds only memory that is reused.
///
/// ```
/// use treebounds_core::damage::{DamageFinder, FrameRecorder, Region};
/// use treebounds_core::{BuildError, Rect};
///
/// let [page, caret] = [1, 2]; // which element it is
/// let [white, black] = [0xffffff, 0]; // how it looks, beside its place
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
    /// Adds the damage between two recorded frames to a region. [`DamageFinder::find`] says more.
    pub fn compare(&mut self, old: &RecordedFrame, new: &RecordedFrame, region: &mut Region) {
        let mut pairing = core::mem::take(&mut self.pairing);
        let partners = pairing.find(&old.idents, &new.idents);
        self.find(&old.frame(), &new.frame(), partners, region);
        self.pairing = pairing;
    }

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

    /// Adds everything that the pixels of the region depend on through backdrops: what has to be painted so that these pixels are right.
    ///
    /// Keep the region from before, and show only its pixels. A backdrop in the added part may read pixels that are still missing. To get
    /// a region that can be shown as a whole, widen it until its area stays the same.
    ///
    /// Cost: one pass up to the last backdrop, then one step per backdrop and rect.
    pub fn widen(frame: &DamageFrame<'_>, region: &mut Region) {
        // From front to back, because a backdrop reads only what is painted before it.
        for (backdrop, clip, is_in_filter) in places(frame).into_iter().rev() {
            // A filter around the node may show it anywhere.
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

    /// Damages a node that reads what is below it, where that is damaged.
    fn look_through(&mut self, frame: &DamageFrame<'_>, node: u32, region: &mut Region) {
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
