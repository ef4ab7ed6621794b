//! Converts AnyRender's filters into footprints: how far they move and spread pixels.
//!
//! [`Effect`] describes the direction in which each effect moves pixels. This file adds the distances.
//! ([`Filter::linear_list`] unites the effects of a chain instead of adding them. Its expansion of two blurs by 10 is
//! 30 pixels, while the second blur reaches 60.)
//!
//! The clip of a layer cuts the result of its filter. Lengths are in the layer's coordinates, and `vello_cpu` blurs by
//! the mean scale of the transform along both axes.

use anyrender::Filter;
use anyrender::filters::component_transfer::TransferFunction;
use anyrender::filters::composite::CompositeOperator;
use anyrender::filters::{EdgeMode, FilterEffect, FilterInput, FilterInputs, FilterSource};
use kurbo::{Affine, Vec2};
use treebounds_core::Footprint;
use treebounds_core::flow::{Composite, Effect, Flow, Transfer};

/// The assumed reach of a blur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The reach of the kernel: three deviations.
    Kernel,
    /// The visible reach: three deviations, and the rounding of `vello_cpu`.
    Seen,
    /// The reach within which the blur can change the last bit of a pixel that is already painted.
    Bits,
}

/// The flow of an unknown input.
const UNKNOWN: Flow = Flow { footprint: Some(Footprint::EVERYWHERE), fills: true };

/// Returns the result of every effect of the filter, in order, for a layer with this transform.
fn flows(filter: &Filter, transform: Affine, reach: Reach) -> Vec<Flow> {
    let scale = Scale::of(transform);
    let mut results: Vec<Flow> = Vec::with_capacity(filter.nodes().len());
    for node in filter.nodes() {
        let inputs = inputs_of(&node.inputs, &results);
        results.push(effect_of(&node.effect, &scale, reach).flow(&inputs));
    }
    results
}

/// Returns the filter's result. A filter without effects changes nothing.
pub(crate) fn result(filter: &Filter, transform: Affine) -> Flow {
    let results = flows(filter, transform, Reach::Seen);
    let output = results.get(usize::from(filter.output().0));
    output.copied().unwrap_or(if results.is_empty() { Flow::SOURCE } else { UNKNOWN })
}

/// The properties of a filter that the optimizer uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    /// The union of the inputs of all effects, because some renderers paint only the first effect, or none.
    pub(crate) footprint: Footprint,
    /// Whether removing content that the filter does not show may change the result.
    pub(crate) is_rigid: bool,
}

/// Returns the support of a layer's filter. With `bits`, pixels must be exact to the last bit.
pub(crate) fn support(filter: &Filter, transform: Affine, bits: bool) -> Support {
    let results = flows(filter, transform, Reach::Bits);
    let all = results.into_iter().fold(Flow::SOURCE, Flow::over);
    let scale = Scale::of(transform);
    let is_rigid = filter.nodes().iter().any(|node| match &node.effect {
        FilterEffect::GaussianBlur(blur) => {
            scale.is_rigid(blur.std_deviation, blur.edge_mode, bits)
        }
        FilterEffect::DropShadow(shadow) => {
            scale.is_rigid(shadow.std_deviation, shadow.edge_mode, bits)
        }
        FilterEffect::Tile => true,
        _ => false,
    });
    let footprint = all.footprint.unwrap_or(Footprint::EVERYWHERE);
    Support { footprint, is_rigid: is_rigid || all.fills }
}

/// Returns the pixels that a layer's backdrop filter reads around each pixel of the layer: three deviations of a blur;
/// with `bits`, everything that its pyramid reads. The result depends only on the layer's clip, because the content has
/// no box.
pub(crate) fn backdrop(filter: &Filter, transform: Affine, bits: bool) -> Footprint {
    if reads_backdrop(filter) {
        // A named input refers to the backdrop, which the flows treat as paint.
        return Footprint::EVERYWHERE;
    }
    let reach = if bits { Reach::Bits } else { Reach::Kernel };
    let all = flows(filter, transform, reach).into_iter().fold(Flow::SOURCE, Flow::over);
    all.footprint.unwrap_or(Footprint::EVERYWHERE)
}

/// Whether the filter reads the pixels behind its layer.
pub(crate) fn reads_backdrop(filter: &Filter) -> bool {
    use FilterSource::{BackgroundAlpha, BackgroundImage};
    let inputs =
        filter.nodes().iter().flat_map(|node| [&node.inputs.primary, &node.inputs.secondary]);
    inputs
        .flatten()
        .any(|input| matches!(input, FilterInput::Source(BackgroundImage | BackgroundAlpha)))
}

