//! What Rust and the kernels share, written once: structs, constants and the numbers of buffers.

use treebounds_core::{NONE, Tag};

/// A buffer; its number is the same in every kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Binding {
    /// [`Params`](Params), a uniform.
    Params,
    /// [`TreePlan`](crate::TreePlan), a uniform.
    Plan,
    /// [`MatchLevel`](crate::MatchLevel), a uniform.
    Level,
    /// [`Counts`](crate::Counts): written by what compacts, or by `match reduce`.
    Counts,
    /// One tag word per element.
    Tags,
    /// One rect per element.
    Rects,
    /// For each element, how many markers come before it.
    MarkersBefore,
    /// For each marker, its element.
    MarkerElements,
    /// One link per marker.
    Links,
    /// One clip per marker.
    Clips,
    /// One content box per marker.
    Contents,
    /// One box per element.
    Bounds,
    /// The tags as vectors of four; the buffer is padded to whole ones.
    Tags4,
    /// One bit per element, set where it opens.
    BitsIn,
    /// The links as vectors of four; the buffer is padded to whole ones.
    Links4,
    /// Scratch: words.
    Words,
    /// Scratch: products.
    Products,
    /// The caller's value of each element.
    Inputs,
    /// The caller's answer for each element.
    Outputs,
    /// [`BinPlan`](crate::BinPlan), a uniform.
    Bin,
    /// [`BinStatus`](crate::BinStatus).
    BinStatus,
    /// The list of each bin: where it begins, and how long it is.
    BinHeaders,
    /// The lists of all bins.
    BinEntries,
    /// Scratch: what all workgroups of binning in pieces add to.
    BinTotal,
    /// [`MatchPlan`](crate::MatchPlan), a uniform.
    MatchPlan,
    /// Scratch of matching: what each tile does to the stack, and levels of products above.
    Pyramid,
    /// Scratch of matching: the elements that each tile leaves open, bottom first, TILE a tile.
    Slices,
    /// Scratch of matching: the elements as bits.
    Bitmaps,
    /// Scratch: the bins that each element touches.
    BinRanges,
    /// Scratch: for each chunk of a level and each child, how many items touch the child, then where they go.
    BinMatrix,
    /// Scratch: the entries that the elements of each chunk need.
    BinNeeds,
    /// Scratch: the cells of a level.
    BinCells,
    /// Scratch: those of the next level.
    BinNextCells,
    /// Scratch: the chunks of a level.
    BinChunks,
    /// Scratch: those of the next level.
    BinNext,
    /// Scratch: the items of a level.
    BinItems,
}

/// What a kernel does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads it, all threads alike.
    Uniform,
    /// Reads it.
    Read,
    /// Reads and writes it.
    ReadWrite,
}

impl Binding {
    /// Its number in bind group 0.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The buffer of this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.number() == number)
    }

    /// Every buffer.
    const ALL: [Self; 36] = [
        Self::Params,
        Self::Plan,
        Self::Level,
        Self::Counts,
        Self::Tags,
        Self::Rects,
        Self::MarkersBefore,
        Self::MarkerElements,
        Self::Links,
        Self::Clips,
        Self::Contents,
        Self::Bounds,
        Self::Tags4,
        Self::BitsIn,
        Self::Links4,
        Self::Words,
        Self::Products,
        Self::Inputs,
        Self::Outputs,
        Self::Bin,
        Self::BinStatus,
        Self::BinHeaders,
        Self::BinEntries,
        Self::BinTotal,
        Self::MatchPlan,
        Self::Pyramid,
        Self::Slices,
        Self::Bitmaps,
        Self::BinRanges,
        Self::BinMatrix,
        Self::BinNeeds,
        Self::BinCells,
        Self::BinNextCells,
        Self::BinChunks,
        Self::BinNext,
        Self::BinItems,
    ];
}

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
    /// Where things lie in the scratch buffers of the kernels over a tree; fixed by the capacity. Offsets are in words
    /// (`u32`) or values (of a scene, `vec4<f32>`).
    TreePlan {
        /// The most elements.
        element_capacity: u32,
        /// The most markers.
        marker_capacity: u32,
        /// Words: the [`Roles`] of elements, a record for each 32 elements of a tile.
        roles: u32,
        /// Words: a [`Tile`] a tile.
        tiles: u32,
        /// Words: a [`Slot`] an element of a tile.
        slots: u32,
        /// Words: for each tile, an [`Outer`] for each entry on the stack before it, from the top; TILE a tile.
        outers: u32,
        /// Words: a [`Bundle`] a bundle of tiles, and a start for each of its tiles.
        bundles: u32,
        /// Words: a [`GroupOfBundles`] a group.
        groups: u32,
        /// Words: for each tile of `count_markers`, the markers in it; after `scan_counts`, the markers before it.
        counted: u32,
        /// Words: with few markers, the compacted stream (`lib/posts.wgsl`).
        posts: u32,
        /// Values: a value a slot.
        slot_values: u32,
        /// Values: [`TileValues`], two a tile.
        tile_values: u32,
        /// Values: what flows under each bundle.
        bundle_values: u32,
        /// Values: what grows in each tile.
        tile_products: u32,
        /// Values: [`BundleProducts`], two a bundle.
        bundle_products: u32,
        /// Values: of each element of a monoid's tree, its part of a product that goes on in another tile; of each
        /// entry, what its gap paints.
        parts: u32,
    }
}

