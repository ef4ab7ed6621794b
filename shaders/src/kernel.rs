//! The list of all kernels, their linking, and the features and constants of matching, binning and damage.

use crate::layout::constants_wgsl;
use crate::linker::{Custom, LinkJob, Linked};
use crate::tree::TreeKernel;
use crate::variant::{Target, Variant, VariantError};
use crate::wgsl::LinkError;

/// The strategy for scanning the counts of a level of binning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinScan {
    /// Each workgroup of `bin_emit` scans the counts. Suitable for few segments.
    Fused,
    /// A separate dispatch of `bin_scan` scans the counts. Suitable for any number of segments.
    Separate,
}

/// A step of a stage for scenes with filters. Its WGSL file documents the work of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterStep {
    /// Counts the entries of each tile at each level.
    Count,
    /// Sums the counts of entries.
    Scan,
    /// Writes the stream of each level.
    Scatter,
    /// Computes the reverse bounds of filters from the clips around them, for the next level.
    Reverse,
    /// Computes the forward bounds of filters from their contents, for the level around them.
    Forward,
    /// Stores the results of a level in the caller's buffers.
    Gather,
}

impl FilterStep {
    /// Every step.
    pub const ALL: [Self; 6] =
        [Self::Count, Self::Scan, Self::Scatter, Self::Reverse, Self::Forward, Self::Gather];

    /// Whether the step depends on the destination of the results.
    pub const fn stores(self) -> bool {
        matches!(self, Self::Scan | Self::Scatter | Self::Gather)
    }
}

/// A kernel. Its WGSL file documents the work of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// A step of the stage or of another task over a tree.
    Tree(TreeKernel),
    /// A step of a stage for scenes with filters.
    Filter {
        /// The step.
        step: FilterStep,
        /// Whether all results are stored by element.
        in_place: bool,
    },
    /// Matching: reduces each tile of tags.
    MatchReduce,
    /// Matching: reduces each tile of a bitmap.
    MatchReduceBits,
    /// Matching: builds one level of the pyramid over the tiles.
    MatchBuild,
    /// Matching: writes the links of all elements.
    MatchResolve,
    /// Brackets: computes the effect of each tile on the state of a parser.
    BracketReduce,
    /// Brackets: computes the state before each tile.
    BracketScan,
    /// Brackets: writes depths, partners and errors.
    BracketFinish,
    /// Binning: counts the items of each segment that touch each child.
    BinCount,
    /// Binning: scans the counts of items, and writes the status and the next level.
    BinScan,
    /// Binning: writes the lists of the children.
    BinEmit(BinScan),
    /// Binning in pieces: writes the lists of all bins, one piece for each batch of elements.
    BinPieces,
    /// Binning in pieces: writes the status if the last workgroup of [`Kernel::BinPieces`] cannot determine that it is last.
    BinStatus,
    /// Damage: marks all bins as undamaged.
    DamageClear,
    /// Damage: for the elements of one frame that differ from the other frame, marks the bins that they touch.
    DamageMark,
    /// Landings: marks the elements that open a filter.
    LandingMark,
    /// Landings: maps the bounds of each element through the filters around it, from the innermost outward.
    Landing,
    /// Clips alone, with filters: stores the clip of each marker as its bounds.
    ClipBounds,
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
            Self::BracketReduce,
            Self::BracketScan,
            Self::BracketFinish,
            Self::BinCount,
            Self::BinScan,
            Self::BinEmit(BinScan::Fused),
            Self::BinEmit(BinScan::Separate),
            Self::BinPieces,
            Self::BinStatus,
            Self::DamageClear,
            Self::DamageMark,
            Self::LandingMark,
            Self::Landing,
            Self::ClipBounds,
        ]);
        all.extend(FilterStep::ALL.map(|step| Self::Filter { step, in_place: false }));
        let in_place = FilterStep::ALL.into_iter().filter(|step| step.stores());
        all.extend(in_place.map(|step| Self::Filter { step, in_place: true }));
        all
    }

    /// Name of the kernel, for labels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree(kernel) => kernel.name(),
            Self::MatchReduceBits => "match_reduce bits",
            other => other.file(),
        }
    }

    /// Name of the file in `wgsl/`, without the extension.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Tree(kernel) => kernel.step.file(),
            Self::Filter { step: FilterStep::Count, .. } => "filter_count",
            Self::Filter { step: FilterStep::Scan, .. } => "filter_scan",
            Self::Filter { step: FilterStep::Scatter, .. } => "filter_scatter",
            Self::Filter { step: FilterStep::Reverse, .. } => "filter_reverse",
            Self::Filter { step: FilterStep::Forward, .. } => "filter_forward",
            Self::Filter { step: FilterStep::Gather, .. } => "filter_gather",
            Self::MatchReduce | Self::MatchReduceBits => "match_reduce",
            Self::MatchBuild => "match_build",
            Self::MatchResolve => "match_resolve",
            Self::BracketReduce => "bracket_reduce",
            Self::BracketScan => "bracket_scan",
            Self::BracketFinish => "bracket_finish",
            Self::BinCount => "bin_count",
            Self::BinScan => "bin_scan",
            Self::BinEmit(_) => "bin_emit",
            Self::BinPieces => "bin_pieces",
            Self::BinStatus => "bin_status",
            Self::DamageClear => "damage_clear",
            Self::DamageMark => "damage_mark",
            Self::LandingMark => "landing_mark",
            Self::Landing => "landing",
            Self::ClipBounds => "clip_bounds",
        }
    }

    /// The features that `@if` may test in kernels of matching, binning and filters, and in the modules they import. With
    /// `pairs`, two threads of the kernel do the work of one thread of the variant.
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
            // Filters.
            ("scene", matches!(self, Self::Filter { in_place: false, .. })),
            ("monoid", false),
            ("filters", false),
        ]
    }

    /// Whether this is a kernel of matching or of brackets.
    pub const fn is_matching(self) -> bool {
        self.is_bracket()
            || matches!(
                self,
                Self::MatchReduce | Self::MatchReduceBits | Self::MatchBuild | Self::MatchResolve
            )
    }

    const fn is_bracket(self) -> bool {
        matches!(self, Self::BracketReduce | Self::BracketScan | Self::BracketFinish)
    }

    /// Checks that the kernel supports a variant.
    ///
    /// # Errors
    /// The errors of [`Variant::check_stage`], [`Variant::check_matching`] or [`Variant::check_binning`].
    pub fn check(self, variant: &Variant) -> Result<(), VariantError> {
        match self {
            Self::Tree(_) | Self::Filter { .. } => variant.check_stage(),
            _ if self.is_matching() => variant.check_matching(),
            _ => variant.check_binning(),
        }
    }

    /// Whether two threads of the kernel do the work of one thread of the variant. This is the case if the kernel reads one
    /// word per element and the variant has 64 elements per thread. (From a bitmap, a thread reads only two words.)
    pub(crate) const fn is_paired(self, variant: &Variant) -> bool {
        matches!(self, Self::MatchReduce) && variant.words() > 1
    }

    /// Whether the kernel uses subgroup operations, which require threads in the order of their lanes.
    pub(crate) const fn uses_subgroups(self, variant: &Variant) -> bool {
        match self {
            Self::Tree(kernel) => kernel.uses_subgroups(variant),
            Self::Filter { .. } => variant.subgroups(),
            _ => variant.subgroups() && self.is_matching() && !self.is_bracket(),
        }
    }
}