pub(crate) fn is_finite(filter: &Filter) -> bool {
    filter.nodes().iter().all(|node| match &node.effect {
        FilterEffect::GaussianBlur(blur) => blur.std_deviation.is_finite(),
        FilterEffect::Offset(by) => by.is_finite(),
        FilterEffect::DropShadow(shadow) => {
            [shadow.dx, shadow.dy, shadow.std_deviation].iter().all(|v| v.is_finite())
        }
        FilterEffect::Morphology(morphology) => morphology.radius.is_finite(),
        FilterEffect::DisplacementMap(map) => map.scale.is_finite(),
        _ => true,
    })
}

fn inputs_of(inputs: &FilterInputs, results: &[Flow]) -> [Flow; 2] {
    [&inputs.primary, &inputs.secondary].map(|input| match input {
        // Without a name, the input is the previous result, or the source for the first effect.
        None => results.last().copied().unwrap_or(Flow::SOURCE),
        Some(FilterInput::Result(id)) => results.get(usize::from(id.0)).copied().unwrap_or(UNKNOWN),
        Some(FilterInput::Source(source)) => match source {
            FilterSource::SourceGraphic | FilterSource::SourceAlpha => Flow::SOURCE,
            // The backdrop counts as paint.
            _ => Flow::PAINT,
        },
    })
}

fn effect_of<'a>(effect: &'a FilterEffect, scale: &Scale, reach: Reach) -> Effect<'a> {
    match effect {
        FilterEffect::GaussianBlur(blur) => {
            Effect::Spread(scale.blur(blur.std_deviation, blur.edge_mode, reach))
        }
        FilterEffect::DropShadow(shadow) => {
            let blur = scale.blur(shadow.std_deviation, shadow.edge_mode, reach);
            let moved = scale.moved(Vec2::new(shadow.dx.into(), shadow.dy.into()));
            Effect::Shadow(blur.then(moved))
        }
        FilterEffect::Offset(by) => Effect::Spread(scale.moved(*by)),
        FilterEffect::Morphology(morphology) => Effect::Spread(scale.around(morphology.radius)),
        FilterEffect::ConvolveMatrix(matrix) => {
            // The matrix counts in pixels of the layer or of the device.
            let pixels = matrix.size as f32 / 2.0;
            let footprint = scale.around(pixels).hull(Scale::of(Affine::IDENTITY).around(pixels));
            let bias = if matrix.preserve_alpha { 0.0 } else { matrix.bias };
            Effect::Convolution { footprint, bias }
        }
        // A channel moves a pixel by up to half the scale.
        FilterEffect::DisplacementMap(map) => Effect::Displacement(scale.around(map.scale / 2.0)),
        FilterEffect::Tile => Effect::Tile,
        FilterEffect::Flood(color) => Effect::Paint { is_visible: color.components[3] != 0.0 },
        FilterEffect::Image(_) | FilterEffect::Turbulence(_) => Effect::Paint { is_visible: true },
        FilterEffect::DiffuseLighting(light) => {
            Effect::Lighting(scale.neighbours(light.kernel_unit_length))
        }
        FilterEffect::SpecularLighting(light) => {
            Effect::Lighting(scale.neighbours(light.kernel_unit_length))
        }
        FilterEffect::ColorMatrix(matrix) => Effect::ColorMatrix { bias: matrix.0[19] },
        FilterEffect::ComponentTransfer(functions) => {
            Effect::Transfer(transfer(&functions.alpha_function))
        }
        FilterEffect::Blend(_) => Effect::Merge,
        FilterEffect::Composite(operator) => Effect::Composite(match *operator {
            CompositeOperator::Over | CompositeOperator::Xor => Composite::Over,
            CompositeOperator::In => Composite::In,
            CompositeOperator::Out => Composite::Out,
            CompositeOperator::Atop => Composite::Atop,
            CompositeOperator::Arithmetic(by) => {
                Composite::Arithmetic([by.k1, by.k2, by.k3, by.k4])
            }
        }),
    }
}

