//! The rules of the optimizer: their effect, and why the picture stays the same.
//!
//! A list is a tree: layers contain draws and layers. The rules compare boxes of whole pixels (the pixels that a draw
//! *touches* or *covers* completely) in one pass down the tree and one pass up.
//!
//! | rule | removes | order |
//! |---|---|---|
//! | [`cull`] | invisible commands | first, front to back |
//! | [`occlusion`] | draws behind an opaque rectangle | second, back to front |
//! | [`layers`] | layers that are empty or have no effect | third, from the innermost layer outwards |
//! | [`clips`] | clips that cut nothing, or a single draw | in the same pass |
//! | [`nested`] | clips made redundant by an outer clip; empty space in layers | in the same pass |
//! | [`opacity`] | groups with a uniform alpha | in the same pass |
//!
//! # What never changes
//! A filter is kept, but content that it cannot show is removed, and its layer is clipped to what it shows. A filter
//! and its content are unchanged if the result depends on where the content ends: if the filter paints without a source
//! (a flood), tiles, or extends the picture at its edges. With [`Exactness::Bits`](crate::Exactness::Bits), this also
//! applies to blurs by more than 8.4 pixels, because `vello_cpu` blurs in groups of pixels that start at the content's
//! corner.
//!
//! If a layer has a backdrop filter, its clip and the layers around it are kept, and nothing in front of it hides what
//! is behind it. Content that the clips of those layers cut is kept too, because the filter may read it. A layer whose
//! blend mode changes pixels outside the layer (`Clear`, `Copy`, `SrcIn`, `DestIn`, `SrcOut`, `DestAtop`) is kept, and
//! so is its parent layer.
//!
//! # Rounding
//! In exact arithmetic, compositing a group over the pixels behind it equals painting the draws of the group one by
//! one, because `over` is associative. With 8 bits per channel it is not, because the group is rounded first. Removing
//! a layer keeps every bit in only two cases. With [`Exactness::Bits`](crate::Exactness::Bits), the optimizer removes a
//! layer only in these cases:
//!
//! - *Nothing is behind it.* No earlier draw of the parent layer touches the same pixels, so they are transparent. The
//!   draws read the same zeros as in a separate buffer, and compositing a group over zeros changes no bit.
//! - *Nothing in it is translucent.* It contains only complete pixels of opaque colours. At such a pixel, the colour
//!   behind is multiplied by zero with or without the layer.
//!
//! The same applies to a clip that changes shape. Renderers treat pixels near the edge of a clip differently from
//! pixels far inside it, and the two paths may round differently. A new edge therefore keeps a distance of two tiles of
//! 4 x 4 pixels from all content.

pub mod clips;
pub mod cull;
pub mod layers;
pub mod nested;
pub mod occlusion;
pub mod opacity;

/// The distance of a clip's new edge from the content, which keeps rounding the same.
pub(crate) const TILES: i32 = 8;
