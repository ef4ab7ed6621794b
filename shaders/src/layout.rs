//! What Rust and the kernels share, written once: structs, constants and the numbers of buffers.

use treebounds_core::{NONE, Tag};

/// Declares the buffers with the names that callers know them by, and the list of all of them.
macro_rules! bindings {
    ($($(#[$meta:meta])* $name:ident $text:literal,)*) => {
        /// A buffer of bind group 0. Its number is the same in every kernel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Binding { $($(#[$meta])* $name,)* }

        impl Binding {
            const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// Its name, for errors. Buffers that hold the same in two forms have the same name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

bindings! {
    /// [`Params`], a uniform.
    Params "params",
    /// [`TreePlan`], a uniform.
    Plan "plan",
    /// [`MatchLevel`], a uniform.
    Level "levels",
    /// [`Counts`]: written by compaction, or by `match_reduce`.
    Counts "counts",
    /// One tag word per element.
    Tags "tags",
    /// One rect per element.
    Rects "rects",
    /// For each element, how many markers come before it.
    MarkersBefore "markers_before",
    /// For each marker, its element.
    MarkerElements "marker_elements",
    /// One link per marker.
    Links "links",
    /// One clip per marker.
    Clips "clips",
    /// One content box per marker.
    Contents "contents",
    /// One box per element.
    Boxes "boxes",
    /// The tags as vectors of four; the buffer is padded to whole ones.
    Tags4 "tags",
    /// One bit per element, set where it opens.
    BitsIn "bits",
    /// The links as vectors of four; the buffer is padded to whole ones.
    Links4 "links",
    /// Scratch: words.
    Words "words",
    /// Scratch: products.
    Products "values",
    /// The caller's value of each element.
    Inputs "inputs",
    /// The caller's answer for each element.
    Outputs "outputs",
    /// [`BinPlan`], a uniform.
    Bin "levels",
    /// [`BinStatus`].
    BinStatus "status",
    /// The list of each bin: where it begins, and how long it is.
    BinHeaders "headers",
    /// The lists of all bins.
    BinEntries "entries",
    /// Scratch: a counter that all workgroups of binning in pieces add to.
    BinTotal "total",
    /// [`MatchPlan`], a uniform.
    MatchPlan "plan",
    /// Scratch of matching: what each tile does to the stack, and levels of products above.
    Pyramid "pyramid",
    /// Scratch of matching: the elements that each tile leaves open, bottom first; TILE words per tile.
    Slices "slices",
    /// Scratch of matching: the elements as bits.
    Bitmaps "bitmaps",
    /// Scratch: the bins that each element touches.
    BinRanges "ranges",
    /// Scratch: for each segment of a level and each child, how many items touch the child, then where they go.
    BinMatrix "matrix",
    /// Scratch: the entries that the elements of each segment need.
    BinNeeds "needs",
    /// Scratch: the cells of a level.
    BinCells "cells",
    /// Scratch: the cells of the next level.
    BinNextCells "next cells",
    /// Scratch: the segments of a level.
    BinSegments "segments",
    /// Scratch: the segments of the next level.
    BinNext "next segments",
    /// Scratch: the items of a level.
    BinItems "items",
    /// The partner of each bracket.
    Partners "partners",
    /// How deep each element lies, as vectors of four; the buffer is padded to whole ones.
    Depths4 "depths",
    /// One [`BracketSegment`] per segment.
    Segments "segments",
    /// Scratch: what each tile does to the state of a parser; then the state before it.
    BracketTiles "bracket tiles",
    /// [`FilterPlan`], a uniform.
    Filter "levels",
    /// Scratch: for each level of filters, the tags of its entries, and their origins.
    FilterLevelWords "level words",
    /// Scratch: for each level of filters, the rects of its entries.
    FilterLevelRects "level rects",
    /// Scratch: for each level of filters, the [`Params`] of its stream.
    FilterParams "level params",
    /// Scratch: for each element, how many filters are around it; the counts of entries; the links of a level's entries.
    FilterWords "filter words",
    /// Scratch: the clips, then the contents of a level's entries.
    FilterBoxes "filter boxes",
    /// Damage: [`Params`] of the other frame, a uniform.
    OtherParams "other params",
    /// Damage: one box per element of the other frame.
    OtherBoxes "other boxes",
    /// Damage: for each element, the element of the other frame that looks the same.
    OtherElements "partners",
    /// Damage: one bit per bin.
    DamageBits "damage bits",
    /// Damage: the damaged pixels of each bin.
    DamageRects "damage rects",
    /// For each element, the part of the canvas that it can change.
    Landings "landings",
    /// Scratch of a scene of few markers: [`Counts`] of the frame, which later kernels read as a uniform.
    FrameCounts "frame counts",
    /// [`OverlayView`], a uniform.
    View "view",
}

impl Binding {
    /// Its number in bind group 0.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The buffer with this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.number() == number)
    }
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

/// Declares a struct for both languages: a plain struct here, and its WGSL text as `WGSL`.
macro_rules! shared_struct {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $ty:tt,)*
    } $(padded $($pad:ident)*)?) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: shared_struct!(@rust $ty),)*
            $($(#[doc = "Unused."] pub $pad: u32,)*)?
        }

        impl $name {
            /// The same struct in WGSL.
            pub const WGSL: &'static str = concat!(
                "struct ", stringify!($name), " {\n",
                $("    ", stringify!($field), ": ", shared_struct!(@wgsl $ty), ",\n",)*
                $($("    ", stringify!($pad), ": u32,\n",)*)?
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
    /// The input that changes from frame to frame. It is in the caller's buffer, written by the CPU or by an earlier
    /// kernel that knows how many elements there are.
    ///
    /// 32 bytes; the viewport must be canonical ([`Rect::canonical`](treebounds_core::Rect::canonical)).
    Params {
        /// The box that cuts everything: `x0, y0, x1, y1`.
        viewport: rect,
        /// How many elements there are. If there are more than the capacity, the rest is ignored and
        /// [`Counts::status`] reports it.
        elements: u32,
    } padded pad0 pad1 pad2
}

shared_struct! {
    /// Offsets into the scratch buffers of the kernels over a tree; fixed by the capacity. They count words (`u32`) or
    /// values (`vec4<f32>` for a scene).
    TreePlan {
        /// The most elements.
        element_capacity: u32,
        /// The most markers.
        marker_capacity: u32,
        /// Words: the [`Roles`] of elements, a record for each 32 elements of a tile.
        roles: u32,
        /// Words: one [`Tile`] per tile.
        tiles: u32,
        /// Words: one [`Slot`] per element of a tile.
        slots: u32,
        /// Words: for each tile, one [`Incoming`] for each open on the stack before it, from the top; TILE of them per tile.
        incoming: u32,
        /// Words: one [`Bundle`] per bundle of tiles, and a start for each of its tiles.
        bundles: u32,
        /// Words: one [`GroupOfBundles`] per group.
        groups: u32,
        /// Words: for each tile of `count_markers`, the markers in it; after `scan_counts`, the markers before it.
        counted: u32,
        /// Words: with few markers, the compacted stream (`lib/posts.wgsl`).
        posts: u32,
        /// Values: one value per slot.
        slot_values: u32,
        /// Values: [`TileValues`], two per tile.
        tile_values: u32,
        /// Values: what flows under each bundle.
        bundle_values: u32,
        /// Values: what grows in each tile.
        tile_products: u32,
        /// Values: [`BundleProducts`], two per bundle.
        bundle_products: u32,
        /// Values: for each element of a monoid's tree, its part of a product that continues in another tile; for each
        /// post, the union of the draws before it.
        parts: u32,
        /// Words: with filters, for each open whose node continues in another tile, the side on which its content is.
        sides: u32,
    }
}

/// Declares a record in scratch memory: its length in words or values for Rust, and the offset of each field for WGSL.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident $prefix:literal { $($(#[$field_meta:meta])* $field:literal = $at:literal,)* } $len:literal $unit:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            /// Words, or values, of the record.
            pub const LEN: u32 = $len;
            /// The length and the offsets as constants in WGSL.
            pub const WGSL: &'static str = concat!(
                "const ", $prefix, "_", $unit, " = ", $len, "u;\n",
                $("const ", $prefix, "_", $field, " = ", $at, "u;\n",)*
            );
        }
    };
}

