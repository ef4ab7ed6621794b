//! Converts filters into footprints: how far each primitive moves and spreads pixels.
//!
//! [`Effect`] describes the direction in which each primitive moves pixels. This file adds the distances for SVG
//! painters. Distances are in pixels of the filter's [`Layer`], where all footprints are whole.

use super::options::{Painter, SvgError};
use super::pixels::Layer;
use super::recorder::{Budget, Opening};
use crate::geometry::{Extent, blur_reach};
use std::collections::HashMap;
use treebounds_core::flow::{Composite, Effect, Flow, Transfer};
use treebounds_core::{Footprint, NodeKind};
use usvg::filter::{
    self, ColorMatrixKind, CompositeOperator, EdgeMode, Filter, Input, Kind, TransferFunction,
};
use usvg::{Group, Opacity};

/// One filter of a group, in device pixels.
pub(super) struct Step {
    footprint: Footprint,
    /// The part of the source that the filter reads.
    input: Extent,
    /// The box of everything that the filter paints.
    pub(super) output: Extent,
    /// Whether the filter paints all of `output` for any source.
    pub(super) fills: bool,
}

/// Returns the filters of a group in their order of application.
///
/// # Errors
/// Fails if the budget is spent: filters may be shared, and each primitive counts for each use.
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
    // CSS filter functions have no region.
    if usvg_css::is_generated(filter.id()) {
        let (input, output) = (Extent::EVERYTHING, Extent::EVERYTHING);
        return Step { footprint, input, output, fills: flow.fills };
    }
    let is_resvg = painter == Painter::Resvg;
    let region = layer.cover(Extent::from(filter.rect().to_rect()));
    let cut = match filter.primitives().last() {
        // resvg does not clip an offset to its subregion, and browsers clip a tile only to its subregion.
        Some(last) if is_resvg && matches!(last.kind(), Kind::Offset(_)) => region,
        Some(last) => {
            let subregion = layer.cover(Extent::from(last.rect().to_rect()));
            let is_tile = matches!(last.kind(), Kind::Tile(_));
            if is_tile && !is_resvg { subregion } else { region.intersect(subregion) }
        }
        None => region,
    };
    // Browsers clip the result of a filter to its region, but not its source.
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

/// Returns the nodes inside the group's own node, outermost first. The group's own node clips to the last filter's
/// output.
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

/// How the filter's result depends on its source, in the layer's pixels.
fn flow_of(filter: &Filter, layer: &Layer) -> Flow {
    let mut results: HashMap<&str, Flow> = HashMap::new();
    let mut last = Flow::NOTHING;
    for primitive in filter.primitives() {
        let input = |input: &Input| match input {
            Input::SourceGraphic | Input::SourceAlpha => Flow::SOURCE,
            Input::Reference(name) => results.get(name.as_str()).copied().unwrap_or(Flow::SOURCE),
        };
        let inputs: Vec<Flow> = inputs_of(primitive.kind()).into_iter().map(input).collect();
        last = effect_of(primitive.kind(), layer.scale()).flow(&inputs);
        results.insert(primitive.result(), last);
    }
    last
}

fn inputs_of(kind: &Kind) -> Vec<&Input> {
    match kind {
        Kind::Flood(_) | Kind::Image(_) | Kind::Turbulence(_) => vec![],
        Kind::GaussianBlur(fe) => vec![fe.input()],
        Kind::DropShadow(fe) => vec![fe.input()],
        Kind::Offset(fe) => vec![fe.input()],
        Kind::Morphology(fe) => vec![fe.input()],
        Kind::ConvolveMatrix(fe) => vec![fe.input()],
        Kind::Tile(fe) => vec![fe.input()],
        Kind::DiffuseLighting(fe) => vec![fe.input()],
        Kind::SpecularLighting(fe) => vec![fe.input()],
        Kind::ComponentTransfer(fe) => vec![fe.input()],
        Kind::ColorMatrix(fe) => vec![fe.input()],
        Kind::DisplacementMap(fe) => vec![fe.input1(), fe.input2()],
        Kind::Blend(fe) => vec![fe.input1(), fe.input2()],
        Kind::Composite(fe) => vec![fe.input1(), fe.input2()],
        Kind::Merge(fe) => fe.inputs().iter().collect(),
    }
}

