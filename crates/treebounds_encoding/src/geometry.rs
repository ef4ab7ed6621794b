//! Boxes of curves and strokes.
//!
//! *Theory.* A curve is transformed first and measured second. Its box is found in device space, from its extrema and not
//! from its control points, so a rotated ellipse gets the box of the ellipse and not the box of a rotated box.
//!
//! A stroke is the trace of a round pen, cut off by caps and sharpened by joins. In device space the pen is an ellipse.
//! The stroke reaches its box at one of these places:
//!
//! ```text
//!   an end of a segment, half a width to either side     ─┬─  corner
//!   a point where the curve runs along the box's edge     ⌒   extremum
//!   the tip of a miter, the arc of a round join or cap    ◁   tip
//! ```
//!
//! *Practice.* All arithmetic is in `f64`; only the finished box is rounded to `f32`, outward. A box may be too large where
//! an exact answer would cost more (strokes wider than a bend, and dashes, which count as unbroken), but never too small.

#[cfg(any(feature = "canvas", feature = "vello"))]
mod stroke;
#[cfg(test)]
#[cfg(any(feature = "canvas", feature = "vello"))]
pub(crate) mod tests;

#[cfg(any(feature = "canvas", feature = "vello"))]
pub(crate) use stroke::stroke_extent;

use kurbo::{Affine, ParamCurve, ParamCurveExtrema, PathEl, PathSeg, Point};
use treebounds_core::{NotANumber, Rect};

/// Curves with coordinates beyond this are not measured, because the cubes of such numbers overflow.
const FAR: f64 = 1e100;

/// A box that grows point by point, in `f64`. It includes its edges.
///
/// A point without a place (NaN, the result of an overflow) makes it [`EVERYTHING`](Self::EVERYTHING): a box may be too
/// large, but never too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) x0: f64,
    pub(crate) y0: f64,
    pub(crate) x1: f64,
    pub(crate) y1: f64,
}

impl Extent {
    /// No point at all.
    pub(crate) const NOTHING: Self =
        Self { x0: f64::INFINITY, y0: f64::INFINITY, x1: f64::NEG_INFINITY, y1: f64::NEG_INFINITY };

    /// The whole plane.
    pub(crate) const EVERYTHING: Self =
        Self { x0: f64::NEG_INFINITY, y0: f64::NEG_INFINITY, x1: f64::INFINITY, y1: f64::INFINITY };

    /// The box with these edges.
    #[cfg(any(feature = "svg", test))]
    pub(crate) fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Self {
        let mut out = Self::NOTHING;
        out.add(Point::new(x0, y0));
        out.add(Point::new(x1, y1));
        out
    }

    /// Grows to hold the point.
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

    /// Grows to hold a line or a curve.
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

    /// Grows to hold a curve with these control points, whose ends it holds already.
    fn add_extrema(&mut self, curve: &impl ParamCurveExtrema, points: &[Point]) {
        if points.iter().all(|point| self.holds(*point)) {
            return; // The curve lies inside the hull of its control points.
        }
        if points.iter().any(|p| !(p.x.abs() < FAR && p.y.abs() < FAR)) {
            *self = Self::EVERYTHING;
            return;
        }
        for t in curve.extrema() {
            self.add(curve.eval(t));
        }
    }

    fn holds(&self, point: Point) -> bool {
        self.x0 <= point.x && point.x <= self.x1 && self.y0 <= point.y && point.y <= self.y1
    }

    /// The smallest box around both.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The box with its edges moved outward by `x` and `y`. Nothing stays nothing.
    pub(crate) fn inflate(self, x: f64, y: f64) -> Self {
        let mut out = self;
        if self != Self::NOTHING {
            out.add(Point::new(self.x0 - x, self.y0 - y));
            out.add(Point::new(self.x1 + x, self.y1 + y));
        }
        out
    }

    /// The smallest box of `f32` around this one; [`Rect::NOTHING`] where it has no area.
    #[cfg(feature = "svg")]
    pub(crate) fn to_rect(self) -> Rect {
        self.round(0.0)
    }

