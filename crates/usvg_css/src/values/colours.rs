//! Colours.

use super::environment::Environment;
use super::lengths::number;
use super::syntax::{Read, read, unknown};
use color::{ColorSpaceTag, DynamicColor, HueDirection, Srgb};
use cssparser::{ParseError, Parser, ToCss, Token};

/// The maximum nesting of colours in colours.
const COLOURS: u32 = 16;

pub(crate) fn read_colour(text: &str, environment: &Environment) -> Option<DynamicColor> {
    read(text, |input| Reader { environment, depth: COLOURS }.colour(input))
}

/// Returns a colour in usvg's syntax: `#rrggbb` or `rgba(...)`.
pub(crate) fn colour(text: &str, environment: &Environment) -> Option<String> {
    let colour = read_colour(text, environment)?;
    let color::Rgba8 { r, g, b, a } = colour.to_alpha_color::<Srgb>().to_rgba8();
    Some(match a {
        255 => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => format!("rgba({r},{g},{b},{})", f32::from(a) / 255.0),
    })
}

fn parsed(text: &str) -> Read<DynamicColor> {
    color::parse_color(text).map_err(|_| ParseError::unexpected_token())
}

#[derive(Clone, Copy)]
struct Reader<'e> {
    environment: &'e Environment,
    depth: u32,
}

impl Reader<'_> {
    fn colour(self, input: &mut Parser) -> Read<DynamicColor> {
        let Some(depth) = self.depth.checked_sub(1) else { return unknown() };
        let inner = Self { depth, ..self };
        match input.next()?.clone() {
            Token::Hash(digits) | Token::IDHash(digits) => parsed(&format!("#{digits}")),
            // A hack for old browsers, such as a trailing `\9`.
            Token::Ident(name) if name.contains(char::is_whitespace) => unknown(),
            Token::Ident(name) => match &*name.to_ascii_lowercase() {
                "currentcolor" => Ok(self.environment.colour),
                name => parsed(system(name).unwrap_or(&name.replace("grey", "gray"))),
            },
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                input.parse_nested_block(|input| match &*name {
                    "light-dark" => {
                        let light = inner.colour(input)?;
                        input.expect_comma()?;
                        let dark = inner.colour(input)?;
                        Ok(if self.environment.is_dark { dark } else { light })
                    }
                    "color-mix" => inner.mix(input),
                    name => inner.channels(name, input),
                })
            }
            _ => unknown(),
        }
    }

    fn mix(self, input: &mut Parser) -> Read<DynamicColor> {
        let mut space = ColorSpaceTag::Oklab;
        if input.try_parse(|input| input.expect_ident_matching("in")).is_ok() {
            space = colour_space(&input.expect_ident_cloned()?)?;
            input.expect_comma()?;
        }
        let part = |input: &mut Parser| -> Read<_> {
            let before = input.try_parse(Parser::expect_percentage).ok();
            let colour = self.colour(input)?;
            Ok((colour, before.or_else(|| input.try_parse(Parser::expect_percentage).ok())))
        };
        let (first, share) = part(input)?;
        input.expect_comma()?;
        let (second, other) = part(input)?;
        let other = other.unwrap_or_else(|| share.map_or(0.5, |share| 1.0 - share));
        let share = share.unwrap_or(1.0 - other);
        let all = share + other;
        if share < 0.0 || other < 0.0 {
            return unknown();
        } else if all == 0.0 {
            return parsed("transparent");
        }
        let mixed = first.interpolate(second, space, HueDirection::Shorter).eval(other / all);
        // A total below 100% makes the result more transparent.
        Ok(mixed.map(|a, b, c, alpha| [a, b, c, alpha * all.min(1.0)]))
    }

    /// Reads a colour function, whose channels may be calculated.
    fn channels(self, name: &str, input: &mut Parser) -> Read<DynamicColor> {
        let mut text = format!("{name}(");
        while let Ok(token) = input.next().cloned() {
            text.push(' ');
            let one = token.to_css_string();
            if !matches!(token, Token::Function(_) | Token::ParenthesisBlock) {
                text += &one;
                continue;
            }
            let inner = input.parse_nested_block(|input| {
                let start = input.position();
                while input.next().is_ok() {}
                Ok::<_, ParseError<()>>(input.slice_from(start).to_owned())
            })?;
            let Some(value) = number(&format!("{one}{inner})"), self.environment) else {
                return unknown();
            };
            text += &value.to_string();
        }
        // The parser rejects whitespace before the first comma of `hsl()`.
        let text = (text + ")").replace(" ,", ",").replace("display-p3-linear", "display-p3");
        if is_mixed_legacy(&text) { unknown() } else { parsed(&text) }
    }
}

fn colour_space(name: &str) -> Read<ColorSpaceTag> {
    match &*name.to_ascii_lowercase() {
        "hsl" => Ok(ColorSpaceTag::Hsl),
        "hwb" => Ok(ColorSpaceTag::Hwb),
        "rec2020" => Ok(ColorSpaceTag::Rec2020),
        "display-p3-linear" => Ok(ColorSpaceTag::DisplayP3),
        name => name.parse().map_err(|_| ParseError::unexpected_token()),
    }
}

/// Whether a function with commas mixes numbers and percentages, which CSS rejects.
fn is_mixed_legacy(text: &str) -> bool {
    let Some((name, inner)) = text.split_once('(').filter(|(_, inner)| inner.contains(',')) else {
        return false;
    };
    let skip = usize::from(name.starts_with("hsl"));
    let parts = inner.split(',').take(3).skip(skip);
    let count = parts.filter(|part| part.trim_end_matches(')').trim_end().ends_with('%')).count();
    if skip == 1 { count != 2 } else { !matches!(count, 0 | 3) }
}

/// Returns a system colour in light mode, as browsers use it in pictures.
fn system(name: &str) -> Option<&'static str> {
    let colours = [
        (
            "#000000",
            "canvastext buttontext fieldtext windowtext graytext menutext infotext captiontext marktext \
             highlighttext selecteditemtext buttonborder windowframe threeddarkshadow inactivecaptiontext \
             activeborder inactiveborder threedshadow threedlightshadow buttonshadow",
        ),
        (
            "#ffffff",
            "canvas buttonface field window menu mark infobackground background appworkspace threedface \
             threedhighlight scrollbar buttonhighlight inactivecaption",
        ),
        (
            "#0000ee",
            "linktext activetext accentcolor accentcolortext highlight selecteditem activecaption -webkit-link -webkit-activelink \
             -webkit-focus-ring-color",
        ),
        ("#551a8b", "visitedtext"),
    ];
    let found = colours.iter().find(|(_, names)| names.split(' ').any(|known| known == name));
    found.map(|(colour, _)| *colour)
}
