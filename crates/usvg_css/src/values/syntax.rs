//! The common syntax of values: words, parentheses, URLs and paths.

use cssparser::{ParseError, Parser};

pub(crate) type Read<T> = Result<T, ParseError<()>>;

pub(crate) fn unknown<T>() -> Read<T> {
    Err(ParseError::unexpected_token())
}

/// Parses a whole text.
pub(crate) fn read<T>(text: &str, one: impl FnOnce(&mut Parser) -> Read<T>) -> Option<T> {
    Parser::new(text).parse_entirely(one).ok()
}

/// Whether the text is a number in its usual form, which needs no parsing.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    text.bytes().all(is_part) && !text.ends_with('.') && text.parse::<f64>().is_ok()
}

/// Writes a number in usvg's syntax: in single precision, without an exponent.
pub(crate) fn plain(value: f64) -> Option<String> {
    let value = value as f32;
    value.is_finite().then(|| format!("{value}"))
}

/// Splits a text at a character, except inside parentheses.
pub(crate) fn split(text: &str, at: char) -> Vec<&str> {
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

/// Splits a text into words at whitespace, except inside parentheses.
pub(crate) fn split_words(text: &str) -> Vec<&str> {
    split(text, ' ').into_iter().filter(|word| !word.is_empty()).collect()
}

/// Returns the URL in a `url(...)`, and the text after it.
pub(crate) fn url(text: &str) -> Option<(String, String)> {
    let mut input = Parser::new(text);
    let link = input.expect_url().ok()?.to_string();
    let start = input.position();
    while input.next().is_ok() {}
    Some((link, input.slice_from(start).trim().to_owned()))
}

/// Returns the path in a `path(...)`, after an optional fill rule.
pub(crate) fn path(text: &str) -> Option<String> {
    read(text, |input| {
        input.expect_function_matching("path")?;
        input.parse_nested_block(|input| {
            if input.try_parse(Parser::expect_ident_cloned).is_ok() {
                input.expect_comma()?;
            }
            Ok(input.expect_string()?.to_string())
        })
    })
}

/// Returns the path up to its first number with a trailing dot, where browsers stop.
pub(crate) fn whole_numbers(path: &str) -> &str {
    let bytes = path.as_bytes();
    let is_bad =
        |at: &usize| bytes[*at] == b'.' && !bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let dot = (0..bytes.len()).find(is_bad);
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    dot.map_or(path, |at| path[..at].trim_end_matches(is_number))
}

/// Returns a path without its trailing moveto, which browsers exclude from the box.
pub(crate) fn without_trailing_move(path: &str) -> &str {
    let is_move = |rest: &str| {
        let letters = rest.bytes().filter(|byte| byte.is_ascii_alphabetic() && *byte != b'e');
        letters.count() == 1 && svgtypes::NumberListParser::from(&rest[1..]).count() <= 2
    };
    let before = path.rfind(['m', 'M']).filter(|at| *at > 0 && is_move(&path[*at..]));
    before.map_or(path, |at| without_trailing_move(&path[..at]))
}

/// Whether a value is a CSS-wide keyword.
pub(crate) fn is_css_wide(text: &str) -> bool {
    let all = ["inherit", "initial", "unset", "revert", "revert-layer"];
    all.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a value may have units that depend on the font, not only on its size.
pub(crate) fn needs_font(text: &str) -> bool {
    has_unit(text, &["ex", "ch", "cap", "lh", "rex", "rch", "rcap", "rlh"])
}

/// Whether a value may depend on the font size.
pub(crate) fn has_em(text: &str) -> bool {
    has_unit(text, &["em", "ic"]) || needs_font(text)
}

/// Whether a text may have a number with one of these units, in any case.
pub(crate) fn has_unit(text: &str, units: &[&str]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let mut ends = text.as_bytes().windows(2).enumerate();
    ends.any(|(at, pair)| {
        let starts = |unit: &&str| {
            let word = text.as_bytes().get(at + 1..at + 1 + unit.len());
            word.is_some_and(|word| word.eq_ignore_ascii_case(unit.as_bytes()))
        };
        is_part(pair[0]) && pair[1].is_ascii_alphabetic() && units.iter().any(starts)
    })
}

/// Whether a text contains this CSS keyword, in any case.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}