    /// The same, except that an edge may cut off the rounding noise of `f64`: a quarter turn leaves 10 at
    /// 10.000000000000002, and no pixel shows the difference.
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

/// The largest `f32` that is not above `value` by more than the noise, a fraction of it.
fn round_down(value: f64, noise: f64) -> f32 {
    let slack = noise * value.abs().max(1.0);
    let slack = if slack.is_finite() { slack } else { 0.0 };
    if value.abs() <= slack {
        return 0.0;
    }
    let nearest = value as f32;
    if f64::from(nearest) > value + slack { nearest.next_down() } else { nearest }
}

/// The box of the area inside a path, under any fill rule: the outline decides the box.
///
/// # Errors
/// A coordinate of the path or of the transform is NaN.
pub(crate) fn fill_extent(
    path: impl IntoIterator<Item = PathEl>,
    transform: Affine,
) -> Result<Extent, NotANumber> {
    let mut extent = Extent::NOTHING;
    walk(path, transform, |step| {
        if let Step::Segment(segment) = step {
            extent.add_segment(transform * segment);
        }
    })?;
    Ok(extent)
}

/// The exact box of a disc, which the transform may make an ellipse.
///
/// # Errors
/// A coordinate of the circle or of the transform is NaN.
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

/// How far a blur with this deviation reaches, in pixels: three deviations, or the three boxes that painters use instead.
#[cfg(any(feature = "canvas", feature = "svg"))]
pub(crate) fn blur_reach(deviation: f64) -> f64 {
    if deviation == 0.0 {
        return 0.0;
    }
    let width = (deviation * 3.0 * std::f64::consts::TAU.sqrt() / 4.0 + 0.5).floor();
    (3.0 * deviation).max(1.5 * width)
}

/// One step along a path.
enum Step {
    /// A subpath starts here.
    #[cfg_attr(not(any(feature = "canvas", feature = "vello")), allow(dead_code))]
    Move(Point),
    /// A line or a curve.
    Segment(PathSeg),
    /// The subpath is closed; the line back to its start was a segment.
    Close,
}

/// Calls `visit` for every step of the path, including the lines that close subpaths. A path that does not start with a
/// move starts at its first end point.
fn walk(
    path: impl IntoIterator<Item = PathEl>,
    transform: Affine,
    mut visit: impl FnMut(Step),
) -> Result<(), NotANumber> {
    if transform.is_nan() {
        return Err(NotANumber);
    }
    let mut start = None;
    let mut last = Point::ZERO;
    for el in path {
        if el.is_nan() {
            return Err(NotANumber);
        }
        let Some(first) = start else {
            last = el.end_point().unwrap_or(last);
            start = el.end_point();
            start.into_iter().for_each(|point| visit(Step::Move(point)));
            continue;
        };
        match segment_of(last, first, el) {
            Some(segment) => visit(Step::Segment(segment)),
            None => start = el.end_point(),
        }
        last = el.end_point().unwrap_or(first);
        match el {
            PathEl::MoveTo(point) => visit(Step::Move(point)),
            PathEl::ClosePath => visit(Step::Close),
            _ => {}
        }
    }
    Ok(())
}

/// The segment that this element draws, if it draws one.
fn segment_of(last: Point, first: Point, el: PathEl) -> Option<PathSeg> {
    Some(match el {
        PathEl::MoveTo(_) => return None,
        PathEl::LineTo(p1) => PathSeg::Line(kurbo::Line::new(last, p1)),
        PathEl::QuadTo(p1, p2) => PathSeg::Quad(kurbo::QuadBez::new(last, p1, p2)),
        PathEl::CurveTo(p1, p2, p3) => PathSeg::Cubic(kurbo::CubicBez::new(last, p1, p2, p3)),
        PathEl::ClosePath => PathSeg::Line(kurbo::Line::new(last, first)),
    })
}
