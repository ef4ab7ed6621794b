//! How far a pen reaches that is drawn along a curve.
//!
//! *Theory.* Seen from one side, along a direction `g`, the pen at the point
//! `p(t)` with normal `n(t)` reaches `p·g + r |n·g|`. While the curve bends less
//! than the pen is round (curvature below `1/r`), the offset curves run the same
//! way as the curve, and reach farthest where the curve does: at its extrema or
//! at its ends. Where it bends more, the inner offset curve turns back on
//! itself, and may reach farthest at the cusp where it turns.
//!
//! *Practice.* Extrema are found exactly; cusps are not looked for. A piece of
//! the curve that provably has none is measured exactly. Any other is halved a
//! few times, and what is left is bounded by its box, widened by the normals that
//! it can have.

use super::Extent;
use kurbo::{
    Affine, CubicBez, ParamCurve, ParamCurveDeriv, ParamCurveExtrema, PathSeg, Point, Vec2,
};

/// A round pen of this radius, seen through this transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) transform: Affine,
    pub(super) radius: f64,
}

/// How often a curve is halved that bends too much to be measured exactly.
const HALVINGS: u32 = 4;

impl Pen {
    /// The two directions, before the transform, that become the axes of the
    /// box: `g·p` is how far a point `p` is along that axis.
    pub(super) fn axes(&self) -> [Vec2; 2] {
        let [a, b, c, d, ..] = self.transform.as_coeffs();
        [Vec2::new(a, c), Vec2::new(b, d)]
    }

    /// Half the width and height of the box of the pen.
    pub(super) fn reach(&self) -> Vec2 {
        let [x, y] = self.axes().map(|axis| axis.hypot() * self.radius);
        Vec2::new(x, y)
    }

    /// Both ends of the pen's diameter across this direction.
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

    /// Adds the pen drawn along a segment, cut off straight at both ends.
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

    /// A curve that bends less than the pen is round: exact.
    fn add_gentle(&self, extent: &mut Extent, curve: CubicBez, tangents: &Hodograph) {
        self.add_across(extent, curve.p0, tangents.0[0]);
        self.add_across(extent, curve.p3, tangents.0[2]);
        let derivative = curve.deriv();
        for t in (self.transform * curve).extrema() {
            self.add_across(extent, curve.eval(t), derivative.eval(t).to_vec2());
        }
    }

    /// Any curve: its box, widened by the normals it can have.
    fn add_around(&self, extent: &mut Extent, curve: CubicBez, tangents: &Hodograph) {
        let [x, y] = self.axes().map(|axis| self.radius * tangents.widest(axis));
        let mut around = Extent::EMPTY;
        around.add_segment(PathSeg::Cubic(self.transform * curve));
        around.inflate(x, y);
        extent.union(around);
    }
}

/// The directions in which a cubic runs: every tangent is a mean of these three.
struct Hodograph([Vec2; 3]);

impl Hodograph {
    fn of(curve: &CubicBez) -> Self {
        let CubicBez { p0, p1, p2, p3 } = *curve;
        Self([p1 - p0, p2 - p1, p3 - p2].map(|side| 3.0 * side))
    }

    /// The least speed along the chord, a lower bound of the speed; not positive
    /// where the tangents may span half a turn.
    fn least_speed(&self) -> f64 {
        let [a, b, c] = self.0;
        let chord = a + b + c;
        if chord == Vec2::ZERO {
            return 0.0;
        }
        let along = self.0.map(|tangent| tangent.dot(chord) / chord.hypot());
        along.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Whether the curvature, at most the acceleration by the square of the
    /// speed, is provably below one by the radius.
    fn bends_less_than(&self, radius: f64) -> bool {
        let [a, b, c] = self.0;
        let acceleration = 2.0 * (b - a).hypot().max((c - b).hypot());
        let speed = self.least_speed();
        speed > 0.0 && radius * acceleration < speed * speed
    }

    /// At most this much of a unit normal points along the axis.
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
