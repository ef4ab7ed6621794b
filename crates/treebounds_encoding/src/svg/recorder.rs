//! Receives the elements of a drawing: the whole stream, or only their union. Also the budget of a walk.

use super::options::{Painter, SvgError};
use crate::geometry::Extent;
use crate::{Cut, Origin};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use treebounds_core::{Footprint, NONE, NodeKind, Rect, StreamBuilder};
use usvg_css::Elements;

/// A node that begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opening {
    /// A clip or a blend with this box. If it fills, it paints all of its clip.
    Node { kind: NodeKind, rect: Extent, fills: bool },
    /// A filter with this footprint.
    Spread(Footprint),
}

impl Opening {
    /// A node that does not fill.
    pub(super) fn node(kind: NodeKind, rect: Extent) -> Self {
        Self::Node { kind, rect, fills: false }
    }

    /// The part of this clip that is visible inside the node.
    fn inside(self, clip: Extent) -> Extent {
        match self {
            Self::Node { rect, .. } => clip.intersect(rect),
            Self::Spread(footprint) => Extent::of_rect(footprint.reverse_bounds(clip.to_rect())),
        }
    }
}

/// What an element of the stream comes from.
pub(super) struct Element<'e> {
    pub(super) object: Option<u32>,
    pub(super) origin: &'e dyn Fn() -> Origin,
    /// The clip path and mask of a node.
    pub(super) cut: Cut,
}

/// Receives the elements of a drawing in paint order.
pub(super) trait Sink {
    /// A draw.
    fn draw(&mut self, rect: Extent, element: Element) -> Result<(), SvgError>;
    /// A node begins.
    fn begin(&mut self, node: Opening, element: Element) -> Result<(), SvgError>;
    /// The innermost node ends.
    fn end(&mut self) -> Result<(), SvgError>;
}

/// Writes a stream, and the source of each element.
///
/// An element that shares no point with the clips around it, but a pixel, is written as all pixels it touches, because that
/// pixel is painted.
pub(super) struct Recorder {
    /// The elements.
    pub(super) stream: StreamBuilder,
    /// The origin of each element.
    pub(super) origins: Vec<Origin>,
    /// The object of each element.
    pub(super) sources: Vec<u32>,
    /// The clip paths and masks of nodes.
    pub(super) cuts: Vec<Cut>,
    /// The open nodes, each with the clip around it.
    open: Vec<(usize, Extent)>,
    clip: Extent,
}

impl Recorder {
    /// Starts an empty stream. However small the size, the viewport has a pixel.
    pub(super) fn new(width: f32, height: f32) -> Self {
        let [width, height] = [width, height].map(|side| side.max(f32::MIN_POSITIVE));
        Self {
            stream: StreamBuilder::new(Rect::new(0.0, 0.0, width, height)),
            origins: vec![],
            sources: vec![],
            cuts: vec![],
            open: vec![],
            clip: Extent::new(0.0, 0.0, width.into(), height.into()),
        }
    }
}

impl Sink for Recorder {
    fn draw(&mut self, rect: Extent, element: Element) -> Result<(), SvgError> {
        self.stream.draw(rect.meeting(self.clip).to_rect())?;
        self.origins.push((element.origin)());
        self.sources.push(element.object.unwrap_or(NONE));
        Ok(())
    }

    fn begin(&mut self, node: Opening, element: Element) -> Result<(), SvgError> {
        let node = match node {
            Opening::Node { kind, rect, fills } => {
                let rect = rect.meeting(self.clip);
                match fills {
                    true => self.stream.begin_filling(kind, rect.to_rect())?,
                    false => self.stream.begin(kind, rect.to_rect())?,
                };
                Opening::Node { kind, rect, fills }
            }
            Opening::Spread(footprint) => {
                self.stream.begin_spread(footprint)?;
                node
            }
        };
        self.open.push((self.origins.len(), self.clip));
        self.clip = node.inside(self.clip);
        // 32 bits are enough: the stream refuses more elements.
        let cut = Cut { element: self.origins.len() as u32, ..element.cut };
        if cut.clip.is_some() || cut.mask.is_some() || cut.transparent {
            self.cuts.push(cut);
        }
        self.origins.push((element.origin)());
        self.sources.push(element.object.unwrap_or(NONE));
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
}

/// Keeps only the union of everything visible.
pub(super) struct Union {
    /// The open nodes, each with the clip around it and, for a filter, what is visible before it.
    open: Vec<(Opening, Extent, Extent)>,
    clip: Extent,
    /// The box of everything visible in the innermost filter, or on the canvas.
    union: Extent,
    /// The boxes of the objects, visible or not.
    members: HashMap<u32, Extent>,
}

impl Union {
    /// Starts empty. Nothing is visible outside of `clip`.
    pub(super) fn inside(clip: Extent) -> Self {
        Self { open: vec![], clip, union: Extent::NOTHING, members: HashMap::new() }
    }

