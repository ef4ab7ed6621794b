//! Removes what lies behind an opaque rectangle.
//!
#![doc = include_str!("../../../docs/occlusion.svg")]
//!
//! From back to front, the rule remembers the opaque fills: rectangles along the axes with a solid colour or an opaque image that is
//! not smoothed. An earlier draw in the same layer, or in a layer inside it, is removed if its visible box lies inside such a
//! rectangle.
//!
//! *Why the picture stays the same.* An opaque fill replaces the pixels that it covers completely: `over` multiplies the colour behind
//! by zero. Only completely covered pixels count. The layers in between work pixel by pixel, so whatever they make of a hidden pixel
//! is hidden too. Filters do not, so what is in front of a filter hides nothing inside it, and nothing in front of a backdrop filter
//! hides what is behind it.
//!
//! The rule remembers the four largest rectangles of each layer and tests the last twelve, so it misses draws that several rectangles
//! hide together.

use crate::bounds::commands::Role;
use crate::bounds::pixels::Pixels;
use crate::optimizer::plan::Plan;

/// The most rectangles kept per layer.
const MOST: usize = 4;
/// The most rectangles tested per draw.
const ASKED: usize = 12;

/// The rectangles of the layers that are open, which keeps its memory from list to list.
#[derive(Debug, Default)]
pub(crate) struct Occluders {
    rects: Vec<Pixels>,
    /// How many there were when each open layer was entered.
    marks: Vec<usize>,
    /// How many there were when each open layer with a filter was entered: pixels inside it are elsewhere.
    floors: Vec<usize>,
    /// So many of the first marks are from before all was forgotten: they are zero.
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