/// Declares a record in scratch memory once: how many words (or values) it has for Rust, and the offset of each for WGSL.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident $prefix:literal { $($(#[$field_meta:meta])* $field:literal = $at:literal,)* } $len:literal $unit:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            /// Words, or values, of the record.
            pub const LEN: u32 = $len;
            /// The same, and the offset of each, as constants in WGSL.
            pub const WGSL: &'static str = concat!(
                "const ", $prefix, "_", $unit, " = ", $len, "u;\n",
                $("const ", $prefix, "_", $field, " = ", $at, "u;\n",)*
            );
        }
    };
}

record! {
    /// The roles of 32 consecutive elements, a bit each.
    Roles "ROLES" {
        "OPENS" = 0,
        "MARKERS" = 1,
        "NON_LOCAL" = 2,
        "MARKERS_BEFORE" = 3,
    } 4 "WORDS"
}

record! {
    /// What a tile does to the stack.
    Tile "TILE" {
        "CLOSES" = 0,
        "OPENS" = 1,
        // How many of its elements are markers, and how many markers precede it.
        "MARKERS" = 2,
        "MARKERS_BEFORE" = 3,
    } 4 "WORDS"
}

record! {
    /// An open that a tile leaves open. [`Task::slot_words`](crate::Task::slot_words) says how many of these words there
    /// are.
    Slot "SLOT" {
        "ELEMENT" = 0,
        "CLOSE" = 1,
        "OPEN_MARKER" = 2,
        "CLOSE_MARKER" = 3,
    } 4 "WORDS"
}

record! {
    /// An entry on the stack before a tile: where it is, and the open.
    Outer "OUTER" {
        "SLOT" = 0,
        "ELEMENT" = 1,
    } 2 "WORDS"
}

record! {
    /// What a bundle of tiles does to the stack; of its group's stack, how many opens it holds, and how many lie above
    /// these; then a word for each of its tiles: how many opens of the bundle's stack lie below those that the tile holds.
    Bundle "BUNDLE" {
        "CLOSES" = 0,
        "OPENS" = 1,
        "MARKERS" = 2,
        "HELD" = 3,
        "ABOVE" = 4,
        "STARTS" = 5,
    } 5 "FIXED_WORDS"
}

record! {
    /// What a group of bundles does to the stack.
    GroupOfBundles "GROUP" {
        "CLOSES" = 0,
        "OPENS" = 1,
        "MARKERS" = 2,
    } 3 "WORDS"
}

record! {
    /// What flows under the opens that a tile holds of its bundle's stack, and what flows under its slice.
    TileValues "TILE" {
        "BELOW" = 0,
        "BASE" = 1,
    } 2 "VALUES"
}

record! {
    /// What grows in a bundle, and in the bundles of its group up to it.
    BundleProducts "BUNDLE" {
        "PRODUCT" = 0,
        "PREFIX" = 1,
    } 2 "PRODUCTS"
}

shared_struct! {
    /// The scratch buffers of matching alone; fixed by the capacity.
    MatchPlan {
        /// The most elements.
        element_capacity: u32,
        /// Nodes of a level of the pyramid that a thread multiplies by itself, a power of two.
        run: u32,
        /// Words of each of the bitmaps of opens, closes and unmatched opens, where there are three.
        bitmap_words: u32,
        /// Unused.
        pad0: u32,
    }
}

shared_struct! {
    /// Which of several dispatches of `match build` this is.
    MatchLevel {
        /// The number of the level that is read, from 0 for the tiles.
        read: u32,
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
        /// How many markers there are among them, at most the capacity.
        markers: u32,
        /// 0, or [`Counts::ELEMENTS_CLAMPED`] and [`Counts::MARKERS_CLAMPED`].
        status: u32,
        /// How many markers there are among them, past the capacity too: what a second try needs.
        markers_needed: u32,
    }
}

