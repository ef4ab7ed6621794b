//! Filters as footprints: how far each primitive moves and spreads pixels.
//!
//! A filter is a graph. Each primitive reads the source or the results before it, and the result of the last one is painted.
//! Along a path through the graph the footprints add; where paths meet, the footprint is the smallest one around both:
//!
//! ```text
//! source ── blur [-6, 6] ── offset [8, 8] ── merge ── result      the shadow: [-6, 6] + [8, 8] = [2, 14]
//!    └────────────────────────────────────────┘                    the result: [2, 14] around [0, 0] = [0, 14]
//! ```
//!
//! A result may also be painted where its inputs are transparent, as a flood is. Such a filter fills its region.
//!
//! A footprint must cover what the filter reads (its reverse bounds) and where it paints (its forward bounds), so
//! primitives that only remove paint, like a composite with the operator `in`, have the footprints of both inputs.
//! Primitives count the pixels of the filter's [`Layer`], in which all footprints are whole.

use super::options::{Painter, SvgError};
use super::pixels::Layer;
use super::recorder::{Budget, Opening};
use crate::geometry::{Extent, blur_reach};
use std::collections::HashMap;
use treebounds_core::{Footprint, NodeKind};
use usvg::filter::{
    self, ColorMatrixKind, CompositeOperator, EdgeMode, Filter, Input, Kind, TransferFunction,
};
use usvg::{Group, Opacity};

/// One filter of a group, in device pixels.
pub(super) struct Step {
    footprint: Footprint,
    /// What the filter reads of its source.
    input: Extent,
    /// The box around everything that it paints.
    pub(super) output: Extent,
    /// Whether it paints all of `output`, for any source.
    pub(super) fills: bool,
}

/// The filters of a group in the order in which they are applied.
///
/// # Errors
/// The budget is spent: filters may be shared, and each primitive counts wherever it is used.
pub(super) fn steps(group: &Group, layer: &Layer, budget: Budget) -> Result<Vec<Step>, SvgError> {
    let mut out = Vec::with_capacity(group.filters().len());
    for filter in group.filters() {
        filter.primitives().iter().try_for_each(|_| budget.spend())?;
        out.push(step(filter, layer, budget.shared.painter));
    }
    Ok(out)
}

fn step(filter: &Filter, layer: &Layer, painter: Painter) -> Step {
    let flow = flow_of(filter, layer);
    let footprint = layer.footprint(flow.footprint.unwrap_or(Footprint::IDENTITY));
    // The functions of CSS have no region.
    if usvg_css::is_generated(filter.id()) {
        let (input, output) = (Extent::EVERYTHING, Extent::EVERYTHING);
        return Step { footprint, input, output, fills: flow.fills };
    }
    let is_resvg = painter == Painter::Resvg;
    let region = layer.cover(Extent::from(filter.rect().to_rect()));
    let cut = match filter.primitives().last() {
        // resvg does not clip an offset to its subregion, and browsers clip a tile to nothing else.
        Some(last) if is_resvg && matches!(last.kind(), Kind::Offset(_)) => region,
        Some(last) => {
            let subregion = layer.cover(Extent::from(last.rect().to_rect()));
            let is_tile = matches!(last.kind(), Kind::Tile(_));
            if is_tile && !is_resvg { subregion } else { region.intersect(subregion) }
        }
        None => region,
    };
    // Browsers clip the result of a filter to its region, and not its source.
    let read = if is_resvg { region } else { Extent::EVERYTHING };
    let reads = flow.footprint.is_some();
    let paints = reads || flow.fills;
    Step {
        footprint,
        input: if reads { read } else { Extent::NOTHING },
        output: if paints { cut } else { Extent::NOTHING },
        fills: flow.fills,
    }
}

/// The nodes inside the group's own node, from the outside in. The group's own node clips to the last filter's output.
pub(super) fn nodes(steps: &[Step]) -> Vec<Opening> {
    let mut out = Vec::new();
    for (at, step) in steps.iter().enumerate().rev() {
        if step.footprint != Footprint::IDENTITY {
            out.push(Opening::Spread(step.footprint));
        }
        let before = at.checked_sub(1).map(|before| &steps[before]);
        let (rect, fills) = before.map_or((step.input, false), |before| {
            (step.input.intersect(before.output), before.fills)
        });
        if rect != Extent::EVERYTHING || fills {
            out.push(Opening::Node { kind: NodeKind::Clip, rect, fills });
        }
    }
    out
}

