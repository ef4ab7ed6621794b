//! How far something reaches.

use kurbo::{ParamCurveExtrema, PathSeg, Point};
use treebounds_core::Rect;

/// A box that grows, in `f64`. It includes its edges, so a single point or a
/// level line has an extent, though no area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    low: Point,
    high: Point,
    /// Something was added whose place overflowed: it may be anywhere.
    unbounded: bool,
}

/// Coordinates past this are not followed along curves: their cubes would
/// overflow.
pub(super) const FAR: f64 = 1e100;

impl Extent {
    /// The extent of nothing.
    pub(crate) const EMPTY: Self = Self {
        low: Point::new(f64::INFINITY, f64::INFINITY),
        high: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
        unbounded: false,
    };

    /// The extent of what may be anywhere.
    pub(crate) const EVERYTHING: Self = Self { unbounded: true, ..Self::EMPTY };

    /// Grows by a point. A coordinate that is NaN has overflowed on the way here
    /// (callers refuse NaN in what they are given).
    pub(crate) fn add(&mut self, point: Point) {
        self.unbounded |= point.is_nan();
        self.low = Point::new(self.low.x.min(point.x), self.low.y.min(point.y));
        self.high = Point::new(self.high.x.max(point.x), self.high.y.max(point.y));
    }

    /// Grows by another extent.
    pub(crate) fn union(&mut self, other: Self) {
        self.unbounded |= other.unbounded;
        if !other.is_empty() {
            self.add(other.low);
            self.add(other.high);
        }
    }

    /// Grows by a line or a curve, as far as its extrema.
    pub(crate) fn add_segment(&mut self, segment: PathSeg) {
        match segment {
            PathSeg::Line(line) => {
                self.add(line.p0);
                self.add(line.p1);
            }
            PathSeg::Quad(quad) => self.add_curve(&quad, &[quad.p0, quad.p1, quad.p2]),
            PathSeg::Cubic(cubic) => {
                self.add_curve(&cubic, &[cubic.p0, cubic.p1, cubic.p2, cubic.p3]);
            }
        }
    }

    fn add_curve(&mut self, curve: &impl ParamCurveExtrema, points: &[Point]) {
        if points.iter().any(|p| !(p.x.abs() < FAR && p.y.abs() < FAR)) {
            self.unbounded = true;
            return;
        }
        let bounds = curve.bounding_box();
        self.add(bounds.origin());
        self.add(Point::new(bounds.x1, bounds.y1));
    }

    /// Grows by as much on every side; what is empty stays empty.
    pub(crate) fn inflate(&mut self, x: f64, y: f64) {
        if !self.is_empty() {
            self.add(Point::new(self.low.x - x, self.low.y - y));
            self.add(Point::new(self.high.x + x, self.high.y + y));
        }
    }

    /// Whether nothing was added yet.
    pub(crate) fn is_empty(&self) -> bool {
        !(self.low.x <= self.high.x && self.low.y <= self.high.y)
    }

    /// The smallest box of `f32` around it; without area, [`Rect::NOTHING`].
    pub(crate) fn rect(&self) -> Rect {
        if self.unbounded {
            return Rect::EVERYTHING;
        }
        let [x0, y0] = [self.low.x, self.low.y].map(round_down);
        let [x1, y1] = [self.high.x, self.high.y].map(|v| -round_down(-v));
        Rect::new(x0, y0, x1, y1).canonical().unwrap_or(Rect::EVERYTHING)
    }
}

/// The largest `f32` that is not above `value`, give or take the rounding noise
/// of `f64`: a quarter turn leaves 10 at 10.000000000000002, and no pixel shows.
fn round_down(value: f64) -> f32 {
    const NOISE: f64 = 1.0 / (1_u64 << 42) as f64;
    let slack = NOISE * value.abs().max(1.0);
    if slack.is_finite() && value.abs() <= slack {
        return 0.0;
    }
    let nearest = value as f32;
    if f64::from(nearest) > value + slack { nearest.next_down() } else { nearest }
}

impl From<kurbo::Rect> for Extent {
    fn from(rect: kurbo::Rect) -> Self {
        let mut extent = Self::EMPTY;
        extent.add(rect.origin());
        extent.add(Point::new(rect.x1, rect.y1));
        extent
    }
}
