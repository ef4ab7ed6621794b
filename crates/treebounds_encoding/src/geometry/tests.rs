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

fn plain(width: f64) -> Stroke {
    Stroke::new(width).with_caps(Cap::Butt).with_join(Join::Bevel)
}

#[test]
fn a_fill_reaches_to_the_extrema_of_its_curves() {
    let arch = "M0,0 Q10,20 20,0";
    assert_eq!(fill(arch, Affine::IDENTITY), Rect::new(0.0, 0.0, 20.0, 10.0));
    assert_eq!(fill(arch, Affine::rotate(90_f64.to_radians())), Rect::new(-10.0, 0.0, 0.0, 20.0));
    assert_eq!(fill("M0,0 L9,0", Affine::IDENTITY), Rect::NOTHING);
    assert_eq!(fill("M5,5 M0,0 L2,0 L2,2", Affine::IDENTITY), Rect::new(0.0, 0.0, 2.0, 2.0));
    assert_eq!(fill("", Affine::IDENTITY), Rect::NOTHING);
}

#[test]
fn a_stroke_follows_its_caps() {
    let line = "M10,10 L20,10";
    assert_eq!(stroke(line, &plain(4.0)), Rect::new(10.0, 8.0, 20.0, 12.0));
    let start_only = plain(4.0).with_start_cap(Cap::Square);
    assert_eq!(stroke(line, &start_only), Rect::new(8.0, 8.0, 20.0, 12.0));
    let end_only = plain(4.0).with_end_cap(Cap::Round);
    assert_eq!(stroke(line, &end_only), Rect::new(10.0, 8.0, 22.0, 12.0));
    assert_eq!(stroke(line, &plain(0.0)), Rect::NOTHING);
    assert_eq!(stroke("M10,10", &Stroke::new(4.0)), Rect::NOTHING);
    assert_eq!(stroke("M10,10 Z", &Stroke::new(4.0)), Rect::new(8.0, 8.0, 12.0, 12.0));
}

#[test]
fn a_stroke_follows_its_joins() {
    let corner = "M0,10 L10,0 L20,10";
    let root = std::f32::consts::SQRT_2;
    let near = |y0: f32, style| (stroke(corner, &style).y0 - y0).abs() < 1e-5;
    assert!(near(-root, plain(2.0).with_join(Join::Miter)));
    assert!(near(-1.0, plain(2.0).with_join(Join::Round)));
    assert!(near(-root / 2.0, plain(2.0)));
    assert!(near(-root / 2.0, plain(2.0).with_join(Join::Miter).with_miter_limit(1.4)));
    let square = stroke("M0,0 H10 V10 H0 Z", &plain(2.0).with_join(Join::Miter));
    assert_eq!(square, Rect::new(-1.0, -1.0, 11.0, 11.0));
}

#[test]
fn a_stroke_is_made_before_the_transform() {
    let path = BezPath::from_svg("M0,0 L10,0").unwrap();
    let extent = stroke_extent(path, &plain(2.0), Affine::scale_non_uniform(1.0, 5.0)).unwrap();
    assert_eq!(extent.to_rect_without_noise(), Rect::new(0.0, -5.0, 10.0, 5.0));
}

#[test]
fn the_stroke_of_a_circle_is_exact() {
    let circle = Circle::new((50.0, 50.0), 40.0).to_path(0.1);
    for style in [plain(10.0), Stroke::new(10.0)] {
        let extent = stroke_extent(circle.clone(), &style, Affine::IDENTITY).unwrap();
        assert_eq!(extent.to_rect_without_noise(), Rect::new(5.0, 5.0, 95.0, 95.0));
    }
}

#[test]
fn the_caps_of_dashes_may_stick_out_anywhere() {
    let dashed = |cap| plain(2.0).with_caps(cap).with_dashes(0.0, [3.0, 1.0]);
    let line = "M0,0 L10,0";
    assert_eq!(stroke(line, &dashed(Cap::Butt)), Rect::new(0.0, -1.0, 10.0, 1.0));
    assert_eq!(stroke(line, &dashed(Cap::Round)), Rect::new(-1.0, -1.0, 11.0, 1.0));
}

