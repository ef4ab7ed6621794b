//! Conditions of style sheets: media queries and `@supports`.
//!
//! The result may be unknown (`None`), as in CSS: it stays unknown if it is negated, and is ignored in an `or` with a
//! true condition. An unknown final result counts as false, and becomes a note.

use cssparser::{ParseError, Parser, Token};

/// The medium for style sheets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Media {
    /// Whether the medium is a printed page, not a screen.
    pub print: bool,
    /// Whether the user prefers dark colours.
    pub dark: bool,
}

/// The medium of the drawing and the interpretation of values, for media queries and `@supports`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) media: Media,
    /// Reads a length in pixels on a page of this size.
    pub(crate) length: fn(&str, (f64, f64)) -> Option<f64>,
    /// Whether a property supports this value; `None` if the property is unknown.
    pub(crate) supports: fn(&str, &str) -> Option<bool>,
}

impl Default for Screen {
    /// Returns a screen without a size, which supports no values.
    fn default() -> Self {
        let media = Media::default();
        Self { width: 0.0, height: 0.0, media, length: |_, _| None, supports: |_, _| None }
    }
}

type Answer = Result<Option<bool>, ParseError<()>>;

/// Whether a list of media queries matches this screen. A malformed query does not match.
pub(crate) fn matches_media(list: &str, screen: Screen) -> Option<bool> {
    let list = list.trim();
    let mut input = Parser::new(list);
    let mut out = Some(list.is_empty());
    while !input.is_exhausted() {
        let found =
            input.parse_until_before(cssparser::Delimiter::Comma, |input| query(input, screen));
        out = or(out, found.unwrap_or(Some(false)));
        let _ = input.try_parse(Parser::expect_comma);
    }
    out
}

fn query(input: &mut Parser, screen: Screen) -> Answer {
    let feature = |text: &str, _: bool| feature(text, screen);
    let kind = input.try_parse(|input| {
        let mut word = input.expect_ident_cloned()?.to_ascii_lowercase();
        let prefix = matches!(&*word, "not" | "only").then(|| word.clone());
        if prefix.is_some() {
            word = input.expect_ident_cloned()?.to_ascii_lowercase();
        }
        Ok::<_, ParseError<()>>((prefix.as_deref() == Some("not"), word))
    });
    let Ok((is_not, kind)) = kind else { return condition(input, &feature) };
    let mut out =
        Some(kind == "all" || kind == if screen.media.print { "print" } else { "screen" });
    while input.try_parse(|input| input.expect_ident_matching("and")).is_ok() {
        out = and(out, negatable(input, &feature)?);
    }
    Ok(if is_not { out.map(|is_met| !is_met) } else { out })
}

/// Whether the condition of an `@supports` rule is true in this program.
pub(crate) fn supports(text: &str, screen: Screen) -> Option<bool> {
    let leaf = |text: &str, is_function: bool| {
        let (name, value) = text.split_once(':').filter(|_| !is_function)?;
        (screen.supports)(name.trim(), value.trim_end_matches("!important").trim())
    };
    Parser::new(text).parse_entirely(|input| condition(input, &leaf)).unwrap_or(Some(false))
}

/// Parses features, joined by `and` or by `or`.
fn condition(input: &mut Parser, leaf: &dyn Fn(&str, bool) -> Option<bool>) -> Answer {
    let mut out = negatable(input, leaf)?;
    while let Ok(word) = input.try_parse(Parser::expect_ident_cloned) {
        let next = negatable(input, leaf)?;
        out = match &*word.to_ascii_lowercase() {
            "and" => and(out, next),
            "or" => or(out, next),
            _ => return Err(ParseError::unexpected_token()),
        };
    }
    Ok(out)
}

