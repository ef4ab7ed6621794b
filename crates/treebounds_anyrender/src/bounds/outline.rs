//! Transformed paths: rectangle detection and touched pixels.

use crate::bounds::pixels::Pixels;
use kurbo::{Affine, BezPath, PathEl, Point, Rect, Vec2};

/// The maximum distance of a flattened curve from the true one, in pixels.
pub(crate) const SLACK: f64 = 0.5;

/// The maximum rounding error of a coordinate as `f32`, per pixel of distance from the origin.
const FLOAT: f64 = 1.0 / (1 << 24) as f64;

/// Beyond this, a coordinate stored as `f32` no longer identifies a pixel.
pub(crate) const UNCERTAIN: f64 = 1e6;

/// Whether the transform keeps the sides of a rectangle parallel to the axes.
#[inline]
pub(crate) fn keeps_axes(transform: Affine) -> bool {
    let [a, b, c, d, ..] = transform.as_coeffs();
    (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0)
}

/// Returns this path in device space as a rectangle, if it is an axis-aligned one.
///
/// Repeated points, points on a side and zero-length curves are ignored.
#[inline]
pub(crate) fn device_rect(path: &BezPath, transform: Affine) -> Option<Rect> {
    if !keeps_axes(transform) {
        return None;
    }
    let (from, to) = plain_rect(path.elements()).or_else(|| local_rect(path.elements()))?;
    let (from, to) = (transform * from, transform * to);
    // Renderers convert to f32 in the same way.
    let round = |v: f64| f64::from(v as f32);
    let [x0, y0, x1, y1] = [round(from.x), round(from.y), round(to.x), round(to.y)];
    let rect = Rect::new(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1));
    rect.is_finite().then_some(rect)
}

/// Returns two opposite corners of a rectangle with exactly four points, closed or open. This is the most
/// frequent form.
#[inline]
fn plain_rect(elements: &[PathEl]) -> Option<(Point, Point)> {
    use PathEl::{ClosePath, LineTo, MoveTo};
    let ([MoveTo(a), LineTo(b), LineTo(c), LineTo(d)]
    | [MoveTo(a), LineTo(b), LineTo(c), LineTo(d), ClosePath]) = elements
    else {
        return None;
    };
    let across = a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
    let down = a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y;
    ((across || down) && a.x != c.x && a.y != c.y).then_some((*a, *c))
}

/// Returns two opposite corners of a rectangle in any form.
fn local_rect(elements: &[PathEl]) -> Option<(Point, Point)> {
    let Some(PathEl::MoveTo(first)) = elements.first() else { return None };
    // The corners of the outline so far; the last is the current point.
    let mut turns = [*first; 5];
    let mut len = 1;
    let mut closed = false;
    for el in &elements[1..] {
        let to = match *el {
            _ if closed => return None,
            PathEl::MoveTo(_) => return None,
            PathEl::LineTo(to) => to,
            PathEl::QuadTo(a, to) if a == turns[len - 1] && to == a => to,
            PathEl::CurveTo(a, b, to) if a == turns[len - 1] && b == a && to == a => to,
            PathEl::QuadTo(..) | PathEl::CurveTo(..) => return None,
            PathEl::ClosePath => {
                closed = true;
                *first
            }
        };
        let from = turns[len - 1];
        if to == from {
            continue;
        }
        if to.x != from.x && to.y != from.y {
            return None;
        }
        let straight_on = len > 1 && {
            let before = turns[len - 2];
            let (a, b) = (from - before, to - from);
            a.cross(b) == 0.0 && a.dot(b) > 0.0
        };
        if straight_on {
            turns[len - 1] = to;
        } else if len < turns.len() {
            turns[len] = to;
            len += 1;
        } else {
            return None;
        }
    }
    // A fill closes an open path, so the closing side must be parallel to an axis too.
    let [a, b, c, d, end] = turns;
    let back = match len {
        5 => end == a,
        4 => d.x == a.x || d.y == a.y,
        _ => false,
    };
    let square = (a.x == b.x) != (a.y == b.y)
        && (b.x == c.x) != (b.y == c.y)
        && (a.x == b.x) != (b.x == c.x)
        && ((d.x == c.x) != (d.y == c.y))
        && (d.x == a.x || d.y == a.y)
        && (a.x == c.x) == (a.y == c.y)
        && ((a.x == b.x && d.x == c.x && d.y == a.y) || (a.y == b.y && d.y == c.y && d.x == a.x));
    (back && square).then_some((a, c))
}

/// Returns the pixels that a fill touches if its path is not a [`device_rect`].
///
/// # Errors
/// Fails if a number of the path is not finite.
#[inline]
pub(crate) fn touched(path: &BezPath, transform: Affine) -> Result<Pixels, NotFinite> {
    Ok(match control_box(path, transform)? {
        // A flattened curve stays inside its control points, as stored in f32.
        Some(rect) => around(rect, Vec2::ZERO, 0.0),
        None => Pixels::NOTHING,
    })
}

/// The error for NaN and infinite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotFinite;

/// The pixels around a box of control points, widened by `by` and by the rounding of renderers.
#[inline]
pub(crate) fn around(rect: Rect, by: Vec2, slack: f64) -> Pixels {
    let off = |low: f64, high: f64| slack + FLOAT * low.abs().max(high.abs());
    let [x, y] = [off(rect.x0, rect.x1), off(rect.y0, rect.y1)];
    Pixels::around(rect.inflate(by.x + x, by.y + y))
}

