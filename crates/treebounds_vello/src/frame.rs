//! Frame settings and reports, and the sizes of the buffers that Vello's stages allocate on the GPU.

use crate::Error;
use treebounds::wgpu;
use vello_encoding::{BumpAllocators, ConfigUniform, LineSoup, PathSegment, SegmentCount, Tile};

/// Vello's antialiasing modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Antialiasing {
    /// Exact area coverage.
    #[default]
    Area,
    /// Eight samples per pixel.
    Msaa8,
    /// Sixteen samples per pixel.
    Msaa16,
}

/// The size, background and antialiasing of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// The background color.
    pub base_color: peniko::Color,
    /// The antialiasing mode.
    pub antialiasing: Antialiasing,
}

impl Frame {
    /// A transparent frame with area antialiasing.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            base_color: peniko::Color::TRANSPARENT,
            antialiasing: Antialiasing::Area,
        }
    }
}

/// The memory of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The number of times the frame was rendered: once, plus once for each time a buffer was too small.
    pub attempts: u32,
    /// The sizes that the frame used in the growing buffers.
    pub used: Sizes,
    /// The number of draw objects.
    pub draw_objects: u32,
    /// The number of begins and ends of layers.
    pub clips: u32,
    /// The GPU memory of the pipeline in bytes: all its buffers and textures.
    pub bytes: u64,
}

/// The number of words at the start of each tile's command list that need no allocation.
const PTCL_INITIAL: u32 = 64;

/// The sizes of the buffers from which Vello's stages allocate, or the sizes that a frame used. Counts
/// elements, except for spill and commands, which are in words of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Lines of flattened paths, 24 bytes each.
    pub lines: u32,
    /// Bin entries, one per draw object and overlapped bin of 16 x 16 tiles, 4 bytes each.
    pub bin_entries: u32,
    /// Tiles of the paths, 8 bytes each.
    pub tiles: u32,
    /// Line segments cut at tiles, 32 bytes each: 8 for their count and 24 for the segment.
    pub segments: u32,
    /// Words of backdrops for all layers on a tile except the four outermost.
    pub spill_words: u32,
    /// Words of command lists, beyond the first 64 words of each tile.
    pub command_words: u32,
}

impl Default for Sizes {
    /// Sizes for small scenes, 9 MB in total. Frames that need more are rendered again.
    fn default() -> Self {
        Self {
            lines: 1 << 16,
            bin_entries: 1 << 16,
            tiles: 1 << 17,
            segments: 1 << 17,
            spill_words: 1 << 18,
            command_words: 1 << 18,
        }
    }
}

impl Sizes {
    /// No memory.
    pub const NONE: Self =
        Self { lines: 0, bin_entries: 0, tiles: 0, segments: 0, spill_words: 0, command_words: 0 };

    /// Estimates the minimum sizes of a scene, to avoid repeated attempts: one line in one tile per path
    /// segment, and one bin, one tile and one command per draw object.
    pub(crate) fn estimate(draw_objects: u32, path_segments: u32) -> Self {
        Self {
            lines: path_segments,
            bin_entries: draw_objects,
            tiles: draw_objects,
            segments: path_segments,
            spill_words: 0,
            command_words: draw_objects.saturating_mul(4),
        }
    }

    /// Reads the stages' counters. If a stage failed, the counters of later stages may be too small.
    pub(crate) fn of(bump: &BumpAllocators) -> Self {
        Self {
            lines: bump.lines,
            bin_entries: bump.binning,
            tiles: bump.tile,
            // Each segment is counted before it is created.
            segments: bump.seg_counts.max(bump.segments),
            spill_words: bump.blend,
            command_words: bump.ptcl,
        }
    }

    fn fields(&mut self) -> [&mut u32; 6] {
        [
            &mut self.lines,
            &mut self.bin_entries,
            &mut self.tiles,
            &mut self.segments,
            &mut self.spill_words,
            &mut self.command_words,
        ]
    }

    /// Grows sizes that are too small to the needed size plus an eighth. Returns whether any size grew.
    pub(crate) fn grow(&mut self, mut needed: Self) -> bool {
        let mut grew = false;
        for (size, needed) in self.fields().into_iter().zip(needed.fields()) {
            if *needed > *size {
                *size = needed
                    .saturating_add(*needed / 8)
                    .checked_next_multiple_of(256)
                    .unwrap_or(u32::MAX);
                grew = true;
            }
        }
        grew
    }

    /// The total size of the buffers in bytes.
    pub fn bytes(&self) -> u64 {
        let each = |count: u32, size: usize| u64::from(count) * size as u64;
        each(self.lines, size_of::<LineSoup>())
            + each(self.bin_entries, 4)
            + each(self.tiles, size_of::<Tile>())
            + each(self.segments, size_of::<SegmentCount>() + size_of::<PathSegment>())
            + each(self.spill_words, 4)
            + each(self.command_words, 4)
    }

    /// The words of all command lists for a number of tiles.
    pub(crate) fn all_command_words(&self, tiles: u32) -> u32 {
        tiles.saturating_mul(PTCL_INITIAL).saturating_add(self.command_words)
    }

    /// Writes the sizes to the config of Vello's stages.
    pub(crate) fn write(&self, config: &mut ConfigUniform) {
        config.lines_size = self.lines;
        config.binning_size = self.bin_entries;
        config.tiles_size = self.tiles;
        config.seg_counts_size = self.segments;
        config.segments_size = self.segments;
        config.blend_size = self.spill_words;
        config.ptcl_size = self.all_command_words(config.width_in_tiles * config.height_in_tiles);
    }

    /// Checks that the stages with one workgroup per 256 lines or segments can be dispatched.
    pub(crate) fn check_dispatches(&self, limits: &wgpu::Limits) -> Result<(), Error> {
        let most = 256 * u64::from(limits.max_compute_workgroups_per_dimension);
        let rows = [("lines", self.lines), ("line segments in tiles", self.segments)];
        match rows.into_iter().find(|(_, count)| u64::from(*count) > most) {
            Some((what, count)) => {
                Err(Error::TooMany { what, count: count.into(), most, remedy: "split the scene" })
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sizes_that_are_too_small_grow() {
        let mut sizes = Sizes::default();
        let before = sizes;
        assert!(!sizes.grow(before));
        assert!(sizes.grow(Sizes { tiles: before.tiles + 1, ..before }));
        assert!(sizes.tiles > before.tiles && sizes.tiles.is_multiple_of(256));
        assert_eq!(Sizes { tiles: before.tiles, ..sizes }, before);
        assert!(sizes.grow(Sizes { spill_words: u32::MAX, ..before }));
        assert_eq!(sizes.spill_words, u32::MAX);
    }
}
