//! The functions of `filter`.

use super::colours::colour;
use super::environment::Environment;
use super::lengths::{Kind, Reader, Whole, length_in_function, number};
use super::syntax::{read, split_words, url};
use cssparser::Parser;
use kurbo::Vec2;
use std::fmt::Write;

/// A `filter` function, reduced to what boxes and pictures need.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Blur(f64),
    Shadow {
        by: Vec2,
        blur: f64,
        colour: String,
    },
    /// A filter that makes everything transparent.
    Clear,
    /// A filter primitive without region attributes.
    Colours(String),
    /// A filter in the document.
    Link(String),
}

/// Reads the functions of `filter`. Lengths in attributes need no unit.
pub(crate) fn effects(text: &str, environment: &Environment, in_css: bool) -> Option<Vec<Effect>> {
    // Functions may follow each other without whitespace.
    let text = text.replace(')', ") ");
    split_words(&text).into_iter().map(|word| effect(word, environment, in_css)).collect()
}

fn effect(text: &str, environment: &Environment, in_css: bool) -> Option<Effect> {
    if let Some((link, _)) = url(text) {
        return Some(Effect::Link(link));
    }
    let (name, inner) = text.split_once('(')?;
    let inner = inner.strip_suffix(')')?.trim();
    let length = |text: &str| length_in_function(text, environment, Whole::Unknown, in_css);
    let amount = || if inner.is_empty() { Some(1.0) } else { number(inner, environment) };
    let linear = |slope: f64, start: f64| {
        let one = |name| {
            format!("<feFunc{name} type=\"linear\" slope=\"{slope}\" intercept=\"{start}\"/>")
        };
        let all = ['R', 'G', 'B'].map(one).concat();
        format!("<feComponentTransfer>{all}</feComponentTransfer>")
    };
    let matrix = |kind: &str, values: String| {
        format!("<feColorMatrix type=\"{kind}\" values=\"{values}\"/>")
    };
    Some(match &*name.to_ascii_lowercase() {
        "blur" if inner.is_empty() => Effect::Blur(0.0),
        "blur" => Effect::Blur(length(inner).filter(|blur| *blur >= 0.0)?),
        "drop-shadow" => {
            let (mut lengths, mut rest) = (Vec::new(), Vec::new());
            for word in split_words(inner) {
                match length(word) {
                    Some(length) => lengths.push(length),
                    None => rest.push(word),
                }
            }
            let name = rest.join(" ");
            let found = colour(if name.is_empty() { "currentcolor" } else { &name }, environment)?;
            let (by, blur) = match lengths[..] {
                [x, y] => (Vec2::new(x, y), 0.0),
                [x, y, blur] if blur >= 0.0 => (Vec2::new(x, y), blur),
                _ => return None,
            };
            match found.ends_with(",0)") {
                // A transparent colour paints nothing.
                true => Effect::Blur(0.0),
                false => Effect::Shadow { by, blur, colour: found },
            }
        }
        "brightness" => Effect::Colours(linear(amount()?, 0.0)),
        "contrast" => Effect::Colours(linear(amount()?, 0.5 - amount()? / 2.0)),
        "invert" => Effect::Colours(linear(1.0 - 2.0 * amount()?.min(1.0), amount()?.min(1.0))),
        "opacity" if amount()? == 0.0 => Effect::Clear,
        "opacity" => Effect::Colours(format!(
            "<feComponentTransfer><feFuncA type=\"linear\" slope=\"{}\"/></feComponentTransfer>",
            amount()?
        )),
        "saturate" => Effect::Colours(matrix("saturate", amount()?.to_string())),
        "grayscale" => Effect::Colours(matrix("saturate", (1.0 - amount()?.min(1.0)).to_string())),
        "hue-rotate" => {
            let reader = Reader { environment, whole: Whole::Unknown };
            let angle = |input: &mut Parser| reader.of_kind(Kind::Angle, input);
            let angle = if inner.is_empty() { 0.0 } else { read(inner, angle)? };
            Effect::Colours(matrix("hueRotate", angle.to_string()))
        }
        "sepia" => {
            let rest = 1.0 - amount()?.min(1.0);
            let full = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]];
            let mut values = String::new();
            for (row, weights) in full.iter().enumerate() {
                for (column, weight) in weights.iter().enumerate() {
                    let own = if row == column { 1.0 } else { 0.0 };
                    let _ = write!(values, "{} ", weight + (own - weight) * rest);
                }
                values += "0 0 ";
            }
            Effect::Colours(matrix("matrix", values + "0 0 0 1 0"))
        }
        _ => return None,
    })
}
