//! How much work a filter is, and what the painter cannot do of it.

use crate::layer::Layer;
use resvg::{
    tiny_skia::Transform,
    usvg::{
        Group, NonZeroRect,
        filter::{Filter, Kind, Primitive},
    },
};

/// The work of a filter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// About how many times each pixel of the layer is visited.
    pub(crate) passes: f64,
    /// How many pictures as large as the layer there are at once, besides the layer: one a primitive, and a few while one is
    /// at work.
    pub(crate) kept: f64,
    /// Names of results that are looked for.
    pub(crate) lookups: f64,
}

/// The painter counts pixels in `i32`, and fails on what is far outside; it is not asked to go farther than this.
const FAR: f64 = 1e9;
/// How wide a blur may be, in pixels: standard deviations.
const WIDE: f64 = 1e8;

/// The work of a filter on a layer.
///
/// # Errors
/// What the painter would fail on.
pub(crate) fn of(filter: &Filter, layer: &Layer) -> Result<Effort, &'static str> {
    if !is_near(filter.rect(), layer.to) {
        return Err("a filter's region that large");
    }
    let primitives = filter.primitives();
    let mut effort = Effort { kept: 3.0 + primitives.len() as f64, ..Effort::default() };
    for primitive in primitives {
        if !is_near(primitive.rect(), layer.to) {
            return Err("the region of a filter's primitive that large");
        }
        check(primitive, layer)?;
        effort.passes += one(primitive.kind(), layer);
        effort.lookups += inputs(primitive.kind()) * primitives.len() as f64;
    }
    Ok(effort)
}

fn is_near(area: NonZeroRect, to: Transform) -> bool {
    area.to_rect().transform(to).is_some_and(|area| {
        let edges = [area.left(), area.top(), area.right(), area.bottom()];
        edges.into_iter().all(|edge| f64::from(edge).abs() < FAR)
    })
}

/// What the painter would fail on, of a primitive's own values.
fn check(primitive: &Primitive, layer: &Layer) -> Result<(), &'static str> {
    let [x, y] = layer.scale();
    let within = |most: f64, a: f32, b: f32| {
        (f64::from(a) * x).abs() < most && (f64::from(b) * y).abs() < most
    };
    match primitive.kind() {
        Kind::Offset(offset) if !within(FAR, offset.dx(), offset.dy()) => {
            Err("an feOffset that far")
        }
        Kind::DropShadow(shadow) if !within(FAR, shadow.dx(), shadow.dy()) => {
            Err("an feDropShadow that far")
        }
        Kind::DropShadow(shadow)
            if !within(WIDE, shadow.std_dev_x().get(), shadow.std_dev_y().get()) =>
        {
            Err("an feDropShadow that wide")
        }
        Kind::GaussianBlur(blur)
            if !within(WIDE, blur.std_dev_x().get(), blur.std_dev_y().get()) =>
        {
            Err("an feGaussianBlur that wide")
        }
        Kind::Morphology(grow) if !within(FAR, grow.radius_x().get(), grow.radius_y().get()) => {
            Err("an feMorphology that wide")
        }
        Kind::Turbulence(noise) => {
            // Coordinates of the noise double with every octave.
            let octaves = f64::from(noise.num_octaves()).exp2();
            let [x, y] = [layer.width() / x, layer.height() / y];
            let at = |side: f64, frequency: f32| side * f64::from(frequency) * octaves;
            let far =
                at(x, noise.base_frequency_x().get()).max(at(y, noise.base_frequency_y().get()));
            // Neither infinite nor not a number.
            if far < FAR { Ok(()) } else { Err("an feTurbulence that fine") }
        }
        _ => Ok(()),
    }
}

/// How many results a primitive looks for.
fn inputs(kind: &Kind) -> f64 {
    match kind {
        Kind::Merge(merge) => merge.inputs().len() as f64,
        _ => 2.0,
    }
}

fn one(kind: &Kind, layer: &Layer) -> f64 {
    match kind {
        // Each pixel looks at all around it.
        Kind::Morphology(grow) => {
            let [x, y] = layer.scale();
            let side = |radius: f32, scale: f64, most: f64| {
                (2.0 * (f64::from(radius) * scale).round() + 1.0).min(most)
            };
            side(grow.radius_x().get(), x, layer.width())
                * side(grow.radius_y().get(), y, layer.height())
        }
        Kind::ConvolveMatrix(convolve) => {
            let matrix = convolve.matrix();
            4.0 * f64::from(matrix.columns()) * f64::from(matrix.rows())
        }
        // The painter adds up as many octaves as it is told to.
        Kind::Turbulence(noise) => 50.0 * f64::from(noise.num_octaves()),
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 30.0,
        Kind::GaussianBlur(blur) => blurred(blur.std_dev_x().get(), blur.std_dev_y().get(), layer),
        Kind::DropShadow(shadow) => {
            10.0 + blurred(shadow.std_dev_x().get(), shadow.std_dev_y().get(), layer)
        }
        Kind::Flood(_) => 2.0,
        Kind::Merge(merge) => 4.0 + 4.0 * merge.inputs().len() as f64,
        _ => 8.0,
    }
}

/// The painter blurs a little by going over floating-point numbers up and down, and much by boxes.
fn blurred(x: f32, y: f32, layer: &Layer) -> f64 {
    let [across, down] = layer.scale();
    if (f64::from(x) * across).max(f64::from(y) * down) < 2.0 { 40.0 } else { 20.0 }
}

/// What a filter paints besides, and the transform that it is painted with.
pub(crate) fn images(filter: &Filter, layer: Layer) -> impl Iterator<Item = (&Group, Transform)> {
    filter.primitives().iter().filter_map(move |primitive| match primitive.kind() {
        Kind::Image(image) => {
            let (x, y) = layer.to.get_scale();
            let at = primitive.rect().to_rect().transform(layer.to)?;
            Some((image.root(), Transform::from_row(x, 0.0, 0.0, y, at.left(), at.top())))
        }
        _ => None,
    })
}
