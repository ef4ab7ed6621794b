//! CSS properties that usvg ignores or reads differently, and the transforms they describe.

use kurbo::{Affine, Rect, Vec2};
use usvg::roxmltree::Node;
use usvg_guard::Cascade;

/// The properties that move an element.
pub(super) const MOVES: [&str; 6] =
    ["transform", "transform-origin", "transform-box", "translate", "rotate", "scale"];

/// The properties that give a shape its size and position.
pub(super) const GEOMETRY: [&str; 10] =
    ["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d"];

/// The properties that have no effect here.
pub(super) const LEFT_OUT: [&str; 12] = [
    "animation",
    "animation-name",
    "clip-path",
    "inline-size",
    "mask-image",
    "offset-path",
    "perspective",
    "shape-inside",
    "shape-subtract",
    "-webkit-mask",
    "-webkit-mask-image",
    "zoom",
];

/// Whether this crate looks at a property.
pub(super) fn is_wanted(name: &str) -> bool {
    MOVES.contains(&name)
        || GEOMETRY.contains(&name)
        || LEFT_OUT.contains(&name)
        || matches!(name, "display" | "visibility" | "vector-effect")
}

/// The declarations for one element, from style sheets and its `style` attribute, that this crate looks at.
#[derive(Clone, Debug, Default)]
pub(super) struct Style<'a> {
    declared: Vec<(&'a str, &'a str)>,
}

impl<'a> Style<'a> {
    /// The declarations for this element.
    pub(super) fn of(node: Node<'a, '_>, cascade: &Cascade<'a>) -> Self {
        let mut declared = Vec::new();
        cascade.declarations(node, |name, value, _| {
            if is_wanted(name) {
                declared.push((name, value));
            }
        });
        Self { declared }
    }

    /// The value of a declared property.
    pub(super) fn get(&self, property: &str) -> Option<&'a str> {
        self.declared.iter().rfind(|(name, _)| *name == property).map(|(_, value)| *value)
    }

    /// The value of a declared property, or else of the attribute with its name.
    pub(super) fn or_attribute(&self, node: Node<'a, '_>, property: &str) -> Option<&'a str> {
        self.get(property).or_else(|| node.attribute(property))
    }

    /// Whether any of these properties is declared.
    pub(super) fn has_any(&self, properties: &[&str]) -> bool {
        self.declared.iter().any(|(name, _)| properties.contains(name))
    }

    /// Whether no property is declared.
    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }
}

/// The box that percentages and keywords refer to.
pub(super) type Reference = Rect;

/// A value that is not a transform of the plane, or has an unsupported unit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unknown;

/// Parses the value of `transform`.
pub(super) fn transform(value: &str, reference: Reference) -> Result<Affine, Unknown> {
    if value.trim() == "none" {
        return Ok(Affine::IDENTITY);
    }
    let mut out = Affine::IDENTITY;
    let mut rest = value.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('(').ok_or(Unknown)?;
        let (arguments, after) = after.split_once(')').ok_or(Unknown)?;
        out *= function(&name.trim().to_ascii_lowercase(), &words(arguments), reference)?;
        rest = after.trim_start_matches([',', ' ', '\t', '\r', '\n']);
    }
    Ok(out)
}

/// Parses the value of `translate`.
pub(super) fn translate(value: &str, reference: Reference) -> Result<Affine, Unknown> {
    match words(value)[..] {
        ["none"] => Ok(Affine::IDENTITY),
        [x] => function("translate", &[x], reference),
        [x, y] | [x, y, _] => function("translate", &[x, y], reference),
        _ => Err(Unknown),
    }
}

/// Parses the value of `rotate`.
pub(super) fn rotate(value: &str) -> Result<Affine, Unknown> {
    match words(value)[..] {
        ["none"] => Ok(Affine::IDENTITY),
        [by] | ["z", by] | [by, "z"] => Ok(Affine::rotate(angle(by)?)),
        _ => Err(Unknown),
    }
}