#[test]
fn nan_is_refused_and_overflow_is_everywhere() {
    let nan = [PathEl::MoveTo(Point::ZERO), PathEl::LineTo(Point::new(1.0, f64::NAN))];
    let style = Stroke::new(1.0);
    assert_eq!(fill_extent(nan, Affine::IDENTITY), Err(NotANumber));
    assert_eq!(stroke_extent(nan, &style, Affine::IDENTITY), Err(NotANumber));
    let far = [PathEl::MoveTo(Point::ZERO), PathEl::LineTo(Point::new(f64::INFINITY, 5.0))];
    assert_eq!(
        fill_extent(far, Affine::scale(2.0)).unwrap().to_rect_without_noise(),
        Rect::EVERYTHING
    );
    assert_eq!(
        stroke_extent(far, &style, Affine::IDENTITY).unwrap().to_rect_without_noise(),
        Rect::EVERYTHING
    );
    let half = Extent::new(f64::NEG_INFINITY, 0.0, 1.0, f64::INFINITY);
    assert_eq!(half.to_rect_without_noise(), Rect::new(-f32::MAX, 0.0, 1.0, f32::MAX));
    let bad_style = Stroke::new(f64::NAN);
    assert_eq!(stroke_extent([], &bad_style, Affine::IDENTITY), Err(NotANumber));
    let bad = Affine::translate((f64::NAN, 0.0));
    assert_eq!(fill_extent([], bad), Err(NotANumber));
}

#[test]
fn only_the_finished_box_is_rounded_and_outwards() {
    let third = 1.0 / 3.0;
    let rect = Extent::new(-third, third, third, 2.0 * third).to_rect_without_noise();
    assert!(f64::from(rect.x0) <= -third && f64::from(rect.x1) >= third);
    assert!(f64::from(rect.y0) <= third && f64::from(rect.y1) >= 2.0 * third);
    assert!(rect.width() < 2.0 * third + 1e-6);
}

fn point() -> impl Strategy<Value = Point> {
    // A coarse grid, so that points coincide and lines are collinear.
    (-20..20_i32, -20..20_i32).prop_map(|(x, y)| Point::new(f64::from(x) * 5.0, f64::from(y) * 5.0))
}

fn element() -> impl Strategy<Value = PathEl> {
    prop_oneof![
        1 => point().prop_map(PathEl::MoveTo),
        3 => point().prop_map(PathEl::LineTo),
        2 => (point(), point()).prop_map(|(a, b)| PathEl::QuadTo(a, b)),
        3 => (point(), point(), point()).prop_map(|(a, b, c)| PathEl::CurveTo(a, b, c)),
        1 => Just(PathEl::ClosePath),
    ]
}

fn polyline(points: &[Point]) -> BezPath {
    let mut path = BezPath::new();
    path.move_to(points[0]);
    points[1..].iter().for_each(|point| path.line_to(*point));
    path
}

fn any_path() -> impl Strategy<Value = BezPath> {
    (point(), prop::collection::vec(element(), 1..8)).prop_map(|(start, elements)| {
        let mut path = BezPath::from_vec(vec![PathEl::MoveTo(start)]);
        for element in elements {
            // kurbo requires a move after a close.
            if path.elements().last() == Some(&PathEl::ClosePath) {
                path.move_to(start);
            }
            path.push(element);
        }
        path
    })
}

fn any_style() -> impl Strategy<Value = Stroke> {
    let cap = || prop_oneof![Just(Cap::Butt), Just(Cap::Square), Just(Cap::Round)];
    let join = prop_oneof![Just(Join::Bevel), Just(Join::Miter), Just(Join::Round)];
    (0.1..60.0_f64, cap(), cap(), join, 1.0..10.0_f64).prop_map(
        |(width, start, end, join, limit)| {
            let style = Stroke::new(width).with_start_cap(start).with_end_cap(end);
            style.with_join(join).with_miter_limit(limit)
        },
    )
}

fn any_transform() -> impl Strategy<Value = Affine> {
    prop::array::uniform4(-2.0..2.0_f64)
        .prop_map(|[a, b, c, d]| Affine::new([a, b, c, d, 7.0, 9.0]))
}

/// The box of the stroke as kurbo outlines it, transformed and flattened. If control points coincide, kurbo may put NaN in
/// the outline; such points are skipped.
fn outlined(path: &BezPath, style: &Stroke, transform: Affine) -> Extent {
    let outline = kurbo::stroke(path, style, &StrokeOpts::default(), 1e-4);
    let mut extent = Extent::NOTHING;
    kurbo::flatten(transform * &outline, 1e-3, |el| {
        el.end_point().into_iter().filter(|p| p.is_finite()).for_each(|p| extent.add(p));
    });
    extent
}

