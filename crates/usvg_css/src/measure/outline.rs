//! Outlines of shapes: their paths, and their lengths as browsers measure them.

use crate::xml::{Attributes, attribute};
use kurbo::{
    Arc, BezPath, CubicBez, Ellipse, Line, ParamCurve, PathEl, PathSeg, Rect, Shape, Vec2,
};
use std::borrow::Cow;
use std::f64::consts::FRAC_PI_2;

/// The outline of a shape.
pub(crate) enum Outline {
    Path(BezPath),
    /// The data of a path, which are read only if they are needed.
    Data(String),
    Ellipse(Ellipse),
    /// A rectangle with rounded corners of these radii.
    Rounded(Rect, Vec2),
}

impl Outline {
    /// The outline of a shape with these attributes.
    pub(crate) fn of(tag: &str, attributes: &Attributes) -> Option<Self> {
        let text = |name: &str| attribute(attributes, name);
        let number =
            |name: &str| text(name).map_or(Some(0.0), |value| value.trim().parse::<f64>().ok());
        // Each radius of an ellipse or a corner counts for the other, too, unless both are given.
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
                if radii.x > 0.0 && radii.y > 0.0 {
                    Self::Rounded(rect, radii)
                } else {
                    Self::Path(rect.to_path(0.1))
                }
            }
            "circle" | "ellipse" => {
                let radii = radii().filter(|radii| radii.x > 0.0 && radii.y > 0.0)?;
                Self::Ellipse(Ellipse::new((number("cx")?, number("cy")?), radii, 0.0))
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

    /// The outline as a path, up to the first error.
    pub(crate) fn path(&self) -> Cow<'_, BezPath> {
        Cow::Owned(match self {
            Self::Path(path) => return Cow::Borrowed(path),
            Self::Data(data) => read(data),
            Self::Ellipse(ellipse) => ellipse.to_path(0.1),
            Self::Rounded(rect, radii) => rect.to_rounded_rect(radii.x.min(radii.y)).to_path(0.1),
        })
    }

    /// The length of the outline as Chromium measures it: each curve is halved until it is less than half a unit from
    /// straight, and the chords are added. (Skia, `SkContourMeasure`.)
    pub(crate) fn length(&self) -> f64 {
        // Four quarters of an ellipse.
        let round =
            |radii: Vec2| 4.0 * chords(Arc::new((0.0, 0.0), radii, 0.0, FRAC_PI_2, 0.0), is_bent);
        match self {
            Self::Ellipse(ellipse) => round(ellipse.radii()),
            Self::Rounded(rect, radii) => {
                let (width, height) = (rect.width(), rect.height());
                let (rx, ry) = (radii.x.min(width / 2.0), radii.y.min(height / 2.0));
                2.0 * (width + height) - 4.0 * (rx + ry) + round(Vec2::new(rx, ry))
            }
            _ => self
                .path()
                .segments()
                .map(|segment| match segment {
                    PathSeg::Cubic(cubic) => chords(cubic, is_cubic_bent),
                    curve => chords(curve, is_bent),
                })
                .sum(),
        }
    }
}

/// The path of these data, up to the first error.
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

/// How far a curve may be from straight, in the larger of both directions.
const BEND: f64 = 0.5;

/// How often a curve is halved at most.
const HALVINGS: u32 = 12;

/// The length of the chords of a curve, each of which is straight enough.
fn chords<C: ParamCurve>(curve: C, is_bent: fn(&C) -> bool) -> f64 {
    halved(curve, is_bent, HALVINGS)
}

fn halved<C: ParamCurve>(curve: C, is_bent: fn(&C) -> bool, halvings: u32) -> f64 {
    if halvings == 0 || !is_bent(&curve) {
        return curve.start().distance(curve.end());
    }
    let (first, second) = curve.subdivide();
    halved(first, is_bent, halvings - 1) + halved(second, is_bent, halvings - 1)
}

fn is_far(way: Vec2) -> bool {
    way.x.abs().max(way.y.abs()) > BEND
}

/// Whether the middle of a curve is far from the middle of its chord.
fn is_bent<C: ParamCurve>(curve: &C) -> bool {
    is_far(curve.eval(0.5) - curve.start().midpoint(curve.end()))
}

/// Whether a control point is far from its third of the chord.
fn is_cubic_bent(curve: &CubicBez) -> bool {
    let (from, to) = (curve.p0, curve.p3);
    is_far(curve.p1 - from.lerp(to, 1.0 / 3.0)) || is_far(curve.p2 - from.lerp(to, 2.0 / 3.0))
}
