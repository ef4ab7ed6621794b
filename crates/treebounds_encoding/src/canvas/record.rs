//! Converts canvas calls into elements.

use super::error::{CanvasError, Place};
use crate::Origin;
use crate::geometry::{Extent, blur_reach, disc_extent, fill_extent, stroke_extent};
use kurbo::{Affine, Circle, PathEl, Shape, Stroke, Vec2};
use std::borrow::Cow;
use treebounds_core::{BuildError, Footprint, NodeKind, NotANumber, Rect, StreamBuilder};

/// Builds a [`Scene`](crate::Scene) from drawing calls. The [module](super) documents their nesting.
#[derive(Clone, Debug)]
pub struct Canvas {
    pub(super) builder: StreamBuilder,
    pub(super) origins: Vec<Origin>,
    /// The begins of the open nodes, outermost first.
    pub(super) open: Vec<u32>,
    /// The open saves and layers, outermost first.
    pub(super) scopes: Vec<Scope>,
    pub(super) transform: Affine,
    pub(super) effects: Effects,
    pub(super) label: Option<String>,
    /// The number of calls that drew or opened something.
    pub(super) things: u32,
    pub(super) size: [f32; 2],
    pub(super) error: Option<CanvasError>,
}

/// The state that `restore` or `pop_layer` restores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) transform: Affine,
    pub(super) effects: Effects,
    /// The number of open nodes at the time of the save.
    pub(super) depth: usize,
    /// The begin of the layer; `None` for a save.
    pub(super) layer: Option<u32>,
}

/// A filter function of a canvas, reduced to how it moves or spreads pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FilterFunction {
    /// `blur()` with this standard deviation in pixels.
    Blur(f64),
    /// `drop-shadow()`.
    DropShadow {
        /// The offset of the shadow, in pixels.
        offset: Vec2,
        /// The standard deviation of the shadow's blur, in pixels.
        deviation: f64,
    },
    /// `brightness()`, `contrast()` and similar functions, which change each pixel separately.
    Color,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) source: &'static str,
    pub(super) kind: NodeKind,
    pub(super) non_local: bool,
}

impl Node {
    pub(super) fn clip(source: &'static str) -> Self {
        Self { source, kind: NodeKind::Clip, non_local: false }
    }

