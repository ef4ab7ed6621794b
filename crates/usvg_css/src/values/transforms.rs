//! Transforms of CSS, and their origins.
//!
//! Functions in three dimensions are flattened: an element is drawn as its shadow on the page, as browsers draw SVG.

use super::environment::Environment;
use super::lengths::{Reader, Whole, strict_length};
use super::maths::Kind;
use super::syntax::{Read, read, split, split_words, unknown, whole_numbers};
use cssparser::Parser;
use euclid::Angle;
use euclid::default::Transform3D;
use kurbo::{Affine, Rect, Vec2};

/// A matrix in three dimensions.
type Matrix = Transform3D<f64>;

/// A rotation about an axis, by degrees.
fn turned([x, y, z]: [f64; 3], degrees: f64) -> Matrix {
    let length = x.hypot(y).hypot(z);
    if length == 0.0 {
        return Matrix::identity();
    }
    Matrix::rotation(x / length, y / length, z / length, Angle::degrees(degrees))
}

/// The matrix without the third dimension; `None` if it has a perspective.
fn flat(matrix: &Matrix) -> Option<Affine> {
    let is_flat = [matrix.m14, matrix.m24, matrix.m44] == [0.0, 0.0, 1.0];
    is_flat.then(|| Affine::new(matrix.to_2d().to_array()))
}

/// Readers of lengths along the axes of a box.
#[derive(Clone, Copy)]
struct Axes<'e> {
    environment: &'e Environment,
    area: Rect,
}

impl Axes<'_> {
    fn function(self, name: &str, input: &mut Parser) -> Read<Matrix> {
        let wholes = [self.area.width(), self.area.height()].map(Whole::Pixels);
        let mut wholes = wholes.into_iter().skip(usize::from(name == "translatey"));
        let all = input.parse_comma_separated(|input| {
            let along = wholes.next().unwrap_or(Whole::Unknown);
            let whole = if name.starts_with("scale") { Whole::One } else { along };
            Reader { environment: self.environment, whole }.any(input)
        })?;
        let values: Vec<f64> = all.iter().map(|one| one.value).collect();
        let is = |kind: Kind| {
            let mut kinds = all.iter().map(|one| one.kind == kind || one.is_zero());
            kinds.all(|is| is) && values.iter().all(|value| value.is_finite())
        };
        let skewed = |x: f64, y: f64| {
            Matrix::new_2d(1.0, y.to_radians().tan(), x.to_radians().tan(), 1.0, 0.0, 0.0)
        };
        let of_numbers = |matrix: Matrix| is(Kind::Number).then_some(matrix);
        let of_lengths = |matrix: Matrix| is(Kind::Length).then_some(matrix);
        let of_angles = |matrix: Matrix| is(Kind::Angle).then_some(matrix);
        let found = match (name, &values[..]) {
            ("matrix", &[a, b, c, d, e, f]) => of_numbers(Matrix::new_2d(a, b, c, d, e, f)),
            ("matrix3d", all) => {
                all.try_into().ok().and_then(|all| of_numbers(Matrix::from_array(all)))
            }
            ("scale", &[by]) => of_numbers(Matrix::scale(by, by, 1.0)),
            ("scale", &[x, y]) => of_numbers(Matrix::scale(x, y, 1.0)),
            ("scale3d", &[x, y, z]) => of_numbers(Matrix::scale(x, y, z)),
            ("scalex", &[by]) => of_numbers(Matrix::scale(by, 1.0, 1.0)),
            ("scaley", &[by]) => of_numbers(Matrix::scale(1.0, by, 1.0)),
            ("scalez", &[by]) => of_numbers(Matrix::scale(1.0, 1.0, by)),
            ("rotate" | "rotatez", &[by]) => of_angles(turned([0.0, 0.0, 1.0], by)),
            ("rotatex", &[by]) => of_angles(turned([1.0, 0.0, 0.0], by)),
            ("rotatey", &[by]) => of_angles(turned([0.0, 1.0, 0.0], by)),
            ("rotate3d", &[x, y, z, by]) => {
                let is_angle = all[3].kind == Kind::Angle || all[3].is_zero();
                let are_numbers = all[..3].iter().all(|one| one.kind == Kind::Number);
                (is_angle && are_numbers).then(|| turned([x, y, z], by))
            }
            ("skew" | "skewx", &[x]) => of_angles(skewed(x, 0.0)),
            ("skew", &[x, y]) => of_angles(skewed(x, y)),
            ("skewy", &[y]) => of_angles(skewed(0.0, y)),
            ("translate" | "translatex", &[x]) => of_lengths(Matrix::translation(x, 0.0, 0.0)),
            ("translate", &[x, y]) => of_lengths(Matrix::translation(x, y, 0.0)),
            ("translate3d", &[x, y, z]) => of_lengths(Matrix::translation(x, y, z)),
            ("translatey", &[y]) => of_lengths(Matrix::translation(0.0, y, 0.0)),
            ("translatez", &[z]) => of_lengths(Matrix::translation(0.0, 0.0, z)),
            _ => None,
        };
        found.map_or_else(unknown, Ok)
    }

    fn transform(self, text: &str) -> Option<Matrix> {
        if text.eq_ignore_ascii_case("none") {
            return Some(Matrix::identity());
        }
        read(text, |input| {
            let mut out = Matrix::identity();
            loop {
                let name = input.expect_function()?.to_ascii_lowercase();
                let next = input.parse_nested_block(|input| self.function(&name, input))?;
                out = next.then(&out);
                if input.is_exhausted() {
                    return Ok(out);
                }
            }
        })
    }

    /// A property that is the function of its name, with blanks between the arguments.
    fn individual(self, name: &str, text: &str) -> Option<Matrix> {
        if text == "none" {
            return Some(Matrix::identity());
        }
        let words = split_words(text);
        let call = match (name, &words[..]) {
            ("rotate", ["x" | "y" | "z", angle]) => format!("rotate{}({angle})", words[0]),
            ("rotate", [angle, "x" | "y" | "z"]) => format!("rotate{}({angle})", words[1]),
            ("rotate", [x, y, z, angle]) => format!("rotate3d({x}, {y}, {z}, {angle})"),
            ("scale" | "translate", [_, _, _]) => format!("{name}3d({})", words.join(", ")),
            ("rotate", [_]) | ("scale" | "translate", [_] | [_, _]) => {
                format!("{name}({})", words.join(", "))
            }
            _ => return None,
        };
        // A comma would be one too many.
        if split(text, ',').len() > 1 { None } else { self.transform(&call) }
    }
}

