//! How much work a path is.

use crate::layer::Layer;
use resvg::{
    tiny_skia::{PathSegment, Point},
    usvg::{Paint, Path, Stroke},
};

/// Segments are added up to this many.
const SEGMENTS: usize = 20_000_000;

/// What there is of a path, or of a stroke's outline.
#[derive(Clone, Copy, Debug, Default)]
struct Edges {
    /// How many lines and curves.
    count: f64,
    /// How many rows of pixels they cross, added up.
    rows: f64,
}

impl Edges {
    /// Work of a fill, in steps of the size of a painted pixel. The painter goes down the rows, four times each, with a
    /// sorted list of the edges that cross the row: each new edge looks for its place in the list.
    fn fill(self, layer: &Layer) -> f64 {
        let in_a_row = self.rows / layer.height().max(1.0);
        8.0 * self.count + 4.0 * self.rows + 0.3 * self.count * in_a_row
    }

    /// The outline of a stroke along these, in pieces.
    fn stroked(self, dashes: f64) -> Self {
        Self { count: 4.0 * (self.count + dashes), rows: 2.0 * self.rows + 2.0 * dashes }
    }
}

/// The work to paint a path, in painted pixels; and how many segments were looked at.
pub(crate) fn of(path: &Path, layer: &Layer) -> (f64, usize) {
    let covered = layer.covered(path.stroke_bounding_box());
    let (mut edges, mut contours, mut length) = (Edges::default(), 0.0, 0.0);
    let mut last = Point::zero();
    let mut looked = 0;
    for segment in path.data().segments().take(SEGMENTS) {
        looked += 1;
        let points = match segment {
            PathSegment::MoveTo(to) => {
                contours += 1.0;
                last = to;
                continue;
            }
            PathSegment::LineTo(to) => [to, to, to],
            PathSegment::QuadTo(a, to) => [a, to, to],
            PathSegment::CubicTo(a, b, to) => [a, b, to],
            PathSegment::Close => [last; 3],
        };
        edges.count += 1.0;
        for to in points {
            length += f64::from((to - last).length());
            edges.rows += rows(last, to, layer);
            last = to;
        }
    }
    let fill = path.fill().map_or(0.0, |fill| {
        edges.fill(layer) + covered * shading(fill.paint()) + stops(fill.paint())
    });
    let stroke = path.stroke().map_or(0.0, |stroke| {
        let dashes = dashes(stroke, length, contours);
        40.0 * (edges.count + dashes)
            + edges.stroked(dashes).fill(layer)
            + covered * shading(stroke.paint())
            + stops(stroke.paint())
    });
    (covered + fill + stroke, looked)
}

/// The rows of pixels that a line crosses.
fn rows(from: Point, to: Point, layer: &Layer) -> f64 {
    let y = |point: Point| {
        let to = layer.to;
        (f64::from(to.ky) * f64::from(point.x)
            + f64::from(to.sy) * f64::from(point.y)
            + f64::from(to.ty))
        .clamp(0.0, layer.height())
    };
    (y(to) - y(from)).abs()
}

/// How many dashes the painter makes. It gives up at a million, but does not count the first round of a contour.
fn dashes(stroke: &Stroke, length: f64, contours: f64) -> f64 {
    let Some(pattern) = stroke.dasharray() else { return 0.0 };
    let round: f64 = pattern.iter().copied().map(f64::from).sum();
    let in_round = pattern.len() as f64 / 2.0;
    let rounds = if round > 0.0 { length / round } else { 0.0 };
    (in_round * rounds).min(1e6) + in_round * contours.min(rounds * in_round + contours)
}

/// The stops of a gradient, which are copied for each use.
fn stops(paint: &Paint) -> f64 {
    match paint {
        Paint::LinearGradient(gradient) => gradient.stops().len() as f64,
        Paint::RadialGradient(gradient) => gradient.stops().len() as f64,
        Paint::Color(_) | Paint::Pattern(_) => 0.0,
    }
}

/// The work of a pixel's colour: the painter looks for its stop, eight pixels at a time.
fn shading(paint: &Paint) -> f64 {
    stops(paint) / 8.0
}
