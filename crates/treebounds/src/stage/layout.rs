//! Where everything of a tree lies in its scratch.

use crate::gpu::buffers::{Part, bytes_of_parts, ceil_div, check_count, index};
use crate::gpu::pipelines::Build;
use crate::{Capacity, Error};
use treebounds_shaders::layout::{
    BundleProducts, GroupOfBundles, Incoming, Roles, Tile, TileValues,
};
use treebounds_shaders::{Size, Stream, Task, TreePlan, Variant};

/// A capacity laid out for a task over a tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TreeLayout {
    pub(crate) capacity: Capacity,
    pub(crate) variant: Variant,
    pub(crate) task: Task,
    pub(crate) size: Size,
    /// Bytes of a value.
    pub(crate) value_bytes: u32,
    pub(crate) plan: TreePlan,
    /// Bytes of the scratch buffer of words.
    pub(crate) word_bytes: u64,
    /// Bytes of the scratch buffer of values.
    pub(crate) value_buffer_bytes: u64,
    /// How many tiles there are at most, at least one: the first tile runs even when it is empty.
    pub(crate) tiles: u32,
}

/// What to lay out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) task: Task,
    pub(crate) size: Size,
    pub(crate) variant: Variant,
    pub(crate) value_bytes: u32,
}

impl TreeLayout {
    /// The parts of a scratch.
    pub(crate) fn parts(&self) -> [Part; 2] {
        [("words", self.word_bytes), ("values", self.value_buffer_bytes)]
    }

    /// Bytes of a scratch.
    pub(crate) fn bytes(&self, build: &Build) -> u64 {
        bytes_of_parts(&build.device, &self.parts())
    }

    /// Lays out a stream of `capacity.elements`; of posts these are posts.
    pub(crate) fn new(wanted: Wanted, capacity: Capacity) -> Result<Self, Error> {
        Self::after(Regions::default(), wanted, capacity)
    }

    /// The same after other words.
    fn after(mut words: Regions, wanted: Wanted, capacity: Capacity) -> Result<Self, Error> {
        let Wanted { task, size, variant, value_bytes } = wanted;
        check_counts(capacity, &variant)?;
        let when = |wanted: bool, len: u64| if wanted { len } else { 0 };
        let Task { stream, flows, grows, filters } = task;
        let (near, many) = (size >= Size::Near, size >= Size::Bundles);
        let groups = size == Size::Groups;

        let tiles = ceil_div(capacity.elements, variant.tile());
        let slots = u64::from(tiles) * u64::from(variant.tile());
        let bundles = u64::from(tiles.div_ceil(variant.bundle_tiles()));
        let group_count = bundles.div_ceil(variant.workgroup_size().into());
        let records = u64::from(tiles) * u64::from(variant.tile().div_ceil(32));

        let keeps_roles = near && task.keeps_roles();
        let roles = words.take(when(keeps_roles, u64::from(Roles::LEN) * records));
        let tile_records = words.take(when(near, u64::from(Tile::LEN) * u64::from(tiles)));
        let slot_records = words.take(when(near, u64::from(task.slot_words()) * slots));
        let incoming = words.take(when(many, u64::from(Incoming::LEN) * slots));
        let bundle_records = words.take(when(many, u64::from(variant.bundle_words()) * bundles));
        let group_records = words.take(when(groups, u64::from(GroupOfBundles::LEN) * group_count));
        let sides = words.take(when(near && filters, capacity.elements.into()));

        let mut values = Regions::default();
        let slot_values = values.take(when(near && flows, slots));
        let tile_values =
            values.take(when(many && flows, u64::from(TileValues::LEN) * u64::from(tiles)));
        let bundle_values = values.take(when(groups && flows, bundles));
        let tile_products = values.take(when(near && grows, tiles.into()));
        let bundle_products =
            values.take(when(groups && grows, u64::from(BundleProducts::LEN) * bundles));
        let has_parts = [Stream::FewMarkers, Stream::Monoid].contains(&stream);
        let keeps_parts = near && grows && has_parts;
        let parts = values.take(when(keeps_parts, capacity.elements.into()));

        let index = |at: u64| index("values of scratch", at, words.len().max(values.len()));
        let plan = TreePlan {
            element_capacity: capacity.elements,
            marker_capacity: capacity.markers,
            roles: index(roles)?,
            tiles: index(tile_records)?,
            slots: index(slot_records)?,
            incoming: index(incoming)?,
            bundles: index(bundle_records)?,
            groups: index(group_records)?,
            slot_values: index(slot_values)?,
            tile_values: index(tile_values)?,
            bundle_values: index(bundle_values)?,
            tile_products: index(tile_products)?,
            bundle_products: index(bundle_products)?,
            parts: index(parts)?,
            sides: index(sides)?,
            ..TreePlan::default()
        };
        let value_buffer_bytes = u64::from(value_bytes).checked_mul(values.len().max(1));
        Ok(Self {
            capacity,
            variant,
            task,
            size,
            value_bytes,
            plan,
            word_bytes: 4 * words.len().max(1),
            value_buffer_bytes: value_buffer_bytes.unwrap_or(u64::MAX - 15).next_multiple_of(16),
            tiles,
        })
    }