    /// The painted objects, each with its box.
    pub(super) fn members(&self) -> impl Iterator<Item = (u32, Extent)> {
        self.members.iter().map(|(object, extent)| (*object, *extent))
    }

    /// The box of everything visible.
    pub(super) fn finish(self) -> Extent {
        self.union
    }
}

impl Sink for Union {
    fn draw(&mut self, rect: Extent, element: Element) -> Result<(), SvgError> {
        self.union = self.union.union(self.clip.intersect(rect));
        if let Some(object) = element.object {
            let known = self.members.entry(object).or_insert(Extent::NOTHING);
            *known = known.union(rect);
        }
        Ok(())
    }

    fn begin(&mut self, node: Opening, _: Element) -> Result<(), SvgError> {
        self.open.push((node, self.clip, self.union));
        self.clip = node.inside(self.clip);
        match node {
            Opening::Spread(_) => self.union = Extent::NOTHING,
            Opening::Node { fills: true, .. } => self.union = self.union.union(self.clip),
            Opening::Node { .. } => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), SvgError> {
        let Some((node, around, before)) = self.open.pop() else { return Ok(()) };
        self.clip = around;
        if let Opening::Spread(footprint) = node {
            let landing = footprint.forward_bounds(self.union.to_rect(), around.to_rect());
            self.union = before.union(Extent::of_rect(landing));
        }
        Ok(())
    }
}

/// How deep masks and clip paths may be nested. Their boxes are found by recursion, and the stack of
/// [`with_large_stack`](super::with_large_stack) has room for this many levels.
const DEPTH_MAX: u32 = 20_000;

/// How many nodes may be visited, counted once for each reference that leads to them. A few levels of references to
/// references can reach more nodes than could be visited in a lifetime.
const WORK_MAX: u64 = 20_000_000;

/// What all levels of a walk share.
pub(super) struct Shared<'a> {
    /// How many more nodes may be visited.
    work: Cell<u64>,
    /// The objects of the document.
    pub(super) elements: &'a Elements,
    pub(super) painter: Painter,
    /// The boxes of clip paths, of masks and of their contents, wherever they are used.
    pub(super) used: RefCell<HashMap<u32, Extent>>,
}

impl<'a> Shared<'a> {
    /// A walk that has not started.
    pub(super) fn new(elements: &'a Elements, painter: Painter) -> Self {
        Self { work: Cell::new(WORK_MAX), elements, painter, used: RefCell::default() }
    }

    /// Notes that the definition with this id (usvg's, see [`Elements`]) is used here.
    pub(super) fn uses(&self, id: &str, extent: Extent) {
        if let Some(object) = self.elements.find(id) {
            self.uses_object(object, extent);
        }
    }

    /// Notes that this object of a definition is used here.
    pub(super) fn uses_object(&self, object: u32, extent: Extent) {
        if !extent.is_empty() {
            let mut used = self.used.borrow_mut();
            let known = used.entry(object).or_insert(Extent::NOTHING);
            *known = known.union(extent);
        }
    }
}

/// The level of a walk, and its remaining budget.
#[derive(Clone, Copy)]
pub(super) struct Budget<'a> {
    level: u32,
    pub(super) shared: &'a Shared<'a>,
}

impl<'a> Budget<'a> {
    /// The outermost level.
    pub(super) fn top(shared: &'a Shared<'a>) -> Self {
        Self { level: 0, shared }
    }

    /// One level deeper.
    pub(super) fn deeper(self) -> Result<Self, SvgError> {
        if self.level == DEPTH_MAX {
            return Err(SvgError::TooDeep {
                depth: u64::from(DEPTH_MAX) + 1,
                max: DEPTH_MAX.into(),
            });
        }
        Ok(Self { level: self.level + 1, ..self })
    }

    /// Pays for one node.
    pub(super) fn spend(self) -> Result<(), SvgError> {
        let work = &self.shared.work;
        work.set(work.get().checked_sub(1).ok_or(SvgError::TooMuch { max: WORK_MAX })?);
        Ok(())
    }
}
