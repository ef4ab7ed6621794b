//! Damage by bins, the reference for the GPU.

use crate::{BinGrid, Rect};
use alloc::{vec, vec::Vec};
use bytemuck::{Pod, Zeroable};

/// The half-open range of damaged pixels in a bin, relative to the top left corner of the viewport. 16 bytes, a `vec4<u32>` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct BinDamage {
    /// The first column.
    pub x0: u32,
    /// The first row.
    pub y0: u32,
    /// The last column plus one; 0 if the bin is not damaged.
    pub x1: u32,
    /// The last row plus one; 0 if the bin is not damaged.
    pub y1: u32,
}

impl BinDamage {
    /// An undamaged bin.
    pub const NOTHING: Self = Self { x0: u32::MAX, y0: u32::MAX, x1: 0, y1: 0 };

    /// Whether no pixels are damaged.
    pub const fn is_empty(self) -> bool {
        self.x1 == 0
    }

    fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }
}

/// Computes the damage between two frames in each bin, row by row.
///
/// A frame contains the box of each element, and the index of the element with the same appearance in the other frame, or
/// [`NONE`](crate::NONE). Missing entries count as `NONE`. An element damages its box if it has no partner, or if its partner's box has
/// different bits. `treebounds::Damage` computes the same result on a GPU.
///
/// ```
/// use treebounds_core::damage::{BinDamage, bins};
/// use treebounds_core::{BinGrid, NONE, Rect};
///
/// let grid = BinGrid::new(512, 256)?; // two bins
/// let [page, old, new] = [0.0, 10.0, 260.0].map(|x| Rect::new(x, 0.0, x + 2.0, 20.0));
/// let damage = bins(&grid, [(&[page, old], &[0, NONE]), (&[page, new], &[0, NONE])]);
/// assert_eq!(damage[1], BinDamage { x0: 260, y0: 0, x1: 262, y1: 20 });
/// # Ok::<(), treebounds_core::BinGridError>(())
/// ```
pub fn bins(grid: &BinGrid, frames: [(&[Rect], &[u32]); 2]) -> Vec<BinDamage> {
    let mut bins = vec![BinDamage::NOTHING; grid.bins() as usize];
    let [old, new] = frames;
    for ((boxes, partners), (others, _)) in [(old, new), (new, old)] {
        let bits = |rect: &Rect| rect.to_array().map(f32::to_bits);
        for (index, rect) in boxes.iter().enumerate() {
            let partner = partners.get(index).and_then(|other| others.get(*other as usize));
            if partner.is_none_or(|other| bits(other) != bits(rect)) {
                mark(grid, *rect, &mut bins);
            }
        }
    }
    bins
}

fn mark(grid: &BinGrid, rect: Rect, bins: &mut [BinDamage]) {
    let Some([low, high]) = grid.touched(rect) else { return };
    let pixels = pixels(grid, rect);
    let [width, height] = grid.bin();
    for row in low[1]..high[1] {
        for column in low[0]..high[0] {
            let [x, y] = [column * width, row * height];
            let inside = BinDamage {
                x0: pixels.x0.max(x),
                y0: pixels.y0.max(y),
                x1: pixels.x1.min(x.saturating_add(width)),
                y1: pixels.y1.min(y.saturating_add(height)),
            };
            let bin = &mut bins[(row * grid.columns() + column) as usize];
            *bin = bin.union(inside);
        }
    }
}

/// The pixels of the viewport that a box overlaps.
fn pixels(grid: &BinGrid, rect: Rect) -> BinDamage {
    let rect = rect.round_out();
    let at = |axis: usize, edge: f32| {
        // The limits exceed any viewport, and the difference cannot overflow.
        let from_corner = edge.clamp(-1e9, 1e9) as i64 - i64::from(grid.origin()[axis]);
        from_corner.clamp(0, grid.size()[axis].into()) as u32
    };
    BinDamage { x0: at(0, rect.x0), y0: at(1, rect.y0), x1: at(0, rect.x1), y1: at(1, rect.y1) }
}
