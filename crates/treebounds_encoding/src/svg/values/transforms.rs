//! Transforms of CSS, and their origins.
//!
//! Functions in three dimensions are flattened: an element is drawn as its shadow on the page, as browsers draw SVG.

use super::lengths::{Environment, Kind, Read, Reader, Whole, read, strict_length, unknown};
use super::split_words;
use cssparser::Parser;
use kurbo::{Affine, Rect, Vec2};

/// A matrix in three dimensions, by columns.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|at| a[at][row] * column[at]).sum()))
}

fn scaled(x: f64, y: f64, z: f64) -> Matrix {
    let mut out = IDENTITY;
    (out[0][0], out[1][1], out[2][2]) = (x, y, z);
    out
}

fn moved(x: f64, y: f64, z: f64) -> Matrix {
    let [i, j, k, _] = IDENTITY;
    [i, j, k, [x, y, z, 1.0]]
}

fn affine(coefficients: [f64; 6]) -> Matrix {
    let [a, b, c, d, e, f] = coefficients;
    [[a, b, 0.0, 0.0], [c, d, 0.0, 0.0], IDENTITY[2], [e, f, 0.0, 1.0]]
}

/// A rotation about an axis, by degrees.
fn turned([x, y, z]: [f64; 3], degrees: f64) -> Matrix {
    let length = x.hypot(y).hypot(z);
    if length == 0.0 {
        return IDENTITY;
    }
    let axis = [x, y, z].map(|part| part / length);
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let mut out = IDENTITY;
    for column in 0..3 {
        for row in 0..3 {
            let same = if row == column { cosine } else { 0.0 };
            // The cross product with the axis.
            let across = match (row + 3 - column) % 3 {
                1 => axis[3 - row - column],
                2 => -axis[3 - row - column],
                _ => 0.0,
            };
            out[column][row] = same + (1.0 - cosine) * axis[row] * axis[column] + sine * across;
        }
    }
    out
}

/// The matrix without the third dimension; `None` if it has a perspective.
fn flat(matrix: &Matrix) -> Option<Affine> {
    let [x, y, _, origin] = matrix;
    let is_flat = [x[3], y[3], origin[3]] == [0.0, 0.0, 1.0];
    is_flat.then(|| Affine::new([x[0], x[1], y[0], y[1], origin[0], origin[1]]))
}

/// Readers of lengths along the axes of a box.
#[derive(Clone, Copy)]
struct Axes<'e> {
    environment: &'e Environment,
    area: Rect,
}

