//! Filter footprints: how far a filter moves and spreads pixels.
//!
//! A filter's output at pixel `p` depends on its input at the pixels `p - k`, for all offsets `k` in the footprint `K`. This defines
//! two boxes:
//!
//! ```text
//!                 x0   x1                      K = [-2, 3]: the output reads from 3 pixels left of p to 2 pixels right of it
//! reverse bounds  clip [10, 20)  ->  [7, 22)   the input that the output inside the clip depends on: grows by the mirrored footprint
//! forward bounds  ink  [12, 14)  ->  [10, 17)  the output that the input may change: grows by the footprint
//! ```
//!
//! Reverse bounds flow down the tree, like clips; forward bounds grow up, like contents. (The terms are from Skia.) Both are whole
//! numbers below 2^24, which `f32` adds exactly, so all implementations give identical results.

use crate::Rect;

/// A filter's footprint: the smallest box around all offsets by which the filter moves a pixel. The sides are whole numbers from
/// -2^22 to 2^22, with `x0 <= x1` and `y0 <= y1`.
///
/// Unlike a [`Rect`], a footprint includes both edges: `Footprint::IDENTITY` is the single offset zero.
///
/// ```
/// use treebounds_core::{Footprint, Rect};
///
/// let blur = Footprint::blur(4.0, 4.0); // reaches three deviations
/// let shadow = blur.then(Footprint::offset(0.0, 8.0)).hull(Footprint::IDENTITY);
/// assert_eq!(shadow, Footprint::new(-12.0, -4.0, 12.0, 20.0)?);
/// let ink = Rect::new(100.0, 100.0, 110.0, 110.0);
/// assert_eq!(shadow.forward_bounds(ink, Rect::EVERYTHING), Rect::new(88.0, 96.0, 122.0, 130.0));
/// # Ok::<(), treebounds_core::FootprintError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint(Rect);

/// The reason that four numbers are not a valid [`Footprint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FootprintError {
    /// A side is NaN or fractional.
    #[error("a side of the footprint is not a whole number; round it outward")]
    NotWhole,
    /// A side is further from zero than 2^22.
    #[error(
        "a side of the footprint exceeds 2^22; use Footprint::EVERYWHERE for a filter that reads everywhere"
    )]
    TooLarge,
    /// `x0 > x1` or `y0 > y1`.
    #[error("the sides of the footprint are reversed; x0 <= x1 and y0 <= y1 are needed")]
    Reversed,
}

/// Up to this distance from zero, the sum of a whole coordinate and a footprint is exact.
const FAR: f32 = 8_388_608.0; // 2^23

impl Footprint {
    /// The largest distance of a side from zero: 2^22.
    pub const MAX: f32 = 4_194_304.0;

    /// The footprint of a filter that moves no pixels.
    pub const IDENTITY: Self = Self(Rect::new(0.0, 0.0, 0.0, 0.0));

    /// The footprint of a filter that reads everywhere inside the clips around it, such as a tile or an image.
    pub const EVERYWHERE: Self = Self(Rect::new(-Self::MAX, -Self::MAX, Self::MAX, Self::MAX));

    /// Creates a footprint.
    ///
    /// # Errors
    /// [`FootprintError`] if a side is fractional or too large, or if sides are reversed.
    pub fn new(x0: f32, y0: f32, x1: f32, y1: f32) -> Result<Self, FootprintError> {
        let sides = [x0, y0, x1, y1];
        // All finite f32 from 2^23 on are whole, so huge sides are reported as too large.
        if sides.iter().any(|x| x.is_nan() || (x.abs() < FAR && floor(*x) != *x)) {
            return Err(FootprintError::NotWhole);
        }
        if sides.iter().any(|x| x.abs() > Self::MAX) {
            return Err(FootprintError::TooLarge);
        }
        if x0 > x1 || y0 > y1 {
            return Err(FootprintError::Reversed);
        }
        // Adding zero converts -0.0 to +0.0.
        Ok(Self(Rect::new(x0 + 0.0, y0 + 0.0, x1 + 0.0, y1 + 0.0)))
    }

    /// Converts the rect of a spread node's Begin to a footprint.
    ///
    /// # Errors
    /// [`FootprintError`] as for [`Footprint::new`].
    pub fn from_rect(rect: Rect) -> Result<Self, FootprintError> {
        Self::new(rect.x0, rect.y0, rect.x1, rect.y1)
    }

    /// Converts the rect of a spread node in a validated stream to a footprint.
    pub(crate) const fn stored(rect: Rect) -> Self {
        Self(rect)
    }

    /// Converts the footprint to the rect of a spread node's Begin.
    pub const fn to_rect(self) -> Rect {
        self.0
    }

    /// The smallest footprint around these sides, rounded outward and clamped to 2^22. NaN counts as unlimited.
    pub fn around(x0: f64, y0: f64, x1: f64, y1: f64) -> Self {
        let limit = f64::from(Self::MAX);
        // Rounds outward before the conversion to f32, which rounds to nearest. Whole numbers up to 2^22 convert exactly.
        let low =
            |x: f64| if x.is_nan() { -Self::MAX } else { floor_to_f32(x.clamp(-limit, limit)) };
        let high = |x: f64| 0.0 - low(-x); // +0.0 for zero
        let (x0, y0, x1, y1) = (low(x0), low(y0), high(x1), high(y1));
        Self(Rect::new(x0.min(x1), y0.min(y1), x1.max(x0), y1.max(y0)))
    }

