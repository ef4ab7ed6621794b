//! The property values of an element: declarations, the cascade, and usvg's syntax.

use super::context::{Context, Winners, Writer};
use super::references::is_of_window;
use crate::cascade::{Declaration, declare, substitute};
use crate::elements::{is_shape, transform_attribute};
use crate::values::properties::{
    ALIASES, FONTS, IGNORED, LEFT_OUT, NOT_EXACT, PROPERTIES, SYSTEM_FONTS, is_geometry,
    is_geometry_of, is_of_text, is_property_of, moves_page, place,
};
use crate::values::{self, Environment, FONT_SIZE, MONO_SIZE, Metrics, Whole, supports};
use std::borrow::Cow;
use std::rc::Rc;
use usvg::roxmltree::Node;

/// A declared value: the index of its property, and the layer if it is declared in CSS.
type Candidate<'v> = (usize, Cow<'v, str>, Option<&'v [u32]>);

impl Writer<'_> {
    /// Returns the value of each property, and whether it was declared in CSS.
    pub(crate) fn winners(
        &mut self,
        node: Node,
        declared: &[Declaration],
        around: &Context,
        own: &mut Context,
    ) -> Winners {
        let tag = node.tag_name().name();
        declare(declared, &mut own.custom);
        // The candidates, least important first.
        let mut all: Vec<Candidate> = Vec::new();
        let is_text = tag == "text" || around.text.is_some();
        let space = node.attributes().find(|one| is_text && one.name() == "space");
        let space = space.map(|one| if one.value() == "preserve" { "pre" } else { "normal" });
        // Texts do not inherit this property.
        let space = space.or((tag == "text").then_some("normal")).zip(place("white-space"));
        all.extend(space.map(|(space, at)| (at, space.into(), None)));
        for one in node.attributes().filter(|one| one.namespace().is_none()) {
            let name = one.name();
            let name = if name == transform_attribute(tag) { "transform" } else { name };
            if let Some(at) = place(name).filter(|_| is_property_of(tag, name)) {
                all.push((at, one.value().trim().into(), None));
            }
        }
        for one in declared {
            self.expand(tag, one, own, &mut all);
        }
        // Candidates for the same property stay in cascade order.
        all.sort_by_key(|one| one.0);
        let mut winners = Winners::default();
        let (fonts, rest) = all.split_at(all.partition_point(|one| one.0 < FONTS));
        self.apply(tag, fonts, around, own, &mut winners);
        Self::default_size(around, own, &mut winners);
        self.measure(own);
        self.apply(tag, rest, around, own, &mut winners);
        if own.is_replaced {
            winners.retain(|name, _| place(name).is_some_and(|at| !PROPERTIES[at].2.is_empty()));
        }
        winners
    }

    /// Determines the winning candidates, and everything that depends on them.
    fn apply(
        &mut self,
        tag: &str,
        all: &[Candidate],
        around: &Context,
        own: &mut Context,
        winners: &mut Winners,
    ) {
        let element = own.element;
        for candidates in all.chunk_by(|a, b| a.0 == b.0) {
            let at = candidates[0].0;
            let (name, _, initial) = PROPERTIES[at];
            // Browsers apply no effects to a mask, and only clips to a clip path.
            let is_void = match name {
                "mask" | "filter" | "opacity" => matches!(tag, "mask" | "clipPath"),
                "clip-path" => tag == "mask",
                _ => false,
            };
            if is_void {
                continue;
            }
            let Some((mut value, in_css)) = self.winner(tag, candidates, around, own) else {
                continue;
            };
            match name {
                "font-family" => {
                    own.environment.is_mono = value.eq_ignore_ascii_case("monospace");
                }
                "font-size" => {
                    own.environment.font = Metrics::of_size(value.parse().unwrap_or(FONT_SIZE));
                }
                "font-weight" if matches!(&*value, "bolder" | "lighter") => {
                    value = weight(&value, around.get("font-weight")).to_owned();
                }
                "fill" | "stroke" if value.starts_with("context-") => {
                    let paints = own.shown.as_ref().map(|shown| &shown.paints);
                    let at = usize::from(value == "context-stroke");
                    value = paints.map_or(value, |paints| (*paints[at]).to_owned());
                }
                "color" => {
                    let found = values::read_colour(&value, &own.environment);
                    own.environment.colour = found.unwrap_or(own.environment.colour);
                }
                "color-scheme" => {
                    own.environment.is_dark = value.contains("dark")
                        && (self.cascade.is_dark() || !value.contains("light"));
                }
                // Only groups are replaced by their content.
                "display" if value == "contents" => {
                    own.is_replaced = matches!(tag, "g" | "svg" | "use") && element != 0;
                    let is_shown = own.is_replaced || matches!(tag, "svg" | "tspan" | "defs");
                    value = if is_shown { "inline" } else { "none" }.to_owned();
                }
                "baseline-shift" if tag == "text" => {
                    self.note(element, &format!("{name}: {value}"), IGNORED);
                }
                "baseline-shift" if matches!(&*value, "sub" | "super") => {
                    // Chromium measures the font at its size on the page.
                    let [a, b, c, d, ..] = own.to_drawing.as_coeffs();
                    let scale = ((a * a + b * b + c * c + d * d) / 2.0).sqrt();
                    let size = own.environment.font.size * scale;
                    let half = self.fonts.metrics(own.font(), size).height / 2.0;
                    let shift = if value == "sub" { -half.ceil() } else { half.floor() };
                    value = (shift / scale).to_string();
                }
                _ => {}
            }
            let other = NOT_EXACT.iter().find(|(known, ..)| *known == name);
            if let Some((.., effect)) = other.filter(|(_, exact, _)| {
                let mut words = value.split(' ');
                words.any(|word| exact.split(' ').all(|it| it != word))
            }) {
                self.note(element, &format!("{name}: {value}"), *effect);
            }
            if !initial.is_empty() {
                Rc::make_mut(&mut own.inherited).insert(name, value.as_str().into());
            }
            winners.insert(name, (value, in_css));
        }
    }

    /// Returns the value of the winning candidate, and whether it is declared in CSS; `None` if the value has no
    /// effect.
    fn winner(
        &mut self,
        tag: &str,
        candidates: &[Candidate],
        around: &Context,
        own: &mut Context,
    ) -> Option<(String, bool)> {
        let element = own.element;
        let mut reverted = None;
        for (at, value, layer) in candidates.iter().rev() {
            let (name, kind, _) = PROPERTIES[*at];
            let in_css = layer.is_some();
            if in_css && *layer == reverted || !refers_to_custom_alone(value) {
                continue;
            }
            // A missing custom property makes the value invalid only after the cascade, so no other declaration
            // replaces it.
            let value = substitute(value, &own.custom).or(in_css.then_some("unset".into()))?;
            let is_custom = matches!(value, Cow::Owned(_));
            let is_first_size = name == "font-size" && value.eq_ignore_ascii_case("initial");
            let value = if is_first_size { "medium".into() } else { value };
            // CSS-wide keywords are valid only in CSS; these attributes have their own syntax.
            let has_keywords = in_css || name != "transform" && !is_geometry(name);
            if has_keywords && values::is_css_wide(&value) {
                if value.eq_ignore_ascii_case("revert-layer") {
                    reverted = *layer;
                    continue;
                }
                return keyword(&value, *at, in_css, around);
            }
            if own.environment.font.is_rough
                && values::has_unit(&value, &["ex", "cap", "rex", "rcap"])
            {
                let rough =
                    "its font does not tell the height of its letters; off by up to a pixel";
                self.note(element, &format!("{name}: {value}"), rough);
            }
            // These properties require a unit, except for plain numbers in attributes.
            let is_strict = match (name, layer) {
                ("letter-spacing" | "word-spacing", _) => value.contains('('),
                ("width" | "height" | "font-size", None) => is_custom,
                ("width" | "height" | "font-size", Some(layer)) => {
                    !layer.is_empty() || value.contains('(')
                }
                _ => false,
            };
            let environment =
                Environment { is_mono: own.environment.is_mono, ..around.environment };
            let environment = if name == "font-size" { environment } else { own.environment };
            let is_bare = is_strict
                && values::pixels(&value, &environment).is_some()
                && values::strict_length(&value, &environment, Whole::Unknown).is_none();
            let found = self.lower(own, (name, kind), &value, &environment, in_css);
            if let Some(found) = found.filter(|_| !is_bare) {
                if name == "font-size" {
                    own.size_word = match &around.size_word {
                        _ if values::is_size_word(&value) => Some((&*value).into()),
                        Some(_) if is_relative(&value) && !value.contains('(') => Some("".into()),
                        _ => None,
                    };
                }
                return Some((found, in_css));
            }
            let is_size =
                element == 0 && matches!(name, "width" | "height") && !is_of_window(&value);
            if value.contains(['(', ' ']) || is_size {
                let what = format!("{name}: {value}");
                self.note(element, &what, "not understood; the value is left out");
            }
            // An invalid attribute of a shape is zero; a negative size counts as missing.
            let is_zero = is_geometry(name) && name != "d" && tag != "svg";
            if !in_css && is_zero && !value.starts_with('-') {
                return Some(("0".to_owned(), in_css));
            }
            if is_custom {
                return None;
            }
        }
        None
    }

    /// Adjusts a default font size where the family changes to or from `monospace`.
    fn default_size(around: &Context, own: &mut Context, winners: &mut Winners) {
        let is_mono = own.environment.is_mono;
        let is_other = is_mono != around.environment.is_mono;
        let Some(word) = own.size_word.as_ref().filter(|_| is_other) else { return };
        let factor = if is_mono { MONO_SIZE / FONT_SIZE } else { FONT_SIZE / MONO_SIZE };
        let part = own.environment.font.size * factor;
        let size = values::font_size(word, &own.environment).unwrap_or(part);
        own.environment.font = Metrics::of_size(size);
        Rc::make_mut(&mut own.inherited).insert("font-size", size.to_string().into());
        winners.insert("font-size", (size.to_string(), false));
    }

    /// Measures the font of an element, if a unit may depend on it.
    fn measure(&self, own: &mut Context) {
        if self.needs_fonts {
            let mut font = self.fonts.metrics(own.font(), own.environment.font.size);
            let line = own.get("line-height");
            font.line = match line.strip_suffix("px") {
                Some(pixels) => pixels.parse().unwrap_or(font.line),
                None => line.parse().map_or(font.line, |times: f64| times * font.size),
            };
            own.environment.font = font;
        }
        if own.element == 0 {
            own.environment.root_font = own.environment.font;
        }
    }

    /// Expands a declaration into its longhand properties.
    fn expand<'v>(
        &mut self,
        tag: &str,
        declared: &'v Declaration,
        own: &Context,
        all: &mut Vec<Candidate<'v>>,
    ) {
        let element = own.element;
        let (name, value, layer) = (&*declared.name, &*declared.value, Some(&*declared.layer));
        if let Some((_, names)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
            let places = names.iter().filter_map(|name| place(name));
            return all.extend(places.map(|at| (at, value.into(), layer)));
        }
        match name {
            // The page gets its size later.
            "max-width" if element == 0 => {}
            _ if element == 0 && moves_page(name) && !keeps_page(value) => {
                self.note(element, &format!("{name}: {value}"), IGNORED);
            }
            "font" => {
                let value = substitute(value, &own.custom).unwrap_or_default();
                if SYSTEM_FONTS.split(' ').any(|font| value.eq_ignore_ascii_case(font)) {
                    self.note(element, &format!("font: {value}"), IGNORED);
                }
                let is_good = |(name, value): &(&str, String)| supports(name, value) == Some(true);
                let parts = values::font(&value).filter(|parts| parts.iter().all(is_good));
                for (name, value) in parts.into_iter().flatten() {
                    all.extend(place(name).map(|at| (at, value.into(), layer)));
                }
            }
            "all" => {
                let is_keyword =
                    substitute(value, &own.custom).is_none_or(|it| values::is_css_wide(&it));
                let places = (0..PROPERTIES.len()).filter(|at| {
                    let name = PROPERTIES[*at].0;
                    is_keyword
                        && name != "direction"
                        && (!is_geometry(name) || is_geometry_of(tag, name))
                });
                all.extend(places.map(|at| (at, value.into(), layer)));
            }
            _ => match place(name) {
                // Browsers read the size of a nested viewport only from its attributes.
                Some(_) if tag == "svg" && element != 0 && is_geometry(name) => {}
                Some(at) if !is_geometry(name) || is_geometry_of(tag, name) => {
                    all.push((at, value.into(), layer));
                }
                Some(_) => {}
                None => {
                    let plain = "none auto normal solid visible 100% initial inherit unset mixed 0";
                    // Inkscape writes all text properties into its shapes.
                    let is_idle = is_shape(tag) && is_of_text(name);
                    let known = LEFT_OUT.iter().find(|(known, _)| *known == name && !is_idle);
                    if let Some((_, effect)) =
                        known.filter(|_| !plain.split(' ').any(|it| it.eq_ignore_ascii_case(value)))
                    {
                        self.note(element, &format!("{name}: {value}"), *effect);
                    }
                }
            },
        }
    }
}