    /// Lays out compaction alone: the roles of all elements, and the markers of each counted tile.
    pub(crate) fn of_compaction(capacity: Capacity, variant: Variant) -> Result<Self, Error> {
        Self::compaction_after(Regions::default(), capacity, variant)
    }

    fn compaction_after(
        mut words: Regions,
        capacity: Capacity,
        variant: Variant,
    ) -> Result<Self, Error> {
        check_counts(capacity, &variant)?;
        let tiles = ceil_div(capacity.elements, variant.count_tile());
        let records = u64::from(tiles) * u64::from(variant.count_tile() / 32);
        let roles = words.take(u64::from(Roles::LEN) * records);
        let counted = words.take(tiles.into());
        let index = |at: u64| index("values of scratch", at, words.len());
        let plan = TreePlan {
            element_capacity: capacity.elements,
            marker_capacity: capacity.markers,
            roles: index(roles)?,
            counted: index(counted)?,
            ..TreePlan::default()
        };
        Ok(Self {
            capacity,
            variant,
            task: Task::both(Stream::Scene),
            size: Size::Groups,
            value_bytes: 16,
            plan,
            word_bytes: 4 * words.len(),
            value_buffer_bytes: 16,
            tiles,
        })
    }

    /// Posts of a scene of few markers: its markers, a separator for each 32 elements, and one at the end.
    pub(crate) fn posts(capacity: Capacity) -> u32 {
        capacity.markers.saturating_add(capacity.elements.div_ceil(32) + 1)
    }

    /// Lays out a scene of few markers: the stream of its posts, and its elements, which `counting`
    /// counts. Both lie in one scratch, which is as large as the first layout says.
    pub(crate) fn of_posts(
        wanted: Wanted,
        counting: Variant,
        capacity: Capacity,
    ) -> Result<[Self; 2], Error> {
        let elements = Self::posts(capacity);
        let mut tree = Self::new(wanted, Capacity { elements, ..capacity })?;
        let mut words = Regions::default();
        words.take(tree.word_bytes / 4);
        let posts = words.take(elements.into());
        let mut counts = Self::compaction_after(words, capacity, counting)?;
        tree.word_bytes = counts.word_bytes;
        // The region ends before the region of roles, which an index reaches.
        let posts = posts as u32;
        tree.plan = TreePlan { posts, roles: counts.plan.roles, ..tree.plan };
        counts.plan.posts = posts;
        Ok([tree, counts])
    }
}

/// Hands out consecutive regions of a buffer, counted in its elements.
#[derive(Default)]
struct Regions(u64);

impl Regions {
    fn take(&mut self, len: u64) -> u64 {
        let start = self.0;
        self.0 += len;
        start
    }

    /// Their total length.
    fn len(&self) -> u64 {
        self.0
    }
}

/// Checks both counts of a capacity.
fn check_counts(capacity: Capacity, variant: &Variant) -> Result<(), Error> {
    check_count("elements", capacity.elements, variant)?;
    check_count("markers", capacity.markers, variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_do_not_overlap_and_stay_inside() {
        let variant = Variant::new(64, 1).unwrap();
        let capacity = Capacity { elements: 100_000, markers: 70_000, filter_depth: 0 };
        for task in Task::ALL {
            for size in [Size::OneTile, Size::Near, Size::Bundles, Size::Groups] {
                let wanted = Wanted { task, size, variant, value_bytes: 16 };
                let layout = TreeLayout::new(wanted, capacity).unwrap();
                let plan = layout.plan;
                let words =
                    [plan.roles, plan.tiles, plan.slots, plan.incoming, plan.bundles, plan.groups];
                assert!(words.is_sorted(), "{task:?} {size:?}");
                assert!(u64::from(plan.groups) * 4 <= layout.word_bytes);
                let values = [
                    plan.slot_values,
                    plan.tile_values,
                    plan.bundle_values,
                    plan.tile_products,
                    plan.bundle_products,
                    plan.parts,
                ];
                assert!(values.is_sorted(), "{task:?} {size:?}");
                assert!(u64::from(plan.parts) * 16 <= layout.value_buffer_bytes);
            }
        }
    }

    #[test]
    fn what_32_bits_do_not_count_is_an_error() {
        let wanted = Wanted {
            task: Task::both(Stream::Scene),
            size: Size::Groups,
            variant: Variant::default(),
            value_bytes: 16,
        };
        for elements in [u32::MAX, u32::MAX - 1, 3_000_000_000] {
            let layout = TreeLayout::new(wanted, Capacity::all_markers(elements));
            assert!(matches!(layout, Err(Error::TooMany { .. })), "{elements}");
        }
    }
}
