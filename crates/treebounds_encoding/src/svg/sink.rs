//! What the walk over a drawing is written into.

use super::SvgError;
use super::extent::Extent;
use std::collections::HashMap;
use treebounds_core::{NONE, NodeKind, Rect, StreamBuilder};
use treebounds_report::{Cut, Origin};

/// Receives the elements of a drawing in paint order.
pub(super) trait Sink {
    /// Something of this object is painted.
    fn draw(
        &mut self,
        rect: Extent,
        object: Option<u32>,
        origin: &dyn Fn() -> Origin,
    ) -> Result<(), SvgError>;
    /// A node of this object opens, with what cuts it.
    fn begin(
        &mut self,
        node: (NodeKind, Extent),
        object: Option<u32>,
        origin: &dyn Fn() -> Origin,
        cut: &dyn Fn() -> Cut,
    ) -> Result<(), SvgError>;
    /// The innermost open node closes.
    fn end(&mut self) -> Result<(), SvgError>;
    /// How many draws there were.
    fn draws(&self) -> usize;
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
    /// The objects that they are of.
    pub(super) sources: Vec<u32>,
    /// What cuts the nodes.
    pub(super) cuts: Vec<Cut>,
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
            sources: vec![],
            cuts: vec![],
            open: vec![],
            clip: Extent::new(0.0, 0.0, width.into(), height.into()),
            draws: 0,
        }
    }
}

impl Sink for Recorder {
    fn draw(
        &mut self,
        rect: Extent,
        object: Option<u32>,
        origin: &dyn Fn() -> Origin,
    ) -> Result<(), SvgError> {
        self.stream.draw(rect.meeting(self.clip).to_rect())?;
        self.origins.push(origin());
        self.sources.push(object.unwrap_or(NONE));
        self.draws += 1;
        Ok(())
    }

    fn begin(
        &mut self,
        (kind, rect): (NodeKind, Extent),
        object: Option<u32>,
        origin: &dyn Fn() -> Origin,
        cut: &dyn Fn() -> Cut,
    ) -> Result<(), SvgError> {
        let rect = rect.meeting(self.clip);
        self.stream.begin(kind, rect.to_rect())?;
        self.open.push((self.origins.len(), self.clip));
        self.clip = self.clip.intersect(rect);
        // As many as 32 bits count: the stream would have refused more.
        let cut = Cut { element: self.origins.len() as u32, ..cut() };
        if cut.clip.is_some() || cut.mask.is_some() || cut.transparent {
            self.cuts.push(cut);
        }
        self.origins.push(origin());
        self.sources.push(object.unwrap_or(NONE));
        Ok(())
    }

    fn end(&mut self) -> Result<(), SvgError> {
        self.stream.end()?;
        let (begin, around) = self.open.pop().unwrap_or((0, self.clip));
        self.clip = around;
        self.origins.push(self.origins[begin].clone());
        self.sources.push(self.sources[begin]);
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
    /// The boxes of the objects, whatever is visible of them.
    members: HashMap<u32, Extent>,
    draws: usize,
}

impl Union {
    /// Nothing yet, and nothing ever outside of this box.
    pub(super) fn inside(clip: Extent) -> Self {
        Self { clips: vec![], clip, union: Extent::NOTHING, members: HashMap::new(), draws: 0 }
    }

    /// The objects that were painted, each with its box.
    pub(super) fn members(&self) -> impl Iterator<Item = (u32, Extent)> {
        self.members.iter().map(|(object, extent)| (*object, *extent))
    }

    /// The box of all that was visible.
    pub(super) fn finish(self) -> Extent {
        self.union
    }
}

impl Sink for Union {
    fn draw(
        &mut self,
        rect: Extent,
        object: Option<u32>,
        _: &dyn Fn() -> Origin,
    ) -> Result<(), SvgError> {
        self.union = self.union.union(self.clip.intersect(rect));
        if let Some(object) = object {
            let known = self.members.entry(object).or_insert(Extent::NOTHING);
            *known = known.union(rect);
        }
        self.draws += 1;
        Ok(())
    }

    fn begin(
        &mut self,
        (_, rect): (NodeKind, Extent),
        _: Option<u32>,
        _: &dyn Fn() -> Origin,
        _: &dyn Fn() -> Cut,
    ) -> Result<(), SvgError> {
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
