//! A frame: its size, its background, what it took, and the buffers whose need is only known on the
//! GPU, and how they grow.

use crate::Error;
use treebounds::wgpu;
use vello_encoding::{BumpAllocators, ConfigUniform, LineSoup, PathSegment, SegmentCount, Tile};

/// How edges are smoothed. The modes of Vello.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Antialiasing {
    /// The area of a pixel that is covered.
    #[default]
    Area,
    /// Eight samples a pixel.
    Msaa8,
    /// Sixteen samples a pixel.
    Msaa16,
}

/// Size and background of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// The background colour.
    pub base_color: peniko::Color,
    /// How edges are smoothed.
    pub antialiasing: Antialiasing,
}

impl Frame {
    /// A transparent frame of this size, smoothed by area.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            base_color: peniko::Color::TRANSPARENT,
            antialiasing: Antialiasing::Area,
        }
    }
}

/// How much memory a frame took.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How often it was rendered: once, and again for each time that a buffer was too small.
    pub attempts: u32,
    /// How much of the growing buffers it used.
    pub used: Sizes,
    /// Draw objects.
    pub draw_objects: u32,
    /// Begins and ends of layers.
    pub clips: u32,
    /// Bytes of GPU memory that the pipeline holds: all buffers and textures of its own.
    pub bytes: u64,
}

/// Words of a tile's commands that are there from the start.
const PTCL_INITIAL: u32 = 64;

/// Room in the buffers that Vello's stages fill as far as they need, or what a
/// frame used of them. In elements; spill and commands in words of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Lines that paths are flattened to, 24 bytes each.
    pub lines: u32,
    /// Entries of the bins: a draw object in a bin of 16 x 16 tiles, 4 bytes each.
    pub bin_entries: u32,
    /// Tiles of the paths, 8 bytes each.
    pub tiles: u32,
    /// Pieces of lines cut at tiles, 8 bytes each for their counts and 24 for themselves.
    pub segments: u32,
    /// Words of backdrops under the fifth layer on a tile and those inside it.
    pub spill_words: u32,
    /// Words of the tiles' command lists past the first 64 of each tile.
    pub command_words: u32,
}

impl Default for Sizes {
    /// Enough for small scenes, 9 MB; a frame that needs more is rendered again.
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
    /// Nothing.
    pub const NONE: Self =
        Self { lines: 0, bin_entries: 0, tiles: 0, segments: 0, spill_words: 0, command_words: 0 };

    /// What a scene will need at the very least, or nearly so, to spare it attempts:
    /// one line per path segment, which lies in one tile, and for each draw object one bin, one tile and a
    /// command.
    pub(crate) fn guess(draw_objects: u32, path_segments: u32) -> Self {
        Self {
            lines: path_segments,
            bin_entries: draw_objects,
            tiles: draw_objects,
            segments: path_segments,
            spill_words: 0,
            command_words: draw_objects.saturating_mul(4),
        }
    }

    /// What the stages counted. Where one of them failed, the later ones counted
    /// nothing or too little.
    pub(crate) fn of(bump: &BumpAllocators) -> Self {
        Self {
            lines: bump.lines,
            bin_entries: bump.binning,
            tiles: bump.tile,
            // Each segment is counted before it is made.
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

    /// Makes room for what was needed, and an eighth more; tells whether anything grew.
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

    /// Bytes of the buffers that hold them.
    pub fn bytes(&self) -> u64 {
        let each = |count: u32, size: usize| u64::from(count) * size as u64;
        each(self.lines, size_of::<LineSoup>())
            + each(self.bin_entries, 4)
            + each(self.tiles, size_of::<Tile>())
            + each(self.segments, size_of::<SegmentCount>() + size_of::<PathSegment>())
            + each(self.spill_words, 4)
            + each(self.command_words, 4)
    }

    /// Words of all command lists on a target of so many tiles.
    pub(crate) fn all_command_words(&self, tiles: u32) -> u32 {
        tiles.saturating_mul(PTCL_INITIAL).saturating_add(self.command_words)
    }

    /// Tells Vello's stages how much room there is.
    pub(crate) fn write(&self, config: &mut ConfigUniform) {
        config.lines_size = self.lines;
        config.binning_size = self.bin_entries;
        config.tiles_size = self.tiles;
        config.seg_counts_size = self.segments;
        config.segments_size = self.segments;
        config.blend_size = self.spill_words;
        config.ptcl_size = self.all_command_words(config.width_in_tiles * config.height_in_tiles);
    }

    /// That the stages with a workgroup for 256 lines or segments can be started.
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
    fn grows_what_is_too_small_and_nothing_else() {
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
