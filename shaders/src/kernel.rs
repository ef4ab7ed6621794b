//! The kernels: which fragments each is made of, and which buffers it uses.

use crate::binding::{Access, Binding};
use crate::fragment::{self as part, Fragment};
use crate::variant::{Kept, RectFormat};
use crate::{Task, Variant, VariantError};

/// How many tiles there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Few (of the stage, no more than threads in a workgroup): each tile looks at all others
    /// itself.
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
    /// Counts and compacts where one tile holds all elements.
    OneTileNodes,
    /// What each tile does to the stack, and what flows through what it leaves open.
    Survive(Task),
    /// Makes a level of the pyramid over the tiles of the one below.
    Gather(Task),
    /// Carries what flows down to a level of that pyramid, above the tiles.
    Spine(Task),
    /// Carries what flows down to the tiles.
    Bases(Task),
    /// Where there are many tiles: what each has on the stack before it.
    Outside(Task),
    /// Links and clips of all nodes, bounds of draws, and contents within each tile.
    Resolve(Task, Reach),
    /// The same where one tile holds all elements; for scenes, compaction. Of a host it is
    /// `Resolve` that does so.
    OneTile(Task),
    /// Builds the tree of unions over the tiles.
    BuildUnions(Task),
    /// Contents of nodes that go on in another tile; for scenes, compaction.
    Span(Task, Reach),
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
    /// Binning in pieces: nothing has been found yet.
    BinClear,
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
            Self::BinFew,
            Self::BinCount,
            Self::BinScan,
            Self::BinSums,
            Self::BinEmit(Reach::Near),
            Self::BinEmit(Reach::Far),
            Self::BinClear,
            Self::BinPieces,
        ];
        for task in Task::ALL {
            all.extend([
                Self::Survive(task),
                Self::Gather(task),
                Self::Spine(task),
                Self::Bases(task),
                Self::Outside(task),
                Self::Resolve(task, Reach::Near),
                Self::Resolve(task, Reach::Far),
            ]);
            if task != Task::Host {
                all.push(Self::OneTile(task));
            }
            if task.grows() {
                let span = [Reach::Near, Reach::Far].map(|reach| Self::Span(task, reach));
                all.extend([Self::BuildUnions(task), span[0], span[1]]);
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
            Self::OneTileNodes => "one tile nodes",
            Self::Survive(_) => "survive",
            Self::Spine(_) => "spine",
            Self::Gather(_) => "gather",
            Self::Bases(_) => "bases",
            Self::Outside(_) => "outside",
            Self::Resolve(..) => "resolve",
            Self::OneTile(_) => "one tile",
            Self::BuildUnions(_) => "build unions",
            Self::Span(..) => "span",
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
            Self::BinClear => "bin clear",
            Self::BinPieces => "bin pieces",
        }
    }

    /// The buffers it uses, by number.
    pub fn bindings(self) -> Vec<(Binding, Access)> {
        use Access::{Read, ReadWrite, Uniform};
        use Binding as B;
        let fixed: &[(Binding, Access)] = match self {
            Self::Count => {
                &[(B::Params, Uniform), (B::Plan, Uniform), (B::Tags, Read), (B::Words, ReadWrite)]
            }
            Self::Scan => &[(B::Params, Uniform), (B::Plan, Uniform), (B::Words, ReadWrite)],
            Self::Outside(task) => {
                let mut all = task.uniforms();
                all.push((B::Words, ReadWrite));
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
            Self::OneTileNodes => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::Tags, Read),
                (B::NodesBefore, ReadWrite),
                (B::NodeElements, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::Survive(task) => {
                let mut all = task.uniforms();
                all.extend((task != Task::Host).then_some((B::Tags, Read)));
                all.extend(task.own().filter(|_| task.flows()));
                all.extend(task.scratch(task.flows()));
                return all;
            }
            Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => {
                let mut all = task.uniforms();
                all.extend((!matches!(self, Self::Bases(_))).then_some((B::Level, Uniform)));
                all.extend(task.scratch(task.flows()));
                return all;
            }
            Self::Resolve(task, _) => {
                let mut all = task.uniforms();
                all.extend(task.own());
                all.extend(task.outputs(&[B::Links, B::Clips, B::Contents, B::Bounds]));
                all.extend(task.scratch(true));
                return all;
            }
            Self::OneTile(task) => {
                let mut all = task.uniforms();
                all.push((B::Tags, Read));
                all.extend(task.own());
                all.extend(task.outputs(&[B::Links, B::Clips, B::Contents, B::Bounds]));
                if task.is_scene() {
                    all.extend(
                        [B::Counts, B::NodesBefore, B::NodeElements].map(|b| (b, ReadWrite)),
                    );
                }
                all.extend(task.scratch(task == Task::LeafFix));
                return all;
            }
            Self::BuildUnions(_) => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Level, Uniform),
                (B::Products, ReadWrite),
            ],
            Self::Span(task, _) => {
                let mut all = vec![(B::Params, Uniform), (B::Plan, Uniform)];
                all.extend((!task.is_generic()).then_some((B::Tags, Read)));
                if !task.is_generic() {
                    all.extend(
                        [B::Counts, B::NodesBefore, B::NodeElements].map(|b| (b, ReadWrite)),
                    );
                }
                all.extend(task.outputs(&[B::Contents, B::Bounds]));
                all.extend(task.scratch(true));
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
            Self::BinClear => &[(B::Params, Uniform), (B::Bin, Uniform), (B::BinStatus, ReadWrite)],
            Self::BinPieces => &[
                (B::Params, Uniform),
                (B::Bounds, Read),
                (B::Bin, Uniform),
                (B::BinTotals, ReadWrite),
                (B::BinHeaders, ReadWrite),
                (B::BinEntries, ReadWrite),
            ],
            Self::BinEmit(reach) => {
                let status = if reach == Reach::Near { ReadWrite } else { Read };
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

    /// Whether others do the same where a device has too few storage buffers for it.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::OneTile(task) if task.is_scene())
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
    /// [`Variant::check_matching`] for those of matching alone.
    pub fn check(self, variant: &Variant) -> Result<(), VariantError> {
        match self {
            _ if self.is_matching() => variant.check_matching(),
            Self::BinFew
            | Self::BinCount
            | Self::BinScan
            | Self::BinSums
            | Self::BinEmit(_)
            | Self::BinClear
            | Self::BinPieces => variant.check_binning(),
            _ => variant.check_stage(),
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

    /// The fragments it is made of, but for the entry and the block tree, of
    /// which the variant decides.
    pub(crate) fn fragments(self, variant: &Variant) -> Vec<Fragment> {
        let searching = [part::BICYCLIC, part::FOUND];
        let stream = [part::ELEMENTS, part::ELEMENT_COUNT];
        let block = part::SEARCH;
        let rects: &[Fragment] = match variant.rects() {
            RectFormat::F32 => &[part::RECTS_F32],
            RectFormat::I32 => &[part::RECTS_I32],
            RectFormat::I16 => &[part::RECTS_I16],
            RectFormat::PathBbox => &[part::RECTS_PATH],
        };
        let boxes: &[Fragment] = match variant.boxes() {
            RectFormat::I32 => &[part::BOXES_I32, part::OUTWARD],
            RectFormat::I16 => &[part::BOXES_I16, part::OUTWARD],
            _ => &[part::BOXES_F32],
        };
        let (rects, boxes) = (join(&[rects, &[part::EDGES]]), join(&[boxes, &[part::EDGES]]));
        let both = join(&[&rects, &boxes[..boxes.len() - 1]]);
        let when =
            |wanted: bool, list: &[Fragment]| if wanted { list.to_vec() } else { Vec::new() };
        let lanes = self.lanes(variant);
        // With subgroups a workgroup has few chunks; else each is an element.
        let few = self.uses_subgroups(variant);
        let pool: &[Fragment] =
            if few { &[part::POOL_LOOP] } else { &[part::POOL_TREE, part::SEARCH] };
        let along = if few { part::ALONG_LOOP } else { part::ALONG_TREE };
        let along = vec![along, part::ALONG_CHUNK];
        let sibling_sums = if few { part::SIBLING_SUMS_LOOP } else { part::SIBLING_SUMS_TREE };
        let sums = if few { part::SUMS_SUBGROUPS } else { part::SUMS };
        let compact = [part::COMPACT_TILE, part::COMPACT_ELEMENT, part::RANKS];
        // What becomes of the elements of a tile.
        let tile = |task: Task| {
            join(&[
                &[part::MINE, part::RANKS, part::ORDER, part::FLOWS, part::OUTSIDE, task.values()],
                pool,
                task.through(few),
                task.emit(),
                task.flow(),
                task.flow_own(),
                &when(task.is_scene(), &both),
                &[task.grow()][..usize::from(task.grows())],
                &lanes,
                &searching,
                task.stream(),
            ])
        };
        match self {
            Self::Count => {
                join(&[&[part::COUNT, part::ROLES, part::ROLE_TAGS, part::RANKS], &lanes, &stream])
            }
            Self::Scan => join(&[&[part::SCAN, sums], &stream]),
            Self::Compact => join(&[&[part::COMPACT], &compact, &stream]),
            Self::OneTileNodes => join(&[
                &[part::ONE_TILE_NODES, part::ROLES, part::ROLE_TAGS],
                &compact,
                &lanes,
                &stream,
            ]),
            Self::Survive(task) => join(&[
                &[part::SURVIVE, part::ROLES, part::RANKS, part::ORDER, part::LEVELS],
                &[task.values()],
                if task == Task::Host { &[part::ROLE_HOST] } else { &[part::ROLE_TAGS] },
                pool,
                task.flow(),
                task.flow_stored(),
                task.flow_own(),
                &if task.flows() { along } else { vec![part::ALONG_NOTHING] },
                &when(task.flows(), &[part::CELLS]),
                &when(task.flows() && task.is_scene(), &rects),
                &lanes,
                &searching,
                task.stream(),
            ]),
            Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => join(&[
                match self {
                    Self::Gather(_) => &[part::GATHER],
                    Self::Spine(_) => &[part::SPINE, part::OUTSIDE, part::OUTSIDE_ABOVE],
                    _ => &[part::BASES, part::OUTSIDE, part::OUTSIDE_ABOVE, part::HEAP],
                },
                &when(matches!(self, Self::Bases(_)), &[sums]),
                &[part::SIBLINGS, part::SIBLING_SUMS_TREE, part::POOL_TREE, part::SEARCH],
                &[part::LEVELS, task.values()],
                task.flow(),
                task.flow_stored(),
                task.siblings(),
                &when(task.flows(), &along),
                &[part::CELLS],
                &lanes,
                &searching,
                task.stream(),
            ]),
            Self::Resolve(task, reach) => join(&[
                &[part::RESOLVE, part::OUTSIDE_SLOT, part::LEVELS],
                if task == Task::Host {
                    &[part::PLACE_HOST, part::ROLE_HOST, part::BEYOND_END]
                } else {
                    &[part::PLACE_STORED, part::BEYOND_TOP]
                },
                match reach {
                    Reach::Near => &[part::OUTSIDE_NEAR, part::SIBLINGS],
                    Reach::Far => &[part::OUTSIDE_FAR],
                },
                &when(reach == Reach::Near, &[sibling_sums]),
                if reach == Reach::Near { task.siblings() } else { &[] },
                &when(task.flows() && reach == Reach::Near, &along),
                task.flow_stored(),
                if task.grows() { &[part::TREE_UNIONS] } else { &[] },
                &tile(task),
            ]),
            Self::OneTile(task) => join(&[
                &[part::ONE_TILE, part::ROLES, part::ROLE_TAGS, part::PLACE_NOTED],
                &[part::OUTSIDE_ONE_TILE, part::BEYOND_TOP],
                if task.is_scene() {
                    &[part::MINE_COMPACT, part::COMPACT_ELEMENT]
                } else {
                    &[part::MINE_COMPACT_NOTHING]
                },
                if task.grows() { &[part::TREE_UNIONS_NOTHING] } else { &[] },
                &tile(task),
            ]),
            Self::Outside(task) => join(&[
                &[part::FIND_OUTSIDE, part::HEAP, part::HEAP_SEARCH, part::SEARCH, part::LEVELS],
                &when(task == Task::Host, &[task.values()]),
                &searching,
                task.stream(),
            ]),
            Self::BuildUnions(task) => join(&[
                &[part::BUILD, part::FOLD, part::FOLD_GROW_THREADS, part::TREE_UNIONS],
                &[task.grow(), task.values()],
                &stream,
            ]),
            Self::Span(task, reach) => join(&[
                &[part::SPAN, part::TREE_UNIONS, task.grow(), task.values()],
                &[part::LEVELS, part::BICYCLIC],
                match reach {
                    Reach::Near => &[part::RANGE_NEAR, part::FLOW_GROWS, part::CELLS],
                    Reach::Far => &[part::RANGE_FAR],
                },
                &when(reach == Reach::Near, &along),
                &lanes,
                if task.is_generic() {
                    &[part::SPAN_SUBTREE, part::SPAN_ALONE]
                } else {
                    &[part::SPAN_CONTENTS, part::SPAN_COMPACT]
                },
                &when(!task.is_generic(), &compact),
                &stream,
                &when(!task.is_generic(), &boxes),
            ]),
            Self::MatchReduce | Self::MatchReduceBits => join(&[
                &[part::MATCH_REDUCE, part::MATCH_THREAD, part::MATCH_PYRAMID, block],
                self.match_input(variant),
                &[part::MATCH_SLICE, self.match_between(variant)],
                &searching,
                &stream,
            ]),
            Self::BinFew => join(&[
                &[part::BIN_FEW, part::BIN_BOUNDS, part::BOXES_F32, part::BIN_MEASURE],
                &[part::BIN_ELEMENTS, part::BIN_STATUS, sums],
                &lanes,
            ]),
            Self::BinCount => join(&[
                &[part::BIN_COUNT, part::BIN_BOUNDS, part::BOXES_F32, part::BIN_MEASURE],
                &[
                    part::BIN_ELEMENTS,
                    part::BIN,
                    part::BIN_CHILDREN,
                    part::BIN_FAN,
                    part::SATURATING_SUM,
                ],
            ]),
            Self::BinScan => join(&[
                &[part::BIN_SCAN, part::BIN_ELEMENTS, part::BIN, part::BIN_CHILDREN, part::BIN_FAN],
                &[part::SATURATING_SUM],
            ]),
            Self::BinSums => join(&[
                &[part::BIN_SUMS, part::BIN_STATUS, part::BIN_ELEMENTS, part::BIN],
                &[part::BIN_CHILDREN, part::BIN_FAN, part::SATURATING_SUM],
            ]),
            Self::BinClear => vec![part::BIN_CLEAR, part::BIN_STATUS, part::BIN_ELEMENTS],
            Self::BinPieces => vec![
                part::BIN_PIECES,
                part::BIN_BOUNDS,
                part::BOXES_F32,
                part::BIN_MEASURE,
                part::BIN_ELEMENTS,
                part::BIN_WINDOW,
                part::BIN_FAN,
                part::BIN_BATCH,
                part::BIN_SIDES,
            ],
            Self::BinEmit(reach) => join(&[
                &[part::BIN_EMIT, part::BIN_ELEMENTS, part::BIN, part::BIN_CHILDREN, part::BIN_FAN],
                &[part::BIN_BATCH, part::BIN_SIDES],
                match reach {
                    Reach::Near => &[part::BIN_PLACES_NEAR, part::BIN_STATUS],
                    Reach::Far => &[part::BIN_PLACES_FAR],
                },
            ]),
            Self::MatchBuild => {
                join(&[&[part::MATCH_BUILD, part::MATCH_PYRAMID, part::BICYCLIC], &stream])
            }
            Self::MatchResolve | Self::MatchResolveBits => join(&[
                &[part::MATCH_RESOLVE, part::MATCH_OUTSIDE, part::MATCH_THREAD],
                &[part::MATCH_PYRAMID, block, self.match_between(variant)],
                match_together(variant),
                if self.reads_twice(variant) { self.match_input(variant) } else { &[] },
                &searching,
                &stream,
            ]),
        }
    }

    /// How matching alone reads its input.
    const fn match_input(self, variant: &Variant) -> &'static [Fragment] {
        match self {
            Self::MatchReduceBits | Self::MatchResolveBits => &[part::MATCH_BITS],
            _ if variant.subgroups() && variant.per_word() == 32 => {
                &[part::MATCH_TAGS, part::MATCH_ROLE, part::MATCH_DIRECT, part::MATCH_GATHER]
            }
            _ => {
                &[part::MATCH_TAGS, part::MATCH_ROLE, part::MATCH_DIRECT, part::MATCH_DIRECT_ALONE]
            }
        }
    }

    /// Whether it builds a tree over its threads.
    pub(crate) const fn has_block(self) -> bool {
        self.is_matching() || matches!(self, Self::BinCount | Self::BinScan | Self::BinSums)
    }

    /// Whether matching alone reads its input again in its second pass.
    const fn reads_twice(self, variant: &Variant) -> bool {
        let bits = matches!(self, Self::MatchReduceBits | Self::MatchResolveBits);
        match variant.kept() {
            Kept::Nothing => true,
            Kept::Halves => bits,
            Kept::Words => false,
        }
    }

    /// What matching alone keeps of the elements between its two passes.
    const fn match_between(self, variant: &Variant) -> Fragment {
        if self.reads_twice(variant) {
            return part::MATCH_AGAIN;
        }
        match variant.kept() {
            Kept::Halves => part::MATCH_HALVES,
            _ => part::MATCH_PACKED,
        }
    }

    /// Whether it uses subgroup operations, and wants its threads in the order of their
    /// lanes. Values of the caller's own types cannot go from lane to lane.
    pub(crate) const fn uses_subgroups(self, variant: &Variant) -> bool {
        let is_cooperative = match self {
            Self::Survive(task)
            | Self::Gather(task)
            | Self::Spine(task)
            | Self::Bases(task)
            | Self::Resolve(task, _)
            | Self::OneTile(task)
            | Self::Span(task, Reach::Near) => !task.is_generic(),
            Self::Span(_, Reach::Far)
            | Self::BuildUnions(_)
            | Self::Compact
            | Self::Outside(_)
            | Self::BinEmit(_)
            | Self::BinClear
            | Self::BinPieces => false,
            _ => true,
        };
        variant.subgroups() && is_cooperative
    }

    /// How many values it has room for in workgroup memory, where they are no tree: with
    /// subgroups one a thread, and one a chunk of 4 or more.
    pub(crate) const fn cells(self, variant: &Variant) -> u32 {
        let threads = variant.workgroup_size();
        if !self.uses_subgroups(variant) {
            return 2 * threads;
        }
        match self {
            Self::Resolve(task, _) | Self::OneTile(task) if task.grows() => threads + threads / 4,
            _ => threads,
        }
    }

    /// What its text does or leaves out, by the name of a constant.
    pub(crate) fn wants(self) -> [(&'static str, bool); 4] {
        let task = match self {
            Self::Survive(task)
            | Self::Gather(task)
            | Self::Spine(task)
            | Self::Bases(task)
            | Self::Resolve(task, _)
            | Self::OneTile(task) => Some(task),
            _ => None,
        };
        [
            ("NOTES_ROLES", task != Some(Task::Host)),
            ("LOADS_EARLY", task == Some(Task::Host)),
            ("COUNTS_NODES", task.is_some_and(Task::is_scene)),
            ("GROWS", task.is_some_and(Task::grows)),
        ]
    }

    /// How it moves values from lane to lane.
    fn lanes(self, variant: &Variant) -> Vec<Fragment> {
        let [flows, grows] = match self {
            Self::Survive(task) | Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => {
                [task.flows(), false]
            }
            Self::Resolve(task, _) | Self::OneTile(task) => [true, task.grows()],
            Self::Span(_, Reach::Near) => [true, false],
            _ => [false, false],
        };
        let all = if self.uses_subgroups(variant) {
            [part::LANES_SUBGROUPS, part::LANES_FLOW_SUBGROUPS, part::LANES_GROW_SUBGROUPS]
        } else {
            [part::LANES, part::LANES_FLOW, part::LANES_GROW]
        };
        let wanted = [true, flows, grows];
        all.into_iter().zip(wanted).filter_map(|(part, wanted)| wanted.then_some(part)).collect()
    }
}

/// How the threads of matching alone work together: where a search begins, and how
/// links come into order.
const fn match_together(variant: &Variant) -> &'static [Fragment] {
    match (variant.subgroups(), variant.kept()) {
        (true, Kept::Words) => &[part::MATCH_NEAR_SUBGROUPS, part::MATCH_ROWS_SUBGROUPS],
        (true, _) => &[part::MATCH_NEAR, part::MATCH_ROWS_SUBGROUPS],
        (false, _) => &[part::MATCH_NEAR, part::MATCH_ROWS],
    }
}

fn join(lists: &[&[Fragment]]) -> Vec<Fragment> {
    lists.concat()
}
