//! Fragments: pieces of WGSL, each in a file of its own.

/// A piece of WGSL, perhaps under another name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub(crate) file: &'static str,
    pub(crate) source: &'static str,
    /// What stands for `heap` in it, where it is about any tree.
    pub(crate) heap: Option<&'static str>,
}

impl Fragment {
    /// The same fragment about the tree of this name.
    pub(crate) const fn about(self, heap: &'static str) -> Self {
        Self { heap: Some(heap), ..self }
    }

    pub(crate) fn text(&self) -> String {
        match self.heap {
            Some(heap) => self.source.replace("heap_", &format!("{heap}_")),
            None => self.source.to_owned(),
        }
    }
}

macro_rules! fragments {
    ($($name:ident = $file:literal,)*) => {
        $(pub(crate) const $name: Fragment = Fragment {
            file: $file,
            source: include_str!(concat!("../wgsl/", $file)),
            heap: None,
        };)*
    };
}

fragments! {
    ENTRY = "parts/entry.wgsl",
    ENTRY_SUBGROUPS = "parts/entry_subgroups.wgsl",
    BLOCK = "parts/block.wgsl",
    BLOCK_SUBGROUPS = "parts/block_subgroups.wgsl",
    BICYCLIC = "parts/bicyclic.wgsl",
    RECT = "parts/rect.wgsl",
    FOUND = "parts/found.wgsl",
    SEARCH = "parts/search.wgsl",
    TREE_TILES = "parts/tree_tiles.wgsl",
    TREE_UNIONS = "parts/tree_unions.wgsl",
    ELEMENTS = "parts/elements.wgsl",
    ITEMS_STREAM = "parts/items_stream.wgsl",
    MATCH_THREAD = "parts/match_thread.wgsl",
    MATCH_ROLE = "parts/match_role.wgsl",
    MATCH_TAGS = "parts/match_tags.wgsl",
    MATCH_BITS = "parts/match_bits.wgsl",
    MATCH_DIRECT = "parts/match_direct.wgsl",
    MATCH_DIRECT_ALONE = "parts/match_direct_alone.wgsl",
    MATCH_GATHER = "parts/match_gather.wgsl",
    MATCH_SLICE = "parts/match_slice.wgsl",
    MATCH_NEAR = "parts/match_near.wgsl",
    MATCH_NEAR_SUBGROUPS = "parts/match_near_subgroups.wgsl",
    MATCH_ROWS = "parts/match_rows.wgsl",
    MATCH_ROWS_SUBGROUPS = "parts/match_rows_subgroups.wgsl",
    MATCH_PACKED = "parts/match_packed.wgsl",
    MATCH_HALVES = "parts/match_halves.wgsl",
    MATCH_AGAIN = "parts/match_again.wgsl",
    MATCH_PYRAMID = "parts/match_pyramid.wgsl",
    MATCH_OUTSIDE = "parts/match_outside.wgsl",
    FLOW_OWN = "parts/flow_own.wgsl",
    FLOW_CLIP = "parts/flow_clip.wgsl",
    FLOW_MONOID = "parts/flow_monoid.wgsl",
    FLOW_NOTHING = "parts/flow_nothing.wgsl",
    FLOW_OWN_MONOID = "parts/flow_own_monoid.wgsl",
    GROW_MONOID = "parts/grow_monoid.wgsl",
    FOLD_GROW_THREADS = "parts/fold_grow_threads.wgsl",
    CELLS = "parts/cells.wgsl",
    DOWN = "parts/down.wgsl",
    DOWN_NOTHING = "parts/down_nothing.wgsl",
    UP = "parts/up.wgsl",
    UP_NOTHING = "parts/up_nothing.wgsl",
    EMIT_SCENE = "parts/emit_scene.wgsl",
    EMIT_CONTENTS = "parts/emit_contents.wgsl",
    EMIT_CLIPS = "parts/emit_clips.wgsl",
    EMIT_BLENDS = "parts/emit_blends.wgsl",
    EMIT_ROOT = "parts/emit_root.wgsl",
    EMIT_SUBTREE = "parts/emit_subtree.wgsl",
    CLIP_OF = "parts/clip_of.wgsl",
    SPAN_CONTENTS = "parts/span_contents.wgsl",
    SPAN_SUBTREE = "parts/span_subtree.wgsl",
    MONOID = "parts/monoid.wgsl",
    RECTS_F32 = "parts/rects_f32.wgsl",
    RECTS_I32 = "parts/rects_i32.wgsl",
    RECTS_I16 = "parts/rects_i16.wgsl",
    RECTS_PATH = "parts/rects_path.wgsl",
    EDGES = "parts/edges.wgsl",
    BOXES_F32 = "parts/boxes_f32.wgsl",
    BOXES_I32 = "parts/boxes_i32.wgsl",
    BOXES_I16 = "parts/boxes_i16.wgsl",
    OUTWARD = "parts/outward.wgsl",
    GROW_UNION = "parts/grow_union.wgsl",
    FOLD = "parts/fold.wgsl",
    ROLES = "parts/roles.wgsl",
    ROLES_TAGS = "parts/roles_tags.wgsl",
    FOLD_FLOW = "parts/fold_flow.wgsl",
    FOLD_GROW = "parts/fold_grow.wgsl",
    RANKS = "parts/ranks.wgsl",
    SUMS = "parts/sums.wgsl",
    SUMS_SUBGROUPS = "parts/sums_subgroups.wgsl",
    RANGE_UNIONS = "parts/range_unions.wgsl",
    SUM = "parts/sum.wgsl",
    BIN = "parts/bin.wgsl",
    BIN_BOUNDS = "parts/bin_bounds.wgsl",
    COUNT = "kernels/count.wgsl",
    SCAN = "kernels/scan.wgsl",
    COMPACT = "kernels/compact.wgsl",
    COMPACT_TILE = "parts/compact_tile.wgsl",
    LONE = "kernels/lone.wgsl",
    BUILD = "kernels/build.wgsl",
    SURVIVE = "kernels/survive.wgsl",
    SPINE = "kernels/spine.wgsl",
    BASES = "kernels/bases.wgsl",
    RESOLVE = "kernels/resolve.wgsl",
    SPAN = "kernels/span.wgsl",
    MATCH_REDUCE = "kernels/match_reduce.wgsl",
    MATCH_BUILD = "kernels/match_build.wgsl",
    MATCH_RESOLVE = "kernels/match_resolve.wgsl",
    BIN_COUNT = "kernels/bin_count.wgsl",
    BIN_SCAN = "kernels/bin_scan.wgsl",
    BIN_SUMS = "kernels/bin_sums.wgsl",
    BIN_EMIT = "kernels/bin_emit.wgsl",
}
