//! Element streams, which are scenes as flat sequences in paint order, and the bounds of their elements.

use crate::{Footprint, FootprintError, NotANumber, Rect, Role, Tag};
use alloc::vec::Vec;

/// The index that means "no element".
pub const NONE: u32 = u32::MAX;

/// A validated element stream: one [`Tag`] and one canonical [`Rect`] per element, and the viewport.
///
/// For a draw, the rect is the box of its paint. For a node that clips, it is the box of the clip path. For a node that only
/// blends, it is the layer's own extent, or [`Rect::EVERYTHING`] if it has none. For a spread node, it is the filter's
/// [`Footprint`]. The rect of an end is [`Rect::NOTHING`] and is never read.
///
/// A stream may be unbalanced: an end without a begin has no effect, and a begin without an end extends to the end of the stream.
///
/// ```
/// use treebounds_core::{NodeKind, Rect, Stream, Tag};
/// let unit = Rect::new(0.0, 0.0, 1.0, 1.0);
/// let tags = vec![Tag::begin(NodeKind::Clip), Tag::DRAW, Tag::end(NodeKind::Clip)];
/// let stream = Stream::new(tags, vec![unit, unit, Rect::NOTHING], unit).unwrap();
/// assert_eq!(stream.len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    tags: Vec<Tag>,
    rects: Vec<Rect>,
    viewport: Rect,
}

/// The reason that a sequence of words is not a valid element stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The numbers of tags and rects differ.
    #[error("there are {tags} tags but {rects} rects; a stream has one rect for every tag")]
    LengthsDiffer {
        /// The number of tags.
        tags: usize,
        /// The number of rects.
        rects: usize,
    },
    /// The stream has more elements than 32-bit indices, one of which means "none".
    #[error("{len} elements exceed the maximum of {max}; split the scene", max = Stream::MAX_LEN)]
    TooLong {
        /// The number of elements.
        len: usize,
    },
    /// The word is not a tag.
    #[error(
        "element {index} has the invalid tag {bits:#x}; make tags with `Tag::begin`, `Tag::end` and `Tag::DRAW`"
    )]
    BadTag {
        /// The element.
        index: usize,
        /// Its tag word.
        bits: u32,
    },
    /// A coordinate is NaN.
    #[error("the rect of element {index} has a coordinate that is NaN")]
    BadRect {
        /// The element.
        index: usize,
    },
    /// The rect of a spread node's Begin is not a valid footprint.
    #[error("the footprint of element {index} cannot be used: {source}")]
    BadFootprint {
        /// The element.
        index: usize,
        /// The error of the footprint.
        source: FootprintError,
    },
    /// A coordinate of the viewport is NaN.
    #[error("the viewport has a coordinate that is NaN")]
    BadViewport,
}

impl Stream {
    /// The maximum number of elements in a stream.
    pub const MAX_LEN: usize = u32::MAX as usize - 1;

