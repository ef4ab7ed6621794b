//! How far a stroke reaches.

use super::offset::Pen;
use super::{Extent, FAR, Step, fill_extent, walk};
use kurbo::{Affine, Cap, CubicBez, Join, ParamCurve, PathEl, PathSeg, Point, Stroke, Vec2};
use std::f64::consts::SQRT_2;
use treebounds_core::NotANumber;

/// How far the stroke of this path reaches; the stroke is made before the
/// transform is applied.
///
/// A dashed stroke is taken as unbroken. Where its dashes have caps, those may
/// stick out anywhere along the path, in any direction, and the box is widened
/// by that much.
///
/// # Errors
/// A coordinate of the path, the transform or the style is NaN.
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
        return Ok(Extent::EMPTY);
    }
    let mut extent = stroker.extent;
    if let Some(reach) = dash_caps_reach(style) {
        let mut dashes = fill_extent(path, transform)?;
        dashes.inflate(reach * pen.reach().x, reach * pen.reach().y);
        extent.union(dashes);
    }
    Ok(extent)
}

/// How many pen radii the caps of dashes can stick out, if there are any.
fn dash_caps_reach(style: &Stroke) -> Option<f64> {
    let caps = [style.start_cap, style.end_cap];
    if style.dash_pattern.is_empty() {
        None
    } else if caps.contains(&Cap::Square) {
        Some(SQRT_2)
    } else if caps.contains(&Cap::Round) {
        Some(1.0)
    } else {
        None
    }
}

/// Follows a path and keeps the extent of its stroke.
struct Stroker<'a> {
    pen: Pen,
    style: &'a Stroke,
    extent: Extent,
    /// Where the subpath started.
    start: Point,
    /// The first and the last direction of the subpath, once it has any.
    tangents: Option<(Vec2, Vec2)>,
    /// Where the subpath is now.
    last: Point,
    /// Something was drawn, though it may have had no length.
    touched: bool,
}

impl<'a> Stroker<'a> {
    fn new(pen: Pen, style: &'a Stroke) -> Self {
        let (start, last) = (Point::ZERO, Point::ZERO);
        Self { pen, style, extent: Extent::EMPTY, start, last, tangents: None, touched: false }
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
        if !is_tame(segment) {
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

    /// The subpath ends where it is: caps at both ends.
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

    /// The subpath has come back to its start: a join instead of caps.
    fn finish_closed(&mut self) {
        match self.tangents {
            Some((first, last)) => self.join(self.start, last, first),
            None => self.dot(),
        }
        self.start_at(self.start);
    }

    /// A subpath without length: some renderers paint its caps, some nothing.
    fn dot(&mut self) {
        for cap in [self.style.start_cap, self.style.end_cap] {
            for direction in [Vec2::new(1.0, 0.0), Vec2::new(-1.0, 0.0)] {
                self.cap(self.start, direction, cap);
            }
        }
    }

    /// A cap at `point` that faces `outward`. A butt cap adds nothing.
    fn cap(&mut self, point: Point, outward: Vec2, cap: Cap) {
        let ahead = outward * (self.pen.radius / outward.hypot());
        match cap {
            Cap::Butt => {}
            Cap::Square => self.pen.add_across(&mut self.extent, point + ahead, outward),
            Cap::Round => self.arc(point, |direction| direction.dot(outward) >= 0.0),
        }
    }

    /// The join at `point` between two directions. A bevel adds nothing.
    fn join(&mut self, point: Point, before: Vec2, after: Vec2) {
        match self.style.join {
            Join::Bevel => {}
            Join::Miter => self.miter(point, before, after),
            Join::Round => {
                let (from, to) = (outer(before, after), outer_of_second(before, after));
                let reversal = before.dot(after) < 0.0
                    && before.cross(after).abs() < 1e-3 * before.hypot() * after.hypot();
                self.arc(point, |direction| reversal || is_between(direction, from, to));
            }
        }
    }

    /// The tip of a miter, unless it is longer than its limit. The comparison
    /// has slack: renderers that compare in `f32` may draw it a little past.
    fn miter(&mut self, point: Point, before: Vec2, after: Vec2) {
        let (before, after) = (before / before.hypot(), after / after.hypot());
        let open = 1.0 + before.dot(after);
        if 2.0 > open * self.style.miter_limit.powi(2) * 1.001 || before == -after {
            return;
        }
        let side = outer(before, after) + outer_of_second(before, after);
        self.extent.add(self.pen.transform * (point + side * (self.pen.radius / open)));
    }

    /// The points where the pen touches its box, as far as they are on the arc.
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

/// The unit normal of the first direction, on the outside of the turn.
fn outer(before: Vec2, after: Vec2) -> Vec2 {
    let side = if before.cross(after) > 0.0 { -1.0 } else { 1.0 };
    side * Vec2::new(-before.y, before.x) / before.hypot()
}

/// The unit normal of the second direction, on the outside of the turn.
fn outer_of_second(before: Vec2, after: Vec2) -> Vec2 {
    let side = if before.cross(after) > 0.0 { -1.0 } else { 1.0 };
    side * Vec2::new(-after.y, after.x) / after.hypot()
}

/// Whether a direction lies on the shorter arc between two others.
fn is_between(direction: Vec2, from: Vec2, to: Vec2) -> bool {
    let turn = from.cross(to).signum();
    let noise = -1e-9;
    turn * from.cross(direction) >= noise
        && turn * direction.cross(to) >= noise
        && direction.dot(from + to) > 0.0
}

/// The directions at the ends of a segment, or `None` where it has no length.
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

/// Whether products of the coordinates do not overflow.
fn is_tame(segment: PathSeg) -> bool {
    let CubicBez { p0, p1, p2, p3 } = segment.to_cubic();
    [p0, p1, p2, p3].iter().all(|p| p.x.abs() < FAR && p.y.abs() < FAR)
}
