//! Paths, seen through a transform: what they cover whole.

use crate::pixels::{NEAR, Pixels};
use crate::shape::{SLACK, UNCERTAIN, device_rect, max, min};
use kurbo::{Affine, BezPath, CubicBez, ParamCurve, PathEl, Point, QuadBez, Rect, Vec2};

/// Whether the path covers all of these pixels whole: an outline that keeps away from them, or a convex one of one piece.
///
/// *Theory.* A box lies in a convex shape if its four corners do. Where the control points of an outline make a convex
/// polygon, the outline is convex, and so a polygon of points on it lies in it.
///
/// *Practice.* A straight side, and the chord from end to end of a curve, must leave the pixels whole, to a hair. A shorter
/// chord must keep half a pixel away from them: a flattening may cut it off.
pub(crate) fn covers(path: &BezPath, transform: Affine, pixels: Pixels) -> bool {
    if pixels.is_empty() {
        return true;
    }
    if let Some(rect) = device_rect(path, transform) {
        return Pixels::inside(rect).contains(pixels);
    }
    if is_clear_inside(path.elements(), transform, pixels.rect()) {
        return true;
    }
    // Few sides fit what touches the straight sides, many what comes near to the curved ones.
    let polygon = |pieces| covers_convex(path.elements(), transform, pixels.rect(), pieces);
    polygon(1).is_some_and(|covers| covers || polygon(4) == Some(true))
}

/// Whether the outline goes round the target once and comes nowhere near it.
///
/// *Theory.* A piece of the outline stays in the box of its control points. If no such box meets the target, no piece cuts the
/// target, which lies inside as a whole if its centre does. And as the box is convex and without the centre, the piece winds
/// about the centre as its chord does: seen from the centre to the left, the chord crosses where its box lies to the left.
///
/// ```text
///      ╭ ┬───────────┬ ╮
///      ├ ┘  target   └ ┤      ┘ boxes of the rounded corners
///      │               │
/// ```
fn is_clear_inside(elements: &[PathEl], transform: Affine, target: Rect) -> bool {
    let (center, clear) = (target.center(), target.inset(-NEAR));
    let mut winding = 0;
    let mut is_clear = true;
    let mut piece = |points: [Point; 4]| {
        let [from, a, b, to] = points;
        let (x0, x1) =
            (min(min(from.x, a.x), min(b.x, to.x)), max(max(from.x, a.x), max(b.x, to.x)));
        let (y0, y1) =
            (min(min(from.y, a.y), min(b.y, to.y)), max(max(from.y, a.y), max(b.y, to.y)));
        let is_away = x1 <= clear.x0 || clear.x1 <= x0 || y1 <= clear.y0 || clear.y1 <= y0;
        let is_certain = -UNCERTAIN < min(x0, y0) && max(x1, y1) < UNCERTAIN;
        is_clear &= is_away && is_certain;
        if x1 <= clear.x0 {
            winding += i32::from(from.y <= center.y) - i32::from(to.y <= center.y);
        }
    };
    let Some(PathEl::MoveTo(first)) = elements.first() else { return false };
    let (mut start, mut at) = (transform * *first, transform * *first);
    for el in &elements[1..] {
        let from = at;
        match *el {
            PathEl::MoveTo(p) => {
                piece([at, at, start, start]);
                (start, at) = (transform * p, transform * p);
            }
            PathEl::LineTo(p) => {
                at = transform * p;
                piece([from, from, at, at]);
            }
            PathEl::QuadTo(a, p) => {
                at = transform * p;
                piece([from, transform * a, at, at]);
            }
            PathEl::CurveTo(a, b, p) => {
                at = transform * p;
                piece([from, transform * a, transform * b, at]);
            }
            PathEl::ClosePath => {
                at = start;
                piece([from, from, at, at]);
            }
        }
    }
    piece([at, at, start, start]);
    // Once, either way: with either fill rule it is inside.
    is_clear && winding.abs() == 1
}

