//! Outlines of shapes: their paths, and their lengths as browsers measure them.

use crate::xml::{Attributes, attribute};
use kurbo::{
    Affine, BezPath, CubicBez, Ellipse, Line, ParamCurve, PathEl, PathSeg, Rect, Shape, Vec2,
};
use std::borrow::Cow;

pub(crate) enum Outline {
    Path(BezPath),
    /// Path data, parsed only on demand.
    Data(String),
}

impl Outline {
    pub(crate) fn of(tag: &str, attributes: &Attributes) -> Option<Self> {
        let text = |name: &str| attribute(attributes, name);
        let number =
            |name: &str| text(name).map_or(Some(0.0), |value| value.trim().parse::<f64>().ok());
        // Each radius of an ellipse or a corner also defines the other one, unless both are given.
        let radii = || {
            let first = |names: [&str; 3]| {
                let given = names.into_iter().find(|name| text(name).is_some());
                given.map_or(Some(0.0), number)
            };
            Some(Vec2::new(first(["r", "rx", "ry"])?, first(["r", "ry", "rx"])?))
        };
        Some(match tag {
            "path" => Self::Data(text("d")?.to_owned()),
            "image" if text("width").and(text("height")).is_none() => return None,
            "rect" | "image" => {
                let (x, y) = (number("x")?, number("y")?);
                let (width, height) = (number("width")?, number("height")?);
                if tag == "rect" && (width <= 0.0 || height <= 0.0) {
                    return None;
                }
                let rect = Rect::new(x, y, x + width, y + height);
                let radii = radii()?;
                let (rx, ry) = (radii.x.min(width / 2.0), radii.y.min(height / 2.0));
                if rx > 0.0 && ry > 0.0 {
                    // Circular corners, stretched.
                    let by = Affine::scale_non_uniform(1.0, ry / rx);
                    let round = by.inverse().transform_rect_bbox(rect).to_rounded_rect(rx);
                    Self::Path(by * round.to_path(0.1))
                } else {
                    Self::Path(rect.to_path(0.1))
                }
            }
            "circle" | "ellipse" => {
                let radii = radii().filter(|radii| radii.x > 0.0 && radii.y > 0.0)?;
                let centre = (number("cx")?, number("cy")?);
                Self::Path(Ellipse::new(centre, radii, 0.0).to_path(0.1))
            }
            "line" => {
                let (from, to) = ((number("x1")?, number("y1")?), (number("x2")?, number("y2")?));
                Self::Path(Line::new(from, to).to_path(0.1))
            }
            _ => {
                let mut path = BezPath::new();
                for (index, point) in svgtypes::PointsParser::from(text("points")?).enumerate() {
                    if index == 0 { path.move_to(point) } else { path.line_to(point) }
                }
                if tag == "polygon" && !path.is_empty() {
                    path.close_path();
                }
                Self::Path(path)
            }
        })
    }

    /// Returns the outline as a path, up to the first error.
    pub(crate) fn path(&self) -> Cow<'_, BezPath> {
        match self {
            Self::Path(path) => Cow::Borrowed(path),
            Self::Data(data) => Cow::Owned(read(data)),
        }
    }

    /// Returns the length of the outline as Chromium measures it: each curve is halved until it deviates by less than
    /// half a unit from a line, and the chords are added. (Skia, `SkContourMeasure`.)
    pub(crate) fn length(&self) -> f64 {
        let is_round = matches!(self, Self::Path(_));
        self.path().segments().map(|segment| chords(segment, is_round, HALVINGS)).sum()
    }
}

/// Parses path data, up to the first error.
fn read(data: &str) -> BezPath {
    use svgtypes::{SimplePathSegment as S, SimplifyingPathParser};
    let all = SimplifyingPathParser::from(data).map_while(Result::ok);
    let elements = all.map(|segment| match segment {
        S::MoveTo { x, y } => PathEl::MoveTo((x, y).into()),
        S::LineTo { x, y } => PathEl::LineTo((x, y).into()),
        S::CurveTo { x1, y1, x2, y2, x, y } => {
            PathEl::CurveTo((x1, y1).into(), (x2, y2).into(), (x, y).into())
        }
        S::Quadratic { x1, y1, x, y } => PathEl::QuadTo((x1, y1).into(), (x, y).into()),
        S::ClosePath => PathEl::ClosePath,
    });
    elements.skip_while(|element| !matches!(element, PathEl::MoveTo(_))).collect()
}

/// The maximum deviation of a curve from a line, as the larger of both coordinates.
const BEND: f64 = 0.5;

/// The maximum number of times to halve a curve.
const HALVINGS: u32 = 12;

/// Splits a curve into pieces that are straight enough, and returns the total length of their chords. A cubic is
/// tested at its control points, a circular arc at its middle.
fn chords(curve: PathSeg, is_round: bool, halvings: u32) -> f64 {
    let CubicBez { p0: from, p1, p2, p3: to } = curve.to_cubic();
    let is_far = |way: Vec2| way.x.abs().max(way.y.abs()) > BEND;
    let is_bent = match curve {
        PathSeg::Cubic(_) if !is_round => {
            is_far(p1 - from.lerp(to, 1.0 / 3.0)) || is_far(p2 - from.lerp(to, 2.0 / 3.0))
        }
        _ => is_far(curve.eval(0.5) - from.midpoint(to)),
    };
    if halvings == 0 || !is_bent {
        return from.distance(to);
    }
    let (first, second) = curve.subdivide();
    chords(first, is_round, halvings - 1) + chords(second, is_round, halvings - 1)
}
