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
    (@rust rect) => { [f32; 4] };
    (@wgsl u32) => { "u32" };
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
    /// are in words (`u32`) or boxes (`vec4<f32>`).
    Plan {
        /// The most elements.
        element_capacity: u32,
        /// The most nodes.
        node_capacity: u32,
        /// Words: the tree of node counts over the tiles of elements.
        counts_tree: u32,
        /// Its leaves, a power of two.
        counts_tree_leaves: u32,
        /// Words: the bicyclic tree over the tiles of items.
        tiles_tree: u32,
        /// Its leaves, a power of two.
        tiles_tree_leaves: u32,
        /// Words: the items that each tile leaves open, TILE a tile.
        slices: u32,
        /// Words: matching alone, with many elements a thread: a word or two a
        /// thread, the bits of its opens.
        opens: u32,
        /// Words: the bits of its closes.
        closes: u32,
        /// Words: the bits of the opens that it leaves open.
        unmatched: u32,
        /// Words: matching alone: what each tile does, and levels of products above.
        pyramid: u32,
        /// Nodes of that pyramid that a thread multiplies by itself.
        run: u32,
        /// Words: the tag of each node.
        node_tags: u32,
        /// Words: for each begin the node that ends it, or NONE.
        ends: u32,
        /// Words: for each node the one around what follows it, or NONE.
        around: u32,
        /// Words: the parent of each tile, even rounds.
        parents_a: u32,
        /// Words: the parent of each tile, odd rounds.
        parents_b: u32,
        /// Boxes: the value of each tile, even rounds.
        values_a: u32,
        /// Boxes: the value of each tile, odd rounds.
        values_b: u32,
        /// Boxes: whichever of the two the last round wrote.
        tile_boxes: u32,
        /// Boxes: the values of the slices.
        slice_boxes: u32,
        /// Boxes: the tree of unions over the chunks of elements.
        union_tree: u32,
        /// Its leaves, a power of two.
        union_tree_leaves: u32,
    }
}

shared_struct! {
    /// Which of several dispatches of one kernel this is.
    Level {
        /// `build`: nodes of the level that is read. `jump`: the round. `match build`:
        /// the number of the level that is read.
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
        /// How many nodes there are among them.
        nodes: u32,
        /// 0, or [`Counts::ELEMENTS_CLAMPED`] and [`Counts::NODES_CLAMPED`].
        status: u32,
        /// Unused.
        pad0: u32,
    }
}

impl Counts {
    /// Status: there were more elements than the capacity; the rest was ignored.
    pub const ELEMENTS_CLAMPED: u32 = 1;
    /// Status: there were more nodes than the capacity. Nodes and elements after
    /// the last that fits have unspecified bounds.
    pub const NODES_CLAMPED: u32 = 2;
}

/// The constants that every kernel may use.
pub(crate) fn constants() -> [(&'static str, u32); 8] {
    [
        ("NONE", NONE),
        ("ROLE_MASK", Tag::ROLE_MASK),
        ("ROLE_DRAW", Tag::ROLE_DRAW),
        ("ROLE_BEGIN", Tag::ROLE_BEGIN),
        ("ROLE_END", Tag::ROLE_END),
        ("NON_LOCAL", Tag::NON_LOCAL),
        ("STATUS_ELEMENTS_CLAMPED", Counts::ELEMENTS_CLAMPED),
        ("STATUS_NODES_CLAMPED", Counts::NODES_CLAMPED),
    ]
}

/// `f32::MAX`, in a form that WGSL reads exactly.
pub(crate) const MAX: &str = "0x1.fffffep+127f";
