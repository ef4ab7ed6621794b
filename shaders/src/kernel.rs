//! The kernels: which there are, and the conditions and constants that each is linked with.

use crate::layout::{BinPlan, Bundle};
use crate::tree::TreeKernel;

/// Where the counts of a level of binning are scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinScan {
    /// In each workgroup of the kernel itself: for few chunks.
    Fused,
    /// In a kernel before: for any number of chunks.
    Separate,
}

/// A kernel. Its WGSL file says what it does, thread by thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// A step of the stage, or of another task over a tree.
    Tree(TreeKernel),
    /// Matching alone: reduces each tile of tags.
    MatchReduce,
    /// Matching alone: reduces each tile of a bitmap.
    MatchReduceBits,
    /// Matching alone: builds a level of the pyramid over the tiles.
    MatchBuild,
    /// Matching alone: links of all elements.
    MatchResolve,
    /// Binning: counts the items of each chunk that touch each child.
    BinCount,
    /// Binning: scans those counts; the status; the next level.
    BinScan,
    /// Binning: the lists of the children.
    BinEmit(BinScan),
    /// Binning in pieces: the lists of all bins, in a piece for each batch of elements.
    BinPieces,
    /// Binning in pieces: the status, where the last workgroup of [`Kernel::BinPieces`] cannot tell that it is the last.
    BinStatus,
}

impl Kernel {
    /// Every kernel.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = TreeKernel::all().into_iter().map(Self::Tree).collect();
        all.extend([
            Self::MatchReduce,
            Self::MatchReduceBits,
            Self::MatchBuild,
            Self::MatchResolve,
            Self::BinCount,
            Self::BinScan,
            Self::BinEmit(BinScan::Fused),
            Self::BinEmit(BinScan::Separate),
            Self::BinPieces,
            Self::BinStatus,
        ]);
        all
    }

    /// Its name, for labels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree(kernel) => kernel.name(),
            Self::MatchReduceBits => "match_reduce bits",
            other => other.file(),
        }
    }

    /// Its file in `wgsl/`, without the ending.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Tree(kernel) => kernel.step.file(),
            Self::MatchReduce | Self::MatchReduceBits => "match_reduce",
            Self::MatchBuild => "match_build",
            Self::MatchResolve => "match_resolve",
            Self::BinCount => "bin_count",
            Self::BinScan => "bin_scan",
            Self::BinEmit(_) => "bin_emit",
            Self::BinPieces => "bin_pieces",
            Self::BinStatus => "bin_status",
        }
    }

    /// The conditions that the file of a kernel of matching or binning, and what the file imports, may test with `@if`.
    /// `pairs`: two of its threads do for one of the variant that was asked for.
    pub(crate) fn features(self, variant: &Variant, pairs: bool) -> Vec<(&'static str, bool)> {
        let subgroups = self.uses_subgroups(variant);
        vec![
            ("subgroups", subgroups),
            ("browser", variant.target() == Target::Browser),
            // Matching.
            ("bits", self == Self::MatchReduceBits),
            ("pairs", pairs),
            ("two_words", variant.words() > 1),
            ("whole_words", variant.per_word() == 32),
            ("halves", variant.bitmaps() == 1),
            ("nearest_first", subgroups && variant.bitmaps() > 1),
            // Binning.
            ("near", matches!(self, Self::BinEmit(BinScan::Fused))),
        ]
    }

    /// Whether it belongs to matching alone.
    pub const fn is_matching(self) -> bool {
        matches!(
            self,
            Self::MatchReduce | Self::MatchReduceBits | Self::MatchBuild | Self::MatchResolve
        )
    }

    /// That there is such a kernel.
    ///
    /// # Errors
    /// Those of [`Variant::check_stage`], [`Variant::check_matching`] or [`Variant::check_binning`], by what it is part of.
    pub fn check(self, variant: &Variant) -> Result<(), VariantError> {
        match self {
            Self::Tree(_) => variant.check_stage(),
            _ if self.is_matching() => variant.check_matching(),
            _ => variant.check_binning(),
        }
    }

    /// Whether two of its threads do for one of the variant: where a word is read for
    /// each of 64 elements a thread. Of bits, a thread reads but two words.
    pub(crate) const fn is_paired(self, variant: &Variant) -> bool {
        matches!(self, Self::MatchReduce) && variant.words() > 1
    }

    /// Whether it uses subgroup operations, and wants its threads in the order of their lanes.
    pub(crate) const fn uses_subgroups(self, variant: &Variant) -> bool {
        match self {
            Self::Tree(kernel) => kernel.uses_subgroups(variant),
            _ => variant.subgroups() && self.is_matching(),
        }
    }
}

