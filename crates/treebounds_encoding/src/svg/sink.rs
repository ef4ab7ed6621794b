//! What the walk over a drawing is written into.

use super::extent::Extent;
use super::{NamedGroup, SvgError};
use treebounds_core::{NodeKind, Origin, Rect, StreamBuilder};

/// Receives the elements of a drawing in paint order.
pub(super) trait Sink {
    /// Something is painted.
    fn draw(&mut self, rect: Extent, origin: &dyn Fn() -> Origin) -> Result<(), SvgError>;
    /// A node opens.
    fn begin(
        &mut self,
        kind: NodeKind,
        rect: Extent,
        origin: &dyn Fn() -> Origin,
    ) -> Result<(), SvgError>;
    /// The innermost open node closes.
    fn end(&mut self) -> Result<(), SvgError>;
    /// How many draws there were.
    fn draws(&self) -> usize;
    /// How many elements.
    fn elements(&self) -> usize;
    /// Those from here on came of a group with this id.
    fn group(&mut self, id: &str, first: usize);
}

/// Writes a stream, and where each element came from.
///
/// An element that shares no point with what is left of the picture around it, but a pixel, is written as the whole
/// pixels that it touches: that pixel is painted.
pub(super) struct Recorder {
    /// The elements so far.
    pub(super) stream: StreamBuilder,
    /// Where they came from.
    pub(super) origins: Vec<Origin>,
    /// Groups that are no nodes.
    pub(super) groups: Vec<NamedGroup>,
    /// The open nodes, each with what is left around it.
    open: Vec<(usize, Extent)>,
    clip: Extent,
    draws: usize,
}

impl Recorder {
    /// Starts an empty stream inside a viewport of this size; it has a pixel, however small that is.
    pub(super) fn new(width: f32, height: f32) -> Self {
        let [width, height] = [width, height].map(|side| side.max(f32::MIN_POSITIVE));
        Self {
            stream: StreamBuilder::new(Rect::new(0.0, 0.0, width, height)),
            origins: vec![],
            groups: vec![],
            open: vec![],
            clip: Extent::new(0.0, 0.0, width.into(), height.into()),
            draws: 0,
        }
    }
}

impl Sink for Recorder {
    fn draw(&mut self, rect: Extent, origin: &dyn Fn() -> Origin) -> Result<(), SvgError> {
        self.stream.draw(rect.meeting(self.clip).to_rect())?;
        self.origins.push(origin());
        self.draws += 1;
        Ok(())
    }

    fn begin(
        &mut self,
        kind: NodeKind,
        rect: Extent,
        origin: &dyn Fn() -> Origin,
    ) -> Result<(), SvgError> {
        let rect = rect.meeting(self.clip);
        self.stream.begin(kind, rect.to_rect())?;
        self.open.push((self.origins.len(), self.clip));
        self.clip = self.clip.intersect(rect);
        self.origins.push(origin());
        Ok(())
    }

    fn end(&mut self) -> Result<(), SvgError> {
        self.stream.end()?;
        let (begin, around) = self.open.pop().unwrap_or((0, self.clip));
        self.clip = around;
        self.origins.push(self.origins[begin].clone());
        Ok(())
    }

    fn draws(&self) -> usize {
        self.draws
    }

    fn elements(&self) -> usize {
        self.origins.len()
    }

    fn group(&mut self, id: &str, first: usize) {
        // As many as 32 bits count: the stream would have refused more.
        let elements = first as u32..self.origins.len() as u32;
        self.groups.push(NamedGroup { id: id.to_owned(), elements });
    }
}

/// Only the union of what is visible.
pub(super) struct Union {
    clips: Vec<Extent>,
    clip: Extent,
    union: Extent,
    draws: usize,
}

impl Union {
    /// Nothing yet, and nothing ever outside of this box.
    pub(super) fn inside(clip: Extent) -> Self {
        Self { clips: vec![], clip, union: Extent::NOTHING, draws: 0 }
    }

    /// The box of all that was visible.
    pub(super) fn finish(self) -> Extent {
        self.union
    }
}

impl Sink for Union {
    fn draw(&mut self, rect: Extent, _: &dyn Fn() -> Origin) -> Result<(), SvgError> {
        self.union = self.union.union(self.clip.intersect(rect));
        self.draws += 1;
        Ok(())
    }

    fn begin(&mut self, _: NodeKind, rect: Extent, _: &dyn Fn() -> Origin) -> Result<(), SvgError> {
        self.clips.push(self.clip);
        self.clip = self.clip.intersect(rect);
        Ok(())
    }

    fn end(&mut self) -> Result<(), SvgError> {
        self.clip = self.clips.pop().unwrap_or(self.clip);
        Ok(())
    }

    fn draws(&self) -> usize {
        self.draws
    }

    fn elements(&self) -> usize {
        0
    }

    fn group(&mut self, _: &str, _: usize) {}
}
