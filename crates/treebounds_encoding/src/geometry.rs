//! Boxes of curves and strokes.
//!
//! *Theory.* A curve is transformed first and measured second. Its box is computed in device space, from its extrema
//! and not from its control points. A rotated ellipse thus gets the box of the ellipse, not the box of a rotated box.
//!
//! A stroke is the trace of a round pen, cut off by caps and sharpened by joins. In device space, the pen is an
//! ellipse. Each side of its box touches the stroke at a place of one of these kinds:
//!
//! ```text
//!   an end of a segment, half a width to either side     ─┬─  corner
//!   a point where the curve runs along the box's edge     ⌒   extremum
//!   the tip of a miter, the arc of a round join or cap    ◁   tip
//! ```
//!
//! *Practice.* All arithmetic is in `f64`; only the final box is rounded to `f32`, outward. A box is never too small.
//! It may be too large where an exact answer would cost more: for strokes wider than a bend, and for dashes, which
//! count as solid.

mod extent;
mod fill;
#[cfg(any(feature = "canvas", feature = "vello"))]
mod stroke;
#[cfg(test)]
#[cfg(any(feature = "canvas", feature = "vello"))]
pub(crate) mod tests;

pub(crate) use extent::Extent;
pub(crate) use fill::fill_extent;
#[cfg(any(feature = "canvas", feature = "vello"))]
pub(crate) use stroke::stroke_extent;

#[cfg(feature = "canvas")]
use kurbo::Affine;
#[cfg(feature = "canvas")]
use treebounds_core::NotANumber;

/// Returns the exact box of a disc, which the transform may turn into an ellipse.
///
/// # Errors
/// Fails if a coordinate of the circle or of the transform is NaN.
#[cfg(feature = "canvas")]
pub(crate) fn disc_extent(circle: kurbo::Circle, transform: Affine) -> Result<Extent, NotANumber> {
    if circle.is_nan() || transform.is_nan() {
        return Err(NotANumber);
    }
    let center = transform * circle.center;
    let reach = stroke::Pen { transform, radius: circle.radius.abs() }.reach();
    let mut extent = Extent::NOTHING;
    extent.add(center - reach);
    extent.add(center + reach);
    Ok(extent)
}

/// Returns the reach of a blur with this deviation, in pixels: three deviations, or the three box blurs that painters
/// use instead.
#[cfg(any(feature = "canvas", feature = "svg"))]
pub(crate) fn blur_reach(deviation: f64) -> f64 {
    if deviation == 0.0 {
        return 0.0;
    }
    let width = (deviation * 3.0 * std::f64::consts::TAU.sqrt() / 4.0 + 0.5).floor();
    (3.0 * deviation).max(1.5 * width)
}
