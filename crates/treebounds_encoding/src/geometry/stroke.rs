//! Boxes of strokes.
//!
//! A [`Stroker`] follows a path and passes every segment, join and cap to a round [`Pen`].
//!
//! *Theory.* Along a direction `g`, a pen of radius `r` at the point `p(t)` with normal `n(t)` reaches `p·g + r |n·g|`.
//! While the curvature is below `1/r`, the offset curves run in the direction of the curve and reach farthest where the
//! curve does: at its extrema or at its ends. In a tighter bend, the inner offset curve turns back on itself and may
//! reach farthest at the cusp.
//!
//! *Practice.* Extrema are computed exactly; cusps are not computed. A piece of the curve that provably has no cusp is
//! measured exactly. Any other piece is halved a few times, and the remainder is bounded by its box, widened by all
//! normals that it can have.

use super::extent::{Extent, FAR};
use super::fill::{Step, fill_extent, walk};
use kurbo::{
    Affine, Cap, CubicBez, Join, ParamCurve, ParamCurveDeriv, ParamCurveExtrema, PathEl, PathSeg,
    Point, Stroke, Vec2,
};
use treebounds_core::NotANumber;
use treebounds_core::footprint::pen_reach;

/// Returns the box of a path's stroke. The stroke is outlined before the transform is applied.
///
/// A dashed stroke counts as solid. Dash caps may stick out anywhere along the path and in any direction, and widen the
/// box accordingly.
///
/// # Errors
/// Fails if a coordinate of the path, the transform or the style is NaN.
pub(crate) fn stroke_extent(
    path: impl IntoIterator<Item = PathEl> + Clone,
    style: &Stroke,
    transform: Affine,
) -> Result<Extent, NotANumber> {
    if style.width.is_nan() || style.miter_limit.is_nan() {
        return Err(NotANumber);
    }
    let pen = Pen { transform, radius: style.width.abs() / 2.0 };
    let mut stroker = Stroker::new(pen, style);
    walk(path.clone(), transform, |step| stroker.step(step))?;
    stroker.finish_open();
    if pen.radius == 0.0 {
        return Ok(Extent::NOTHING);
    }
    let Some(reach) = dash_caps_reach(style) else { return Ok(stroker.extent) };
    let reach = reach * pen.reach();
    Ok(stroker.extent.union(fill_extent(path, transform)?.inflate(reach.x, reach.y)))
}

/// The reach of dash caps, in radii of the pen.
fn dash_caps_reach(style: &Stroke) -> Option<f64> {
    let caps = [style.start_cap, style.end_cap];
    let stick_out = !style.dash_pattern.is_empty() && caps != [Cap::Butt; 2];
    stick_out.then(|| pen_reach(None, caps.contains(&Cap::Square)))
}

struct Stroker<'a> {
    pen: Pen,
    style: &'a Stroke,
    extent: Extent,
    start: Point,
    /// The first and the last direction of the subpath, if any.
    tangents: Option<(Vec2, Vec2)>,
    /// The current point of the subpath.
    last: Point,
    /// Whether anything was drawn, even of zero length.
    touched: bool,
}

