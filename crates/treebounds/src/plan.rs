//! What every layout of scratch buffers is made of, and how many workgroups there may be.

use crate::{Capacity, Error};
use treebounds_shaders::Variant;

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

/// Nodes of a pyramid over this many tiles that a thread multiplies by itself: as few
/// as it takes for one workgroup to hold all tiles. Where that would be many, a level
/// more costs less than those tiles lose that look far back.
pub(crate) fn run(tiles: u32, threads: u32) -> u32 {
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

/// At least one: the first tile runs even when it is empty.
pub(crate) fn ceil_div(items: u32, each: u32) -> u32 {
    items.div_ceil(each).max(1)
}

/// Kernels count up to the end of the last workgroup in 32 bits.
pub(crate) fn check_count(what: &'static str, count: u32, variant: &Variant) -> Result<(), Error> {
    let most = u32::MAX - variant.tile().max(16 * variant.workgroup_size());
    if count <= most {
        return Ok(());
    }
    Err(Error::TooMany { what, needed: count.into(), most: most.into() })
}

/// The same of both counts of a capacity.
pub(crate) fn check_counts(capacity: Capacity, variant: &Variant) -> Result<(), Error> {
    check_count("elements", capacity.elements, variant)?;
    check_count("nodes", capacity.markers, variant)
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
}