    /// The footprint of a Gaussian blur with these standard deviations in pixels, which reaches three deviations. Negative
    /// deviations and NaN count as 0.
    pub fn blur(x: f64, y: f64) -> Self {
        let (x, y) = (3.0 * x.max(0.0), 3.0 * y.max(0.0));
        Self::around(-x, -y, x, y)
    }

    /// The footprint of an offset in pixels. Fractional offsets read both neighboring pixels.
    pub fn offset(dx: f64, dy: f64) -> Self {
        Self::around(dx, dy, dx, dy)
    }

    /// The footprint of this filter followed by another: the sum of their sides, clamped to 2^22.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let add = |a: f32, b: f32| (a + b).clamp(-Self::MAX, Self::MAX);
        let (a, b) = (self.0, next.0);
        Self(Rect::new(add(a.x0, b.x0), add(a.y0, b.y0), add(a.x1, b.x1), add(a.y1, b.y1)))
    }

    /// The footprint of two parallel filters with the same input: the smallest footprint around both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self(Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1)))
    }

    /// The input that the output inside `clip` depends on. Empty if `clip` is empty.
    pub fn reverse_bounds(self, clip: Rect) -> Rect {
        let (k, out) = (self.0, clip.round_out());
        if out.is_empty() {
            return Rect::NOTHING;
        }
        Rect::new(out.x0 - k.x1, out.y0 - k.y1, out.x1 - k.x0, out.y1 - k.y0)
    }

    /// The output inside `clip` that the input inside `content` may change. Empty if either is empty. All of `clip` if one of its
    /// edges is beyond 2^23, but not at `f32::MAX`.
    ///
    /// For contents inside [`Footprint::reverse_bounds`] of `clip`, the forward bounds of a union are the union of the
    /// forward bounds.
    pub fn forward_bounds(self, content: Rect, clip: Rect) -> Rect {
        let (k, c) = (self.0, content.round_out());
        if c.is_empty() {
            return Rect::NOTHING;
        }
        if clip.is_far() {
            return clip;
        }
        Rect::new(c.x0 + k.x0, c.y0 + k.y0, c.x1 + k.x1, c.y1 + k.y1).intersect(clip)
    }
}

/// The maximum distance of a stroke from its path, in pen radii: the tip of the longest miter, or the corner of a square cap.
///
/// Exact stroke bounds depend on the painter: resvg's outlines for SVG files, the ideal stroke for canvas calls and Vello. This bound
/// is valid for all painters.
pub fn pen_reach(miter_limit: Option<f64>, has_square_caps: bool) -> f64 {
    let corner = if has_square_caps { core::f64::consts::SQRT_2 } else { 1.0 };
    miter_limit.unwrap_or(1.0).max(corner)
}

/// Rounds `x` down, for values from -2^22 to 2^22.
fn floor_to_f32(x: f64) -> f32 {
    let whole = x as i32;
    (if f64::from(whole) > x { whole - 1 } else { whole }) as f32
}

impl Rect {
    /// The smallest rectangle with whole edges around this rectangle. Edges beyond 2^23 move outward to 2^23 or `f32::MAX`, so that
    /// a [`Footprint`] can be added without rounding. Returns [`Rect::NOTHING`] for empty rectangles.
    #[must_use]
    pub fn round_out(self) -> Self {
        if self.is_empty() {
            return Self::NOTHING;
        }
        let low = |x: f32| if x < -FAR { -f32::MAX } else { floor(x.min(FAR)) };
        let high = |x: f32| if x > FAR { f32::MAX } else { ceil(x.max(-FAR)) };
        Self::new(low(self.x0), low(self.y0), high(self.x1), high(self.y1))
    }

    /// Whether an edge is beyond 2^23, but not unlimited.
    fn is_far(self) -> bool {
        let edges = [self.x0, self.y0, self.x1, self.y1];
        edges.iter().any(|x| x.abs() > FAR && x.abs() < f32::MAX)
    }
}

/// `f32::floor`, which `core` lacks, for numbers up to 2^23. Never returns `-0.0`.
fn floor(x: f32) -> f32 {
    let whole = x as i32 as f32;
    if whole > x { whole - 1.0 } else { whole }
}

