//! The levels and the scratch layout of binning.

use crate::BinCapacity;
use crate::Error;
use crate::gpu::buffers::{Part, index};
use treebounds_core::BinGrid;
use treebounds_shaders::{BinCell, BinPlan, BinSegment};

/// The scratch layout for a capacity and a grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinLayout {
    pub(crate) grid: BinGrid,
    pub(crate) capacity: BinCapacity,
    /// The maximum number of items per segment.
    pub(crate) segment: u32,
    /// Whether `bin_emit` sums the matrix itself, without `bin_scan`.
    pub(crate) is_near: bool,
    pub(crate) levels: Vec<BinLevel>,
}

/// The plan and maximum counts of one level of cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinLevel {
    pub(crate) plan: BinPlan,
    pub(crate) segments: u32,
    /// The number of stored items: none on the first level, whose items are the elements.
    pub(crate) items: u32,
}

impl BinLayout {
    pub(crate) fn new(grid: BinGrid, capacity: BinCapacity, segment: u32) -> Result<Self, Error> {
        check_capacity(capacity, segment)?;
        let elements = u64::from(capacity.elements);
        let levels = depth(&grid);
        let (fans_x, fans_y) = (fans(grid.columns(), levels), fans(grid.rows(), levels));
        let mut all = Vec::new();
        let (mut cells, mut items) = (1, elements);
        for (level, (&fan_x, &fan_y)) in fans_x.iter().zip(&fans_y).enumerate() {
            // Each cell may end with a partial segment.
            let segments = items / u64::from(segment) + cells;
            let fan = u64::from(fan_x) * u64::from(fan_y);
            let number = |at: u64| index("counts of binning", at, segments.saturating_mul(fan));
            let (window_x, window_y) = (window_side(fan_x), window_side(fan_y));
            let plan = BinPlan {
                level: level as u32,
                is_last: u32::from(level + 1 == fans_x.len()),
                cells: number(cells)?,
                fan_x,
                fan_y,
                cell_x: fans_x[level + 1..].iter().product(),
                cell_y: fans_y[level + 1..].iter().product(),
                window_x,
                window_y,
                segment,
                ..grid_plan(&grid, capacity)
            };
            let stored = if level == 0 { 0 } else { items };
            all.push(BinLevel { plan, segments: number(segments)?, items: stored as u32 });
            cells *= fan;
            // Every item has at least one entry.
            items = u64::from(capacity.entries).min(elements.saturating_mul(cells));
        }
        let is_near = is_near(&all);
        Ok(Self { grid, capacity, segment, is_near, levels: all })
    }

    /// The number of parts shared by all levels.
    pub(crate) const COMMON_PARTS: usize = 3;

    /// The number of parts per level: cells and items.
    pub(crate) const LEVEL_PARTS: usize = 2;

    /// The parts of a scratch: the shared parts, the parts of each level, and the parts of an empty level after the last.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let matrix = self.levels.iter().map(|level| level.matrix_words()).max();
        let needs = self.levels.first().map_or(1, |level| level.segments.into());
        let common: [Part; Self::COMMON_PARTS] = [
            ("ranges", 8 * u64::from(self.capacity.elements).max(1)),
            ("matrix", 4 * matrix.unwrap_or(1).max(1)),
            ("needs", 4 * needs),
        ];
        let of = |level: Option<&BinLevel>| -> [Part; Self::LEVEL_PARTS] {
            let (cells, items) = level.map_or((1, 1), |level| (level.plan.cells, level.items));
            [
                ("cells", size_of::<BinCell>() as u64 * u64::from(cells.max(1))),
                ("items", 4 * u64::from(items.max(1))),
            ]
        };
        let levels = self.levels.iter().map(Some).chain([None]);
        common.into_iter().chain(levels.flat_map(of)).collect()
    }

    /// One segment list per level, and the counters that `bin_scan` needs for the last level. Kernels read one
    /// list while they write the next list and the other parts, so each list has a separate buffer.
    pub(crate) fn segment_lists(&self) -> Vec<Part> {
        // The first level needs no list.
        let listed = |level: &BinLevel| if level.plan.level > 0 { level.segments } else { 1 };
        let segments = self.levels.iter().map(listed).chain([1]);
        let bytes =
            |segments| SEGMENTS_HEADER + size_of::<BinSegment>() as u64 * u64::from(segments);
        segments.map(|segments| ("segments", bytes(segments))).collect()
    }
}

/// The size in bytes of the two counters before a segment list.
const SEGMENTS_HEADER: u64 = 8;

impl BinLevel {
    fn matrix_words(&self) -> u64 {
        u64::from(self.segments) * u64::from(self.plan.fan_x * self.plan.fan_y)
    }

    /// The number of workgroups of `bin_scan`, with `children` children per workgroup.
    pub(crate) fn scans(&self, children: u32) -> u32 {
        self.plan.cells * (self.plan.fan_x * self.plan.fan_y).div_ceil(children)
    }