/// Where the text goes: targets differ in the directives they want.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// naga, inside wgpu on native platforms: rejects `enable subgroups;`.
    #[default]
    Native,
    /// A browser's own compiler: requires `enable subgroups;` for subgroups.
    Browser,
}

/// One way to compile the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    workgroup_size: u32,
    per_thread: u32,
    subgroups: bool,
    target: Target,
}

/// Why there is no such variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// A tree over the threads wants a power of two of them.
    #[error("a workgroup of {0} threads: it must be a power of two from 2 to 1024")]
    WorkgroupSize(u32),
    /// A thread's elements are the bits of a word, or of two.
    #[error("{0} elements a thread: they must be from 1 to 32, or 64 for matching alone")]
    PerThread(u32),
    /// A thread of the stage has one element.
    #[error("{0} elements a thread: the stage takes one")]
    Stage(u32),
    /// A workgroup of the stage has at least four threads.
    #[error("{0} threads a workgroup: the stage takes 4 to 1024")]
    FewThreads(u32),
    /// Matching alone and compaction load vectors of four.
    #[error("{0} elements a thread: matching alone and compaction need a multiple of 4")]
    Vectors(u32),
    /// Matching alone numbers the elements that a tile sees with 16 bits.
    #[error("{0} elements a workgroup: matching alone takes at most {most}", most = Variant::MATCH_TILE)]
    Codes(u32),
}

impl Default for Variant {
    /// 256 threads with one element each, without subgroups: within the default
    /// limits of WebGPU.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Variant {
    const DEFAULT: Self =
        Self { workgroup_size: 256, per_thread: 1, subgroups: false, target: Target::Native };

    /// The variant with this many threads a workgroup and elements a thread.
    ///
    /// # Errors
    /// A workgroup size that is no power of two from 2 to 1024, or elements a
    /// thread that are neither 1 to 32 nor 64.
    pub const fn new(workgroup_size: u32, per_thread: u32) -> Result<Self, VariantError> {
        if !workgroup_size.is_power_of_two() || workgroup_size < 2 || workgroup_size > 1024 {
            return Err(VariantError::WorkgroupSize(workgroup_size));
        }
        if per_thread == 0 || (per_thread > 32 && per_thread != 64) {
            return Err(VariantError::PerThread(per_thread));
        }
        Ok(Self { workgroup_size, per_thread, ..Self::DEFAULT })
    }

    /// The same with subgroup operations, or without.
    #[must_use]
    pub const fn with_subgroups(self, subgroups: bool) -> Self {
        Self { subgroups, ..self }
    }

    /// The same for another compiler.
    #[must_use]
    pub const fn with_target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Threads a workgroup.
    pub const fn workgroup_size(&self) -> u32 {
        self.workgroup_size
    }

    /// Elements a thread.
    pub const fn per_thread(&self) -> u32 {
        self.per_thread
    }

    /// Whether the kernels use subgroup operations.
    pub const fn subgroups(&self) -> bool {
        self.subgroups
    }

    /// What the first pass of matching alone is compiled for where it reads words: with
    /// 64 elements a thread, two threads of 32 for each.
    pub(crate) const fn reducing(&self) -> Self {
        let pair = self.words();
        Self {
            workgroup_size: pair * self.workgroup_size,
            per_thread: self.per_thread / pair,
            ..*self
        }
    }

    /// The most threads of a workgroup of matching alone: twice as many in the first
    /// pass where there are 64 elements a thread.
    pub const fn match_threads(&self) -> u32 {
        self.words() * self.workgroup_size
    }

    /// Which compiler the text is for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Elements a tile: what one workgroup holds.
    pub const fn tile(&self) -> u32 {
        self.workgroup_size * self.per_thread
    }

    /// That the stage can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::Stage`] for another number of elements a thread than one; [`VariantError::FewThreads`].
    pub const fn check_stage(&self) -> Result<(), VariantError> {
        if self.per_thread != 1 {
            return Err(VariantError::Stage(self.per_thread));
        }
        if self.workgroup_size < 4 {
            return Err(VariantError::FewThreads(self.workgroup_size));
        }
        Ok(())
    }

