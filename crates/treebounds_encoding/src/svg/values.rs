//! Values of CSS properties, rewritten in the words that usvg knows.

use color::Srgb;
use cssparser::{ParseError, Parser, Token};
use kurbo::{Affine, Rect, Vec2};
use std::fmt::Write;

/// What relative units refer to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Environment {
    pub(super) font_size: f64,
    pub(super) root_font_size: f64,
    /// The size of the nearest viewport, in its own units; `None` if it depends on where a definition is used.
    pub(super) view: Option<(f64, f64)>,
    /// The size of the page.
    pub(super) page: (f64, f64),
    /// Whether `light-dark` means dark.
    pub(super) is_dark: bool,
}

impl Environment {
    /// The environment of the root of a drawing of this size.
    pub(super) fn of(width: f64, height: f64) -> Self {
        let (page, size) = ((width, height), FONT_SIZE);
        Self { font_size: size, root_font_size: size, view: Some(page), page, is_dark: false }
    }
}

/// The font size of text without one, in pixels, as in browsers.
pub(super) const FONT_SIZE: f64 = 16.0;

/// The length that a percentage refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Whole {
    /// The width of the viewport.
    X,
    /// Its height.
    Y,
    /// Its diagonal, divided by the square root of two.
    Diagonal,
    /// This many pixels.
    Pixels(f64),
    /// Percentages are left to usvg.
    Unknown,
}

