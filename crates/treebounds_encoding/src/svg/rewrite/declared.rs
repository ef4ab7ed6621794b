//! The values of an element's properties: what is declared, which declaration holds, and usvg's words for it.

use super::{Context, Winners, Writer, attribute_transform, transform_attribute};
use crate::svg::boxes::{Generated, plain_miter};
use crate::svg::css::Declaration;
use crate::svg::properties::{
    Kind, LEFT_OUT, PROPERTIES, is_geometry, is_geometry_of, is_property_of, place,
};
use crate::svg::values::{self, Effect, Environment, FONT_SIZE, Whole};
use kurbo::Rect;
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;
use usvg::roxmltree::Node;

impl Writer<'_, '_> {
    /// The value of each property, and whether it was declared in CSS.
    pub(super) fn winners(
        &mut self,
        object: u32,
        node: Node,
        declared: &[Declaration],
        around: &Context,
        own: &mut Context,
    ) -> Winners {
        let tag = node.tag_name().name();
        if declared.iter().any(|one| one.name.starts_with("--")) {
            let custom = Rc::make_mut(&mut own.custom);
            for one in declared.iter().filter(|one| one.name.starts_with("--")) {
                custom.insert(one.name.clone(), (&*one.value).into());
            }
        }
        // The candidates, least important first.
        let mut all: Vec<(usize, Cow<str>, bool)> = Vec::new();
        for one in node.attributes().filter(|one| one.namespace().is_none()) {
            let name = one.name();
            let name = if name == transform_attribute(tag) { "transform" } else { name };
            if let Some(at) = place(name).filter(|_| is_property_of(tag, name)) {
                all.push((at, one.value().trim().into(), false));
            }
        }
        for one in declared {
            self.expand(object, tag, &one.name, &one.value, &own.custom, &mut all);
        }
        let mut winners = Winners::new();
        for (at, &(name, kind, inherits)) in PROPERTIES.iter().enumerate() {
            // Browsers do not apply a mask to the contents of a mask or of a clip path.
            if name == "mask" && matches!(tag, "mask" | "clipPath") {
                continue;
            }
            for (_, value, in_css) in all.iter().rev().filter(|one| one.0 == at) {
                let value = match substitute(value, &own.custom) {
                    Some(value) => value,
                    // The value is invalid only now, so no other declaration takes its place.
                    None => break,
                };
                match &*value.to_ascii_lowercase() {
                    "inherit" if !inherits => {
                        winners.insert(at, (value.into_owned(), *in_css));
                        break;
                    }
                    "initial" if inherits => {
                        winners.insert(at, (initial(name).to_owned(), *in_css));
                        break;
                    }
                    "inherit" | "initial" | "unset" | "revert" | "revert-layer" => break,
                    _ => {}
                }
                let environment =
                    if name == "font-size" { &around.environment } else { &own.environment };
                match self.lower(object, name, kind, &value, environment, *in_css) {
                    Some(mut lowered) => {
                        // usvg does not know this word here.
                        if matches!(name, "flood-color" | "lighting-color")
                            && lowered == "currentColor"
                        {
                            lowered = own.get("color").to_owned();
                        }
                        if name == "font-variant" && lowered != "normal" {
                            self.note(
                                object,
                                &format!("{name}: {lowered}"),
                                "not as browsers draw it; the letters may be larger or smaller",
                            );
                        }
                        winners.insert(at, (lowered, *in_css));
                        break;
                    }
                    None if value.contains('(') => {
                        let what = format!("{name}: {value}");
                        self.note(object, &what, "not understood; the value is left out");
                    }
                    None => {}
                }
            }
            if let Some((value, _)) = winners.get(&at) {
                match name {
                    "font-size" => own.environment.font_size = value.parse().unwrap_or(FONT_SIZE),
                    "color-scheme" => {
                        own.environment.is_dark = value.contains("dark")
                            && (self.cascade.is_dark() || !value.contains("light"));
                    }
                    _ => {}
                }
                if inherits {
                    Rc::make_mut(&mut own.inherited).insert(name, value.as_str().into());
                }
            }
        }
        if object == 0 {
            own.environment.root_font_size = own.environment.font_size;
        }
        winners
    }