    /// Tiles of a bundle, and elements of a run, which a thread holds as the bits of a word: 16, or half as many as a
    /// tile has.
    pub const fn bundle_tiles(&self) -> u32 {
        if self.tile() < 32 { self.tile() / 2 } else { 16 }
    }

    /// Words of a bundle in scratch memory.
    pub const fn bundle_words(&self) -> u32 {
        Bundle::LEN + self.bundle_tiles()
    }

    /// Elements of a tile of compaction.
    pub const fn count_tile(&self) -> u32 {
        Self::COUNT_ROWS * self.workgroup_size
    }

    /// Node indices that a thread of the stage's first kernel stores, where nodes are few: any workgroup stores those of
    /// whole groups of 32 elements.
    pub const INDEX_ROWS: u32 = 16;

    /// Elements a thread of compaction: even two threads have a whole group of 32.
    pub const COUNT_ROWS: u32 = 16;

    /// That matching alone can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::Vectors`], [`VariantError::Codes`].
    pub const fn check_matching(&self) -> Result<(), VariantError> {
        if !self.per_thread.is_multiple_of(4) {
            return Err(VariantError::Vectors(self.per_thread));
        }
        if self.tile() > Self::MATCH_TILE {
            return Err(VariantError::Codes(self.tile()));
        }
        Ok(())
    }

    /// The most elements of a tile of matching alone: 15 bits number them, and as
    /// many elements of other tiles with two words of nothing.
    pub const MATCH_TILE: u32 = (1 << 15) - 64;

    /// Bitmaps that the first pass of matching alone saves for its second: one of opens and closes together, where
    /// both fit in a word a thread, else opens, closes and unmatched opens.
    pub const fn bitmaps(&self) -> u32 {
        if self.per_thread <= 16 { 1 } else { 3 }
    }

    /// Words of each of them, a tile.
    pub const fn bitmap_words(&self) -> u32 {
        self.words() * self.workgroup_size
    }

    /// Elements of other tiles that wait in workgroup memory. Few elements a thread
    /// are for inputs that end soon: there it is latency that counts.
    pub(crate) const fn cached_entries(&self) -> u32 {
        if self.bitmaps() == 1 { 512 } else { 256 }
    }

    /// Words of bits that a thread of matching alone holds: one, or two.
    pub const fn words(&self) -> u32 {
        self.per_thread.div_ceil(32)
    }

    /// Elements in each of them.
    pub const fn per_word(&self) -> u32 {
        self.per_thread / self.words()
    }

    /// Vectors of four in the row that a thread of matching alone stages at a time.
    pub(crate) const fn quads(&self) -> u32 {
        match self.per_thread {
            0..=4 => 1,
            5..=8 => 2,
            _ => 4,
        }
    }

    /// The most bytes of workgroup memory that a kernel of matching alone needs: a tree over the threads; in the second
    /// pass a word or two a thread, entries of other tiles and 11 words for the search of these, and without subgroups
    /// 8 bytes a thread for exchanges.
    pub const fn match_workgroup_bytes(&self) -> u32 {
        let exchange = if self.subgroups { 0 } else { 8 };
        let resolve = self.workgroup_size * (16 + exchange + 4 * self.words())
            + 4 * (self.cached_entries() + 2 * self.per_word())
            + 44;
        let reduce = self.match_threads() * 16;
        if reduce > resolve { reduce } else { resolve }
    }

    /// The most bytes of workgroup memory that a kernel of binning needs: for each child of a window a bitmap of the
    /// threads, the bits before each of its words, and a place; the wide among them by column and row; an element a
    /// thread; or steps around the children of a cell.
    pub const fn bin_workgroup_bytes(&self) -> u32 {
        let side = BinPlan::WINDOW;
        let words = self.workgroup_size.div_ceil(32);
        let cells = side * side * (1 + words + words.div_ceil(2));
        let batch = 4 * (cells + (2 * side + 1) * words + self.workgroup_size + 3);
        let steps = 4 * (BinPlan::FAN + 1) * (BinPlan::FAN + 1) + 8;
        if batch > steps { batch } else { steps }
    }

    /// Children of a cell that a workgroup of `bin_scan` has.
    pub const fn scan_children(&self) -> u32 {
        if self.workgroup_size < 8 { self.workgroup_size } else { 8 }
    }

    /// That binning can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::PerThread`] for 64.
    pub const fn check_binning(&self) -> Result<(), VariantError> {
        if self.per_thread > 32 {
            return Err(VariantError::PerThread(self.per_thread));
        }
        Ok(())
    }
}