impl<'a> Stroker<'a> {
    fn new(pen: Pen, style: &'a Stroke) -> Self {
        let (start, last) = (Point::ZERO, Point::ZERO);
        Self { pen, style, extent: Extent::NOTHING, start, last, tangents: None, touched: false }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Move(point) => {
                self.finish_open();
                self.start_at(point);
            }
            Step::Segment(segment) => self.segment(segment),
            Step::Close => self.finish_closed(),
        }
    }

    fn start_at(&mut self, point: Point) {
        (self.start, self.last) = (point, point);
        self.tangents = None;
        self.touched = false;
    }

    fn segment(&mut self, segment: PathSeg) {
        self.touched = true;
        let Some((first, last)) = end_tangents(segment) else { return };
        if !cannot_overflow(segment) {
            self.extent = Extent::EVERYTHING;
            return;
        }
        if let Some((_, before)) = self.tangents {
            self.join(self.last, before, first);
        }
        self.pen.add_across(&mut self.extent, segment.start(), first);
        self.pen.add_across(&mut self.extent, segment.end(), last);
        self.pen.add_segment(&mut self.extent, segment);
        let start = self.tangents.map_or(first, |(start, _)| start);
        self.tangents = Some((start, last));
        self.last = segment.end();
    }

    /// Adds both caps of an open subpath.
    fn finish_open(&mut self) {
        match self.tangents {
            Some((first, last)) => {
                self.cap(self.start, -first, self.style.start_cap);
                self.cap(self.last, last, self.style.end_cap);
            }
            None if self.touched => self.dot(),
            None => {}
        }
        self.start_at(self.start);
    }

    /// Adds the join of a closed subpath.
    fn finish_closed(&mut self) {
        match self.tangents {
            Some((first, last)) => self.join(self.start, last, first),
            None => self.dot(),
        }
        self.start_at(self.start);
    }

    /// Adds the caps of a zero-length subpath. Some renderers paint them, others paint nothing.
    fn dot(&mut self) {
        for cap in [self.style.start_cap, self.style.end_cap] {
            for direction in [Vec2::new(1.0, 0.0), Vec2::new(-1.0, 0.0)] {
                self.cap(self.start, direction, cap);
            }
        }
    }

    /// Adds a cap at `point` in the direction `outward`. A butt cap adds nothing.
    fn cap(&mut self, point: Point, outward: Vec2, cap: Cap) {
        let ahead = outward * (self.pen.radius / outward.hypot());
        match cap {
            Cap::Butt => {}
            Cap::Square => self.pen.add_across(&mut self.extent, point + ahead, outward),
            Cap::Round => self.arc(point, |direction| direction.dot(outward) >= 0.0),
        }
    }

    /// Adds the join at `point` between two directions. A bevel adds nothing.
    fn join(&mut self, point: Point, before: Vec2, after: Vec2) {
        match self.style.join {
            Join::Bevel => {}
            Join::Miter => self.miter(point, before, after),
            Join::Round => {
                let [from, to] = outer_normals(before, after);
                let reversal = before.dot(after) < 0.0
                    && before.cross(after).abs() < 1e-3 * before.hypot() * after.hypot();
                self.arc(point, |direction| reversal || is_between(direction, from, to));
            }
        }
    }

    /// Adds the tip of a miter, unless it exceeds the miter limit. The comparison has some slack, because renderers
    /// that compare in `f32` may draw miters slightly beyond the limit.
    fn miter(&mut self, point: Point, before: Vec2, after: Vec2) {
        let (before, after) = (before / before.hypot(), after / after.hypot());
        let open = 1.0 + before.dot(after);
        if 2.0 > open * self.style.miter_limit.powi(2) * 1.001 || before == -after {
            return;
        }
        let [first, second] = outer_normals(before, after);
        let tip = point + (first + second) * (self.pen.radius / open);
        self.extent.add(self.pen.transform * tip);
    }

    /// Adds the points on the arc where the pen touches its box.
    fn arc(&mut self, point: Point, on_arc: impl Fn(Vec2) -> bool) {
        for axis in self.pen.axes() {
            let axis = axis / axis.hypot();
            for direction in [axis, -axis] {
                if direction.is_finite() && on_arc(direction) {
                    let touch = point + self.pen.radius * direction;
                    self.extent.add(self.pen.transform * touch);
                }
            }
        }
    }
}

/// The unit normals of two directions, on the outside of the turn between them.
fn outer_normals(before: Vec2, after: Vec2) -> [Vec2; 2] {
    let side = if before.cross(after) > 0.0 { -1.0 } else { 1.0 };
    [before, after].map(|way| side * Vec2::new(-way.y, way.x) / way.hypot())
}

/// Whether a direction is on the shorter arc between two others.
fn is_between(direction: Vec2, from: Vec2, to: Vec2) -> bool {
    let turn = from.cross(to).signum();
    let noise = -1e-9;
    turn * from.cross(direction) >= noise
        && turn * direction.cross(to) >= noise
        && direction.dot(from + to) > 0.0
}

/// The directions at the ends of a segment; `None` if its length is zero.
fn end_tangents(segment: PathSeg) -> Option<(Vec2, Vec2)> {
    let inner = match segment {
        PathSeg::Line(_) => [segment.start(), segment.end()],
        PathSeg::Quad(quad) => [quad.p1; 2],
        PathSeg::Cubic(cubic) => [cubic.p1, cubic.p2],
    };
    let (start, end) = (segment.start(), segment.end());
    let first = [inner[0], inner[1], end].into_iter().find(|p| *p != start)?;
    let last = [inner[1], inner[0], start].into_iter().find(|p| *p != end)?;
    Some((first - start, end - last))
}

/// Whether no product of the coordinates overflows.
fn cannot_overflow(segment: PathSeg) -> bool {
    let CubicBez { p0, p1, p2, p3 } = segment.to_cubic();
    [p0, p1, p2, p3].iter().all(|p| p.x.abs() < FAR && p.y.abs() < FAR)
}

/// A round pen, viewed through a transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) transform: Affine,
    pub(super) radius: f64,
}

/// The maximum number of times to halve a curve that bends too much for an exact measurement.
const HALVINGS: u32 = 4;

