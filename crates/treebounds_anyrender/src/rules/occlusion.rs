//! Removes what lies behind an opaque rectangle.
//!
#![doc = include_str!("../../docs/occlusion.svg")]
//!
//! From back to front of the list, the rule remembers the fills that are opaque: rectangles along the axes, of a solid colour
//! or of an opaque image that is not smoothed. A draw that comes earlier, in the same layer or in a layer inside it, and
//! whose visible box lies in such a rectangle, goes.
//!
//! *Why the picture stays the same.* An opaque fill replaces the pixels that it covers whole: `over` multiplies what
//! is behind with zero. Only pixels that are covered whole count. Layers in between work pixel by pixel, so that
//! what they make of a hidden pixel is hidden too. A filter does not: what is in it is left alone, and in front of a
//! backdrop filter nothing hides what is behind it.
//!
//! The rule remembers the four largest rectangles of each layer, and asks the last twelve: it misses what is
//! hidden by several together.

use crate::measure::reads_backdrop;
use crate::pixels::Pixels;
use crate::plan::{Kind, Plan, Role};

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
                if layer.kind != Kind::Filter {
                    occluders.enter();
                    continue;
                }
                index = layer.push;
                if reads_backdrop(&plan.commands[index]) {
                    occluders.forget();
                }
            }
            Role::Push => occluders.leave(),
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
        self.stale = 0;
    }

    fn hide(&self, pixels: Pixels) -> bool {
        self.rects.iter().rev().take(ASKED).any(|rect| rect.contains(pixels))
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

    fn enter(&mut self) {
        self.marks.push(self.rects.len());
    }

    fn leave(&mut self) {
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