/// Whether the path is a rectangle, rounded or not: axis-aligned lines that meet at right angles or continue
/// smoothly into curves that end along the other axis. `false` is always a safe answer.
pub(crate) fn is_rounded_rect(path: &BezPath) -> bool {
    if plain_rect(path.elements()).is_some() {
        // An open path has caps, which stick out.
        return path.elements().len() == 5;
    }
    let Some(PathEl::MoveTo(first)) = path.elements().first() else { return false };
    let mut at = *first;
    // The direction of the previous segment, if any.
    let mut came: Option<Axis> = None;
    let mut started: Option<Axis> = None;
    for (index, el) in path.elements().iter().enumerate().skip(1) {
        let (to, handles) = match *el {
            PathEl::LineTo(to) => (to, None),
            PathEl::CurveTo(a, b, to) => (to, Some((a - at, to - b))),
            PathEl::ClosePath if index + 1 == path.elements().len() => (*first, None),
            PathEl::MoveTo(_) | PathEl::QuadTo(..) | PathEl::ClosePath => return false,
        };
        if to == at {
            continue;
        }
        let axes = match handles {
            None => Axis::of(to - at).map(|line| (line, line)),
            Some((leave, arrive)) => Axis::of(leave).zip(Axis::of(arrive)),
        };
        let Some((leave, arrive)) = axes else { return false };
        if came.is_some_and(|came| came.is_opposite(leave)) {
            return false;
        }
        started.get_or_insert(leave);
        came = Some(arrive);
        at = to;
    }
    let is_opposite = came.zip(started).is_some_and(|(came, started)| came.is_opposite(started));
    at == *first && !is_opposite
}

/// An axis-aligned direction.
#[derive(Clone, Copy)]
struct Axis {
    is_across: bool,
    is_negative: bool,
}

impl Axis {
    fn of(v: Vec2) -> Option<Self> {
        let is_across = v.x.abs() > v.y.abs();
        let (along, aside) = if is_across { (v.x, v.y) } else { (v.y, v.x) };
        let is_straight = aside.abs() <= 1e-9 * along.abs() && along != 0.0;
        is_straight.then_some(Self { is_across, is_negative: along < 0.0 })
    }

    fn is_opposite(self, other: Self) -> bool {
        self.is_across == other.is_across && self.is_negative != other.is_negative
    }
}

/// Returns the box of all points of the path in device space, including control points; `None` for an empty
/// path.
///
/// # Errors
/// Fails if a number of the path is not finite.
pub(crate) fn control_box(path: &BezPath, transform: Affine) -> Result<Option<Rect>, NotFinite> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    // Stays zero while all numbers are finite.
    let mut zero = [0.0; 2];
    let mut add = |p: Point| {
        for (axis, v) in [p.x, p.y].into_iter().enumerate() {
            low[axis] = min(v, low[axis]);
            high[axis] = max(v, high[axis]);
            zero[axis] += 0.0 * v;
        }
    };
    for el in path.elements() {
        match *el {
            PathEl::MoveTo(p) | PathEl::LineTo(p) => add(p),
            PathEl::QuadTo(a, p) => [a, p].into_iter().for_each(&mut add),
            PathEl::CurveTo(a, b, p) => [a, b, p].into_iter().for_each(&mut add),
            PathEl::ClosePath => {}
        }
    }
    if zero != [0.0; 2] {
        return Err(NotFinite);
    }
    let rect = Rect::new(low[0], low[1], high[0], high[1]);
    Ok((rect.x0 <= rect.x1).then(|| transformed(rect, transform)))
}

/// The box around a transformed rectangle, up to rounding. Propagates non-finite numbers.
#[inline]
pub(crate) fn transformed(rect: Rect, transform: Affine) -> Rect {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let center = transform * rect.center();
    let (w, h) = (rect.width() / 2.0, rect.height() / 2.0);
    let (x, y) = (a.abs() * w + c.abs() * h, b.abs() * w + d.abs() * h);
    Rect::new(center.x - x, center.y - y, center.x + x, center.y + y)
}

/// `f64::min` without its NaN rule, which costs a branch.
#[inline]
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::Shape;

    fn path(svg: &str) -> BezPath {
        BezPath::from_svg(svg).unwrap()
    }

    #[test]
    fn detects_rectangles() {
        let rect = Rect::new(1.0, 2.0, 5.0, 7.0);
        let is = |svg: &str| device_rect(&path(svg), Affine::IDENTITY) == Some(rect);
        assert_eq!(device_rect(&rect.to_path(0.1), Affine::IDENTITY), Some(rect));
        assert!(
            is("M1,2 L5,2 L5,7 L1,7 Z")
                && is("M1,2 L5,2 L5,7 L1,7 L1,2")
                && is("M5,7 L1,7 L1,2 L5,2")
        );
        assert!(is("M1,2 L3,2 L5,2 L5,7 L1,7 L1,7 Z") && is("M1,2 L1,7 L5,7 L5,2 L1,2 Z"));
        assert!(is("M1,2 C1,2 1,2 1,2 L5,2 L5,7 L1,7 L1,2 Z"));
        assert!(
            !is("M1,2 L5,2 L5,7 L1,6 Z") && !is("M1,2 L5,2 L5,7 Z") && !is("M1,2 L5,2 L1,2 L1,7 Z")
        );
        assert!(!is("M1,2 L5,2 L5,7 L1,7 Z M1,2 L5,2 L5,7 L1,7 Z") && !is("M1,2 L5,7"));
        assert!(!is("M1,2 L5,2 L5,2 L1,2 Z") && !is("M1,2 L5,2 L5,7 L5,2 Z"));
        let turned = Affine::rotate(90_f64.to_radians());
        assert_eq!(device_rect(&rect.to_path(0.1), turned), None);
        let flipped = Affine::new([0.0, 2.0, -1.0, 0.0, 0.0, 0.0]);
        assert_eq!(
            device_rect(&rect.to_path(0.1), flipped),
            Some(Rect::new(-7.0, 2.0, -2.0, 10.0))
        );
    }
}
