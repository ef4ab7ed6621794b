//! The kernels, and which buffers each uses.

use crate::binding::{Access, Binding};
use crate::{Task, Variant, VariantError};

/// How many tiles there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// So few that each workgroup reads all elements before its own tile: [`Variant::nearest`].
    Nearest,
    /// Few (of the stage, no more than threads in a workgroup; of counts, 16 times as many): each
    /// workgroup looks at all others itself.
    Near,
    /// Any number: kernels between have looked.
    Far,
}

/// A kernel. Its WGSL file says what it does, thread by thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Counts the nodes of each tile of elements.
    Count,
    /// Sums those counts.
    Scan,
    /// Compacts the nodes out of all elements.
    Compact,
    /// Compacts the nodes out of all elements where they are few, and makes the stream of entries.
    CompactNodes(Reach),
    /// Counts and compacts where one tile holds all elements.
    OneTileNodes,
    /// What each tile does to the stack, and what flows through what it leaves open; where nodes are few, node indices.
    Survive(Task),
    /// The same in [`Variant::in_bundles`], and what the tiles of each bundle leave together.
    SurviveBundles(Task),
    /// Makes a level of the pyramid over the tiles of the one below.
    Gather(Task),
    /// Carries what flows down to a level of that pyramid, above the tiles.
    Spine(Task),
    /// Carries what flows down to the tiles.
    Bases(Task),
    /// Where there are many tiles: what each has on the stack before it, and what flows from
    /// that; for scenes, compaction.
    Outside(Task),
    /// The same where there are no more bundles of tiles than threads in a workgroup: it needs nothing between.
    OutsideBundles(Task),
    /// Links and clips of all nodes, bounds of draws, and contents within each tile.
    Resolve(Task, Reach),
    /// The same where one tile holds all elements; for scenes, compaction. Of a host it is
    /// `Resolve` that does so.
    OneTile(Task),
    /// Builds the tree of unions over the tiles, where there are more bundles than threads.
    BuildUnions(Task),
    /// Contents of nodes that go on in another tile; for scenes of few tiles, compaction.
    Span(Task, Reach),
    /// The same where there are no more bundles of tiles than threads in a workgroup: it needs no tree over the tiles.
    SpanBundles(Task),
    /// Matching alone: reduces each tile of tags.
    MatchReduce,
    /// Matching alone: reduces each tile of a bitmap.
    MatchReduceBits,
    /// Matching alone: builds a level of the pyramid over the tiles.
    MatchBuild,
    /// Matching alone: links of all elements, from tags.
    MatchResolve,
    /// Matching alone: links of all elements, from a bitmap.
    MatchResolveBits,
    /// Binning: all lists at once, of few elements and bins.
    BinFew,
    /// Binning: counts the items of each chunk that touch each child.
    BinCount,
    /// Binning: scans each tile of those counts.
    BinScan,
    /// Binning: scans the sums of the tiles; the status; the next level.
    BinSums,
    /// Binning: the lists of the children.
    BinEmit(Reach),
    /// Binning in pieces: the lists of all bins, in a piece for each batch of elements.
    BinPieces,
}

impl Kernel {
    /// Every kernel, with every task.
    pub fn all() -> Vec<Self> {
        let mut all = vec![
            Self::Count,
            Self::Scan,
            Self::Compact,
            Self::OneTileNodes,
            Self::MatchReduce,
            Self::MatchReduceBits,
            Self::MatchBuild,
            Self::MatchResolve,
            Self::MatchResolveBits,
            Self::CompactNodes(Reach::Near),
            Self::CompactNodes(Reach::Far),
            Self::BinFew,
            Self::BinCount,
            Self::BinScan,
            Self::BinSums,
            Self::BinEmit(Reach::Near),
            Self::BinEmit(Reach::Far),
            Self::BinPieces,
        ];
        for task in Task::ALL {
            all.extend([
                Self::Survive(task),
                Self::SurviveBundles(task),
                Self::Gather(task),
                Self::Spine(task),
                Self::Bases(task),
                Self::Outside(task),
                Self::OutsideBundles(task),
                Self::Resolve(task, Reach::Near),
                Self::Resolve(task, Reach::Far),
            ]);
            if !task.is_nodes() && task != Task::Host {
                all.push(Self::OneTile(task));
            }
            if !task.is_nodes() {
                all.push(Self::Resolve(task, Reach::Nearest));
            }
            if task.grows() {
                let reaches = [Reach::Nearest, Reach::Near, Reach::Far];
                let fewest = usize::from(task.is_nodes());
                all.extend(reaches[fewest..].iter().map(|reach| Self::Span(task, *reach)));
                all.extend([Self::SpanBundles(task), Self::BuildUnions(task)]);
            }
        }
        all
    }