fn transfer(alpha: &TransferFunction) -> Transfer<'_> {
    match alpha {
        TransferFunction::Identity => Transfer::Identity,
        TransferFunction::Table(values) => Transfer::Table(values),
        TransferFunction::Discrete(values) => Transfer::Table(values),
        TransferFunction::Linear(line) => Transfer::Linear { intercept: line.intercept },
        TransferFunction::Gamma(gamma) => Transfer::Gamma {
            amplitude: gamma.amplitude,
            exponent: gamma.exponent,
            offset: gamma.offset,
        },
    }
}

/// The scaling of lengths by a layer's transform.
struct Scale {
    transform: Affine,
    /// The reach of a square of two units along each axis.
    square: Vec2,
    /// The reach of a disc of two units along each axis.
    disc: Vec2,
    /// The mean of the scales along the transform's own axes.
    mean: f64,
}

impl Scale {
    fn of(transform: Affine) -> Self {
        let [a, b, c, d, ..] = transform.as_coeffs();
        let sum = a * a + b * b + c * c + d * d;
        Self {
            transform,
            square: Vec2::new(a.abs() + c.abs(), b.abs() + d.abs()),
            disc: Vec2::new(a.hypot(c), b.hypot(d)),
            mean: (sum + 2.0 * (a * d - b * c).abs()).sqrt() / 2.0,
        }
    }

    fn moved(&self, by: Vec2) -> Footprint {
        let [a, b, c, d, ..] = self.transform.as_coeffs();
        Footprint::offset(a * by.x + c * by.y, b * by.x + d * by.y)
    }

    fn around(&self, radius: f32) -> Footprint {
        let reach = self.square * f64::from(radius).abs();
        Footprint::around(-reach.x, -reach.y, reach.x, reach.y)
    }

    /// The footprint of one unit, and at least one pixel, in each direction.
    fn neighbours(&self, unit: f32) -> Footprint {
        self.around(unit).hull(Footprint::around(-1.0, -1.0, 1.0, 1.0))
    }

    fn blur(&self, deviation: f32, edge: EdgeMode, reach: Reach) -> Footprint {
        if deviation <= 0.0 {
            return Footprint::IDENTITY;
        }
        if edge == EdgeMode::Wrap {
            return Footprint::EVERYWHERE;
        }
        let deviation = f64::from(deviation);
        let painter = Pyramid::of(deviation * self.mean);
        let rounded = Pyramid::of(deviation * self.mean * ROUNDED);
        let along = |square: f64, disc: f64| {
            let painted = match reach {
                Reach::Kernel => 3.0 * painter.deviation,
                Reach::Seen => painter.seen().min(3.0 * deviation * square + Pyramid::TILES),
                Reach::Bits => painter.whole().max(rounded.whole()),
            };
            painted.max(3.0 * deviation * disc)
        };
        let [x, y] = [along(self.square.x, self.disc.x), along(self.square.y, self.disc.y)];
        Footprint::around(-x, -y, x, y)
    }

    /// Whether a blur depends on the box of all content. The picture of `vello_cpu` ends at that box, and a wide blur
    /// processes pixels in groups of eight or more, starting at the box's corner.
    fn is_rigid(&self, deviation: f32, edge: EdgeMode, bits: bool) -> bool {
        if deviation <= 0.0 {
            return false;
        }
        let is_cut = self.mean > self.square.x.min(self.square.y) + 1e-9;
        let halvings = Pyramid::of(f64::from(deviation) * self.mean * ROUNDED).halvings;
        edge != EdgeMode::None || is_cut || (bits && halvings > 2)
    }
}

/// A factor slightly above 1, because renderers compute deviations in `f32`.
const ROUNDED: f64 = 1.000_01;

/// The blur of `vello_cpu`: it halves the picture until the remaining deviation is at most 2, blurs by that up to three
/// deviations, and doubles the picture again.
struct Pyramid {
    deviation: f64,
    halvings: i32,
    rest: f64,
}

impl Pyramid {
    /// `vello_cpu` paints whole tiles of 4 x 4 pixels, up to 3 pixels around the content and up to 3 around the result.
    const TILES: f64 = 6.0;

    fn of(deviation: f64) -> Self {
        let mut variance = deviation * deviation;
        let mut halvings = 0;
        while variance > 4.0 && halvings < 64 {
            variance = (variance - 1.5) / 4.0;
            halvings += 1;
        }
        Self { deviation, halvings, rest: variance.sqrt() }
    }

    /// The visible reach beyond the edge of a half-plane. Due to rounding, it is slightly larger than three deviations.
    fn seen(&self) -> f64 {
        let rounding = if self.halvings < 3 { 0.0 } else { 1.5 * 2_f64.powi(self.halvings - 3) };
        3.0 * self.deviation + rounding
    }

