//! Mistakes in the use of a canvas.

use core::fmt;
use treebounds_core::BuildError;

/// Where in a scene: an element, and its label if it was given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The element's index in the stream.
    pub element: u32,
    /// Its label.
    pub id: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element {}", self.element)?;
        self.id.iter().try_for_each(|id| write!(f, " ('{id}')"))
    }
}

/// A mistake in the use of a [`Canvas`](super::Canvas).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanvasError {
    /// `restore` without a `save`.
    #[error("before {before}: restore() finds no save() to go back to")]
    NothingSaved {
        /// What would have come next.
        before: Place,
    },
    /// `restore` in a layer whose `save` was outside.
    #[error("before {before}: restore() would leave the layer at {layer}; call pop_layer() first")]
    LayerOpen {
        /// What would have come next.
        before: Place,
        /// The begin of the innermost layer.
        layer: Place,
    },
    /// `pop_layer` without a layer.
    #[error("before {before}: pop_layer() finds no layer to close")]
    NoLayer {
        /// What would have come next.
        before: Place,
    },
    /// A shape, a transform or a style with a NaN in it.
    #[error("the {source_kind} at {place} has a coordinate that is not a number (NaN)")]
    NotANumber {
        /// What could not be drawn or opened.
        place: Place,
        /// What kind of thing: `fill`, `clip`, `layer`, ...
        source_kind: &'static str,
    },
    /// The elements do not make a stream.
    #[error(transparent)]
    Build(#[from] BuildError),
}
