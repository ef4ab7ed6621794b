//! Variants: the sizes and features for which kernels are compiled.

use crate::layout::{BinPlan, Bundle, FilterPlan};

/// The WGSL compiler. Compilers differ in the directives that they require.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// naga, which wgpu uses on native platforms. Rejects `enable subgroups;`.
    #[default]
    Native,
    /// The compiler of a browser. Requires `enable subgroups;` for subgroups.
    Browser,
}

/// The sizes and features for which kernels are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    workgroup_size: u32,
    per_thread: u32,
    subgroups: bool,
    target: Target,
}

/// An unsupported variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// The number of threads must be a power of two.
    #[error("a workgroup cannot have {0} threads: use a power of two from 2 to 1024")]
    WorkgroupSize(u32),
    /// The elements of a thread must fit in the bits of one word, or fill two.
    #[error("a thread cannot have {0} elements: use 1 to 32, or 64 for matching")]
    PerThread(u32),
    /// The stage requires one element per thread.
    #[error("a thread of the stage cannot have {0} elements: use one element per thread")]
    Stage(u32),
    /// The stage requires at least four threads per workgroup.
    #[error("a workgroup of the stage cannot have {0} threads: use 4 to 1024")]
    FewThreads(u32),
    /// Matching and compaction load vectors of four elements.
    #[error("a thread of matching or compaction cannot have {0} elements: use a multiple of 4")]
    Vectors(u32),
    /// Matching encodes the elements of a tile and its incoming stack in 16 bits.
    #[error("a workgroup of matching cannot have {0} elements: use at most {most}", most = Variant::MATCH_TILE)]
    Codes(u32),
}

impl Default for Variant {
    /// 256 threads with one element each, without subgroup operations. Within the default limits of WebGPU.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Variant {
    const DEFAULT: Self =
        Self { workgroup_size: 256, per_thread: 1, subgroups: false, target: Target::Native };

    /// Creates a variant from the number of threads per workgroup and of elements per thread.
    ///
    /// # Errors
    /// [`VariantError::WorkgroupSize`] unless the workgroup size is a power of two from 2 to 1024;
    /// [`VariantError::PerThread`] unless a thread has 1 to 32 elements, or 64.
    pub const fn new(workgroup_size: u32, per_thread: u32) -> Result<Self, VariantError> {
        if !workgroup_size.is_power_of_two() || workgroup_size < 2 || workgroup_size > 1024 {
            return Err(VariantError::WorkgroupSize(workgroup_size));
        }
        if per_thread == 0 || (per_thread > 32 && per_thread != 64) {
            return Err(VariantError::PerThread(per_thread));
        }
        Ok(Self { workgroup_size, per_thread, ..Self::DEFAULT })
    }

    /// Enables or disables subgroup operations.
    #[must_use]
    pub const fn with_subgroups(self, subgroups: bool) -> Self {
        Self { subgroups, ..self }
    }

    /// Sets the compiler.
    #[must_use]
    pub const fn with_target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Threads per workgroup.
    pub const fn workgroup_size(&self) -> u32 {
        self.workgroup_size
    }

    /// Elements per thread.
    pub const fn per_thread(&self) -> u32 {
        self.per_thread
    }

    /// Whether the kernels use subgroup operations.
    pub const fn subgroups(&self) -> bool {
        self.subgroups
    }

    /// The variant of the first pass of matching if it reads one word per element. Replaces a thread with 64 elements by two
    /// threads with 32.
    pub(crate) const fn reducing(&self) -> Self {
        let pair = self.words();
        Self {
            workgroup_size: pair * self.workgroup_size,
            per_thread: self.per_thread / pair,
            ..*self
        }
    }

    /// Maximum number of threads per workgroup of matching. With 64 elements per thread, the first pass has twice as many
    /// threads as the second.
    pub const fn match_threads(&self) -> u32 {
        self.words() * self.workgroup_size
    }

    /// The WGSL compiler.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Elements per tile. A workgroup processes one tile.
    pub const fn tile(&self) -> u32 {
        self.workgroup_size * self.per_thread
    }

    /// Checks that the stage can be compiled in this variant.
    ///
    /// # Errors
    /// [`VariantError::Stage`] unless a thread has one element; [`VariantError::FewThreads`] for fewer than four threads.
    pub const fn check_stage(&self) -> Result<(), VariantError> {
        if self.per_thread != 1 {
            return Err(VariantError::Stage(self.per_thread));
        }
        if self.workgroup_size < 4 {
            return Err(VariantError::FewThreads(self.workgroup_size));
        }
        Ok(())
    }

    /// Tiles per bundle, and also elements per run: 16, or half the elements of a tile if that is less. A thread keeps the
    /// elements of a run as the bits of a word.
    pub const fn bundle_tiles(&self) -> u32 {
        if self.tile() < 32 { self.tile() / 2 } else { 16 }
    }

    /// Words of a bundle in scratch memory.
    pub const fn bundle_words(&self) -> u32 {
        Bundle::LEN + self.bundle_tiles()
    }