record! {
    /// The roles of 32 consecutive elements, one bit each.
    Roles "ROLES" {
        "OPENS" = 0,
        "MARKERS" = 1,
        "NON_LOCAL" = 2,
        "MARKERS_BEFORE" = 3,
    } 4 "WORDS"
}

record! {
    /// The effect of a tile on the stack.
    Tile "TILE" {
        "CLOSES" = 0,
        "OPENS" = 1,
        // How many of its elements are markers, and how many markers precede it.
        "MARKERS" = 2,
        "MARKERS_BEFORE" = 3,
    } 4 "WORDS"
}

record! {
    /// An open whose close is not in its tile. [`Task::slot_words`](crate::Task::slot_words) gives how many of these words
    /// a task uses.
    Slot "SLOT" {
        "ELEMENT" = 0,
        "CLOSE" = 1,
        "OPEN_MARKER" = 2,
        "CLOSE_MARKER" = 3,
    } 4 "WORDS"
}

record! {
    /// An open on the stack before a tile: its slot and its element.
    Incoming "INCOMING" {
        "SLOT" = 0,
        "ELEMENT" = 1,
    } 2 "WORDS"
}

record! {
    /// The effect of a bundle of tiles on the stack; how many opens of its group's stack it holds, and how many lie above
    /// these. Then follows one word per tile: how many opens of the bundle's stack lie below the ones that the tile holds.
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
    /// The effect of a group of bundles on the stack.
    GroupOfBundles "GROUP" {
        "CLOSES" = 0,
        "OPENS" = 1,
        "MARKERS" = 2,
    } 3 "WORDS"
}

