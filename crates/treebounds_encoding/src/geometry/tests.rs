use super::{Extent, fill_extent, stroke_extent};
use kurbo::{
    Affine, BezPath, Cap, Circle, Join, ParamCurve, ParamCurveDeriv, PathEl, Point, Shape, Stroke,
    StrokeOpts,
};
use proptest::prelude::*;
use treebounds_core::{NotANumber, Rect};

fn fill(path: &str, transform: Affine) -> Rect {
    fill_extent(BezPath::from_svg(path).unwrap(), transform).unwrap().to_rect_without_noise()
}

fn stroke(path: &str, style: &Stroke) -> Rect {
    stroke_extent(BezPath::from_svg(path).unwrap(), style, Affine::IDENTITY)
        .unwrap()
        .to_rect_without_noise()
}

fn butt_stroke(width: f64) -> Stroke {
    Stroke::new(width).with_caps(Cap::Butt).with_join(Join::Bevel)
}

#[test]
fn fill_boxes_reach_the_extrema_of_curves() {
    let arch = "M0,0 Q10,20 20,0";
    assert_eq!(fill(arch, Affine::IDENTITY), Rect::new(0.0, 0.0, 20.0, 10.0));
    assert_eq!(fill(arch, Affine::rotate(90_f64.to_radians())), Rect::new(-10.0, 0.0, 0.0, 20.0));
    assert_eq!(fill("M0,0 L9,0", Affine::IDENTITY), Rect::NOTHING);
    assert_eq!(fill("M5,5 M0,0 L2,0 L2,2", Affine::IDENTITY), Rect::new(0.0, 0.0, 2.0, 2.0));
    assert_eq!(fill("", Affine::IDENTITY), Rect::NOTHING);
}

#[test]
fn strokes_include_caps_dashes_and_joins() {
    let dashed = |cap| butt_stroke(2.0).with_caps(cap).with_dashes(0.0, [3.0, 1.0]);
    let (line, square) = ("M10,10 L20,10", "M0,0 H10 V10 H0 Z");
    for (path, style, expected) in [
        (line, butt_stroke(4.0), Rect::new(10.0, 8.0, 20.0, 12.0)),
        (line, butt_stroke(4.0).with_start_cap(Cap::Square), Rect::new(8.0, 8.0, 20.0, 12.0)),
        (line, butt_stroke(4.0).with_end_cap(Cap::Round), Rect::new(10.0, 8.0, 22.0, 12.0)),
        (line, butt_stroke(0.0), Rect::NOTHING),
        ("M10,10", Stroke::new(4.0), Rect::NOTHING),
        ("M10,10 Z", Stroke::new(4.0), Rect::new(8.0, 8.0, 12.0, 12.0)),
        // Dash caps may stick out anywhere.
        (line, dashed(Cap::Butt), Rect::new(10.0, 9.0, 20.0, 11.0)),
        (line, dashed(Cap::Round), Rect::new(9.0, 9.0, 21.0, 11.0)),
        (square, butt_stroke(2.0).with_join(Join::Miter), Rect::new(-1.0, -1.0, 11.0, 11.0)),
        // A quarter circle from the top to the right, cut off straight.
        ("M0,-50 C27.6,-50 50,-27.6 50,0", butt_stroke(10.0), Rect::new(0.0, -55.0, 55.0, 0.0)),
    ] {
        assert_eq!(stroke(path, &style), expected, "{path} {style:?}");
    }
    let root = std::f32::consts::SQRT_2;
    for (style, top) in [
        (butt_stroke(2.0).with_join(Join::Miter), -root),
        (butt_stroke(2.0).with_join(Join::Round), -1.0),
        (butt_stroke(2.0), -root / 2.0),
        (butt_stroke(2.0).with_join(Join::Miter).with_miter_limit(1.4), -root / 2.0),
    ] {
        let found = stroke("M0,10 L10,0 L20,10", &style).y0;
        assert!((found - top).abs() < 1e-5, "{found} {style:?}");
    }
}

#[test]
fn strokes_are_transformed_after_outlining_and_exact_around_circles() {
    let extent = |path: BezPath, style, transform| {
        stroke_extent(path, &style, transform).unwrap().to_rect_without_noise()
    };
    let line = BezPath::from_svg("M0,0 L10,0").unwrap();
    let wide = extent(line, butt_stroke(2.0), Affine::scale_non_uniform(1.0, 5.0));
    assert_eq!(wide, Rect::new(0.0, -5.0, 10.0, 5.0));
    let circle = Circle::new((50.0, 50.0), 40.0).to_path(0.1);
    for style in [butt_stroke(10.0), Stroke::new(10.0)] {
        let ring = extent(circle.clone(), style, Affine::IDENTITY);
        assert_eq!(ring, Rect::new(5.0, 5.0, 95.0, 95.0));
    }
}

