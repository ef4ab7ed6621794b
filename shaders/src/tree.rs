//! The tree kernels, with their features, constants and sizes.

use crate::layout::constants_wgsl;
use crate::linker::{Custom, LinkJob, Linked};
use crate::variant::{Target, Variant};
use crate::wgsl::LinkError;

/// The form of a tree's elements, and the destination of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// A scene. Reads tags and rects; writes results per marker and a box per element.
    Scene,
    /// A scene whose results are all stored by element.
    InPlace,
    /// The compacted stream of a scene with few markers: its markers, and separators between them.
    FewMarkers,
    /// A stream that the caller's WGSL reads, and whose results it stores.
    Adapter,
    /// Tags, and values of the caller's monoid.
    Monoid,
}

/// A computation over a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// The form of the elements.
    pub stream: Stream,
    /// Whether values flow down: clips, or products along the paths from the root.
    pub flows: bool,
    /// Whether values grow up: contents, or products over subtrees.
    pub grows: bool,
    /// Whether an element may have a filter around it.
    pub filters: bool,
}

impl Task {
    /// A task with values in both directions: clips and contents.
    pub const fn both(stream: Stream) -> Self {
        Self { stream, flows: true, grows: true, filters: false }
    }

    /// Clips and contents of a scene with at most one filter around each element. `stream` is [`Stream::Scene`],
    /// [`Stream::InPlace`] or [`Stream::FewMarkers`]. A value takes [`Task::FILTERED_BYTES`] bytes.
    pub const fn filtered(stream: Stream) -> Self {
        Self { filters: true, ..Self::both(stream) }
    }

    /// A task with only values that flow down.
    pub const fn down(stream: Stream) -> Self {
        Self { stream, flows: true, grows: false, filters: false }
    }

    /// A task with only values that grow up.
    pub const fn up(stream: Stream) -> Self {
        Self { stream, flows: false, grows: true, filters: false }
    }

    /// Size in bytes of a value of a scene with filters, in an array.
    pub const FILTERED_BYTES: u32 = 48;

    /// Every task that `treebounds` computes.
    pub const ALL: [Self; 15] = [
        Self::both(Stream::Scene),
        Self::down(Stream::Scene),
        Self::up(Stream::Scene),
        Self::both(Stream::InPlace),
        Self::down(Stream::InPlace),
        Self::up(Stream::InPlace),
        Self::both(Stream::FewMarkers),
        Self::down(Stream::FewMarkers),
        Self::up(Stream::FewMarkers),
        Self::down(Stream::Adapter),
        Self::down(Stream::Monoid),
        Self::up(Stream::Monoid),
        Self::filtered(Stream::Scene),
        Self::filtered(Stream::InPlace),
        Self::filtered(Stream::FewMarkers),
    ];
}

/// The strategy, by the number of tiles that it can handle. A tile has one element per thread of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Size {
    /// One tile.
    OneTile,
    /// Up to one tile per thread of a workgroup.
    Near,
    /// Up to one bundle of [`Variant::bundle_tiles`] tiles per thread of a workgroup.
    Bundles,
    /// Any number of tiles, in groups of bundles.
    Groups,
}

/// A step of the computation: a file of `wgsl/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Finds the markers, and counts them in each tile of [`Variant::count_tile`] elements.
    CountMarkers,
    /// Sums the counts of markers.
    ScanCounts,
    /// Writes the compacted stream of a scene with few markers. With [`Size::Bundles`] it sums the counts itself; with
    /// [`Size::Groups`], [`Step::ScanCounts`] has summed them.
    CompactMarkers,
    /// Writes marker indices: after [`Step::ScanCounts`] or, for clips alone, after [`Step::Resolve`].
    Compact,
    /// Computes the effect of each tile on the stack, with [`Size::Near`].
    ReduceTiles,
    /// Computes the effect of each tile and each bundle on the stack.
    ReduceBundles,
    /// Computes the effect of each group of bundles on the stack.
    ReduceGroups,
    /// Finds the stack before each tile.
    Spine,
    /// Computes the values that flow down to each element, and for each node, the product of its content in the tile.
    Resolve,
    /// Computes the product of each bundle, with [`Size::Groups`].
    ScanGroups,
    /// Computes the products of nodes that continue in other tiles, and writes the marker indices of a scene.
    Span,
}

