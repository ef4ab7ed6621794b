//! The structs, constants and buffer numbers that Rust and the kernels share.

use treebounds_core::{NONE, Tag};

/// Declares the buffers with their names in the public API, and the list of all buffers.
macro_rules! bindings {
    ($($(#[$meta:meta])* $name:ident $text:literal,)*) => {
        /// A buffer of bind group 0. Its number is the same in every kernel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Binding { $($(#[$meta])* $name,)* }

        impl Binding {
            const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// Name of the buffer, for errors. Two forms of the same buffer share a name.
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
    /// [`Counts`], written by compaction or by `match_reduce`.
    Counts "counts",
    /// One tag word per element.
    Tags "tags",
    /// One rect per element.
    Rects "rects",
    /// The number of markers before each element.
    MarkersBefore "markers_before",
    /// The element of each marker.
    MarkerElements "marker_elements",
    /// One link per marker.
    Links "links",
    /// One clip per marker.
    Clips "clips",
    /// One content box per marker.
    Contents "contents",
    /// One box per element.
    Boxes "boxes",
    /// The tags as vectors of four; the buffer is padded to whole vectors.
    Tags4 "tags",
    /// One bit per element, set for opens.
    BitsIn "bits",
    /// The links as vectors of four; the buffer is padded to whole vectors.
    Links4 "links",
    /// Scratch: words.
    Words "words",
    /// Scratch: products.
    Products "values",
    /// The caller's value of each element.
    Inputs "inputs",
    /// The result of each element, in the caller's type.
    Outputs "outputs",
    /// [`BinPlan`], a uniform.
    Bin "levels",
    /// [`BinStatus`].
    BinStatus "status",
    /// The start and length of each bin's list.
    BinHeaders "headers",
    /// The lists of all bins.
    BinEntries "entries",
    /// Scratch: a counter that all workgroups of binning in pieces add to.
    BinTotal "total",
    /// [`MatchPlan`], a uniform.
    MatchPlan "plan",
    /// Scratch of matching: the effect of each tile on the stack, and the levels of products above the tiles.
    Pyramid "pyramid",
    /// Scratch of matching: the elements that each tile leaves open, bottom first; TILE words per tile.
    Slices "slices",
    /// Scratch of matching: the elements as bits.
    Bitmaps "bitmaps",
    /// Scratch: the bins that each element touches.
    BinRanges "ranges",
    /// Scratch: for each segment of a level and each child, the number of items that touch the child, later their place.
    BinMatrix "matrix",
    /// Scratch: the number of entries that the elements of each segment need.
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
    /// The depth of each element, as vectors of four; the buffer is padded to whole vectors.
    Depths4 "depths",
    /// One [`BracketSegment`] per segment.
    Segments "segments",
    /// Scratch: the effect of each tile on the state of a parser, later the state before it.
    BracketTiles "bracket tiles",
    /// [`FilterPlan`], a uniform.
    Filter "levels",
    /// Scratch: the tags and origins of the entries of each filter level.
    FilterLevelWords "level words",
    /// Scratch: the rects of the entries of each filter level.
    FilterLevelRects "level rects",
    /// Scratch: the [`Params`] of the stream of each filter level.
    FilterParams "level params",
    /// Scratch: the number of filters around each element, the counts of entries, and the links of a level's entries.
    FilterWords "filter words",
    /// Scratch: the clips, followed by the contents, of a level's entries.
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
    /// Scratch of a scene with few markers: a copy of the frame's [`Counts`], which later kernels read as a uniform.
    FrameCounts "frame counts",
    /// [`OverlayView`], a uniform.
    View "view",
}

impl Binding {
    /// Number of the buffer in bind group 0.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Finds the buffer with this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.number() == number)
    }
}

/// A kernel's access to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads the buffer as a uniform.
    Uniform,
    /// Reads the buffer as storage.
    Read,
    /// Reads and writes the buffer as storage.
    ReadWrite,
}

/// Declares a struct for both languages: a Rust struct, and its WGSL text as `WGSL`.
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
    /// The input that changes from frame to frame. It is in the caller's buffer, and written by the CPU or by an earlier
    /// kernel that counts the elements.
    ///
    /// 32 bytes; the viewport must be canonical ([`Rect::canonical`](treebounds_core::Rect::canonical)).
    Params {
        /// The box to which everything is clipped: `x0, y0, x1, y1`.
        viewport: rect,
        /// The number of elements. Elements beyond the capacity are ignored, which [`Counts::status`] reports.
        elements: u32,
    } padded pad0 pad1 pad2
}

shared_struct! {
    /// Offsets into the scratch buffers of the tree kernels, determined by the capacity. Each offset is in words (`u32`) or
    /// in values (`vec4<f32>` for a scene).
    TreePlan {
        /// Maximum number of elements.
        element_capacity: u32,
        /// Maximum number of markers.
        marker_capacity: u32,
        /// Words: the [`Roles`] of elements, one record per 32 elements of a tile.
        roles: u32,
        /// Words: one [`Tile`] per tile.
        tiles: u32,
        /// Words: one [`Slot`] per element of a tile.
        slots: u32,
        /// Words: for each tile, one [`Incoming`] per open on the stack before it, from the top; TILE records per tile.
        incoming: u32,
        /// Words: one [`Bundle`] per bundle, and the start of each of its tiles.
        bundles: u32,
        /// Words: one [`GroupOfBundles`] per group.
        groups: u32,
        /// Words: the number of markers in each tile of `count_markers`; after `scan_counts`, the number before it.
        counted: u32,
        /// Words: with few markers, the compacted stream (`lib/posts.wgsl`).
        posts: u32,
        /// Values: one value per slot.
        slot_values: u32,
        /// Values: [`TileValues`], two per tile.
        tile_values: u32,
        /// Values: the product that flows to the opens that each bundle holds.
        bundle_values: u32,
        /// Values: for each tile, the product of the values that grow up.
        tile_products: u32,
        /// Values: [`BundleProducts`], two per bundle.
        bundle_products: u32,
        /// Values: for each element of a monoid's tree, its part of a product that continues in another tile; for each
        /// post, the union of the draws before it.
        parts: u32,
        /// Words: with filters, the side of the content of each open whose node continues in another tile.
        sides: u32,
    }
}

/// Declares a record in scratch memory: the length in words or values for Rust, and the offset of each field for WGSL.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident $prefix:literal { $($(#[$field_meta:meta])* $field:literal = $at:literal,)* } $len:literal $unit:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            /// Length of the record in words or values.
            pub const LEN: u32 = $len;
            /// The length and the offsets as WGSL constants.
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
        // The number of markers in the tile, and before the tile.
        "MARKERS" = 2,
        "MARKERS_BEFORE" = 3,
    } 4 "WORDS"
}

