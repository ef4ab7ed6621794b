//! The layer of a filter, as the painter places it.
//!
//! A filter works on whole pixels of a layer that is turned (rotated, skewed,
//! mirrored) with the element but not scaled with it. The filter's region is
//! rounded outward to the layer's pixels; the group's own clip path and mask cut
//! the layer; and the layer is then resampled into device pixels, each of which
//! mixes the layer's pixels around it.
//!
//! Where a layer's pixels lie depends on the layer around it, which begins at some
//! whole device pixel. Seen from a layer that is turned that is no whole pixel, so
//! that its own may lie anywhere: rounding then reaches up to a pixel.

use super::extent::Extent;
use kurbo::Affine;
use usvg::Group;

/// How far resampling carries a pixel of the layer.
const RESAMPLING_REACH: f64 = 1.0;

/// How far rounding to pixels reaches, wherever they lie.
const ROUNDING_REACH: f64 = 1.0;

/// How far the painter's single precision may move an edge, and how many steps of it. One
/// that is a whole pixel in double precision is one there.
const NOISE: f64 = 1.0 / 256.0;
const NOISE_STEPS: f64 = 16.0;

/// The layer of a filtered group.
#[derive(Clone, Copy)]
pub(super) struct Layer {
    /// From the group's coordinates to the layer's pixels.
    pub(super) transform: Affine,
    /// From the layer's pixels to device pixels.
    turn: Affine,
    region: Extent,
}

impl Layer {
    /// The layer of this group, if it has filters.
    pub(super) fn of(group: &Group, transform: Affine) -> Option<Self> {
        let region = Extent::from(group.filters_bounding_box()?.to_rect());
        let [a, b, c, d, ..] = transform.as_coeffs();
        let (sx, sy) = (a.hypot(b), c.hypot(d));
        let turn = Affine::new([a / sx, b / sx, c / sy, d / sy, 0.0, 0.0]);
        if turn.determinant() == 0.0 || !turn.is_finite() {
            return Some(Self { transform, turn: Affine::IDENTITY, region });
        }
        Some(Self { transform: turn.inverse() * transform, turn, region })
    }

    /// The box, in device pixels, that holds whatever the filters paint.
    pub(super) fn region(&self) -> Extent {
        self.pixels(self.region.transform(self.transform)).transform(self.turn)
    }

    /// Whether its pixels lie as those of the picture do.
    pub(super) fn is_aligned(&self) -> bool {
        self.turn.as_coeffs().iter().all(|by| by.fract() == 0.0)
    }

    /// The pixels of the layer that a box in it touches, wherever they lie.
    fn pixels(&self, cut: Extent) -> Extent {
        if self.is_aligned() {
            // As large as the numbers are that it is counted with.
            let [a, b, c, d, e, f] = self.transform.as_coeffs().map(f64::abs);
            let largest = (a + b + c + d) * self.region.farthest() + e + f;
            let steps = NOISE_STEPS * f64::from(f32::EPSILON) * largest;
            cut.inflate_fractions(NOISE.max(steps)).round_out()
        } else {
            cut.inflate(ROUNDING_REACH)
        }
    }

    /// A box that cuts the layer, as it cuts device pixels.
    pub(super) fn place(&self, cut: Extent) -> Extent {
        if cut == Extent::EVERYTHING || self.turn == Affine::IDENTITY {
            return cut;
        }
        self.pixels(cut).inflate(RESAMPLING_REACH).transform(self.turn)
    }
}
