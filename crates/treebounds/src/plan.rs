//! Where everything lies in the scratch buffers, and how many workgroups there are.

use crate::{Capacity, Error};
use treebounds_shaders::variant::Kept;
use treebounds_shaders::{Plan, Task, Variant};

/// A capacity laid out for a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) capacity: Capacity,
    pub(crate) variant: Variant,
    /// What it is laid out for, and the bytes of a value; matching and compaction alone
    /// have none.
    pub(crate) task: Option<(Task, u32)>,
    pub(crate) plan: Plan,
    /// Bytes of the scratch buffer of words.
    pub(crate) word_bytes: u64,
    /// Bytes of the scratch buffer of products.
    pub(crate) product_bytes: u64,
    pub(crate) tiles: u32,
}

/// What is kept of many tiles together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// A pyramid, or nothing where one of its groups holds all tiles.
    Pyramid,
    /// Bundles of tiles.
    Bundles,
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
    /// Lays out a task: a pyramid over the tiles and a tree of what grows; for the elements,
    /// slices and their products.
    pub(crate) fn of_tree(
        task: Task,
        capacity: Capacity,
        variant: Variant,
        value_bytes: u32,
        between: Between,
    ) -> Result<Self, Error> {
        check_counts(capacity, &variant)?;
        let tiles = ceil_div(capacity.elements, variant.tile());
        let slots = u64::from(tiles) * u64::from(variant.tile());

        let when = |wanted: bool, len: u64| if wanted { len } else { 0 };
        let threads = variant.workgroup_size();
        let in_bundles = between == Between::Bundles;
        // Of bundles there is no tree over the tiles, only what would be its leaves.
        let leaves = if in_bundles { 0 } else { tiles.next_power_of_two() };
        let union_nodes = if in_bundles { tiles.into() } else { 2 * u64::from(leaves) };
        let levels = pyramid_levels(tiles, threads);
        let above = levels.get(1).filter(|_| !in_bundles).copied().map_or(0, u64::from);
        let pyramid_nodes =
            if above > 0 { level_first(1, tiles, threads) + above } else { tiles.into() };

        let mut words = Regions::default();
        let tile_nodes = words.take(if task.is_scene() { tiles.into() } else { 0 });
        let pyramid = words.take(u64::from(Plan::NODE_WORDS) * pyramid_nodes);
        let heaps = words.take(4 * above * u64::from(threads));
        let rows = words.take((pyramid_nodes - u64::from(tiles)) * u64::from(threads));
        let bundles = u64::from(tiles.div_ceil(variant.bundle_tiles()));
        let bundles = words.take(when(in_bundles, bundles * u64::from(variant.bundle_words())));
        let outs = words.take(when(above > 0 || in_bundles, slots));
        // Entries know their roles.
        let roles = words.take(if task.is_nodes() { 0 } else { roles(tiles, variant) });
        let slices = words.take(slots);
        let keeps_nodes = task.grows() && task.is_scene();
        let slice_nodes = words.take(when(keeps_nodes, slots));
        let ends = words.take(when(task.grows(), slots));
        let end_nodes = words.take(when(keeps_nodes, slots));

        let mut products = Regions::default();
        // A leaf fix keeps parts where the others keep what flows.
        let values = products.take(when(task.flows() || task.is_generic(), slots));
        let node_flows = products.take(when(task.flows(), 2 * pyramid_nodes));
        let union_tree = products.take(when(task.grows(), union_nodes));

        let index = |at: u64| index("values of scratch", at, words.0.max(products.0));
        let plan = Plan {
            element_capacity: capacity.elements,
            node_capacity: capacity.nodes,
            roles: index(roles)?,
            slices: index(slices)?,
            slice_nodes: index(slice_nodes)?,
            ends: index(ends)?,
            end_nodes: index(end_nodes)?,
            pyramid: index(pyramid)?,
            heaps: index(heaps)?,
            rows: index(rows)?,
            bundles: index(bundles)?,
            outs: index(outs)?,
            tile_nodes: index(tile_nodes)?,
            values: index(values)?,
            node_flows: index(node_flows)?,
            union_tree: index(union_tree)?,
            union_tree_leaves: leaves,
            ..Plan::default()
        };
        Ok(Self {
            capacity,
            variant,
            task: Some((task, value_bytes)),
            plan,
            word_bytes: 4 * words.0.max(1),
            product_bytes: (u64::from(value_bytes) * products.0.max(1)).next_multiple_of(16),
            tiles,
        })
    }

    /// Lays out compaction alone: the nodes of each tile, and roles.
    pub(crate) fn of_compact(capacity: Capacity, variant: Variant) -> Result<Self, Error> {
        Self::compact_after(Regions::default(), capacity, variant)
    }

    /// The same after other words.
    fn compact_after(
        mut words: Regions,
        capacity: Capacity,
        variant: Variant,
    ) -> Result<Self, Error> {
        check_counts(capacity, &variant)?;
        let tiles = ceil_div(capacity.elements, variant.tile());
        let roles = words.take(roles(tiles, variant));
        let tile_nodes = words.take(tiles.into());
        let index = |at: u64| index("values of scratch", at, words.0);
        let plan = Plan {
            element_capacity: capacity.elements,
            node_capacity: capacity.nodes,
            tile_nodes: index(tile_nodes)?,
            roles: index(roles)?,
            ..Plan::default()
        };
        Ok(Self {
            capacity,
            variant,
            task: None,
            plan,
            word_bytes: 4 * words.0.max(1),
            product_bytes: 0,
            tiles,
        })
    }

    /// Entries of a scene of few nodes: these, a mark for each 32 elements, and one after all.
    pub(crate) fn entries(capacity: Capacity) -> u32 {
        let marks = capacity.elements.div_ceil(32) + 1;
        capacity.nodes.saturating_add(marks)
    }

    /// Lays out a scene of few nodes: the stream of its entries, and its elements, which are counted in another
    /// variant. Both are in the same scratch, as large as the first says.
    pub(crate) fn of_entries(
        task: Task,
        capacity: Capacity,
        variant: Variant,
        counted: Variant,
        between: Between,
    ) -> Result<[Self; 2], Error> {
        let elements = Self::entries(capacity);
        let mut tree =
            Self::of_tree(task, Capacity { elements, ..capacity }, variant, 16, between)?;
        let mut words = Regions(tree.word_bytes / 4);
        let entries = words.take(elements.into());
        let mut counts = Self::compact_after(words, capacity, counted)?;
        tree.word_bytes = counts.word_bytes;
        tree.plan.roles = counts.plan.roles;
        // The region ends before that of roles, which an index reaches.
        tree.plan.entries = entries as u32;
        counts.plan.entries = entries as u32;
        counts.plan.counted = counted.tile();
        Ok([tree, counts])
    }

    /// Lays out matching alone: a pyramid over the tiles, a word an element for
    /// what tiles leave open, and with many elements a thread three words a thread.
    pub(crate) fn of_match(elements: u32, variant: Variant) -> Result<Self, Error> {
        check_count("elements", elements, &variant)?;
        let tiles = ceil_div(elements, variant.tile());
        let mut words = Regions::default();
        let run = run(tiles, variant.workgroup_size());
        let levels = pyramid_levels(tiles, variant.workgroup_size() * run);
        let pyramid = words.take(levels.iter().map(|nodes| 2 * u64::from(*nodes)).sum());
        let slices = words.take(u64::from(tiles) * u64::from(variant.tile()));
        let kept = u64::from(tiles) * u64::from(variant.kept_words());
        let opens = words.take(kept);
        let all = if variant.kept() == Kept::Words { kept } else { 0 };
        let [closes, unmatched] = [0; 2].map(|_| words.take(all));
        let index = |at: u64| index("values of scratch", at, words.0);
        let plan = Plan {
            element_capacity: elements,
            pyramid: index(pyramid)?,
            run,
            slices: index(slices)?,
            opens: index(opens)?,
            closes: index(closes)?,
            unmatched: index(unmatched)?,
            ..Plan::default()
        };
        Ok(Self {
            capacity: Capacity { elements, nodes: 0 },
            variant,
            task: None,
            plan,
            word_bytes: 4 * words.0,
            product_bytes: 0,
            tiles,
        })
    }
}

