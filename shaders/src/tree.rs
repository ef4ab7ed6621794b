//! The kernels over a tree: which there are, and the conditions and constants that each is linked with.

use crate::layout::{
    self, Bundle, BundleProducts, Counts, GroupOfBundles, Outer, Params, Roles, Slot, Tile,
    TileValues, TreePlan,
};
use crate::linker::{Custom, LinkError, LinkJob, Linked, constants_wgsl, given};
use crate::{Target, Variant, source};

/// Where the elements of a tree come from, and where answers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// A scene: tags and rects in, an answer for each marker and a box for each element out.
    Scene,
    /// The same tags and rects; every answer goes to its element's own place.
    InPlace,
    /// The compacted stream of a scene with few markers: its markers, and separators between them.
    FewMarkers,
    /// What WGSL of the caller's reads and writes.
    Host,
    /// Tags, and values of a monoid of the caller's.
    Monoid,
}

/// What kernels compute over a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// Where elements come from.
    pub stream: Stream,
    /// Whether values flow down: clips, or products along the paths from the root.
    pub flows: bool,
    /// Whether values grow up: contents, or products over subtrees.
    pub grows: bool,
}

impl Task {
    /// Clips and contents of a stream.
    pub const fn both(stream: Stream) -> Self {
        Self { stream, flows: true, grows: true }
    }

    /// Values that flow down alone.
    pub const fn down(stream: Stream) -> Self {
        Self { stream, flows: true, grows: false }
    }

    /// Values that grow up alone.
    pub const fn up(stream: Stream) -> Self {
        Self { stream, flows: false, grows: true }
    }

    /// Every task that something computes.
    pub const ALL: [Self; 12] = [
        Self::both(Stream::Scene),
        Self::down(Stream::Scene),
        Self::up(Stream::Scene),
        Self::both(Stream::InPlace),
        Self::down(Stream::InPlace),
        Self::up(Stream::InPlace),
        Self::both(Stream::FewMarkers),
        Self::down(Stream::FewMarkers),
        Self::up(Stream::FewMarkers),
        Self::down(Stream::Host),
        Self::down(Stream::Monoid),
        Self::up(Stream::Monoid),
    ];
}

/// How many tiles kernels work on together: a tile has an element for each thread of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Size {
    /// One.
    OneTile,
    /// As many as a workgroup has threads.
    Near,
    /// As many bundles of [`Variant::bundle_tiles`] as a workgroup has threads.
    Bundles,
    /// Any number.
    Groups,
}

/// A step of the computation: a file of `wgsl/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Which elements are markers, and how many markers each tile has: a tile of [`Variant::count_tile`].
    CountMarkers,
    /// Sums those counts.
    ScanCounts,
    /// The compacted stream of a scene with few markers. [`Size::Bundles`] sums the counts itself, [`Size::Groups`] takes
    /// what [`Step::ScanCounts`] has summed.
    CompactMarkers,
    /// Marker indices: after counts, or of a scene's clips alone, after resolve.
    Compact,
    /// What each tile does to the stack, near.
    ReduceTiles,
    /// The same and what each bundle does.
    ReduceBundles,
    /// What each group of bundles does.
    ReduceGroups,
    /// The stack before each tile.
    Spine,
    /// What flows to each element, and what grows in each node inside its tile.
    Resolve,
    /// What grows in each bundle, with groups.
    ScanGroups,
    /// What grows in nodes that go on in other tiles; marker indices of a scene.
    Span,
}

/// A step for a task and a size. Its WGSL file says what it does, thread by thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeKernel {
    /// Which file.
    pub step: Step,
    /// For what.
    pub task: Task,
    /// For how many tiles.
    pub size: Size,
}

impl TreeKernel {
    /// Every kernel that some task and size has.
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

    /// What computes a task over so many tiles, in order.
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

    /// Whether it looks at elements before any task does: compaction is the same for every task.
    fn is_compaction(self) -> bool {
        match self.step {
            Step::CountMarkers | Step::ScanCounts | Step::CompactMarkers => true,
            Step::Compact => self.size == Size::Groups,
            _ => false,
        }
    }

