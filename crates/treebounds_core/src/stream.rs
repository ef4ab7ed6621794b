//! The element stream, a scene as a flat sequence in paint order, and the bounds of its elements.

use crate::{Footprint, FootprintError, NotANumber, Rect, Role, Tag};
use alloc::vec::Vec;

/// The index that stands for no element.
pub const NONE: u32 = u32::MAX;

/// A validated element stream: one [`Tag`] and one canonical [`Rect`] per element, and the viewport around them all.
///
/// For a draw, the rect is the box of its paint. For a node that clips, it is the box of the clip path. For a node that only
/// blends, it is the layer's own extent, or [`Rect::EVERYTHING`] if it has none. For a spread node, it is the filter's
/// [`Footprint`]. The rect of an end is [`Rect::NOTHING`] and is never read.
///
/// A stream need not balance: an end without a begin changes nothing, and a begin without an end lasts to the end of the
/// stream.
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

/// Why a sequence of words is not an element stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// There is not exactly one rect per element.
    #[error("there are {tags} tags but {rects} rects; a stream has one rect for every tag")]
    LengthsDiffer {
        /// The number of tags.
        tags: usize,
        /// The number of rects.
        rects: usize,
    },
    /// Indices are 32 bits wide, and one value means "none".
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
    /// The rect of a spread node's Begin is not a filter's footprint.
    #[error("the footprint of element {index} cannot be used: {source}")]
    BadFootprint {
        /// The element.
        index: usize,
        /// What is wrong with its sides.
        source: FootprintError,
    },
    /// A coordinate of the viewport is NaN.
    #[error("the viewport has a coordinate that is NaN")]
    BadViewport,
}

impl Stream {
    /// The maximum number of elements in a stream.
    pub const MAX_LEN: usize = u32::MAX as usize - 1;

    /// A stream of these elements. Makes every rect canonical ([`Rect::canonical`]) and the rect of every end
    /// [`Rect::NOTHING`].
    ///
    /// # Errors
    /// [`StreamError`] names the first element that is wrong.
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

    /// The largest number of spread nodes around an element, or 0 for a scene without filters.
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

    /// The box that clips everything.
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
    /// Per marker: its element index, ascending.
    pub marker_elements: Vec<u32>,
    /// Per marker: for an end, the element index of its begin; for a begin, the element index of its parent; [`NONE`] if
    /// there is none.
    pub links: Vec<u32>,
    /// Per marker: the part of the node that can matter: its rect intersected with the clip of the node around it, or with the
    /// viewport. For a filter, a spread node, it is the area that the filter reads for the clip around it, so clips inside a filter
    /// may reach beyond the viewport. An end repeats the value of its begin; [`Rect::NOTHING`] for an end without a begin.
    pub clips: Vec<Rect>,
    /// Per marker: what the node paints: the union of everything visible inside it, for a filter after the filter has moved it. An end
    /// repeats the value of its begin; [`Rect::NOTHING`] for an end without a begin.
    pub contents: Vec<Rect>,
    /// Per element: the box of the pixels that it can change in the picture that it is painted into. Inside a filter, that is the
    /// filter's input, before the filter moves it; [`landings`](crate::reference::landings) has the pixels of the canvas. Elsewhere
    /// both are the same. An element with [`Rect::NOTHING`] is *culled*.
    pub boxes: Vec<Rect>,
}

impl Bounds {
    /// The index of this element in the arrays of markers, if it is a marker.
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
    fn invalid_streams_are_refused() {
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
    fn the_rect_of_an_end_is_always_nothing() {
        let nan = Rect::new(f32::NAN, 0.0, 1.0, 1.0);
        let stream = Stream::new(vec![Tag::end(NodeKind::Clip)], vec![nan], UNIT).unwrap();
        assert_eq!(stream.rects(), [Rect::NOTHING]);
    }
}