#[test]
fn nan_is_rejected_and_overflow_is_unlimited() {
    let line = |x, y| [PathEl::MoveTo(Point::ZERO), PathEl::LineTo(Point::new(x, y))];
    let (nan, far) = (line(1.0, f64::NAN), line(f64::INFINITY, 5.0));
    let style = Stroke::new(1.0);
    for refused in [
        fill_extent(nan, Affine::IDENTITY),
        fill_extent([], Affine::translate((f64::NAN, 0.0))),
        stroke_extent(nan, &style, Affine::IDENTITY),
        stroke_extent([], &Stroke::new(f64::NAN), Affine::IDENTITY),
    ] {
        assert_eq!(refused, Err(NotANumber));
    }
    for everywhere in
        [fill_extent(far, Affine::scale(2.0)), stroke_extent(far, &style, Affine::IDENTITY)]
    {
        assert_eq!(everywhere.unwrap().to_rect_without_noise(), Rect::EVERYTHING);
    }
    let half = Extent::new(f64::NEG_INFINITY, 0.0, 1.0, f64::INFINITY);
    assert_eq!(half.to_rect_without_noise(), Rect::new(-f32::MAX, 0.0, 1.0, f32::MAX));
}

#[test]
fn only_the_final_box_is_rounded_outwards() {
    let third = 1.0 / 3.0;
    let rect = Extent::new(-third, third, third, 2.0 * third).to_rect_without_noise();
    assert!(f64::from(rect.x0) <= -third && f64::from(rect.x1) >= third);
    assert!(f64::from(rect.y0) <= third && f64::from(rect.y1) >= 2.0 * third);
    assert!(rect.width() < 2.0 * third + 1e-6);
}

/// Generates a point of a coarse grid, so that points coincide and lines are collinear.
fn point() -> impl Strategy<Value = Point> {
    (-20..20_i32, -20..20_i32).prop_map(|(x, y)| Point::new(f64::from(x) * 5.0, f64::from(y) * 5.0))
}

pub(crate) fn polyline() -> impl Strategy<Value = BezPath> {
    prop::collection::vec(point(), 2..7).prop_map(|points| {
        let start = [PathEl::MoveTo(points[0])];
        let lines = points[1..].iter().map(|point| PathEl::LineTo(*point));
        BezPath::from_vec(start.into_iter().chain(lines).collect())
    })
}

/// Generates a path that continues after a close, with or without a move.
pub(crate) fn any_path(has_moves: bool) -> impl Strategy<Value = BezPath> {
    let element = prop_oneof![
        1 => point().prop_map(PathEl::MoveTo),
        3 => point().prop_map(PathEl::LineTo),
        2 => (point(), point()).prop_map(|(a, b)| PathEl::QuadTo(a, b)),
        3 => (point(), point(), point()).prop_map(|(a, b, c)| PathEl::CurveTo(a, b, c)),
        1 => Just(PathEl::ClosePath),
    ];
    (point(), prop::collection::vec(element, 1..8)).prop_map(move |(start, elements)| {
        let mut path = BezPath::from_vec(vec![PathEl::MoveTo(start)]);
        for element in elements {
            if has_moves && path.elements().last() == Some(&PathEl::ClosePath) {
                path.move_to(start);
            }
            path.push(element);
        }
        path
    })
}

pub(crate) fn any_style(
    width: impl Strategy<Value = f64>,
    limit: impl Strategy<Value = f64>,
) -> impl Strategy<Value = Stroke> {
    let cap = || prop::sample::select(vec![Cap::Butt, Cap::Square, Cap::Round]);
    let join = prop::sample::select(vec![Join::Bevel, Join::Miter, Join::Round]);
    (width, cap(), cap(), join, limit).prop_map(|(width, start, end, join, limit)| {
        let style = Stroke::new(width).with_start_cap(start).with_end_cap(end);
        style.with_join(join).with_miter_limit(limit)
    })
}

pub(crate) fn style() -> impl Strategy<Value = Stroke> {
    any_style(0.1..60.0, 1.0..10.0)
}