    /// Its name, for labels.
    pub const fn name(self) -> &'static str {
        match (self.step, self.size) {
            (Step::Resolve, Size::OneTile) => "resolve one tile",
            (step, _) => step.file(),
        }
    }

    /// Whether it uses subgroup operations: values of the caller's own types cannot go from lane to lane.
    pub(crate) const fn uses_subgroups(self, variant: &Variant) -> bool {
        variant.subgroups() && !matches!(self.task.stream, Stream::Monoid)
    }

    /// Links it.
    ///
    /// # Errors
    /// [`LinkError::Variant`] for a variant of more elements a thread than one or of less than four threads;
    /// [`LinkError::Wgsl`] where the caller's WGSL does not parse or lacks a declaration.
    pub fn link(self, variant: &Variant, custom: &Custom<'_>) -> Result<Linked, LinkError> {
        variant.check_stage()?;
        let job = LinkJob {
            kernel: self.step.file(),
            features: self.features(variant),
            constants: self.constants(variant),
            layout: layout_wgsl(),
            slots: given(&[
                ("monoid", custom.monoid, source::MONOID),
                ("host", custom.host, source::HOST),
            ]),
        };
        job.link()
    }

    /// The conditions that its file, and what the file imports, may test with `@if`.
    fn features(self, variant: &Variant) -> Vec<(&'static str, bool)> {
        let (Task { stream, flows, grows }, size) = (self.task, self.size);
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
            ("host", is(Stream::Host)),
            ("monoid", is(Stream::Monoid)),
            ("keeps_roles", self.task.keeps_roles()),
            ("flows", flows && !is_compaction),
            ("grows", grows && !is_compaction),
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
        ];
        constants_wgsl(own.into_iter().chain(layout::tree_constants()))
    }

    /// Tiles that a workgroup has.
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

    /// Tiles of a workgroup of span: of many, one for each 32 threads, all of one bundle.
    fn span_tiles(self, variant: &Variant) -> u32 {
        if self.size < Size::Bundles {
            return 1;
        }
        (variant.workgroup_size() / 32).clamp(1, variant.bundle_tiles())
    }

    /// Tiles of a workgroup of spine: a bundle. With groups, up to four bundles, because each workgroup looks at all bundles
    /// of the group and at all groups before its own. A power of two, and less than the threads: at most half of them.
    fn spine_tiles(self, variant: &Variant) -> u32 {
        let bundle = variant.bundle_tiles();
        let bundles = if self.size == Size::Groups { 4 } else { 1 };
        bundle * (variant.workgroup_size() / (4 * bundle)).clamp(1, bundles)
    }

    /// Stacks of siblings that it looks at together.
    fn sibling_stacks(self) -> u32 {
        1 + u32::from(self.step == Step::Spine && self.size == Size::Groups)
    }

    /// Values that it keeps in workgroup memory.
    fn shared_values(self, variant: &Variant) -> u32 {
        let threads = variant.workgroup_size();
        match self.step {
            // One more for each chunk, of four lanes at least.
            Step::Resolve if self.task.grows => threads + threads / 4,
            Step::Spine => self.sibling_stacks() * threads,
            _ => threads,
        }
    }

    /// Bytes of workgroup memory that it takes at most, with values of so many bytes.
    pub fn workgroup_bytes(self, variant: &Variant, value_bytes: u32) -> u32 {
        let threads = variant.workgroup_size();
        let tiles = variant.bundle_tiles();
        let value = value_bytes.max(4);
        let shared = self.shared_values(variant).saturating_mul(value);
        // Without subgroups lanes hand words, values and bits through workgroup memory.
        let lanes = if self.uses_subgroups(variant) {
            0
        } else {
            threads.saturating_mul(value.saturating_add(5)).saturating_add(64)
        };
        let siblings = self.sibling_stacks() * (8 * threads + 12) + 12 * threads;
        let roles = 12 * variant.tile().div_ceil(32);
        let own = match self.step {
            Step::CountMarkers => 12 * variant.count_tile().div_ceil(32) + 4 * threads,
            Step::ScanCounts => 4 * threads,
            Step::CompactMarkers => 20 * threads + 4,
            Step::Compact => 0,
            Step::ReduceTiles => (4 * threads + roles).saturating_add(shared),
            Step::ReduceBundles => (12 * threads)
                .saturating_add(tiles.saturating_mul(value.saturating_add(16)))
                .saturating_add(shared),
            Step::ReduceGroups => siblings.saturating_add(shared),
            Step::Spine => {
                let bases = self.spine_tiles(variant) + 1;
                let own = bases.saturating_mul(value.saturating_mul(2).saturating_add(32));
                siblings.saturating_add(own).saturating_add(shared)
            }
            Step::Resolve => {
                let siblings = if self.size == Size::Near { siblings } else { 0 };
                (4 * threads + roles + siblings).saturating_add(shared)
            }
            Step::ScanGroups | Step::Span => shared,
        };
        own.saturating_add(lanes).saturating_add(16)
    }
}

impl Step {
    /// The name of its file.
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

    /// Kernels that are the same with groups as without are compiled once.
    fn size(self, size: Size) -> Size {
        match self {
            Self::ReduceBundles | Self::Resolve => size.min(Size::Bundles),
            // As a step of a task it is the same after every strategy. (Compaction by itself has no size of a task.)
            Self::Compact => Size::Near,
            _ => size,
        }
    }
}

impl Task {
    /// Whether the roles of elements are kept in scratch memory. Posts know their roles, and a host says them again.
    pub fn keeps_roles(self) -> bool {
        ![Stream::FewMarkers, Stream::Host].contains(&self.stream)
    }

    /// Words of a slot: the open; its close; the numbers of both among the markers.
    pub fn slot_words(self) -> u32 {
        match self {
            Self { grows: false, .. } => 1,
            Self { stream: Stream::Scene, .. } => 4,
            _ => 2,
        }
    }
}

/// The structs and record fields of the kernels over a tree.
fn layout_wgsl() -> String {
    let structs = [Params::WGSL, TreePlan::WGSL, Counts::WGSL];
    let records = [
        Roles::WGSL,
        Tile::WGSL,
        Slot::WGSL,
        Outer::WGSL,
        Bundle::WGSL,
        GroupOfBundles::WGSL,
        TileValues::WGSL,
        BundleProducts::WGSL,
    ];
    structs.concat() + &records.concat()
}
