//! The structs and constants that Rust and WGSL share, written once.

use treebounds_core::{NONE, Tag};

/// Declares a struct once and gives it to both languages: a plain struct here,
/// and its WGSL text as `WGSL`.
macro_rules! shared_struct {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:tt,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $name { $($(#[$field_meta])* pub $field: shared_struct!(@rust $ty),)* }

        impl $name {
            /// The same struct in WGSL.
            pub const WGSL: &'static str = concat!(
                "struct ", stringify!($name), " {\n",
                $("    ", stringify!($field), ": ", shared_struct!(@wgsl $ty), ",\n",)*
                "}\n",
            );
        }
    };
    (@rust u32) => { u32 };
    (@rust i32) => { i32 };
    (@rust rect) => { [f32; 4] };
    (@wgsl u32) => { "u32" };
    (@wgsl i32) => { "i32" };
    (@wgsl rect) => { "vec4<f32>" };
}

shared_struct! {
    /// What changes from frame to frame. The caller's buffer: the host writes it,
    /// or a kernel that only then knows how many elements there are.
    ///
    /// 32 bytes; the viewport must be canonical
    /// ([`Rect::canonical`](treebounds_core::Rect::canonical)).
    Params {
        /// The box that cuts everything: `x0, y0, x1, y1`.
        viewport: rect,
        /// How many elements there are. More than the capacity are cut off, and
        /// [`Counts::status`] says so.
        elements: u32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
        /// Unused.
        pad2: u32,
    }
}

shared_struct! {
    /// Where things lie in the scratch buffers; fixed by the capacity. Offsets
    /// are in words (`u32`) or products (of a scene, `vec4<f32>`).
    Plan {
        /// The most elements.
        element_capacity: u32,
        /// The most nodes.
        node_capacity: u32,
        /// Words: the roles of a tile, four words for each 32 elements; where nodes are few, of all elements.
        roles: u32,
        /// Words: the elements that each tile leaves open, bottom first, TILE a tile.
        slices: u32,
        /// Words: for each of them, the nodes of its tile before it, and its role. Where tiles are few
        /// ([`Variant::nearest`](crate::Variant::nearest)) there are no slices: this is for each element that goes
        /// on in another tile.
        slice_nodes: u32,
        /// Words: for each of `slices`, the element that ends it, or NONE. Where tiles are few, for each
        /// element, and itself where it does not go on in another tile.
        ends: u32,
        /// Words: for each of these that ends, the node of the end.
        end_nodes: u32,
        /// Words: matching alone, with many elements a thread: a word or two a
        /// thread, the bits of its opens.
        opens: u32,
        /// Words: the bits of its closes.
        closes: u32,
        /// Words: the bits of the opens that it leaves open.
        unmatched: u32,
        /// Words: what each tile does to the stack, and levels of products above.
        pyramid: u32,
        /// Words: a tree over the tiles of each group.
        heaps: u32,
        /// Words: a row for each node of the pyramid above the tiles.
        rows: u32,
        /// Words: bundles of tiles, where they are few.
        bundles: u32,
        /// Words: the slots of what each tile has on the stack before it, TILE a tile.
        outs: u32,
        /// Nodes of that pyramid that a thread multiplies by itself.
        run: u32,
        /// Words: nodes in each tile, then nodes before it; of few counts, those in it alone.
        tile_nodes: u32,
        /// Products: for each of `slices`, the product over the tile's up to it, and from the last slot of a
        /// tile back what flows from each of `outs`.
        values: u32,
        /// Products: two for each node of the pyramid.
        node_flows: u32,
        /// Products: the tree of unions over the tiles.
        union_tree: u32,
        /// Its leaves, a power of two, and where they begin; of bundles, which have no tree, 0.
        union_tree_leaves: u32,
        /// Words: where nodes are few, the stream of these: an entry for each, and marks.
        entries: u32,
        /// Elements of the tiles in which the nodes of a scene were counted.
        counted: u32,
    }
}

impl Plan {
    /// Words of a node of the stage's pyramid.
    pub const NODE_WORDS: u32 = 9;
    /// At most so many nodes of a level of the tree over the tiles are read one after the other; above
    /// such a level nothing need be built.
    pub const UNION_ROOTS: u32 = 64;
}

shared_struct! {
    /// Which of several dispatches of one kernel this is.
    Level {
        /// `build`: nodes of the level that is read. `match build`, `gather` and `spine`:
        /// the number of the level.
        nodes: u32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
        /// Unused.
        pad2: u32,
    }
}

shared_struct! {
    /// What the stage found. 16 bytes, the same for every frame's output.
    Counts {
        /// How many elements were used.
        elements: u32,
        /// How many nodes there are among them, as far as there is room.
        nodes: u32,
        /// 0, or [`Counts::ELEMENTS_CLAMPED`] and [`Counts::NODES_CLAMPED`].
        status: u32,
        /// How many nodes there are among them, room or not: what a second try needs.
        nodes_needed: u32,
    }
}

impl Counts {
    /// Status: there were more elements than the capacity; the rest was ignored.
    pub const ELEMENTS_CLAMPED: u32 = 1;
    /// Status: there were more nodes than the capacity. Nodes and elements after
    /// the last that fits have unspecified bounds, and nodes around these unspecified contents;
    /// [`Counts::nodes_needed`] says for how many a second try needs room.
    pub const NODES_CLAMPED: u32 = 2;
}

shared_struct! {
    /// A level of binning: the grid, the level's cells, and where things lie in the
    /// scratch. Offsets are in words.
    BinPlan {
        /// The most elements.
        element_capacity: u32,
        /// The most entries.
        entry_capacity: u32,
        /// The first pixel of the viewport.
        origin_x: i32,
        /// The same, downwards.
        origin_y: i32,
        /// Its size in pixels.
        width: u32,
        /// The same, downwards.
        height: u32,
        /// The size of a bin in pixels.
        bin_x: u32,
        /// The same, downwards.
        bin_y: u32,
        /// Bins beside each other.
        columns: u32,
        /// Bins below each other.
        rows: u32,
        /// The number of the level, from 0.
        level: u32,
        /// 1 where its children are the bins, else 0.
        is_last: u32,
        /// How many cells are cut on this level.
        parents: u32,
        /// Children of a cell beside each other.
        fan_x: u32,
        /// The same, downwards.
        fan_y: u32,
        /// Bins in a child beside each other.
        cell_x: u32,
        /// The same, downwards.
        cell_y: u32,
        /// The bins that each element touches, two words an element.
        ranges: u32,
        /// Entries that the elements of each chunk need.
        needs: u32,
        /// Items that touch each child, by chunk.
        matrix: u32,
        /// The sum of each tile of the matrix.
        sums: u32,
        /// The first chunk of each parent; and of the next level.
        firsts: u32,
        /// Where the list of each parent begins.
        starts: u32,
        /// The first bin of each parent.
        corners: u32,
        /// `firsts` of the next level.
        next_firsts: u32,
        /// `starts` of the next level.
        next_starts: u32,
        /// `corners` of the next level.
        next_corners: u32,
        /// The lists of the parents.
        list_in: u32,
        /// The lists of the children, but for the last level.
        list_out: u32,
        /// 1 where there are few chunks, and but one level: each emits by the matrix
        /// itself, which then lies chunk by chunk, and nothing scans it.
        is_near: u32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
    }
}

impl BinPlan {
    /// The most children of a cell, beside or below each other: the bits of a word.
    pub const FAN: u32 = 32;
    /// The most bins of a window of binning in pieces, beside or below each other: a power of two.
    pub const PIECE_FAN: u32 = 16;
}

shared_struct! {
    /// What binning found. 16 bytes.
    BinStatus {
        /// How many entries all lists have together: with room for as many in the
        /// next try, and the same input, it succeeds. `u32::MAX`: that or more.
        needed: u32,
        /// How many were written: `needed`, or 0 where there was too little room. (In pieces, some
        /// may have been written then.)
        written: u32,
        /// 0, or [`BinStatus::ELEMENTS_CLAMPED`] and [`BinStatus::ENTRIES_TOO_FEW`].
        flags: u32,
        /// How many elements were used.
        elements: u32,
    }
}

impl BinStatus {
    /// Flag: there were more elements than the capacity; the rest was ignored.
    pub const ELEMENTS_CLAMPED: u32 = Counts::ELEMENTS_CLAMPED;
    /// Flag: there was no room for `needed` entries. Every bin is empty; in pieces, some are.
    pub const ENTRIES_TOO_FEW: u32 = 2;
}

/// The constants that every kernel may use.
pub(crate) fn constants() -> [(&'static str, u32); 12] {
    [
        ("NONE", NONE),
        ("ROLE_MASK", Tag::ROLE_MASK),
        ("ROLE_BEGIN", Tag::ROLE_BEGIN),
        ("ROLE_END", Tag::ROLE_END),
        ("NON_LOCAL", Tag::NON_LOCAL),
        ("STATUS_ELEMENTS_CLAMPED", Counts::ELEMENTS_CLAMPED),
        ("STATUS_NODES_CLAMPED", Counts::NODES_CLAMPED),
        ("ENTRIES_TOO_FEW", BinStatus::ENTRIES_TOO_FEW),
        ("NODE_WORDS", Plan::NODE_WORDS),
        ("UNION_ROOTS", Plan::UNION_ROOTS),
        ("BIN_FAN", BinPlan::FAN),
        ("PIECE_FAN", BinPlan::PIECE_FAN),
    ]
}

/// `f32::MAX`, in a form that WGSL reads exactly.
pub(crate) const MAX: &str = "0x1.fffffep+127f";
