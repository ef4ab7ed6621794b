//! The rules of the optimizer: what each does, and why the picture stays the same.
//!
//! A list is a tree: layers hold draws and layers. The rules look at boxes of whole pixels (what a draw *touches*, what it
//! *covers*), once down the tree and once up.
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
//! A layer with a filter, and all in it, stays as it is: a filter moves pixels. Where a layer has a backdrop filter, the
//! layers around it stay, nothing in front of it hides what is behind it, and what those layers' clips cut still stays
//! in the list: the filter may read it. A layer whose blend mode changes pixels where the layer is not
//! (`Clear`, `Copy`, `SrcIn`, `DestIn`, `SrcOut`, `DestAtop`) stays, and so does the layer around it.
//!
//! # Rounding
//! To paint a group and then put the group over what is behind it is, in exact arithmetic, to paint the draws of the
//! group one after the other: `over` is associative. With 8 bits a channel it is not the same, for the group is rounded
//! before it is put down. Undoing a layer therefore keeps every bit in two cases only, and with
//! [`Exactness::Bits`](crate::Exactness::Bits) a layer is undone in these alone:
//!
//! - *nothing is behind it*: no earlier draw of the layer around it touches the same pixels, which so are transparent. The
//!   draws meet the same zeros as in a buffer of their own, and to put a group over zeros changes no bit;
//! - *nothing in it is translucent*: it holds whole pixels of opaque colours. Where such a pixel is, what is behind
//!   it is multiplied with zero, with or without the layer.
//!
//! The same holds for a clip that changes shape. Renderers take one path for pixels near to a clip's edge and another for
//! those far inside it, which may round differently; so a new edge keeps two tiles of 4 x 4 pixels away from
//! all content.

pub mod clips;
pub mod cull;
pub mod layers;
pub mod nested;
pub mod occlusion;
pub mod opacity;

/// How far the new edge of a clip keeps from what is in it, so that rounding stays the same.
pub(crate) const TILES: i32 = 8;
