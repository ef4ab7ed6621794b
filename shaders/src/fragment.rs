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
    BLOCK_PRODUCT = "parts/block_product.wgsl",
    BICYCLIC = "parts/bicyclic.wgsl",
    RECT = "parts/rect.wgsl",
    UNION = "parts/union.wgsl",
    FOUND = "parts/found.wgsl",
    SEARCH = "parts/search.wgsl",
    TREE_WORDS = "parts/tree_words.wgsl",
    TREE_COUNTS = "parts/tree_counts.wgsl",
    TREE_TILES = "parts/tree_tiles.wgsl",
    TREE_UNIONS = "parts/tree_unions.wgsl",
    ELEMENTS = "parts/elements.wgsl",
    ITEMS_NODES = "parts/items_nodes.wgsl",
    ITEMS_STREAM = "parts/items_stream.wgsl",
    THREAD = "parts/thread.wgsl",
    THREAD_ITEMS = "parts/thread_items.wgsl",
    SLICE = "parts/slice.wgsl",
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
    MATCH_AGAIN = "parts/match_again.wgsl",
    MATCH_PYRAMID = "parts/match_pyramid.wgsl",
    MATCH_OUTSIDE = "parts/match_outside.wgsl",
    FLOW_CLIP = "parts/flow_clip.wgsl",
    FLOW_SETTLE = "parts/flow_settle.wgsl",
    EMIT_CLIPS = "parts/emit_clips.wgsl",
    SUM = "parts/sum.wgsl",
    BIN = "parts/bin.wgsl",
    BIN_BOUNDS = "parts/bin_bounds.wgsl",
    BIN_SCATTER = "parts/bin_scatter.wgsl",
    COUNT = "kernels/count.wgsl",
    COMPACT = "kernels/compact.wgsl",
    BUILD = "kernels/build.wgsl",
    REDUCE = "kernels/reduce.wgsl",
    PARENTS = "kernels/parents.wgsl",
    JUMP = "kernels/jump.wgsl",
    RESOLVE = "kernels/resolve.wgsl",
    DRAWS = "kernels/draws.wgsl",
    CONTENTS = "kernels/contents.wgsl",
    SCATTER = "kernels/scatter.wgsl",
    MATCH_REDUCE = "kernels/match_reduce.wgsl",
    MATCH_BUILD = "kernels/match_build.wgsl",
    MATCH_RESOLVE = "kernels/match_resolve.wgsl",
    BIN_COUNT = "kernels/bin_count.wgsl",
    BIN_SCAN = "kernels/bin_scan.wgsl",
    BIN_SUMS = "kernels/bin_sums.wgsl",
    BIN_EMIT = "kernels/bin_emit.wgsl",
}