/// Whether this margin or size limit of the root has no effect on the page.
pub(crate) fn keeps_page(value: &str) -> bool {
    value.starts_with('0') || matches!(value, "none" | "auto" | "100%")
}

/// Returns the initial value of a property, if it differs from the value of an element without the property.
fn initial(at: usize) -> Option<&'static str> {
    match PROPERTIES[at] {
        ("overflow", ..) => Some("visible"),
        ("transform-origin", ..) => Some("50% 50%"),
        (_, _, "") => None,
        (_, _, initial) => Some(initial),
    }
}

/// Returns the weight that is bolder or lighter than the inherited weight. (CSS Fonts 4, section 2.2.1.)
fn weight(word: &str, around: &str) -> &'static str {
    let around = if around == "bold" { 700.0 } else { around.parse().unwrap_or(400.0) };
    match word {
        "bolder" if around < 350.0 => "400",
        "bolder" if around < 550.0 => "700",
        "bolder" => "900",
        _ if around < 550.0 => "100",
        _ if around < 750.0 => "400",
        _ => "700",
    }
}

/// Whether a value refers only to custom properties; any other reference is invalid from the start.
fn refers_to_custom_alone(value: &str) -> bool {
    let is_custom = |rest: &str| {
        let name = rest.split([',', ')']).next().unwrap_or_default().trim();
        name.starts_with("--") && !name.contains([' ', ';'])
    };
    !value.contains('(') || value.split("var(").skip(1).all(is_custom)
}

/// Whether a font size is relative to the inherited size.
fn is_relative(value: &str) -> bool {
    let words = ["%", "larger", "smaller"];
    values::has_em(value) || words.iter().any(|word| values::has_word(value, word))
}

/// Resolves a CSS-wide keyword. Returns its value, and whether that value is declared in CSS.
fn keyword(word: &str, at: usize, in_css: bool, around: &Context) -> Option<(String, bool)> {
    let (name, _, inherited) = PROPERTIES[at];
    let word = word.to_ascii_lowercase();
    let value = match &*word {
        "inherit" if inherited.is_empty() => match around.winner(name) {
            Some(outer) => return Some(outer.clone()),
            None => match name {
                "overflow" => Some("visible"),
                "transform-origin" if around.depth == 1 => Some("50% 50%"),
                _ => None,
            },
        },
        "initial" => initial(at),
        "unset" if inherited.is_empty() => initial(at),
        _ => None,
    };
    value.map(|value| (value.to_owned(), in_css))
}