    /// Elements per tile of compaction.
    pub const fn count_tile(&self) -> u32 {
        Self::COUNT_ROWS * self.workgroup_size
    }

    /// Marker indices per thread of the stage's first kernel, with few markers. A workgroup stores the indices of a multiple
    /// of 32 elements.
    pub const INDEX_ROWS: u32 = 16;

    /// Elements per thread of compaction. Even a workgroup of two threads has 32 elements, which form a record.
    pub const COUNT_ROWS: u32 = 16;

    /// Checks that matching can be compiled in this variant.
    ///
    /// # Errors
    /// [`VariantError::Vectors`] unless the elements per thread are a multiple of four; [`VariantError::Codes`] if a tile has
    /// more than [`Variant::MATCH_TILE`] elements.
    pub const fn check_matching(&self) -> Result<(), VariantError> {
        if !self.per_thread.is_multiple_of(4) {
            return Err(VariantError::Vectors(self.per_thread));
        }
        if self.tile() > Self::MATCH_TILE {
            return Err(VariantError::Codes(self.tile()));
        }
        Ok(())
    }

    /// Maximum number of elements per tile of matching. 15 bits number them, and another 15 bits number elements of other
    /// tiles, of which two words are unused.
    pub const MATCH_TILE: u32 = (1 << 15) - 64;

    /// Number of bitmaps that the first pass of matching saves for the second: one with opens and closes if both fit in one
    /// word per thread, otherwise three with opens, closes and unmatched opens.
    pub const fn bitmaps(&self) -> u32 {
        if self.per_thread <= 16 { 1 } else { 3 }
    }

    /// Words of each bitmap per tile.
    pub const fn bitmap_words(&self) -> u32 {
        self.words() * self.workgroup_size
    }

    /// Number of elements of other tiles that are cached in workgroup memory. Variants with few elements per thread are for
    /// small inputs, which are limited by latency.
    pub(crate) const fn cached_opens(&self) -> u32 {
        if self.bitmaps() == 1 { 512 } else { 256 }
    }

    /// Words of bits per thread of matching: one or two.
    pub const fn words(&self) -> u32 {
        self.per_thread.div_ceil(32)
    }

    /// Elements per word.
    pub const fn per_word(&self) -> u32 {
        self.per_thread / self.words()
    }

    /// Number of vectors of four in the row that a thread of matching stages at a time.
    pub(crate) const fn quads(&self) -> u32 {
        match self.per_thread {
            0..=4 => 1,
            5..=8 => 2,
            _ => 4,
        }
    }

    /// Maximum workgroup memory of the matching kernels, in bytes: a tree over the threads. The second pass also has one or
    /// two words per thread, elements of other tiles and 11 words for their search, and without subgroup operations 8 bytes
    /// per thread for exchanges.
    pub const fn match_workgroup_bytes(&self) -> u32 {
        let exchange = if self.subgroups { 0 } else { 8 };
        let resolve = self.workgroup_size * (16 + exchange + 4 * self.words())
            + 4 * (self.cached_opens() + 2 * self.per_word())
            + 44;
        let reduce = self.match_threads() * 16;
        if reduce > resolve { reduce } else { resolve }
    }

    /// Maximum workgroup memory of the binning kernels, in bytes.
    ///
    /// A batch needs, for each child of a window, a bitmap of the threads, the number of bits before each word of the bitmap,
    /// and a place; bitmaps of the wide items by column and row; and one element per thread. Counting needs steps around the
    /// children of a cell.
    pub const fn bin_workgroup_bytes(&self) -> u32 {
        let side = BinPlan::WINDOW;
        let words = self.workgroup_size.div_ceil(32);
        let cells = side * side * (1 + words + words.div_ceil(2));
        let batch = 4 * (cells + (2 * side + 1) * words + self.workgroup_size + 3);
        let steps = 4 * (BinPlan::FAN + 1) * (BinPlan::FAN + 1) + 8;
        if batch > steps { batch } else { steps }
    }

    /// Maximum workgroup memory of the filter kernels, in bytes.
    pub const fn filter_workgroup_bytes(&self) -> u32 {
        // The sums of chunks, the words that lanes exchange without subgroups, and a flag.
        let sums = 8 * self.workgroup_size + 4;
        let counts = 4 * (FilterPlan::MAX_DEPTH + 2);
        if sums > counts { sums } else { counts }
    }

    /// Number of children of a cell per workgroup of `bin_scan`.
    pub const fn scan_children(&self) -> u32 {
        if self.workgroup_size < 8 { self.workgroup_size } else { 8 }
    }

    /// Checks that binning can be compiled in this variant.
    ///
    /// # Errors
    /// [`VariantError::PerThread`] if threads have more than 32 elements.
    pub const fn check_binning(&self) -> Result<(), VariantError> {
        if self.per_thread > 32 {
            return Err(VariantError::PerThread(self.per_thread));
        }
        Ok(())
    }
}
