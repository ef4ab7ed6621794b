//! The attributes of an element, in usvg's syntax.

use super::context::{Context, Writer};
use super::definitions::Generated;
use super::markers::MARKERS;
use super::viewports::is_ignored_view;
use crate::elements::transform_attribute;
use crate::values::properties::{NOTHING_THERE, is_geometry, is_length, is_property_of, place};
use crate::values::{self, Whole, whole_numbers};
use crate::xml::{Attributes, XHTML, attribute, number, set, take};
use std::borrow::Cow;
use usvg::roxmltree::Node;

/// Filter inputs that no browser supports.
const NO_INPUTS: [&str; 4] = ["BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"];

impl Writer<'_> {
    /// Returns the attributes of an element: non-property attributes unchanged, and the winning property values.
    pub(crate) fn attributes(&mut self, node: Node, around: &Context, own: &Context) -> Attributes {
        let element = own.element;
        let tag = node.tag_name().name();
        let mut out: Attributes = Vec::new();
        for one in node.attributes() {
            let name = one.name();
            let is_plain = one.namespace().is_none();
            let is_property = place(name).is_some() && is_property_of(tag, name);
            match name {
                "id" | "class" | "style" | "space" | "requiredFeatures" | "href" | "kerning"
                | "font-kerning" => {}
                // Browsers ignore a list of lengths with leading whitespace.
                "x" | "y" | "dx" | "dy"
                    if matches!(tag, "text" | "tspan") && one.value().starts_with(' ') => {}
                "systemLanguage" | "requiredExtensions" if element == 0 => {}
                "requiredExtensions" if one.value().trim() == XHTML => {}
                "textLength" if one.value().trim().parse() == Ok(0.0) => {}
                "points" if !is_points(one.value()) => {
                    self.note(element, "points", "not understood; nothing is painted");
                }
                _ if is_ignored_view(name, one.value()) => {}
                "systemLanguage" => {
                    out.push((name.to_owned().into(), one.value().to_ascii_lowercase()));
                }
                // A symbol has the size of its use, see `set_default_sizes`.
                "x" | "y" | "width" | "height" if tag == "symbol" => {}
                _ if !is_plain || is_property || name == transform_attribute(tag) => {}
                // Filter primitives have numbers here.
                "dx" | "dy" if tag.starts_with("fe") => {
                    let is_number = one.value().trim().parse::<f64>().is_ok();
                    out.extend(is_number.then(|| (name.to_owned().into(), one.value().to_owned())));
                }
                _ if is_length(name) => {
                    let value = self.length_list(tag, name, one.value(), own);
                    let is_length = |word: &str| {
                        let word = word.trim_end_matches('%');
                        word.parse::<f64>().is_ok() && whole_numbers(word) == word
                    };
                    if value
                        .split([' ', ',', '\n', '\t'])
                        .all(|one| one.is_empty() || is_length(one))
                    {
                        out.push((name.to_owned().into(), value));
                    } else {
                        let effect = "not understood; the value is left out";
                        self.note(element, &format!("{name}: {value}"), effect);
                    }
                }
                _ => out.push((name.to_owned().into(), one.value().to_owned())),
            }
        }
        out.extend(self.href(element, node));
        if tag == "textPath" {
            self.add_text_path(node, own, &mut out);
        }
        for (name, (value, _)) in &*own.values {
            match *name {
                "transform-box" | "translate" | "rotate" | "scale" | "vector-effect"
                | "white-space" | "text-transform" | "color-scheme" | "direction" => {}
                // Browsers show a root with any display value.
                "display" if element == 0 => {}
                _ if value == "auto" && is_geometry(name) => {}
                "transform" => set(&mut out, transform_attribute(tag), value.clone()),
                "font-family" => set(&mut out, name, self.fonts.resolved(value)),
                _ => set(&mut out, name, value.clone()),
            }
        }
        if matches!(own.get("direction"), "rtl")
            && (tag == "text" || own.own("text-anchor").is_some() && around.text.is_some())
        {
            let swapped = match own.get("text-anchor") {
                "middle" => "middle",
                "end" => "start",
                _ => "end",
            };
            set(&mut out, "text-anchor", swapped.to_owned());
        }
        out
    }

    /// Returns the length, or list of lengths, of a non-property attribute.
    fn length_list(&self, tag: &str, name: &str, value: &str, own: &Context) -> String {
        let is_usual = |byte: u8| byte.is_ascii_digit() || b" .,-%\n\t".contains(&byte);
        let value = value.trim();
        let whole = match name {
            _ if !matches!(tag, "line" | "text" | "tspan" | "use") => Whole::Unknown,
            "x" | "dx" | "x1" | "x2" | "width" | "textLength" => Whole::X,
            "y" | "dy" | "y1" | "y2" | "height" => Whole::Y,
            _ => Whole::Diagonal,
        };
        if value.bytes().all(is_usual) && (whole == Whole::Unknown || !value.contains('%')) {
            return value.to_owned();
        }
        // Browsers split the lists of texts at whitespace and commas, even in calculations.
        let words = if matches!(tag, "text" | "tspan") {
            value.split([',', ' ', '\n', '\t']).filter(|word| !word.is_empty()).collect()
        } else {
            values::split(value, ',').into_iter().flat_map(values::split_words).collect::<Vec<_>>()
        };
        let words: Vec<String> = words
            .into_iter()
            .map(|word| {
                let found = values::length(word, &own.environment, whole);
                found.unwrap_or_else(|| word.to_owned())
            })
            .collect();
        words.join(" ")
    }

    /// Returns the reference of an element.
    fn href(&mut self, element: u32, node: Node) -> Option<(Cow<'static, str>, String)> {
        let tag = node.tag_name().name();
        let mut all = node.attributes().filter(|one| one.name() == "href");
        let plain = all.clone().find(|one| one.namespace().is_none());
        let value = plain.or_else(|| all.next())?.value();
        let kinds: &[&str] = match tag {
            "image" => return Some(("xlink:href".into(), value.to_owned())),
            "feImage" if !value.starts_with('#') => {
                return Some(("xlink:href".into(), value.to_owned()));
            }
            "a" | "filter" | "mpath" | "set" => return None,
            tag if tag.starts_with("animate") => return None,
            "linearGradient" | "radialGradient" => &["linearGradient", "radialGradient"],
            "pattern" => &["pattern"],
            "textPath" => &["path"],
            _ => &[],
        };
        let Some(mark) = self.elements.target(value.trim(), kinds) else {
            if value.starts_with('#') {
                self.note(element, &format!("{tag} href: {value}"), NOTHING_THERE);
            }
            return None;
        };
        Some(("href".into(), format!("#{mark}")))
    }

    /// Adds the path of a text, and its start offset along a path with a given length.
    fn add_text_path(&mut self, node: Node, own: &Context, out: &mut Attributes) {
        if let Some(d) = node.attribute("path") {
            let mark = self.elements.generated_mark();
            set(out, "href", format!("#{mark}"));
            self.generated.push(Generated::Path { mark, d: d.to_owned() });
            return;
        }
        let length = self.elements.linked(node).and_then(|path| path.attribute("pathLength"));
        let length = length.and_then(|length| length.trim().parse::<f64>().ok());
        let start = node.attribute("startOffset").filter(|start| !start.ends_with('%'));
        let start = start.and_then(|start| values::pixels(start.trim(), &own.environment));
        if let (Some(length), Some(start)) = (length.filter(|length| *length > 0.0), start) {
            set(out, "startOffset", format!("{}%", 100.0 * start / length));
        }
    }

    /// Sets the sizes that browsers use for missing attributes.
    pub(crate) fn set_default_sizes(
        &mut self,
        node: Node,
        own: &Context,
        attributes: &mut Attributes,
    ) {
        let element = own.element;
        let tag = node.tag_name().name();
        match tag {
            "svg" | "symbol" if element != 0 => {
                if tag == "symbol" {
                    for side in ["x", "y", "width", "height"] {
                        let Some(value) = node.attribute(side) else { continue };
                        let value = self.length_list("use", side, value, own);
                        attributes.push((side.into(), value));
                    }
                }
                if let Some(shown) = own.shown.as_ref().filter(|_| own.is_shown(node)) {
                    for (side, size) in ["width", "height"].into_iter().zip(&shown.size) {
                        size.iter().for_each(|size| set(attributes, side, size.clone()));
                    }
                }
                inherit_viewport_size(own, attributes);
            }
            "text" => attributes.push(("xml:space".into(), "preserve".to_owned())),
            "path" if !Self::is_marked(tag, own) => {
                let data = attribute(attributes, "d").unwrap_or_default();
                if own.shown.is_none() && svgtypes::PathParser::from(data).any(|one| one.is_err()) {
                    self.note(element, "d", "has an error; drawn up to that, as browsers do");
                }
                let d = attributes.iter_mut().filter(|(name, _)| name == "d");
                d.for_each(|(_, d)| d.truncate(values::without_trailing_move(d).len()));
            }
            "rect" | "circle" | "ellipse" => {
                for name in MARKERS {
                    attributes.retain(|(known, _)| known != name);
                    let none = own.some(name).map(|_| (name.into(), "none".to_owned()));
                    attributes.extend(none);
                }
            }
            _ => {}
        }
    }

    /// Changes the attributes of a filter primitive, and returns its new name.
    pub(crate) fn primitive<'t>(
        &mut self,
        tag: &'t str,
        own: &Context,
        attributes: &mut Attributes,
    ) -> &'t str {
        for name in ["in", "in2"] {
            let input = attribute(attributes, name).filter(|input| NO_INPUTS.contains(input));
            if let Some(what) = input.map(|input| format!("{name}: {input}")) {
                self.note(own.element, &what, "not known; the input is the source of the filter");
            }
        }
        match (number(attributes, "divisor"), number(attributes, "specularExponent")) {
            // The attribute counts as missing.
            (Some(0.0), _) => drop(take(attributes, &["divisor"])),
            (_, Some(exponent)) => {
                set(attributes, "specularExponent", exponent.clamp(1.0, 128.0).to_string());
            }
            _ => {}
        }
        // usvg ignores all primitives after one without area, which is transparent.
        let is_void = |side| number(attributes, side).is_some_and(|size| size <= 0.0);
        if !is_void("width") && !is_void("height") {
            return tag;
        }
        take(attributes, &["x", "y", "width", "height"]);
        set(attributes, "flood-opacity", "0".to_owned());
        "feFlood"
    }

    /// Notes a focus on or outside its circle, which painters treat differently.
    pub(crate) fn check_focus(&mut self, element: u32, attributes: &Attributes) {
        let away = |focus: &str, centre: &str| {
            let centre = number(attributes, centre).unwrap_or(0.5);
            number(attributes, focus).map_or(0.0, |focus| focus - centre)
        };
        let radius = number(attributes, "r").unwrap_or(0.5);
        if away("fx", "cx").hypot(away("fy", "cy")) >= radius {
            let effect = "outside of its circle, where browsers paint a part of the box";
            self.note(element, "focus of the gradient", effect);
        }
    }
}

/// Gives a viewport without a size the size of the enclosing viewport. In a symbol, usvg would use another size.
fn inherit_viewport_size(own: &Context, attributes: &mut Attributes) {
    let (width, height) = own.environment.view.unzip();
    for (side, whole) in [("width", width), ("height", height)] {
        if attribute(attributes, side).is_none() {
            let value = whole.map_or_else(|| "100%".to_owned(), |whole| whole.to_string());
            attributes.push((side.into(), value));
        }
    }
}

/// Whether browsers draw a shape with these points: all must be numbers, although the last may be unpaired.
fn is_points(text: &str) -> bool {
    let text = text.trim_end_matches([',', ' ', '\t', '\n', '\r']);
    whole_numbers(text) == text && svgtypes::NumberListParser::from(text).all(|one| one.is_ok())
}