fn covers_convex(
    elements: &[PathEl],
    transform: Affine,
    target: Rect,
    pieces: u32,
) -> Option<bool> {
    let mut polygon = Convex::default();
    let Some(PathEl::MoveTo(first)) = elements.first() else { return None };
    let start = transform * *first;
    let corners = [
        (target.x0, target.y0),
        (target.x1, target.y0),
        (target.x1, target.y1),
        (target.x0, target.y1),
    ];
    // The sides' distances to the corners are compared with the orientation once it is known.
    let mut least = f64::INFINITY;
    let mut most = f64::NEG_INFINITY;
    let mut side = |from: Point, to: Point, curved: bool| {
        let along = to - from;
        if along == Vec2::ZERO {
            return;
        }
        // A chord from end to end of a curve is inside every flattening of it, a shorter one need not be.
        let keep = if curved && pieces > 1 { SLACK } else { -NEAR };
        let keep = keep * length(along);
        for corner in corners {
            // Distance times length.
            let area = along.cross(Point::from(corner) - from);
            least = min(least, area - keep);
            most = max(most, area + keep);
        }
    };
    let (mut at, mut closed) = (start, false);
    polygon.add(start)?;
    for el in &elements[1..] {
        let to = match *el {
            _ if closed => return None,
            PathEl::MoveTo(_) => return None,
            PathEl::LineTo(p) => {
                side(at, transform * p, false);
                transform * p
            }
            PathEl::QuadTo(a, p) => {
                let curve = QuadBez::new(at, transform * a, transform * p);
                polygon.add(curve.p1)?;
                along_curve(&curve, pieces, &mut side);
                curve.p2
            }
            PathEl::CurveTo(a, b, p) => {
                let curve = CubicBez::new(at, transform * a, transform * b, transform * p);
                polygon.add(curve.p1)?;
                polygon.add(curve.p2)?;
                along_curve(&curve, pieces, &mut side);
                curve.p3
            }
            PathEl::ClosePath => {
                closed = true;
                side(at, start, false);
                start
            }
        };
        polygon.add(to)?;
        at = to;
    }
    polygon.add(start)?;
    side(at, start, false);
    match polygon.finish()? {
        Turn::Left => Some(least >= 0.0),
        Turn::Right => Some(most <= 0.0),
    }
}

/// The sides of a polygon of a few points on a curve.
fn along_curve(curve: &impl ParamCurve, pieces: u32, side: &mut impl FnMut(Point, Point, bool)) {
    let point = |i: u32| curve.eval(f64::from(i) / f64::from(pieces));
    (0..pieces).for_each(|i| side(point(i), point(i + 1), true));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Left,
    Right,
}

/// Follows a polygon and gives up where it is not convex.
#[derive(Default)]
struct Convex {
    last: Option<Point>,
    edge: Option<Vec2>,
    first_edge: Option<Vec2>,
    turn: Option<Turn>,
    /// How often the edges change between left and right, and between up and down: twice each in a convex polygon.
    changes: [u32; 2],
    signs: [f64; 2],
    first_signs: [f64; 2],
}

impl Convex {
    fn add(&mut self, point: Point) -> Option<()> {
        if !(point.x.abs() < UNCERTAIN && point.y.abs() < UNCERTAIN) {
            return None;
        }
        let Some(last) = self.last.replace(point) else { return Some(()) };
        let edge = point - last;
        // Rounding noise: such a step turns nowhere that matters.
        if edge.hypot2() < 1e-18 {
            self.last = Some(last);
            return Some(());
        }
        self.turn_to(edge)
    }

    fn turn_to(&mut self, edge: Vec2) -> Option<()> {
        if let Some(before) = self.edge {
            let noise = 1e-9 * (before.hypot2() * edge.hypot2()).sqrt();
            let cross = before.cross(edge);
            let turn = if cross > noise {
                Turn::Left
            } else if cross < -noise {
                Turn::Right
            } else if before.dot(edge) < 0.0 {
                // Straight back.
                return None;
            } else {
                return self.note(edge);
            };
            if *self.turn.get_or_insert(turn) != turn {
                return None;
            }
        }
        self.note(edge)
    }

    fn note(&mut self, edge: Vec2) -> Option<()> {
        self.edge = Some(edge);
        self.first_edge.get_or_insert(edge);
        let noise = 1e-9 * length(edge);
        for (axis, value) in [edge.x, edge.y].into_iter().enumerate() {
            let sign = if value.abs() < noise { 0.0 } else { value.signum() };
            if sign == 0.0 {
                continue;
            }
            if self.signs[axis] == 0.0 {
                self.first_signs[axis] = sign;
            } else if self.signs[axis] != sign {
                self.changes[axis] += 1;
            }
            self.signs[axis] = sign;
        }
        Some(())
    }

