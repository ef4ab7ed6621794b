//! The kernels: which fragments each is made of, and which buffers it uses.

use crate::binding::{Access, Binding};
use crate::fragment::{self as part, Fragment};
use crate::{Variant, VariantError};

/// A kernel. Its WGSL file says what it does, thread by thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Counts the nodes of each tile of elements.
    Count,
    /// Sums those counts.
    Scan,
    /// Compacts the nodes out of all elements.
    Compact,
    /// Lists what each tile leaves open; clips flow along.
    Survive,
    /// Carries clips from tile to tile, group by group of tiles.
    Spine,
    /// Carries clips from group to group.
    Bases,
    /// Links and clips of all nodes, bounds of draws, and contents within each tile.
    Resolve,
    /// Builds the tree of unions over the tiles.
    BuildUnions,
    /// Contents of nodes that go on in another tile.
    Span,
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
    /// Matching for the stage: the top of the stack before every element.
    MatchTops,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 15] = [
        Self::Count,
        Self::Scan,
        Self::Compact,
        Self::Survive,
        Self::Spine,
        Self::Bases,
        Self::Resolve,
        Self::BuildUnions,
        Self::Span,
        Self::MatchReduce,
        Self::MatchReduceBits,
        Self::MatchBuild,
        Self::MatchResolve,
        Self::MatchResolveBits,
        Self::MatchTops,
    ];

    /// Its name, for labels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Scan => "scan",
            Self::Compact => "compact",
            Self::Survive => "survive",
            Self::Spine => "spine",
            Self::Bases => "bases",
            Self::Resolve => "resolve",
            Self::BuildUnions => "build unions",
            Self::Span => "span",
            Self::MatchReduce => "match reduce",
            Self::MatchReduceBits => "match reduce bits",
            Self::MatchBuild => "match build",
            Self::MatchResolve => "match resolve",
            Self::MatchResolveBits => "match resolve bits",
            Self::MatchTops => "match tops",
        }
    }

    /// The buffers it uses, by number.
    pub const fn bindings(self) -> &'static [(Binding, Access)] {
        use Access::{Read, ReadWrite, Uniform};
        use Binding as B;
        match self {
            Self::Count => {
                &[(B::Params, Uniform), (B::Plan, Uniform), (B::Tags, Read), (B::Words, ReadWrite)]
            }
            Self::Scan => &[(B::Params, Uniform), (B::Plan, Uniform), (B::Words, ReadWrite)],
            Self::Compact => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::Tags, Read),
                (B::NodesBefore, ReadWrite),
                (B::NodeElements, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::Survive => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Tags, Read),
                (B::Tops, Read),
                (B::Rects, Read),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::Spine | Self::Bases => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::Resolve => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Tops, Read),
                (B::Rects, Read),
                (B::Links, ReadWrite),
                (B::Clips, ReadWrite),
                (B::Contents, ReadWrite),
                (B::Bounds, ReadWrite),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::BuildUnions => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Level, Uniform),
                (B::Boxes, ReadWrite),
            ],
            Self::Span => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Tags, Read),
                (B::Contents, ReadWrite),
                (B::Bounds, ReadWrite),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
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
            Self::MatchResolve | Self::MatchTops => &[
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
                | Self::MatchTops
        )
    }

    /// That there is such a kernel.
    ///
    /// # Errors
    /// [`Variant::check_matching`] for those of matching alone.
    pub fn check(self, variant: &Variant) -> Result<(), VariantError> {
        if self.is_matching() { variant.check_matching() } else { variant.check_stage() }
    }

    /// How many values the tree over a workgroup's threads has room for: two a
    /// thread, or what the kernel keeps there afterwards.
    pub(crate) const fn block_room(self, variant: &Variant) -> u32 {
        let each = match self {
            Self::MatchResolve | Self::MatchResolveBits | Self::MatchTops => variant.match_room(),
            _ => 2,
        };
        each * variant.workgroup_size()
    }

    /// The fragments it is made of, but for the entry and the block tree, of
    /// which the variant decides.
    pub(crate) fn fragments(self, variant: &Variant) -> Vec<Fragment> {
        let searching = [part::BICYCLIC, part::FOUND];
        let stream = [part::ELEMENTS, part::ITEMS_STREAM, part::TREE_TILES];
        let clips = [part::RECT, part::FLOW_CLIP];
        let block = part::SEARCH.about("block");
        let sums = if variant.subgroups() { part::SUMS_SUBGROUPS } else { part::SUMS };
        match self {
            Self::Count => join(&[&[part::COUNT, sums], &stream]),
            Self::Scan => join(&[&[part::SCAN, sums], &stream]),
            Self::Compact => {
                join(&[&[part::COMPACT, part::ROLES, part::ROLES_TAGS, part::RANKS, sums], &stream])
            }
            Self::Survive => join(&[
                &[part::SURVIVE, part::ROLES, part::ROLES_TAGS, sums],
                &[part::FOLD, part::FOLD_FLOW, part::FLOW_OWN],
                &stream,
                &clips,
            ]),
            Self::Spine => join(&[&[part::SPINE, sums], &stream, &clips]),
            Self::Bases => join(&[&[part::BASES, sums], &stream, &clips]),
            Self::Resolve => join(&[
                &[part::RESOLVE, part::ROLES, part::RANKS, sums, part::FLOW_OWN],
                &[part::FOLD, part::FOLD_GROW, part::GROW_UNION, part::TREE_UNIONS],
                &stream,
                &clips,
            ]),
            Self::BuildUnions => join(&[
                &[part::BUILD.about("unions"), part::RECT, part::UNION, part::TREE_UNIONS],
                &stream,
            ]),
            Self::Span => {
                join(&[&[part::SPAN, part::RECT, part::TREE_UNIONS, part::RANGE_UNIONS], &stream])
            }
            Self::MatchReduce | Self::MatchReduceBits => join(&[
                &[part::MATCH_REDUCE, part::MATCH_THREAD, part::MATCH_PYRAMID, block],
                self.match_input(variant),
                &[part::MATCH_SLICE, match_between(variant)],
                &searching,
                &stream,
            ]),
            Self::MatchBuild => {
                join(&[&[part::MATCH_BUILD, part::MATCH_PYRAMID, part::BICYCLIC], &stream])
            }
            Self::MatchResolve | Self::MatchResolveBits | Self::MatchTops => join(&[
                &[part::MATCH_RESOLVE, part::MATCH_OUTSIDE, part::MATCH_THREAD],
                &[part::MATCH_PYRAMID, block, match_between(variant)],
                match_together(variant),
                if variant.reads_twice() { self.match_input(variant) } else { &[] },
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
        self.is_matching() || matches!(self, Self::BuildUnions)
    }

    /// Whether its threads work together, over a tree in workgroup memory.
    pub(crate) const fn is_cooperative(self) -> bool {
        !matches!(self, Self::Span)
    }
}

/// What matching alone keeps of the elements between its two passes.
const fn match_between(variant: &Variant) -> Fragment {
    if variant.reads_twice() { part::MATCH_AGAIN } else { part::MATCH_PACKED }
}

/// How the threads of matching alone work together: where a search begins, and how
/// links come into order.
const fn match_together(variant: &Variant) -> &'static [Fragment] {
    if variant.subgroups() {
        &[part::MATCH_NEAR_SUBGROUPS, part::MATCH_ROWS_SUBGROUPS]
    } else {
        &[part::MATCH_NEAR, part::MATCH_ROWS]
    }
}

fn join(lists: &[&[Fragment]]) -> Vec<Fragment> {
    lists.concat()
}