/// How a result depends on the filter's source.
#[derive(Clone, Copy)]
struct Flow {
    /// The offsets from the source to the result. `None` if it does not depend on the source.
    footprint: Option<Footprint>,
    /// Whether it may be painted where the source is transparent.
    fills: bool,
}

impl Flow {
    const SOURCE: Self = Self { footprint: Some(Footprint::IDENTITY), fills: false };
    const NOTHING: Self = Self { footprint: None, fills: false };

    fn filling(fills: bool) -> Self {
        Self { fills, ..Self::NOTHING }
    }

    /// This result, moved and spread.
    fn then(self, footprint: Footprint) -> Self {
        Self { footprint: self.footprint.map(|first| first.then(footprint)), ..self }
    }

    /// A result that may be painted without input if `fills`.
    fn or_fills(self, fills: bool) -> Self {
        Self { fills: self.fills || fills, ..self }
    }

    /// Something made of both results. It fills if `fills`.
    fn with(self, other: Self, fills: bool) -> Self {
        let footprint = match (self.footprint, other.footprint) {
            (Some(a), Some(b)) => Some(a.hull(b)),
            (a, b) => a.or(b),
        };
        Self { footprint, fills }
    }

    fn over(self, other: Self) -> Self {
        self.with(other, self.fills || other.fills)
    }
}

/// How the filter's result depends on its source, in the layer's pixels.
fn flow_of(filter: &Filter, layer: &Layer) -> Flow {
    let mut results: HashMap<&str, Flow> = HashMap::new();
    let mut last = Flow::NOTHING;
    for primitive in filter.primitives() {
        let input = |input: &Input| match input {
            Input::SourceGraphic | Input::SourceAlpha => Flow::SOURCE,
            Input::Reference(name) => results.get(name.as_str()).copied().unwrap_or(Flow::SOURCE),
        };
        last = flow_of_primitive(primitive.kind(), layer.scale(), input);
        results.insert(primitive.result(), last);
    }
    last
}

