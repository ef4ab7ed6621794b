//! How much work a filter is.

use resvg::usvg::{
    Group,
    filter::{Filter, Kind},
};

/// About how many times each pixel of the filter's region is visited, at this
/// many picture pixels for one of the filter's, across and down.
pub(crate) fn of(filter: &Filter, scale: [f64; 2]) -> f64 {
    filter.primitives().iter().map(|primitive| one(primitive.kind(), scale)).sum()
}

fn one(kind: &Kind, [x, y]: [f64; 2]) -> f64 {
    match kind {
        // Each pixel looks at all around it.
        Kind::Morphology(grow) => {
            let side = |radius: f32, scale: f64| 2.0 * (f64::from(radius) * scale).round() + 1.0;
            side(grow.radius_x().get(), x) * side(grow.radius_y().get(), y)
        }
        Kind::ConvolveMatrix(convolve) => {
            let matrix = convolve.matrix();
            4.0 * f64::from(matrix.columns()) * f64::from(matrix.rows())
        }
        // The painter adds up as many octaves as it is told to.
        Kind::Turbulence(noise) => 50.0 * f64::from(noise.num_octaves()),
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 30.0,
        _ => 8.0,
    }
}

/// What a filter paints besides.
pub(crate) fn images(filter: &Filter) -> impl Iterator<Item = &Group> {
    filter.primitives().iter().filter_map(|primitive| match primitive.kind() {
        Kind::Image(image) => Some(image.root()),
        _ => None,
    })
}
