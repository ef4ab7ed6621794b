//! Bins: a coarse grid over the viewport, for lists of the elements that overlap each bin.

use crate::Rect;
use bytemuck::{Pod, Zeroable};

/// A viewport in whole pixels, divided into equal bins.
///
/// Bins are numbered row by row from the top left corner. The last column and row end at the edge of the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinGrid {
    origin: [i32; 2],
    size: [u32; 2],
    bin: [u32; 2],
}

/// The range of a bin's list among all entries. 8 bytes, a `vec2<u32>` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct BinHeader {
    /// The first entry.
    pub offset: u32,
    /// The number of entries.
    pub count: u32,
}

/// The reason that a grid is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BinGridError {
    /// The viewport is empty or too large.
    #[error("the viewport has {0} x {1} px; make each side at least 1 and at most 2^24")]
    Size(u32, u32),
    /// The origin is too far from zero for `f32` to represent every pixel.
    #[error("the viewport starts at ({0}, {1}); move it to within -2^24 and 2^24")]
    Origin(i32, i32),
    /// The bins have no area.
    #[error("a bin has {0} x {1} px; make each side at least 1")]
    Bin(u32, u32),
    /// There are more than 65,535 bins per side or 2^24 bins in total.
    #[error(
        "{columns} x {rows} bins exceed the maximum of 65,535 per side and 2^24 in all; make the bins larger"
    )]
    TooMany {
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
    },
}

impl BinGrid {
    /// The default side length: 16 tiles of 16 px.
    const DEFAULT_BIN: u32 = 256;

    const LIMIT: u32 = 1 << 24;

    /// Creates a grid over a viewport at (0, 0), with bins of 256 x 256 px.
    ///
    /// # Errors
    /// [`BinGridError`] if the sizes are out of range.
    pub fn new(width: u32, height: u32) -> Result<Self, BinGridError> {
        Self::with_bins([0, 0], [width, height], [Self::DEFAULT_BIN; 2])
    }

    /// Creates a grid over any viewport, with bins of `bin` px. All pairs are in the order x, y.
    ///
    /// # Errors
    /// [`BinGridError`] if the sizes are out of range.
    pub fn with_bins(
        origin: [i32; 2],
        size: [u32; 2],
        bin: [u32; 2],
    ) -> Result<Self, BinGridError> {
        if size.iter().any(|side| !(1..=Self::LIMIT).contains(side)) {
            return Err(BinGridError::Size(size[0], size[1]));
        }
        if origin.iter().any(|start| start.unsigned_abs() > Self::LIMIT) {
            return Err(BinGridError::Origin(origin[0], origin[1]));
        }
        if bin.contains(&0) {
            return Err(BinGridError::Bin(bin[0], bin[1]));
        }
        let grid = Self { origin, size, bin };
        let (columns, rows) = (grid.columns(), grid.rows());
        let most = u32::from(u16::MAX);
        if columns > most || rows > most || columns * rows > Self::LIMIT {
            return Err(BinGridError::TooMany { columns, rows });
        }
        Ok(grid)
    }

    /// The first pixel of the viewport.
    pub const fn origin(&self) -> [i32; 2] {
        self.origin
    }

    /// The size of the viewport in pixels.
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The size of a bin in pixels.
    pub const fn bin(&self) -> [u32; 2] {
        self.bin
    }

    /// The number of columns.
    pub const fn columns(&self) -> u32 {
        self.size[0].div_ceil(self.bin[0])
    }

    /// The number of rows.
    pub const fn rows(&self) -> u32 {
        self.size[1].div_ceil(self.bin[1])
    }

    /// The number of bins.
    pub const fn bins(&self) -> u32 {
        self.columns() * self.rows()
    }

    /// The half-open ranges of columns and rows that a box overlaps: `[x0, y0]`, `[x1, y1]`. `None` if the box is empty or outside
    /// the viewport.
    pub fn touched(&self, rect: Rect) -> Option<[[u32; 2]; 2]> {
        if rect.is_empty() {
            return None;
        }
        let [x0, x1] = self.touched_on(0, rect.x0, rect.x1)?;
        let [y0, y1] = self.touched_on(1, rect.y0, rect.y1)?;
        Some([[x0, y0], [x1, y1]])
    }

    /// The range on one axis. A box overlaps a pixel if it covers a part of it.
    fn touched_on(&self, axis: usize, low: f32, high: f32) -> Option<[u32; 2]> {
        let start = i64::from(self.origin[axis]);
        let size = i64::from(self.size[axis]);
        let bin = i64::from(self.bin[axis]);
        let first = (floor(low) - start).clamp(0, size);
        let end = (ceil(high) - start).clamp(0, size);
        // Both are in 0 ..= 2^24.
        (first < end).then(|| [(first / bin) as u32, ((end - 1) / bin + 1) as u32])
    }
}