    /// Creates a stream. Rects are converted to their canonical form ([`Rect::canonical`]), and rects of ends to
    /// [`Rect::NOTHING`].
    ///
    /// # Errors
    /// [`StreamError`] for the first invalid element.
    pub fn new(tags: Vec<Tag>, mut rects: Vec<Rect>, viewport: Rect) -> Result<Self, StreamError> {
        if tags.len() != rects.len() {
            return Err(StreamError::LengthsDiffer { tags: tags.len(), rects: rects.len() });
        }
        if tags.len() > Self::MAX_LEN {
            return Err(StreamError::TooLong { len: tags.len() });
        }
        for (index, (tag, rect)) in tags.iter().zip(&mut rects).enumerate() {
            if Tag::from_bits(tag.bits()).is_none() {
                return Err(StreamError::BadTag { index, bits: tag.bits() });
            }
            *rect = match tag.role() {
                Role::End => Rect::NOTHING,
                _ if tag.is_spread() => Footprint::from_rect(*rect)
                    .map_err(|source| StreamError::BadFootprint { index, source })?
                    .to_rect(),
                _ => rect.canonical().map_err(|NotANumber| StreamError::BadRect { index })?,
            };
        }
        let viewport = viewport.canonical().map_err(|NotANumber| StreamError::BadViewport)?;
        Ok(Self { tags, rects, viewport })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The tag of each element.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The rect of each element.
    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// Whether a node of the stream spreads pixels ([`Tag::SPREAD`]) or fills its clip ([`Tag::FILLS`]).
    ///
    /// Cost: one pass over the tags.
    pub fn has_filters(&self) -> bool {
        self.tags.iter().any(|tag| tag.bits() & (Tag::SPREAD | Tag::FILLS) != 0)
    }

    /// The maximum number of spread nodes around an element; 0 for a scene without filters.
    ///
    /// Cost: one pass over the tags, and a stack as deep as the nesting.
    pub fn filter_depth(&self) -> u32 {
        let (mut open, mut depth, mut deepest) = (Vec::new(), 0, 0);
        for tag in &self.tags {
            match tag.role() {
                Role::Draw => {}
                Role::Begin => {
                    open.push(tag.is_spread());
                    depth += u32::from(tag.is_spread());
                    deepest = deepest.max(depth);
                }
                Role::End => depth -= u32::from(open.pop().unwrap_or(false)),
            }
        }
        deepest
    }

    /// The box to which the whole scene is clipped.
    pub fn viewport(&self) -> Rect {
        self.viewport
    }

    /// The number of markers: begins and ends.
    pub fn marker_count(&self) -> usize {
        self.tags.iter().filter(|tag| tag.is_marker()).count()
    }
}

/// The bounds of every element of a [`Stream`].
///
/// The four arrays of markers (begins and ends) have one entry per marker, in stream order; `boxes` has one per element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Per marker: its element index, in ascending order.
    pub marker_elements: Vec<u32>,
    /// Per marker: for an end, the element index of its begin; for a begin, the element index of its parent; [`NONE`] if
    /// there is none.
    pub links: Vec<u32>,
    /// Per marker: its clip box, the intersection of its rect with the clip of its parent, or with the viewport. For a spread node,
    /// which is a filter, it is the area that the filter reads for the clip around it, so clips inside a filter may extend beyond
    /// the viewport. An end repeats the value of its begin; [`Rect::NOTHING`] for an end without a begin.
    pub clips: Vec<Rect>,
    /// Per marker: its content box, the union of all visible boxes inside it. For a filter, these are mapped through the filter. An
    /// end repeats the value of its begin; [`Rect::NOTHING`] for an end without a begin.
    pub contents: Vec<Rect>,
    /// Per element: the box of the pixels that it can change. Outside filters, these are pixels of the canvas. Inside a filter, they
    /// are pixels of the filter's input; [`landings`](crate::reference::landings) computes the boxes on the canvas. An element whose
    /// box is [`Rect::NOTHING`] is *culled*.
    pub boxes: Vec<Rect>,
}

impl Bounds {
    /// The index of an element in the marker arrays, if it is a marker.
    ///
    /// Cost: a binary search.
    pub fn marker_of(&self, element: u32) -> Option<usize> {
        self.marker_elements.binary_search(&element).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeKind;
    use alloc::vec;

    const UNIT: Rect = Rect::new(0.0, 0.0, 1.0, 1.0);

    #[test]
    fn rejects_invalid_streams() {
        let nan = Rect::new(f32::NAN, 0.0, 1.0, 1.0);
        let two = vec![Tag::DRAW; 2];
        assert_eq!(
            Stream::new(two.clone(), vec![UNIT], UNIT),
            Err(StreamError::LengthsDiffer { tags: 2, rects: 1 })
        );
        assert_eq!(
            Stream::new(two.clone(), vec![UNIT, nan], UNIT),
            Err(StreamError::BadRect { index: 1 })
        );
        assert_eq!(Stream::new(two, vec![UNIT; 2], nan), Err(StreamError::BadViewport));
        let word: Tag = bytemuck::cast(3_u32);
        assert_eq!(
            Stream::new(vec![word], vec![UNIT], UNIT),
            Err(StreamError::BadTag { index: 0, bits: 3 })
        );
    }

    #[test]
    fn rects_of_ends_become_nothing() {
        let nan = Rect::new(f32::NAN, 0.0, 1.0, 1.0);
        let stream = Stream::new(vec![Tag::end(NodeKind::Clip)], vec![nan], UNIT).unwrap();
        assert_eq!(stream.rects(), [Rect::NOTHING]);
    }
}
