//! Builds balanced streams.

use crate::{Footprint, NodeKind, NotANumber, Rect, Role, Stream, StreamError, Tag};
use alloc::vec::Vec;

/// Builds a balanced [`Stream`], one element at a time.
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

/// An error while adding an element or finishing a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No node is open.
    #[error("element {index} would end a node, but none is open; remove it or begin a node first")]
    NothingOpen {
        /// The index of the rejected end.
        index: u32,
    },
    /// A node has no end.
    #[error(
        "{count} nodes are still open, the innermost since element {innermost}; end them or use `finish_closing`"
    )]
    StillOpen {
        /// The number of open nodes.
        count: usize,
        /// The begin of the innermost open node.
        innermost: u32,
    },
    /// The elements do not form a valid stream.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl StreamBuilder {
    /// Starts an empty stream.
    pub fn new(viewport: Rect) -> Self {
        Self { tags: Vec::new(), rects: Vec::new(), viewport, open: Vec::new() }
    }

    /// The number of elements so far.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there are no elements yet.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The number of open nodes.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Adds a draw and returns its index.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if the box contains NaN, or if there are too many elements.
    pub fn draw(&mut self, rect: Rect) -> Result<u32, BuildError> {
        self.push(Tag::DRAW, rect)
    }

    /// Begins a node and returns the index of its begin.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if the box contains NaN, or if there are too many elements.
    pub fn begin(&mut self, kind: NodeKind, rect: Rect) -> Result<u32, BuildError> {
        self.begin_tag(Tag::begin(kind), rect)
    }

    /// Begins a blend that changes pixels outside its source, with an optional clip, and returns the index of its begin.
    ///
    /// Its bounds are the clip around it. If only its contents change, its [damage](crate::damage) is limited to the boxes of the
    /// changed elements, because the transparent source outside them stays the same.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if the box contains NaN, or if there are too many elements.
    pub fn begin_non_local(&mut self, clip: Option<Rect>) -> Result<u32, BuildError> {
        let kind = if clip.is_some() { NodeKind::ClipBlend } else { NodeKind::Blend };
        self.begin_tag(Tag::begin(kind).non_local(), clip.unwrap_or(Rect::EVERYTHING))
    }

    /// Begins a spread node: a filter that moves and spreads its contents by a footprint. For a filter region, add a clip around the
    /// spread node and the same clip inside it.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if there are too many elements.
    pub fn begin_spread(&mut self, footprint: Footprint) -> Result<u32, BuildError> {
        self.begin_tag(Tag::begin(NodeKind::Spread), footprint.to_rect())
    }

    /// Begins a node that paints its whole clip regardless of its contents: around a filter that floods its region, or for a layer
    /// with a backdrop filter.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if the box contains NaN, or if there are too many elements.
    pub fn begin_filling(&mut self, kind: NodeKind, rect: Rect) -> Result<u32, BuildError> {
        self.begin_tag(Tag::begin(kind).fills(), rect)
    }

    fn begin_tag(&mut self, tag: Tag, rect: Rect) -> Result<u32, BuildError> {
        let index = self.push(tag, rect)?;
        self.open.push(index);
        Ok(index)
    }

    /// Ends the innermost node and returns the index of its end.
    ///
    /// # Errors
    /// [`BuildError::NothingOpen`] if no node is open; [`BuildError::Stream`] if there are too many elements.
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
        let rect = match (tag.role(), tag.is_spread()) {
            (Role::Begin, true) => Footprint::from_rect(rect)
                .map_err(|source| StreamError::BadFootprint { index, source })?
                .to_rect(),
            _ => rect.canonical().map_err(|NotANumber| StreamError::BadRect { index })?,
        };
        self.tags.push(tag);
        self.rects.push(rect);
        Ok(index as u32)
    }

    /// Finishes the stream.
    ///
    /// # Errors
    /// [`BuildError::StillOpen`] if a node has no end; [`BuildError::Stream`] if the viewport contains NaN.
    pub fn finish(self) -> Result<Stream, BuildError> {
        match self.open.last() {
            Some(&innermost) => Err(BuildError::StillOpen { count: self.open.len(), innermost }),
            None => Ok(Stream::new(self.tags, self.rects, self.viewport)?),
        }
    }

    /// Ends all open nodes, and returns the finished stream and the begins of these nodes, innermost first.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if the viewport contains NaN, or if there are too many elements.
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
    fn unbalanced_streams_are_reported() {
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
