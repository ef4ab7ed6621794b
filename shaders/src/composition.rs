//! Which fragments each kernel is made of.

use crate::fragment::{self as part, Fragment};
use crate::kernel::{Kernel, Reach};
use crate::variant::{Kept, RectFormat};
use crate::{Task, Variant};

/// Bicyclic elements, and what a search for one finds.
const SEARCHING: &[Fragment] = &[part::BICYCLIC, part::FOUND];

/// A stream of elements.
const STREAM: &[Fragment] = &[part::ELEMENTS, part::ELEMENT_COUNT];

/// Node indices, of the roles that a tile has noted.
const COMPACT: &[Fragment] =
    &[part::COMPACT_TILE, part::COMPACT_ELEMENT, part::COUNTS_STORE, part::RANKS, part::GROUP_LOAD];

impl Kernel {
    /// The fragments it is made of, but for the entry and the block tree, of
    /// which the variant decides.
    pub(crate) fn fragments(self, variant: &Variant) -> Vec<Fragment> {
        let kit = Kit::new(self, variant);
        match self {
            Self::Count
            | Self::Scan
            | Self::CompactNodes(_)
            | Self::Compact
            | Self::OneTileNodes => kit.compaction(self),
            Self::Survive(task) => kit.survive(task, part::BUNDLE_HOLD_NOTHING),
            Self::SurviveBundles(task) => kit.survive_bundles(task),
            Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => kit.pyramid(self, task),
            Self::Outside(task) => kit.outside(task),
            Self::OutsideBundles(task) => kit.outside_bundles(task),
            Self::Resolve(task, Reach::Nearest) => kit.resolve_nearest(task),
            Self::Resolve(task, reach) => kit.resolve(task, reach),
            Self::OneTile(task) => kit.one_tile(task),
            Self::BuildUnions(task) => kit.build(task),
            Self::Span(task, _) | Self::SpanBundles(task) => kit.span(self, task),
            Self::MatchReduce
            | Self::MatchReduceBits
            | Self::MatchBuild
            | Self::MatchResolve
            | Self::MatchResolveBits => self.matching(variant),
            Self::BinFew
            | Self::BinCount
            | Self::BinScan
            | Self::BinSums
            | Self::BinEmit(_)
            | Self::BinPieces => kit.binning(self),
        }
    }