fn flow_of_primitive(kind: &Kind, [sx, sy]: [f64; 2], input: impl Fn(&Input) -> Flow) -> Flow {
    let around = |x: f64, y: f64| Footprint::around(-x, -y, x, y);
    let moved = |dx: f32, dy: f32| Footprint::offset(f64::from(dx) * sx, f64::from(dy) * sy);
    let reach = |deviation: f64| blur_reach(deviation).max(five_boxes(deviation));
    let blurred = |x: usvg::PositiveF32, y: usvg::PositiveF32| {
        around(reach(f64::from(x.get()) * sx), reach(f64::from(y.get()) * sy))
    };
    match kind {
        Kind::GaussianBlur(fe) => input(fe.input()).then(blurred(fe.std_dev_x(), fe.std_dev_y())),
        Kind::DropShadow(fe) => {
            let blur = blurred(fe.std_dev_x(), fe.std_dev_y());
            let shadow = blur.then(moved(fe.dx(), fe.dy()));
            input(fe.input()).then(shadow.hull(Footprint::IDENTITY))
        }
        Kind::Offset(fe) => input(fe.input()).then(moved(fe.dx(), fe.dy())),
        Kind::Morphology(fe) => {
            let radius = [fe.radius_x(), fe.radius_y()].map(|radius| f64::from(radius.get()));
            input(fe.input()).then(around(radius[0] * sx, radius[1] * sy))
        }
        Kind::ConvolveMatrix(fe) => convolution(fe, input(fe.input())),
        Kind::DisplacementMap(fe) => {
            // A channel moves a pixel by up to half of the scale; resvg multiplies by the scale once more.
            let scale = f64::from(fe.scale()).abs();
            let reach = scale.max(scale * scale) / 2.0;
            let moved = input(fe.input1()).then(around(reach * sx, reach * sy));
            moved.with(input(fe.input2()), moved.fills)
        }
        Kind::Tile(fe) => input(fe.input()).then(Footprint::EVERYWHERE),
        Kind::Flood(fe) => Flow::filling(fe.opacity() != Opacity::ZERO),
        Kind::Image(_) | Kind::Turbulence(_) => Flow::filling(true),
        // Light falls on transparent pixels too. The slope at a pixel depends on its neighbours.
        Kind::DiffuseLighting(fe) => input(fe.input()).then(around(1.0, 1.0)).or_fills(true),
        Kind::SpecularLighting(fe) => input(fe.input()).then(around(1.0, 1.0)).or_fills(true),
        Kind::ComponentTransfer(fe) => input(fe.input()).or_fills(makes_opaque(fe.func_a())),
        Kind::ColorMatrix(fe) => {
            let adds_alpha = match fe.kind() {
                ColorMatrixKind::Matrix(values) => values.get(19).is_none_or(|by| *by > 0.0),
                _ => false,
            };
            input(fe.input()).or_fills(adds_alpha)
        }
        Kind::Merge(fe) => fe.inputs().iter().map(input).fold(Flow::NOTHING, Flow::over),
        Kind::Blend(fe) => input(fe.input1()).over(input(fe.input2())),
        Kind::Composite(fe) => {
            let (a, b) = (input(fe.input1()), input(fe.input2()));
            let fills = match fe.operator() {
                CompositeOperator::Over | CompositeOperator::Xor | CompositeOperator::Lighter => {
                    a.fills || b.fills
                }
                CompositeOperator::In => a.fills && b.fills,
                CompositeOperator::Out => a.fills,
                CompositeOperator::Atop => b.fills,
                CompositeOperator::Arithmetic { k1, k2, k3, k4 } => {
                    k4 > 0.0
                        || (a.fills && k2 != 0.0)
                        || (b.fills && k3 != 0.0)
                        || (a.fills && b.fills && k1 != 0.0)
                }
            };
            a.with(b, fills)
        }
    }
}

/// A matrix of pixels around the target: output `x` reads `x - target` to `x - target + columns - 1`.
fn convolution(fe: &filter::ConvolveMatrix, input: Flow) -> Flow {
    let matrix = fe.matrix();
    let side = |target: u32, count: u32| {
        let (target, count) = (f64::from(target), f64::from(count));
        (target - (count - 1.0), target)
    };
    let (x0, x1) = side(matrix.target_x(), matrix.columns());
    let (y0, y1) = side(matrix.target_y(), matrix.rows());
    let footprint = match fe.edge_mode() {
        // The matrix continues at the opposite edge of the region.
        EdgeMode::Wrap => Footprint::EVERYWHERE,
        EdgeMode::None | EdgeMode::Duplicate => Footprint::around(x0, y0, x1, y1),
    };
    input.then(footprint).or_fills(!fe.preserve_alpha() && fe.bias() > 0.0)
}

/// Whether the function gives a transparent pixel some alpha.
fn makes_opaque(alpha: &TransferFunction) -> bool {
    match alpha {
        TransferFunction::Identity => false,
        TransferFunction::Table(values) | TransferFunction::Discrete(values) => {
            values.first().is_some_and(|first| *first > 0.0)
        }
        TransferFunction::Linear { intercept, .. } => *intercept > 0.0,
        TransferFunction::Gamma { amplitude, exponent, offset } => {
            *offset > 0.0 || (*exponent <= 0.0 && *amplitude != 0.0)
        }
    }
}

/// The reach of resvg's five boxes, of two odd widths that together have nearly the blur's deviation.
fn five_boxes(deviation: f64) -> f64 {
    if deviation == 0.0 {
        return 0.0;
    }
    let ideal = ((12.0 * deviation * deviation / 5.0).sqrt() + 1.0).floor();
    let narrow = if ideal % 2.0 == 0.0 { ideal - 1.0 } else { ideal };
    let spare = 12.0 * deviation * deviation - 5.0 * (narrow * narrow + 4.0 * narrow + 3.0);
    let count = (spare / (-4.0 * narrow - 4.0)).round().clamp(0.0, 5.0);
    (count * (narrow - 1.0) + (5.0 - count) * (narrow + 1.0)) / 2.0
}
