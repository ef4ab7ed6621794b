//! Represents sets of pixels by a small number of disjoint rects.

use crate::Rect;
use alloc::vec::Vec;

/// A set of whole pixels as disjoint rects, up to a maximum number. It contains all added pixels, and additional pixels where rects were
/// joined.
///
/// ```text
/// ┌────┐             ┌────┐            ┌─────────┐
/// │  ┌─┼──┐          │    ├──┐         │         │
/// │  └─┼──┘    or    │    └──┤    or   │         │      overlapping rects are cut if a single rect remains and joining
/// └────┘             └────┘            └─────────┘      would add many pixels; otherwise they are joined
/// ```
///
/// ```
/// use treebounds_core::Rect;
/// use treebounds_core::damage::Region;
/// let mut region = Region::new(Rect::new(0.0, 0.0, 100.0, 100.0), 2);
/// region.add(Rect::new(0.5, 0.0, 9.5, 10.0));
/// region.add(Rect::new(90.0, 90.0, 120.0, 99.0));
/// assert_eq!(region.rects()[1], Rect::new(90.0, 90.0, 100.0, 99.0));
/// region.add(Rect::new(12.0, 0.0, 20.0, 10.0)); // joined with the nearest
/// assert!(region.rects().contains(&Rect::new(0.0, 0.0, 20.0, 10.0)) && region.rects().len() == 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    within: Rect,
    most: usize,
    rects: Vec<Rect>,
}

impl Region {
    /// Creates an empty region of at most `most` rects, at least one. Pixels outside `within` are ignored.
    pub fn new(within: Rect, most: usize) -> Self {
        Self { within: within.round_out(), most: most.max(1), rects: Vec::new() }
    }

    /// Removes all pixels, and sets new limits for added pixels.
    pub fn restart(&mut self, within: Rect) {
        self.rects.clear();
        self.within = within.round_out();
    }

    /// The disjoint rects. Their edges are whole.
    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// The number of pixels.
    pub fn area(&self) -> f64 {
        self.rects.iter().map(|rect| rect.area()).sum()
    }

    /// Adds all pixels that a rect overlaps.
    pub fn add(&mut self, rect: Rect) {
        let rect = rect.intersect(self.within);
        if !rect.is_empty() && !self.rects.iter().any(|held| held.contains(rect)) {
            self.insert(rect.round_out());
            while self.rects.len() > self.most {
                let joined = self.take_nearest();
                self.insert(joined);
            }
        }
    }

    /// Adds the pixels of `rect` outside `hole`.
    pub fn add_outside(&mut self, rect: Rect, hole: Rect) {
        let hole = hole.intersect(rect);
        if hole.is_empty() {
            return self.add(rect);
        }
        self.add(Rect { y1: hole.y0, ..rect }.or_nothing());
        self.add(Rect { y0: hole.y1, ..rect }.or_nothing());
        self.add(Rect { y0: hole.y0, y1: hole.y1, x1: hole.x0, ..rect }.or_nothing());
        self.add(Rect { y0: hole.y0, y1: hole.y1, x0: hole.x1, ..rect }.or_nothing());
    }

    /// Adds a rect and keeps all rects disjoint. When the loop restarts, it has removed or shrunk a rect.
    fn insert(&mut self, mut rect: Rect) {
        let mut index = 0;
        while let Some(&held) = self.rects.get(index) {
            if held.x1 < rect.x0 || rect.x1 < held.x0 || held.y1 < rect.y0 || rect.y1 < held.y0 {
                index += 1;
                continue;
            }
            if held.contains(rect) {
                return;
            }
            let (union, overlap) = (held.union(rect), held.intersect(rect));
            let waste = union.area() - held.area() - rect.area() + overlap.area();
            let is_joined = waste <= 0.0 || (!overlap.is_empty() && 8.0 * waste <= union.area());
            if overlap.is_empty() && !is_joined {
                index += 1;
            } else if is_joined {
                rect = union;
                self.rects.swap_remove(index);
                index = 0;
            } else if let Some(rest) = without(rect, held) {
                rect = rest;
                index = 0;
            } else if let Some(rest) = without(held, rect) {
                self.rects[index] = rest;
                index += 1;
            } else {
                rect = union;
                self.rects.swap_remove(index);
                index = 0;
            }
        }
        self.rects.push(rect);
    }

    /// Removes the two rects whose union adds the fewest pixels, and returns their union.
    fn take_nearest(&mut self) -> Rect {
        let area = |rect: Rect| (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
        let (mut best, mut least) = ((0, 1), f32::INFINITY);
        for (b, second) in self.rects.iter().enumerate() {
            for (a, first) in self.rects[..b].iter().enumerate() {
                let waste = area(first.union(*second)) - area(*first) - area(*second);
                if waste < least {
                    (best, least) = ((a, b), waste);
                }
            }
        }
        let second = self.rects.swap_remove(best.1);
        self.rects.swap_remove(best.0).union(second)
    }
}

/// Returns `rect` without an overlapping `hole` if the result is a rect, i.e. if the hole spans one axis and covers one end.
fn without(rect: Rect, hole: Rect) -> Option<Rect> {
    let crosses_x = hole.x0 <= rect.x0 && rect.x1 <= hole.x1;
    let crosses_y = hole.y0 <= rect.y0 && rect.y1 <= hole.y1;
    match (crosses_x, crosses_y) {
        (true, false) if hole.y0 <= rect.y0 => Some(Rect { y0: hole.y1, ..rect }),
        (true, false) if rect.y1 <= hole.y1 => Some(Rect { y1: hole.y0, ..rect }),
        (false, true) if hole.x0 <= rect.x0 => Some(Rect { x0: hole.x1, ..rect }),
        (false, true) if rect.x1 <= hole.x1 => Some(Rect { x1: hole.x0, ..rect }),
        _ => None,
    }
}