    /// Back at the start.
    fn finish(mut self) -> Option<Turn> {
        self.turn_to(self.first_edge?)?;
        let around = (0..2).all(|axis| self.changes[axis] <= 2);
        self.turn.filter(|_| around)
    }
}

/// `Vec2::hypot` of numbers far from the ends of `f64`: their squares are none of its infinities, and no call is needed.
fn length(v: Vec2) -> f64 {
    v.hypot2().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::is_rounded_rect;
    use kurbo::{Circle, RoundedRect, Shape};

    fn path(svg: &str) -> BezPath {
        BezPath::from_svg(svg).unwrap()
    }

    #[test]
    fn knows_what_a_convex_shape_covers() {
        let round = RoundedRect::new(0.0, 0.0, 100.0, 50.0, 10.0).to_path(0.1);
        assert!(is_rounded_rect(&round) && is_rounded_rect(&path("M0,0 H9 V9 H0 Z")));
        assert!(
            !is_rounded_rect(&path("M0,0 H9 V9 Z"))
                && !is_rounded_rect(&path("M0,0 H9 H2 V9 H0 Z"))
        );
        let covers = |x0, y0, x1, y1| covers(&round, Affine::IDENTITY, Pixels::new(x0, y0, x1, y1));
        assert!(covers(11, 0, 89, 50) && covers(0, 11, 100, 39) && covers(6, 6, 94, 44));
        assert!(!covers(2, 2, 98, 48) && !covers(-1, 10, 100, 40) && !covers(0, 0, 1, 1));
        let disc = Circle::new((50.0, 50.0), 40.0).to_path(0.1);
        let inside =
            |low, high| super::covers(&disc, Affine::IDENTITY, Pixels::new(low, low, high, high));
        assert!(inside(30, 70) && !inside(20, 80));
    }

    #[test]
    fn an_outline_that_keeps_away_covers_what_it_goes_round_once() {
        let clear = |svg: &str, x: i32| {
            let middle = Pixels::new(x - 1, 49, x + 1, 51);
            let is_clear = is_clear_inside(path(svg).elements(), Affine::IDENTITY, middle.rect());
            assert!(!is_clear || covers(&path(svg), Affine::IDENTITY, middle));
            is_clear
        };
        let plus = "M30,0 H60 V30 H90 V60 H60 V90 H30 V60 H0 V30 H30 Z";
        assert!(clear(plus, 45) && clear(plus, 20) && clear(plus, 70));
        assert!(!clear(plus, 0) && !clear(plus, 90) && !clear(plus, 100) && !clear(plus, -20));
        // A hole, a part that is wound twice, and one that is wound back.
        let frame = "M0,0 H90 V90 H0 Z M20,20 H70 V70 H20";
        assert!(clear(frame, 10) && clear(frame, 80) && !clear(frame, 45));
        assert!(!clear("M0,0 H90 V90 H0 Z M20,20 V70 H70 V20 Z", 45));
        // Left open: it is closed like a fill.
        assert!(clear("M90,0 H0 V90 H90", 45) && !clear("M90,0 H0 V90 L20,90", 45));
        assert!(!clear("M1e7,0 H-1e7 V90 H1e7 Z", 45) && !clear("", 45));
        let disc = "M0,50 C0,20 20,0 50,0 Q100,0 100,50 C100,80 80,100 50,100 C20,100 0,80 0,50";
        assert!(!clear(disc, 1) && !clear(disc, 99));
        assert!(is_clear_inside(
            path(plus).elements(),
            Affine::scale(-2.0),
            Rect::new(-99.0, -99.0, -81.0, -81.0)
        ));
    }

    #[test]
    fn other_shapes_cover_nothing() {
        let middle = Pixels::new(49, 49, 51, 51);
        for svg in [
            "M0,0 L100,0 L100,100 L50,20 L0,100 Z",
            "M50,0 L80,100 L0,40 L100,40 L20,100 Z",
            "M0,0 L100,0 L100,100 L0,100 Z M40,40 L60,40 L60,60 L40,60 Z",
            "M0,0 C100,100 0,100 100,0 Z",
            "M0,0 L100,100",
        ] {
            assert!(!covers(&path(svg), Affine::IDENTITY, middle), "{svg}");
        }
        assert!(covers(&path("M0,0 L100,0 L100,100 L0,100"), Affine::rotate(0.01), middle));
    }
}
