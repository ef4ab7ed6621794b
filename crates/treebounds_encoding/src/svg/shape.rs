//! Computes the box of a path's paint: its fill, its stroke, or both.
//!
//! A stroke is outlined by resvg's own code, including joins, caps and dashes. The outline is then transformed and
//! measured. That is exact under any transform, and cheap compared with parsing. There are three exceptions:
//!
//! - resvg paints a stroke of at most one pixel as a hairline about a pixel wide, without the tips of joins, but a
//!   larger picture has the full stroke. For [`Painter::Resvg`], the box contains both: the outline, and the path
//!   widened by a pixel on each side.
//! - For dashes, resvg measures the length of curves to within half a pixel. For other painters, the precision is
//!   [`FINE`] times higher.
//! - More dashes than [`DASHES_MAX`], or curves that split into more than [`PARTS_MAX`] parts, would cost too much.
//!   Their box is the path's, widened by the farthest reach of a join or cap.

use super::options::Painter;
use super::recorder::Shared;
use crate::geometry::{self, Extent};
use kurbo::{Affine, CubicBez, PathEl};
use treebounds_core::footprint::pen_reach;
use usvg::tiny_skia_path::{
    LineCap, LineJoin, Path, PathSegment, PathStroker, Point, Stroke, StrokeDash,
};
use usvg::{Opacity, Paint};

/// The maximum number of dashes of a path that are outlined one by one.
const DASHES_MAX: f32 = 20_000.0;

/// The precision for measuring dashed curves with an exact painter, relative to resvg's.
const FINE: f32 = 16.0;

/// The maximum number of parts into which dashed curves are split to measure their length. A curve is split into about
/// as many parts as the square root of its length in half pixels.
const PARTS_MAX: f32 = 200_000.0;

/// The reach of a hairline from its path, in pixels: half its width, and half a pixel because its ends are rounded to
/// pixels.
const HAIRLINE_REACH: f64 = 1.0;

/// The additional reach of a hairline with round or square caps.
const HAIRLINE_CAP: f64 = 0.5;

/// The maximum relative shrinkage of a pen due to the painter's single precision.
const PEN_NOISE: f64 = 0.001;

/// The box of everything that the path paints: empty if it is hidden or has no paint.
pub(super) fn painted_extent(path: &usvg::Path, transform: Affine, shared: &Shared) -> Extent {
    if !path.is_visible() {
        return Extent::NOTHING;
    }
    fill_extent(path, transform).union(stroke_extent(path, transform, shared))
}

/// The box of the fill: empty for a line, or a path without width or height.
pub(super) fn fill_extent(path: &usvg::Path, transform: Affine) -> Extent {
    let bounds = path.data().bounds();
    let is_filled = path.fill().is_some_and(|fill| is_visible(fill.paint(), fill.opacity()));
    let is_line = path.data().points().len() < 3;
    if !is_filled || is_line || bounds.width() == 0.0 || bounds.height() == 0.0 {
        return Extent::NOTHING;
    }
    path_extent(path.data(), transform)
}

/// Whether paint of this opacity is visible. A pattern is visible at any opacity: the painter paints its antialiased
/// edges.
fn is_visible(paint: &Paint, opacity: Opacity) -> bool {
    let (gradient, transform) = match paint {
        Paint::Color(_) => return opacity != Opacity::ZERO,
        Paint::Pattern(pattern) => return is_invertible(pattern.transform()),
        Paint::LinearGradient(one) => (one.stops(), one.transform()),
        Paint::RadialGradient(one) => (one.stops(), one.transform()),
    };
    let is_clear = gradient.iter().all(|stop| stop.opacity() == Opacity::ZERO);
    opacity != Opacity::ZERO && !is_clear && is_invertible(transform)
}

/// Whether a transform can be inverted. Paint with a singular transform paints nothing.
fn is_invertible(transform: usvg::Transform) -> bool {
    transform.sx * transform.sy != transform.kx * transform.ky
}

fn stroke_extent(path: &usvg::Path, transform: Affine, shared: &Shared) -> Extent {
    let stroke = path.stroke().filter(|stroke| is_visible(stroke.paint(), stroke.opacity()));
    let Some(stroke) = stroke else {
        return Extent::NOTHING;
    };
    let data = path.data();
    let dashes = stroke.dasharray().map(<[f32]>::to_vec);
    let is_long = dashes.as_ref().is_some_and(|dashes: &Vec<f32>| is_long(data, dashes, transform));
    let offset = stroke.dashoffset();
    // A point has no length to break into dashes. Browsers paint its caps if the pattern begins with a dash, and do not
    // close it.
    let bounds = data.bounds();
    let is_point = dashes.is_some() && bounds.width() == 0.0 && bounds.height() == 0.0;
    let is_closed = || data.segments().any(|segment| segment == PathSegment::Close);
    if is_point
        && (is_closed() || !dashes.as_ref().is_some_and(|all| begins_with_dash(all, offset)))
    {
        return Extent::NOTHING;
    }
    let dashes = dashes.filter(|_| !is_point);
    let dash = dashes.and_then(|dashes| StrokeDash::new(dashes, offset));
    let stroke = Stroke { dash, ..stroke.to_tiny_skia() };
    let is_resvg = shared.painter == Painter::Resvg;
    let smooth = is_resvg && path.rendering_mode().use_shape_antialiasing();
    let pen = if smooth { pen_width(stroke.width, transform) } else { f64::INFINITY };
    let mut out = Extent::NOTHING;
    if pen <= 1.0 + PEN_NOISE {
        let cap = if stroke.line_cap == LineCap::Butt { 0.0 } else { HAIRLINE_CAP };
        let reach = HAIRLINE_REACH + cap;
        out = path_extent(data, transform).inflate(reach, reach);
    }
    if is_long {
        return out.union(reach_extent(data, &stroke, transform));
    }
    let fine = if is_resvg { 1.0 } else { FINE };
    out.union(outline_extent(data, &stroke, transform, fine))
}