/// The product of `translate`, `rotate`, `scale` and `transform` about the origin of a box; `None` if one is invalid.
pub(crate) fn transform(
    [translate, rotate, scale, transform]: [&str; 4],
    environment: &Environment,
    area: Rect,
) -> Option<Affine> {
    let axes = Axes { environment, area };
    let individual = axes.individual("scale", scale)?;
    let individual = individual.then(&axes.individual("rotate", rotate)?);
    let individual = individual.then(&axes.individual("translate", translate)?);
    flat(&axes.transform(transform)?.then(&individual))
}

/// Whether the value of one of these properties is valid.
pub(crate) fn is_transform(name: &str, text: &str, environment: &Environment) -> bool {
    let axes = Axes { environment, area: Rect::ZERO };
    let found =
        if name == "transform" { axes.transform(text) } else { axes.individual(name, text) };
    found.is_some()
}

/// The value of `transform-origin`, a point. In the attribute, lengths need no unit.
pub(crate) fn origin(text: &str, environment: &Environment, area: Rect) -> Option<Vec2> {
    let words = split_words(text);
    let is_x = |word: &str| matches!(word, "left" | "right");
    let is_y = |word: &str| matches!(word, "top" | "bottom");
    let (x, y) = match words[..] {
        [y] if is_y(y) => ("center", y),
        [x] => (x, "center"),
        [y, x] | [y, x, _] if (is_y(y) || y == "center") && (is_x(x) || x == "center") => (x, y),
        [x, y] | [x, y, _] => (x, y),
        _ => return None,
    };
    if let Some(z) = words.get(2) {
        strict_length(z, environment, Whole::Unknown)?;
    }
    if is_y(x) || is_x(y) {
        return None;
    }
    let along = |word: &str, from: f64, size: f64| {
        Some(
            from + match word {
                "left" | "top" => 0.0,
                "center" => size / 2.0,
                "right" | "bottom" => size,
                _ => strict_length(word, environment, Whole::Pixels(size))?,
            },
        )
    };
    Some(Vec2::new(along(x, area.x0, area.width())?, along(y, area.y0, area.height())?))
}

/// A transform of an attribute.
pub(crate) fn attribute_transform(value: &str) -> Option<Affine> {
    if whole_numbers(value) != value
        || value.trim_end().ends_with(',')
        || value.split(')').any(|call| call.trim_end().ends_with(',') && call.contains('('))
    {
        return None;
    }
    let found: svgtypes::Transform = value.parse().ok()?;
    Some(Affine::new([found.a, found.b, found.c, found.d, found.e, found.f]))
}