fn effect_of(kind: &Kind, [sx, sy]: [f64; 2]) -> Effect<'_> {
    let around = |x: f64, y: f64| Footprint::around(-x, -y, x, y);
    let moved = |dx: f32, dy: f32| Footprint::offset(f64::from(dx) * sx, f64::from(dy) * sy);
    let reach = |deviation: f64| blur_reach(deviation).max(five_boxes(deviation));
    let blurred = |x: usvg::PositiveF32, y: usvg::PositiveF32| {
        around(reach(f64::from(x.get()) * sx), reach(f64::from(y.get()) * sy))
    };
    match kind {
        Kind::GaussianBlur(fe) => Effect::Spread(blurred(fe.std_dev_x(), fe.std_dev_y())),
        Kind::DropShadow(fe) => {
            let blur = blurred(fe.std_dev_x(), fe.std_dev_y());
            Effect::Shadow(blur.then(moved(fe.dx(), fe.dy())))
        }
        Kind::Offset(fe) => Effect::Spread(moved(fe.dx(), fe.dy())),
        Kind::Morphology(fe) => {
            let radius = [fe.radius_x(), fe.radius_y()].map(|radius| f64::from(radius.get()));
            Effect::Spread(around(radius[0] * sx, radius[1] * sy))
        }
        Kind::ConvolveMatrix(fe) => convolution(fe),
        Kind::DisplacementMap(fe) => {
            // A channel moves a pixel by up to half the scale; resvg multiplies by the scale once more.
            let scale = f64::from(fe.scale()).abs();
            let reach = scale.max(scale * scale) / 2.0;
            Effect::Displacement(around(reach * sx, reach * sy))
        }
        Kind::Tile(_) => Effect::Tile,
        Kind::Flood(fe) => Effect::Paint { is_visible: fe.opacity() != Opacity::ZERO },
        Kind::Image(_) | Kind::Turbulence(_) => Effect::Paint { is_visible: true },
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => Effect::Lighting(around(1.0, 1.0)),
        Kind::ComponentTransfer(fe) => Effect::Transfer(transfer(fe.func_a())),
        Kind::ColorMatrix(fe) => Effect::ColorMatrix {
            bias: match fe.kind() {
                ColorMatrixKind::Matrix(values) => values.get(19).copied().unwrap_or(1.0),
                _ => 0.0,
            },
        },
        Kind::Merge(_) | Kind::Blend(_) => Effect::Merge,
        Kind::Composite(fe) => Effect::Composite(match fe.operator() {
            CompositeOperator::Over | CompositeOperator::Xor | CompositeOperator::Lighter => {
                Composite::Over
            }
            CompositeOperator::In => Composite::In,
            CompositeOperator::Out => Composite::Out,
            CompositeOperator::Atop => Composite::Atop,
            CompositeOperator::Arithmetic { k1, k2, k3, k4 } => {
                Composite::Arithmetic([k1, k2, k3, k4])
            }
        }),
    }
}

/// The effect of a convolution matrix: output `x` reads `x - target` to `x - target + columns - 1`.
fn convolution(fe: &filter::ConvolveMatrix) -> Effect<'static> {
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
    Effect::Convolution { footprint, bias: if fe.preserve_alpha() { 0.0 } else { fe.bias() } }
}

fn transfer(alpha: &TransferFunction) -> Transfer<'_> {
    match *alpha {
        TransferFunction::Identity => Transfer::Identity,
        TransferFunction::Table(ref values) | TransferFunction::Discrete(ref values) => {
            Transfer::Table(values)
        }
        TransferFunction::Linear { intercept, .. } => Transfer::Linear { intercept },
        TransferFunction::Gamma { amplitude, exponent, offset } => {
            Transfer::Gamma { amplitude, exponent, offset }
        }
    }
}

/// The reach of the five box blurs with which resvg approximates a blur. They have two odd widths, and their
/// combined deviation is close to the blur's.
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