record! {
    /// An open whose close is not in its tile. A task uses the first [`Task::slot_words`](crate::Task::slot_words) words.
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
    /// The effect of a bundle on the stack, the number of opens of the group's stack that it holds, and the number of opens
    /// above these. Followed by one word per tile: the number of opens of the bundle's stack below those that the tile holds.
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
    /// Products that flow down to a tile: to the opens that it holds on its bundle's stack, and to its slice.
    TileValues "TILE" {
        "BELOW" = 0,
        "BASE" = 1,
    } 2 "VALUES"
}

record! {
    /// The product of the values that grow up: over a bundle, and over the bundles of its group up to and including it.
    BundleProducts "BUNDLE" {
        "PRODUCT" = 0,
        "PREFIX" = 1,
    } 2 "PRODUCTS"
}

shared_struct! {
    /// The sizes of the scratch buffers of matching, determined by the capacity.
    MatchPlan {
        /// Maximum number of elements.
        element_capacity: u32,
        /// The number of products of a pyramid level that one thread combines, a power of two.
        children_per_thread: u32,
        /// Length in words of the bitmaps of opens, closes and unmatched opens, if there are three.
        bitmap_words: u32,
        /// Maximum number of bracket segments.
        segment_capacity: u32,
    }
}

shared_struct! {
    /// The dispatch of `match_build`, one per level of the pyramid.
    MatchLevel {
        /// Index of the level that is read, starting at 0 for the tiles.
        read: u32,
    } padded pad0 pad1 pad2
}

shared_struct! {
    /// A level of a scene with filters, and the offsets of all levels in scratch memory, determined by the capacity.
    FilterPlan {
        /// Index of the level, starting at 0.
        level: u32,
        /// Index of the deepest level, which is the maximum number of filters around an element.
        depth: u32,
        /// Maximum number of elements of the scene.
        element_capacity: u32,
        /// Maximum number of markers of the scene.
        marker_capacity: u32,
        /// Maximum number of entries of a level.
        entry_capacity: u32,
        /// Maximum number of tiles of `filter_count`.
        tiles: u32,
        /// Words: for each level, and for the markers, one count per tile.
        counted: u32,
        /// Words: the link of each entry of a level.
        links: u32,
    }
}

