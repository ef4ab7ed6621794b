//! Boxes of curves and of strokes.
//!
//! *Theory.* A box is taken last: the curve is carried into device space first,
//! and its box is the box of its extrema, not of its control points. So a
//! rotated ellipse gets the box of the ellipse, not the box of a rotated box.
//!
//! A stroke is the trace of a round pen, cut off by caps and sharpened by joins.
//! In device space the pen is an ellipse. Where the stroke goes farthest to one
//! side, the pen touches the box at one of these:
//!
//! ```text
//!   an end of a segment, half a width to either side     ─┬─  corner
//!   a point where the curve runs along the box's edge     ⌒   extremum
//!   the tip of a miter, the arc of a round join or cap    ◁   tip
//! ```
//!
//! *Practice.* All arithmetic is `f64`; only the finished box is rounded to
//! `f32`, outwards. A box may be too large where an exact answer would cost more
//! (strokes thicker than a bend is wide, dashes, which are taken as unbroken),
//! never too small.

mod extent;
mod offset;
mod stroke;

pub(crate) use extent::Extent;
use extent::FAR;
pub(crate) use stroke::stroke_extent;

use kurbo::{Affine, PathEl, PathSeg, Point};
use treebounds_core::NotANumber;
#[cfg(feature = "canvas")]
use {kurbo::Circle, offset::Pen};

/// How far the area inside this path reaches.
///
/// The fill rule does not matter: both rules paint inside the outline, and the
/// outline decides the box.
///
/// # Errors
/// A coordinate of the path or of the transform is NaN.
pub(crate) fn fill_extent(
    path: impl IntoIterator<Item = PathEl>,
    transform: Affine,
) -> Result<Extent, NotANumber> {
    let mut extent = Extent::EMPTY;
    walk(path, transform, |step| match step {
        Step::Segment(segment) => extent.add_segment(transform * segment),
        Step::Move(_) | Step::Close => {}
    })?;
    Ok(extent)
}

/// How far a disc reaches, which the transform may make an ellipse: exact.
///
/// # Errors
/// A coordinate of the circle or of the transform is NaN.
#[cfg(feature = "canvas")]
pub(crate) fn disc_extent(circle: Circle, transform: Affine) -> Result<Extent, NotANumber> {
    if circle.is_nan() || transform.is_nan() {
        return Err(NotANumber);
    }
    let center = transform * circle.center;
    let reach = Pen { transform, radius: circle.radius.abs() }.reach();
    let mut extent = Extent::EMPTY;
    extent.add(center - reach);
    extent.add(center + reach);
    Ok(extent)
}

/// One step along a path.
enum Step {
    /// A subpath starts here.
    Move(Point),
    /// The pen moves along this.
    Segment(PathSeg),
    /// The subpath is closed; the line back has been given as a segment.
    Close,
}

/// Calls `visit` for every step of the path, with the line that closes a subpath
/// written out. A path that does not start with a move starts at its first end
/// point.
fn walk(
    path: impl IntoIterator<Item = PathEl>,
    transform: Affine,
    mut visit: impl FnMut(Step),
) -> Result<(), NotANumber> {
    if transform.is_nan() {
        return Err(NotANumber);
    }
    let mut start = None;
    let mut last = Point::ZERO;
    for el in path {
        if el.is_nan() {
            return Err(NotANumber);
        }
        let Some(first) = start else {
            last = el.end_point().unwrap_or(last);
            start = el.end_point();
            start.into_iter().for_each(|point| visit(Step::Move(point)));
            continue;
        };
        match segment_of(last, first, el) {
            Some(segment) => visit(Step::Segment(segment)),
            None => start = el.end_point(),
        }
        last = el.end_point().unwrap_or(first);
        match el {
            PathEl::MoveTo(point) => visit(Step::Move(point)),
            PathEl::ClosePath => visit(Step::Close),
            _ => {}
        }
    }
    Ok(())
}

/// The segment that this element draws, if it draws one.
fn segment_of(last: Point, first: Point, el: PathEl) -> Option<PathSeg> {
    Some(match el {
        PathEl::MoveTo(_) => return None,
        PathEl::LineTo(p1) => PathSeg::Line(kurbo::Line::new(last, p1)),
        PathEl::QuadTo(p1, p2) => PathSeg::Quad(kurbo::QuadBez::new(last, p1, p2)),
        PathEl::CurveTo(p1, p2, p3) => PathSeg::Cubic(kurbo::CubicBez::new(last, p1, p2, p3)),
        PathEl::ClosePath => PathSeg::Line(kurbo::Line::new(last, first)),
    })
}

#[cfg(test)]
mod tests;
