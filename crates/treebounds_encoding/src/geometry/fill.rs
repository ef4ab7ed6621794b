//! Boxes of filled paths, and iteration along a path.

use super::extent::Extent;
use kurbo::{Affine, PathEl, PathSeg, Point};
use treebounds_core::NotANumber;

/// Returns the box of a filled path. The fill rule does not affect the box.
///
/// # Errors
/// Fails if a coordinate of the path or of the transform is NaN.
pub(crate) fn fill_extent(
    path: impl IntoIterator<Item = PathEl>,
    transform: Affine,
) -> Result<Extent, NotANumber> {
    let mut extent = Extent::NOTHING;
    walk(path, transform, |step| {
        if let Step::Segment(segment) = step {
            extent.add_segment(transform * segment);
        }
    })?;
    Ok(extent)
}

/// A step along a path.
pub(super) enum Step {
    /// Starts a subpath.
    #[cfg_attr(not(any(feature = "canvas", feature = "vello")), allow(dead_code))]
    Move(Point),
    /// Draws a line or a curve.
    Segment(PathSeg),
    /// Closes the subpath. The line back to the start is a separate segment.
    Close,
}

/// Calls `visit` for every step of the path, including the lines that close subpaths. A path without an initial move
/// starts at its first end point.
pub(super) fn walk(
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

/// Returns the segment that this path element draws, if any.
fn segment_of(last: Point, first: Point, el: PathEl) -> Option<PathSeg> {
    Some(match el {
        PathEl::MoveTo(_) => return None,
        PathEl::LineTo(p1) => PathSeg::Line(kurbo::Line::new(last, p1)),
        PathEl::QuadTo(p1, p2) => PathSeg::Quad(kurbo::QuadBez::new(last, p1, p2)),
        PathEl::CurveTo(p1, p2, p3) => PathSeg::Cubic(kurbo::CubicBez::new(last, p1, p2, p3)),
        PathEl::ClosePath => PathSeg::Line(kurbo::Line::new(last, first)),
    })
}
