//! Property values in usvg's syntax.

use super::environment::Environment;
use super::lengths::Whole;
use super::properties::{Kind, PROPERTIES, place};
use super::transforms::attribute_transform;
use super::{colours, effects, lengths, syntax, text, transforms};
use kurbo::Rect;

/// Returns the value of a property without references in usvg's syntax; `None` if it is invalid.
pub(crate) fn usvg_value(
    name: &str,
    kind: Kind,
    value: &str,
    environment: &Environment,
    in_css: bool,
) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    match kind {
        Kind::Colour => colours::colour(value, environment),
        Kind::Alpha => syntax::plain(lengths::number(value, environment)?.clamp(0.0, 1.0)),
        Kind::Length { whole, negative } => {
            match (name, &*lower) {
                ("letter-spacing" | "word-spacing", "normal") => return Some("0".to_owned()),
                ("baseline-shift", "baseline" | "sub" | "super") => return Some(lower),
                ("width" | "height" | "rx" | "ry", "auto") if in_css => return Some(lower),
                ("width" | "height", "max-content" | "min-content" | "fit-content" | "stretch")
                    if in_css =>
                {
                    return Some("auto".to_owned());
                }
                _ => {}
            }
            let is_calculated = value.contains('(');
            let length = lengths::length(value, environment, whole)?;
            match !negative && length.starts_with('-') && length.parse() != Ok(0.0) {
                false => Some(length),
                // Calculated values are clamped to the range of the property.
                true => is_calculated.then(|| "0".to_owned()),
            }
        }
        Kind::Dashes if lower == "none" => Some(lower),
        Kind::Dashes => {
            let all = lengths::lengths(value, environment, Whole::Diagonal)?;
            let all: Option<Vec<String>> =
                all.iter().map(|one| syntax::plain(*one).filter(|_| *one >= 0.0)).collect();
            all.map(|all| all.join(" "))
        }
        Kind::Miter => {
            let limit = lengths::number(value, environment);
            let limit = limit.filter(|limit| *limit >= 0.0 && !value.ends_with('%'))?;
            Some((limit.max(1.0) as f32).to_string())
        }
        Kind::Words(words) if name == "font-stretch" && lower.ends_with('%') => {
            let steps = [50.0, 62.5, 75.0, 87.5, 100.0, 112.5, 125.0, 150.0, 200.0];
            let width =
                lower.trim_end_matches('%').parse::<f64>().ok().filter(|width| *width >= 0.0)?;
            let at = steps.iter().position(|step| width <= *step).unwrap_or(steps.len() - 1);
            words.split(' ').nth(at).map(str::to_owned)
        }
        Kind::Words(words) => {
            let word = match words.split(' ').find(|word| word.eq_ignore_ascii_case(value))? {
                "clip" => "hidden",
                word => word,
            };
            Some(word.to_owned())
        }
        Kind::FontSize => syntax::plain(text::font_size(value, environment)?),
        Kind::LineHeight if lower == "normal" => Some(lower),
        Kind::LineHeight => {
            let whole = Whole::Pixels(environment.font.size);
            let length = lengths::strict_length(&lower, environment, whole);
            let height = length.or_else(|| lengths::number(&lower, environment))?;
            let unit = if length.is_some() { "px" } else { "" };
            (height >= 0.0).then(|| format!("{height}{unit}"))
        }
        Kind::Transform if name == "transform" && !in_css => {
            attribute_transform(value).map(|_| value.to_owned())
        }
        Kind::Transform => transforms::is_transform(name, &lower, environment).then_some(lower),
        Kind::Origin => {
            let is_bare = |word: &str| !in_css && word.parse::<f64>().is_ok();
            let words = syntax::split_words(&lower).into_iter();
            let words: Vec<String> = words
                .map(|word| if is_bare(word) { word.to_owned() + "px" } else { word.to_owned() })
                .collect();
            let words = words.join(" ");
            transforms::origin(&words, environment, Rect::ZERO).map(|_| words)
        }
        Kind::Families => {
            let names: Vec<_> = text::families(value)?.iter().map(ToString::to_string).collect();
            Some(names.join(", "))
        }
        Kind::Exact => Some(value.to_owned()),
        Kind::Text if name == "font-style" => lower.split(' ').next().map(str::to_owned),
        Kind::Text if name == "font-weight" => match lengths::number(&lower, environment) {
            // usvg supports hundreds. Browsers look for bolder fonts than a bold weight, and for lighter ones than a
            // light weight.
            Some(weight) => {
                let hundreds = weight / 100.0;
                let hundreds = if weight > 400.0 { hundreds.ceil() } else { hundreds.floor() };
                let is_weight = (1.0..=1000.0).contains(&weight);
                is_weight.then(|| (hundreds.clamp(1.0, 9.0) * 100.0).to_string())
            }
            None => Some(lower),
        },
        Kind::Text => Some(lower),
        Kind::Paint | Kind::Reference(_) | Kind::Filter => None,
    }
}

/// Whether a declaration is valid; `None` if the property is unknown.
pub(crate) fn supports(name: &str, value: &str) -> Option<bool> {
    if name.starts_with("--") || syntax::is_css_wide(value) {
        return Some(true);
    }
    let (name, kind, _) = PROPERTIES[place(name)?];
    let environment = Environment::default();
    let is_none = value.eq_ignore_ascii_case("none");
    let is_bare = value.parse::<f64>().is_ok_and(|number| number != 0.0);
    Some(match kind {
        _ if is_bare && matches!(name, "width" | "height" | "font-size") => false,
        Kind::Paint => {
            is_none
                || syntax::url(value).is_some()
                || colours::colour(value, &environment).is_some()
        }
        Kind::Reference(_) => is_none || value.contains('('),
        Kind::Filter => is_none || effects::effects(value, &environment, true).is_some(),
        kind => usvg_value(name, kind, value, &environment, true).is_some(),
    })
}
