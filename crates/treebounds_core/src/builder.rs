//! Streams, one element at a time, that balance.

use crate::{NodeKind, NotANumber, Rect, Stream, StreamError, Tag};
use alloc::vec::Vec;

/// Builds a [`Stream`] that balances.
///
/// ```
/// use treebounds_core::{NodeKind, Rect, StreamBuilder, reference};
/// let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 100.0));
/// scene.begin(NodeKind::Clip, Rect::new(10.0, 10.0, 50.0, 50.0))?;
/// let draw = scene.draw(Rect::new(0.0, 0.0, 20.0, 200.0))?;
/// scene.end()?;
/// let bounds = reference::bounds(&scene.finish()?);
/// assert_eq!(bounds.boxes[draw as usize], Rect::new(10.0, 10.0, 20.0, 50.0));
/// # Ok::<(), treebounds_core::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StreamBuilder {
    tags: Vec<Tag>,
    rects: Vec<Rect>,
    viewport: Rect,
    open: Vec<u32>,
}

/// Why an element could not be added, or a stream not be finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is nothing to close.
    #[error("element {index} would be an end, but no node is open")]
    NothingOpen {
        /// The index the end would have had.
        index: u32,
    },
    /// A node was not closed.
    #[error("{count} nodes are still open; the innermost began at element {innermost}")]
    StillOpen {
        /// How many nodes are open.
        count: usize,
        /// The begin of the innermost.
        innermost: u32,
    },
    /// The elements do not make a stream.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl StreamBuilder {
    /// Starts an empty stream inside this viewport.
    pub fn new(viewport: Rect) -> Self {
        Self { tags: Vec::new(), rects: Vec::new(), viewport, open: Vec::new() }
    }

    /// How many elements there are so far.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there is no element yet.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// How many nodes are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Adds something painted inside this box; returns its index.
    ///
    /// # Errors
    /// NaN in the box, or more elements than indices.
    pub fn draw(&mut self, rect: Rect) -> Result<u32, BuildError> {
        self.push(Tag::DRAW, rect)
    }

    /// Opens a node; returns the index of its begin.
    ///
    /// # Errors
    /// NaN in the box, or more elements than indices.
    pub fn begin(&mut self, kind: NodeKind, rect: Rect) -> Result<u32, BuildError> {
        self.begin_tag(Tag::begin(kind), rect)
    }

    /// Opens a blend that changes pixels outside its source; returns the index
    /// of its begin. With a `clip`, that box cuts what is inside.
    ///
    /// # Errors
    /// NaN in the box, or more elements than indices.
    pub fn begin_non_local(&mut self, clip: Option<Rect>) -> Result<u32, BuildError> {
        let kind = if clip.is_some() { NodeKind::ClipBlend } else { NodeKind::Blend };
        self.begin_tag(Tag::begin(kind).non_local(), clip.unwrap_or(Rect::EVERYTHING))
    }

    fn begin_tag(&mut self, tag: Tag, rect: Rect) -> Result<u32, BuildError> {
        let index = self.push(tag, rect)?;
        self.open.push(index);
        Ok(index)
    }

    /// Closes the innermost open node; returns the index of its end.
    ///
    /// # Errors
    /// [`BuildError::NothingOpen`], or more elements than indices.
    pub fn end(&mut self) -> Result<u32, BuildError> {
        let begin =
            self.open.pop().ok_or(BuildError::NothingOpen { index: self.tags.len() as u32 })?;
        self.push(self.tags[begin as usize].closing(), Rect::NOTHING)
    }

    fn push(&mut self, tag: Tag, rect: Rect) -> Result<u32, BuildError> {
        let index = self.tags.len();
        if index == Stream::MAX_LEN {
            return Err(StreamError::TooLong { len: index + 1 }.into());
        }
        let rect = rect.canonical().map_err(|NotANumber| StreamError::BadRect { index })?;
        self.tags.push(tag);
        self.rects.push(rect);
        Ok(index as u32)
    }

    /// The finished stream.
    ///
    /// # Errors
    /// [`BuildError::StillOpen`] where a node was not closed; [`BuildError::Stream`] where the viewport has a NaN.
    pub fn finish(self) -> Result<Stream, BuildError> {
        match self.open.last() {
            Some(&innermost) => Err(BuildError::StillOpen { count: self.open.len(), innermost }),
            None => Ok(Stream::new(self.tags, self.rects, self.viewport)?),
        }
    }

    /// The finished stream, with an end added for every node that is open, and
    /// the begins that were closed so, innermost first.
    ///
    /// # Errors
    /// [`BuildError::Stream`]: more elements than indices, or a viewport that has a NaN.
    pub fn finish_closing(mut self) -> Result<(Stream, Vec<u32>), BuildError> {
        let closed = self.open.iter().rev().copied().collect();
        while self.depth() > 0 {
            self.end()?;
        }
        Ok((self.finish()?, closed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn says_what_does_not_balance() {
        let mut builder = StreamBuilder::new(Rect::EVERYTHING);
        assert_eq!(builder.end(), Err(BuildError::NothingOpen { index: 0 }));
        builder.begin(NodeKind::Clip, Rect::EVERYTHING).unwrap();
        builder.begin_non_local(None).unwrap();
        assert_eq!(builder.clone().finish(), Err(BuildError::StillOpen { count: 2, innermost: 1 }));
        let (stream, closed) = builder.finish_closing().unwrap();
        assert_eq!(closed, vec![1, 0]);
        assert_eq!(stream.tags()[2], Tag::end(NodeKind::Blend).non_local());
    }
}