    /// The distance of the farthest pixel read. Each halving and doubling together reach three pixels.
    fn whole(&self) -> f64 {
        let scale = 2_f64.powi(self.halvings);
        let rest = (3.0 * self.rest).ceil();
        (scale * rest + 3.0 * (scale - 1.0)).max(3.0 * self.deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use peniko::Color;

    fn chain(effects: impl IntoIterator<Item = FilterEffect>) -> Flow {
        result(&Filter::linear_list(effects.into_iter()), Affine::IDENTITY)
    }

    fn footprint(x0: f32, y0: f32, x1: f32, y1: f32) -> Option<Footprint> {
        Footprint::new(x0, y0, x1, y1).ok()
    }

    #[test]
    fn chained_effects_add_up() {
        let blur = FilterEffect::blur(2.0);
        assert_eq!(chain([blur.clone()]).footprint, footprint(-6.0, -6.0, 6.0, 6.0));
        assert_eq!(
            chain([blur.clone(), blur.clone()]).footprint,
            footprint(-12.0, -12.0, 12.0, 12.0)
        );
        let moved = FilterEffect::Offset(Vec2::new(7.0, -5.5));
        assert_eq!(chain([moved, blur]).footprint, footprint(1.0, -12.0, 13.0, 1.0));
        assert_eq!(chain([]), Flow::SOURCE);
        // AnyRender's own expansion is 30 pixels here.
        let wide =
            Filter::linear_list([FilterEffect::blur(10.0), FilterEffect::blur(10.0)].into_iter());
        assert_eq!(wide.expansion_rect().x1, 30.0);
        let reach = result(&wide, Affine::IDENTITY)
            .footprint
            .map_or(0.0, |footprint| footprint.to_rect().x1);
        assert!((60.0..=64.0).contains(&reach), "{reach}");
    }

    #[test]
    fn shadows_include_their_source_and_branches_unite() {
        let shadow = FilterEffect::drop_shadow(10.0, 0.0, 1.0, Color::BLACK);
        assert_eq!(chain([shadow]).footprint, footprint(0.0, -3.0, 13.0, 3.0));
        let mut graph = Filter::empty();
        let source = || Some(FilterInput::Source(FilterSource::SourceGraphic));
        let from = |primary| FilterInputs { primary, secondary: None };
        let blur = graph.add(FilterEffect::blur(1.0), from(source()));
        graph.add(FilterEffect::Offset(Vec2::new(9.0, 0.0)), from(source()));
        let inputs = FilterInputs { primary: None, secondary: Some(FilterInput::Result(blur)) };
        graph.add(FilterEffect::Composite(CompositeOperator::Over), inputs);
        let all = flows(&graph, Affine::scale(2.0), Reach::Seen);
        assert_eq!(all[2].footprint, footprint(-6.0, -6.0, 18.0, 6.0));
    }

    #[test]
    fn effects_without_a_source_fill() {
        let flood = FilterEffect::Flood(Color::WHITE);
        assert_eq!(chain([flood.clone()]), Flow::PAINT);
        assert!(!chain([FilterEffect::Flood(Color::TRANSPARENT)]).fills);
        assert!(chain([flood, FilterEffect::blur(3.0)]).fills);
        assert!(!chain([FilterEffect::invert(1.0), FilterEffect::opacity(0.5)]).fills);
        let mut graph = Filter::empty();
        let behind = FilterInput::Source(FilterSource::BackgroundImage);
        graph.add(FilterEffect::blur(1.0), FilterInputs::single(behind));
        assert!(reads_backdrop(&graph) && result(&graph, Affine::IDENTITY).fills);
    }

    #[test]
    fn huge_and_non_finite_numbers_are_limited() {
        let huge = chain([FilterEffect::blur(1e9), FilterEffect::blur(f32::MAX)]);
        assert_eq!(huge.footprint, Some(Footprint::EVERYWHERE));
        assert_eq!(chain([FilterEffect::blur(-3.0)]), Flow::SOURCE);
        assert!(!is_finite(&Filter::single(FilterEffect::blur(f32::NAN))));
        let blur = Filter::single(FilterEffect::blur(1.0));
        for scale in [0.0, 1e-300, 1e300, -2.0] {
            let flow = result(&blur, Affine::scale(scale));
            assert!(flow.footprint.is_some_and(|footprint| !footprint.to_rect().x1.is_nan()));
        }
    }
}
