//! Where everything lies in the scratch buffers, and how many workgroups there are.

use crate::{Capacity, Error};
use treebounds_shaders::{Plan, Variant};

/// A capacity laid out for a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) capacity: Capacity,
    pub(crate) variant: Variant,
    pub(crate) plan: Plan,
    /// Bytes of the scratch buffer of words.
    pub(crate) word_bytes: u64,
    /// Bytes of the scratch buffer of boxes.
    pub(crate) box_bytes: u64,
    pub(crate) element_tiles: u32,
    pub(crate) node_tiles: u32,
    pub(crate) chunks: u32,
}

/// Hands out consecutive regions of a buffer, counted in its elements.
#[derive(Default)]
pub(crate) struct Regions(u64);

impl Regions {
    pub(crate) fn take(&mut self, len: u64) -> u64 {
        let start = self.0;
        self.0 += len;
        start
    }

    /// How long they are together.
    pub(crate) fn len(&self) -> u64 {
        self.0
    }
}

impl Layout {
    /// Lays out the whole stage: a tree of counts, then for the nodes their tags,
    /// ends, surroundings, slices, trees and values, then a tree of unions.
    pub(crate) fn of_stage(capacity: Capacity, variant: Variant) -> Result<Self, Error> {
        check_count(capacity.elements.max(capacity.nodes), &variant)?;
        let (tile, nodes) = (u64::from(variant.tile()), u64::from(capacity.nodes));
        let element_tiles = ceil_div(capacity.elements, variant.tile());
        let node_tiles = ceil_div(capacity.nodes, variant.tile());
        let chunks = ceil_div(capacity.elements, variant.per_thread());
        let leaves = [element_tiles, node_tiles, chunks].map(|n| n.next_power_of_two());
        let node_slots = u64::from(node_tiles) * tile;

        let mut words = Regions::default();
        let counts_tree = words.take(4 * u64::from(leaves[0]));
        let tiles_tree = words.take(4 * u64::from(leaves[1]));
        let slices = words.take(node_slots);
        let [node_tags, ends, around] = [0; 3].map(|_| words.take(nodes));
        let [parents_a, parents_b] = [0; 2].map(|_| words.take(node_tiles.into()));

        let mut boxes = Regions::default();
        let [values_a, values_b] = [0; 2].map(|_| boxes.take(node_tiles.into()));
        let slice_boxes = boxes.take(node_slots);
        let union_tree = boxes.take(2 * u64::from(leaves[2]));

        let index = |at: u64| index("scratch", at, words.0.max(boxes.0));
        let plan = Plan {
            element_capacity: capacity.elements,
            node_capacity: capacity.nodes,
            counts_tree: index(counts_tree)?,
            counts_tree_leaves: leaves[0],
            tiles_tree: index(tiles_tree)?,
            tiles_tree_leaves: leaves[1],
            slices: index(slices)?,
            node_tags: index(node_tags)?,
            ends: index(ends)?,
            around: index(around)?,
            parents_a: index(parents_a)?,
            parents_b: index(parents_b)?,
            values_a: index(values_a)?,
            values_b: index(values_b)?,
            tile_boxes: index(if jump_rounds(node_tiles).is_multiple_of(2) {
                values_a
            } else {
                values_b
            })?,
            slice_boxes: index(slice_boxes)?,
            union_tree: index(union_tree)?,
            union_tree_leaves: leaves[2],
            ..Plan::default()
        };
        Ok(Self {
            capacity,
            variant,
            plan,
            word_bytes: 4 * words.0.max(1),
            box_bytes: 16 * boxes.0.max(1),
            element_tiles,
            node_tiles,
            chunks,
        })
    }

    /// Lays out matching alone: a pyramid over the tiles, a word an element for
    /// what tiles leave open, and with many elements a thread three words a thread.
    pub(crate) fn of_match(elements: u32, variant: Variant) -> Result<Self, Error> {
        check_count(elements, &variant)?;
        let tiles = ceil_div(elements, variant.tile());
        let mut words = Regions::default();
        let levels = pyramid_levels(tiles, variant.workgroup_size());
        let pyramid = words.take(levels.iter().map(|nodes| 2 * u64::from(*nodes)).sum());
        let slices = words.take(u64::from(tiles) * u64::from(variant.tile()));
        let kept =
            if variant.reads_twice() { 0 } else { variant.words() * variant.workgroup_size() };
        let [opens, closes, unmatched] =
            [0; 3].map(|_| words.take(u64::from(tiles) * u64::from(kept)));
        let index = |at: u64| index("scratch", at, words.0);
        let plan = Plan {
            element_capacity: elements,
            pyramid: index(pyramid)?,
            slices: index(slices)?,
            opens: index(opens)?,
            closes: index(closes)?,
            unmatched: index(unmatched)?,
            ..Plan::default()
        };
        Ok(Self {
            capacity: Capacity { elements, nodes: 0 },
            variant,
            plan,
            word_bytes: 4 * words.0,
            box_bytes: 0,
            element_tiles: tiles,
            node_tiles: 0,
            chunks: 0,
        })
    }
}

