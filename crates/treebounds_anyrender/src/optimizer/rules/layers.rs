//! Removes layers that are empty or have no effect.
//!
#![doc = include_str!("../../../docs/layers.svg")]
//!
//! An empty layer is removed unless its blend mode changes what is behind a transparent pixel, or its filter paints
//! without a source. Any other layer is removed if it has alpha 1, is painted `over` without blend mode or filter, and
//! its clip cuts none of its content. Then the push and the pop are removed, and the commands in between are kept.
//!
//! *Why the picture stays the same.* Painting nothing changes nothing. Compositing a group over the pixels behind it
//! equals painting its draws one by one, because `over` is associative, up to the rounding described in [the
//! rules](crate::rules). The isolation of a layer matters only to a blend mode that reads the backdrop, so a layer
//! around another layer with a blend mode is kept.

use crate::bounds::commands::{Kind, Layer};
use crate::optimizer::plan::Content;

/// Whether the layer is empty and therefore changes nothing.
pub(crate) fn is_empty(layer: &Layer, content: &Content) -> bool {
    content.is_empty() && !layer.is_destructive && !layer.reads_backdrop
}

/// Whether the layer does nothing except clip.
pub(crate) fn is_idle(layer: &Layer, content: &Content) -> bool {
    layer.kind == Kind::Plain && !layer.is_read && !content.has_blends
}

/// Whether removing a layer changes no rounding. `is_fresh` means that nothing is behind its content.
pub(crate) fn rounds_nothing(content: &Content, is_fresh: bool) -> bool {
    is_fresh || (content.is_hard && !content.has_layers)
}