/// kurbo's round caps and joins are off by a thousandth of their radius. Its offset curves can be off by far more where they
/// turn back on themselves, so curves are checked against [`sampled`] too.
fn inflate_by_outline_error(extent: Extent, width: f64, of_width: f64) -> Extent {
    let error = 2.0 * (of_width * width + 1e-3);
    extent.inflate(error, error)
}

/// The box of the pen's ends at many points of the path's curves.
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

proptest! {
    #[test]
    fn a_fill_holds_every_point_of_its_path(path in any_path(), transform in any_transform()) {
        let held = fill_extent(path.clone(), transform).unwrap().inflate(1e-3, 1e-3);
        let extent = held.to_rect_without_noise();
        let mut points = Extent::NOTHING;
        kurbo::flatten(transform * &path, 1e-3, |el| {
            if let PathEl::LineTo(point) = el {
                points.add(point);
            }
        });
        prop_assert!(extent.contains(points.to_rect_without_noise()), "{extent:?} {points:?}");
    }

    #[test]
    fn a_stroke_holds_its_outline(
        path in any_path(), style in any_style(), transform in any_transform(),
    ) {
        let held = stroke_extent(path.clone(), &style, transform).unwrap();
        let held = inflate_by_outline_error(held, style.width, 0.25);
        let outline = outlined(&path, &style, transform);
        prop_assert!(held.to_rect_without_noise().contains(outline.to_rect_without_noise()), "{held:?} {outline:?}");
    }

    #[test]
    fn a_stroke_holds_its_pen(
        path in any_path(), style in any_style(), transform in any_transform(),
    ) {
        let held = stroke_extent(path.clone(), &style, transform).unwrap();
        let pen = sampled(&path, style.width, transform);
        prop_assert!(held.to_rect_without_noise().contains(pen.to_rect_without_noise()), "{held:?} {pen:?}");
    }

    #[test]
    fn a_dashed_stroke_holds_its_outline(
        points in prop::collection::vec(point(), 2..6), style in any_style(),
        transform in any_transform(),
        dashes in prop::collection::vec(0.5..30.0_f64, 1..4), offset in 0.0..10.0_f64,
    ) {
        // Lines only: kurbo's last dash may have next to no length, and on a curve, or with a miter to its neighbour, it can
        // point anywhere.
        let style = style.with_dashes(offset, dashes).with_join(Join::Bevel);
        let path = polyline(&points);
        let held = stroke_extent(path.clone(), &style, transform).unwrap();
        let held = held.inflate(style.width * 2.0, style.width * 2.0);
        let outline = outlined(&path, &style, transform);
        prop_assert!(held.to_rect_without_noise().contains(outline.to_rect_without_noise()), "{held:?} {outline:?}");
    }

    #[test]
    fn the_stroke_of_lines_is_its_outline(
        points in prop::collection::vec(point(), 2..6), style in any_style(),
        transform in any_transform(),
    ) {
        let path = polyline(&points);
        let held = stroke_extent(path.clone(), &style, transform).unwrap();
        // A miter just past its limit still counts.
        let limit = style.miter_limit * 1.001;
        let outline = outlined(&path, &style.clone().with_miter_limit(limit), transform);
        let outline = outline.inflate(0.2, 0.2);
        prop_assume!(outline.to_rect_without_noise() != Rect::NOTHING);
        prop_assert!(outline.to_rect_without_noise().contains(held.to_rect_without_noise()), "{held:?} {outline:?}");
        let held = inflate_by_outline_error(held, style.width, 2e-3);
        let outline = outlined(&path, &style, transform);
        prop_assert!(held.to_rect_without_noise().contains(outline.to_rect_without_noise()), "{held:?} {outline:?}");
    }
}

#[test]
fn a_gentle_curve_is_measured_exactly() {
    // A quarter circle from the top to the right, cut off straight.
    let quarter = "M0,-50 C27.6,-50 50,-27.6 50,0";
    let rect = stroke(quarter, &plain(10.0));
    assert_eq!(rect, Rect::new(0.0, -55.0, 55.0, 0.0));
}
