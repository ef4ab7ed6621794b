//! Errors of drawing calls, with their places in the scene.

use core::fmt;
use treebounds_core::BuildError;

/// A place in a scene: an element, and its label if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The element's index in the stream.
    pub element: u32,
    /// The element's label.
    pub id: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element {}", self.element)?;
        self.id.iter().try_for_each(|id| write!(f, " ('{id}')"))
    }
}

/// A call that a [`Canvas`](super::Canvas) cannot execute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanvasError {
    /// `restore` without a `save`.
    #[error("restore() before {before} has no matching save(); remove it or call save() first")]
    NothingSaved {
        /// The index that the next element would have had.
        before: Place,
    },
    /// `restore` inside a layer, to a `save` outside it.
    #[error("restore() before {before} would leave the layer at {layer}; call pop_layer() first")]
    LayerOpen {
        /// The index that the next element would have had.
        before: Place,
        /// The begin of the innermost layer.
        layer: Place,
    },
    /// `pop_layer` without a layer.
    #[error("pop_layer() before {before} has no open layer; remove it or call push_layer() first")]
    NoLayer {
        /// The index that the next element would have had.
        before: Place,
    },
    /// A shape, a transform or a style contains NaN.
    #[error(
        "the {source_kind} at {place} has a coordinate that is NaN; check its shape, transform and style"
    )]
    NotANumber {
        /// The element that could not be recorded.
        place: Place,
        /// The kind of the element: `fill`, `clip`, `layer`, ...
        source_kind: &'static str,
    },
    /// The elements do not form a stream.
    #[error(transparent)]
    Build(#[from] BuildError),
}