/// Nodes on each level of the pyramid over this many tiles, up to the first that
/// one workgroup holds.
pub(crate) fn pyramid_levels(tiles: u32, threads: u32) -> Vec<u32> {
    let mut levels = vec![tiles];
    let mut nodes = tiles;
    while nodes > threads {
        nodes = nodes.div_ceil(threads);
        levels.push(nodes);
    }
    levels
}

/// What `Level::nodes` is in each dispatch that builds a tree of this many leaves
/// with workgroups of this size: the leaves, then what is left after each.
pub(crate) fn build_levels(leaves: u32, threads: u32) -> Vec<u32> {
    let mut levels = Vec::new();
    let mut nodes = leaves;
    while nodes > 1 {
        levels.push(nodes);
        nodes /= threads;
    }
    levels
}

/// Rounds of pointer jumping until a value reaches back over this many tiles.
pub(crate) fn jump_rounds(tiles: u32) -> u32 {
    tiles.next_power_of_two().ilog2()
}

/// At least one: the first tile runs even when it is empty.
pub(crate) fn ceil_div(items: u32, each: u32) -> u32 {
    items.div_ceil(each).max(1)
}

/// Kernels count up to the end of the last tile in 32 bits.
pub(crate) fn check_count(elements: u32, variant: &Variant) -> Result<(), Error> {
    let limit = u32::MAX - variant.tile();
    if elements <= limit {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "a capacity",
        needed: elements.into(),
        limit_name: "32-bit count of elements",
        limit: limit.into(),
    })
}

pub(crate) fn index(what: &'static str, at: u64, len: u64) -> Result<u32, Error> {
    let too_large =
        Error::TooLarge { what, needed: len, limit_name: "32-bit index", limit: u32::MAX.into() };
    if len > u64::from(u32::MAX) { Err(too_large) } else { Ok(at as u32) }
}

/// The grid of a dispatch of this many workgroups: one row, or as few equal rows
/// as fit where one dimension is too short.
pub(crate) fn grid(groups: u32, limits: &wgpu::Limits) -> Result<[u32; 2], Error> {
    let widest = limits.max_compute_workgroups_per_dimension.max(1);
    let rows = groups.div_ceil(widest).max(1);
    if rows > widest {
        return Err(Error::TooLarge {
            what: "a dispatch",
            needed: groups.into(),
            limit_name: "max_compute_workgroups_per_dimension, squared,",
            limit: u64::from(widest) * u64::from(widest),
        });
    }
    Ok([groups.div_ceil(rows), rows])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_room_for_every_group_and_little_more() {
        let limits = wgpu::Limits::default();
        for groups in [0, 1, 65_535, 65_536, 131_071, 1 << 20] {
            let [x, y] = grid(groups, &limits).unwrap();
            assert!(x <= 65_535 && u64::from(x) * u64::from(y) >= u64::from(groups));
            assert!(x * y < groups.max(1) + y);
        }
        assert!(
            grid(u32::MAX, &wgpu::Limits { max_compute_workgroups_per_dimension: 9, ..limits })
                .is_err()
        );
    }

    #[test]
    fn regions_do_not_overlap_and_stay_inside() {
        let variant = Variant::new(64, 4).unwrap();
        let capacity = Capacity { elements: 100_000, nodes: 70_000 };
        let layout = Layout::of_stage(capacity, variant).unwrap();
        let plan = layout.plan;
        let starts = [
            plan.counts_tree,
            plan.tiles_tree,
            plan.slices,
            plan.node_tags,
            plan.ends,
            plan.around,
            plan.parents_a,
            plan.parents_b,
        ];
        assert!(starts.is_sorted_by(|a, b| a < b));
        assert_eq!(u64::from(plan.parents_b + layout.node_tiles) * 4, layout.word_bytes);
        assert_eq!(u64::from(plan.union_tree + 2 * plan.union_tree_leaves) * 16, layout.box_bytes);
        assert_eq!(build_levels(1 << 15, 64), [1 << 15, 1 << 9, 1 << 3]);
        assert_eq!(build_levels(1, 64), []);
    }

    #[test]
    fn refuses_what_32_bits_cannot_index() {
        let capacity = Capacity { elements: u32::MAX - 1, nodes: u32::MAX - 1 };
        let result = Layout::of_stage(capacity, Variant::default());
        assert!(matches!(result, Err(Error::TooLarge { .. })));
        let wraps = Capacity { elements: u32::MAX - 1, nodes: 0 };
        assert!(Layout::of_stage(wraps, Variant::default()).is_err());
    }
}