impl Counts {
    /// Status: there were more elements than the capacity; the rest was ignored.
    pub const ELEMENTS_CLAMPED: u32 = 1;
    /// Status: there were more markers than the capacity. Markers and elements after
    /// the last that fits have unspecified bounds, and the nodes around these unspecified contents;
    /// [`Counts::markers_needed`] is the capacity that a second try needs.
    pub const MARKERS_CLAMPED: u32 = 2;
}

shared_struct! {
    /// A level of binning: the grid, and how the level cuts its cells.
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
        cells: u32,
        /// Children of a cell beside each other.
        fan_x: u32,
        /// The same, downwards.
        fan_y: u32,
        /// Bins in a child beside each other.
        cell_x: u32,
        /// The same, downwards.
        cell_y: u32,
        /// Children (in pieces, bins) beside each other that a workgroup writes the lists of: a power of two.
        window_x: u32,
        /// The same, downwards.
        window_y: u32,
        /// The most items of a chunk.
        chunk: u32,
        /// In pieces: what a workgroup adds to a sum of entries to count itself, a power of two above all
        /// entries; 0 where 32 bits do not hold both before the last addition.
        arrival: u32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
        /// Unused.
        pad2: u32,
    }
}

impl BinPlan {
    /// The most children of a cell, beside or below each other.
    pub const FAN: u32 = 32;
    /// The most children of a window, beside or below each other: a power of two.
    pub const WINDOW: u32 = 16;
}

shared_struct! {
    /// A cell of a level of binning: its chunks. 12 bytes.
    BinCell {
        /// The first of its chunks.
        first_chunk: u32,
        /// How many there are.
        chunks: u32,
        /// Its first bin: the column, and from bit 16 on the row.
        corner: u32,
    }
}

shared_struct! {
    /// A chunk of the items of a cell. 12 bytes.
    BinChunk {
        /// The first bin of the cell: the column, and from bit 16 on the row.
        corner: u32,
        /// The first item.
        start: u32,
        /// The first item after it.
        end: u32,
    }
}

shared_struct! {
    /// What binning found. 16 bytes.
    BinStatus {
        /// How many entries all lists have together: with a capacity of as many, and
        /// the same input, the next try succeeds. `u32::MAX`: that or more.
        needed: u32,
        /// How many were written: `needed`, or 0 where that is more than the capacity. (In pieces,
        /// some may have been written then.)
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
    /// Flag: `needed` is more than the capacity of entries. Every bin is empty. In pieces discard all headers: which
    /// have their entries is not said.
    pub const ENTRIES_TOO_FEW: u32 = 2;
}

/// The constants that every kernel may use.
pub(crate) fn constants() -> [(&'static str, u32); 10] {
    [
        ("NONE", NONE),
        ("ROLE_MASK", Tag::ROLE_MASK),
        ("ROLE_BEGIN", Tag::ROLE_BEGIN),
        ("ROLE_END", Tag::ROLE_END),
        ("NON_LOCAL", Tag::NON_LOCAL),
        ("STATUS_ELEMENTS_CLAMPED", Counts::ELEMENTS_CLAMPED),
        ("STATUS_MARKERS_CLAMPED", Counts::MARKERS_CLAMPED),
        ("ENTRIES_TOO_FEW", BinStatus::ENTRIES_TOO_FEW),
        ("BIN_FAN", BinPlan::FAN),
        ("BIN_WINDOW", BinPlan::WINDOW),
    ]
}

/// The constants that every kernel over a tree may use.
pub(crate) fn tree_constants() -> [(&'static str, u32); 9] {
    [
        ("NONE", NONE),
        ("ROLE_MASK", Tag::ROLE_MASK),
        ("ROLE_BEGIN", Tag::ROLE_BEGIN),
        ("ROLE_END", Tag::ROLE_END),
        ("TAG_NON_LOCAL", Tag::NON_LOCAL),
        ("STATUS_ELEMENTS_CLAMPED", Counts::ELEMENTS_CLAMPED),
        ("STATUS_MARKERS_CLAMPED", Counts::MARKERS_CLAMPED),
        ("COUNT_ROWS", crate::Variant::COUNT_ROWS),
        ("INDEX_ROWS", crate::Variant::INDEX_ROWS),
    ]
}

/// `f32::MAX` as an abstract float: its 17 digits are those of the same value as a 64-bit float, so that every reader
/// of WGSL gets it exactly.
pub(crate) const MAX: &str = "3.4028234663852886e38";

#[cfg(test)]
mod tests {
    #[test]
    fn the_largest_float_is_read_exactly() {
        assert_eq!(super::MAX.parse(), Ok(f64::from(f32::MAX)));
    }
}
