//! Sinks for the elements of a drawing: one records the stream, the other computes only the union. Also defines the
//! budget of a walk.

use super::options::{Painter, SvgError};
use crate::geometry::Extent;
use crate::{Cut, Origin};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use treebounds_core::{Footprint, NONE, NodeKind, Rect, StreamBuilder};
use usvg_css::Elements;

/// The begin of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opening {
    /// A clip or a blend with this box. A filling node paints all of its clip.
    Node { kind: NodeKind, rect: Extent, fills: bool },
    /// A filter with this footprint.
    Spread(Footprint),
}

impl Opening {
    /// Creates a node that does not fill.
    pub(super) fn node(kind: NodeKind, rect: Extent) -> Self {
        Self::Node { kind, rect, fills: false }
    }

    /// Returns the part of the clip that is visible inside the node.
    fn inside(self, clip: Extent) -> Extent {
        match self {
            Self::Node { rect, .. } => clip.intersect(rect),
            Self::Spread(footprint) => Extent::of_rect(footprint.reverse_bounds(clip.to_rect())),
        }
    }
}

/// The source of a stream element.
pub(super) struct Element<'e> {
    pub(super) object: Option<u32>,
    pub(super) origin: &'e dyn Fn() -> Origin,
    /// The clip path and mask of a node.
    pub(super) cut: Cut,
}

/// Receives the elements of a drawing in paint order.
pub(super) trait Sink {
    fn draw(&mut self, rect: Extent, element: Element) -> Result<(), SvgError>;
    fn begin(&mut self, node: Opening, element: Element) -> Result<(), SvgError>;
    fn end(&mut self) -> Result<(), SvgError>;
}

/// Writes a stream, and the source of each element.
///
/// An element may be disjoint from the clips around it and still share a pixel with them. Such an element gets the box
/// of all pixels that it touches, because the shared pixel is painted.
pub(super) struct Recorder {
    pub(super) stream: StreamBuilder,
    pub(super) origins: Vec<Origin>,
    /// The object of each element.
    pub(super) sources: Vec<u32>,
    pub(super) cuts: Vec<Cut>,
    /// The open nodes, each with the clip around it.
    open: Vec<(usize, Extent)>,
    clip: Extent,
}

impl Recorder {
    /// Creates an empty stream. The viewport has at least one pixel, whatever the size.
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
        // 32 bits are enough: the stream rejects more elements.
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

/// Computes only the union of everything visible.
pub(super) struct Union {
    /// The open nodes, each with the clip around it and, for a filter, the union so far outside the filter.
    open: Vec<(Opening, Extent, Extent)>,
    clip: Extent,
    /// The box of everything visible in the innermost filter, or on the canvas.
    union: Extent,
    /// The boxes of the objects, visible or not.
    members: HashMap<u32, Extent>,
}

impl Union {
    /// Creates an empty union. Nothing is visible outside `clip`.
    pub(super) fn inside(clip: Extent) -> Self {
        Self { open: vec![], clip, union: Extent::NOTHING, members: HashMap::new() }
    }

    /// Returns the painted objects with their boxes.
    pub(super) fn members(&self) -> impl Iterator<Item = (u32, Extent)> {
        self.members.iter().map(|(object, extent)| (*object, *extent))
    }

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

/// The maximum nesting of masks and clip paths. Their boxes are computed by recursion, and the stack of
/// [`with_large_stack`](super::with_large_stack) has room for this many levels.
const DEPTH_MAX: u32 = 20_000;

/// The maximum number of visited nodes, counted once per reference to them. Without this limit, a few levels of nested
/// references could take years.
const WORK_MAX: u64 = 20_000_000;

/// State shared by all levels of a walk.
pub(super) struct Shared<'a> {
    /// The remaining number of nodes to visit.
    work: Cell<u64>,
    pub(super) elements: &'a Elements,
    pub(super) painter: Painter,
    /// The boxes of clip paths, masks and their contents over all uses.
    pub(super) used: RefCell<HashMap<u32, Extent>>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(elements: &'a Elements, painter: Painter) -> Self {
        Self { work: Cell::new(WORK_MAX), elements, painter, used: RefCell::default() }
    }

    /// Records a use of the definition with this id (usvg's, see [`Elements`]).
    pub(super) fn uses(&self, id: &str, extent: Extent) {
        if let Some(object) = self.elements.find(id) {
            self.uses_object(object, extent);
        }
    }

    /// Records a use of this object inside a definition.
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
    pub(super) fn top(shared: &'a Shared<'a>) -> Self {
        Self { level: 0, shared }
    }

    /// Returns the budget one level deeper.
    pub(super) fn deeper(self) -> Result<Self, SvgError> {
        if self.level == DEPTH_MAX {
            return Err(SvgError::TooDeep {
                depth: u64::from(DEPTH_MAX) + 1,
                max: DEPTH_MAX.into(),
            });
        }
        Ok(Self { level: self.level + 1, ..self })
    }

    /// Spends the budget for one node.
    pub(super) fn spend(self) -> Result<(), SvgError> {
        let work = &self.shared.work;
        work.set(work.get().checked_sub(1).ok_or(SvgError::TooMuch { max: WORK_MAX })?);
        Ok(())
    }
}