/// Whether a dash pattern begins with a dash, not a gap.
fn begins_with_dash(dashes: &[f32], offset: f32) -> bool {
    let mut left = offset.rem_euclid(dashes.iter().sum());
    let first = dashes.iter().position(|dash| {
        let is_over = left > *dash || left == *dash && left > 0.0;
        left -= if is_over { *dash } else { 0.0 };
        !is_over
    });
    first.is_none_or(|first| first % 2 == 0)
}

/// The box of the stroke's outline. Dashed curves are measured with `fine` times the precision.
fn outline_extent(path: &Path, stroke: &Stroke, transform: Affine, fine: f32) -> Extent {
    let scale = resolution(transform);
    let outline = match &stroke.dash {
        Some(dash) => path.dash(dash, scale * fine).and_then(|dashes| dashes.stroke(stroke, scale)),
        None => path.stroke(stroke, scale),
    };
    outline.map_or(Extent::NOTHING, |outline| path_extent(&outline, transform))
}

/// The path's box, widened by the farthest reach of the pen, a join or a cap.
fn reach_extent(path: &Path, stroke: &Stroke, transform: Affine) -> Extent {
    let is_miter = matches!(stroke.line_join, LineJoin::Miter | LineJoin::MiterClip);
    let miter_limit = is_miter.then_some(f64::from(stroke.miter_limit));
    let corner = pen_reach(miter_limit, stroke.line_cap == LineCap::Square);
    let reach = f64::from(stroke.width) / 2.0 * corner;
    let bounds = Extent::from(path.bounds()).inflate(reach, reach);
    bounds.transform(transform)
}

/// The width of the pen in pixels. If it is at most one, resvg paints a hairline.
///
/// This is the painter's own formula: the longer axis of the transform, estimated as its longer side plus half its
/// shorter side.
fn pen_width(width: f32, transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let length = |x: f64, y: f64| x.abs().max(y.abs()) + x.abs().min(y.abs()) / 2.0;
    f64::from(width) * length(a, b).max(length(c, d))
}

/// Pixels per unit, as the stroker computes it.
fn resolution(transform: Affine) -> f32 {
    PathStroker::compute_resolution_scale(&single(transform))
}

fn single(transform: Affine) -> usvg::Transform {
    let [a, b, c, d, e, f] = transform.as_coeffs().map(|x| x as f32);
    usvg::Transform::from_row(a, b, c, d, e, f)
}

/// Whether the path has too many dashes, or is too long, to outline its dashes one by one.
fn is_long(path: &Path, dashes: &[f32], transform: Affine) -> bool {
    let (mut length, mut parts) = (0.0, 0.0);
    let half_pixels = 2.0 * resolution(transform);
    for segment in kurbo::segments(elements(path)) {
        // No segment is longer than its control polygon.
        let CubicBez { p0, p1, p2, p3 } = segment.to_cubic();
        let one = (p0.distance(p1) + p1.distance(p2) + p2.distance(p3)) as f32;
        length += one;
        parts += (one * half_pixels).sqrt();
    }
    let count = length / dashes.iter().sum::<f32>() * dashes.len() as f32;
    count > DASHES_MAX || count.is_nan() || parts > PARTS_MAX || parts.is_nan()
}

/// The box of the transformed path, without moves that are followed only by a close or by nothing.
fn path_extent(path: &Path, transform: Affine) -> Extent {
    let mut is_moved = false;
    let elements = elements(path).filter(|element| {
        let was_moved = std::mem::replace(&mut is_moved, matches!(element, PathEl::MoveTo(_)));
        !(was_moved && matches!(element, PathEl::ClosePath))
    });
    geometry::fill_extent(elements, transform).unwrap_or(Extent::EVERYTHING)
}

fn elements(path: &Path) -> impl Iterator<Item = PathEl> + '_ {
    let at = |p: Point| kurbo::Point::new(p.x.into(), p.y.into());
    path.segments().map(move |segment| match segment {
        PathSegment::MoveTo(p) => PathEl::MoveTo(at(p)),
        PathSegment::LineTo(p) => PathEl::LineTo(at(p)),
        PathSegment::QuadTo(p1, p2) => PathEl::QuadTo(at(p1), at(p2)),
        PathSegment::CubicTo(p1, p2, p3) => PathEl::CurveTo(at(p1), at(p2), at(p3)),
        PathSegment::Close => PathEl::ClosePath,
    })
}
