//! Transforms as CSS writes them: with units, and as properties of their own.

use kurbo::{Affine, Rect, Vec2};

/// What percentages are of: a box, at its place.
pub(super) type Reference = Rect;

/// A value that is no transform of the plane, or has units that are not known here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unknown;

/// The value of `transform`.
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

/// The value of `translate`.
pub(super) fn translate(value: &str, reference: Reference) -> Result<Affine, Unknown> {
    match words(value)[..] {
        ["none"] => Ok(Affine::IDENTITY),
        [x] => function("translate", &[x], reference),
        [x, y] | [x, y, _] => function("translate", &[x, y], reference),
        _ => Err(Unknown),
    }
}

/// The value of `rotate`.
pub(super) fn rotate(value: &str) -> Result<Affine, Unknown> {
    match words(value)[..] {
        ["none"] => Ok(Affine::IDENTITY),
        [by] | ["z", by] | [by, "z"] => Ok(Affine::rotate(angle(by)?)),
        _ => Err(Unknown),
    }
}

/// The value of `scale`.
pub(super) fn scale(value: &str) -> Result<Affine, Unknown> {
    match words(value)[..] {
        ["none"] => Ok(Affine::IDENTITY),
        [by] => Ok(Affine::scale(factor(by)?)),
        [x, y] | [x, y, _] => Ok(Affine::scale_non_uniform(factor(x)?, factor(y)?)),
        _ => Err(Unknown),
    }
}

/// The value of `transform-origin`: a point.
pub(super) fn origin(value: &str, reference: Reference) -> Result<Vec2, Unknown> {
    let (x, y) = match words(value)[..] {
        [both @ ("left" | "right" | "center")] => (both, "center"),
        [y @ ("top" | "bottom")] => ("center", y),
        [x] => (x, "center"),
        // Either order where the words say which is which.
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
        // As the attribute has it: about a point.
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

/// A number or a percentage.
fn factor(word: &str) -> Result<f64, Unknown> {
    match word.strip_suffix('%') {
        Some(percent) => Ok(number(percent)? / 100.0),
        None => number(word),
    }
}

/// The number and its unit.
fn split(word: &str) -> Result<(f64, String), Unknown> {
    let is_unit = |letter: char| letter.is_ascii_alphabetic() || letter == '%';
    let digits = word.trim_end_matches(is_unit);
    Ok((number(digits)?, word[digits.len()..].to_ascii_lowercase()))
}

/// In pixels.
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

/// In radians.
fn angle(word: &str) -> Result<f64, Unknown> {
    let (number, unit) = split(word)?;
    Ok(match unit.as_str() {
        // Numbers without a unit are degrees in the attribute, and 0 anywhere.
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
    fn properties_of_their_own() {
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