impl Whole {
    fn pixels(self, environment: &Environment) -> Option<f64> {
        let (width, height) = match self {
            Self::Pixels(pixels) => return Some(pixels),
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

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Number,
    /// In pixels.
    Length,
    /// In degrees.
    Angle,
}

#[derive(Clone, Copy, Debug)]
struct Quantity {
    value: f64,
    kind: Kind,
}

type Read<T> = Result<T, ParseError<()>>;

fn unknown<T>() -> Read<T> {
    Err(ParseError::unexpected_token())
}

/// Reads quantities.
#[derive(Clone, Copy)]
struct Reader<'e> {
    environment: &'e Environment,
    whole: Whole,
}

impl Reader<'_> {
    /// Reads a number, a length, an angle, a percentage or a calculation.
    fn quantity(self, input: &mut Parser) -> Read<Quantity> {
        let environment = self.environment;
        let (value, kind) = match input.next()?.clone() {
            Token::Number { value, .. } => (f64::from(value), Kind::Number),
            Token::Percentage { unit_value, .. } => match self.whole.pixels(environment) {
                Some(whole) => (f64::from(unit_value) * whole, Kind::Length),
                None => return unknown(),
            },
            Token::Dimension { value, unit, .. } => {
                let (factor, kind) = match unit_factor(&unit.to_ascii_lowercase(), environment) {
                    Some(factor) => factor,
                    None => return unknown(),
                };
                (f64::from(value) * factor, kind)
            }
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                return input.parse_nested_block(|input| self.function(&name, input));
            }
            Token::ParenthesisBlock => return input.parse_nested_block(|input| self.sum(input)),
            _ => return unknown(),
        };
        Ok(Quantity { value, kind })
    }

    fn function(self, name: &str, input: &mut Parser) -> Read<Quantity> {
        if name == "calc" {
            return self.sum(input);
        }
        let all = input.parse_comma_separated(|input| self.sum(input))?;
        let kind = all.first().map_or(Kind::Number, |one| one.kind);
        let value = match (name, &all[..]) {
            ("min", all) => all.iter().map(|one| one.value).fold(f64::INFINITY, f64::min),
            ("max", all) => all.iter().map(|one| one.value).fold(f64::NEG_INFINITY, f64::max),
            ("clamp", [least, value, most]) => value.value.min(most.value).max(least.value),
            ("abs", [one]) => one.value.abs(),
            _ => return unknown(),
        };
        if all.iter().any(|one| one.kind != kind) {
            unknown()
        } else {
            Ok(Quantity { value, kind })
        }
    }

    fn sum(self, input: &mut Parser) -> Read<Quantity> {
        let mut sum = self.product(input)?;
        while let Ok(sign) = input.try_parse(|input| match input.next()? {
            Token::Delim('+') => Ok(1.0),
            Token::Delim('-') => Ok(-1.0),
            _ => unknown(),
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
        let mut product = self.quantity(input)?;
        while let Ok(is_division) = input.try_parse(|input| match input.next()? {
            Token::Delim('*') => Ok(false),
            Token::Delim('/') => Ok(true),
            _ => unknown(),
        }) {
            let by = self.quantity(input)?;
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

    fn length(self, input: &mut Parser) -> Read<f64> {
        let one = self.quantity(input)?;
        if one.kind == Kind::Angle { unknown() } else { Ok(one.value) }
    }

    fn number(self, input: &mut Parser) -> Read<f64> {
        let as_part = Self { whole: Whole::Pixels(1.0), ..self };
        as_part.length(input)
    }

    /// Reads an angle in radians. Without a unit it is in degrees, as in the attribute.
    fn angle(self, input: &mut Parser) -> Read<f64> {
        let one = self.quantity(input)?;
        if one.kind == Kind::Length { unknown() } else { Ok(one.value.to_radians()) }
    }
}

fn unit_factor(unit: &str, environment: &Environment) -> Option<(f64, Kind)> {
    let (width, height) = environment.page;
    let length = match unit {
        "px" => 1.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "em" => environment.font_size,
        "rem" => environment.root_font_size,
        "ex" | "ch" => environment.font_size / 2.0,
        "lh" => environment.font_size * 1.2,
        "rlh" => environment.root_font_size * 1.2,
        "vw" | "vi" | "svw" | "lvw" | "dvw" => width / 100.0,
        "vh" | "vb" | "svh" | "lvh" | "dvh" => height / 100.0,
        "vmin" => width.min(height) / 100.0,
        "vmax" => width.max(height) / 100.0,
        _ => {
            let angle = match unit {
                "deg" => 1.0,
                "rad" => 180.0 / std::f64::consts::PI,
                "grad" => 0.9,
                "turn" => 360.0,
                _ => return None,
            };
            return Some((angle, Kind::Angle));
        }
    };
    Some((length, Kind::Length))
}

/// Reads all of a text.
fn read<T>(text: &str, one: impl FnOnce(&mut Parser) -> Read<T>) -> Option<T> {
    Parser::new(text).parse_entirely(one).ok()
}

/// Whether the text is a number as it is usually written, which needs no reading.
pub(super) fn is_plain(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    text.bytes().all(is_part) && text.parse::<f64>().is_ok()
}

/// Writes a number as usvg reads it: in single precision, without an exponent.
pub(super) fn plain(value: f64) -> Option<String> {
    let value = value as f32;
    value.is_finite().then(|| format!("{value}"))
}

/// A length in pixels.
pub(super) fn pixels(text: &str, environment: &Environment) -> Option<f64> {
    length_in(text, environment, Whole::Unknown)
}

/// A length in pixels, with percentages of `whole`.
pub(super) fn length_in(text: &str, environment: &Environment, whole: Whole) -> Option<f64> {
    if is_plain(text) {
        return text.parse().ok();
    }
    read(text, |input| Reader { environment, whole }.length(input)).filter(|it| it.is_finite())
}

/// A length as usvg reads it. Numbers without a unit are taken if `bare`.
pub(super) fn length(
    text: &str,
    environment: &Environment,
    whole: Whole,
    bare: bool,
) -> Option<String> {
    let is_zero = || text.parse() == Ok(0.0);
    if is_plain(text) {
        return (bare || is_zero()).then(|| text.to_owned());
    }
    let is_number = |input: &mut Parser| Reader { environment, whole }.quantity(input);
    if !bare
        && read(text, is_number).is_some_and(|one| one.kind == Kind::Number && one.value != 0.0)
    {
        return None;
    }
    if let Some(length) = length_in(text, environment, whole) {
        return plain(length);
    }
    // usvg knows the whole.
    let percent = read(text, |input| Ok(input.expect_percentage()?));
    percent.and_then(|part| Some(plain(f64::from(part) * 100.0)? + "%"))
}

/// Lengths, separated by blanks or commas.
pub(super) fn lengths(text: &str, environment: &Environment, whole: Whole) -> Option<Vec<f64>> {
    read(text, |input| {
        let mut all = Vec::new();
        while !input.is_exhausted() {
            all.push(Reader { environment, whole }.length(input)?);
            let _ = input.try_parse(|input| input.expect_comma());
        }
        Ok(all)
    })
}

/// A number, or a percentage as a part of one.
pub(super) fn number(text: &str, environment: &Environment) -> Option<f64> {
    if is_plain(text) {
        return text.parse().ok();
    }
    let reader = Reader { environment, whole: Whole::Unknown };
    read(text, |input| reader.number(input)).filter(|number| number.is_finite())
}

/// A font size in pixels; `outer` is the size around.
pub(super) fn font_size(text: &str, outer: &Environment, bare: bool) -> Option<f64> {
    let size = match &*text.to_ascii_lowercase() {
        "xx-small" => 9.0,
        "x-small" => 10.0,
        "small" => 13.0,
        "medium" => 16.0,
        "large" => 18.0,
        "x-large" => 24.0,
        "xx-large" => 32.0,
        "xxx-large" => 48.0,
        "smaller" => outer.font_size / 1.2,
        "larger" => outer.font_size * 1.2,
        _ => {
            let text = length(text, outer, Whole::Pixels(outer.font_size), bare)?;
            text.parse().ok()?
        }
    };
    (size >= 0.0).then_some(size)
}

/// The deepest nesting of colours in colours.
const COLOURS: u32 = 16;

/// A colour as usvg reads it: `#rrggbb`, `rgba(...)` or `currentColor`.
pub(super) fn colour(text: &str, environment: &Environment) -> Option<String> {
    // In SVG 1.1, a colour of a profile may follow the plain one.
    let text = text.split(" icc-color(").next().unwrap_or(text);
    colour_in(text.trim(), environment, COLOURS)
}

fn colour_in(text: &str, environment: &Environment, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let lower = text.to_ascii_lowercase();
    let argument = |name: &str| lower.strip_prefix(name)?.strip_suffix(')');
    if let Some(inner) = argument("light-dark(") {
        let both = split(inner, ',');
        let [light, dark] = both[..] else { return None };
        let chosen = if environment.is_dark { dark } else { light };
        return colour_in(chosen.trim(), environment, depth);
    }
    if let Some(inner) = argument("color-mix(") {
        let parts = split(inner, ',');
        let [space, first, second] = parts[..] else { return None };
        space.trim().strip_prefix("in ")?;
        let mix = |part: &str| {
            let words = split_words(part);
            let is_part = |word: &&&str| word.ends_with('%');
            let share = words.iter().find(is_part).map(|word| number(word, environment));
            let name: Vec<&str> = words.iter().filter(|word| !is_part(word)).copied().collect();
            let name = colour_in(&name.join(" "), environment, depth)?;
            // The colour around is not known here; its share of the mix counts as black.
            let name = if name == "currentColor" { "#000000".to_owned() } else { name };
            Some((color::parse_color(&name).ok()?.to_alpha_color::<Srgb>(), share.flatten()))
        };
        let ((one, share), (two, other)) = (mix(first)?, mix(second)?);
        let share = share.unwrap_or_else(|| other.map_or(0.5, |other| 1.0 - other));
        return Some(write_colour(one.lerp_rect(two, 1.0 - share as f32)));
    }
    let name = match &*lower {
        "currentcolor" => return Some("currentColor".to_owned()),
        "canvastext" | "buttontext" | "fieldtext" | "windowtext" | "graytext" | "menutext"
        | "infotext" | "captiontext" | "marktext" | "highlighttext" | "buttonborder"
        | "windowframe" | "threeddarkshadow" => "#000000",
        "canvas" | "buttonface" | "field" | "window" | "menu" | "mark" | "infobackground"
        | "background" | "appworkspace" | "threedface" => "#ffffff",
        "linktext" | "activetext" | "accentcolor" | "highlight" | "selecteditem"
        | "activecaption" => "#0000ee",
        "visitedtext" => "#551a8b",
        other => other,
    };
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphabetic());
    if name.starts_with('#') || name.contains('(') || is_name {
        return Some(write_colour(color::parse_color(name).ok()?.to_alpha_color::<Srgb>()));
    }
    None
}

fn write_colour(colour: color::AlphaColor<Srgb>) -> String {
    let color::Rgba8 { r, g, b, a } = colour.to_rgba8();
    match a {
        255 => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => format!("rgba({r},{g},{b},{})", f32::from(a) / 255.0),
    }
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

/// The parts of a `font`, as properties.
pub(super) fn font(text: &str) -> Option<Vec<(&'static str, String)>> {
    let words = split_words(text);
    let is_size = |word: &&str| {
        let word = word.split('/').next().unwrap_or_default().to_ascii_lowercase();
        let environment = Environment::of(0.0, 0.0);
        !(is_plain(&word) && word != "0") && font_size(&word, &environment, false).is_some()
    };
    let at = words.iter().position(is_size)?;
    let mut out: Vec<(&'static str, String)> = ["style", "variant", "weight", "stretch"]
        .iter()
        .zip(["font-style", "font-variant", "font-weight", "font-stretch"])
        .map(|(_, name)| (name, "normal".to_owned()))
        .collect();
    for word in &words[..at] {
        let word = word.to_ascii_lowercase();
        let slot = match &*word {
            "normal" => continue,
            "italic" | "oblique" => 0,
            "small-caps" => 1,
            "bold" | "bolder" | "lighter" => 2,
            _ if is_plain(&word) => 2,
            _ if word.contains("condensed") || word.contains("expanded") => 3,
            _ => return None,
        };
        out[slot].1 = word;
    }
    let size = words[at].split('/').next().unwrap_or_default();
    out.push(("font-size", size.to_owned()));
    // The line height may stand apart from its slash.
    let mut rest = &words[at + 1..];
    match rest {
        ["/", _, ..] => rest = &rest[2..],
        [word, ..] if word.starts_with('/') => rest = &rest[1..],
        [_, ..] if words[at].ends_with('/') => rest = &rest[1..],
        _ => {}
    }
    out.push(("font-family", rest.join(" ")));
    (!rest.is_empty()).then_some(out)
}

/// The value of `transform` about the origin of a box.
pub(super) fn transform(text: &str, environment: &Environment, area: Rect) -> Option<Affine> {
    if text.trim().eq_ignore_ascii_case("none") {
        return Some(Affine::IDENTITY);
    }
    let axes = Axes::new(environment, area);
    read(text, |input| {
        let mut out = Affine::IDENTITY;
        while !input.is_exhausted() {
            let name = input.expect_function()?.to_ascii_lowercase();
            out *= input.parse_nested_block(|input| axes.function(&name, input))?;
            let _ = input.try_parse(|input| input.expect_comma());
        }
        Ok(out)
    })
}

/// The product of `translate`, `rotate` and `scale`.
pub(super) fn individual(
    [translate, rotate, scale]: [&str; 3],
    environment: &Environment,
    area: Rect,
) -> Option<Affine> {
    let axes = Axes::new(environment, area);
    let one = |name: &str, text: &str| {
        if text.eq_ignore_ascii_case("none") {
            return Some(Affine::IDENTITY);
        }
        let words: Vec<&str> = split_words(text);
        let words = if name == "rotate" {
            words.into_iter().filter(|word| !word.eq_ignore_ascii_case("z")).collect()
        } else {
            words
        };
        let words = words.get(..words.len().min(2))?.join(",");
        read(&words, |input| axes.function(name, input))
    };
    Some(one("translate", translate)? * one("rotate", rotate)? * one("scale", scale)?)
}

/// The value of `transform-origin`, a point.
pub(super) fn origin(text: &str, environment: &Environment, area: Rect) -> Option<Vec2> {
    let text = text.to_ascii_lowercase();
    let words = split_words(&text);
    let (x, y) = match words[..] {
        [both @ ("left" | "right" | "center")] => (both, "center"),
        [y @ ("top" | "bottom")] => ("center", y),
        [x] => (x, "center"),
        // The keywords allow either order.
        [y @ ("top" | "bottom"), x] | [y @ ("top" | "bottom"), x, _] => (x, y),
        [y, x @ ("left" | "right")] | [y, x @ ("left" | "right"), _] => (x, y),
        [x, y] | [x, y, _] => (x, y),
        _ => return None,
    };
    let along = |word: &str, from: f64, size: f64| {
        Some(
            from + match word {
                "left" | "top" => 0.0,
                "center" => size / 2.0,
                "right" | "bottom" => size,
                _ => length_in(word, environment, Whole::Pixels(size))?,
            },
        )
    };
    Some(Vec2::new(along(x, area.x0, area.width())?, along(y, area.y0, area.height())?))
}

/// Readers of lengths along the axes of a box.
#[derive(Clone, Copy)]
struct Axes<'e> {
    x: Reader<'e>,
    y: Reader<'e>,
}

impl<'e> Axes<'e> {
    fn new(environment: &'e Environment, area: Rect) -> Self {
        let axis = |size| Reader { environment, whole: Whole::Pixels(size) };
        Self { x: axis(area.width()), y: axis(area.height()) }
    }

    fn function(self, name: &str, input: &mut Parser) -> Read<Affine> {
        let Self { x, y } = self;
        let mut is_first = true;
        let mut comma = |input: &mut Parser| {
            let is_first = std::mem::take(&mut is_first);
            if !is_first {
                let _ = input.try_parse(|input| input.expect_comma());
            }
            !input.is_exhausted()
        };
        let mut more = |input: &mut Parser| comma(input);
        more(input);
        Ok(match name {
            "matrix" => {
                let mut all = [0.0; 6];
                for (at, slot) in all.iter_mut().enumerate() {
                    *slot = x.number(input)?;
                    if at < 5 {
                        more(input);
                    }
                }
                Affine::new(all)
            }
            "translate" | "translate3d" => {
                let dx = x.length(input)?;
                let dy = if more(input) { y.length(input)? } else { 0.0 };
                if more(input) {
                    x.length(input)?;
                }
                Affine::translate((dx, dy))
            }
            "translatex" => Affine::translate((x.length(input)?, 0.0)),
            "translatey" => Affine::translate((0.0, y.length(input)?)),
            "translatez" => x.length(input).map(|_| Affine::IDENTITY)?,
            "scale" | "scale3d" => {
                let sx = x.number(input)?;
                let sy = if more(input) { x.number(input)? } else { sx };
                if more(input) {
                    x.number(input)?;
                }
                Affine::scale_non_uniform(sx, sy)
            }
            "scalex" => Affine::scale_non_uniform(x.number(input)?, 1.0),
            "scaley" => Affine::scale_non_uniform(1.0, x.number(input)?),
            "scalez" => x.number(input).map(|_| Affine::IDENTITY)?,
            "rotate" | "rotatez" => {
                let by = x.angle(input)?;
                if more(input) {
                    let cx = x.number(input)?;
                    more(input);
                    Affine::rotate_about(by, (cx, x.number(input)?))
                } else {
                    Affine::rotate(by)
                }
            }
            "skew" | "skewx" => {
                let along_x = x.angle(input)?.tan();
                let along_y = if more(input) { x.angle(input)?.tan() } else { 0.0 };
                Affine::skew(along_x, along_y)
            }
            "skewy" => Affine::skew(0.0, x.angle(input)?.tan()),
            _ => return unknown(),
        })
    }
}

/// A function of `filter`, as far as boxes and pictures need it.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Blur(f64),
    Shadow {
        by: Vec2,
        blur: f64,
        colour: String,
    },
    /// A filter primitive without attributes of a region.
    Colours(String),
    /// A filter in the document.
    Link(String),
}

/// The functions of `filter`.
pub(super) fn effects(text: &str, environment: &Environment) -> Option<Vec<Effect>> {
    split_words(text).into_iter().map(|word| effect(word, environment)).collect()
}

fn effect(text: &str, environment: &Environment) -> Option<Effect> {
    if let Some((link, _)) = url(text) {
        return Some(Effect::Link(link));
    }
    let (name, inner) = text.split_once('(')?;
    let inner = inner.strip_suffix(')')?.trim();
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
        "blur" => Effect::Blur(pixels(inner, environment).filter(|blur| *blur >= 0.0)?),
        "drop-shadow" => {
            let (mut lengths, mut rest) = (Vec::new(), Vec::new());
            for word in split_words(inner) {
                match pixels(word, environment) {
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
            Effect::Shadow { by, blur, colour: found }
        }
        "brightness" => Effect::Colours(linear(amount()?, 0.0)),
        "contrast" => Effect::Colours(linear(amount()?, 0.5 - amount()? / 2.0)),
        "invert" => Effect::Colours(linear(1.0 - 2.0 * amount()?.min(1.0), amount()?.min(1.0))),
        "opacity" => Effect::Colours(format!(
            "<feComponentTransfer><feFuncA type=\"linear\" slope=\"{}\"/></feComponentTransfer>",
            amount()?
        )),
        "saturate" => Effect::Colours(matrix("saturate", amount()?.to_string())),
        "grayscale" => Effect::Colours(matrix("saturate", (1.0 - amount()?.min(1.0)).to_string())),
        "hue-rotate" => {
            let reader = Reader { environment, whole: Whole::Unknown };
            let angle = if inner.is_empty() { 0.0 } else { read(inner, |it| reader.angle(it))? };
            Effect::Colours(matrix("hueRotate", angle.to_degrees().to_string()))
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
