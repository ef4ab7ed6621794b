//! A frame, as damage reads it.

use crate::{Footprint, Rect, Role, Stream, Tag};

/// One frame: its elements, and which of them read what is below them.
#[derive(Clone, Copy, Debug)]
pub struct DamageFrame<'a> {
    pub(super) tags: &'a [Tag],
    pub(super) rects: &'a [Rect],
    pub(super) viewport: Rect,
    pub(super) backdrops: &'a [Backdrop],
}

/// A node that shows what lies below it through a filter. Its tag has [`Tag::FILLS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backdrop {
    /// The element index of the node's Begin.
    pub node: u32,
    /// How far the filter reads. [`Footprint::EVERYWHERE`] if the filter depends on all of what it reads.
    pub footprint: Footprint,
}

/// Why elements and backdrops are no [`DamageFrame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// There are more tags than rects, or fewer.
    #[error("{tags} tags, but {rects} rects; each element has one of both")]
    LengthsDiffer {
        /// The number of tags.
        tags: usize,
        /// The number of rects.
        rects: usize,
    },
    /// The node of a backdrop is not the Begin of a node.
    #[error(
        "backdrop {index} is at element {node}, which begins no node; give the index of its Begin"
    )]
    NoNode {
        /// The index among the backdrops.
        index: usize,
        /// The element.
        node: u32,
    },
    /// A node with a backdrop does not fill its clip, and so would not be damaged where only the backdrop shows.
    #[error(
        "backdrop {index} is at element {node}, which does not fill its clip; begin it with `begin_filling`"
    )]
    NotFilling {
        /// The index among the backdrops.
        index: usize,
        /// The element.
        node: u32,
    },
    /// A backdrop is not after the one before it.
    #[error("backdrop {index} is not after the backdrop before it; sort them by node, each once")]
    NotInOrder {
        /// The index of this backdrop in the frame's list of backdrops.
        index: usize,
    },
}

impl<'a> DamageFrame<'a> {
    /// A frame: a stream, and the nodes in it that read what is below them, in ascending order.
    ///
    /// # Errors
    /// [`FrameError`]
    pub fn new(stream: &'a Stream, backdrops: &'a [Backdrop]) -> Result<Self, FrameError> {
        Self::of(stream.tags(), stream.rects(), stream.viewport(), backdrops)
    }

    /// A frame of elements that are not in a [`Stream`]. The rects must be [canonical](Rect::canonical). This is not checked, and other
    /// rects may give wrong damage.
    ///
    /// # Errors
    /// [`FrameError`]
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
