//! Values in usvg's syntax that may refer to other elements.

use super::context::{Context, Writer};
use super::definitions::Generated;
use crate::values::properties::{DOES_NOT_CUT, Kind, NOTHING_THERE, OTHER_FILE};
use crate::values::{self, Effect, Environment, Whole, usvg_value, whole_numbers};

impl Writer<'_> {
    /// Returns the value of a property in usvg's syntax; `None` if it is invalid.
    pub(crate) fn lower(
        &mut self,
        own: &Context,
        (name, kind): (&'static str, Kind),
        value: &str,
        environment: &Environment,
        in_css: bool,
    ) -> Option<String> {
        let element = own.element;
        let is_none = value.eq_ignore_ascii_case("none");
        let link = matches!(kind, Kind::Paint | Kind::Reference(_) | Kind::Filter);
        let link = link.then(|| values::url(value)).flatten();
        if link.as_ref().is_some_and(|(link, _)| !link.is_empty() && !link.starts_with('#')) {
            self.note(element, &format!("{name}: {value}"), OTHER_FILE);
        }
        match kind {
            Kind::Paint => self.paint((element, name), value, environment),
            Kind::Reference(_) | Kind::Filter if is_none => Some("none".to_owned()),
            Kind::Reference(kind) => match link {
                Some((_, rest)) if kind == "clipPath" && !rest.is_empty() => None,
                Some((_, rest)) if kind == "mask" && rest.contains(',') => {
                    self.note(element, &format!("{name}: {value}"), DOES_NOT_CUT);
                    None
                }
                Some((link, _)) => {
                    let mark = self.reference((element, name), &link, &[kind]);
                    Some(mark.map_or_else(|| "none".to_owned(), |mark| format!("url(#{mark})")))
                }
                // A basic shape or a box.
                None if kind == "clipPath"
                    && (value.contains('(') || values::has_word(value, "-box")) =>
                {
                    self.note(element, &format!("{name}: {value}"), DOES_NOT_CUT);
                    Some("none".to_owned())
                }
                None => None,
            },
            Kind::Filter => self.filter(own, value, environment, in_css),
            Kind::Exact if in_css && !is_none => {
                values::path(value).map(|path| whole_numbers(&path).to_owned())
            }
            Kind::Exact => Some(whole_numbers(value).to_owned()),
            // A size relative to the window, which has no size here.
            Kind::Length { .. } if element == 0 && is_of_window(value) => {
                if !self.is_image
                    && !matches!(value, "auto" | "100%")
                    && matches!(name, "width" | "height")
                {
                    let effect = "a part of a window; the drawing is as large as without it";
                    self.note(element, &format!("{name}: {value}"), effect);
                }
                Some("auto".to_owned())
            }
            Kind::Length { negative, .. } if element == 0 => {
                let kind = Kind::Length { whole: Whole::Unknown, negative };
                usvg_value(name, kind, value, environment, in_css)
            }
            _ => usvg_value(name, kind, value, environment, in_css),
        }
    }

    /// Follows the reference of a property to an element with one of these names, and returns its mark. Like browsers,
    /// skips elements with `display: none`.
    fn reference(&mut self, of: (u32, &str), link: &str, names: &[&str]) -> Option<String> {
        let found = self.elements.index_of(link).filter(|found| !self.is_off(*found));
        let mark = found.and_then(|_| self.elements.target(link, names));
        if mark.is_none() && link.starts_with('#') {
            self.note(of.0, &format!("{}: url({link})", of.1), NOTHING_THERE);
        }
        mark
    }

    /// Whether `display: none` on a definition, or on an enclosing `defs`, hides it from references. Other ancestors
    /// do not count.
    pub(crate) fn is_off(&mut self, element: u32) -> bool {
        let node = self.nodes[element as usize];
        let (in_defs, alone) = match node.tag_name().name() {
            "clipPath" | "mask" | "pattern" | "linearGradient" | "radialGradient" => (true, true),
            "marker" => (true, false),
            "symbol" => (false, true),
            _ => return false,
        };
        *self.off.entry(element).or_insert_with(|| {
            let around = node.ancestors().filter(|outer| in_defs && outer.has_tag_name("defs"));
            node.ancestors()
                .take(usize::from(alone))
                .chain(around)
                .any(|one| self.cascade.is_off(one))
        })
    }

    /// Returns a paint in usvg's syntax; `None` if it is invalid.
    fn paint(&mut self, of: (u32, &str), value: &str, environment: &Environment) -> Option<String> {
        let solid = |value: &str| match &*value.to_ascii_lowercase() {
            "currentcolor" => Some("currentColor".to_owned()),
            word @ ("none" | "context-fill" | "context-stroke") => Some(word.to_owned()),
            _ => values::colour(value, environment),
        };
        let Some((link, rest)) = values::url(value) else { return solid(value) };
        let rest = if rest.is_empty() { None } else { Some(solid(&rest)?) };
        // For a gradient without stops, usvg uses the fallback colour, but browsers do not.
        let found = self.elements.index_of(&link);
        let rest = rest.filter(|_| !found.is_some_and(|found| self.has_no_stops(found)));
        let mark = self.reference(of, &link, &PAINTS).map(|mark| format!("url(#{mark})"));
        let words = [mark, rest].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Some(if words.is_empty() { "none".to_owned() } else { words })
    }

    /// Whether a gradient and all gradients that it links to have no stops.
    fn has_no_stops(&self, gradient: u32) -> bool {
        let mut all = std::iter::successors(Some(self.nodes[gradient as usize]), |one| {
            self.elements.linked(*one)
        });
        all.by_ref().take(LINKS).all(|one| {
            let has_stops = one.children().any(|child| child.has_tag_name("stop"));
            one.tag_name().name().ends_with("Gradient") && !has_stops
        })
    }

    /// Returns a list of filters in usvg's syntax; `None` if it is invalid.
    pub(crate) fn filter(
        &mut self,
        own: &Context,
        value: &str,
        environment: &Environment,
        in_css: bool,
    ) -> Option<String> {
        let (element, slot) = (own.element, own.slot);
        let effects = values::effects(value, environment, in_css)?;
        let mut found = Vec::new();
        let is_link = |effect: &Effect| matches!(effect, Effect::Link(_));
        for run in effects.chunk_by(|a, b| !is_link(a) && !is_link(b)) {
            if let [Effect::Link(link)] = run {
                let mark = self.reference((element, "filter"), link, &["filter"]);
                found.extend(mark.map(|mark| format!("url(#{mark})")));
                continue;
            }
            let mark = self.elements.generated_mark();
            found.push(format!("url(#{mark})"));
            self.generated.push(Generated::Filter { mark, element, slot, effects: run.to_vec() });
        }
        Some(if found.is_empty() { "none".to_owned() } else { found.join(" ") })
    }
}

const PAINTS: [&str; 3] = ["linearGradient", "radialGradient", "pattern"];

/// The maximum length of a chain of gradients.
const LINKS: usize = 64;

/// Whether a size of the root depends on the window.
pub(crate) fn is_of_window(value: &str) -> bool {
    value.ends_with('%') || value.eq_ignore_ascii_case("auto")
}
