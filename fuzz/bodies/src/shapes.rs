//! Generates shapes, transforms and styles from bytes.

use crate::words::Number;
use kurbo::{
    Affine, Arc, BezPath, Cap, Circle, Join, Line, ParamCurve, PathSeg, Point, Rect, RoundedRect,
    Shape, Stroke, Vec2,
};
use treebounds_testkit::Rng;

/// A shape, and whether its numbers are small.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) shape: Any,
    pub(crate) tame: bool,
}

/// The maximum number of path elements for a circle or an arc.
const MOST: usize = 1000;

#[derive(Clone, Debug)]
pub(crate) enum Any {
    Rect(Rect),
    Circle(Circle),
    Line(Line),
    Rounded(RoundedRect),
    Arc(Arc),
    Path(BezPath),
}

impl Drawn {
    pub(crate) fn of(rect: Rect) -> Self {
        Self { shape: Any::Rect(rect), tame: true }
    }

    /// Returns the shape as a path of lines and curves, regardless of size.
    pub(crate) fn path(&self) -> BezPath {
        match &self.shape {
            Any::Rect(shape) => shape.to_path(0.1),
            Any::Line(shape) => shape.to_path(0.1),
            Any::Path(shape) => shape.clone(),
            Any::Circle(shape) => shape.path_elements(0.1).take(MOST).collect(),
            Any::Rounded(shape) => shape.path_elements(0.1).take(MOST).collect(),
            Any::Arc(shape) => shape.path_elements(0.1).take(MOST).collect(),
        }
    }

    /// Returns points that are painted when the shape is filled, or stroked with `reach` on either
    /// side.
    pub(crate) fn points(&self, reach: f64) -> Vec<Point> {
        if !self.tame {
            return Vec::new();
        }
        match &self.shape {
            Any::Rect(rect) => along(&rect.to_path(0.1), reach),
            Any::Line(line) => along(&line.to_path(0.1), reach),
            Any::Path(path) => along(path, reach),
            Any::Circle(Circle { center, radius }) => {
                let turns = (0..8).map(|n| std::f64::consts::FRAC_PI_4 * f64::from(n));
                turns
                    .map(|turn| *center + (radius.abs() + reach) * Vec2::from_angle(turn))
                    .collect()
            }
            Any::Rounded(_) | Any::Arc(_) => Vec::new(),
        }
    }
}

/// Returns points along every segment, and next to straight ones at distance `reach`.
pub(crate) fn along(path: &BezPath, reach: f64) -> Vec<Point> {
    let mut points = Vec::new();
    for segment in path.segments() {
        points.extend([0.0, 0.25, 0.5, 0.8, 1.0].map(|t| segment.eval(t)));
        if let (PathSeg::Line(line), true) = (segment, reach > 0.0) {
            let along = line.p1 - line.p0;
            if along.hypot() > 1e-3 {
                let beside = reach / along.hypot() * Vec2::new(-along.y, along.x);
                points.extend([
                    line.p0 + beside,
                    line.p0 - beside,
                    line.p1 + beside,
                    line.p1 - beside,
                ]);
            }
        }
    }
    points
}

/// Reads numbers and records whether all were small.
struct Reader<'r> {
    rng: &'r mut Rng,
    tame: bool,
}

impl Reader<'_> {
    fn number(&mut self) -> f64 {
        let number = Number::any(self.rng);
        self.tame &= number.is_tame();
        number.0.into()
    }

    fn point(&mut self) -> Point {
        Point::new(self.number(), self.number())
    }
}

pub(crate) fn shape(rng: &mut Rng) -> Drawn {
    let kind = rng.byte();
    let mut read = Reader { rng, tame: true };
    let shape = match kind % 10 {
        0..=2 => Any::Rect(Rect::from_points(read.point(), read.point())),
        3 => Any::Circle(Circle::new(read.point(), read.number())),
        4 => Any::Line(Line::new(read.point(), read.point())),
        5 => Any::Rounded(
            Rect::from_points(read.point(), read.point()).to_rounded_rect(read.number()),
        ),
        6 => {
            let radii = (read.number(), read.number());
            Any::Arc(Arc::new(read.point(), radii, read.number(), read.number(), read.number()))
        }
        _ => Any::Path(path(&mut read)),
    };
    Drawn { shape, tame: read.tame }
}

fn path(read: &mut Reader<'_>) -> BezPath {
    let mut path = BezPath::new();
    path.move_to(read.point());
    for _ in 0..read.rng.below(8) {
        match read.rng.below(6) {
            0 => path.move_to(read.point()),
            1 | 2 => path.line_to(read.point()),
            3 => path.quad_to(read.point(), read.point()),
            4 => path.curve_to(read.point(), read.point(), read.point()),
            _ => path.close_path(),
        }
    }
    path
}

/// Whether its numbers are small.
pub(crate) fn is_tame(transform: Affine) -> bool {
    transform.as_coeffs().iter().all(|x| x.abs() < 1e7)
}

/// Returns a transform: the identity, a translation, a scale, a rotation, or any six numbers.
pub(crate) fn affine(rng: &mut Rng) -> Affine {
    let kind = rng.byte();
    let mut read = Reader { rng, tame: true };
    match kind % 8 {
        0 => Affine::IDENTITY,
        1..=3 => Affine::translate((read.number(), read.number())),
        4 => Affine::scale_non_uniform(read.number() / 16.0, read.number() / 16.0),
        5 | 6 => Affine::rotate(read.number() / 40.0),
        _ => {
            let mut coefficients = [0.0; 6];
            for x in &mut coefficients {
                *x = read.number() / 16.0;
            }
            Affine::new(coefficients)
        }
    }
}

pub(crate) fn stroke(rng: &mut Rng) -> Style {
    let kind = rng.byte();
    let mut read = Reader { rng, tame: true };
    let caps = [Cap::Butt, Cap::Round, Cap::Square];
    let joins = [Join::Miter, Join::Round, Join::Bevel];
    let mut stroke = Stroke::new(read.number())
        .with_start_cap(caps[usize::from(kind % 3)])
        .with_end_cap(caps[usize::from(kind / 3 % 3)])
        .with_join(joins[usize::from(kind / 9 % 3)]);
    if kind >= 200 {
        stroke = stroke.with_miter_limit(read.number());
    }
    if kind >= 240 {
        stroke = stroke.with_dashes(read.number(), [read.number(), read.number()]);
    }
    Style { stroke, tame: read.tame }
}

/// A stroke, and whether its numbers are small.
pub(crate) struct Style {
    pub(crate) stroke: Stroke,
    pub(crate) tame: bool,
}