/// Words of roles: four for each 32 elements of a tile.
fn roles(tiles: u32, variant: Variant) -> u64 {
    4 * u64::from(tiles) * u64::from(variant.tile().div_ceil(32))
}

/// Nodes of a pyramid over this many tiles that a thread multiplies by itself: as few
/// as it takes for one workgroup to hold all tiles. Where that would be many, a level
/// more costs less than those tiles lose that look far back.
fn run(tiles: u32, threads: u32) -> u32 {
    let whole = tiles.div_ceil(threads).next_power_of_two();
    if whole <= LONGEST_RUN { whole } else { RUN_OF_MANY }
}

const LONGEST_RUN: u32 = 8;
const RUN_OF_MANY: u32 = 4;

/// Nodes on each level of the pyramid over this many tiles, up to the first that
/// one workgroup holds.
pub(crate) fn pyramid_levels(tiles: u32, fan: u32) -> Vec<u32> {
    let mut levels = vec![tiles];
    let mut nodes = tiles;
    while nodes > fan {
        nodes = nodes.div_ceil(fan);
        levels.push(nodes);
    }
    levels
}

/// Where a level of the stage's pyramid over this many tiles begins, as `levels.wgsl` has it, which says why.
fn level_first(level: u32, tiles: u32, fan: u32) -> u64 {
    if level == 0 {
        return 0;
    }
    u64::from(tiles) + 2 * u64::from(tiles >> (fan.ilog2() * level)) + 32 - u64::from(level)
}