/// Parses the value of `scale`.
pub(super) fn scale(value: &str) -> Result<Affine, Unknown> {
    match words(value)[..] {
        ["none"] => Ok(Affine::IDENTITY),
        [by] => Ok(Affine::scale(factor(by)?)),
        [x, y] | [x, y, _] => Ok(Affine::scale_non_uniform(factor(x)?, factor(y)?)),
        _ => Err(Unknown),
    }
}

/// Parses the value of `transform-origin`, a point.
pub(super) fn origin(value: &str, reference: Reference) -> Result<Vec2, Unknown> {
    let (x, y) = match words(value)[..] {
        [both @ ("left" | "right" | "center")] => (both, "center"),
        [y @ ("top" | "bottom")] => ("center", y),
        [x] => (x, "center"),
        // The keywords allow either order.
        [y @ ("top" | "bottom"), x] | [y @ ("top" | "bottom"), x, _] => (x, y),
        [y, x @ ("left" | "right")] | [y, x @ ("left" | "right"), _] => (x, y),
        [x, y] | [x, y, _] => (x, y),
        _ => return Err(Unknown),
    };
    let along = |word: &str, from: f64, size: f64| {
        Ok(from
            + match word {
                "left" | "top" => 0.0,
                "center" => size / 2.0,
                "right" | "bottom" => size,
                _ => length(word, size)?,
            })
    };
    let (width, height) = (reference.width(), reference.height());
    Ok(Vec2::new(along(x, reference.x0, width)?, along(y, reference.y0, height)?))
}

fn function(name: &str, words: &[&str], reference: Reference) -> Result<Affine, Unknown> {
    let x = |word: &str| length(word, reference.width());
    let y = |word: &str| length(word, reference.height());
    Ok(match (name, words) {
        ("matrix", [a, b, c, d, e, f]) => {
            let [a, b, c, d] = [factor(a)?, factor(b)?, factor(c)?, factor(d)?];
            Affine::new([a, b, c, d, number(e)?, number(f)?])
        }
        ("translate", [dx]) | ("translatex", [dx]) => Affine::translate((x(dx)?, 0.0)),
        ("translate" | "translate3d", [dx, dy]) | ("translate3d", [dx, dy, _]) => {
            Affine::translate((x(dx)?, y(dy)?))
        }
        ("translatey", [dy]) => Affine::translate((0.0, y(dy)?)),
        ("translatez", [_]) => Affine::IDENTITY,
        ("scale", [by]) => Affine::scale(factor(by)?),
        ("scale", [x, y]) | ("scale3d", [x, y, _]) => {
            Affine::scale_non_uniform(factor(x)?, factor(y)?)
        }
        ("scalex", [x]) => Affine::scale_non_uniform(factor(x)?, 1.0),
        ("scaley", [y]) => Affine::scale_non_uniform(1.0, factor(y)?),
        ("scalez", [_]) => Affine::IDENTITY,
        ("rotate" | "rotatez", [by]) => Affine::rotate(angle(by)?),
        // The attribute's form: about a point.
        ("rotate", [by, cx, cy]) => Affine::rotate_about(angle(by)?, (number(cx)?, number(cy)?)),
        ("skew", [by]) | ("skewx", [by]) => Affine::skew(angle(by)?.tan(), 0.0),
        ("skew", [x, y]) => Affine::skew(angle(x)?.tan(), angle(y)?.tan()),
        ("skewy", [by]) => Affine::skew(0.0, angle(by)?.tan()),
        _ => return Err(Unknown),
    })
}

fn words(text: &str) -> Vec<&str> {
    let is_gap = |letter: char| letter == ',' || letter.is_ascii_whitespace();
    text.split(is_gap).filter(|word| !word.is_empty()).collect()
}

fn number(word: &str) -> Result<f64, Unknown> {
    word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or(Unknown)
}

