//! Finds the pixels that a transformed path covers completely.

use crate::bounds::outline::{SLACK, UNCERTAIN, max, min};
use crate::bounds::pixels::{NEAR, Pixels};
use kurbo::{Affine, BezPath, CubicBez, ParamCurve, PathEl, Point, QuadBez, Rect};

/// Whether a path covers all these pixels completely. The path must not be an axis-aligned rectangle.
///
/// *Theory.* If no piece of the outline meets the target, the whole target is inside if its centre is. A piece is
/// inside the convex hull of its control points, and a line that separates the hull from the target separates the piece
/// from it. Because the hull is convex and does not contain the centre, the piece winds around the centre as its chord
/// does.
///
/// *Practice.* The candidate separating lines are parallel to the axes or to the chord. If both fail, the curve is
/// split into four pieces with smaller hulls.
///
/// ```text
///      ╭ ┬───────────┬ ╮
///      ├ ┘  target   └ ┤      ┘ boxes of the rounded corners
///      │               │      ╲ their chords
/// ```
pub(crate) fn covers(path: &BezPath, transform: Affine, pixels: Pixels) -> bool {
    if pixels.is_empty() {
        return true;
    }
    let target = pixels.rect();
    let mut round = Round { target, center: target.center(), winding: 0 };
    let Some(PathEl::MoveTo(first)) = path.elements().first() else { return false };
    let (mut start, mut at) = (transform * *first, transform * *first);
    for el in &path.elements()[1..] {
        let from = std::mem::replace(&mut at, el.end_point().map_or(start, |end| transform * end));
        let is_past = match *el {
            // A fill closes open subpaths.
            PathEl::MoveTo(_) => round.passes_line(from, std::mem::replace(&mut start, at)),
            PathEl::LineTo(_) | PathEl::ClosePath => round.passes_line(from, at),
            PathEl::QuadTo(a, _) => {
                round.passes_curve(QuadBez::new(from, transform * a, at).raise())
            }
            PathEl::CurveTo(a, b, _) => {
                round.passes_curve(CubicBez::new(from, transform * a, transform * b, at))
            }
        };
        if !is_past {
            return false;
        }
    }
    // A winding number of 1 or -1 is inside with either fill rule.
    round.passes_line(at, start) && round.winding.abs() == 1
}

/// The traversal of an outline around a target.
struct Round {
    target: Rect,
    center: Point,
    /// The number of crossings of the line from the centre to the left: downward minus upward.
    winding: i32,
}

impl Round {
    fn passes_line(&mut self, from: Point, to: Point) -> bool {
        self.passes(CubicBez::new(from, from, to, to), -NEAR)
    }

    fn passes_curve(&mut self, curve: CubicBez) -> bool {
        if self.passes(curve, -NEAR) {
            return true;
        }
        // A flattening of the curve stays in the hull of the whole curve, but may leave the hull of a part.
        let (first, second) = curve.subdivide();
        [first.subdivide(), second.subdivide()]
            .into_iter()
            .all(|(first, second)| self.passes(first, SLACK) && self.passes(second, SLACK))
    }

    /// Whether the piece keeps this distance from the target. If so, counts its winding.
    fn passes(&mut self, piece: CubicBez, keep: f64) -> bool {
        let CubicBez { p0: from, p1: a, p2: b, p3: to } = piece;
        let (x0, x1) =
            (min(min(from.x, a.x), min(b.x, to.x)), max(max(from.x, a.x), max(b.x, to.x)));
        let (y0, y1) =
            (min(min(from.y, a.y), min(b.y, to.y)), max(max(from.y, a.y), max(b.y, to.y)));
        let is_certain = -UNCERTAIN < min(x0, y0) && max(x1, y1) < UNCERTAIN;
        let clear = self.target.inflate(keep, keep);
        let is_away = x1 <= clear.x0 || clear.x1 <= x0 || y1 <= clear.y0 || clear.y1 <= y0;
        if !is_certain || !(is_away || self.is_behind_chord(piece, keep)) {
            return false;
        }
        let crossing = i32::from(from.y <= self.center.y) - i32::from(to.y <= self.center.y);
        if crossing != 0 {
            let is_left = (to - from).cross(self.center - from) < 0.0;
            self.winding += if is_left == (crossing > 0) { crossing } else { 0 };
        }
        true
    }

