//! What lies behind an opaque rectangle goes.
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

use crate::pixels::Pixels;
use crate::plan::{Kind, Plan};
use anyrender::recording::RenderCommand;

/// Rectangles remembered a layer.
const MOST: usize = 4;
/// Rectangles asked a draw.
const ASKED: usize = 12;

#[derive(Default)]
struct Occluders {
    rects: Vec<Pixels>,
    /// How many there were when each open layer was entered.
    marks: Vec<usize>,
}

pub(crate) fn run(plan: &mut Plan<'_>) {
    let mut occluders = Occluders::default();
    let mut index = plan.items.len();
    while index > 0 {
        index -= 1;
        let item = plan.items[index];
        if !item.kept {
            continue;
        }
        if matches!(plan.commands[index], RenderCommand::PopLayer) {
            let layer = plan.layers[closed_by(plan, index)];
            if layer.kind != Kind::Filter {
                occluders.marks.push(occluders.rects.len());
                continue;
            }
            index = layer.span.push;
            if matches!(&plan.commands[index], RenderCommand::PushLayer(push) if push.backdrop_filter.is_some())
            {
                occluders.forget();
            }
        } else if plan.pushed(index).is_some() {
            let mark = occluders.marks.pop().unwrap_or(0);
            occluders.rects.truncate(mark);
        } else if occluders.hide(item.visible) {
            plan.items[index].kept = false;
            plan.report.hidden_draws += 1;
        } else if item.is_opaque {
            occluders.add(item.covered);
        }
    }
}

fn closed_by(plan: &Plan<'_>, index: usize) -> usize {
    plan.items[index].layer as usize
}

impl Occluders {
    fn hide(&self, pixels: Pixels) -> bool {
        self.rects.iter().rev().take(ASKED).any(|rect| rect.contains(pixels))
    }

    fn add(&mut self, rect: Pixels) {
        if rect.is_empty() {
            return;
        }
        let from = self.marks.last().copied().unwrap_or(0);
        if self.rects.len() < from + MOST {
            return self.rects.push(rect);
        }
        if let Some(smallest) = self.rects[from..].iter_mut().min_by_key(|held| held.area())
            && smallest.area() < rect.area()
        {
            *smallest = rect;
        }
    }

    fn forget(&mut self) {
        self.rects.clear();
        self.marks.iter_mut().for_each(|mark| *mark = 0);
    }
}
