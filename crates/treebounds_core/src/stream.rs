//! The element stream: a scene as a flat sequence, in paint order.

use crate::{NotANumber, Rect, Role, Tag};
use alloc::vec::Vec;

/// A validated element stream: one [`Tag`] and one canonical [`Rect`] an
/// element, and the viewport around them all.
///
/// The rect means: for a draw, the box of what is painted; for a node that
/// clips, the box of its clip path; for a node that only blends, the layer's own
/// extent, [`Rect::EVERYTHING`] where it has none. The rect of an end is
/// [`Rect::NOTHING`] and is never read.
///
/// A stream need not balance: an end with nothing open changes nothing, and a
/// begin without an end lasts to the end of the stream.
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
    /// There must be one rect an element.
    #[error("there are {tags} tags but {rects} rects; a stream has one rect for every tag")]
    LengthsDiffer {
        /// How many tags were given.
        tags: usize,
        /// How many rects were given.
        rects: usize,
    },
    /// Indices are 32 bits wide, and one value means "none".
    #[error("{len} elements are more than the {max} that 32-bit indices can name", max = Stream::MAX_LEN)]
    TooLong {
        /// How many elements were given.
        len: usize,
    },
    /// The word is no tag.
    #[error("element {index} has the tag {bits:#x}, which is not a tag")]
    BadTag {
        /// The element.
        index: usize,
        /// Its tag word.
        bits: u32,
    },
    /// A coordinate is NaN.
    #[error("the rect of element {index} has a coordinate that is not a number (NaN)")]
    BadRect {
        /// The element.
        index: usize,
    },
    /// A coordinate of the viewport is NaN.
    #[error("the viewport has a coordinate that is not a number (NaN)")]
    BadViewport,
}

impl Stream {
    /// The most elements that a stream may have.
    pub const MAX_LEN: usize = u32::MAX as usize - 1;

    /// A stream of these elements; makes every rect canonical
    /// ([`Rect::canonical`]) and the rect of every end [`Rect::NOTHING`].
    ///
    /// # Errors
    /// [`StreamError`] says which element is wrong, and how.
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
                _ => rect.canonical().map_err(|NotANumber| StreamError::BadRect { index })?,
            };
        }
        let viewport = viewport.canonical().map_err(|NotANumber| StreamError::BadViewport)?;
        Ok(Self { tags, rects, viewport })
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// What each element is.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Where each element is.
    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// The box that cuts everything.
    pub fn viewport(&self) -> Rect {
        self.viewport
    }

    /// How many begins and ends there are.
    pub fn marker_count(&self) -> usize {
        self.tags.iter().filter(|tag| tag.is_marker()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeKind;
    use alloc::vec;

    const UNIT: Rect = Rect::new(0.0, 0.0, 1.0, 1.0);

    #[test]
    fn refuses_what_is_no_stream() {
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
    fn the_rect_of_an_end_is_nothing_whatever_was_given() {
        let nan = Rect::new(f32::NAN, 0.0, 1.0, 1.0);
        let stream = Stream::new(vec![Tag::end(NodeKind::Clip)], vec![nan], UNIT).unwrap();
        assert_eq!(stream.rects(), [Rect::NOTHING]);
    }
}
