//! CSS transforms and their origins.
//!
//! 3D functions are flattened: an element is drawn as its projection on the page, as browsers draw SVG. Elements that
//! leave the page twice, or rotate about a slanted axis, are not supported.

use super::environment::Environment;
use super::lengths::{Kind, Quantity, Reader, Whole, strict_length};
use super::syntax::{Read, read, split, split_words, unknown, whole_numbers};
use cssparser::Parser;
use kurbo::{Affine, Rect, Vec2};

/// Parsers of lengths along the axes of a box.
#[derive(Clone, Copy)]
struct Axes<'e> {
    environment: &'e Environment,
    area: Rect,
}

impl Axes<'_> {
    /// Parses a function. Returns its matrix, and whether it leaves the page.
    fn function(self, name: &str, input: &mut Parser) -> Read<(Affine, bool)> {
        let wholes = [self.area.width(), self.area.height()].map(Whole::Pixels);
        let mut wholes = wholes.into_iter().skip(usize::from(name == "translatey"));
        let all = input.parse_comma_separated(|input| {
            let along = wholes.next().unwrap_or(Whole::Unknown);
            let whole = if name.starts_with("scale") { Whole::One } else { along };
            Reader { environment: self.environment, whole }.any(input)
        })?;
        let values: Vec<f64> = all.iter().map(|one| one.value).collect();
        let kind = match name {
            name if name.starts_with("translate") => Kind::Length,
            name if name.starts_with("rotate") || name.starts_with("skew") => Kind::Angle,
            _ => Kind::Number,
        };
        let is_good = |one: &Quantity| one.value.is_finite() && (one.kind == kind || one.is_zero());
        let turned = |degrees: f64| Affine::rotate(degrees.to_radians());
        let skewed = |x: f64, y: f64| Affine::skew(x.to_radians().tan(), y.to_radians().tan());
        let (matrix, is_deep) = match (name, &values[..]) {
            _ if !all.iter().all(is_good) => return unknown(),
            ("matrix", &[a, b, c, d, e, f]) => (Affine::new([a, b, c, d, e, f]), false),
            ("scale", &[by]) => (Affine::scale(by), false),
            ("scale", &[x, y]) => (Affine::scale_non_uniform(x, y), false),
            ("scale3d", &[x, y, z]) => (Affine::scale_non_uniform(x, y), z != 1.0),
            ("scalex", &[by]) => (Affine::scale_non_uniform(by, 1.0), false),
            ("scaley", &[by]) => (Affine::scale_non_uniform(1.0, by), false),
            ("scalez", &[by]) => (Affine::IDENTITY, by != 1.0),
            ("rotate" | "rotatez", &[by]) => (turned(by), false),
            ("rotatex", &[by]) => (Affine::scale_non_uniform(1.0, by.to_radians().cos()), true),
            ("rotatey", &[by]) => (Affine::scale_non_uniform(by.to_radians().cos(), 1.0), true),
            ("skew" | "skewx", &[x]) => (skewed(x, 0.0), false),
            ("skew", &[x, y]) => (skewed(x, y), false),
            ("skewy", &[y]) => (skewed(0.0, y), false),
            ("translate" | "translatex", &[x]) => (Affine::translate((x, 0.0)), false),
            ("translate", &[x, y]) => (Affine::translate((x, y)), false),
            ("translate3d", &[x, y, z]) => (Affine::translate((x, y)), z != 0.0),
            ("translatey", &[y]) => (Affine::translate((0.0, y)), false),
            ("translatez", &[z]) => (Affine::IDENTITY, z != 0.0),
            _ => return unknown(),
        };
        Ok((matrix, is_deep))
    }

    fn transform(self, text: &str) -> Option<Affine> {
        if text.eq_ignore_ascii_case("none") {
            return Some(Affine::IDENTITY);
        }
        read(text, |input| {
            let (mut out, mut was_deep) = (Affine::IDENTITY, false);
            loop {
                let name = input.expect_function()?.to_ascii_lowercase();
                let (next, is_deep) =
                    input.parse_nested_block(|input| self.function(&name, input))?;
                if was_deep && is_deep {
                    return unknown();
                }
                out *= next;
                was_deep |= is_deep;
                if input.is_exhausted() {
                    return Ok(out);
                }
            }
        })
    }

    /// Parses a property whose value is the arguments of the function of the same name, separated by whitespace.
    fn individual(self, name: &str, text: &str) -> Option<Affine> {
        if text == "none" {
            return Some(Affine::IDENTITY);
        }
        let words = split_words(text);
        let call = match (name, &words[..]) {
            ("rotate", ["z", angle] | [angle, "z"]) => format!("rotate({angle})"),
            ("scale" | "translate", [_, _, _]) => format!("{name}3d({})", words.join(", ")),
            ("rotate", [_]) | ("scale" | "translate", [_] | [_, _]) => {
                format!("{name}({})", words.join(", "))
            }
            _ => return None,
        };
        // A comma is not allowed here.
        if split(text, ',').len() > 1 { None } else { self.transform(&call) }
    }
}

/// Returns the product of `translate`, `rotate`, `scale` and `transform` about the origin of a box; `None` if one is
/// invalid.
pub(crate) fn transform(
    [translate, rotate, scale, transform]: [&str; 4],
    environment: &Environment,
    area: Rect,
) -> Option<Affine> {
    let axes = Axes { environment, area };
    let moved = axes.individual("translate", translate)? * axes.individual("rotate", rotate)?;
    Some(moved * axes.individual("scale", scale)? * axes.transform(transform)?)
}

/// Whether the value of one of these properties is valid.
pub(crate) fn is_transform(name: &str, text: &str, environment: &Environment) -> bool {
    let axes = Axes { environment, area: Rect::ZERO };
    let found =
        if name == "transform" { axes.transform(text) } else { axes.individual(name, text) };
    found.is_some()
}

/// Parses the value of `transform-origin`, a point. In the attribute, lengths need no unit.
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

/// Parses a transform attribute.
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
