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
    /// are in words (`u32`) or products (of a scene, `vec4<f32>`).
    Plan {
        /// The most elements.
        element_capacity: u32,
        /// The most nodes.
        node_capacity: u32,
        /// Words: a word of roles a thread, as many as a workgroup has a tile.
        roles: u32,
        /// Words: the elements that each tile leaves open, TILE a tile. Matching: the
        /// same of its own tiles.
        slices: u32,
        /// Words: for each of them, the nodes of its tile before it.
        slice_nodes: u32,
        /// Words: for each element that its tile leaves open, the one that ends it, or
        /// NONE.
        ends: u32,
        /// Words: for each of those that end, the node of the end.
        end_nodes: u32,
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
        /// Words: how many elements each tile leaves open.
        tile_held: u32,
        /// Words: nodes in each tile, then nodes before it.
        tile_nodes: u32,
        /// Words: nodes in each group of tiles.
        group_nodes: u32,
        /// Words: the element on which each tile's first survivor stands, or NONE.
        tile_ups: u32,
        /// Words: the tile of an earlier group on which a tile stands, or NONE.
        tile_outs: u32,
        /// Products: for each element that its tile leaves open, the product over the tile's.
        values: u32,
        /// Products: the product under each tile, as far as its group knows.
        tile_values: u32,
        /// Products: the product of everything under it.
        tile_bases: u32,
        /// Products: the tree of unions over the tiles.
        union_tree: u32,
        /// Its leaves, a power of two.
        union_tree_leaves: u32,
    }
}

shared_struct! {
    /// Which of several dispatches of one kernel this is.
    Level {
        /// `build`: nodes of the level that is read. `match build`:
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