fn any_transform() -> impl Strategy<Value = Affine> {
    prop::array::uniform4(-2.0..2.0_f64)
        .prop_map(|[a, b, c, d]| Affine::new([a, b, c, d, 7.0, 9.0]))
}

/// Returns the box of kurbo's outline of the stroke, transformed and flattened. For coincident control points, kurbo
/// may produce NaN; such points are skipped.
fn outlined(path: &BezPath, style: &Stroke, transform: Affine) -> Extent {
    let outline = kurbo::stroke(path, style, &StrokeOpts::default(), 1e-4);
    let mut extent = Extent::NOTHING;
    kurbo::flatten(transform * &outline, 1e-3, |el| {
        el.end_point().into_iter().filter(|p| p.is_finite()).for_each(|p| extent.add(p));
    });
    extent
}

/// kurbo's round caps and joins are off by a thousandth of their radius. Its offset curves can be off by far more where
/// they turn back on themselves, so curves are also compared with [`sampled`].
fn inflate_by_outline_error(extent: Extent, width: f64, of_width: f64) -> Extent {
    let error = 2.0 * (of_width * width + 1e-3);
    extent.inflate(error, error)
}

/// Returns the box of the pen's ends at many points of the path's curves.
fn sampled(path: &BezPath, width: f64, transform: Affine) -> Extent {
    let mut extent = Extent::NOTHING;
    for segment in path.segments().map(|segment| segment.to_cubic()) {
        for t in (0..=1000).map(|step| f64::from(step) / 1000.0) {
            let tangent = segment.deriv().eval(t).to_vec2();
            if tangent.hypot() > 1e-6 {
                let normal = 0.5 * width * tangent.turn_90() / tangent.hypot();
                extent.add(transform * (segment.eval(t) + normal));
                extent.add(transform * (segment.eval(t) - normal));
            }
        }
    }
    extent
}

fn check_contains(outer: Extent, inner: Extent) -> Result<(), TestCaseError> {
    let contains = outer.to_rect_without_noise().contains(inner.to_rect_without_noise());
    prop_assert!(contains, "{outer:?} does not contain {inner:?}");
    Ok(())
}

// kurbo requires a move after a close.
proptest! {
    #[test]
    fn a_fill_contains_every_point_of_its_path(path in any_path(true), transform in any_transform()) {
        let mut points = Extent::NOTHING;
        kurbo::flatten(transform * &path, 1e-3, |el| {
            if let PathEl::LineTo(point) = el {
                points.add(point);
            }
        });
        check_contains(fill_extent(path, transform).unwrap().inflate(1e-3, 1e-3), points)?;
    }

    #[test]
    fn a_stroke_contains_its_outline_and_its_pen(
        path in any_path(true), style in style(), transform in any_transform(),
    ) {
        let extent = stroke_extent(path.clone(), &style, transform).unwrap();
        let inflated = inflate_by_outline_error(extent, style.width, 0.25);
        check_contains(inflated, outlined(&path, &style, transform))?;
        check_contains(extent, sampled(&path, style.width, transform))?;
    }

    #[test]
    fn a_dashed_stroke_contains_its_outline(
        path in polyline(), style in style(), transform in any_transform(),
        dashes in prop::collection::vec(0.5..30.0_f64, 1..4), offset in 0.0..10.0_f64,
    ) {
        // Lines only: kurbo's last dash may have almost zero length. On a curve, or with a miter to its neighbour, it
        // can point anywhere.
        let style = style.with_dashes(offset, dashes).with_join(Join::Bevel);
        let extent = stroke_extent(path.clone(), &style, transform).unwrap();
        let inflated = extent.inflate(style.width * 2.0, style.width * 2.0);
        check_contains(inflated, outlined(&path, &style, transform))?;
    }

    #[test]
    fn line_strokes_match_their_outline(
        path in polyline(), style in style(), transform in any_transform(),
    ) {
        let extent = stroke_extent(path.clone(), &style, transform).unwrap();
        // A miter just beyond its limit still counts.
        let limit = style.miter_limit * 1.001;
        let outline = outlined(&path, &style.clone().with_miter_limit(limit), transform);
        let outline = outline.inflate(0.2, 0.2);
        prop_assume!(outline.to_rect_without_noise() != Rect::NOTHING);
        check_contains(outline, extent)?;
        let inflated = inflate_by_outline_error(extent, style.width, 2e-3);
        check_contains(inflated, outlined(&path, &style, transform))?;
    }
}
