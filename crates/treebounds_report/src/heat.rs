//! How many boxes cover each pixel, where there are too many for lines.

use crate::{
    boxes::Boxes,
    canvas::Canvas,
    ink::{Pen, Run, Strip},
    palette::{Kind, heat},
    sweep::Sweep,
};

/// A map of the boxes of some kinds.
pub(crate) struct Heat {
    sweep: Sweep,
    /// The most boxes on one pixel.
    pub(crate) most: u32,
}

/// How much of a pixel is coloured.
const SHARE: f32 = 0.8;

impl Heat {
    /// The map of the boxes of these kinds; `None` where there are none.
    pub(crate) fn of(boxes: &Boxes, kinds: &[Kind], size: [i32; 2]) -> Option<Self> {
        if kinds.is_empty() {
            return None;
        }
        let mut sweep = Sweep::new(size);
        for [x0, y0, x1, y1] in kinds.iter().flat_map(|kind| &boxes.kind(*kind).places) {
            // A box of no width is to be seen, too.
            let (x1, y1) = ((*x1).max(x0 + 1), (*y1).max(y0 + 1));
            sweep.add(Strip { run: Run::Solid, x0: *x0, y0: *y0, x1, y1 });
        }
        let mut most = 0;
        sweep.clone().run(&Pen::solid(1), |_, _, count| most = count.max(most));
        Some(Self { sweep, most })
    }

    /// Colours the picture.
    pub(crate) fn paint(self, canvas: &mut Canvas) {
        let most = self.most;
        self.sweep.run(&Pen::solid(1), |x, y, count| {
            canvas.blend(x, y, heat(share(count, most)), SHARE);
        });
    }
}

/// Where a number is between 1 and the most, each doubling as far as the next.
fn share(count: u32, most: u32) -> f32 {
    if most <= 1 { 0.0 } else { (count as f32).ln() / (most as f32).ln() }
}
