//! Removes layers that are empty or have no effect.
//!
#![doc = include_str!("../../docs/layers.svg")]
//!
//! A layer in which nothing is left goes, if its blend mode leaves alone what is behind a transparent pixel. A layer of alpha
//! 1, painted `over` and without blend mode or filter, whose clip cuts nothing of what is in it, is undone: its push and its
//! pop go, its commands stay.
//!
//! *Why the picture stays the same.* Nothing over anything is that thing. And a group over what is behind it is its draws
//! over it, one by one, for `over` is associative; but for rounding, of which [the rules](crate::rules) tell. That a
//! layer is isolated matters only to what reads the backdrop: while a layer with another blend mode is left inside, the
//! layer around it stays.

use crate::plan::{Content, Kind, Layer};

/// Whether the layer holds nothing and so changes nothing.
pub(crate) fn is_empty(layer: &Layer, content: &Content) -> bool {
    content.is_empty() && matches!(layer.kind, Kind::Plain | Kind::Opacity | Kind::Local)
}

/// Whether the layer does nothing but to cut.
pub(crate) fn is_idle(layer: &Layer, content: &Content) -> bool {
    layer.kind == Kind::Plain && !layer.is_read && !content.has_blends
}

/// Whether undoing a layer rounds nothing differently: `is_fresh` where nothing is behind its content.
pub(crate) fn rounds_nothing(content: &Content, is_fresh: bool) -> bool {
    is_fresh || (content.is_hard && !content.has_layers)
}
