//! The kernels: which fragments each is made of, and which buffers it uses.

use crate::binding::{Access, Binding};
use crate::fragment::{self as part, Fragment};
use crate::{Variant, VariantError};

/// A kernel. Its WGSL file says what it does, thread by thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Counts the nodes of each tile of elements.
    Count,
    /// Builds the tree over those counts.
    BuildCounts,
    /// Compacts the nodes out of all elements.
    Compact,
    /// Reduces each tile of nodes; clips flow along.
    Reduce,
    /// Builds the bicyclic tree over the tiles of nodes.
    BuildTiles,
    /// Finds on what each tile's stack stands.
    Parents,
    /// Lets clips reach twice as far back over the tiles.
    Jump,
    /// Links and clips of all nodes.
    Resolve,
    /// Bounds of draws and of non-local blends.
    Draws,
    /// Builds the tree of unions over chunks of elements.
    BuildUnions,
    /// Contents of all nodes.
    Contents,
    /// Bounds of nodes, scattered to their elements.
    Scatter,
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
    /// Binning: counts the items of each chunk that touch each child.
    BinCount,
    /// The same on the first level, and bounds of nodes, scattered to their elements.
    BinScatter,
    /// Binning: scans each tile of those counts.
    BinScan,
    /// Binning: scans the sums of the tiles; the status; the next level.
    BinSums,
    /// Binning: the lists of the children.
    BinEmit,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 22] = [
        Self::Count,
        Self::BuildCounts,
        Self::Compact,
        Self::Reduce,
        Self::BuildTiles,
        Self::Parents,
        Self::Jump,
        Self::Resolve,
        Self::Draws,
        Self::BuildUnions,
        Self::Contents,
        Self::Scatter,
        Self::MatchReduce,
        Self::MatchReduceBits,
        Self::MatchBuild,
        Self::MatchResolve,
        Self::MatchResolveBits,
        Self::BinCount,
        Self::BinScatter,
        Self::BinScan,
        Self::BinSums,
        Self::BinEmit,
    ];

    /// Its name, for labels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::BuildCounts => "build counts",
            Self::Compact => "compact",
            Self::Reduce => "reduce",
            Self::BuildTiles => "build tiles",
            Self::Parents => "parents",
            Self::Jump => "jump",
            Self::Resolve => "resolve",
            Self::Draws => "draws",
            Self::BuildUnions => "build unions",
            Self::Contents => "contents",
            Self::Scatter => "scatter",
            Self::MatchReduce => "match reduce",
            Self::MatchReduceBits => "match reduce bits",
            Self::MatchBuild => "match build",
            Self::MatchResolve => "match resolve",
            Self::MatchResolveBits => "match resolve bits",
            Self::BinCount => "bin count",
            Self::BinScatter => "bin scatter",
            Self::BinScan => "bin scan",
            Self::BinSums => "bin sums",
            Self::BinEmit => "bin emit",
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
            Self::BuildCounts => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Level, Uniform),
                (B::Words, ReadWrite),
            ],
            Self::Compact => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, ReadWrite),
                (B::Tags, Read),
                (B::NodesBefore, ReadWrite),
                (B::NodeElements, ReadWrite),
                (B::Words, ReadWrite),
            ],
            Self::Reduce => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, Uniform),
                (B::Rects, Read),
                (B::NodeElements, Read),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::BuildTiles => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Level, Uniform),
                (B::Counts, Uniform),
                (B::Words, ReadWrite),
            ],
            Self::Parents => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, Uniform),
                (B::Rects, Read),
                (B::NodeElements, Read),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::Jump => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Level, Uniform),
                (B::Counts, Uniform),
                (B::Rects, Read),
                (B::NodeElements, Read),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::Resolve => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, Uniform),
                (B::Rects, Read),
                (B::NodeElements, Read),
                (B::Links, ReadWrite),
                (B::Clips, ReadWrite),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::Draws => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Tags, Read),
                (B::Rects, Read),
                (B::NodesBefore, Read),
                (B::Clips, Read),
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
            Self::Contents => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, Uniform),
                (B::NodeElements, Read),
                (B::Links, Read),
                (B::Contents, ReadWrite),
                (B::Bounds, Read),
                (B::Words, ReadWrite),
                (B::Boxes, ReadWrite),
            ],
            Self::Scatter => &[
                (B::Params, Uniform),
                (B::Plan, Uniform),
                (B::Counts, Uniform),
                (B::NodeElements, Read),
                (B::Contents, Read),
                (B::Bounds, ReadWrite),
                (B::Words, ReadWrite),
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
            Self::BinCount => &[
                (B::Params, Uniform),
                (B::Bounds, Read),
                (B::Words, ReadWrite),
                (B::Bin, Uniform),
                (B::BinStatus, Read),
            ],
            Self::BinScatter => &[
                (B::Params, Uniform),
                (B::Counts, Uniform),
                (B::Tags, Read),
                (B::NodesBefore, Read),
                (B::Links, Read),
                (B::Contents, Read),
                (B::Bounds, ReadWrite),
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
            Self::BinEmit => &[
                (B::Params, Uniform),
                (B::Words, ReadWrite),
                (B::Bin, Uniform),
                (B::BinStatus, Read),
                (B::BinHeaders, ReadWrite),
                (B::BinEntries, ReadWrite),
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
            Self::MatchResolve | Self::MatchResolveBits => variant.match_room(),
            _ => 2,
        };
        each * variant.workgroup_size()
    }

    /// The fragments it is made of, but for the entry and the block tree, of
    /// which the variant decides.
    pub(crate) fn fragments(self, variant: &Variant) -> Vec<Fragment> {
        let counting =
            [part::ELEMENTS, part::BICYCLIC, part::TREE_WORDS.about("counts"), part::TREE_COUNTS];
        let searching = [part::BICYCLIC, part::FOUND];
        let nodes = [part::ELEMENTS, part::ITEMS_NODES];
        let stream = [part::ELEMENTS, part::ITEMS_STREAM];
        let clips = [part::RECT, part::FLOW_CLIP];
        let block = part::SEARCH.about("block");
        let tile_search =
            [part::TREE_WORDS.about("tiles"), part::TREE_TILES, part::SEARCH.about("tiles")];
        match self {
            Self::Count => join(&[&[part::COUNT], &counting]),
            Self::BuildCounts => join(&[&[part::BUILD.about("counts")], &counting]),
            Self::Compact => join(&[
                &[part::COMPACT, part::FOUND, block, part::SEARCH.about("counts")],
                &counting,
            ]),
            Self::Reduce => join(&[
                &[
                    part::REDUCE,
                    part::THREAD,
                    part::THREAD_ITEMS,
                    part::BLOCK_PRODUCT,
                    part::FLOW_SETTLE,
                ],
                &[block, part::TREE_WORDS.about("tiles"), part::TREE_TILES],
                &searching,
                &nodes,
                &clips,
            ]),
            Self::BuildTiles => join(&[
                &[
                    part::BUILD.about("tiles"),
                    part::BICYCLIC,
                    part::TREE_WORDS.about("tiles"),
                    part::TREE_TILES,
                ],
                &nodes,
            ]),
            Self::Parents => {
                join(&[&[part::PARENTS, part::SLICE], &searching, &tile_search, &nodes, &clips])
            }
            Self::Jump => join(&[
                &[part::JUMP, part::BICYCLIC, part::TREE_WORDS.about("tiles"), part::TREE_TILES],
                &nodes,
                &clips,
            ]),
            Self::Resolve => join(&[
                &[
                    part::RESOLVE,
                    part::THREAD,
                    part::THREAD_ITEMS,
                    part::BLOCK_PRODUCT,
                    part::FLOW_SETTLE,
                ],
                &[block, part::EMIT_CLIPS, part::SLICE],
                &searching,
                &tile_search,
                &nodes,
                &clips,
            ]),
            Self::Draws => vec![part::DRAWS, part::ELEMENTS, part::RECT, part::TREE_UNIONS],
            Self::BuildUnions => vec![
                part::BUILD.about("unions"),
                part::ELEMENTS,
                part::RECT,
                part::UNION,
                part::TREE_UNIONS,
            ],
            Self::Contents => join(&[&[part::CONTENTS, part::RECT, part::TREE_UNIONS], &nodes]),
            Self::Scatter => join(&[&[part::SCATTER], &nodes]),
            Self::MatchReduce | Self::MatchReduceBits => join(&[
                &[part::MATCH_REDUCE, part::MATCH_THREAD, part::MATCH_PYRAMID, block],
                self.match_input(variant),
                &[part::MATCH_SLICE, match_between(variant)],
                &searching,
                &stream,
                &[part::TREE_TILES],
            ]),
            Self::BinCount => vec![part::BIN_COUNT, part::BIN_BOUNDS, part::BIN, part::SUM],
            Self::BinScatter => vec![part::BIN_COUNT, part::BIN_SCATTER, part::BIN, part::SUM],
            Self::BinScan => {
                vec![part::BIN_SCAN, part::BIN, part::SUM]
            }
            Self::BinSums => vec![part::BIN_SUMS, part::BIN, part::SUM],
            Self::BinEmit => vec![part::BIN_EMIT, part::BIN],
            Self::MatchBuild => join(&[
                &[part::MATCH_BUILD, part::MATCH_PYRAMID, part::BICYCLIC, part::TREE_TILES],
                &stream,
            ]),
            Self::MatchResolve | Self::MatchResolveBits => join(&[
                &[part::MATCH_RESOLVE, part::MATCH_OUTSIDE, part::MATCH_THREAD],
                &[part::MATCH_PYRAMID, block, match_between(variant)],
                match_together(variant),
                if variant.reads_twice() { self.match_input(variant) } else { &[] },
                &searching,
                &stream,
                &[part::TREE_TILES],
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

    /// Whether its threads work together, over a tree in workgroup memory.
    pub(crate) const fn is_cooperative(self) -> bool {
        !matches!(
            self,
            Self::Parents
                | Self::Jump
                | Self::Draws
                | Self::Contents
                | Self::Scatter
                | Self::BinEmit
        )
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