impl FilterPlan {
    /// Maximum value of [`FilterPlan::depth`].
    pub const MAX_DEPTH: u32 = 16;
    /// Stride in bytes between the [`Params`] of two levels, a multiple of every device's alignment.
    pub const PARAMS_BYTES: u32 = 256;
}

shared_struct! {
    /// The [`Params`] of the stream of a filter level, written by `filter_scan`.
    LevelParams {
        /// The viewport of the level.
        viewport: rect,
        /// The number of entries of the level.
        entries: u32,
        /// The number of elements of the scene.
        scene_elements: u32,
    } padded pad0 pad1
}

shared_struct! {
    /// The counts that the stage writes. 16 bytes.
    Counts {
        /// The number of elements that were processed.
        elements: u32,
        /// The number of markers among these elements, clamped to the capacity.
        markers: u32,
        /// A combination of [`Counts::ELEMENTS_CLAMPED`], [`Counts::MARKERS_CLAMPED`] and [`Counts::FILTERS_TOO_DEEP`].
        status: u32,
        /// The number of markers among these elements, not clamped: the capacity that a second attempt needs.
        markers_needed: u32,
    }
}

impl Counts {
    /// Status flag: the number of elements exceeded the capacity, and the remaining elements were ignored.
    pub const ELEMENTS_CLAMPED: u32 = 1;
    /// Status flag: the number of markers exceeded the capacity. Elements after the last marker that fits have unspecified
    /// bounds, and the nodes around them have unspecified contents. A second attempt needs a capacity of
    /// [`Counts::markers_needed`].
    pub const MARKERS_CLAMPED: u32 = 2;
    /// Status flag: an element has more filters around it than the scratch memory allows. Such elements have no link and
    /// unlimited boxes, and the contents of the nodes around them may be too large.
    pub const FILTERS_TOO_DEEP: u32 = 4;
}

shared_struct! {
    /// A [`Segment`](treebounds_core::Segment) of brackets.
    BracketSegment {
        /// The first close without an open.
        unopened: u32,
        /// The first close that matches an open of another kind.
        mismatched: u32,
        /// The first unclosed open.
        unclosed: u32,
        /// The reset that ends the segment, or the number of elements.
        end: u32,
    }
}

shared_struct! {
    /// The counts that matching of brackets writes. 16 bytes.
    BracketCounts {
        /// The number of elements that were processed.
        elements: u32,
        /// The number of segments, not clamped: the capacity that a second attempt needs.
        segments: u32,
        /// A combination of [`BracketCounts::ELEMENTS_CLAMPED`] and [`BracketCounts::SEGMENTS_CLAMPED`].
        status: u32,
    } padded pad0
}

impl BracketCounts {
    /// Status flag: the number of elements exceeded the capacity, and the remaining elements were ignored.
    pub const ELEMENTS_CLAMPED: u32 = Counts::ELEMENTS_CLAMPED;
    /// Status flag: the number of segments exceeded the capacity. The errors of the remaining segments were not written.
    pub const SEGMENTS_CLAMPED: u32 = 2;
}

shared_struct! {
    /// A level of binning: the grid, and the division of the level's cells.
    BinPlan {
        /// Maximum number of elements.
        element_capacity: u32,
        /// Maximum number of entries.
        entry_capacity: u32,
        /// Left edge of the viewport in pixels.
        origin_x: i32,
        /// Top edge of the viewport in pixels.
        origin_y: i32,
        /// Width of the viewport in pixels.
        width: u32,
        /// Height of the viewport in pixels.
        height: u32,
        /// Width of a bin in pixels.
        bin_x: u32,
        /// Height of a bin in pixels.
        bin_y: u32,
        /// Columns of bins.
        columns: u32,
        /// Rows of bins.
        rows: u32,
        /// Index of the level, starting at 0.
        level: u32,
        /// 1 if the children of this level are the bins, otherwise 0.
        is_last: u32,
        /// Number of cells on this level.
        cells: u32,
        /// Columns of children per cell.
        fan_x: u32,
        /// Rows of children per cell.
        fan_y: u32,
        /// Columns of bins per child.
        cell_x: u32,
        /// Rows of bins per child.
        cell_y: u32,
        /// Columns of the window of children (with pieces, of bins) whose lists one workgroup writes; a power of two.
        window_x: u32,
        /// Rows of the window; a power of two.
        window_y: u32,
        /// Maximum number of items per segment.
        segment: u32,
        /// With pieces, each workgroup adds this to the sum of entries to count itself. A power of two greater than the
        /// number of entries, or 0 if 32 bits cannot represent the sum before the last addition.
        arrival: u32,
    } padded pad0 pad1 pad2
}