/// `f32::ceil` for numbers up to 2^23. Never returns `-0.0`.
fn ceil(x: f32) -> f32 {
    let whole = x as i32 as f32;
    if whole < x { whole + 1.0 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn rejects_fractional_reversed_and_large_sides() {
        let error = |x0, x1| Footprint::new(x0, 0.0, x1, 0.0).unwrap_err();
        assert_eq!(error(f32::NAN, 0.0), FootprintError::NotWhole);
        assert_eq!(error(-0.5, 0.0), FootprintError::NotWhole);
        assert_eq!(error(2.0, 1.0), FootprintError::Reversed);
        assert_eq!(error(0.0, 1e9), FootprintError::TooLarge);
        assert_eq!(error(f32::NEG_INFINITY, 0.0), FootprintError::TooLarge);
        assert_eq!(
            Footprint::from_rect(Footprint::EVERYWHERE.to_rect()),
            Ok(Footprint::EVERYWHERE)
        );
    }

    #[test]
    fn chained_filters_add_and_parallel_filters_unite() {
        let blur = Footprint::blur(10.0, 0.0);
        assert_eq!(blur.then(blur), Footprint::blur(20.0, 0.0));
        assert_eq!(
            blur.hull(Footprint::offset(0.5, -0.5)),
            Footprint(Rect::new(-30.0, -1.0, 30.0, 0.0))
        );
        assert_eq!(Footprint::EVERYWHERE.then(blur), Footprint::EVERYWHERE);
        assert_eq!(Footprint::blur(f64::NAN, -1.0), Footprint::IDENTITY);
        assert_eq!(Footprint::blur(f64::INFINITY, 1e300), Footprint::EVERYWHERE);
    }

    #[test]
    fn fractions_too_small_for_f32_round_outward() {
        let around = |x: f64| Footprint::around(-x, 0.0, x, 0.0).to_rect();
        assert_eq!(around(100_000.001), Rect::new(-100_001.0, 0.0, 100_001.0, 0.0));
        assert_eq!(around(2_097_152.1), Rect::new(-2_097_153.0, 0.0, 2_097_153.0, 0.0));
        let zero = around(0.0);
        assert!([zero.x0, zero.x1].iter().all(|x| x.to_bits() == 0));
    }

    #[test]
    fn edges_round_outward_and_far_edges_are_unlimited() {
        let rect = Rect::new(-0.5, 0.0, 0.5, 16_777_217.0);
        assert_eq!(rect.round_out(), Rect::new(-1.0, 0.0, 1.0, f32::MAX));
        assert_eq!(Rect::EVERYTHING.round_out(), Rect::EVERYTHING);
        assert_eq!(Footprint::EVERYWHERE.reverse_bounds(Rect::EVERYTHING), Rect::EVERYTHING);
        let zero = Rect::new(-0.25, -0.25, 4.0, 4.0).round_out();
        assert_eq!(zero.x0.to_bits(), (-1.0_f32).to_bits());
        assert_eq!(Rect::new(-4.0, -4.0, -0.25, -0.25).round_out().x1.to_bits(), 0);
    }

    /// Only contents inside the reverse bounds of the clip are tested. The GPU kernels rely on this law.
    #[test]
    fn forward_bounds_of_a_union_are_the_union_of_forward_bounds() {
        let edges = [
            -f32::MAX,
            -16_777_216.0,
            -8_388_608.0,
            -8.0,
            -0.5,
            3.25,
            900.0,
            8_388_600.0,
            8_388_608.0,
            8_388_650.0,
            f32::MAX,
        ];
        let pairs = || edges.into_iter().flat_map(|a| edges.map(|b| (a, b)));
        let spans: Vec<Rect> = pairs().map(|(a, b)| Rect::new(a, 0.0, b, 1.0)).collect();
        let footprints =
            [(-100.0, 0.0), (0.0, 100.0), (-1000.0, -1000.0), (-4_194_304.0, 4_194_304.0)]
                .map(|(low, high)| Footprint::new(low, 0.0, high, 0.0).unwrap());
        for (footprint, clip) in
            footprints.iter().flat_map(|footprint| spans.iter().map(move |clip| (footprint, clip)))
        {
            let clip = clip.canonical().unwrap();
            let seen = spans.iter().map(|span| span.intersect(footprint.reverse_bounds(clip)));
            let seen: Vec<Rect> = seen.filter(|rect| !rect.is_empty()).collect();
            for (a, b) in seen.iter().flat_map(|a| seen.iter().map(move |b| (*a, *b))) {
                let apart =
                    footprint.forward_bounds(a, clip).union(footprint.forward_bounds(b, clip));
                assert_eq!(
                    footprint.forward_bounds(a.union(b), clip),
                    apart,
                    "{footprint:?} {clip:?} {a:?} {b:?}"
                );
                assert!(
                    !footprint.forward_bounds(a, clip).is_empty(),
                    "{footprint:?} {clip:?} {a:?}"
                );
            }
        }
    }

    #[test]
    fn bounds_of_empty_rects_are_empty() {
        let (blur, unit) = (Footprint::blur(1.0, 1.0), Rect::new(0.0, 0.0, 1.0, 1.0));
        assert_eq!(blur.reverse_bounds(Rect::NOTHING), Rect::NOTHING);
        assert_eq!(blur.forward_bounds(Rect::NOTHING, unit), Rect::NOTHING);
        assert_eq!(blur.forward_bounds(unit, Rect::NOTHING), Rect::NOTHING);
        assert_eq!(blur.reverse_bounds(unit), Rect::new(-3.0, -3.0, 4.0, 4.0));
    }
}
