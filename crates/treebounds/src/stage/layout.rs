//! Scratch layouts of trees.

use crate::gpu::buffers::{Part, bytes_of_parts, ceil_div, check_count, index};
use crate::gpu::pipelines::Build;
use crate::{Capacity, Error};
use treebounds_shaders::layout::{
    BundleProducts, GroupOfBundles, Incoming, Roles, Tile, TileValues,
};
use treebounds_shaders::{Size, Stream, Task, TreePlan, Variant};

/// The scratch layout for a tree task and a capacity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TreeLayout {
    pub(crate) capacity: Capacity,
    pub(crate) variant: Variant,
    pub(crate) task: Task,
    pub(crate) size: Size,
    pub(crate) value_bytes: u32,
    pub(crate) plan: TreePlan,
    /// The size of the scratch buffer for words.
    pub(crate) word_bytes: u64,
    /// The size of the scratch buffer for values.
    pub(crate) value_buffer_bytes: u64,
    /// The maximum number of tiles, at least one: the first tile runs even if it is empty.
    pub(crate) tiles: u32,
}

/// The task, size and variant of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) task: Task,
    pub(crate) size: Size,
    pub(crate) variant: Variant,
    pub(crate) value_bytes: u32,
}

impl TreeLayout {
    pub(crate) fn parts(&self) -> [Part; 2] {
        [("words", self.word_bytes), ("values", self.value_buffer_bytes)]
    }

    pub(crate) fn bytes(&self, build: &Build) -> u64 {
        bytes_of_parts(&build.device, &self.parts())
    }

    /// Lays out a stream of `capacity.elements` elements or posts.
    pub(crate) fn new(wanted: Wanted, capacity: Capacity) -> Result<Self, Error> {
        Self::after(Regions::default(), wanted, capacity)
    }

    /// Lays out a stream after existing words.
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

    /// Lays out compaction only: the roles of all elements, and the marker count of each tile.
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

    /// The number of posts of a scene with few markers: its markers, one separator per 32 elements, and one
    /// at the end.
    pub(crate) fn posts(capacity: Capacity) -> u32 {
        capacity.markers.saturating_add(capacity.elements.div_ceil(32) + 1)
    }

    /// Lays out the posts and the elements of a scene with few markers in one scratch, whose size is in the
    /// first layout. `counting` is the variant for the elements.
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
        // Fits 32 bits: the region is followed by the roles, whose offset was checked.
        let posts = posts as u32;
        tree.plan = TreePlan { posts, roles: counts.plan.roles, ..tree.plan };
        counts.plan.posts = posts;
        Ok([tree, counts])
    }
}

/// Allocates consecutive regions of a buffer, in units of its elements.
#[derive(Default)]
struct Regions(u64);

impl Regions {
    fn take(&mut self, len: u64) -> u64 {
        let start = self.0;
        self.0 += len;
        start
    }

    fn len(&self) -> u64 {
        self.0
    }
}

fn check_counts(capacity: Capacity, variant: &Variant) -> Result<(), Error> {
    check_count("elements", capacity.elements, variant)?;
    check_count("markers", capacity.markers, variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_do_not_overlap_and_stay_inside_the_buffers() {
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
    fn rejects_counts_that_exceed_32_bits() {
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