record! {
    /// Values that flow down to a tile: the one below the opens that it holds of its bundle's stack, and the one below its
    /// slice.
    TileValues "TILE" {
        "BELOW" = 0,
        "BASE" = 1,
    } 2 "VALUES"
}

record! {
    /// The product that grows in a bundle, and the product over the bundles of its group up to it.
    BundleProducts "BUNDLE" {
        "PRODUCT" = 0,
        "PREFIX" = 1,
    } 2 "PRODUCTS"
}

shared_struct! {
    /// The scratch buffers of matching; fixed by the capacity.
    MatchPlan {
        /// The most elements.
        element_capacity: u32,
        /// How many products of a level of the pyramid one thread combines, a power of two.
        children_per_thread: u32,
        /// Words of each of the bitmaps of opens, closes and unmatched opens, where there are three.
        bitmap_words: u32,
        /// The most segments of brackets.
        segment_capacity: u32,
    }
}

shared_struct! {
    /// The dispatch of `match_build`, one per level of the pyramid.
    MatchLevel {
        /// The number of the level that is read, from 0 for the tiles.
        read: u32,
    } padded pad0 pad1 pad2
}

shared_struct! {
    /// A level of a scene with filters, and where the streams of all levels lie in scratch memory; fixed by the capacity.
    FilterPlan {
        /// The number of the level, from 0.
        level: u32,
        /// The number of the deepest level: the most filters around an element.
        depth: u32,
        /// The most elements of the scene.
        element_capacity: u32,
        /// The most markers of the scene.
        marker_capacity: u32,
        /// The most entries of a level.
        entry_capacity: u32,
        /// Tiles of `filter_count` for the most elements.
        tiles: u32,
        /// Words: for each level, and for the markers, one count for each tile.
        counted: u32,
        /// Words: for each entry of a level, its link.
        links: u32,
    }
}

impl FilterPlan {
    /// The most filters around an element that a stage takes: [`FilterPlan::depth`].
    pub const MAX_DEPTH: u32 = 16;
    /// Bytes from the [`Params`] of one level to the next, a multiple of any device's alignment.
    pub const PARAMS_BYTES: u32 = 256;
}

shared_struct! {
    /// The [`Params`] of the stream of a level of filters, which `filter_scan` writes.
    LevelParams {
        /// The viewport of the level.
        viewport: rect,
        /// How many entries the level has.
        entries: u32,
        /// How many elements the scene has.
        scene_elements: u32,
    } padded pad0 pad1
}

shared_struct! {
    /// The counts that the stage writes. 16 bytes.
    Counts {
        /// How many elements were used.
        elements: u32,
        /// How many markers there are among them, at most the capacity.
        markers: u32,
        /// 0, or any of [`Counts::ELEMENTS_CLAMPED`], [`Counts::MARKERS_CLAMPED`] and [`Counts::FILTERS_TOO_DEEP`].
        status: u32,
        /// How many markers there are among them, even if they exceed the capacity: the capacity that a second try needs.
        markers_needed: u32,
    }
}

impl Counts {
    /// Status: there were more elements than the capacity; the rest was ignored.
    pub const ELEMENTS_CLAMPED: u32 = 1;
    /// Status: there were more markers than the capacity. Elements after the last marker that fits have unspecified
    /// bounds, and the nodes around them have unspecified contents. A second try needs a capacity of
    /// [`Counts::markers_needed`].
    pub const MARKERS_CLAMPED: u32 = 2;
    /// Status: an element has more filters around it than the scratch was made for. Such elements have no link, and
    /// unlimited boxes; the nodes around them have contents that may be too large.
    pub const FILTERS_TOO_DEEP: u32 = 4;
}