/// What `Level::nodes` is in each dispatch that builds a tree of this many leaves
/// with workgroups of this size: the leaves, then what is left after each, until few are.
pub(crate) fn build_levels(leaves: u32, threads: u32) -> Vec<u32> {
    let mut levels = Vec::new();
    let mut nodes = leaves;
    while nodes > Plan::UNION_ROOTS {
        levels.push(nodes);
        nodes /= threads;
    }
    levels
}

/// At least one: the first tile runs even when it is empty.
pub(crate) fn ceil_div(items: u32, each: u32) -> u32 {
    items.div_ceil(each).max(1)
}

/// Kernels count up to the end of the last workgroup in 32 bits.
pub(crate) fn check_count(what: &'static str, count: u32, variant: &Variant) -> Result<(), Error> {
    let most = u32::MAX - variant.tile().max(Variant::RUN * Variant::BUNDLE_THREADS);
    if count <= most {
        return Ok(());
    }
    Err(Error::TooMany { what, needed: count.into(), most: most.into() })
}

/// The same of both counts of a capacity.
pub(crate) fn check_counts(capacity: Capacity, variant: &Variant) -> Result<(), Error> {
    check_count("elements", capacity.elements, variant)?;
    check_count("nodes", capacity.nodes, variant)
}

pub(crate) fn index(what: &'static str, at: u64, len: u64) -> Result<u32, Error> {
    let most = u64::from(u32::MAX);
    if len > most { Err(Error::TooMany { what, needed: len, most }) } else { Ok(at as u32) }
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
    fn levels_of_a_pyramid_do_not_overlap() {
        for fan in [2, 4, 8, 32, 128, 256, 512, 1024] {
            for tiles in [1, 2, 3, 255, 256, 257, 65_535, 65_536, 65_537, (1 << 24) + 1, 1 << 31] {
                let levels = pyramid_levels(tiles, fan);
                let first = |level: usize| level_first(level as u32, tiles, fan);
                for (level, &nodes) in levels.iter().enumerate().skip(1) {
                    assert!(first(level) >= u64::from(tiles), "{tiles} tiles of {fan}");
                    let end = first(level) + u64::from(nodes);
                    assert!(level == 1 || end <= first(level - 1), "{tiles} tiles of {fan}");
                    let bits = fan.ilog2() * level as u32;
                    assert_eq!((u64::from(tiles) + (1 << bits) - 1) >> bits, u64::from(nodes));
                }
                let top = tiles.max(2).wrapping_sub(1).ilog2() / fan.ilog2();
                assert_eq!(top as usize + 1, levels.len(), "{tiles} tiles of {fan}");
            }
        }
    }

    #[test]
    fn regions_do_not_overlap_and_stay_inside() {
        let variant = Variant::new(64, 1).unwrap();
        let capacity = Capacity { elements: 100_000, nodes: 70_000 };
        let layout = Layout::of_tree(Task::Scene, capacity, variant, 16, Between::Pyramid).unwrap();
        let plan = layout.plan;
        let starts = [
            plan.tile_nodes,
            plan.pyramid,
            plan.roles,
            plan.slices,
            plan.slice_nodes,
            plan.ends,
            plan.end_nodes,
        ];
        assert!(starts.is_sorted_by(|a, b| a < b));
        let slots = layout.tiles * variant.tile();
        assert_eq!(u64::from(plan.end_nodes + slots) * 4, layout.word_bytes);
        assert_eq!(
            u64::from(plan.union_tree + 2 * plan.union_tree_leaves) * 16,
            layout.product_bytes
        );
        assert_eq!(build_levels(1 << 15, 64), [1 << 15, 1 << 9]);
        assert_eq!(build_levels(1 << 20, 4), [20, 18, 16, 14, 12, 10, 8].map(|log2| 1 << log2));
        assert_eq!(build_levels(64, 64), []);
    }

    #[test]
    fn entries_and_elements_share_a_scratch_and_do_not_overlap() {
        let variant = Variant::new(64, 1).unwrap();
        for task in [Task::Nodes, Task::NodeClips, Task::NodeBlends] {
            for elements in [0, 31, 32, 33, 60_000, 100_000, 1_000_000] {
                let between = if elements > 60_000 { Between::Bundles } else { Between::Pyramid };
                let capacity = Capacity { elements, nodes: elements / 8 };
                let own = Capacity { elements: Layout::entries(capacity), ..capacity };
                let alone = Layout::of_tree(task, own, variant, 16, between).unwrap();
                let [tree, counts] =
                    Layout::of_entries(task, capacity, variant, variant.in_rows(), between)
                        .unwrap();
                let plan = counts.plan;
                let ends = [
                    u32::try_from(alone.word_bytes / 4).unwrap(),
                    plan.entries + own.elements,
                    plan.roles + 4 * elements.div_ceil(32),
                    plan.tile_nodes + counts.tiles,
                ];
                assert!(ends[0] <= plan.entries && ends[1] <= plan.roles);
                assert!(ends[2] <= plan.tile_nodes);
                assert!(u64::from(ends[3]) * 4 <= tree.word_bytes);
                assert_eq!([tree.plan.entries, tree.plan.roles], [plan.entries, plan.roles]);
                assert_eq!(tree.word_bytes, counts.word_bytes);
            }
        }
    }

    #[test]
    fn refuses_what_32_bits_cannot_index() {
        let capacity = Capacity { elements: u32::MAX - 1, nodes: u32::MAX - 1 };
        let result =
            Layout::of_tree(Task::Scene, capacity, Variant::default(), 16, Between::Pyramid);
        assert!(matches!(result, Err(Error::TooMany { .. })));
        let wraps = Capacity { elements: u32::MAX - 1, nodes: 0 };
        assert!(
            Layout::of_tree(Task::Scene, wraps, Variant::default(), 16, Between::Pyramid).is_err()
        );
    }
}