/// A step for a task and a size. Its WGSL file documents the work of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeKernel {
    /// The step. Each step has a WGSL file.
    pub step: Step,
    /// The task.
    pub task: Task,
    /// The strategy.
    pub size: Size,
}

impl TreeKernel {
    /// Every kernel of every task and size.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for task in Task::ALL {
            for size in [Size::OneTile, Size::Near, Size::Bundles, Size::Groups] {
                for kernel in Self::steps(task, size) {
                    if !all.contains(&kernel) {
                        all.push(kernel);
                    }
                }
            }
        }
        let scene = Task::both(Stream::Scene);
        let compaction = [
            (Step::CountMarkers, Size::Groups),
            (Step::ScanCounts, Size::Groups),
            (Step::CompactMarkers, Size::Bundles),
            (Step::CompactMarkers, Size::Groups),
            (Step::Compact, Size::Groups),
        ];
        all.extend(compaction.map(|(step, size)| Self { step, task: scene, size }));
        all
    }

    /// Returns the kernels that compute a task with a strategy, in order.
    pub fn steps(task: Task, size: Size) -> Vec<Self> {
        // Only large scenes are compacted.
        if task.stream == Stream::FewMarkers && size == Size::OneTile {
            return Vec::new();
        }
        let before: &[Step] = match size {
            Size::OneTile => &[],
            Size::Near => &[Step::ReduceTiles],
            Size::Bundles => &[Step::ReduceBundles, Step::Spine],
            Size::Groups => &[Step::ReduceBundles, Step::ReduceGroups, Step::Spine],
        };
        let after: &[Step] = match size {
            Size::OneTile => &[],
            Size::Groups if task.grows => &[Step::ScanGroups, Step::Span],
            _ if task.grows => &[Step::Span],
            _ if task.stream == Stream::Scene => &[Step::Compact],
            _ => &[],
        };
        let steps = [before, &[Step::Resolve], after].concat();
        steps.into_iter().map(|step| Self { step, task, size: step.size(size) }).collect()
    }

    /// Whether the kernel belongs to compaction, which runs before a task and is the same for all tasks.
    fn is_compaction(self) -> bool {
        match self.step {
            Step::CountMarkers | Step::ScanCounts | Step::CompactMarkers => true,
            Step::Compact => self.size == Size::Groups,
            _ => false,
        }
    }

    /// Name of the kernel, for labels.
    pub const fn name(self) -> &'static str {
        match (self.step, self.size) {
            (Step::Resolve, Size::OneTile) => "resolve one tile",
            (step, _) => step.file(),
        }
    }

    /// Whether the kernel uses subgroup operations, which cannot exchange values of the caller's types.
    pub(crate) const fn uses_subgroups(self, variant: &Variant) -> bool {
        variant.subgroups() && !matches!(self.task.stream, Stream::Monoid)
    }

    /// Links the kernel.
    ///
    /// # Errors
    /// [`LinkError::Variant`] unless a thread has one element and a workgroup at least four threads; [`LinkError::Wgsl`] if
    /// the caller's WGSL cannot be parsed or lacks a declaration.
    pub fn link(self, variant: &Variant, custom: &Custom<'_>) -> Result<Linked, LinkError> {
        variant.check_stage()?;
        let job = LinkJob {
            kernel: self.step.file(),
            features: self.features(variant),
            chosen: self.task.modules(),
            constants: self.constants(variant),
            custom,
        };
        job.link()
    }

    /// The features that `@if` may test in the kernel's file and in the modules that it imports.
    fn features(self, variant: &Variant) -> Vec<(&'static str, bool)> {
        let (Task { stream, flows, grows, filters }, size) = (self.task, self.size);
        let is_compaction = self.is_compaction();
        let is = |of: Stream| !is_compaction && stream == of;
        let many = size >= Size::Bundles;
        vec![
            ("subgroups", self.uses_subgroups(variant)),
            ("browser", variant.target() == Target::Browser),
            ("rects", is(Stream::Scene) || is(Stream::InPlace)),
            ("scene", is(Stream::Scene)),
            ("in_place", is(Stream::InPlace)),
            ("few_markers", is(Stream::FewMarkers)),
            ("adapter", is(Stream::Adapter)),
            ("monoid", is(Stream::Monoid)),
            ("keeps_roles", self.task.keeps_roles()),
            ("flows", flows && !is_compaction),
            ("grows", grows && !is_compaction),
            ("filters", filters && !is_compaction),
            ("one_tile", size == Size::OneTile),
            ("near", size == Size::Near),
            ("many", many),
            ("groups", size == Size::Groups),
        ]
    }

    fn constants(self, variant: &Variant) -> String {
        let threads = variant.workgroup_size();
        let counts = self.is_compaction() && self.step != Step::CompactMarkers;
        let own = [
            ("WORKGROUP_SIZE", threads),
            ("TILE", if counts { variant.count_tile() } else { variant.tile() }),
            ("RUN", variant.bundle_tiles()),
            ("BUNDLE_TILES", variant.bundle_tiles()),
            ("BUNDLE_WORDS", variant.bundle_words()),
            ("SLOT_WORDS", self.task.slot_words()),
            ("SPAN_TILES", self.span_tiles(variant)),
            ("SPINE_TILES", self.spine_tiles(variant)),
            ("SIBLING_STACKS", self.sibling_stacks()),
            ("SHARED_VALUES", self.shared_values(variant)),
            ("COUNT_ROWS", Variant::COUNT_ROWS),
            ("INDEX_ROWS", Variant::INDEX_ROWS),
        ];
        constants_wgsl(&own)
    }

    /// Number of tiles per workgroup.
    pub fn tiles(self, variant: &Variant) -> u32 {
        match self.step {
            Step::ReduceBundles => variant.bundle_tiles(),
            Step::Spine => self.spine_tiles(variant),
            Step::ReduceGroups | Step::ScanGroups => {
                variant.bundle_tiles().saturating_mul(variant.workgroup_size())
            }
            Step::Span => self.span_tiles(variant),
            _ => 1,
        }
    }

    /// Number of tiles per workgroup of span. With bundles, one per 32 threads, all of the same bundle.
    fn span_tiles(self, variant: &Variant) -> u32 {
        if self.size < Size::Bundles {
            return 1;
        }
        (variant.workgroup_size() / 32).clamp(1, variant.bundle_tiles())
    }

    /// Number of tiles per workgroup of spine: those of one bundle or, with groups, of up to four. Each workgroup reads all
    /// earlier bundles of the group and all earlier groups, so fewer workgroups read less. A power of two, and at most half
    /// the number of threads.
    fn spine_tiles(self, variant: &Variant) -> u32 {
        let bundle = variant.bundle_tiles();
        let bundles = if self.size == Size::Groups { 4 } else { 1 };
        bundle * (variant.workgroup_size() / (4 * bundle)).clamp(1, bundles)
    }

    /// Number of stacks of siblings that the kernel searches together.
    fn sibling_stacks(self) -> u32 {
        1 + u32::from(self.step == Step::Spine && self.size == Size::Groups)
    }

    /// Number of values in workgroup memory.
    fn shared_values(self, variant: &Variant) -> u32 {
        let threads = variant.workgroup_size();
        match self.step {
            // One more per chunk, which has at least four lanes. With filters, the threads' values suffice (`up_shared.wgsl`).
            Step::Resolve if self.task.grows && !self.task.filters => threads + threads / 4,
            Step::Spine => self.sibling_stacks() * threads,
            _ => threads,
        }
    }

    /// Maximum workgroup memory of the kernel in bytes, for values of `value_bytes` bytes.
    pub fn workgroup_bytes(self, variant: &Variant, value_bytes: u32) -> u32 {
        let [threads, tiles, value] =
            [variant.workgroup_size(), variant.bundle_tiles(), value_bytes.max(4)].map(u64::from);
        let shared = u64::from(self.shared_values(variant)) * value;
        // Without subgroups, lanes exchange words, values and bits through workgroup memory.
        let lanes = if self.uses_subgroups(variant) { 0 } else { threads * (value + 5) + 64 };
        let siblings = u64::from(self.sibling_stacks()) * (8 * threads + 12) + 12 * threads;
        let roles = |tile: u32| 12 * u64::from(tile.div_ceil(32));
        let own = match self.step {
            Step::CountMarkers => roles(variant.count_tile()) + 4 * threads,
            Step::ScanCounts => 4 * threads,
            Step::CompactMarkers => 20 * threads + 4,
            Step::Compact => 0,
            Step::ReduceTiles => 4 * threads + roles(variant.tile()) + shared,
            Step::ReduceBundles => 12 * threads + tiles * (value + 16) + shared,
            Step::ReduceGroups => siblings + shared,
            Step::Spine => {
                let bases = u64::from(self.spine_tiles(variant)) + 1;
                siblings + bases * (2 * value + 32) + shared
            }
            Step::Resolve => {
                let siblings = if self.size == Size::Near { siblings } else { 0 };
                4 * threads + roles(variant.tile()) + siblings + shared
            }
            Step::ScanGroups | Step::Span => shared,
        };
        u32::try_from(own + lanes + 16).unwrap_or(u32::MAX)
    }
}

