//! Where everything lies in the scratch of binning, level by level.

use crate::Error;
use crate::bins::BinCapacity;
use crate::plan::{Regions, ceil_div, check_count, index};
use treebounds_core::BinGrid;
use treebounds_shaders::{BinPlan, Variant};

/// A capacity and a grid laid out for a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinLayout {
    pub(crate) grid: BinGrid,
    pub(crate) capacity: BinCapacity,
    pub(crate) variant: Variant,
    /// The most elements that a workgroup a bin can look at.
    pub(crate) few: u32,
    pub(crate) levels: Vec<BinLevel>,
    /// Bytes of the scratch buffer.
    pub(crate) bytes: u64,
}

/// One level: where it lies, and how many workgroups its kernels have at most.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinLevel {
    pub(crate) plan: BinPlan,
    pub(crate) chunks: u32,
    pub(crate) tiles: u32,
}

/// Where parents begin: their chunks, their lists, their bins.
#[derive(Clone, Copy, Default)]
struct Parents {
    firsts: u64,
    starts: u64,
    corners: u64,
}

impl Parents {
    fn take(words: &mut Regions, count: u64) -> Self {
        let [firsts, starts, corners] = [0; 3].map(|_| words.take(count + 1));
        Self { firsts, starts, corners }
    }
}

impl BinLayout {
    /// `few` is the most elements that a workgroup a bin can look at.
    pub(crate) fn new(
        grid: BinGrid,
        capacity: BinCapacity,
        variant: Variant,
        few: u32,
    ) -> Result<Self, Error> {
        check_count("elements", capacity.elements, &variant)?;
        check_count("entries", capacity.entries, &variant)?;
        let elements = u64::from(capacity.elements);
        let tile = u64::from(variant.tile());
        let mut words = Regions::default();
        let ranges = words.take(2 * elements);
        let needs = words.take(ceil_div(capacity.elements, variant.tile()).into());
        let (fans_x, fans_y) =
            (fans(grid.columns(), depth(&grid)), fans(grid.rows(), depth(&grid)));

        let mut levels = Vec::new();
        let (mut parents, mut own, mut list_in, mut items) = (1, Parents::default(), 0, elements);
        for (level, (&fan_x, &fan_y)) in fans_x.iter().zip(&fans_y).enumerate() {
            let is_last = level + 1 == fans_x.len();
            let fan = u64::from(fan_x) * u64::from(fan_y);
            let children = parents * fan;
            let chunks = parents + items / tile;
            let tiles = chunks * fan / tile + 1;
            let read = chunks.saturating_mul(chunks).saturating_mul(fan);
            let is_near = fans_x.len() == 1 && read <= NEAR_WORDS;
            let matrix = words.take(tiles * tile);
            let sums = words.take(tiles);
            let next = if is_last { own } else { Parents::take(&mut words, children) };
            // Every item of a list has an entry in the end.
            items = u64::from(capacity.entries).min(elements.saturating_mul(children));
            let list_out = words.take(if is_last { 0 } else { items });

            let word = |at: u64| index("words of scratch", at, words.len());
            let plan = BinPlan {
                level: level as u32,
                is_last: is_last.into(),
                parents: word(parents)?,
                fan_x,
                fan_y,
                cell_x: fans_x[level + 1..].iter().product(),
                cell_y: fans_y[level + 1..].iter().product(),
                ranges: word(ranges)?,
                needs: word(needs)?,
                matrix: word(matrix)?,
                sums: word(sums)?,
                firsts: word(own.firsts)?,
                starts: word(own.starts)?,
                corners: word(own.corners)?,
                next_firsts: word(next.firsts)?,
                next_starts: word(next.starts)?,
                next_corners: word(next.corners)?,
                list_in: word(list_in)?,
                list_out: word(list_out)?,
                is_near: is_near.into(),
                ..grid_plan(&grid, capacity)
            };
            levels.push(BinLevel { plan, chunks: word(chunks)?, tiles: word(tiles)? });
            (parents, own, list_in) = (children, next, list_out);
        }
        let layout = Self { grid, capacity, variant, few, levels, bytes: 4 * words.len() };
        // A workgroup a bin wants no scratch.
        let bytes = if layout.is_few() { 4 } else { layout.bytes };
        Ok(Self { bytes, ..layout })
    }

    /// Whether a workgroup a bin looks at all elements.
    pub(crate) fn is_few(&self) -> bool {
        let looks = u64::from(self.capacity.elements) * u64::from(self.grid.bins());
        self.levels.len() == 1 && self.capacity.elements <= self.few && looks <= FEW_LOOKS
    }
}

