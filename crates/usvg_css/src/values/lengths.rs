//! Lengths, numbers and angles, and calculations with them.

use super::environment::Environment;
use super::syntax::{Read, is_plain, plain, read, split, split_words, unknown};
use cssparser::{ParseError, Parser, Token};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Number,
    /// In pixels.
    Length,
    /// In degrees.
    Angle,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    pub(crate) kind: Kind,
}

impl Quantity {
    /// Whether the quantity is a zero without a unit, which may be of any kind.
    pub(crate) fn is_zero(self) -> bool {
        self.kind == Kind::Number && self.value == 0.0
    }
}

/// The length that a percentage refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Whole {
    /// The width of the viewport.
    X,
    /// The height of the viewport.
    Y,
    /// The diagonal of the viewport, divided by the square root of two.
    Diagonal,
    /// This many pixels.
    Pixels(f64),
    /// The font size.
    Em,
    /// The number 1, so that a percentage is a number.
    One,
    /// Percentages are passed on to usvg.
    Unknown,
}

impl Whole {
    fn pixels(self, environment: &Environment) -> Option<f64> {
        let (width, height) = match self {
            Self::Pixels(pixels) => return Some(pixels),
            Self::One => return Some(1.0),
            Self::Em => return Some(environment.font.size),
            Self::Unknown => return None,
            _ => environment.view?,
        };
        Some(match self {
            Self::X => width,
            Self::Y => height,
            _ => width.hypot(height) / std::f64::consts::SQRT_2,
        })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Reader<'e> {
    pub(crate) environment: &'e Environment,
    pub(crate) whole: Whole,
}

impl Reader<'_> {
    /// Reads a number, a length, an angle, a percentage or a calculation.
    pub(crate) fn any(self, input: &mut Parser) -> Read<Quantity> {
        let (value, kind) = match input.next()?.clone() {
            Token::Number { value, .. } => (f64::from(value), Kind::Number),
            Token::Percentage { unit_value, .. } => match self.whole.pixels(self.environment) {
                Some(one) if self.whole == Whole::One => {
                    (f64::from(unit_value) * one, Kind::Number)
                }
                Some(whole) => (f64::from(unit_value) * whole, Kind::Length),
                None => return unknown(),
            },
            Token::Dimension { value, unit, .. } => {
                match unit_factor(&unit.to_ascii_lowercase(), self.environment) {
                    Some((factor, kind)) => (f64::from(value) * factor, kind),
                    None => return unknown(),
                }
            }
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                return input.parse_nested_block(|input| self.function(&name, input));
            }
            _ => return unknown(),
        };
        Ok(Quantity { value, kind })
    }

    /// Reads a quantity of this kind. Zero needs no unit.
    pub(crate) fn of_kind(self, kind: Kind, input: &mut Parser) -> Read<f64> {
        let one = self.any(input)?;
        if one.value.is_finite() && (one.kind == kind || one.is_zero()) {
            Ok(one.value)
        } else {
            unknown()
        }
    }

    fn function(self, name: &str, input: &mut Parser) -> Read<Quantity> {
        if matches!(name, "calc" | "-webkit-calc") {
            return self.sum(input);
        }
        let all = input.parse_comma_separated(|input| self.sum(input))?;
        let kind = all.first().map_or(Kind::Number, |one| one.kind);
        let values: Vec<f64> = all.iter().map(|one| one.value).collect();
        let value = match (name, &values[..]) {
            _ if all.iter().any(|one| one.kind != kind) => return unknown(),
            ("min", all) => all.iter().copied().fold(f64::INFINITY, f64::min),
            ("max", all) => all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ("clamp", [least, value, most]) => value.min(*most).max(*least),
            _ => return unknown(),
        };
        Ok(Quantity { value, kind })
    }

    fn sum(self, input: &mut Parser) -> Read<Quantity> {
        let mut sum = self.product(input)?;
        // A sign requires whitespace on both sides.
        while let Ok(sign) = input.try_parse(|input| {
            input.expect_whitespace()?;
            let sign = match input.next_including_whitespace()? {
                Token::Delim('+') => 1.0,
                Token::Delim('-') => -1.0,
                _ => return unknown(),
            };
            input.expect_whitespace()?;
            Ok::<_, ParseError<()>>(sign)
        }) {
            let more = self.product(input)?;
            if more.kind != sum.kind {
                return unknown();
            }
            sum.value += sign * more.value;
        }
        Ok(sum)
    }

    fn product(self, input: &mut Parser) -> Read<Quantity> {
        let mut product = self.term(input)?;
        while let Ok(is_division) = input.try_parse(|input| match input.next()? {
            Token::Delim('*') => Ok(false),
            Token::Delim('/') => Ok(true),
            _ => unknown(),
        }) {
            let by = self.term(input)?;
            match (is_division, product.kind, by.kind) {
                (true, _, Kind::Number) => product.value /= by.value,
                (false, _, Kind::Number) => product.value *= by.value,
                (false, Kind::Number, kind) => {
                    product = Quantity { value: product.value * by.value, kind };
                }
                _ => return unknown(),
            }
        }
        Ok(product)
    }

    /// Reads a quantity, or a sum in parentheses.
    fn term(self, input: &mut Parser) -> Read<Quantity> {
        let is_block = input.try_parse(Parser::expect_parenthesis_block).is_ok();
        if is_block { input.parse_nested_block(|input| self.sum(input)) } else { self.any(input) }
    }
}

