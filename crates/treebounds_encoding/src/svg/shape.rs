//! The box of what a path paints: its fill, its stroke, or both.
//!
//! A stroke is outlined by the same code that resvg paints it with, joins, caps
//! and dashes and all, and the outline is transformed and measured. That is
//! exact under any transform, and cheap beside parsing. Two cases differ:
//!
//! - strokes no wider than a pixel are painted as hairlines about a pixel wide, without the tips of joins, but in a
//!   larger picture they are not: the box is that of both, of the outline and of the path a pixel larger on each side;
//! - dashes beyond [`DASHES_MAX`], or along curves of more than [`PIECES_MAX`] pieces, would cost more than they tell:
//!   the path's box is taken, larger by as much as any join or cap reaches.

use super::curve::path_extent;
use super::extent::Extent;
use kurbo::Affine;
use usvg::tiny_skia_path::{LineCap, LineJoin, Path, PathSegment, PathStroker, Point, Stroke};
use usvg::{Opacity, Paint};

/// How many dashes a path may have to be outlined one by one.
const DASHES_MAX: f32 = 20_000.0;

/// How many pieces curves with dashes may be measured in. A curve of length l is measured in about as many as the square
/// root of l is, in half pixels.
const PIECES_MAX: f32 = 200_000.0;

/// How far a hairline reaches from its path, in pixels: half its width, and half
/// a pixel because its ends are rounded to pixels.
const HAIRLINE_REACH: f64 = 1.0;

/// How much farther a hairline with round or square caps reaches.
const HAIRLINE_CAP: f64 = 0.5;

/// By how much the painter, in single precision, may find a pen thinner.
const PEN_NOISE: f64 = 0.001;

/// The box of what the path paints; nothing where it is hidden or has no paint.
pub(super) fn painted_extent(path: &usvg::Path, transform: Affine) -> Extent {
    if !path.is_visible() {
        return Extent::NOTHING;
    }
    fill_extent(path, transform).union(stroke_extent(path, transform))
}

/// The box of the fill. A path without width or height has none.
pub(super) fn fill_extent(path: &usvg::Path, transform: Affine) -> Extent {
    let bounds = path.data().bounds();
    let is_filled = path.fill().is_some_and(|fill| shows(fill.paint(), fill.opacity()));
    if !is_filled || bounds.width() == 0.0 || bounds.height() == 0.0 {
        return Extent::NOTHING;
    }
    path_extent(path.data(), transform)
}

/// Whether paint of this opacity shows. Of a pattern the painter paints smooth edges whatever its opacity.
fn shows(paint: &Paint, opacity: Opacity) -> bool {
    opacity != Opacity::ZERO || matches!(paint, Paint::Pattern(_))
}

fn stroke_extent(path: &usvg::Path, transform: Affine) -> Extent {
    let stroke = path.stroke().filter(|stroke| shows(stroke.paint(), stroke.opacity()));
    let Some(stroke) = stroke else {
        return Extent::NOTHING;
    };
    let is_long = stroke.dasharray().is_some_and(|dashes| is_long(path.data(), dashes, transform));
    let stroke = stroke.to_tiny_skia();
    let smooth = path.rendering_mode().use_shape_antialiasing();
    let pen = if smooth { pen_width(stroke.width, transform) } else { f64::INFINITY };
    let mut out = Extent::NOTHING;
    if pen <= 1.0 + PEN_NOISE {
        let cap = if stroke.line_cap == LineCap::Butt { 0.0 } else { HAIRLINE_CAP };
        out = path_extent(path.data(), transform).inflate(HAIRLINE_REACH + cap);
    }
    if is_long {
        return out.union(reach_extent(path.data(), &stroke, transform));
    }
    match outline(path.data(), &stroke, transform) {
        Some(outline) => out.union(path_extent(&outline, transform)),
        None => out,
    }
}

/// The stroke's outline; `None` where there is none to paint.
fn outline(path: &Path, stroke: &Stroke, transform: Affine) -> Option<Path> {
    let scale = resolution(transform);
    match &stroke.dash {
        Some(dash) => path.dash(dash, scale)?.stroke(stroke, scale),
        None => path.stroke(stroke, scale),
    }
}

/// The path's box, larger by the farthest that the pen, a join or a cap reaches.
fn reach_extent(path: &Path, stroke: &Stroke, transform: Affine) -> Extent {
    let join = match stroke.line_join {
        LineJoin::Miter | LineJoin::MiterClip => stroke.miter_limit,
        LineJoin::Round | LineJoin::Bevel => 1.0,
    };
    let reach = f64::from(stroke.width) / 2.0 * f64::from(join).max(std::f64::consts::SQRT_2);
    let bounds = Extent::from(path.bounds()).inflate(reach);
    bounds.transform(transform)
}

/// How wide the pen is, in pixels: where at most one, resvg paints a hairline.
///
/// The painter's own measure: the longer axis, of each the long side plus half the
/// short one.
fn pen_width(width: f32, transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let length = |x: f64, y: f64| x.abs().max(y.abs()) + x.abs().min(y.abs()) / 2.0;
    f64::from(width) * length(a, b).max(length(c, d))
}

/// How many pixels a unit is, to the stroker.
fn resolution(transform: Affine) -> f32 {
    let [a, b, c, d, e, f] = transform.as_coeffs().map(|x| x as f32);
    PathStroker::compute_resolution_scale(&usvg::Transform::from_row(a, b, c, d, e, f))
}

/// Whether the path is too long for its dashes to be outlined one by one.
fn is_long(path: &Path, dashes: &[f32], transform: Affine) -> bool {
    let (mut length, mut pieces) = (0.0, 0.0);
    let half_pixels = 2.0 * resolution(transform);
    for_each_length(path, |one| {
        length += one;
        pieces += (one * half_pixels).sqrt();
    });
    let count = length / dashes.iter().sum::<f32>() * dashes.len() as f32;
    count > DASHES_MAX || count.is_nan() || pieces > PIECES_MAX || pieces.is_nan()
}

/// The length of each segment's control polygon, which is no less than the segment's.
fn for_each_length(path: &Path, mut visit: impl FnMut(f32)) {
    let (mut first, mut last) = (Point::zero(), Point::zero());
    for segment in path.segments() {
        let points: &[Point] = match &segment {
            PathSegment::MoveTo(p) => {
                (first, last) = (*p, *p);
                continue;
            }
            PathSegment::LineTo(p) => &[*p],
            PathSegment::QuadTo(p1, p2) => &[*p1, *p2],
            PathSegment::CubicTo(p1, p2, p3) => &[*p1, *p2, *p3],
            PathSegment::Close => &[first],
        };
        let mut length = 0.0;
        for point in points {
            length += last.distance(*point);
            last = *point;
        }
        visit(length);
    }
}