/// All that does not depend on the level.
fn grid_plan(grid: &BinGrid, capacity: BinCapacity) -> BinPlan {
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

/// Windows of bins.
pub(crate) fn window_plan(grid: &BinGrid, capacity: BinCapacity) -> BinPlan {
    let side = |bins: u32| bins.min(BinPlan::PIECE_FAN).next_power_of_two();
    let (fan_x, fan_y) = (side(grid.columns()), side(grid.rows()));
    BinPlan { fan_x, fan_y, ..grid_plan(grid, capacity) }
}

/// The most boxes that all workgroups together look at where one for each bin looks at all:
/// beyond, counting by chunks is as fast.
const FEW_LOOKS: u64 = 1 << 21;

/// The most words that all workgroups together read of the matrix where each sums it
/// itself: what takes less than the two dispatches that it saves. So few chunks, of at most
/// 2<sup>15</sup> elements, have fewer than 2<sup>32</sup> entries, whatever they touch.
const NEAR_WORDS: u64 = 1 << 20;

/// Levels of cells until every cell is a bin.
fn depth(grid: &BinGrid) -> u32 {
    let side = grid.columns().max(grid.rows());
    let reaches = |levels: &u32| BinPlan::FAN.saturating_pow(*levels) >= side;
    (1..).find(reaches).unwrap_or(1)
}

/// How many children beside each other a cell has on each level, from the root on:
/// about as many on each, and together no fewer than there are bins.
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
    fn fans_reach_every_bin_and_fit_a_word() {
        for bins in (1..3000).chain([4096, 32_768, 32_769, 65_535]) {
            for rows in [1, 200] {
                let grid = BinGrid::with_bins([0, 0], [bins, rows], [1, 1]).unwrap();
                let levels = depth(&grid);
                for side in [bins, rows] {
                    let fans = fans(side, levels);
                    assert_eq!(fans.len(), levels as usize);
                    assert!(fans.iter().product::<u32>() >= side, "{side}: {fans:?}");
                    assert!(fans.iter().all(|fan| (1..=BinPlan::FAN).contains(fan)));
                }
            }
        }
        assert_eq!(fans(15, 1), [15]);
        assert_eq!(fans(64, 2), [8, 8]);
        assert_eq!(fans(300, 2), [17, 18]);
    }

    #[test]
    fn regions_do_not_overlap() {
        let grid = BinGrid::with_bins([0, 0], [16_384; 2], [16; 2]).unwrap();
        let capacity = BinCapacity { elements: 10_000, entries: 30_000 };
        let variant = Variant::new(64, 2).unwrap();
        let layout = BinLayout::new(grid, capacity, variant, 0).unwrap();
        assert_eq!(layout.levels.len(), 2);
        let [root, leaf] = [&layout.levels[0].plan, &layout.levels[1].plan];
        let starts = [
            root.ranges,
            root.needs,
            root.matrix,
            root.sums,
            root.next_firsts,
            root.next_starts,
            root.next_corners,
            root.list_out,
            leaf.matrix,
            leaf.sums,
        ];
        assert!(starts.is_sorted_by(|a, b| a < b), "{starts:?}");
        assert_eq!((leaf.firsts, leaf.list_in), (root.next_firsts, root.list_out));
        assert_eq!((root.cell_x, leaf.cell_x, leaf.parents), (32, 1, 1024));
    }

    #[test]
    fn few_elements_and_bins_are_looked_at_by_each_bin() {
        let is_few = |grid: BinGrid, elements, few| {
            let capacity = BinCapacity { elements, entries: 1000 };
            BinLayout::new(grid, capacity, Variant::default(), few).unwrap().is_few()
        };
        let square = |side| BinGrid::with_bins([0, 0], [side; 2], [1; 2]).unwrap();
        assert!(is_few(square(16), 8192, 8192) && is_few(square(16), 0, 8192));
        assert!(!is_few(square(16), 8193, 8192) && !is_few(square(16), 1, 0));
        assert!(is_few(square(32), 2048, 8192) && !is_few(square(32), 2049, 8192));
        assert!(!is_few(BinGrid::with_bins([0, 0], [33, 1], [1, 1]).unwrap(), 1, 8192));
    }

    #[test]
    fn few_chunks_of_one_level_are_near() {
        let is_near = |grid: BinGrid, elements| {
            let capacity = BinCapacity { elements, entries: 1000 };
            let variant = Variant::new(256, 1).unwrap();
            let layout = BinLayout::new(grid, capacity, variant, 0).unwrap();
            layout.levels.iter().any(|level| level.plan.is_near != 0)
        };
        let screen = BinGrid::new(1920, 1080).unwrap();
        assert!(is_near(screen, 0) && is_near(screen, 41_000));
        assert!(!is_near(screen, 42_000));
        let two_levels = BinGrid::with_bins([0, 0], [400, 400], [10, 10]).unwrap();
        assert!(!is_near(two_levels, 100));
    }

    #[test]
    fn sides_of_windows_are_powers_of_two() {
        for (size, fans) in
            [([1, 1], (1, 1)), ([3, 16], (4, 16)), ([8, 5], (8, 8)), ([17, 9], (16, 16))]
        {
            let grid = BinGrid::with_bins([0, 0], size, [1, 1]).unwrap();
            let plan = window_plan(&grid, BinCapacity { elements: 9, entries: 9 });
            assert_eq!((plan.fan_x, plan.fan_y), fans);
        }
    }

    #[test]
    fn refuses_what_32_bits_cannot_index() {
        let grid = BinGrid::new(100, 100).unwrap();
        for capacity in [
            BinCapacity { elements: u32::MAX - 9, entries: 1 },
            BinCapacity { elements: 1, entries: u32::MAX - 9 },
            BinCapacity { elements: 1 << 31, entries: 1 },
        ] {
            let result = BinLayout::new(grid, capacity, Variant::default(), 0);
            assert!(matches!(result, Err(Error::TooMany { .. })), "{capacity:?}");
        }
    }
}
