//! What the walk over a drawing is written into.

use super::SvgError;
use super::extent::Extent;
use treebounds_core::{NodeKind, Origin, StreamBuilder};

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
}

/// Writes a stream, and where each element came from.
pub(super) struct Recorder {
    /// The elements so far.
    pub(super) stream: StreamBuilder,
    /// Where they came from.
    pub(super) origins: Vec<Origin>,
    open: Vec<usize>,
    draws: usize,
}

impl Recorder {
    /// Starts an empty stream inside this viewport.
    pub(super) fn new(viewport: treebounds_core::Rect) -> Self {
        Self { stream: StreamBuilder::new(viewport), origins: vec![], open: vec![], draws: 0 }
    }
}

impl Sink for Recorder {
    fn draw(&mut self, rect: Extent, origin: &dyn Fn() -> Origin) -> Result<(), SvgError> {
        self.stream.draw(rect.to_rect())?;
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
        self.stream.begin(kind, rect.to_rect())?;
        self.open.push(self.origins.len());
        self.origins.push(origin());
        Ok(())
    }

    fn end(&mut self) -> Result<(), SvgError> {
        self.stream.end()?;
        let begin = self.open.pop().unwrap_or_default();
        self.origins.push(self.origins[begin].clone());
        Ok(())
    }

    fn draws(&self) -> usize {
        self.draws
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
}