    /// Splits a declaration into the properties that it stands for.
    fn expand<'v>(
        &mut self,
        object: u32,
        tag: &str,
        name: &str,
        value: &'v str,
        custom: &HashMap<Box<str>, Rc<str>>,
        all: &mut Vec<(usize, Cow<'v, str>, bool)>,
    ) {
        match name {
            "marker" => {
                for name in ["marker-start", "marker-mid", "marker-end"] {
                    all.extend(place(name).map(|at| (at, value.into(), true)));
                }
            }
            "font" => {
                let value = substitute(value, custom).unwrap_or_default();
                for (name, value) in values::font(&value).into_iter().flatten() {
                    all.extend(place(name).map(|at| (at, value.into(), true)));
                }
            }
            "text-decoration-line" => {
                all.extend(place("text-decoration").map(|at| (at, value.into(), true)));
            }
            "font-variant-caps" => {
                all.extend(place("font-variant").map(|at| (at, value.into(), true)));
            }
            "overflow-x" => all.extend(place("overflow").map(|at| (at, value.into(), true))),
            "d" if value.starts_with("path(") => {
                let inner = value.trim_start_matches("path(").trim_end_matches(')').trim();
                let inner = inner.trim_matches(['"', '\'']);
                all.extend(place("d").map(|at| (at, inner.into(), true)));
            }
            _ => match place(name) {
                Some(at) if !is_geometry(name) || is_geometry_of(tag, name) => {
                    all.push((at, value.into(), true));
                }
                Some(_) => {}
                None => {
                    let plain =
                        ["none", "auto", "normal", "1", "100%", "initial", "inherit", "unset"];
                    let known = LEFT_OUT.iter().find(|(known, _)| *known == name);
                    if let Some((_, effect)) = known.filter(|_| !plain.contains(&value)) {
                        self.note(object, &format!("{name}: {value}"), effect);
                    }
                }
            },
        }
    }

    /// The value of a property in usvg's words; `None` if it is invalid.
    fn lower(
        &mut self,
        object: u32,
        name: &'static str,
        kind: Kind,
        value: &str,
        environment: &Environment,
        in_css: bool,
    ) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        match kind {
            Kind::Paint => self.paint(value, environment),
            Kind::Colour => values::colour(value, environment),
            Kind::Alpha => values::plain(values::number(value, environment)?.clamp(0.0, 1.0)),
            Kind::Length { whole, negative, bare } => {
                let word = matches!(
                    (name, &*lower),
                    ("letter-spacing" | "word-spacing", "normal")
                        | ("width" | "height" | "rx" | "ry", "auto")
                );
                if word {
                    return Some(lower);
                }
                // The size of the root is relative to the window, which does not matter.
                let whole = if object == 0 { Whole::Unknown } else { whole };
                if object == 0 && in_css && lower.ends_with('%') {
                    return None;
                }
                let length = values::length(value, environment, whole, bare || !in_css)?;
                (negative || !length.starts_with('-') || length.parse() == Ok(0.0))
                    .then_some(length)
            }
            Kind::Dashes if lower == "none" => Some(lower),
            Kind::Dashes => {
                let all = values::lengths(value, environment, Whole::Diagonal)?;
                let all: Option<Vec<String>> =
                    all.iter().map(|one| values::plain(*one).filter(|_| *one >= 0.0)).collect();
                all.map(|all| all.join(" "))
            }
            Kind::Miter => {
                let limit = values::number(value, environment).filter(|limit| *limit >= 1.0)?;
                Some(plain_miter(limit as f32).to_string())
            }
            Kind::Words(_) if (name, &*lower) == ("overflow", "clip") => Some("hidden".to_owned()),
            Kind::Words(words) => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                word.map(|word| (*word).to_owned())
            }
            Kind::Reference(_) if lower == "none" => Some(lower),
            Kind::Reference(kind) => match values::url(value) {
                Some((link, _)) => match self.objects.reference(&link, &[kind]) {
                    Some(mark) => Some(format!("url(#{mark})")),
                    None => Some("none".to_owned()),
                },
                None if kind == "clipPath" && value.contains('(') => {
                    let mark = self.objects.generated_mark();
                    let found = format!("url(#{mark})");
                    let shape = value.to_owned();
                    let environment = *environment;
                    self.generated.push(Generated::Clip { mark, object, shape, environment });
                    Some(found)
                }
                None => None,
            },
            Kind::Filter if lower == "none" => Some(lower),
            Kind::Filter => self.filter(object, value, environment),
            Kind::FontSize => values::plain(values::font_size(value, environment, !in_css)?),
            Kind::Transform | Kind::Text if name == "font-family" || name == "d" => {
                Some(value.to_owned())
            }
            Kind::Transform if name == "transform" => {
                let is_good = if in_css {
                    values::transform(value, environment, Rect::ZERO).is_some()
                } else {
                    attribute_transform(value, environment).is_some()
                };
                is_good.then(|| value.to_owned())
            }
            Kind::Transform | Kind::Text => Some(lower),
        }
    }

    fn paint(&mut self, value: &str, environment: &Environment) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        if matches!(&*lower, "none" | "context-fill" | "context-stroke") {
            return Some(lower);
        }
        let Some((link, rest)) = values::url(value) else {
            return values::colour(value, environment);
        };
        let rest = if rest.is_empty() { None } else { Some(self.paint(&rest, environment)?) };
        let kinds = ["linearGradient", "radialGradient", "pattern"];
        Some(match self.objects.reference(&link, &kinds) {
            Some(mark) => format!("url(#{mark}) {}", rest.unwrap_or_default()).trim().to_owned(),
            None => rest.unwrap_or_else(|| "none".to_owned()),
        })
    }

    fn filter(&mut self, object: u32, value: &str, environment: &Environment) -> Option<String> {
        let effects = values::effects(value, environment)?;
        let mut found = Vec::new();
        for effect in effects {
            match effect {
                Effect::Link(link) => {
                    let mark = self.objects.reference(&link, &["filter"]);
                    found.extend(mark.map(|mark| format!("url(#{mark})")));
                }
                effect => {
                    if let Some(Generated::Filter { object: known, effects, is_open: true, .. }) =
                        self.generated.last_mut().filter(|_| !found.is_empty())
                        && *known == object
                    {
                        effects.push(effect);
                        continue;
                    }
                    let mark = self.objects.generated_mark();
                    found.push(format!("url(#{mark})"));
                    let effects = vec![effect];
                    self.generated.push(Generated::Filter { mark, object, effects, is_open: true });
                    continue;
                }
            }
            if let Some(Generated::Filter { is_open, .. }) = self.generated.last_mut() {
                *is_open = false;
            }
        }
        if let Some(Generated::Filter { is_open, .. }) = self.generated.last_mut() {
            *is_open = false;
        }
        Some(if found.is_empty() { "none".to_owned() } else { found.join(" ") })
    }
}