impl Axes<'_> {
    /// Reads an argument.
    fn one(self, kind: Kind, at: usize, input: &mut Parser) -> Read<f64> {
        let whole = match (kind, at) {
            (Kind::Length, 0) => Whole::Pixels(self.area.width()),
            (Kind::Length, 1) => Whole::Pixels(self.area.height()),
            (Kind::Number, _) => Whole::One,
            _ => Whole::Unknown,
        };
        Reader { environment: self.environment, whole }.of_kind(kind, input)
    }

    /// Reads arguments of one kind: as many as the least, or up to the most.
    fn many(self, kind: Kind, least: usize, most: usize, input: &mut Parser) -> Read<Vec<f64>> {
        let mut at = 0;
        let all = input.parse_comma_separated(|input| {
            at += 1;
            self.one(kind, at - 1, input)
        })?;
        if (least..=most).contains(&all.len()) { Ok(all) } else { unknown() }
    }

    fn function(self, name: &str, input: &mut Parser) -> Read<Matrix> {
        let mut numbers = |least, most| self.many(Kind::Number, least, most, input);
        match name {
            "matrix" => return Ok(numbers(6, 6)?.try_into().map_or(IDENTITY, affine)),
            "matrix3d" => {
                let all = numbers(16, 16)?;
                return Ok([0, 4, 8, 12].map(|at| [0, 1, 2, 3].map(|row| all[at + row])));
            }
            "scale" => {
                let all = numbers(1, 2)?;
                return Ok(scaled(all[0], all[all.len() - 1], 1.0));
            }
            "scale3d" => return numbers(3, 3).map(|all| scaled(all[0], all[1], all[2])),
            "scalex" => return numbers(1, 1).map(|all| scaled(all[0], 1.0, 1.0)),
            "scaley" => return numbers(1, 1).map(|all| scaled(1.0, all[0], 1.0)),
            "scalez" => return numbers(1, 1).map(|all| scaled(1.0, 1.0, all[0])),
            _ => {}
        }
        let mut angles = |most| self.many(Kind::Angle, 1, most, input);
        let skewed = |x: f64, y: f64| {
            affine([1.0, y.to_radians().tan(), x.to_radians().tan(), 1.0, 0.0, 0.0])
        };
        match name {
            "rotate" | "rotatez" => return angles(1).map(|all| turned([0.0, 0.0, 1.0], all[0])),
            "rotatex" => return angles(1).map(|all| turned([1.0, 0.0, 0.0], all[0])),
            "rotatey" => return angles(1).map(|all| turned([0.0, 1.0, 0.0], all[0])),
            "skew" => {
                let all = angles(2)?;
                return Ok(skewed(all[0], all.get(1).copied().unwrap_or_default()));
            }
            "skewx" => return angles(1).map(|all| skewed(all[0], 0.0)),
            "skewy" => return angles(1).map(|all| skewed(0.0, all[0])),
            _ => {}
        }
        match name {
            "rotate3d" => {
                let mut axis = [0.0; 3];
                for part in &mut axis {
                    *part = self.one(Kind::Number, 0, input)?;
                    input.expect_comma()?;
                }
                Ok(turned(axis, self.one(Kind::Angle, 0, input)?))
            }
            "translate" => {
                let all = self.many(Kind::Length, 1, 2, input)?;
                Ok(moved(all[0], all.get(1).copied().unwrap_or_default(), 0.0))
            }
            "translate3d" => {
                self.many(Kind::Length, 3, 3, input).map(|all| moved(all[0], all[1], all[2]))
            }
            "translatex" => Ok(moved(self.one(Kind::Length, 0, input)?, 0.0, 0.0)),
            "translatey" => Ok(moved(0.0, self.one(Kind::Length, 1, input)?, 0.0)),
            "translatez" => Ok(moved(0.0, 0.0, self.one(Kind::Length, 2, input)?)),
            _ => unknown(),
        }
    }

    fn transform(self, text: &str) -> Option<Matrix> {
        if text.eq_ignore_ascii_case("none") {
            return Some(IDENTITY);
        }
        read(text, |input| {
            let mut out = IDENTITY;
            loop {
                let name = input.expect_function()?.to_ascii_lowercase();
                let next = input.parse_nested_block(|input| self.function(&name, input))?;
                out = product(&out, &next);
                if input.is_exhausted() {
                    return Ok(out);
                }
            }
        })
    }

    /// A property that is the function of its name, with blanks between the arguments.
    fn individual(self, name: &str, text: &str) -> Option<Matrix> {
        if text == "none" {
            return Some(IDENTITY);
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
        if super::split(text, ',').len() > 1 { None } else { self.transform(&call) }
    }
}

/// The product of `translate`, `rotate`, `scale` and `transform` about the origin of a box; `None` if one is invalid.
pub(in crate::svg) fn transform(
    [translate, rotate, scale, transform]: [&str; 4],
    environment: &Environment,
    area: Rect,
) -> Option<Affine> {
    let axes = Axes { environment, area };
    let mut all = axes.individual("translate", translate)?;
    all = product(&all, &axes.individual("rotate", rotate)?);
    all = product(&all, &axes.individual("scale", scale)?);
    flat(&product(&all, &axes.transform(transform)?))
}

/// Whether the value of one of these properties is valid.
pub(in crate::svg) fn is_transform(name: &str, text: &str, environment: &Environment) -> bool {
    let axes = Axes { environment, area: Rect::ZERO };
    let found =
        if name == "transform" { axes.transform(text) } else { axes.individual(name, text) };
    found.is_some()
}

/// The value of `transform-origin`, a point. In the attribute, lengths need no unit.
pub(in crate::svg) fn origin(text: &str, environment: &Environment, area: Rect) -> Option<Vec2> {
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