    /// The number of windows of children.
    pub(crate) fn windows(&self) -> u32 {
        windows(&self.plan, self.plan.fan_x, self.plan.fan_y)
    }
}

/// Checks that 32 bits can count elements and entries, plus one segment.
pub(crate) fn check_capacity(capacity: BinCapacity, segment: u32) -> Result<(), Error> {
    let most = u32::MAX - segment;
    for (what, needed) in [("elements", capacity.elements), ("entries", capacity.entries)] {
        if needed > most {
            return Err(Error::TooMany { what, needed: needed.into(), most: most.into() });
        }
    }
    Ok(())
}

/// The plan fields that are independent of the level.
pub(crate) fn grid_plan(grid: &BinGrid, capacity: BinCapacity) -> BinPlan {
    let [origin_x, origin_y] = grid.origin();
    let [width, height] = grid.size();
    let [bin_x, bin_y] = grid.bin();
    BinPlan {
        element_capacity: capacity.elements,
        entry_capacity: capacity.entries,
        origin_x,
        origin_y,
        width,
        height,
        bin_x,
        bin_y,
        columns: grid.columns(),
        rows: grid.rows(),
        ..BinPlan::default()
    }
}

/// The plan of binning in pieces.
pub(crate) fn piece_plan(grid: &BinGrid, capacity: BinCapacity, batch: u32) -> BinPlan {
    let (window_x, window_y) = (window_side(grid.columns()), window_side(grid.rows()));
    let plan = BinPlan { window_x, window_y, ..grid_plan(grid, capacity) };
    let workgroups = u64::from(piece_workgroups(&plan, grid, capacity, batch));
    let most = u64::from(capacity.elements) * u64::from(grid.bins());
    // A power of two above the entry count. The remaining bits count finished workgroups.
    let arrival = (most + 1).next_power_of_two();
    let holds_both = arrival.saturating_mul(workgroups) <= 1 << 32 && arrival < 1 << 32;
    BinPlan { arrival: if holds_both { arrival as u32 } else { 0 }, ..plan }
}

/// The number of workgroups of binning in pieces, at least one to write the status.
pub(crate) fn piece_workgroups(
    plan: &BinPlan,
    grid: &BinGrid,
    capacity: BinCapacity,
    batch: u32,
) -> u32 {
    // Cannot overflow: at most elements times bins, which fit 32 bits.
    (capacity.elements.div_ceil(batch) * windows(plan, grid.columns(), grid.rows())).max(1)
}

fn window_side(cells: u32) -> u32 {
    cells.min(BinPlan::WINDOW).next_power_of_two()
}

fn windows(plan: &BinPlan, columns: u32, rows: u32) -> u32 {
    columns.div_ceil(plan.window_x) * rows.div_ceil(plan.window_y)
}

/// Whether each workgroup sums the matrix itself: for one level, one window and few segments only.
fn is_near(levels: &[BinLevel]) -> bool {
    match levels {
        [only] => {
            only.windows() == 1 && only.matrix_words() * u64::from(only.segments) <= NEAR_WORDS
        }
        _ => false,
    }
}

/// The maximum number of matrix words that all workgroups together read to sum the matrix themselves. Up to
/// this number, reading is faster than a separate dispatch. It also limits the entries to fewer than
/// 2<sup>32</sup>, because segments have at most 2<sup>15</sup> elements.
const NEAR_WORDS: u64 = 1 << 20;

/// The number of levels of cells.
fn depth(grid: &BinGrid) -> u32 {
    let side = grid.columns().max(grid.rows());
    let reaches = |levels: &u32| BinPlan::FAN.saturating_pow(*levels) >= side;
    (1..).find(reaches).unwrap_or(1)
}

