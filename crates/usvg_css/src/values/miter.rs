//! Strokes that do not scale, by marks in their miter limits.
//!
//! usvg keeps no `vector-effect`, and forgets the ids of what a `use` shows. So the last bits of such a stroke's miter limit,
//! which change it by a ten-thousandth, hold how much too wide the stroke is written. All other limits have zeros there.

use kurbo::Affine;

/// The bits of a miter limit that hold a factor.
const BITS: u32 = 0x3ff;

/// The bits for the factor 1.
const ONE: f64 = 512.0;

/// The steps in which a factor doubles. A picture does not show finer ones.
const STEPS: f64 = 16.0;

/// A miter limit without a mark. Joins at the limit keep their tips.
pub(crate) fn plain_miter(limit: f32) -> f32 {
    f32::from_bits((limit.to_bits() + BITS) & !BITS)
}

/// The factor nearest to `by` that fits into a miter limit, and the limit that holds it.
pub(crate) fn mark(by: f64, limit: f32) -> (f64, f32) {
    let steps = (ONE + STEPS * by.log2()).round().clamp(1.0, f64::from(BITS));
    let marked = f32::from_bits(plain_miter(limit).to_bits() | steps as u32);
    (((steps - ONE) / STEPS).exp2(), marked)
}

/// How much too wide a stroke with this miter limit is written; `None` if it scales.
pub fn written_by(limit: f32) -> Option<f64> {
    let steps = limit.to_bits() & BITS;
    (steps != 0).then(|| ((f64::from(steps) - ONE) / STEPS).exp2())
}

/// The least factor by which a transform scales, over all directions.
pub(crate) fn least_scale(transform: Affine) -> f64 {
    let most = transform.spectral_norm();
    if most > 0.0 { transform.determinant().abs() / most } else { 0.0 }
}