/// The initial value of an inherited property.
fn initial(name: &str) -> &'static str {
    match name {
        "fill" | "color" => "#000000",
        "fill-opacity" | "stroke-opacity" | "stroke-width" => "1",
        "stroke-dashoffset" => "0",
        "stroke" | "stroke-dasharray" | "text-transform" => "none",
        "marker-start" | "marker-mid" | "marker-end" => "none",
        "stroke-linecap" => "butt",
        "stroke-linejoin" => "miter",
        "stroke-miterlimit" => "4",
        "fill-rule" | "clip-rule" => "nonzero",
        "font-size" => "16",
        "text-anchor" => "start",
        "direction" => "ltr",
        "visibility" => "visible",
        "color-interpolation-filters" => "linearRGB",
        "font-family" => "serif",
        "writing-mode" => "horizontal-tb",
        "letter-spacing" | "word-spacing" | "font-style" | "font-variant" | "font-weight"
        | "font-stretch" | "white-space" | "paint-order" | "color-scheme" => "normal",
        _ => "auto",
    }
}

/// How deep custom properties may refer to each other, and how long a value may become.
const CUSTOM_DEPTH: u32 = 16;
const CUSTOM_LENGTH: usize = 1 << 14;

/// A value with its custom properties filled in; `None` if one has no value.
pub(super) fn substitute<'v>(
    value: &'v str,
    custom: &HashMap<Box<str>, Rc<str>>,
) -> Option<Cow<'v, str>> {
    if !value.contains("var(") {
        return Some(Cow::Borrowed(value));
    }
    let mut left = CUSTOM_LENGTH;
    fill_in(value, custom, CUSTOM_DEPTH, &mut left).map(Cow::Owned)
}

fn fill_in(
    value: &str,
    custom: &HashMap<Box<str>, Rc<str>>,
    depth: u32,
    left: &mut usize,
) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    *left = left.checked_sub(value.len())?;
    let Some((before, rest)) = value.split_once("var(") else { return Some(value.to_owned()) };
    let mut open = 1_u32;
    let end = rest.find(|letter| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    let (inner, after) = (&rest[..end], &rest[end + 1..]);
    let (name, fallback) = inner.split_once(',').map_or((inner, None), |(a, b)| (a, Some(b)));
    let found =
        custom.get(name.trim()).and_then(|found| fill_in(found.trim(), custom, depth, left));
    let found = match found {
        Some(found) => found,
        None => fill_in(fallback?.trim(), custom, depth, left)?,
    };
    let mut out = before.to_owned() + &found;
    // Values with many references are not nested in each other.
    out += &fill_in(after, custom, depth.max(1), left)?;
    Some(out)
}