/// The number of children per cell along one axis, for each level from the root. The numbers are balanced,
/// and their product is at least `bins`.
fn fans(bins: u32, levels: u32) -> Vec<u32> {
    let mut fans = Vec::new();
    let mut left = bins;
    for level in (1..=levels).rev() {
        let fan = (1..=left).find(|fan: &u32| fan.saturating_pow(level) >= left).unwrap_or(1);
        fans.push(fan);
        left = left.div_ceil(fan);
    }
    fans.reverse();
    fans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fans_cover_all_bins_and_fit_a_word() {
        for bins in (1..3000).chain([4096, 32_768, 32_769, 65_535]) {
            for rows in [1, 200] {
                let grid = BinGrid::with_bins([0, 0], [bins, rows], [1, 1]).unwrap();
                let levels = depth(&grid);
                for side in [bins, rows] {
                    let fans = fans(side, levels);
                    assert_eq!(fans.len(), levels as usize);
                    let reach = fans.iter().product::<u32>();
                    // Corners of cells are packed into 16 bits per coordinate.
                    assert!((side..=1 << 16).contains(&reach), "{side}: {fans:?}");
                    assert!(fans.iter().all(|fan| (1..=BinPlan::FAN).contains(fan)));
                }
            }
        }
        assert_eq!(fans(15, 1), [15]);
        assert_eq!(fans(64, 2), [8, 8]);
        assert_eq!(fans(300, 2), [17, 18]);
    }

    #[test]
    fn levels_have_one_cell_per_child_of_the_previous_level() {
        let grid = BinGrid::with_bins([0, 0], [16_384; 2], [16; 2]).unwrap();
        let capacity = BinCapacity { elements: 10_000, entries: 30_000 };
        let layout = BinLayout::new(grid, capacity, 128).unwrap();
        let [root, leaf] = &layout.levels[..] else { panic!("{} levels", layout.levels.len()) };
        assert_eq!((root.plan.cells, root.segments, root.items), (1, 79, 0));
        assert_eq!((leaf.plan.cells, leaf.segments, leaf.items), (1024, 1024 + 234, 30_000));
        assert_eq!((root.plan.cell_x, leaf.plan.cell_x), (32, 1));
        assert_eq!((root.windows(), root.scans(8)), (4, 128));
        let parts = layout.parts();
        assert_eq!(parts.len(), BinLayout::COMMON_PARTS + 3 * BinLayout::LEVEL_PARTS);
        assert_eq!(parts[1], ("matrix", 4 * 1258 * 1024));
        assert_eq!(parts[5..7], [("cells", 12 * 1024), ("items", 120_000)]);
        assert_eq!(parts[7..], [("cells", 12), ("items", 4)]);
        let lists = layout.segment_lists();
        assert_eq!(lists, [("segments", 20), ("segments", 8 + 12 * 1258), ("segments", 20)]);
    }

    #[test]
    fn only_grids_with_one_window_and_few_segments_skip_the_scan() {
        let is_near = |grid: BinGrid, elements| {
            let capacity = BinCapacity { elements, entries: 1000 };
            BinLayout::new(grid, capacity, 256).unwrap().is_near
        };
        let screen = BinGrid::new(1920, 1080).unwrap();
        assert!(is_near(screen, 0) && is_near(screen, 41_000));
        assert!(!is_near(screen, 42_000));
        for size in [[400, 400], [170, 10]] {
            assert!(!is_near(BinGrid::with_bins([0, 0], size, [10, 10]).unwrap(), 100));
        }
    }

    #[test]
    fn window_sides_are_powers_of_two() {
        for (size, sides) in
            [([1, 1], (1, 1)), ([3, 16], (4, 16)), ([8, 5], (8, 8)), ([17, 9], (16, 16))]
        {
            let grid = BinGrid::with_bins([0, 0], size, [1, 1]).unwrap();
            let plan = piece_plan(&grid, BinCapacity { elements: 9, entries: 9 }, 256);
            assert_eq!((plan.window_x, plan.window_y), sides);
        }
    }

    /// The entry count stays below `arrival`, and the sum before the last workgroup below 2^32.
    #[test]
    fn entries_and_workgroups_share_a_word_only_if_both_fit() {
        let screen = BinGrid::new(1920, 1080).unwrap();
        let arrival = |grid: &BinGrid, elements| {
            piece_plan(grid, BinCapacity { elements, entries: 9 }, 256).arrival
        };
        assert_eq!((arrival(&screen, 0), arrival(&screen, 1)), (1, 64));
        assert_eq!((arrival(&screen, 1 << 17), arrival(&screen, (1 << 17) + 1)), (1 << 23, 0));
        let windows = BinGrid::with_bins([0, 0], [17, 17], [1, 1]).unwrap();
        assert_eq!((arrival(&windows, 32_768), arrival(&windows, 65_536)), (0, 0));
        for elements in (1..100_000).step_by(77) {
            for grid in [&screen, &windows] {
                let plan = piece_plan(grid, BinCapacity { elements, entries: 9 }, 256);
                let capacity = BinCapacity { elements, entries: 9 };
                let workgroups = u64::from(piece_workgroups(&plan, grid, capacity, 256));
                let entries = u64::from(elements) * u64::from(grid.bins());
                if plan.arrival > 0 {
                    let before_last = (workgroups - 1) * u64::from(plan.arrival) + entries;
                    assert!(entries < plan.arrival.into() && before_last <= u32::MAX.into());
                }
            }
        }
    }

    #[test]
    fn rejects_counts_that_exceed_32_bits() {
        let grid = BinGrid::new(100, 100).unwrap();
        for capacity in [
            BinCapacity { elements: u32::MAX - 9, entries: 1 },
            BinCapacity { elements: 1, entries: u32::MAX - 9 },
        ] {
            let result = BinLayout::new(grid, capacity, 256);
            assert!(matches!(result, Err(Error::TooMany { .. })), "{capacity:?}");
        }
        let many = BinGrid::with_bins([0, 0], [4096; 2], [1; 2]).unwrap();
        let capacity = BinCapacity { elements: 1 << 31, entries: 1 << 31 };
        assert!(matches!(BinLayout::new(many, capacity, 2), Err(Error::TooMany { .. })));
    }
}
