//! What it takes to follow the arcs of a shape.
//!
//! An arc becomes as many curves as hold it to a tenth of a unit. Their number grows with the sixth root of the radius:
//! four of 100, 150 of 10^12, five million of 10^38. And svgtypes takes those of a path one by one from the front of a
//! list, so that each costs as many steps as there are.

use super::links::attribute;
use svgtypes::{Length, PathParser, PathSegment};
use usvg::roxmltree::Node;

/// How many steps a curve costs that is taken from no list.
const CURVE: u64 = 100;

/// An arc of a smaller radius is a line.
const RADIUS_MIN: f64 = 1e-5;

/// What the arcs of an element come to; of a path all of it.
pub(super) fn of(node: Node) -> Followed {
    let radius = |name| attribute(node, name).and_then(length).unwrap_or_default();
    let corners = |radius| {
        let steps = CURVE.saturating_mul(curves(radius));
        Followed { steps, ..Followed::default() }
    };
    match node.tag_name().name() {
        "path" => attribute(node, "d").map(follow).unwrap_or_default(),
        "circle" => corners(radius("r")),
        "ellipse" | "rect" => corners(radius("rx").max(radius("ry"))),
        _ => Followed::default(),
    }
}

/// The number of a length, whatever its unit.
pub(super) fn length(text: &str) -> Option<f64> {
    text.parse().ok().map(|length: Length| length.number.abs())
}

/// How many curves a whole ellipse of this radius is.
fn curves(radius: f64) -> u64 {
    (1.1163 * radius / 0.1).powf(1.0 / 6.0).max(4.0).ceil() as u64
}

/// What a path comes to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Followed {
    /// The steps for its arcs.
    pub(super) steps: u64,
    /// How many curves its arcs are.
    pub(super) curves: u64,
    /// How many numbers the path has, or as many as a segment without any is worth.
    pub(super) numbers: u64,
    /// No point of it is farther from zero along either axis, nor a handle of a curve.
    pub(super) reach: f64,
    /// The largest step to the next point, or place of a point.
    pub(super) largest: f64,
    /// Whether there are quadratic curves.
    pub(super) has_quadratics: bool,
}

pub(super) fn follow(path: &str) -> Followed {
    let mut out = Followed::default();
    // No segment so far ends farther from zero.
    let mut end = 0.0_f64;
    for segment in PathParser::from(path).map_while(Result::ok) {
        let (is_absolute, far) = points(segment);
        out.largest = out.largest.max(far);
        out.numbers += numbers(segment);
        use PathSegment::{Quadratic, SmoothQuadratic};
        out.has_quadratics |= matches!(segment, Quadratic { .. } | SmoothQuadratic { .. });
        let around = if is_absolute { end } else { 0.0 };
        let mut bulge = 0.0;
        if let PathSegment::EllipticalArc { rx, ry, .. } = segment {
            let radius = radius(rx.abs(), ry.abs(), around + far);
            let curves = if radius > 0.0 { curves(radius) } else { 0 };
            out.steps = out.steps.saturating_add(curves.saturating_mul(curves));
            out.curves = out.curves.saturating_add(curves);
            bulge = 2.0 * radius;
        }
        end = if is_absolute { end.max(far) } else { end + far };
        out.reach = out.reach.max(end + bulge);
    }
    out
}

/// How many numbers a segment keeps.
fn numbers(segment: PathSegment) -> u64 {
    use PathSegment as S;
    match segment {
        S::CurveTo { .. } | S::SmoothCurveTo { .. } => 6,
        S::Quadratic { .. } | S::SmoothQuadratic { .. } => 4,
        S::EllipticalArc { .. } => 6,
        _ => 2,
    }
}

/// The longer radius of an arc whose ends are no farther apart: one that is too small for that is made larger. Zero
/// for a line.
fn radius(rx: f64, ry: f64, across: f64) -> f64 {
    let (small, large) = (rx.min(ry), rx.max(ry));
    if small <= RADIUS_MIN { 0.0 } else { large * (across / small).max(1.0) }
}

/// Whether a segment says where it is by itself, and no less than any coordinate of its end and its handles.
fn points(segment: PathSegment) -> (bool, f64) {
    use PathSegment as S;
    let sum = |of: &[f64]| of.iter().map(|of| of.abs()).sum();
    match segment {
        S::MoveTo { abs, x, y }
        | S::LineTo { abs, x, y }
        | S::SmoothQuadratic { abs, x, y }
        | S::EllipticalArc { abs, x, y, .. } => (abs, sum(&[x, y])),
        S::CurveTo { abs, x1, y1, x2, y2, x, y } => (abs, sum(&[x1, y1, x2, y2, x, y])),
        S::SmoothCurveTo { abs, x2, y2, x, y } => (abs, sum(&[x2, y2, x, y])),
        S::Quadratic { abs, x1, y1, x, y } => (abs, sum(&[x1, y1, x, y])),
        S::HorizontalLineTo { abs, x } => (abs, x.abs()),
        S::VerticalLineTo { abs, y } => (abs, y.abs()),
        S::ClosePath { .. } => (true, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use usvg::roxmltree::Document;

    fn of(element: &str) -> u64 {
        super::of(Document::parse(element).unwrap().root_element()).steps
    }

    #[test]
    fn small_arcs_are_cheap_and_lines_are_free() {
        assert_eq!(of("<path d='M0 0L1e38 1e38C1 2 3 4 5 6z'/>"), 0);
        assert_eq!(of("<path d='M0 0a5 5 0 0 1 3 4 5 5 0 0 1 3 4'/>"), 2 * 16);
        assert_eq!(of("<path d='M0 0A5 1e-6 0 0 1 1e30 4'/>"), 0);
        let rings = "M5 9A5 5 0 0 1 9 5A5 5 0 0 1 5 9z".repeat(1000);
        assert_eq!(of(&format!("<path d='{rings}'/>")), 2000 * 16);
        assert_eq!(of("<circle r='20px'/>"), CURVE * 4);
        assert_eq!(of("<rect width='9' height='9'/>"), CURVE * 4);
        assert_eq!(of("<line x2='1e38'/>"), 0);
    }

    #[test]
    fn a_path_reaches_as_far_as_its_handles() {
        let reach = |path| follow(path).reach;
        assert_eq!(reach("M3 4l5 6h-7v8z"), 3.0 + 4.0 + 5.0 + 6.0 + 7.0 + 8.0);
        assert_eq!(reach("M3 4C1e20 0 0 0 1 2"), 1e20);
        assert!(reach("M3 4A1e20 1e20 0 0 0 1 2") >= 2e20);
    }

    #[test]
    fn large_arcs_are_dear_however_they_come_to_be_large() {
        let large = [
            "<path d='M0 0A1e38 1 0 1 0 9 9'/>",
            "<path d='M0 0a1 1.1 0 1 0 1e30 9'/>",
            "<path d='M-1e30 0A1 1.1 0 1 0 9 9'/>",
            "<path d='m1e30 0v5A1 1.1 0 1 0 9 9'/>",
            "<path d='M0 0a1e25 2e-5 0 1 0 9 9'/>",
        ];
        for path in large {
            assert!(of(path) > Limits::default().arc_steps, "{path}: {}", of(path));
        }
        assert!(of("<ellipse rx='1' ry='1e37'/>") > Limits::default().arc_steps / 100);
    }
}