impl BinPlan {
    /// Maximum number of columns or rows of children per cell.
    pub const FAN: u32 = 32;
    /// Maximum number of columns or rows of a window; a power of two.
    pub const WINDOW: u32 = 16;
}

shared_struct! {
    /// A cell of a level of binning. 12 bytes.
    BinCell {
        /// The first segment of the cell.
        first_segment: u32,
        /// The number of segments of the cell.
        segments: u32,
        /// The first bin of the cell: the column in the low 16 bits, the row in the high 16.
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
        /// One past the last item.
        end: u32,
    }
}

shared_struct! {
    /// The counts that binning writes. 16 bytes.
    BinStatus {
        /// The number of entries of all lists, saturated to `u32::MAX`. A second attempt with this capacity and the same
        /// input succeeds.
        needed: u32,
        /// The number of entries that were written: `needed`, or 0 if that exceeds the capacity. (With pieces, some may have
        /// been written even then.)
        written: u32,
        /// A combination of [`BinStatus::ELEMENTS_CLAMPED`] and [`BinStatus::ENTRIES_TOO_FEW`].
        flags: u32,
        /// The number of elements that were processed.
        elements: u32,
    }
}

impl BinStatus {
    /// Flag: the number of elements exceeded the capacity, and the remaining elements were ignored.
    pub const ELEMENTS_CLAMPED: u32 = Counts::ELEMENTS_CLAMPED;
    /// Flag: `needed` exceeds the capacity of entries, and every bin is empty. With pieces, discard all headers, because some
    /// may point to entries that were not written.
    pub const ENTRIES_TOO_FEW: u32 = 2;
}

shared_struct! {
    /// The transform and colors of the overlay. 112 bytes; all zeros draw nothing.
    OverlayView {
        /// The coefficients `a, b, c, d` of the transform from the scene to pixels of the target:
        /// `(a x + c y + e, b x + d y + f)`.
        axes: rect,
        /// The coefficients `e, f`, then the width and the height of the target in pixels.
        place: rect,
        /// The color of a draw.
        draw: rect,
        /// The color of a clip.
        clip: rect,
        /// The color of a layer.
        layer: rect,
        /// The color of a culled element.
        culled: rect,
        /// The kinds to draw: a combination of [`OverlayView::DRAW`], [`OverlayView::CLIP`], [`OverlayView::LAYER`] and
        /// [`OverlayView::CULLED`].
        kinds: u32,
    } padded pad0 pad1 pad2
}

impl OverlayView {
    /// Bit of [`OverlayView::kinds`]: visible draws.
    pub const DRAW: u32 = 1;
    /// Bit of [`OverlayView::kinds`]: clips with visible content.
    pub const CLIP: u32 = 2;
    /// Bit of [`OverlayView::kinds`]: layers with visible content.
    pub const LAYER: u32 = 4;
    /// Bit of [`OverlayView::kinds`]: culled elements.
    pub const CULLED: u32 = 8;
    /// Lines per element, of 6 vertices each.
    pub const LINES: u32 = 8;
}

/// The constants of every kernel.
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
    // One row of counts per level, and one for markers.
    ("FILTER_ROWS", FilterPlan::MAX_DEPTH + 2),
    ("FILTER_PARAMS", FilterPlan::PARAMS_BYTES / 16),
    ("OVERLAY_DRAW", OverlayView::DRAW),
    ("OVERLAY_CLIP", OverlayView::CLIP),
    ("OVERLAY_LAYER", OverlayView::LAYER),
    ("OVERLAY_CULLED", OverlayView::CULLED),
];

/// Returns all structs and records as WGSL.
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

/// Returns constants as WGSL: those of the kernel, [`CONSTANTS`], and the largest float.
pub(crate) fn constants_wgsl(own: &[(&str, u32)]) -> String {
    let constants = own.iter().chain(&CONSTANTS);
    let lines = constants.map(|(name, value)| format!("const {name}: u32 = {value}u;\n"));
    lines.collect::<String>() + &format!("const MAX: f32 = {MAX};\n")
}

/// `f32::MAX` as an abstract float. Its 17 digits identify the value among 64-bit floats, so every WGSL compiler parses it
/// exactly.
const MAX: &str = "3.4028234663852886e38";

#[cfg(test)]
mod tests {
    #[test]
    fn max_parses_to_the_largest_float() {
        assert_eq!(super::MAX.parse(), Ok(f64::from(f32::MAX)));
    }
}
