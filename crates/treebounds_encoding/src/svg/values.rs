//! Values of CSS properties, rewritten in the words that usvg knows.

mod colours;
mod effects;
mod lengths;
mod maths;
mod transforms;

pub(super) use colours::colour;
pub(super) use effects::{Effect, effects};
pub(super) use lengths::{
    Environment, FONT_SIZE, Metrics, Whole, length, length_in, lengths, needs_font, number, pixels,
    plain, strict_length,
};
pub(super) use transforms::{is_transform, origin, transform};

use cssparser::Parser;
use lengths::is_plain;

/// A font size in pixels; `outer` is the size around.
pub(super) fn font_size(text: &str, outer: &Environment) -> Option<f64> {
    let around = outer.font.size;
    let size = match &*text.to_ascii_lowercase() {
        "xx-small" => 9.0,
        "x-small" => 10.0,
        "small" => 13.0,
        "medium" => FONT_SIZE,
        "large" => 18.0,
        "x-large" => 24.0,
        "xx-large" => 32.0,
        "xxx-large" => 48.0,
        "smaller" => around / 1.2,
        "larger" => around * 1.2,
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

/// Whether the text is a string or words.
fn is_family(text: &str) -> bool {
    let mut input = Parser::new(text);
    let is_string = input.try_parse(|input| input.expect_string().map(drop)).is_ok();
    let mut count = u32::from(is_string);
    while !is_string && input.try_parse(|input| input.expect_ident().map(drop)).is_ok() {
        count += 1;
    }
    count > 0 && input.is_exhausted()
}

/// The parts of a `font`, as properties.
pub(super) fn font(text: &str) -> Option<Vec<(&'static str, String)>> {
    let words = split_words(text);
    let is_size = |word: &&str| {
        let word = word.split('/').next().unwrap_or_default();
        !is_plain(word) && font_size(word, &Environment::of(0.0, 0.0)).is_some()
    };
    let at = words.iter().position(is_size)?;
    let mut out = ["font-style", "font-variant", "font-weight", "font-stretch"]
        .map(|name| (name, "normal".to_owned()))
        .to_vec();
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
    let (size, mut line) = words[at].split_once('/').unwrap_or((words[at], ""));
    out.push(("font-size", size.to_owned()));
    // The line height may stand apart from its slash.
    let mut rest = &words[at + 1..];
    match rest {
        ["/", height, ..] => (line, rest) = (height, &rest[2..]),
        [word, ..] if word.starts_with('/') => (line, rest) = (&word[1..], &rest[1..]),
        [height, ..] if words[at].ends_with('/') => (line, rest) = (height, &rest[1..]),
        _ => {}
    }
    out.push(("line-height", if line.is_empty() { "normal" } else { line }.to_owned()));
    out.push(("font-family", rest.join(" ")));
    split(&rest.join(" "), ',').into_iter().all(is_family).then_some(out)
}
