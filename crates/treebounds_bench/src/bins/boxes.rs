//! The boxes that are binned: whole pixels, since Vello's are.

use crate::inputs::xorshift;
use treebounds_core::{BinGrid, Rect};

/// A family of boxes.
pub(super) struct Boxes {
    pub(super) name: &'static str,
    one: fn(&mut Random, [u32; 2], usize) -> [u32; 4],
}

/// Every family.
pub(super) const ALL: &[Boxes] = &[
    Boxes { name: "tiny", one: |random, size, _| random.sized(size, [12, 12]) },
    Boxes { name: "text lines", one: |random, size, _| random.sized(size, [400, 20]) },
    Boxes { name: "cards", one: |random, size, _| random.sized(size, [600, 600]) },
    Boxes { name: "one bin", one: |random, _, _| random.sized([200, 200], [12, 12]) },
    Boxes { name: "a large one among 255 tiny", one: one_large },
    Boxes { name: "everything everywhere", one: |_, size, _| [0, 0, size[0], size[1]] },
];

fn one_large(random: &mut Random, size: [u32; 2], at: usize) -> [u32; 4] {
    if at % 256 == 100 { [0, 0, size[0], size[1]] } else { random.sized(size, [12, 12]) }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = xorshift(self.0);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A box of at most this size somewhere in the viewport.
    fn sized(&mut self, viewport: [u32; 2], most: [u32; 2]) -> [u32; 4] {
        let [x, y] = viewport.map(|side| self.below(side));
        let [width, height] = most.map(|side| 1 + self.below(side));
        [x, y, (x + width).min(viewport[0]), (y + height).min(viewport[1])]
    }
}

impl Boxes {
    /// This many boxes, the same for every call.
    pub(super) fn boxes(&self, grid: &BinGrid, n: usize) -> Vec<Rect> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let one = |at| {
            let [x0, y0, x1, y1] = (self.one)(&mut random, grid.size(), at).map(|x| x as f32);
            Rect::new(x0, y0, x1, y1)
        };
        (0..n).map(one).collect()
    }
}