    /// Whether the chord separates the curve from the target.
    fn is_behind_chord(&self, piece: CubicBez, keep: f64) -> bool {
        let along = piece.p3 - piece.p0;
        // The distance of a point from the chord, times the chord's length.
        let distance = |point: Point| along.cross(point - piece.p0);
        let curve = [distance(piece.p1), distance(piece.p2)];
        let Rect { x0, y0, x1, y1 } = self.target;
        let corners =
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|corner| distance(corner.into()));
        // The numbers are far from the limits of f64, so `hypot` is unnecessary.
        let keep = keep * along.hypot2().sqrt();
        let is_right = curve.iter().all(|d| *d <= 0.0) && corners.iter().all(|d| keep <= *d);
        let is_left = curve.iter().all(|d| *d >= 0.0) && corners.iter().all(|d| *d <= -keep);
        along.hypot2() > 0.0 && (is_right || is_left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::outline::is_rounded_rect;
    use kurbo::{Circle, RoundedRect, Shape};

    fn path(svg: &str) -> BezPath {
        BezPath::from_svg(svg).unwrap()
    }

    #[test]
    fn convex_shapes_cover_their_interior() {
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
        // The target is between the chord of a corner and its box.
        let pill = RoundedRect::new(0.0, 0.0, 62.0, 28.0, 12.0).to_path(0.1);
        assert!(super::covers(&pill, Affine::IDENTITY, Pixels::new(12, 5, 51, 23)));
    }

    #[test]
    fn outlines_cover_what_they_wind_around_once() {
        let clear = |svg: &str, x: i32| {
            covers(&path(svg), Affine::IDENTITY, Pixels::new(x - 1, 49, x + 1, 51))
        };
        let plus = "M30,0 H60 V30 H90 V60 H60 V90 H30 V60 H0 V30 H30 Z";
        assert!(clear(plus, 45) && clear(plus, 20) && clear(plus, 70));
        assert!(!clear(plus, 0) && !clear(plus, 90) && !clear(plus, 100) && !clear(plus, -20));
        // A hole, a part wound twice, and a part wound back.
        let frame = "M0,0 H90 V90 H0 Z M20,20 H70 V70 H20";
        assert!(clear(frame, 10) && clear(frame, 80) && !clear(frame, 45));
        assert!(!clear("M0,0 H90 V90 H0 Z M20,20 V70 H70 V20 Z", 45));
        // Open subpaths are closed, as in a fill.
        assert!(clear("M90,0 H0 V90 H90", 45) && clear("M90,0 H0 V90 L20,90", 45));
        assert!(clear("M90,0 H0 V90", 35) && !clear("M90,0 H0 V90", 45));
        assert!(!clear("M1e7,0 H-1e7 V90 H1e7 Z", 45) && !clear("", 45));
        let disc = "M0,50 C0,20 20,0 50,0 Q100,0 100,50 C100,80 80,100 50,100 C20,100 0,80 0,50";
        assert!(!clear(disc, 1) && !clear(disc, 99));
        assert!(covers(&path(plus), Affine::scale(-2.0), Pixels::new(-99, -99, -81, -81)));
    }

    #[test]
    fn other_shapes_cover_nothing() {
        let middle = Pixels::new(49, 49, 51, 51);
        for svg in [
            "M0,0 L100,0 L100,100 L50,20 L0,100 Z",
            "M50,0 L80,100 L0,40 L100,40 L20,100 Z",
            "M0,0 L100,0 L100,100 L0,100 Z M40,40 L60,40 L60,60 L40,60 Z",
            "M0,0 C100,60 0,60 100,0 Z",
            "M0,0 L100,100",
        ] {
            assert!(!covers(&path(svg), Affine::IDENTITY, middle), "{svg}");
        }
        assert!(covers(&path("M0,0 L100,0 L100,100 L0,100"), Affine::rotate(0.01), middle));
        assert!(covers(&path("M0,0 C100,100 0,100 100,0 Z"), Affine::IDENTITY, middle));
    }
}
