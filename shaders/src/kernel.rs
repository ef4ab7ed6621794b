//! The kernels: which there are, and the conditions and constants that each is linked with.

use crate::tree::TreeKernel;
use crate::{Target, Variant, VariantError};

/// Where the counts of a level of binning are scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinScan {
    /// In each workgroup of the kernel itself: for few segments.
    Fused,
    /// In a kernel before: for any number of segments.
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
    /// Binning: counts the items of each segment that touch each child.
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
    pub(crate) const fn file(self) -> &'static str {
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