shared_struct! {
    /// A [`Segment`](treebounds_core::Segment) of brackets.
    BracketSegment {
        /// The first close without an open.
        unopened: u32,
        /// The first close that matches an open of another kind.
        mismatched: u32,
        /// The first open without a close.
        unclosed: u32,
        /// The reset that ends the segment, or the number of elements.
        end: u32,
    }
}

shared_struct! {
    /// The counts that matching of brackets writes. 16 bytes.
    BracketCounts {
        /// How many elements were used.
        elements: u32,
        /// How many segments there are, even if they exceed the capacity: the capacity that a second try needs.
        segments: u32,
        /// 0, or [`BracketCounts::ELEMENTS_CLAMPED`] and [`BracketCounts::SEGMENTS_CLAMPED`].
        status: u32,
    } padded pad0
}

impl BracketCounts {
    /// Status: there were more elements than the capacity; the rest was ignored.
    pub const ELEMENTS_CLAMPED: u32 = Counts::ELEMENTS_CLAMPED;
    /// Status: there were more segments than the capacity. The errors of the first ones are right; the rest was not written.
    pub const SEGMENTS_CLAMPED: u32 = 2;
}

shared_struct! {
    /// A level of binning: the grid, and how the level divides its cells.
    BinPlan {
        /// The most elements.
        element_capacity: u32,
        /// The most entries.
        entry_capacity: u32,
        /// The left edge of the viewport in pixels.
        origin_x: i32,
        /// The top edge.
        origin_y: i32,
        /// The width of the viewport in pixels.
        width: u32,
        /// Its height.
        height: u32,
        /// The width of a bin in pixels.
        bin_x: u32,
        /// Its height.
        bin_y: u32,
        /// Columns of bins.
        columns: u32,
        /// Rows of bins.
        rows: u32,
        /// The number of the level, from 0.
        level: u32,
        /// 1 if its children are the bins, else 0.
        is_last: u32,
        /// How many cells are divided on this level.
        cells: u32,
        /// Columns of children in a cell.
        fan_x: u32,
        /// Rows of children in a cell.
        fan_y: u32,
        /// Columns of bins in a child.
        cell_x: u32,
        /// Rows of bins in a child.
        cell_y: u32,
        /// Columns of the window of children (in pieces: bins) whose lists one workgroup writes; a power of two.
        window_x: u32,
        /// Rows of the window; a power of two.
        window_y: u32,
        /// The most items of a segment.
        segment: u32,
        /// In pieces: each workgroup adds this to the sum of entries to count itself. A power of two greater than the
        /// number of entries; 0 if 32 bits cannot hold both before the last addition.
        arrival: u32,
    } padded pad0 pad1 pad2
}

impl BinPlan {
    /// The most columns or rows of children in a cell.
    pub const FAN: u32 = 32;
    /// The most columns or rows of a window; a power of two.
    pub const WINDOW: u32 = 16;
}

shared_struct! {
    /// A cell of a level of binning: its segments. 12 bytes.
    BinCell {
        /// The first of its segments.
        first_segment: u32,
        /// How many there are.
        segments: u32,
        /// Its first bin: the column in the low 16 bits, the row in the high 16.
        corner: u32,
    }
}

shared_struct! {
    /// A segment of the items of a cell. 12 bytes.
    BinSegment {
        /// The first bin of the cell: the column in the low 16 bits, the row in the high 16.
        corner: u32,
        /// The first item.
        start: u32,
        /// The end: one past the last item.
        end: u32,
    }
}