fn unit_factor(unit: &str, environment: &Environment) -> Option<(f64, Kind)> {
    let (width, height) = environment.page;
    let of_root = unit.strip_prefix('r').filter(|unit| *unit != "ad");
    let font = if of_root.is_some() { &environment.root_font } else { &environment.font };
    // Browser windows vary in size, but a picture has a fixed size. No element here is a container.
    let of_window = unit.strip_prefix(['s', 'l', 'd']).filter(|unit| unit.starts_with('v'));
    let length = match of_root.or(of_window).unwrap_or(unit) {
        "px" => 1.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "em" | "ic" => font.size,
        "ex" => font.ex,
        "cap" => font.cap,
        "ch" => font.ch,
        "lh" => font.line,
        "vw" | "vi" | "cqw" | "cqi" => width / 100.0,
        "vh" | "vb" | "cqh" | "cqb" => height / 100.0,
        "vmin" | "cqmin" => width.min(height) / 100.0,
        "vmax" | "cqmax" => width.max(height) / 100.0,
        "deg" => return Some((1.0, Kind::Angle)),
        "rad" => return Some((180.0 / std::f64::consts::PI, Kind::Angle)),
        "grad" => return Some((0.9, Kind::Angle)),
        "turn" => return Some((360.0, Kind::Angle)),
        _ => return None,
    };
    Some((length, Kind::Length))
}

/// Returns a length in pixels.
pub(crate) fn pixels(text: &str, environment: &Environment) -> Option<f64> {
    length_in(text, environment, Whole::Unknown)
}

/// Returns a length in pixels, with percentages of `whole`. Plain numbers count as pixels.
pub(crate) fn length_in(text: &str, environment: &Environment, whole: Whole) -> Option<f64> {
    if is_plain(text) {
        return text.parse().ok();
    }
    let found = read(text, |input| Reader { environment, whole }.any(input))?;
    (found.kind != Kind::Angle && found.value.is_finite()).then_some(found.value)
}

/// Returns a length with a unit, as CSS requires.
pub(crate) fn strict_length(text: &str, environment: &Environment, whole: Whole) -> Option<f64> {
    read(text, |input| Reader { environment, whole }.of_kind(Kind::Length, input))
}

/// Returns a length inside a function, which requires a unit in CSS but not in an attribute.
pub(crate) fn length_in_function(
    text: &str,
    environment: &Environment,
    whole: Whole,
    in_css: bool,
) -> Option<f64> {
    (if in_css { strict_length } else { length_in })(text, environment, whole)
}

/// Returns a length in usvg's syntax.
pub(crate) fn length(text: &str, environment: &Environment, whole: Whole) -> Option<String> {
    if is_plain(text) {
        return Some(text.to_owned());
    }
    if let Some(found) = length_in(text, environment, whole) {
        return plain(found);
    }
    // usvg computes percentages itself.
    let part = read(text, |input| Ok(input.expect_percentage()?))?;
    Some(plain(f64::from(part) * 100.0)? + "%")
}

/// Returns lengths separated by whitespace or commas.
pub(crate) fn lengths(text: &str, environment: &Environment, whole: Whole) -> Option<Vec<f64>> {
    let words = split(text, ',').into_iter().map(split_words);
    let words: Option<Vec<_>> = words.map(|part| (!part.is_empty()).then_some(part)).collect();
    words?.into_iter().flatten().map(|word| length_in(word, environment, whole)).collect()
}

/// Returns a number, or a percentage as a fraction.
pub(crate) fn number(text: &str, environment: &Environment) -> Option<f64> {
    if is_plain(text) {
        return text.parse().ok();
    }
    read(text, |input| Reader { environment, whole: Whole::One }.of_kind(Kind::Number, input))
}
