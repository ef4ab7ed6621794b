//! Boxes while they are being measured: `f64`, rounded outward at the end.

use kurbo::{Affine, Point};
use treebounds_core::Rect;

/// A box in `f64` that grows by points.
///
/// Coordinates that are not finite make it everything: a box may be too large,
/// never too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    x0: f64,
    y0: f64,
    x1: f64,
    y1: f64,
}

impl Extent {
    /// No point at all.
    pub(super) const NOTHING: Self =
        Self { x0: f64::INFINITY, y0: f64::INFINITY, x1: f64::NEG_INFINITY, y1: f64::NEG_INFINITY };

    /// The whole plane.
    pub(super) const EVERYTHING: Self =
        Self { x0: f64::NEG_INFINITY, y0: f64::NEG_INFINITY, x1: f64::INFINITY, y1: f64::INFINITY };

    /// The box with these edges.
    pub(super) fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Self {
        let mut out = Self::NOTHING;
        out.add(Point::new(x0, y0));
        out.add(Point::new(x1, y1));
        out
    }

    /// Grows to hold the point.
    pub(super) fn add(&mut self, point: Point) {
        if point.is_finite() {
            self.x0 = self.x0.min(point.x);
            self.y0 = self.y0.min(point.y);
            self.x1 = self.x1.max(point.x);
            self.y1 = self.y1.max(point.y);
        } else {
            *self = Self::EVERYTHING;
        }
    }

    /// Whether it holds the point, edges included.
    pub(super) fn holds(&self, point: Point) -> bool {
        self.x0 <= point.x && point.x <= self.x1 && self.y0 <= point.y && point.y <= self.y1
    }

    /// Whether it has no area.
    pub(super) fn is_empty(&self) -> bool {
        !(self.x0 < self.x1 && self.y0 < self.y1)
    }

    /// What lies in both; where they share no point but a pixel, what of this box lies in the pixels of the other.
    pub(super) fn intersect(self, other: Self) -> Self {
        let out = self.overlap(other.meeting(self));
        if out.is_empty() { Self::NOTHING } else { out }
    }

    /// This box; or where it shares no point with the other but a pixel, the whole pixels that it touches. A painter
    /// multiplies the coverage of a pixel, so where both cover some of one, it is painted.
    pub(super) fn meeting(self, other: Self) -> Self {
        let share = |a: Self, b: Self| !a.overlap(b).is_empty();
        let whole = self.round_out();
        let only_a_pixel = !share(self, other) && share(whole, other.round_out());
        if only_a_pixel && !self.is_empty() && !other.is_empty() { whole } else { self }
    }

    /// The points in both.
    fn overlap(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// The smallest box around both.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Moved outward by this much on every side. Nothing stays nothing.
    pub(super) fn inflate(self, by: f64) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    /// How far the farthest edge is from zero, of those that are anywhere.
    pub(super) fn farthest(&self) -> f64 {
        let edges = [self.x0, self.y0, self.x1, self.y1].map(f64::abs);
        edges.into_iter().filter(|edge| edge.is_finite()).fold(0.0, f64::max)
    }

    /// Moved outward by this much, but for edges that are whole already.
    pub(super) fn inflate_fractions(self, by: f64) -> Self {
        let moved = |edge: f64, by: f64| if edge.fract() == 0.0 { edge } else { edge + by };
        Self {
            x0: moved(self.x0, -by),
            y0: moved(self.y0, -by),
            x1: moved(self.x1, by),
            y1: moved(self.y1, by),
        }
    }

    /// The edges moved outward to whole pixels.
    pub(super) fn round_out(self) -> Self {
        Self { x0: self.x0.floor(), y0: self.y0.floor(), x1: self.x1.ceil(), y1: self.y1.ceil() }
    }

    /// The box around the transformed box.
    pub(super) fn transform(self, by: Affine) -> Self {
        if self == Self::NOTHING {
            return self;
        }
        let mut out = Self::NOTHING;
        for (x, y) in
            [(self.x0, self.y0), (self.x1, self.y0), (self.x0, self.y1), (self.x1, self.y1)]
        {
            out.add(by * Point::new(x, y));
        }
        out
    }

    /// The same box in `f32`, every edge rounded outward where it must be.
    pub(super) fn to_rect(self) -> Rect {
        Rect::new(down(self.x0), down(self.y0), up(self.x1), up(self.y1)).or_nothing()
    }
}

impl From<usvg::Rect> for Extent {
    fn from(rect: usvg::Rect) -> Self {
        let [x0, y0, x1, y1] =
            [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
        Self::new(x0, y0, x1, y1)
    }
}

/// The largest `f32` that is not above.
fn down(x: f64) -> f32 {
    let near = x.clamp(-f64::from(f32::MAX), f64::from(f32::MAX)) as f32;
    if f64::from(near) > x { near.next_down().max(-f32::MAX) } else { near }
}

/// The smallest `f32` that is not below.
fn up(x: f64) -> f32 {
    -down(-x)
}

/// A transform of usvg, in `f64`.
pub(super) fn affine(ts: usvg::Transform) -> Affine {
    Affine::new([ts.sx, ts.ky, ts.kx, ts.sy, ts.tx, ts.ty].map(f64::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_outward() {
        let third = Extent::new(1.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0, 1e60).to_rect();
        assert!(f64::from(third.x0) <= 1.0 / 3.0 && f64::from(third.x1) >= 2.0 / 3.0);
        assert!(f64::from(third.y0) <= -1.0 / 3.0);
        assert_eq!(third.y1, f32::MAX);
        assert_eq!(Extent::NOTHING.to_rect(), Rect::NOTHING);
        assert_eq!(Extent::EVERYTHING.to_rect(), Rect::EVERYTHING);
        assert_eq!(Extent::new(0.0, 0.0, 0.0, 5.0).to_rect(), Rect::NOTHING);
    }

    #[test]
    fn only_fractions_are_moved() {
        let nearly = Extent::new(-1.0, 0.25, 8.0, 9.75).inflate_fractions(0.25);
        assert_eq!(nearly, Extent::new(-1.0, 0.0, 8.0, 10.0));
        assert_eq!(Extent::EVERYTHING.inflate_fractions(0.25), Extent::EVERYTHING);
        assert_eq!(Extent::NOTHING.inflate_fractions(0.25), Extent::NOTHING);
    }

    #[test]
    fn boxes_that_share_a_pixel_meet_in_it() {
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
    fn what_is_not_finite_is_everywhere() {
        let mut extent = Extent::new(0.0, 0.0, 1.0, 1.0);
        extent.add(Point::new(f64::NAN, 0.0));
        assert_eq!(extent, Extent::EVERYTHING);
        assert_eq!(Extent::NOTHING.transform(Affine::scale(f64::INFINITY)), Extent::NOTHING);
    }
}