shared_struct! {
    /// The counts that binning writes. 16 bytes.
    BinStatus {
        /// The number of entries in all lists. A second try with this capacity and the same input succeeds. `u32::MAX`
        /// means that many or more.
        needed: u32,
        /// How many were written: `needed`, or 0 if that exceeds the capacity. (In pieces, some may have been written
        /// even then.)
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
    /// Flag: `needed` is more than the capacity of entries. Every bin is empty. In pieces, discard all headers: some of
    /// them may point to entries that were not written.
    pub const ENTRIES_TOO_FEW: u32 = 2;
}

shared_struct! {
    /// How the overlay looks at the boxes. 112 bytes; if all are 0, it draws nothing.
    OverlayView {
        /// The first four numbers `a, b, c, d` of the transform from the scene to pixels of the target: `(a x + c y + e, b x + d y + f)`.
        axes: rect,
        /// The other two, `e, f`, then the width and the height of the target in pixels.
        place: rect,
        /// The color of a draw.
        draw: rect,
        /// The color of a clip.
        clip: rect,
        /// The color of a layer.
        layer: rect,
        /// The color of a culled element.
        culled: rect,
        /// Bits: [`OverlayView::DRAW`] and so on.
        kinds: u32,
    } padded pad0 pad1 pad2
}

impl OverlayView {
    /// Bit of [`OverlayView::kinds`]: draws that are seen.
    pub const DRAW: u32 = 1;
    /// Bit: clips inside which something is seen.
    pub const CLIP: u32 = 2;
    /// Bit: layers in which something is seen.
    pub const LAYER: u32 = 4;
    /// Bit: elements of which nothing is seen.
    pub const CULLED: u32 = 8;
    /// Lines per element, of 6 vertices each.
    pub const LINES: u32 = 8;
}

/// The constants that are the same in every kernel.
pub(crate) const CONSTANTS: [(&str, u32); 23] = [
    ("NONE", NONE),
    ("ROLE_MASK", Tag::ROLE_MASK),
    ("ROLE_DRAW", Tag::ROLE_DRAW),
    ("ROLE_BEGIN", Tag::ROLE_BEGIN),
    ("ROLE_END", Tag::ROLE_END),
    ("TAG_CLIP", Tag::CLIP),
    ("TAG_BLEND", Tag::BLEND),
    ("TAG_NON_LOCAL", Tag::NON_LOCAL),
    ("TAG_SPREAD", Tag::SPREAD),
    ("TAG_FILLS", Tag::FILLS),
    ("STATUS_ELEMENTS_CLAMPED", Counts::ELEMENTS_CLAMPED),
    ("STATUS_MARKERS_CLAMPED", Counts::MARKERS_CLAMPED),
    ("STATUS_SEGMENTS_CLAMPED", BracketCounts::SEGMENTS_CLAMPED),
    ("STATUS_FILTERS_TOO_DEEP", Counts::FILTERS_TOO_DEEP),
    ("ENTRIES_TOO_FEW", BinStatus::ENTRIES_TOO_FEW),
    ("BIN_FAN", BinPlan::FAN),
    ("BIN_WINDOW", BinPlan::WINDOW),
    // A row of counts for each level, and one for markers.
    ("FILTER_ROWS", FilterPlan::MAX_DEPTH + 2),
    ("FILTER_PARAMS", FilterPlan::PARAMS_BYTES / 16),
    ("OVERLAY_DRAW", OverlayView::DRAW),
    ("OVERLAY_CLIP", OverlayView::CLIP),
    ("OVERLAY_LAYER", OverlayView::LAYER),
    ("OVERLAY_CULLED", OverlayView::CULLED),
];

/// Every struct and record as WGSL. A kernel takes those that it uses.
pub(crate) fn wgsl() -> String {
    let structs = [
        Params::WGSL,
        Counts::WGSL,
        TreePlan::WGSL,
        MatchPlan::WGSL,
        MatchLevel::WGSL,
        BracketSegment::WGSL,
        BracketCounts::WGSL,
        FilterPlan::WGSL,
        LevelParams::WGSL,
        BinPlan::WGSL,
        BinStatus::WGSL,
        BinCell::WGSL,
        BinSegment::WGSL,
        OverlayView::WGSL,
    ];
    let records = [
        Roles::WGSL,
        Tile::WGSL,
        Slot::WGSL,
        Incoming::WGSL,
        Bundle::WGSL,
        GroupOfBundles::WGSL,
        TileValues::WGSL,
        BundleProducts::WGSL,
    ];
    structs.concat() + &records.concat()
}

/// Constants as WGSL: the kernel's own, [`CONSTANTS`], and the largest float.
pub(crate) fn constants_wgsl(own: &[(&str, u32)]) -> String {
    let constants = own.iter().chain(&CONSTANTS);
    let lines = constants.map(|(name, value)| format!("const {name}: u32 = {value}u;\n"));
    lines.collect::<String>() + &format!("const MAX: f32 = {MAX};\n")
}

/// `f32::MAX` as an abstract float, with the 17 digits that identify the value among 64-bit floats: every WGSL compiler
/// reads it exactly.
const MAX: &str = "3.4028234663852886e38";

#[cfg(test)]
mod tests {
    #[test]
    fn the_largest_float_is_read_exactly() {
        assert_eq!(super::MAX.parse(), Ok(f64::from(f32::MAX)));
    }
}
