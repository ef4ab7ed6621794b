//! Removes draws behind an opaque rectangle.
//!
#![doc = include_str!("../../../docs/occlusion.svg")]
//!
//! From back to front, the rule collects the opaque fills: axis-aligned rectangles with a solid colour or an unsmoothed
//! opaque image. An earlier draw in the same layer, or in a layer inside it, is removed if its visible box is inside
//! such a rectangle.
//!
//! *Why the picture stays the same.* An opaque fill replaces the pixels that it covers completely: `over` multiplies
//! the colour behind by zero. Only completely covered pixels count. The layers in between work pixel by pixel, so their
//! result at a hidden pixel is hidden too. Filters do not work pixel by pixel. Therefore, draws in front of a filter
//! hide nothing inside it, and draws in front of a backdrop filter hide nothing behind it.
//!
//! The rule stores the four largest rectangles of each layer and tests the last twelve, so it misses draws that only
//! several rectangles together hide.

use crate::bounds::commands::Role;
use crate::bounds::pixels::Pixels;
use crate::optimizer::plan::Plan;

/// The maximum number of rectangles stored per layer.
const MOST: usize = 4;
/// The maximum number of rectangles tested per draw.
const ASKED: usize = 12;

/// The rectangles of the open layers. Reuses its memory between lists.
#[derive(Debug, Default)]
pub(crate) struct Occluders {
    rects: Vec<Pixels>,
    /// The number of rectangles at the start of each open layer.
    marks: Vec<usize>,
    /// The number of rectangles at the start of each open layer with a filter, whose content is displaced.
    floors: Vec<usize>,
    /// The number of leading marks that count as zero, because the rectangles were cleared after them.
    stale: usize,
}

pub(crate) fn run(plan: &mut Plan<'_>, occluders: &mut Occluders) {
    occluders.clear();
    let mut index = plan.items.len();
    while index > 0 {
        index -= 1;
        let item = &plan.items[index];
        if !item.kept {
            continue;
        }
        match item.role {
            Role::Pop => {
                let layer = &plan.layers[item.layer as usize];
                if !layer.is_rigid {
                    occluders.enter(layer.footprint.is_some());
                    continue;
                }
                index = layer.push;
                if layer.reads_backdrop {
                    occluders.forget();
                }
            }
            Role::Push => {
                let layer = &plan.layers[item.layer as usize];
                occluders.leave(layer.footprint.is_some());
                if layer.reads_backdrop {
                    occluders.forget();
                }
            }
            Role::Draw if occluders.hide(item.own.intersect(plan.window_of(item))) => {
                plan.items[index].kept = false;
                plan.report.hidden_draws += 1;
            }
            Role::Draw if item.is_opaque => occluders.add(item.covered),
            Role::Draw => {}
        }
    }
}

impl Occluders {
    fn clear(&mut self) {
        self.rects.clear();
        self.marks.clear();
        self.floors.clear();
        self.stale = 0;
    }

    fn hide(&self, pixels: Pixels) -> bool {
        let floor = self.floors.last().copied().unwrap_or(0);
        let rects = self.rects.get(floor..).unwrap_or_default();
        rects.iter().rev().take(ASKED).any(|rect| rect.contains(pixels))
    }

    fn add(&mut self, rect: Pixels) {
        if rect.is_empty() {
            return;
        }
        let from = self.mark();
        if self.rects.len() < from + MOST {
            return self.rects.push(rect);
        }
        if let Some(smallest) = self.rects[from..].iter_mut().min_by_key(|held| held.area())
            && smallest.area() < rect.area()
        {
            *smallest = rect;
        }
    }

    fn enter(&mut self, filters: bool) {
        self.marks.push(self.rects.len());
        if filters {
            self.floors.push(self.rects.len());
        }
    }

    fn leave(&mut self, filters: bool) {
        if filters {
            self.floors.pop();
        }
        self.rects.truncate(self.mark());
        self.marks.pop();
        self.stale = self.stale.min(self.marks.len());
    }

    /// The number of rectangles before the innermost layer.
    fn mark(&self) -> usize {
        match self.marks.last() {
            Some(mark) if self.marks.len() > self.stale => *mark,
            _ => 0,
        }
    }

    fn forget(&mut self) {
        self.rects.clear();
        self.stale = self.marks.len();
    }
}