/// Parses a number or a percentage.
fn factor(word: &str) -> Result<f64, Unknown> {
    match word.strip_suffix('%') {
        Some(percent) => Ok(number(percent)? / 100.0),
        None => number(word),
    }
}

/// Splits a word into a number and its unit.
fn split(word: &str) -> Result<(f64, String), Unknown> {
    let is_unit = |letter: char| letter.is_ascii_alphabetic() || letter == '%';
    let digits = word.trim_end_matches(is_unit);
    Ok((number(digits)?, word[digits.len()..].to_ascii_lowercase()))
}

/// Parses a length, in pixels.
fn length(word: &str, whole: f64) -> Result<f64, Unknown> {
    let (number, unit) = split(word)?;
    Ok(number
        * match unit.as_str() {
            "" | "px" => 1.0,
            "%" => whole / 100.0,
            "in" => 96.0,
            "cm" => 96.0 / 2.54,
            "mm" => 96.0 / 25.4,
            "q" => 96.0 / 101.6,
            "pt" => 96.0 / 72.0,
            "pc" => 16.0,
            _ => return Err(Unknown),
        })
}

/// Parses an angle, in radians.
fn angle(word: &str) -> Result<f64, Unknown> {
    let (number, unit) = split(word)?;
    Ok(match unit.as_str() {
        // Without a unit: degrees in the attribute, and in CSS only 0 is allowed.
        "" | "deg" => number.to_radians(),
        "rad" => number,
        "grad" => (number * 0.9).to_radians(),
        "turn" => (number * 360.0).to_radians(),
        _ => return Err(Unknown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect::new(10.0, 20.0, 110.0, 70.0);

    #[track_caller]
    fn assert_near(found: Result<Affine, Unknown>, expected: [f64; 6]) {
        let found = found.expect("a transform").as_coeffs();
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "{found:?} is not {expected:?}");
    }

    #[test]
    fn functions_have_units() {
        let read = |text| transform(text, BOX);
        assert_near(read("none"), [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_near(read("translate(10px, 50%)"), [1.0, 0.0, 0.0, 1.0, 10.0, 25.0]);
        assert_near(read("translateX(1in)  scaleY(2)"), [1.0, 0.0, 0.0, 2.0, 96.0, 0.0]);
        assert_near(read("rotate(.25turn)"), [0.0, 1.0, -1.0, 0.0, 0.0, 0.0]);
        assert_near(read("rotate(100grad)"), [0.0, 1.0, -1.0, 0.0, 0.0, 0.0]);
        assert_near(read("matrix(1,2,3,4,5,6)"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_near(read("translate3d(1e1px,2px,3px)"), [1.0, 0.0, 0.0, 1.0, 10.0, 2.0]);
        for wrong in ["rotateX(3deg)", "translate(calc(1px + 2px))", "translate(2em)", "spin", "("]
        {
            assert_eq!(read(wrong), Err(Unknown), "{wrong}");
        }
    }

    #[test]
    fn individual_transform_properties() {
        assert_near(translate("10% 5px", BOX), [1.0, 0.0, 0.0, 1.0, 10.0, 5.0]);
        assert_near(rotate("90deg"), [0.0, 1.0, -1.0, 0.0, 0.0, 0.0]);
        assert_near(scale("200% 3"), [2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    }

    #[test]
    fn origins_are_points_of_the_box() {
        let read = |text| origin(text, BOX);
        assert_eq!(read("center"), Ok(Vec2::new(60.0, 45.0)));
        assert_eq!(read("top left"), Ok(Vec2::new(10.0, 20.0)));
        assert_eq!(read("right"), Ok(Vec2::new(110.0, 45.0)));
        assert_eq!(read("50% 10px 0"), Ok(Vec2::new(60.0, 30.0)));
        assert_eq!(read("1ch 2px"), Err(Unknown));
    }
}
