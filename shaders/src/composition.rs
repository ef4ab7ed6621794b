//! Which fragments each kernel is made of.

use crate::fragment::{self as part, Fragment};
use crate::kernel::{Kernel, Reach};
use crate::variant::{Kept, RectFormat};
use crate::{Task, Variant};

impl Kernel {
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
        let compact = [
            part::COMPACT_TILE,
            part::COMPACT_ELEMENT,
            part::COUNTS_STORE,
            part::RANKS,
            part::GROUP_LOAD,
        ];
        // What becomes of the elements of a tile.
        let tile = |task: Task, reach: Reach| {
            join(&[
                &[part::MINE, part::RANKS, part::ORDER, part::FLOWS, part::OUTSIDE, task.values()],
                pool,
                &[if few { part::OPENS } else { part::OPENS_APART }, part::BIT],
                &when(task.flows(), &[if few { part::PATH_WALK } else { part::PATH_JUMP }]),
                &task.through(few),
                &when(
                    task.grows(),
                    &[if reach == Reach::Nearest {
                        part::ENDS_NEAREST
                    } else {
                        part::ENDS_NOTHING
                    }],
                ),
                task.emit(),
                &when(task != Task::Host && !task.is_nodes(), &[part::EMIT_ASK_NOTHING]),
                &task.draws(reach),
                task.flow(),
                task.flow_own(),
                task.element_of(),
                &when(!task.is_generic() && task != Task::Host, &both),
                &[task.grow()][..usize::from(task.grows())],
                &lanes,
                &searching,
                task.stream(),
            ])
        };
        match self {
            Self::Count => join(&[
                &[part::COUNT, sums, part::ROLES, part::GROUP_STORE, part::RANKS],
                &lanes,
                &stream,
            ]),
            Self::Scan => join(&[&[part::SCAN, sums], &stream]),
            Self::CompactNodes(reach) => join(&[
                &[part::COMPACT_NODES, part::COUNTS_STORE, part::RANKS, part::GROUP_LOAD],
                &[part::ENTRIES, part::WORD, part::BIT],
                match reach {
                    Reach::Far => &[part::COUNTED_FAR],
                    _ => &[part::COUNTED_NEAR],
                },
                &stream,
            ]),
            Self::Compact => join(&[&[part::COMPACT], &compact, &stream]),
            Self::OneTileNodes => join(&[
                &[
                    part::ONE_TILE_NODES,
                    part::ROLES,
                    part::GROUP_STORE,
                    part::ROLE_TAGS,
                    part::TAG_ROLE,
                ],
                &compact,
                &lanes,
                &stream,
            ]),
            Self::Survive(task) => join(&[
                &[part::GROUP_STORE, part::RANKS, part::SURVIVOR, part::LEVELS, task.values()],
                task.role(),
                task.element_of(),
                &if variant.per_thread() == 1 {
                    join(&[&[part::SURVIVE, part::ROLES, part::ORDER, part::BIT], pool])
                } else {
                    vec![
                        part::SURVIVE_RUNS,
                        part::RUN,
                        part::KEEP,
                        part::WORD,
                        part::BIT,
                        part::ALONG_CHUNK,
                    ]
                },
                task.flow(),
                task.flow_stored(),
                task.flow_own(),
                &match (task.flows(), variant.per_thread()) {
                    (true, 1) => along,
                    (true, _) => vec![part::ALONG_BEFORE],
                    (false, 1) => vec![part::ALONG_NOTHING],
                    (false, _) => vec![part::ALONG_BEFORE_NOTHING],
                },
                &when(task.flows(), &[part::CELLS]),
                &when(task.flows() && !task.is_generic() && task != Task::Host, &rects),
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
                &[part::SIBLINGS, part::SIBLINGS_SCAN, part::SIBLING_SUMS_TREE],
                &[part::POOL_TREE, part::SEARCH],
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
            Self::Resolve(task, Reach::Nearest) => join(&[
                &[part::RESOLVE_NEAREST, part::LEVELS, part::OUTSIDE_NEAREST, part::OUTSIDE_KEPT],
                &[part::SIBLINGS_SCAN],
                &[part::READ_BEFORE, part::WORD, part::ROLES, part::GROUP_STORE, sibling_sums],
                &[if task == Task::Host { part::BEYOND_END } else { part::BEYOND_TOP }],
                &[if task.flows() { part::OUTSIDE_FLOWS } else { part::OUTSIDE_FLOWS_NOTHING }],
                task.role(),
                &when(task.flows(), &along),
                &when(task.grows(), &[part::TREE_UNIONS, part::SURVIVOR]),
                &tile(task, Reach::Nearest),
            ]),
            Self::Resolve(task, reach) => join(&[
                &[part::RESOLVE, part::LEVELS],
                match task {
                    Task::Host => &[part::PLACE_HOST, part::ROLE_HOST, part::BEYOND_END],
                    _ if task.is_nodes() => {
                        &[part::PLACE_ENTRIES, part::GROUP_LOAD, part::BEYOND_TOP]
                    }
                    _ => &[part::PLACE_STORED, part::GROUP_LOAD, part::BEYOND_TOP],
                },
                match reach {
                    Reach::Far => &[part::OUTSIDE_FAR, part::OUTS],
                    _ => &[
                        part::OUTSIDE_NEAR,
                        part::OUTSIDE_KEPT,
                        part::OUTSIDE_SLOT,
                        part::SIBLINGS,
                    ],
                },
                &when(reach == Reach::Near, &[part::SIBLINGS_SCAN, sibling_sums]),
                if reach == Reach::Near { task.siblings() } else { &[] },
                &when(task.flows() && reach == Reach::Near, &along),
                task.flow_stored(),
                if task.grows() { &[part::TREE_UNIONS] } else { &[] },
                &tile(task, reach),
            ]),
            Self::OneTile(task) => join(&[
                &[part::ONE_TILE, part::ROLES, part::GROUP_STORE, part::ROLE_TAGS, part::TAG_ROLE],
                &[part::OUTSIDE_ONE_TILE, part::OUTSIDE_KEPT, part::BEYOND_TOP],
                if task.is_scene() {
                    &[part::MINE_COMPACT, part::COMPACT_ELEMENT, part::COUNTS_STORE]
                } else {
                    &[part::MINE_COMPACT_NOTHING]
                },
                if task.grows() { &[part::TREE_UNIONS_NOTHING] } else { &[] },
                &tile(task, Reach::Near),
            ]),
            Self::Outside(task) => join(&[
                &[part::FIND_OUTSIDE, part::OUTS, part::HEAP, part::HEAP_SEARCH, part::SEARCH],
                &[part::LEVELS, task.values()],
                task.flow(),
                task.flow_stored(),
                &if task.is_scene() {
                    join(&[&[part::OUTSIDE_COMPACT], &compact])
                } else {
                    vec![part::OUTSIDE_ALONE]
                },
                &searching,
                task.stream(),
            ]),
            Self::BuildUnions(task) => join(&[
                &[part::BUILD, part::FOLD, part::FOLD_GROW, part::TREE_UNIONS],
                &[task.grow(), task.values()],
                task.stream(),
            ]),
            Self::Span(task, reach) => join(&[
                &[part::SPAN, part::TREE_UNIONS, task.grow(), task.values()],
                &[part::LEVELS, part::BICYCLIC],
                match task {
                    _ if task.is_scene() => &[part::SPAN_SURVIVOR_NODE, part::SURVIVOR],
                    _ if task.is_nodes() => &[part::SPAN_SURVIVOR_ENTRY],
                    _ => &[part::SPAN_SURVIVOR],
                },
                &[if reach == Reach::Nearest { part::SLOTS_NEAREST } else { part::SLOTS_SLICE }],
                &match reach {
                    Reach::Far => vec![part::RANGE_FAR],
                    // Without subgroups there are few chunks only where there are few tiles.
                    Reach::Near if !few => {
                        join(&[&[part::RANGE_TILES, part::RANGE_THREADS], &along])
                    }
                    _ => vec![part::RANGE_TILES, part::RANGE_CHUNKS, part::ALONG_CHUNK],
                },
                &when(reach != Reach::Far, &[part::FLOW_GROWS, part::CELLS]),
                &lanes,
                match task {
                    Task::LeafFix => &[part::SPAN_SUBTREE],
                    _ if task.is_bounds() => &[part::SPAN_ELEMENTS],
                    _ if task.is_nodes() => &[part::SPAN_NODES],
                    _ => &[part::SPAN_CONTENTS],
                },
                &if self.compacts() {
                    join(&[&[part::SPAN_COMPACT], &compact])
                } else {
                    join(&[
                        &[part::SPAN_ALONE],
                        &when(task.is_scene() || task.is_nodes(), &[part::RANKS]),
                    ])
                },
                task.stream(),
                task.element_of(),
                &when(!task.is_generic(), &boxes),
            ]),
            Self::MatchReduce | Self::MatchReduceBits => join(&[
                &[part::MATCH_REDUCE, part::MATCH_THREAD, part::WORD, part::BIT],
                &[part::MATCH_PYRAMID, block],
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
                &[part::BIN_SCAN, part::BIN_ELEMENTS, part::BIN, part::BIN_FAN],
                &[part::SATURATING_SUM],
            ]),
            Self::BinSums => join(&[
                &[part::BIN_SUMS, part::BIN_STATUS, part::BIN_ELEMENTS, part::BIN],
                &[part::BIN_CHILDREN, part::BIN_FAN, part::SATURATING_SUM],
            ]),
            Self::BinPieces => vec![
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
            Self::BinEmit(reach) => join(&[
                &[part::BIN_EMIT, part::BIN_ELEMENTS, part::BIN, part::BIN_CHILDREN, part::BIN_FAN],
                &[part::BIN_BATCH, part::BIN_SIDES],
                match reach {
                    Reach::Far => &[part::BIN_PLACES_FAR],
                    _ => &[part::BIN_PLACES_NEAR, part::BIN_STATUS],
                },
            ]),
            Self::MatchBuild => {
                join(&[&[part::MATCH_BUILD, part::MATCH_PYRAMID, part::BICYCLIC], &stream])
            }
            Self::MatchResolve | Self::MatchResolveBits => join(&[
                &[part::MATCH_RESOLVE, part::MATCH_OUTSIDE, part::MATCH_THREAD],
                &[part::WORD, part::BIT],
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
            Self::Gather(task) | Self::Spine(task) | Self::Bases(task) => [task.flows(), false],
            Self::Resolve(task, _) | Self::OneTile(task) => [true, task.grows()],
            Self::Span(_, Reach::Nearest | Reach::Near) => [true, false],
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
