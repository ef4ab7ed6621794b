//! Boxes on a pixel grid, and the layers of filters.
//!
//! A painter multiplies the coverage of a pixel. Two disjoint boxes that touch the same pixel therefore paint it.
//!
//! A filter works on the whole pixels of a layer that is transformed (rotated, skewed, mirrored) with the element, but
//! not scaled with it. The painter rounds the filter's region outward to the layer's pixels, and clips the layer with
//! the group's own clip path and mask. Then it resamples the layer into device pixels, each of which blends the
//! surrounding layer pixels.
//!
//! The position of a layer's pixels depends on the enclosing layer, which starts at a whole device pixel. If that layer
//! is unaligned, its pixels are not aligned with device pixels. The pixels of the inner layer may then be anywhere, and
//! rounding moves an edge by up to a pixel.

use crate::geometry::Extent;
use kurbo::{Affine, Point};
use treebounds_core::{Footprint, Rect};
use usvg::Group;

impl Extent {
    pub(super) fn is_empty(&self) -> bool {
        !(self.x0 < self.x1 && self.y0 < self.y1)
    }

    /// Returns the intersection. If the boxes are disjoint and touch the same pixel, returns the part of this box
    /// inside the other box's pixels.
    pub(super) fn intersect(self, other: Self) -> Self {
        let out = self.overlap(other.meeting(self));
        if out.is_empty() { Self::NOTHING } else { out }
    }

    /// Returns this box. If the boxes are disjoint but touch the same pixel, returns all pixels that this box touches
    /// instead: a painter multiplies coverage, so a pixel that both boxes partly cover is painted.
    pub(super) fn meeting(self, other: Self) -> Self {
        let share = |a: Self, b: Self| !a.overlap(b).is_empty();
        let whole = self.round_out();
        let only_a_pixel = !share(self, other) && share(whole, other.round_out());
        if only_a_pixel && !self.is_empty() && !other.is_empty() { whole } else { self }
    }

    /// Returns the intersection as plain point sets.
    fn overlap(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    fn round_out(self) -> Self {
        Self { x0: self.x0.floor(), y0: self.y0.floor(), x1: self.x1.ceil(), y1: self.y1.ceil() }
    }

    /// Moves the edges outward by this distance, except those on whole pixels.
    fn inflate_fractions(self, by: f64) -> Self {
        let moved = |edge: f64, by: f64| if edge.fract() == 0.0 { edge } else { edge + by };
        Self {
            x0: moved(self.x0, -by),
            y0: moved(self.y0, -by),
            x1: moved(self.x1, by),
            y1: moved(self.y1, by),
        }
    }

    /// The largest absolute value of a finite edge.
    fn farthest(&self) -> f64 {
        let edges = [self.x0, self.y0, self.x1, self.y1].map(f64::abs);
        edges.into_iter().filter(|edge| edge.is_finite()).fold(0.0, f64::max)
    }

    /// The bounding box of the transformed box.
    pub(super) fn transform(self, by: Affine) -> Self {
        let mut out = Self::NOTHING;
        if self != Self::NOTHING {
            for y in [self.y0, self.y1] {
                out.add(by * Point::new(self.x0, y));
                out.add(by * Point::new(self.x1, y));
            }
        }
        out
    }
}

impl Extent {
    pub(super) fn of_rect(rect: Rect) -> Self {
        if rect.is_empty() {
            return Self::NOTHING;
        }
        let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
        Self::new(x0, y0, x1, y1)
    }
}

impl From<usvg::Rect> for Extent {
    fn from(rect: usvg::Rect) -> Self {
        let [x0, y0, x1, y1] =
            [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
        Self::new(x0, y0, x1, y1)
    }
}

pub(super) fn affine(ts: usvg::Transform) -> Affine {
    Affine::new([ts.sx, ts.ky, ts.kx, ts.sy, ts.tx, ts.ty].map(f64::from))
}

/// The distance by which resampling spreads a layer pixel.
const RESAMPLING_REACH: f64 = 1.0;

/// The distance by which rounding to pixels moves an edge, at any pixel position.
const ROUNDING_REACH: f64 = 1.0;

/// The distance by which the painter's single precision may move an edge: at least `NOISE` pixels, and `NOISE_STEPS`
/// units in the last place of the largest number involved. An edge on a whole pixel in double precision is also on one
/// in single precision.
const NOISE: f64 = 1.0 / 256.0;
const NOISE_STEPS: f64 = 16.0;

/// The distance between the pixels of an unaligned layer and their content in the stream: rounding, resampling, and one
/// pixel because a pen that counts as a hairline only in the layer is painted wider.
const TURNED_REACH: f64 = 1.0 + ROUNDING_REACH + RESAMPLING_REACH;

/// The layer of a filtered group.
#[derive(Clone, Copy)]
pub(super) struct Layer {
    /// The transform from the group's coordinates to the layer's pixels.
    transform: Affine,
    /// The transform from the layer's pixels to device pixels.
    turn: Affine,
    /// Whether the layer's pixels are parallel to the picture's.
    pub(super) is_aligned: bool,
    region: Extent,
}

impl Layer {
    /// The layer of this group; `None` if the group has no filters. `around` is the enclosing unaligned layer, if any.
    pub(super) fn of(group: &Group, transform: Affine, around: Option<Self>) -> Option<Self> {
        if group.filters().is_empty() {
            return None;
        }
        let region = group.filters_bounding_box();
        let region = region.map_or(Extent::EVERYTHING, |region| Extent::from(region.to_rect()));
        let rest = around.map_or(Affine::IDENTITY, |around| around.turn);
        let [a, b, c, d, ..] =
            around.map_or(transform, |around| around.local(transform)).as_coeffs();
        let (sx, sy) = (a.hypot(b), c.hypot(d));
        let turn = Affine::new([a / sx, b / sx, c / sy, d / sy, 0.0, 0.0]);
        let is_aligned = around.is_none() && turn.as_coeffs().iter().all(|by| by.fract() == 0.0);
        if turn.determinant() == 0.0 || !turn.is_finite() {
            return Some(Self { transform, turn: Affine::IDENTITY, is_aligned, region });
        }
        let turn = rest * turn;
        Some(Self { transform: turn.inverse() * transform, turn, is_aligned, region })
    }

