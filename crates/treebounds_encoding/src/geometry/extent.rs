//! A bounding box under construction.

use kurbo::{ParamCurve, ParamCurveExtrema, PathSeg, Point};
use treebounds_core::Rect;

/// The coordinate limit for measuring curves. The cubes of larger numbers overflow.
pub(super) const FAR: f64 = 1e100;

/// A box in `f64` that grows point by point and includes its edges.
///
/// A `kurbo::Rect` can represent neither an empty box nor the whole plane, which clips and masks need, and it loses
/// NaN.
///
/// A NaN coordinate, the result of an overflow, turns the box into [`EVERYTHING`](Self::EVERYTHING): a box may be too
/// large, but never too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) x0: f64,
    pub(crate) y0: f64,
    pub(crate) x1: f64,
    pub(crate) y1: f64,
}

impl Extent {
    /// The empty set.
    pub(crate) const NOTHING: Self =
        Self { x0: f64::INFINITY, y0: f64::INFINITY, x1: f64::NEG_INFINITY, y1: f64::NEG_INFINITY };

    /// The whole plane.
    pub(crate) const EVERYTHING: Self =
        Self { x0: f64::NEG_INFINITY, y0: f64::NEG_INFINITY, x1: f64::INFINITY, y1: f64::INFINITY };

    #[cfg(any(feature = "svg", test))]
    pub(crate) fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Self {
        let mut out = Self::NOTHING;
        out.add(Point::new(x0, y0));
        out.add(Point::new(x1, y1));
        out
    }

    /// Grows to contain the point.
    pub(crate) fn add(&mut self, point: Point) {
        if point.is_nan() {
            *self = Self::EVERYTHING;
            return;
        }
        self.x0 = self.x0.min(point.x);
        self.y0 = self.y0.min(point.y);
        self.x1 = self.x1.max(point.x);
        self.y1 = self.y1.max(point.y);
    }

    pub(crate) fn add_segment(&mut self, segment: PathSeg) {
        self.add(segment.start());
        self.add(segment.end());
        match segment {
            PathSeg::Line(_) => {}
            PathSeg::Quad(quad) => self.add_extrema(&quad, &[quad.p0, quad.p1, quad.p2]),
            PathSeg::Cubic(cubic) => {
                self.add_extrema(&cubic, &[cubic.p0, cubic.p1, cubic.p2, cubic.p3]);
            }
        }
    }

    /// Grows to contain a curve with these control points. Requires that the box contains the end points.
    fn add_extrema(&mut self, curve: &impl ParamCurveExtrema, points: &[Point]) {
        if points.iter().all(|point| self.contains(*point)) {
            return; // The curve is inside the hull of its control points.
        }
        if points.iter().any(|p| !(p.x.abs() < FAR && p.y.abs() < FAR)) {
            *self = Self::EVERYTHING;
            return;
        }
        for t in curve.extrema() {
            self.add(curve.eval(t));
        }
    }

    fn contains(&self, point: Point) -> bool {
        self.x0 <= point.x && point.x <= self.x1 && self.y0 <= point.y && point.y <= self.y1
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Moves the edges outward by `x` and `y`. An empty box stays empty.
    pub(crate) fn inflate(self, x: f64, y: f64) -> Self {
        let mut out = self;
        if self != Self::NOTHING {
            out.add(Point::new(self.x0 - x, self.y0 - y));
            out.add(Point::new(self.x1 + x, self.y1 + y));
        }
        out
    }

    /// Returns the smallest `f32` box around this one; [`Rect::NOTHING`] if it has no area.
    #[cfg(feature = "svg")]
    pub(crate) fn to_rect(self) -> Rect {
        self.round(0.0)
    }

    /// Returns the smallest `f32` box around this one, but allows an edge to cut off the rounding noise of `f64`. For
    /// example, a quarter turn leaves 10 at 10.000000000000002, and no pixel shows the difference.
    #[cfg(any(feature = "canvas", feature = "vello"))]
    pub(crate) fn to_rect_without_noise(self) -> Rect {
        self.round(1.0 / (1_u64 << 42) as f64)
    }

    fn round(self, noise: f64) -> Rect {
        let [x0, y0] = [self.x0, self.y0].map(|edge| round_down(edge, noise));
        let [x1, y1] = [self.x1, self.y1].map(|edge| -round_down(-edge, noise));
        Rect::new(x0, y0, x1, y1).canonical().unwrap_or(Rect::EVERYTHING)
    }
}

/// Returns the largest `f32` that exceeds `value` by at most `noise`, relative to `value`.
fn round_down(value: f64, noise: f64) -> f32 {
    let slack = noise * value.abs().max(1.0);
    let slack = if slack.is_finite() { slack } else { 0.0 };
    if value.abs() <= slack {
        return 0.0;
    }
    let nearest = value as f32;
    if f64::from(nearest) > value + slack { nearest.next_down() } else { nearest }
}