    fn begin(self, builder: &mut StreamBuilder, rect: Rect) -> Result<u32, BuildError> {
        match (self.non_local, self.kind) {
            (true, NodeKind::Blend) => builder.begin_non_local(None),
            (true, _) => builder.begin_non_local(Some(rect)),
            (false, kind) => builder.begin(kind, rect),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Effects {
    pub(super) shadow_blur: f64,
    pub(super) shadow_offset: Vec2,
    pub(super) filter: Footprint,
}

impl Effects {
    pub(super) const NONE: Self =
        Self { shadow_blur: 0.0, shadow_offset: Vec2::ZERO, filter: Footprint::IDENTITY };

    /// The footprint of the filter, followed by the shadow.
    fn footprint(&self) -> Footprint {
        self.filter.then(shadow(self.shadow_offset, self.shadow_blur / 2.0))
    }
}

impl FilterFunction {
    pub(super) fn footprint(&self) -> Footprint {
        match *self {
            Self::Blur(deviation) => blur(deviation),
            Self::DropShadow { offset, deviation } => shadow(offset, deviation),
            Self::Color => Footprint::IDENTITY,
        }
    }
}

fn blur(deviation: f64) -> Footprint {
    let reach = blur_reach(deviation.max(0.0));
    Footprint::around(-reach, -reach, reach, reach)
}

/// The footprint of a picture with its shadow.
fn shadow(offset: Vec2, deviation: f64) -> Footprint {
    blur(deviation).then(Footprint::offset(offset.x, offset.y)).hull(Footprint::IDENTITY)
}

impl Canvas {
    /// Adds a draw, inside a spread node if it has a shadow or a filter. Both have its label and index.
    pub(super) fn draw(
        &mut self,
        source: &'static str,
        extent: Result<Extent, NotANumber>,
    ) -> &mut Self {
        let footprint = self.effects.footprint();
        if footprint == Footprint::IDENTITY {
            self.record(source, extent, StreamBuilder::draw);
            return self;
        }
        let (label, depth) = (self.label.clone(), self.open.len());
        let spread = |to: &mut StreamBuilder, _| to.begin_spread(footprint);
        if let Some(begin) = self.record("filter", Ok(Extent::NOTHING), spread) {
            self.open.push(begin);
            self.label = label;
            self.things -= 1;
            self.record(source, extent, StreamBuilder::draw);
            self.close_down_to(depth);
        }
        self
    }

    pub(super) fn open_node(
        &mut self,
        node: Node,
        extent: Result<Extent, NotANumber>,
    ) -> &mut Self {
        if let Some(begin) = self.record(node.source, extent, |to, rect| node.begin(to, rect)) {
            self.open.push(begin);
        }
        self
    }

    /// Closes nodes until `depth` of them are open.
    pub(super) fn close_down_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            match (self.builder.end(), self.open.pop()) {
                (Ok(_), Some(begin)) => self.origins.push(self.origins[begin as usize].clone()),
                (Err(error), _) => {
                    self.fail(error.into());
                    return;
                }
                (Ok(_), None) => return,
            }
        }
    }

    /// Adds an element, unless an error has occurred, and returns its index.
    fn record(
        &mut self,
        source: &'static str,
        extent: Result<Extent, NotANumber>,
        add: impl FnOnce(&mut StreamBuilder, Rect) -> Result<u32, BuildError>,
    ) -> Option<u32> {
        if self.error.is_some() {
            return None;
        }
        let place = self.next_place();
        let added = match extent {
            Ok(extent) => {
                add(&mut self.builder, extent.to_rect_without_noise()).map_err(CanvasError::from)
            }
            Err(NotANumber) => Err(CanvasError::NotANumber { place, source_kind: source }),
        };
        match added {
            Ok(element) => {
                let id = self.label.take();
                let origin =
                    Origin { id, source: Cow::Borrowed(source), index: self.things, own: None };
                self.origins.push(origin);
                self.things += 1;
                Some(element)
            }
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Stores the error if it is the first.
    pub(super) fn fail(&mut self, error: CanvasError) -> &mut Self {
        self.error.get_or_insert(error);
        self
    }

    pub(super) fn next_place(&self) -> Place {
        Place { element: self.builder.len() as u32, id: self.label.clone() }
    }

    pub(super) fn place_of(&self, element: u32) -> Place {
        let id = self.origins.get(element as usize).and_then(|origin| origin.id.clone());
        Place { element, id }
    }
}

/// The tolerance, in pixels, for measuring shapes that are not Bézier paths (circles, arcs).
const TOLERANCE: f64 = 1e-3;

/// The maximum number of path elements of a shape that is not a path. A shape with more elements has an unlimited box:
/// kurbo splits an arc until the tolerance is met, so an infinite radius would never end.
const MOST_ELEMENTS: usize = 1 << 18;

/// The box of a shape's interior.
pub(super) fn shape_extent(shape: &impl Shape, transform: Affine) -> Result<Extent, NotANumber> {
    if let Some(circle) = shape.as_circle() {
        return disc_extent(circle, transform);
    }
    measure(shape, transform, |path| fill_extent(path.iter().copied(), transform))
}

/// The box of a shape's stroke.
pub(super) fn outline_extent(
    shape: &impl Shape,
    style: &Stroke,
    transform: Affine,
) -> Result<Extent, NotANumber> {
    match shape.as_circle() {
        Some(Circle { center, radius }) if style.dash_pattern.is_empty() && style.width != 0.0 => {
            let outside = radius.abs() + style.width.abs() / 2.0;
            disc_extent(Circle::new(center, outside), transform)
        }
        _ => {
            measure(shape, transform, |path| stroke_extent(path.iter().copied(), style, transform))
        }
    }
}

/// Measures the path elements of a shape with `of_path`.
fn measure(
    shape: &impl Shape,
    transform: Affine,
    of_path: impl FnOnce(&[PathEl]) -> Result<Extent, NotANumber>,
) -> Result<Extent, NotANumber> {
    if let Some(path) = shape.as_path_slice() {
        return of_path(path);
    }
    let [a, b, c, d, ..] = transform.as_coeffs();
    let scale = a.hypot(b).hypot(c.hypot(d));
    let tolerance = (TOLERANCE / scale).clamp(1e-9, 0.1);
    let path: Vec<_> = shape.path_elements(tolerance).take(MOST_ELEMENTS).collect();
    if path.len() == MOST_ELEMENTS { Ok(Extent::EVERYTHING) } else { of_path(&path) }
}