/// `f32::floor` without `std`, clamped to ±1e9.
fn floor(x: f32) -> i64 {
    let x = x.clamp(-1e9, 1e9);
    let whole = x as i64;
    whole - i64::from(whole as f32 > x)
}

fn ceil(x: f32) -> i64 {
    -floor(-x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The definition: the intersection of bin, viewport and box has a positive area.
    fn overlaps(grid: &BinGrid, [column, row]: [u32; 2], rect: Rect) -> bool {
        let overlaps_on = |axis: usize, at: u32, low: f32, high: f32| {
            let start = f64::from(grid.origin[axis]);
            let from = start + f64::from(at) * f64::from(grid.bin[axis]);
            let end = start + f64::from(grid.size[axis]);
            let to = (from + f64::from(grid.bin[axis])).min(end);
            from.max(low.into()) < to.min(high.into())
        };
        !rect.is_empty()
            && overlaps_on(0, column, rect.x0, rect.x1)
            && overlaps_on(1, row, rect.y0, rect.y1)
    }

    #[test]
    fn touched_matches_the_overlap_of_each_bin() {
        let grids = [
            BinGrid::new(1000, 600),
            BinGrid::with_bins([-7, 3], [10, 9], [3, 2]),
            BinGrid::with_bins([0, 0], [1, 1], [1, 1]),
            BinGrid::with_bins([5, -300], [300, 17], [64, 16]),
        ];
        let far = [f32::NEG_INFINITY, -f32::MAX, f32::MAX, f32::INFINITY];
        let mut edges: Vec<f32> = (-14..44).map(|at| at as f32 / 2.0).collect();
        edges.extend([-300.0, -283.0, 255.5, 256.0, 256.25, 511.0, 512.0, 999.5, 1000.0, 1001.0]);
        edges.extend(far);
        for grid in grids.map(Result::unwrap) {
            for &low in &edges {
                for &high in &edges {
                    for rect in [Rect::new(low, 1.0, high, 2.5), Rect::new(1.0, low, 4.0, high)] {
                        check(&grid, rect);
                    }
                }
            }
        }
    }

    fn check(grid: &BinGrid, rect: Rect) {
        let touched = grid.touched(rect);
        for row in 0..grid.rows() {
            for column in 0..grid.columns() {
                let inside = touched.is_some_and(|[low, high]| {
                    (low[0]..high[0]).contains(&column) && (low[1]..high[1]).contains(&row)
                });
                let expected = overlaps(grid, [column, row], rect);
                assert_eq!(inside, expected, "{rect:?}, bin {column}, {row} of {grid:?}");
            }
        }
    }

    #[test]
    fn nan_boxes_touch_no_bins() {
        let grid = BinGrid::new(100, 100).unwrap();
        for at in 0..4 {
            let mut edges = [1.0, 1.0, 2.0, 2.0];
            edges[at] = f32::NAN;
            let [x0, y0, x1, y1] = edges;
            assert_eq!(grid.touched(Rect::new(x0, y0, x1, y1)), None);
        }
        assert_eq!(grid.touched(Rect::NOTHING), None);
        assert_eq!(grid.touched(Rect::EVERYTHING), Some([[0, 0], [1, 1]]));
    }

    #[test]
    fn rejects_invalid_grids() {
        use BinGridError::{Bin, Origin, Size, TooMany};
        assert_eq!(BinGrid::new(0, 5), Err(Size(0, 5)));
        assert_eq!(BinGrid::new(5, 1 << 25), Err(Size(5, 1 << 25)));
        let origin = BinGrid::with_bins([i32::MIN, 0], [1, 1], [1, 1]);
        assert_eq!(origin, Err(Origin(i32::MIN, 0)));
        assert_eq!(BinGrid::with_bins([0, 0], [9, 9], [0, 1]), Err(Bin(0, 1)));
        let wide = BinGrid::with_bins([0, 0], [65_536, 1], [1, 1]);
        assert_eq!(wide, Err(TooMany { columns: 65_536, rows: 1 }));
        let many = BinGrid::with_bins([0, 0], [4096, 4097], [1, 1]);
        assert_eq!(many, Err(TooMany { columns: 4096, rows: 4097 }));
        assert_eq!(BinGrid::new(3840, 2160).unwrap().bins(), 15 * 9);
    }
}
