//! The input frames of damage detection.

use crate::{Footprint, Rect, Role, Stream, Tag};

/// The elements of a frame and its backdrops.
#[derive(Clone, Copy, Debug)]
pub struct DamageFrame<'a> {
    pub(super) tags: &'a [Tag],
    pub(super) rects: &'a [Rect],
    pub(super) viewport: Rect,
    pub(super) backdrops: &'a [Backdrop],
}

/// A node that shows the pixels below it through a filter. Its tag has [`Tag::FILLS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backdrop {
    /// The element index of the node's Begin.
    pub node: u32,
    /// The footprint of the filter; [`Footprint::EVERYWHERE`] if every pixel depends on all pixels.
    pub footprint: Footprint,
}

/// The reason that elements and backdrops are not a valid [`DamageFrame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The numbers of tags and rects differ.
    #[error("{tags} tags, but {rects} rects; each element has one of both")]
    LengthsDiffer {
        /// The number of tags.
        tags: usize,
        /// The number of rects.
        rects: usize,
    },
    /// The element of a backdrop is not a Begin.
    #[error(
        "backdrop {index} is at element {node}, which begins no node; give the index of its Begin"
    )]
    NoNode {
        /// The index of the backdrop.
        index: usize,
        /// The element.
        node: u32,
    },
    /// A node with a backdrop does not fill its clip, so areas that only show the backdrop would not be damaged.
    #[error(
        "backdrop {index} is at element {node}, which does not fill its clip; begin it with `begin_filling`"
    )]
    NotFilling {
        /// The index of the backdrop.
        index: usize,
        /// The element.
        node: u32,
    },
    /// The backdrops are not in ascending order.
    #[error("backdrop {index} is not after the backdrop before it; sort them by node, each once")]
    NotInOrder {
        /// The index of the backdrop.
        index: usize,
    },
}

impl<'a> DamageFrame<'a> {
    /// Creates a frame from a stream and its backdrops, in ascending order.
    ///
    /// # Errors
    /// [`FrameError`] for invalid backdrops.
    pub fn new(stream: &'a Stream, backdrops: &'a [Backdrop]) -> Result<Self, FrameError> {
        Self::of(stream.tags(), stream.rects(), stream.viewport(), backdrops)
    }

    /// Creates a frame from elements without a [`Stream`]. Rects must be [canonical](Rect::canonical); this is not checked, and other
    /// rects may cause wrong damage.
    ///
    /// # Errors
    /// [`FrameError`] for different lengths or invalid backdrops.
    pub fn of(
        tags: &'a [Tag],
        rects: &'a [Rect],
        viewport: Rect,
        backdrops: &'a [Backdrop],
    ) -> Result<Self, FrameError> {
        if tags.len() != rects.len() {
            return Err(FrameError::LengthsDiffer { tags: tags.len(), rects: rects.len() });
        }
        let mut last = None;
        for (index, Backdrop { node, .. }) in backdrops.iter().copied().enumerate() {
            let begin = tags.get(node as usize).filter(|tag| tag.role() == Role::Begin);
            let begin = begin.ok_or(FrameError::NoNode { index, node })?;
            if !begin.is_filling() {
                return Err(FrameError::NotFilling { index, node });
            }
            if last.replace(node).is_some_and(|last| last >= node) {
                return Err(FrameError::NotInOrder { index });
            }
        }
        Ok(Self { tags, rects, viewport, backdrops })
    }
}