    /// Those of matching alone.
    fn matching(self, variant: &Variant) -> Vec<Fragment> {
        match self {
            Self::MatchReduce | Self::MatchReduceBits => join(&[
                &[part::MATCH_REDUCE, part::MATCH_THREAD, part::WORD, part::BIT],
                &[part::MATCH_PYRAMID, part::SEARCH],
                self.match_input(variant),
                &[part::MATCH_SLICE, self.match_between(variant)],
                SEARCHING,
                STREAM,
            ]),
            Self::MatchBuild => {
                join(&[&[part::MATCH_BUILD, part::MATCH_PYRAMID, part::BICYCLIC], STREAM])
            }
            Self::MatchResolve | Self::MatchResolveBits => join(&[
                &[part::MATCH_RESOLVE, part::MATCH_OUTSIDE, part::MATCH_THREAD],
                &[part::WORD, part::BIT],
                &[part::MATCH_PYRAMID, part::SEARCH, self.match_between(variant)],
                match_together(variant),
                if self.reads_twice(variant) { self.match_input(variant) } else { &[] },
                SEARCHING,
                STREAM,
            ]),
            _ => Vec::new(),
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

    /// How it moves values from lane to lane.
    fn lanes(self, variant: &Variant) -> Vec<Fragment> {
        let [flows, grows] = match self {
            Self::Survive(task) => [task.flows() || variant.per_thread() > 1, false],
            Self::SurviveBundles(_) => [true, false],
            Self::OutsideBundles(task) => [task.flows(), false],
            Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => [task.flows(), false],
            Self::Resolve(task, _) | Self::OneTile(task) => [true, task.grows()],
            Self::Span(_, Reach::Nearest | Reach::Near) | Self::SpanBundles(_) => [true, false],
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

/// What many kernels are made of, in a variant.
struct Kit<'a> {
    variant: &'a Variant,
    /// Whether a workgroup has few chunks, as with subgroups; else each is an element.
    few: bool,
    lanes: Vec<Fragment>,
    pool: &'static [Fragment],
    along: Vec<Fragment>,
    sums: Fragment,
    sibling_sums: Fragment,
    rects: Vec<Fragment>,
    boxes: Vec<Fragment>,
}

impl<'a> Kit<'a> {
    fn new(kernel: Kernel, variant: &'a Variant) -> Self {
        let few = kernel.uses_subgroups(variant);
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
        Self {
            variant,
            few,
            lanes: kernel.lanes(variant),
            pool: if few { &[part::POOL_LOOP] } else { &[part::POOL_TREE, part::SEARCH] },
            along: vec![if few { part::ALONG_LOOP } else { part::ALONG_TREE }, part::ALONG_CHUNK],
            sums: if few { part::SUMS_SUBGROUPS } else { part::SUMS },
            sibling_sums: if few { part::SIBLING_SUMS_LOOP } else { part::SIBLING_SUMS_TREE },
            rects: join(&[rects, &[part::EDGES]]),
            boxes: join(&[boxes, &[part::EDGES]]),
        }
    }

    /// Rects in and boxes out, with edges once.
    fn both(&self) -> Vec<Fragment> {
        join(&[&self.rects, &self.boxes[..self.boxes.len() - 1]])
    }

    /// Those that compact.
    fn compaction(&self, kernel: Kernel) -> Vec<Fragment> {
        match kernel {
            Kernel::Count => join(&[
                &[part::COUNT, self.sums, part::ROLES, part::GROUP_STORE, part::RANKS],
                &self.lanes,
                STREAM,
            ]),
            Kernel::Scan => join(&[&[part::SCAN, self.sums], STREAM]),
            Kernel::CompactNodes(reach) => join(&[
                &[part::COMPACT_NODES, part::COUNTS_STORE, part::RANKS, part::GROUP_LOAD],
                &[part::ENTRIES, part::WORD, part::BIT],
                match reach {
                    Reach::Far => &[part::COUNTED_FAR],
                    _ => &[part::COUNTED_NEAR],
                },
                STREAM,
            ]),
            Kernel::Compact => join(&[&[part::COMPACT], COMPACT, STREAM]),
            Kernel::OneTileNodes => join(&[
                &[
                    part::ONE_TILE_NODES,
                    part::ROLES,
                    part::GROUP_STORE,
                    part::ROLE_TAGS,
                    part::TAG_ROLE,
                ],
                COMPACT,
                &self.lanes,
                STREAM,
            ]),
            _ => Vec::new(),
        }
    }

    /// What a tile leaves open, and a bundle of them.
    fn survive_bundles(&self, task: Task) -> Vec<Fragment> {
        join(&[&self.survive(task, part::BUNDLE_HOLD), &[part::BUNDLES]])
    }

    /// What a tile leaves open; in runs, `then` says whether those of a workgroup are a bundle.
    fn survive(&self, task: Task, then: Fragment) -> Vec<Fragment> {
        join(&[
            &[part::GROUP_STORE, part::RANKS, part::SURVIVOR, part::LEVELS, task.values()],
            if task.is_nodes() {
                &[part::INDICES, part::GROUP_LOAD]
            } else {
                &[part::INDICES_NOTHING]
            },
            task.role(),
            task.element_of(),
            &if self.variant.per_thread() == 1 {
                join(&[&[part::SURVIVE, part::ROLES, part::ORDER, part::BIT], self.pool])
            } else {
                vec![
                    part::SURVIVE_RUNS,
                    part::RUN,
                    part::KEEP,
                    part::WORD,
                    part::BIT,
                    part::ALONG_CHUNK,
                    then,
                ]
            },
            task.flow(),
            task.flow_stored(),
            task.flow_own(),
            &match (task.flows(), self.variant.per_thread()) {
                (true, 1) => self.along.clone(),
                (true, _) => vec![part::ALONG_BEFORE],
                (false, 1) => vec![part::ALONG_NOTHING],
                (false, _) => vec![part::ALONG_BEFORE_NOTHING],
            },
            &when(task.flows(), &[part::CELLS]),
            &when(task.flows() && !task.is_generic() && task != Task::Host, &self.rects),
            &self.lanes,
            SEARCHING,
            task.stream(),
        ])
    }

    /// What many tiles leave open, level by level.
    fn pyramid(&self, kernel: Kernel, task: Task) -> Vec<Fragment> {
        join(&[
            match kernel {
                Kernel::Gather(_) => &[part::GATHER],
                Kernel::Spine(_) => &[part::SPINE, part::OUTSIDE, part::OUTSIDE_ABOVE],
                _ => &[part::BASES, part::OUTSIDE, part::OUTSIDE_ABOVE, part::HEAP],
            },
            &when(matches!(kernel, Kernel::Bases(_)), &[self.sums]),
            &[part::SIBLINGS, part::SIBLINGS_LEVELS, part::SIBLINGS_SCAN, part::SIBLING_SUMS_TREE],
            &[part::POOL_TREE, part::SEARCH],
            &self.under_siblings(task),
        ])
    }

    /// What flows under siblings, from which their kernels work, whatever they are.
    fn under_siblings(&self, task: Task) -> Vec<Fragment> {
        join(&[
            &[part::LEVELS, task.values()],
            task.flow(),
            task.flow_stored(),
            task.siblings(),
            &when(task.flows(), &self.along),
            &[part::CELLS],
            &self.lanes,
            SEARCHING,
            task.stream(),
        ])
    }

    /// What a tile looks at in others.
    fn outside(&self, task: Task) -> Vec<Fragment> {
        join(&[
            &[part::FIND_OUTSIDE, part::OUTS, part::HEAP, part::HEAP_SEARCH, part::SEARCH],
            &[part::LEVELS, task.values()],
            task.flow(),
            task.flow_stored(),
            &compacting(task),
            SEARCHING,
            task.stream(),
        ])
    }

    /// The same of the tiles of a bundle, where there are few bundles.
    fn outside_bundles(&self, task: Task) -> Vec<Fragment> {
        join(&[
            &[part::OUTSIDE_BUNDLES, part::OUTSIDE_TILES, part::OUTS],
            &[part::SIBLINGS, part::SIBLINGS_BUNDLES, part::BUNDLES],
            &[part::SIBLINGS_SCAN, self.sibling_sums],
            if self.few { &[] } else { self.pool },
            &compacting(task),
            &self.under_siblings(task),
        ])
    }

    /// The elements of a tile, where it reads all before it.
    fn resolve_nearest(&self, task: Task) -> Vec<Fragment> {
        join(&[
            &[part::RESOLVE_NEAREST, part::LEVELS, part::OUTSIDE_NEAREST, part::OUTSIDE_KEPT],
            &[part::SIBLINGS_SCAN],
            &[part::READ_BEFORE, part::WORD, part::ROLES, part::GROUP_STORE, self.sibling_sums],
            &[if task == Task::Host { part::BEYOND_END } else { part::BEYOND_TOP }],
            &[if task.flows() { part::OUTSIDE_FLOWS } else { part::OUTSIDE_FLOWS_NOTHING }],
            task.role(),
            &when(task.flows(), &self.along),
            &when(task.grows(), &[part::TREE_UNIONS, part::SURVIVOR]),
            &self.tile(task, Reach::Nearest),
        ])
    }

    /// The same, where other kernels have.
    fn resolve(&self, task: Task, reach: Reach) -> Vec<Fragment> {
        join(&[
            &[part::RESOLVE, part::LEVELS],
            match task {
                Task::Host => &[part::PLACE_HOST, part::ROLE_HOST, part::BEYOND_END],
                _ if task.is_nodes() => &[part::PLACE_ENTRIES, part::GROUP_LOAD, part::BEYOND_TOP],
                _ => &[part::PLACE_STORED, part::GROUP_LOAD, part::BEYOND_TOP],
            },
            match reach {
                Reach::Far => &[part::OUTSIDE_FAR, part::OUTS],
                _ => &[part::OUTSIDE_NEAR, part::OUTSIDE_KEPT, part::OUTSIDE_SLOT, part::SIBLINGS],
            },
            &when(
                reach == Reach::Near,
                &[part::SIBLINGS_LEVELS, part::SIBLINGS_SCAN, self.sibling_sums],
            ),
            if reach == Reach::Near { task.siblings() } else { &[] },
            &when(task.flows() && reach == Reach::Near, &self.along),
            task.flow_stored(),
            if task.grows() { &[part::TREE_UNIONS] } else { &[] },
            &self.tile(task, reach),
        ])
    }

    /// The same, where there is no other tile.
    fn one_tile(&self, task: Task) -> Vec<Fragment> {
        join(&[
            &[part::ONE_TILE, part::ROLES, part::GROUP_STORE, part::ROLE_TAGS, part::TAG_ROLE],
            &[part::OUTSIDE_ONE_TILE, part::OUTSIDE_KEPT, part::BEYOND_TOP],
            if task.is_scene() {
                &[part::MINE_COMPACT, part::COMPACT_ELEMENT, part::COUNTS_STORE]
            } else {
                &[part::MINE_COMPACT_NOTHING]
            },
            if task.grows() { &[part::TREE_UNIONS_NOTHING] } else { &[] },
            &self.tile(task, Reach::Near),
        ])
    }

    /// What becomes of the elements of a tile.
    fn tile(&self, task: Task, reach: Reach) -> Vec<Fragment> {
        join(&[
            &[part::MINE, part::RANKS, part::ORDER, part::FLOWS, part::OUTSIDE, task.values()],
            self.pool,
            &[if self.few { part::OPENS } else { part::OPENS_APART }, part::BIT],
            &when(task.flows(), &[if self.few { part::PATH_WALK } else { part::PATH_JUMP }]),
            &task.through(self.few),
            &when(
                task.grows(),
                &[if reach == Reach::Nearest { part::ENDS_NEAREST } else { part::ENDS_NOTHING }],
            ),
            task.emit(),
            &when(task != Task::Host && !task.is_nodes(), &[part::EMIT_ASK_NOTHING]),
            &task.draws(reach),
            task.flow(),
            task.flow_own(),
            task.element_of(),
            &when(!task.is_generic() && task != Task::Host, &self.both()),
            &[task.grow()][..usize::from(task.grows())],
            &self.lanes,
            SEARCHING,
            task.stream(),
        ])
    }

    /// The tree over the tiles.
    fn build(&self, task: Task) -> Vec<Fragment> {
        join(&[
            &[part::BUILD, part::FOLD, part::FOLD_GROW, part::TREE_UNIONS],
            &[task.grow(), task.values()],
            task.stream(),
        ])
    }

    /// Nodes that go on in other tiles.
    fn span(&self, kernel: Kernel, task: Task) -> Vec<Fragment> {
        let is_nearest = matches!(kernel, Kernel::Span(_, Reach::Nearest));
        join(&[
            &[part::SPAN, part::TREE_UNIONS, task.grow(), task.values()],
            &[part::LEVELS, part::BICYCLIC],
            match task {
                _ if task.is_scene() => &[part::SPAN_SURVIVOR_NODE, part::SURVIVOR],
                _ if task.is_nodes() => &[part::SPAN_SURVIVOR_ENTRY],
                _ => &[part::SPAN_SURVIVOR],
            },
            &[if is_nearest { part::SLOTS_NEAREST } else { part::SLOTS_SLICE }],
            &match kernel {
                Kernel::Span(_, Reach::Far) => vec![part::RANGE_FAR],
                Kernel::SpanBundles(_) => join(&[&[part::RANGE_BUNDLES], &self.later(false)]),
                _ => join(&[&[part::RANGE_TILES], &self.later(is_nearest)]),
            },
            &self.lanes,
            match task {
                Task::LeafFix => &[part::SPAN_SUBTREE],
                _ if task.is_bounds() => &[part::SPAN_ELEMENTS],
                _ if task.is_nodes() => &[part::SPAN_NODES],
                _ => &[part::SPAN_CONTENTS],
            },
            &if kernel.compacts() {
                join(&[&[part::SPAN_COMPACT], COMPACT])
            } else {
                join(&[
                    &[part::SPAN_ALONE],
                    &when(task.is_scene() || task.is_nodes(), &[part::RANKS]),
                ])
            },
            task.stream(),
            task.element_of(),
            &when(!task.is_generic(), &self.boxes),
        ])
    }

    /// Products over later tiles or bundles. Without subgroups there are few chunks only where there are few of these.
    fn later(&self, are_few: bool) -> Vec<Fragment> {
        let along = if self.few || are_few {
            vec![part::LATER_CHUNKS, part::ALONG_CHUNK]
        } else {
            join(&[&[part::LATER_THREADS], &self.along])
        };
        join(&[&along, &[part::FLOW_GROWS, part::CELLS]])
    }

    /// Those that bin.
    fn binning(&self, kernel: Kernel) -> Vec<Fragment> {
        match kernel {
            Kernel::BinFew => join(&[
                &[part::BIN_FEW, part::BIN_BOUNDS, part::BOXES_F32, part::BIN_MEASURE],
                &[part::BIN_ELEMENTS, part::BIN_STATUS, self.sums],
                &self.lanes,
            ]),
            Kernel::BinCount => join(&[
                &[part::BIN_COUNT, part::BIN_BOUNDS, part::BOXES_F32, part::BIN_MEASURE],
                &[
                    part::BIN_ELEMENTS,
                    part::BIN,
                    part::BIN_CHILDREN,
                    part::BIN_FAN,
                    part::SATURATING_SUM,
                ],
            ]),
            Kernel::BinScan => join(&[
                &[part::BIN_SCAN, part::BIN_ELEMENTS, part::BIN, part::BIN_FAN],
                &[part::SATURATING_SUM],
            ]),
            Kernel::BinSums => join(&[
                &[part::BIN_SUMS, part::BIN_STATUS, part::BIN_ELEMENTS, part::BIN],
                &[part::BIN_CHILDREN, part::BIN_FAN, part::SATURATING_SUM],
            ]),
            Kernel::BinPieces => vec![
                part::BIN_PIECES,
                part::BIN_BOUNDS,
                part::BOXES_F32,
                part::BIN_MEASURE,
                part::BIN_ELEMENTS,
                part::BIN_STATUS,
                part::BIN_WINDOW,
                part::BIN_FAN,
                part::BIN_BATCH,
                part::BIN_SIDES,
            ],
            Kernel::BinEmit(reach) => join(&[
                &[part::BIN_EMIT, part::BIN_ELEMENTS, part::BIN, part::BIN_CHILDREN, part::BIN_FAN],
                &[part::BIN_BATCH, part::BIN_SIDES],
                match reach {
                    Reach::Far => &[part::BIN_PLACES_FAR],
                    _ => &[part::BIN_PLACES_NEAR, part::BIN_STATUS],
                },
            ]),
            _ => Vec::new(),
        }
    }
}

/// Compaction by who finds what is outside, of a scene.
fn compacting(task: Task) -> Vec<Fragment> {
    if task.is_scene() {
        join(&[&[part::OUTSIDE_COMPACT], COMPACT])
    } else {
        vec![part::OUTSIDE_ALONE]
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

/// The list, if it is wanted.
fn when(wanted: bool, list: &[Fragment]) -> Vec<Fragment> {
    if wanted { list.to_vec() } else { Vec::new() }
}
