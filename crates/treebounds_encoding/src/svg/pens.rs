//! Strokes that do not scale.

use kurbo::Affine;

/// Strokes that do not scale, by marks in their miter limits.
///
/// usvg keeps no `vector-effect`, and forgets the ids of what a `use` shows. So the last bits of such a stroke's miter limit,
/// which change it by less than a thousandth, hold the number of an entry here. All other limits have zeros there.
#[derive(Debug, Default)]
pub(super) struct Pens(Vec<f64>);

/// The bits of a miter limit that hold a number.
const BITS: u32 = 0xfff;

/// A miter limit without a mark.
pub(super) fn plain_miter(limit: f32) -> f32 {
    f32::from_bits(limit.to_bits() & !BITS)
}

/// The least factor by which a transform scales, over all directions.
pub(super) fn least_scale(transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let (sum, det) = (a * a + b * b + c * c + d * d, (a * d - b * c).abs());
    let most = ((sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt()) / 2.0).sqrt();
    if most > 0.0 { det / most } else { 0.0 }
}

impl Pens {
    /// Marks the miter limit of a stroke that is written `by` times as wide; `None` if there are too many kinds.
    pub(super) fn add(&mut self, by: f64, limit: f32) -> Option<f32> {
        let at = self.0.iter().rposition(|known| *known == by).unwrap_or_else(|| {
            self.0.push(by);
            self.0.len() - 1
        });
        let mark = u32::try_from(at + 1).ok().filter(|mark| *mark <= BITS)?;
        Some(f32::from_bits(plain_miter(limit).to_bits() | mark))
    }

    /// How much too wide a stroke with this miter limit is written; `None` if it scales.
    pub(super) fn get(&self, limit: f32) -> Option<f64> {
        let at = (limit.to_bits() & BITS).checked_sub(1)?;
        self.0.get(at as usize).copied()
    }
}
