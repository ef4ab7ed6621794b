//! Fonts and their sizes.

use super::environment::{Environment, FONT_SIZE, MONO_SIZE};
use super::lengths::{Whole, length_in};
use super::syntax::{is_css_wide, is_plain, read, split_words, unknown};
use cssparser::Parser;
use svgtypes::FontFamily;

const SIZES: &str = "xx-small x-small small medium large x-large xx-large xxx-large";

/// Whether a font size is an absolute size keyword, which depends on the family.
pub(crate) fn is_size_word(text: &str) -> bool {
    SIZES.split(' ').any(|known| text.eq_ignore_ascii_case(known))
}

/// Returns a font size in pixels; `outer` is the environment of the parent.
pub(crate) fn font_size(text: &str, outer: &Environment) -> Option<f64> {
    let around = outer.font.size;
    let sizes = match outer.is_mono {
        true => [9.0, 10.0, 12.0, MONO_SIZE, 16.0, 20.0, 26.0, 39.0],
        false => [9.0, 10.0, 13.0, FONT_SIZE, 18.0, 24.0, 32.0, 48.0],
    };
    let at = SIZES.split(' ').position(|known| text.eq_ignore_ascii_case(known));
    let size = match (at, &*text.to_ascii_lowercase()) {
        (Some(at), _) => sizes[at],
        (_, "smaller") => around / 1.2,
        (_, "larger") => around * 1.2,
        _ => length_in(text, outer, Whole::Pixels(around))?,
    };
    (size >= 0.0).then_some(size)
}

/// Parses a list of font families: strings and names. A generic name is a single word.
pub(crate) fn families(text: &str) -> Option<Vec<FontFamily>> {
    let family = |input: &mut Parser| {
        if let Ok(name) = input.try_parse(Parser::expect_string_cloned) {
            return Ok(FontFamily::Named(name.to_string()));
        }
        let mut name = input.expect_ident()?.to_string();
        if is_css_wide(&name) || name.eq_ignore_ascii_case("default") {
            return unknown();
        }
        match &*name.to_ascii_lowercase() {
            "serif" => return Ok(FontFamily::Serif),
            "sans-serif" => return Ok(FontFamily::SansSerif),
            "monospace" => return Ok(FontFamily::Monospace),
            "cursive" => return Ok(FontFamily::Cursive),
            "fantasy" => return Ok(FontFamily::Fantasy),
            _ => {}
        }
        while let Ok(word) = input.try_parse(Parser::expect_ident_cloned) {
            name = format!("{name} {word}");
        }
        Ok(FontFamily::Named(name))
    };
    read(text, |input| input.parse_comma_separated(family))
}

/// Splits a `font` value into properties.
pub(crate) fn font(text: &str) -> Option<Vec<(&'static str, String)>> {
    let text = text.replace('/', " / ");
    let words = split_words(&text);
    let names = ["font-style", "font-variant", "font-weight", "font-stretch"];
    if is_css_wide(&text) {
        let all = names.into_iter().chain(["font-size", "line-height", "font-family"]);
        return Some(all.map(|name| (name, text.to_owned())).collect());
    }
    let is_size =
        |word: &&str| !is_plain(word) && font_size(word, &Environment::default()).is_some();
    let at = words.iter().position(is_size)?;
    let mut out = names.map(|name| (name, "normal".to_owned())).to_vec();
    for word in &words[..at] {
        let word = word.to_ascii_lowercase();
        let slot = match &*word {
            "normal" => continue,
            "italic" | "oblique" => 0,
            angle if angle.ends_with("deg") && out[0].1 == "oblique" => continue,
            "small-caps" => 1,
            "bold" | "bolder" | "lighter" => 2,
            _ if is_plain(&word) => 2,
            _ if word.contains("condensed") || word.contains("expanded") => 3,
            _ => return None,
        };
        if out[slot].1 != "normal" {
            return None;
        }
        out[slot].1 = word;
    }
    let (line, rest) = match &words[at + 1..] {
        ["/", line, rest @ ..] => (*line, rest),
        rest => ("normal", rest),
    };
    out.push(("font-size", words[at].to_owned()));
    out.push(("line-height", line.to_owned()));
    out.push(("font-family", rest.join(" ")));
    Some(out)
}