/// Parses a feature or a condition in parentheses, optionally after `not`.
fn negatable(input: &mut Parser, leaf: &dyn Fn(&str, bool) -> Option<bool>) -> Answer {
    if input.try_parse(|input| input.expect_ident_matching("not")).is_ok() {
        return Ok(negatable(input, leaf)?.map(|is_met| !is_met));
    }
    let is_function = match input.next()? {
        Token::ParenthesisBlock => false,
        Token::Function(_) => true,
        _ => return Err(ParseError::unexpected_token()),
    };
    input.parse_nested_block(|input| {
        let nested = input.try_parse(|input| {
            let found = condition(input, leaf)?;
            input.expect_exhausted().map(|()| found).map_err(ParseError::<()>::from)
        });
        if let (Ok(found), false) = (nested, is_function) {
            return Ok(found);
        }
        let start = input.position();
        while input.next().is_ok() {}
        Ok(leaf(&input.slice_from(start).trim().to_ascii_lowercase(), is_function))
    })
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(false) || b == Some(false) { Some(false) } else { a.zip(b).map(|_| true) }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(true) || b == Some(true) { Some(true) } else { a.zip(b).map(|_| false) }
}

fn feature(text: &str, screen: Screen) -> Option<bool> {
    if text.contains(['<', '>', '=']) {
        return range(text, screen);
    }
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    let (bound, name) = match (name.strip_prefix("min-"), name.strip_prefix("max-")) {
        (Some(name), _) => (">=", name),
        (_, Some(name)) => ("<=", name),
        _ => ("=", name.strip_prefix("-webkit-").unwrap_or(name)),
    };
    match size(name, screen) {
        Some(own) if value.is_empty() => return Some(own != 0.0),
        Some(own) => return compare(own, bound, number(value, screen, is_side(name))?),
        None => {}
    }
    // The results for a desktop browser with a screen and a mouse. A feature without a value is true unless its value
    // here starts with `no`.
    let own = match name {
        "prefers-color-scheme" if screen.media.dark => "dark",
        "prefers-color-scheme" => "light",
        "orientation" if screen.width > screen.height => "landscape",
        "orientation" => "portrait",
        "prefers-reduced-motion" | "prefers-contrast" => "no-preference",
        "forced-colors" | "scripting" => "none",
        "hover" | "any-hover" => "hover",
        "pointer" | "any-pointer" => "fine",
        _ => return None,
    };
    Some(value == own || value.is_empty() && !own.starts_with("no"))
}

fn is_side(text: &str) -> bool {
    text.contains("width") || text.contains("height")
}

/// Returns the size of the screen that a feature compares.
fn size(name: &str, screen: Screen) -> Option<f64> {
    Some(match name {
        "width" | "device-width" => screen.width,
        "height" | "device-height" => screen.height,
        "aspect-ratio" | "device-aspect-ratio" => screen.width / screen.height,
        "resolution" | "device-pixel-ratio" => 1.0,
        "color" => 8.0,
        "monochrome" | "color-index" | "grid" => 0.0,
        _ => return None,
    })
}

/// Parses a length, or else a ratio, a resolution or a number.
fn number(value: &str, screen: Screen, is_length: bool) -> Option<f64> {
    if let Some((a, b)) = value.split_once('/') {
        return Some(a.trim().parse::<f64>().ok()? / b.trim().parse::<f64>().ok()?);
    }
    for (unit, factor) in [("dppx", 1.0), ("dpi", 1.0 / 96.0), ("dpcm", 2.54 / 96.0), ("x", 1.0)] {
        let plain = value.strip_suffix(unit).and_then(|plain| plain.parse::<f64>().ok());
        if let Some(plain) = plain {
            return Some(plain * factor);
        }
    }
    if let (false, Ok(number)) = (is_length, value.parse()) {
        return Some(number);
    }
    (screen.length)(value, (screen.width, screen.height))
}

fn compare(a: f64, operator: &str, b: f64) -> Option<bool> {
    Some(match operator {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        "=" => a == b,
        _ => return None,
    })
}

/// Whether all comparisons of a range are true, such as `400px <= width < 700px`.
fn range(text: &str, screen: Screen) -> Option<bool> {
    let side = |word: &str| {
        size(word.trim(), screen).or_else(|| number(word.trim(), screen, is_side(text)))
    };
    let is_operator = |letter: char| matches!(letter, '<' | '>' | '=');
    let sides: Option<Vec<f64>> =
        text.split(is_operator).filter(|word| !word.is_empty()).map(side).collect();
    let operators = text.split(|letter| !is_operator(letter)).filter(|word| !word.is_empty());
    let mut pairs = sides.as_ref()?.windows(2).zip(operators);
    pairs.try_fold(true, |is_met, (pair, operator)| {
        Some(is_met & compare(pair[0], operator, pair[1])?)
    })
}