    /// Converts a transform into the picture's pixels to one into the layer's pixels.
    pub(super) fn local(&self, transform: Affine) -> Affine {
        self.turn.inverse() * transform
    }

    /// The box, in device pixels, of the layer pixels that a rectangle in the group's coordinates touches.
    pub(super) fn cover(&self, rect: Extent) -> Extent {
        self.pixels(rect.transform(self.transform)).transform(self.turn)
    }

    /// Layer pixels per unit of the group's coordinates, along x and y.
    pub(super) fn scale(&self) -> [f64; 2] {
        let [a, b, c, d, ..] = self.transform.as_coeffs();
        [a.hypot(b), c.hypot(d)]
    }

    /// Converts a filter's footprint from the layer's pixels to device pixels.
    pub(super) fn footprint(&self, footprint: Footprint) -> Footprint {
        let [x0, y0, x1, y1] = footprint.to_rect().to_array().map(f64::from);
        let by = if self.is_aligned { 0.0 } else { TURNED_REACH };
        let hull = Extent::new(x0, y0, x1, y1).inflate(by, by).transform(self.turn);
        Footprint::around(hull.x0, hull.y0, hull.x1, hull.y1)
    }

    /// The layer pixels that a box in the layer touches, at any pixel position.
    fn pixels(&self, cut: Extent) -> Extent {
        if self.is_aligned {
            // The largest number in the painter's arithmetic.
            let [a, b, c, d, e, f] = self.transform.as_coeffs().map(f64::abs);
            let largest = (a + b + c + d) * self.region.farthest() + e + f;
            let steps = NOISE_STEPS * f64::from(f32::EPSILON) * largest;
            cut.inflate_fractions(NOISE.max(steps)).round_out()
        } else {
            cut.inflate(ROUNDING_REACH, ROUNDING_REACH)
        }
    }

    /// The box, in device pixels, of a clip of the layer.
    pub(super) fn place(&self, cut: Extent) -> Extent {
        if cut == Extent::EVERYTHING || self.turn == Affine::IDENTITY {
            return cut;
        }
        let reach = RESAMPLING_REACH;
        self.pixels(cut).inflate(reach, reach).transform(self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_rounded_outward() {
        let third = Extent::new(1.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0, 1e60).to_rect();
        assert!(f64::from(third.x0) <= 1.0 / 3.0 && f64::from(third.x1) >= 2.0 / 3.0);
        assert!(f64::from(third.y0) <= -1.0 / 3.0);
        assert_eq!(third.y1, f32::MAX);
        assert_eq!(Extent::NOTHING.to_rect(), Rect::NOTHING);
        assert_eq!(Extent::EVERYTHING.to_rect(), Rect::EVERYTHING);
        assert_eq!(Extent::new(0.0, 0.0, 0.0, 5.0).to_rect(), Rect::NOTHING);
    }

    #[test]
    fn inflation_moves_only_fractional_edges() {
        let nearly = Extent::new(-1.0, 0.25, 8.0, 9.75).inflate_fractions(0.25);
        assert_eq!(nearly, Extent::new(-1.0, 0.0, 8.0, 10.0));
        assert_eq!(Extent::EVERYTHING.inflate_fractions(0.25), Extent::EVERYTHING);
        assert_eq!(Extent::NOTHING.inflate_fractions(0.25), Extent::NOTHING);
    }

    #[test]
    fn boxes_that_share_a_pixel_meet() {
        let low = Extent::new(0.0, 0.0, 9.0, 4.25);
        let high = |y| Extent::new(2.5, y, 20.0, 8.0);
        assert_eq!(low.intersect(high(4.0)), Extent::new(2.5, 4.0, 9.0, 4.25));
        assert_eq!(high(4.5).meeting(low), Extent::new(2.0, 4.0, 20.0, 8.0));
        assert_eq!(low.intersect(high(4.5)), Extent::new(2.0, 4.0, 9.0, 4.25));
        assert_eq!(low.intersect(high(5.0)), Extent::NOTHING);
        let line = Extent::new(0.0, 4.25, 9.0, 4.25);
        assert_eq!(line.intersect(Extent::EVERYTHING), Extent::NOTHING);
    }

    #[test]
    fn nan_makes_a_box_unlimited() {
        let mut extent = Extent::new(0.0, 0.0, 1.0, 1.0);
        extent.add(Point::new(f64::NAN, 0.0));
        assert_eq!(extent, Extent::EVERYTHING);
        assert_eq!(Extent::NOTHING.transform(Affine::scale(f64::INFINITY)), Extent::NOTHING);
    }
}