impl Pen {
    /// The two directions, before the transform, that become the axes of the box: `g·p` is the coordinate of a point
    /// `p` along the axis.
    pub(super) fn axes(&self) -> [Vec2; 2] {
        let [a, b, c, d, ..] = self.transform.as_coeffs();
        [Vec2::new(a, c), Vec2::new(b, d)]
    }

    /// Half the width and height of the pen's box.
    pub(super) fn reach(&self) -> Vec2 {
        let [x, y] = self.axes().map(|axis| axis.hypot() * self.radius);
        Vec2::new(x, y)
    }

    /// Adds both ends of the pen's diameter across this direction.
    pub(super) fn add_across(&self, extent: &mut Extent, point: Point, tangent: Vec2) {
        let normal = self.normal(tangent);
        extent.add(self.transform * (point + normal));
        extent.add(self.transform * (point - normal));
    }

    /// The pen's radius to the left of this direction.
    pub(super) fn normal(&self, tangent: Vec2) -> Vec2 {
        let unit = tangent / tangent.hypot();
        self.radius * Vec2::new(-unit.y, unit.x)
    }

    /// Adds the sweep of the pen along a segment, cut off straight at both ends.
    pub(super) fn add_segment(&self, extent: &mut Extent, segment: PathSeg) {
        match segment {
            PathSeg::Line(line) => {
                self.add_across(extent, line.p0, line.p1 - line.p0);
                self.add_across(extent, line.p1, line.p1 - line.p0);
            }
            curve => self.add_curve(extent, curve.to_cubic(), HALVINGS),
        }
    }

    fn add_curve(&self, extent: &mut Extent, curve: CubicBez, halvings: u32) {
        let tangents = Hodograph::of(&curve);
        if tangents.bends_less_than(self.radius) {
            self.add_gentle(extent, curve, &tangents);
        } else if halvings > 0 {
            let (first, second) = curve.subdivide();
            self.add_curve(extent, first, halvings - 1);
            self.add_curve(extent, second, halvings - 1);
        } else {
            self.add_around(extent, curve, &tangents);
        }
    }

    /// Adds a curve whose curvature is below the pen's. The result is exact.
    fn add_gentle(&self, extent: &mut Extent, curve: CubicBez, tangents: &Hodograph) {
        self.add_across(extent, curve.p0, tangents.0[0]);
        self.add_across(extent, curve.p3, tangents.0[2]);
        let derivative = curve.deriv();
        for t in (self.transform * curve).extrema() {
            self.add_across(extent, curve.eval(t), derivative.eval(t).to_vec2());
        }
    }

    /// Adds any curve by its box, widened by all normals that it can have.
    fn add_around(&self, extent: &mut Extent, curve: CubicBez, tangents: &Hodograph) {
        let [x, y] = self.axes().map(|axis| self.radius * tangents.widest(axis));
        let mut around = Extent::NOTHING;
        around.add_segment(PathSeg::Cubic(self.transform * curve));
        *extent = extent.union(around.inflate(x, y));
    }
}

/// The hodograph of a cubic: every tangent is a weighted mean of these three directions.
struct Hodograph([Vec2; 3]);

impl Hodograph {
    fn of(curve: &CubicBez) -> Self {
        let CubicBez { p0, p1, p2, p3 } = *curve;
        Self([p1 - p0, p2 - p1, p3 - p2].map(|side| 3.0 * side))
    }

    /// A lower bound on the speed along the chord, and thus on the speed. Not positive if the tangents may span half a
    /// turn.
    fn least_speed(&self) -> f64 {
        let [a, b, c] = self.0;
        let chord = a + b + c;
        if chord == Vec2::ZERO {
            return 0.0;
        }
        let along = self.0.map(|tangent| tangent.dot(chord) / chord.hypot());
        along.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Whether the curvature is provably below `1/radius`. It is at most the acceleration divided by the square of the
    /// speed.
    fn bends_less_than(&self, radius: f64) -> bool {
        let [a, b, c] = self.0;
        let acceleration = 2.0 * (b - a).hypot().max((c - b).hypot());
        let speed = self.least_speed();
        speed > 0.0 && radius * acceleration < speed * speed
    }

    /// An upper bound on the component of a unit normal along the axis.
    fn widest(&self, axis: Vec2) -> f64 {
        let along = self.0.map(|tangent| tangent.dot(axis));
        let turns = along.iter().any(|v| *v >= 0.0) && along.iter().any(|v| *v <= 0.0);
        if turns || self.least_speed() <= 0.0 {
            return axis.hypot();
        }
        let across = self.0.map(|tangent| tangent.cross(axis).abs() / tangent.hypot());
        across.into_iter().fold(0.0, f64::max)
    }
}