    /// Its name, for labels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Scan => "scan",
            Self::Compact => "compact",
            Self::CompactNodes(_) => "compact nodes",
            Self::OneTileNodes => "one tile nodes",
            Self::Survive(_) | Self::SurviveBundles(_) => "survive",
            Self::Spine(_) => "spine",
            Self::Gather(_) => "gather",
            Self::Bases(_) => "bases",
            Self::Outside(_) | Self::OutsideBundles(_) => "outside",
            Self::Resolve(..) => "resolve",
            Self::OneTile(_) => "one tile",
            Self::BuildUnions(_) => "build unions",
            Self::Span(..) | Self::SpanBundles(_) => "span",
            Self::MatchReduce => "match reduce",
            Self::MatchReduceBits => "match reduce bits",
            Self::MatchBuild => "match build",
            Self::MatchResolve => "match resolve",
            Self::MatchResolveBits => "match resolve bits",
            Self::BinFew => "bin few",
            Self::BinCount => "bin count",
            Self::BinScan => "bin scan",
            Self::BinSums => "bin sums",
            Self::BinEmit(_) => "bin emit",
            Self::BinPieces => "bin pieces",
        }
    }

    /// The buffers it uses, by number.
    pub fn bindings(self) -> Vec<(Binding, Access)> {
        use Access::{Read, ReadWrite, Uniform};
        use Binding as B;
        let compaction = [B::Counts, B::NodesBefore, B::NodeElements].map(|b| (b, ReadWrite));
        let fixed: &[(Binding, Access)] = match self {
            Self::Count => {
                &[(B::Params, Uniform), (B::Plan, Uniform), (B::Tags4, Read), (B::Words, ReadWrite)]
            }
            Self::Scan => &[(B::Params, Uniform), (B::Plan, Uniform), (B::Words, ReadWrite)],
            Self::Outside(task) | Self::OutsideBundles(task) => {
                let mut all = task.uniforms();
                if self.compacts() {
                    all.extend(compaction);
                }
                all.extend(scratch(task.flows()));
                return all;
            }
            Self::Compact => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::NodesBefore, ReadWrite),
                (B::NodeElements, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::CompactNodes(_) => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::NodeElements, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::OneTileNodes => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::Tags, Read),
                (B::NodesBefore, ReadWrite),
                (B::NodeElements, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::Survive(task) | Self::SurviveBundles(task) => {
                let mut all = task.uniforms();
                let has_tags = task != Task::Host && !task.is_nodes();
                all.extend(has_tags.then_some((B::Tags, Read)));
                all.extend(task.own().into_iter().filter(|_| task.flows()));
                all.extend(task.is_nodes().then_some((B::NodesBefore, ReadWrite)));
                all.extend(scratch(task.flows()));
                return all;
            }
            Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => {
                let mut all = task.uniforms();
                all.extend((!matches!(self, Self::Bases(_))).then_some((B::Level, Uniform)));
                all.extend(scratch(task.flows()));
                return all;
            }
            Self::Resolve(task, reach) => {
                let mut all = task.uniforms();
                let reads_tags = reach == Reach::Nearest && task != Task::Host;
                all.extend(reads_tags.then_some((B::Tags, Read)));
                all.extend(task.own());
                all.extend(task.outputs(&[B::Links, B::Clips, B::Contents, B::Bounds]));
                all.extend(scratch(reach != Reach::Nearest || task.grows()));
                return all;
            }
            Self::OneTile(task) => {
                let mut all = task.uniforms();
                all.push((B::Tags, Read));
                all.extend(task.own());
                all.extend(task.outputs(&[B::Links, B::Clips, B::Contents, B::Bounds]));
                if self.compacts() {
                    all.extend(compaction);
                }
                all.extend(scratch(task == Task::LeafFix));
                return all;
            }
            Self::BuildUnions(task) => {
                let mut all = task.uniforms();
                all.extend([(B::Level, Uniform), (B::Products, ReadWrite)]);
                return all;
            }
            Self::Span(task, _) | Self::SpanBundles(task) => {
                let mut all = task.uniforms();
                if self.compacts() {
                    all.extend(compaction);
                }
                all.extend(task.outputs(&[B::Contents, B::Bounds]));
                all.extend(scratch(true));
                return all;
            }
            Self::MatchReduce => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::Tags4, Read),
                (B::Words, ReadWrite),
            ],
            Self::MatchReduceBits => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::BitsIn, Read),
                (B::Words, ReadWrite),
            ],
            Self::MatchBuild => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Level, Uniform),
                (B::Words, ReadWrite),
            ],
            Self::MatchResolve => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Tags4, Read),
                (B::Links4, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::MatchResolveBits => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::BitsIn, Read),
                (B::Links4, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::BinFew => &[
                (B::Params, Uniform),
                (B::Bounds, Read),
                (B::Bin, Uniform),
                (B::BinStatus, ReadWrite),
                (B::BinHeaders, ReadWrite),
                (B::BinEntries, ReadWrite),
            ],
            Self::BinCount => &[
                (B::Params, Uniform),
                (B::Bounds, Read),
                (B::Words, ReadWrite),
                (B::Bin, Uniform),
                (B::BinStatus, Read),
            ],
            Self::BinScan => &[
                (B::Params, Uniform),
                (B::Words, ReadWrite),
                (B::Bin, Uniform),
                (B::BinStatus, Read),
            ],
            Self::BinSums => &[
                (B::Params, Uniform),
                (B::Words, ReadWrite),
                (B::Bin, Uniform),
                (B::BinStatus, ReadWrite),
                (B::BinHeaders, ReadWrite),
            ],
            Self::BinPieces => &[
                (B::Params, Uniform),
                (B::Bounds, Read),
                (B::Bin, Uniform),
                (B::BinStatus, ReadWrite),
                (B::BinTotals, ReadWrite),
                (B::BinHeaders, ReadWrite),
                (B::BinEntries, ReadWrite),
            ],
            Self::BinEmit(reach) => {
                let status = if reach == Reach::Far { Read } else { ReadWrite };
                return vec![
                    (B::Params, Uniform),
                    (B::Words, ReadWrite),
                    (B::Bin, Uniform),
                    (B::BinStatus, status),
                    (B::BinHeaders, ReadWrite),
                    (B::BinEntries, ReadWrite),
                ];
            }
        };
        fixed.to_vec()
    }

    /// The task over a tree that it is for.
    pub const fn task(self) -> Option<Task> {
        match self {
            Self::Survive(task)
            | Self::SurviveBundles(task)
            | Self::Gather(task)
            | Self::Spine(task)
            | Self::Bases(task)
            | Self::Outside(task)
            | Self::OutsideBundles(task)
            | Self::Resolve(task, _)
            | Self::OneTile(task)
            | Self::BuildUnions(task)
            | Self::Span(task, _)
            | Self::SpanBundles(task) => Some(task),
            _ => None,
        }
    }

    /// Whether others do the same where a device has too few storage buffers for it.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::OneTile(task) if task.is_scene())
    }

    /// Whether it also compacts the nodes of a scene out of all elements.
    pub(crate) const fn compacts(self) -> bool {
        match self {
            Self::Outside(task)
            | Self::OutsideBundles(task)
            | Self::OneTile(task)
            | Self::Span(task, Reach::Nearest | Reach::Near) => task.is_scene(),
            _ => false,
        }
    }

    /// Whether it belongs to matching alone.
    pub const fn is_matching(self) -> bool {
        matches!(
            self,
            Self::MatchReduce
                | Self::MatchReduceBits
                | Self::MatchBuild
                | Self::MatchResolve
                | Self::MatchResolveBits
        )
    }

    /// That there is such a kernel.
    ///
    /// # Errors
    /// [`VariantError::Tiles`] for several tiles a workgroup of any kernel but [`Kernel::Survive`] and
    /// [`Kernel::SurviveBundles`]; [`VariantError::Bundles`] for this in
    /// another than [`Variant::in_bundles`], and for the others of bundles where one has but one tile;
    /// [`VariantError::Nearest`] for those of [`Reach::Nearest`] with too few threads;
    /// [`Variant::check_matching`] for those of matching alone, [`Variant::check_rows`] for
    /// these two and compaction, [`VariantError::Vectors`] for [`Kernel::Count`],
    /// [`Variant::check_stage`] for the rest of the stage.
    pub fn check(self, variant: &Variant) -> Result<(), VariantError> {
        match self {
            Self::SurviveBundles(_) | Self::OutsideBundles(_) | Self::SpanBundles(_)
                if !self.has_bundles(variant) =>
            {
                Err(VariantError::Bundles(variant.workgroup_size(), variant.tiles()))
            }
            Self::Survive(_) | Self::SurviveBundles(_) => variant.check_rows(),
            Self::Resolve(_, Reach::Nearest) | Self::Span(_, Reach::Nearest)
                if variant.nearest() == 0 =>
            {
                Err(VariantError::Nearest(variant.workgroup_size()))
            }
            _ if variant.tiles() > 1 => Err(VariantError::Tiles(variant.tiles())),
            _ if self.is_matching() => variant.check_matching(),
            Self::Count if !variant.per_thread().is_multiple_of(4) => {
                Err(VariantError::Vectors(variant.per_thread()))
            }
            Self::Count | Self::Scan | Self::Compact => variant.check_rows(),
            Self::BinFew
            | Self::BinCount
            | Self::BinScan
            | Self::BinSums
            | Self::BinEmit(_)
            | Self::BinPieces => variant.check_binning(),
            _ => variant.check_stage(),
        }
    }

    /// Of those of bundles: whether the variant has any, as the kernel wants it.
    const fn has_bundles(self, variant: &Variant) -> bool {
        let most = Variant::BUNDLE_THREADS;
        let threads = if variant.tile() < most { variant.tile() } else { most };
        match self {
            Self::SurviveBundles(_) => variant.tiles() > 1 && variant.workgroup_size() == threads,
            _ => variant.tiles() == 1 && variant.bundle_tiles() > 1,
        }
    }

    /// Tiles that a workgroup of span has: where there are many, one for each 32 threads, for workgroups are started at a
    /// price; of bundles all of one.
    pub fn span_tiles(self, variant: &Variant) -> u32 {
        let many = (variant.workgroup_size() / 32).max(1);
        match self {
            Self::Span(_, Reach::Far) => many,
            Self::SpanBundles(_) => many.min(variant.bundle_tiles()),
            _ => 1,
        }
    }

    /// Whether two of its threads do for one of the variant: where a word is read for
    /// each of 64 elements a thread. Of bits, a thread reads but two words.
    pub(crate) const fn is_paired(self, variant: &Variant) -> bool {
        matches!(self, Self::MatchReduce) && variant.words() > 1
    }

    /// How many values the tree over a workgroup's threads has room for: two a
    /// thread, or what the kernel keeps there afterwards.
    pub(crate) const fn block_room(self, variant: &Variant) -> u32 {
        let each = match self {
            Self::MatchResolve | Self::MatchResolveBits => variant.match_room(),
            _ => 2,
        };
        each * variant.workgroup_size()
    }

    /// Whether it builds a tree over its threads.
    pub(crate) const fn has_block(self) -> bool {
        let bins = matches!(self, Self::BinCount | Self::BinScan | Self::BinSums);
        self.is_matching() || bins
    }

    /// Whether it uses subgroup operations, and wants its threads in the order of their
    /// lanes. Values of the caller's own types cannot go from lane to lane.
    pub(crate) const fn uses_subgroups(self, variant: &Variant) -> bool {
        let is_cooperative = match self {
            Self::Survive(task)
            | Self::SurviveBundles(task)
            | Self::Gather(task)
            | Self::Spine(task)
            | Self::Bases(task)
            | Self::OutsideBundles(task)
            | Self::Resolve(task, _)
            | Self::OneTile(task)
            | Self::Span(task, Reach::Nearest | Reach::Near)
            | Self::SpanBundles(task) => !task.is_generic(),
            Self::Span(_, Reach::Far)
            | Self::BuildUnions(_)
            | Self::Compact
            | Self::CompactNodes(_)
            | Self::Outside(_)
            | Self::BinEmit(_)
            | Self::BinPieces => false,
            _ => true,
        };
        variant.subgroups() && is_cooperative
    }

    /// How many values it has room for in workgroup memory, where they are no tree: with
    /// subgroups one a thread, and one a chunk of 4 or more.
    pub(crate) const fn cells(self, variant: &Variant) -> u32 {
        let threads = variant.workgroup_size();
        if matches!(self, Self::Survive(_) | Self::SurviveBundles(_)) && variant.per_thread() > 1 {
            return threads;
        }
        if !self.uses_subgroups(variant) {
            return 2 * threads;
        }
        match self {
            Self::Resolve(task, _) | Self::OneTile(task) if task.grows() => {
                threads + threads.div_ceil(4)
            }
            _ => threads,
        }
    }

    /// What its text does or leaves out, by the name of a constant.
    pub(crate) fn wants(self) -> [(&'static str, bool); 7] {
        let task = self.task();
        let is = |what: fn(Task) -> bool| task.is_some_and(what);
        let (counts_nodes, grows) = (is(Task::is_scene), is(Task::grows));
        [
            ("NOTES_ROLES", task != Some(Task::Host) && !is(Task::is_nodes)),
            ("LOADS_EARLY", task == Some(Task::Host)),
            ("COUNTS_NODES", counts_nodes),
            ("FLOWS", is(Task::flows)),
            ("OPENS_ASK", is(Task::is_nodes)),
            ("GROWS", grows),
            ("KEEPS_NODES", grows && counts_nodes),
        ]
    }
}

/// Where a kernel works.
fn scratch(products: bool) -> Vec<(Binding, Access)> {
    let mut all = vec![(Binding::Words, Access::ReadWrite)];
    if products {
        all.push((Binding::Products, Access::ReadWrite));
    }
    all
}
