//! The rules of the optimizer: what each one does, and why the picture stays the same.
//!
//! A list is a tree: layers contain draws and layers. The rules compare boxes of whole pixels (the pixels that a draw *touches* or
//! *covers* completely) in one pass down the tree and one pass up.
//!
//! | rule | removes | order |
//! |---|---|---|
//! | [`cull`] | what cannot be seen | first, front to back |
//! | [`occlusion`] | what lies behind an opaque rectangle | then, back to front |
//! | [`layers`] | layers that are empty or do nothing | then, from the innermost layer outwards |
//! | [`clips`] | clips that cut nothing, or a single draw | at the same time |
//! | [`nested`] | clips that a clip around does already; room in layers | at the same time |
//! | [`opacity`] | groups of one alpha | at the same time |
//!
//! # What is left alone
//! A filter stays, but what it cannot show is removed, and its layer is cut to what it shows. It stays as it is, with its content, if
//! its result depends on where the content ends: if it paints without a source (a flood), tiles, or continues the picture at its
//! edges; and, with [`Exactness::Bits`](crate::Exactness::Bits), if it blurs by more than 8.4 pixels, because `vello_cpu` does that
//! in groups of pixels that start at the content's corner.
//!
//! If a layer has a backdrop filter, its clip and the layers around it stay, and nothing in front of it hides what is behind it. Content that the clips of those layers cut away stays
//! too, because the filter may read it. A layer whose blend mode changes pixels outside the layer
//! (`Clear`, `Copy`, `SrcIn`, `DestIn`, `SrcOut`, `DestAtop`) stays, and so does the layer around it.
//!
//! # Rounding
//! In exact arithmetic, compositing a group over the pixels behind it is the same as painting the draws of the
//! group one after the other, because `over` is associative. With 8 bits per channel it is not, because the group is rounded
//! first. Undoing a layer therefore keeps every bit in two cases only, and with
//! [`Exactness::Bits`](crate::Exactness::Bits) the optimizer undoes a layer only in these:
//!
//! - *nothing is behind it*: no earlier draw of the parent layer touches the same pixels, so they are transparent. The
//!   draws find the same zeros as in a separate buffer, and compositing a group over zeros changes no bit;
//! - *nothing in it is translucent*: it contains only complete pixels of opaque colours. At such a pixel, the colour behind
//!   is multiplied by zero with or without the layer.
//!
//! The same applies to a clip that changes shape. Renderers treat pixels near the edge of a clip differently from
//! pixels far inside it, and the two paths may round differently. A new edge therefore stays two tiles of 4 x 4 pixels away from
//! all content.

pub mod clips;
pub mod cull;
pub mod layers;
pub mod nested;
pub mod occlusion;
pub mod opacity;

/// The distance of a clip's new edge from the content, so that rounding stays the same.
pub(crate) const TILES: i32 = 8;
