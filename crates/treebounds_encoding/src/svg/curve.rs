//! The exact box of a transformed path.
//!
//! The points are transformed first and the box is taken then, so a rotation
//! costs nothing in tightness. A curve lies inside the box of its control
//! points; only where those stick out of the box of what came before are its
//! extrema solved for.

use super::extent::Extent;
use kurbo::{Affine, CubicBez, ParamCurveExtrema, Point, QuadBez};
use usvg::tiny_skia_path::{Path, PathSegment};

/// The box of the path under the transform; its fill covers nothing outside. A place that nothing leads to or from is
/// not in it.
pub(super) fn path_extent(path: &Path, transform: Affine) -> Extent {
    let at = |p: usvg::tiny_skia_path::Point| transform * Point::new(p.x.into(), p.y.into());
    let mut out = Extent::NOTHING;
    let mut last = Point::ORIGIN;
    for segment in path.segments() {
        if !matches!(segment, PathSegment::MoveTo(_)) {
            out.add(last);
        }
        let end = match segment {
            PathSegment::MoveTo(p) => {
                last = at(p);
                continue;
            }
            PathSegment::LineTo(p) => at(p),
            PathSegment::QuadTo(p1, p2) => {
                let curve = QuadBez::new(last, at(p1), at(p2));
                out.add(curve.p2);
                add_extrema(&mut out, &curve, &[curve.p1]);
                curve.p2
            }
            PathSegment::CubicTo(p1, p2, p3) => {
                let curve = CubicBez::new(last, at(p1), at(p2), at(p3));
                out.add(curve.p3);
                add_extrema(&mut out, &curve, &[curve.p1, curve.p2]);
                curve.p3
            }
            PathSegment::Close => continue,
        };
        out.add(end);
        last = end;
    }
    out
}

/// Grows by the curve, whose ends are inside already.
fn add_extrema(out: &mut Extent, curve: &impl ParamCurveExtrema, handles: &[Point]) {
    if handles.iter().all(|handle| out.holds(*handle)) {
        return;
    }
    if !handles.iter().all(|handle| handle.is_finite()) {
        *out = Extent::EVERYTHING;
        return;
    }
    for t in curve.extrema() {
        out.add(curve.eval(t));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_4;
    use treebounds_core::Rect;
    use usvg::tiny_skia_path::PathBuilder;

    #[test]
    fn takes_the_curve_and_not_its_handles() {
        let mut builder = PathBuilder::new();
        builder.move_to(0.0, 0.0);
        builder.cubic_to(0.0, 40.0, 100.0, 40.0, 100.0, 0.0);
        builder.quad_to(50.0, -20.0, 0.0, 0.0);
        let path = builder.finish().unwrap();
        let rect = path_extent(&path, Affine::IDENTITY).to_rect();
        assert_eq!(rect, Rect::new(0.0, -10.0, 100.0, 30.0));
    }

    #[test]
    fn a_turned_circle_keeps_its_box() {
        let path = PathBuilder::from_circle(0.0, 0.0, 10.0).unwrap();
        let rect = path_extent(&path, Affine::rotate(FRAC_PI_4)).to_rect();
        assert!(Rect::new(-10.01, -10.01, 10.01, 10.01).contains(rect));
        assert!(rect.contains(Rect::new(-9.99, -9.99, 9.99, 9.99)));
    }

    #[test]
    fn huge_numbers_stay_finite() {
        let path = PathBuilder::from_rect(usvg::Rect::from_ltrb(0.0, 0.0, 1e38, 1e38).unwrap());
        let rect = path_extent(&path, Affine::scale(1e30)).to_rect();
        assert_eq!(rect, Rect::new(0.0, 0.0, f32::MAX, f32::MAX));
        assert_eq!(path_extent(&path, Affine::scale(f64::MAX)), Extent::EVERYTHING);
    }
}
