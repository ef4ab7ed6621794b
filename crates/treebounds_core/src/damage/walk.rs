//! Walks through the elements of a frame.

use super::frame::{Backdrop, DamageFrame};
use super::region::Region;
use crate::{Footprint, NONE, Rect, Role, Tag};
use alloc::vec::Vec;

/// Replaces the partner's index for a node without a partner. It is not a valid index, because streams have fewer
/// elements.
pub(super) const CHANGED: u32 = u32::MAX - 1;

/// All visible backdrops with their clips, and whether they are inside a filter.
pub(super) fn visible_backdrops(frame: &DamageFrame<'_>) -> Vec<(Backdrop, Rect, bool)> {
    let (mut walk, mut places) = (Walk::default(), Vec::new());
    let mut nowhere = Region::new(Rect::NOTHING, 1);
    for backdrop in frame.backdrops {
        while walk.at < backdrop.node as usize {
            walk.step(frame, NONE, &mut nowhere);
        }
        let clip = walk.clip_inside(frame);
        if !clip.is_empty() {
            places.push((*backdrop, clip, !walk.filters.is_empty()));
        }
    }
    places
}

#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    pub(super) at: usize,
    backdrop: usize,
    open: Vec<Open>,
    /// The filters among the open nodes, each with the clip around it.
    pub(super) filters: Vec<(Footprint, Rect)>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    tag: Tag,
    /// The node's index in the old frame if it has a partner, otherwise [`CHANGED`], which damages all its contents.
    pair: u32,
    clip: Rect,
    /// The bounding box of the damaged contents so far.
    content: Rect,
}

impl Walk {
    pub(super) fn start(&mut self) {
        (self.at, self.backdrop) = (0, 0);
        self.open.clear();
        self.filters.clear();
    }

    /// The old index of the innermost open node, or [`CHANGED`] if it has no partner; [`NONE`] for the root.
    pub(super) fn parent(&self) -> u32 {
        self.open.last().map_or(NONE, |open| open.pair)
    }

    /// The clip of the innermost open node.
    pub(super) fn clip(&self, frame: &DamageFrame<'_>) -> Rect {
        self.open.last().map_or(frame.viewport, |open| open.clip)
    }

    /// The clip of the next element, which must be a Begin.
    pub(super) fn clip_inside(&self, frame: &DamageFrame<'_>) -> Rect {
        let (around, rect) = (self.clip(frame), frame.rects[self.at]);
        match frame.tags[self.at].is_spread() {
            true => Footprint::stored(rect).reverse_bounds(around),
            false => rect.intersect(around),
        }
    }

    /// Moves past the next element, and damages it if it has no partner.
    pub(super) fn step(&mut self, frame: &DamageFrame<'_>, pair: u32, region: &mut Region) {
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

    fn close(&mut self, frame: &DamageFrame<'_>, region: &mut Region) {
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

    /// Closes all nodes that are still open at the end.
    pub(super) fn close_all(&mut self, frame: &DamageFrame<'_>, region: &mut Region) {
        while !self.open.is_empty() {
            self.close(frame, region);
        }
    }

    /// Damages a box in the innermost open node, or adds it to the node's contents if these are damaged as a whole.
    fn show(&mut self, rect: Rect, pair: u32, region: &mut Region) {
        match self.open.last_mut() {
            Some(open) if open.pair == CHANGED => open.content = open.content.union(rect),
            _ if pair == CHANGED => region.add(self.landing(rect)),
            _ => {}
        }
    }

    /// Maps a box through the open filters to the canvas.
    pub(super) fn landing(&self, rect: Rect) -> Rect {
        let filters = self.filters.iter().rev();
        filters.fold(rect, |rect, (footprint, around)| footprint.forward_bounds(rect, *around))
    }

    /// The backdrop of a node, if any. Must be called in ascending order of nodes.
    pub(super) fn backdrop(&mut self, frame: &DamageFrame<'_>, node: u32) -> Option<Backdrop> {
        while frame.backdrops.get(self.backdrop).is_some_and(|backdrop| backdrop.node < node) {
            self.backdrop += 1;
        }
        frame.backdrops.get(self.backdrop).copied().filter(|backdrop| backdrop.node == node)
    }
}
