//! Values of CSS properties, rewritten in the words that usvg knows.

mod colours;
mod effects;
mod lengths;
mod maths;
mod transforms;

pub(super) use colours::{colour, read_colour};
pub(super) use effects::{Effect, effects};
pub(super) use lengths::{
    Environment, FONT_SIZE, MONO_SIZE, Metrics, Whole, has_em, has_unit, has_word, length,
    length_in, lengths, needs_font, number, pixels, plain, strict_length,
};
pub(super) use transforms::{is_transform, origin, transform};

use cssparser::Parser;
use lengths::is_plain;
use svgtypes::FontFamily;

const SIZES: &str = "xx-small x-small small medium large x-large xx-large xxx-large";

/// Whether a font size is a keyword for a size, which depends on the family.
pub(super) fn is_size_word(text: &str) -> bool {
    SIZES.split(' ').any(|known| text.eq_ignore_ascii_case(known))
}

/// A font size in pixels; `outer` is the size around.
pub(super) fn font_size(text: &str, outer: &Environment) -> Option<f64> {
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

/// Splits a text at a letter, not inside of parentheses.
pub(super) fn split(text: &str, at: char) -> Vec<&str> {
    let mut depth = 0_u32;
    text.split(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (letter == at || at == ' ' && letter.is_whitespace())
    })
    .collect()
}

/// Splits a text into words, not inside of parentheses.
pub(super) fn split_words(text: &str) -> Vec<&str> {
    split(text, ' ').into_iter().filter(|word| !word.is_empty()).collect()
}

/// The address in a `url(...)`, and what follows it.
pub(super) fn url(text: &str) -> Option<(String, String)> {
    let mut input = Parser::new(text);
    let link = input.expect_url().ok()?.to_string();
    let start = input.position();
    while input.next().is_ok() {}
    Some((link, input.slice_from(start).trim().to_owned()))
}

/// The path in a `path(...)`, after a fill rule if there is one.
pub(super) fn path(text: &str) -> Option<String> {
    lengths::read(text, |input| {
        input.expect_function_matching("path")?;
        input.parse_nested_block(|input| {
            if input.try_parse(Parser::expect_ident_cloned).is_ok() {
                input.expect_comma()?;
            }
            Ok(input.expect_string()?.to_string())
        })
    })
}

/// A list of font families: strings, and names of which a generic one has one word.
pub(super) fn families(text: &str) -> Option<Vec<FontFamily>> {
    let family = |input: &mut Parser| {
        if let Ok(name) = input.try_parse(Parser::expect_string_cloned) {
            return Ok(FontFamily::Named(name.to_string()));
        }
        let mut name = input.expect_ident()?.to_string();
        if is_wide(&name) || name.eq_ignore_ascii_case("default") {
            return lengths::unknown();
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
    lengths::read(text, |input| input.parse_comma_separated(family))
}

/// Whether a value is a keyword that any property has.
pub(super) fn is_wide(text: &str) -> bool {
    let all = ["inherit", "initial", "unset", "revert", "revert-layer"];
    all.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The parts of a `font`, as properties.
pub(super) fn font(text: &str) -> Option<Vec<(&'static str, String)>> {
    let text = text.replace('/', " / ");
    let words = split_words(&text);
    let names = ["font-style", "font-variant", "font-weight", "font-stretch"];
    if is_wide(&text) {
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