impl Step {
    /// Name of the file in `wgsl/`, without the extension.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::CountMarkers => "count_markers",
            Self::ScanCounts => "scan_counts",
            Self::CompactMarkers => "compact_markers",
            Self::Compact => "compact",
            Self::ReduceTiles => "reduce_tiles",
            Self::ReduceBundles => "reduce_bundles",
            Self::ReduceGroups => "reduce_groups",
            Self::Spine => "spine",
            Self::Resolve => "resolve",
            Self::ScanGroups => "scan_groups",
            Self::Span => "span",
        }
    }

    /// Replaces the size by that of an identical kernel, so that it is compiled only once.
    fn size(self, size: Size) -> Size {
        match self {
            Self::ReduceBundles | Self::Resolve => size.min(Size::Bundles),
            // As a step of a task, and not of compaction, the kernel is the same for every strategy.
            Self::Compact => Size::Near,
            _ => size,
        }
    }
}

impl Task {
    /// Whether the roles of elements are kept in scratch memory. Posts already contain their roles, and the roles of an
    /// adapter are computed again instead.
    pub fn keeps_roles(self) -> bool {
        ![Stream::FewMarkers, Stream::Adapter].contains(&self.stream)
    }

    /// The modules for the kinds of stream and value (`lib/answers_shared.wgsl`, `lib/value_rect.wgsl`).
    fn modules(self) -> Vec<(&'static str, &'static str)> {
        let unfiltered = match self.stream {
            Stream::Scene => "lib/answers_scene",
            Stream::InPlace => "lib/answers_in_place",
            Stream::FewMarkers => "lib/answers_few",
            Stream::Adapter => "lib/answers_adapter",
            Stream::Monoid => "lib/answers_monoid",
        };
        let (answers, value) = match self {
            Self { filters: true, .. } => ("lib/answers_filtered", "lib/value_filtered"),
            Self { stream: Stream::Monoid, .. } => (unfiltered, "lib/value_monoid"),
            _ => (unfiltered, "lib/value_rect"),
        };
        vec![("answers", answers), ("unfiltered_answers", unfiltered), ("value", value)]
    }

    /// Number of words of a slot: the open, its close, and the marker indices of both.
    pub fn slot_words(self) -> u32 {
        match self {
            Self { grows: false, .. } => 1,
            Self { stream: Stream::Scene, .. } => 4,
            _ => 2,
        }
    }
}