/// Links a kernel in a variant. Its entry point is `main`.
///
/// Takes a few tenths of a millisecond.
///
/// # Errors
/// [`LinkError::Variant`] if [`Kernel::check`] rejects the variant.
pub fn link(kernel: Kernel, variant: &Variant) -> Result<Linked, LinkError> {
    link_custom(kernel, variant, &Custom::default())
}

/// Links a kernel with caller-supplied WGSL. Kernels that do not import a custom module ignore it.
///
/// # Errors
/// The errors of [`link`], and [`LinkError::Wgsl`] if the caller's WGSL cannot be parsed or lacks a declaration.
pub fn link_custom(
    kernel: Kernel,
    variant: &Variant,
    custom: &Custom<'_>,
) -> Result<Linked, LinkError> {
    kernel.check(variant)?;
    if let Kernel::Tree(kernel) = kernel {
        return kernel.link(variant, custom);
    }
    let is_paired = kernel.is_paired(variant);
    let variant = &if is_paired { variant.reducing() } else { *variant };
    let job = LinkJob {
        kernel: kernel.file(),
        features: kernel.features(variant, is_paired),
        chosen: vec![("value", "lib/value_rect")],
        constants: constants(variant),
        custom,
    };
    job.link()
}

/// Links the overlay: the vertex shader `main` and the fragment shader `paint`.
///
/// # Errors
/// [`LinkError::Wgsl`], which would be a bug in this crate.
pub fn link_overlay() -> Result<Linked, LinkError> {
    let job = LinkJob {
        kernel: "overlay",
        features: Vec::new(),
        chosen: Vec::new(),
        constants: constants_wgsl(&[]),
        custom: &Custom::default(),
    };
    job.link()
}

/// Returns the constants of the matching and binning kernels.
fn constants(variant: &Variant) -> String {
    let own = [
        ("WORKGROUP_SIZE", variant.workgroup_size()),
        ("PER_THREAD", variant.per_thread()),
        ("TILE", variant.tile()),
        ("PER_WORD", variant.per_word()),
        ("WORDS", variant.words()),
        ("QUADS", variant.quads()),
        ("CACHED_OPENS", variant.cached_opens()),
    ];
    constants_wgsl(&own)
}
