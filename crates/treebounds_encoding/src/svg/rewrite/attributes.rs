//! The attributes of an element, as usvg reads them.

use super::{Context, Winners, Writer, transform_attribute};
use crate::svg::boxes::least_scale;
use crate::svg::properties::{IGNORED, PROPERTIES, is_geometry, is_length, is_property_of, place};
use crate::svg::values::{self, Whole};
use std::borrow::Cow;
use usvg::roxmltree::Node;

impl Writer<'_, '_> {
    /// The attributes of an element: those that are no properties as they are, and the values that hold.
    pub(super) fn attributes(
        &mut self,
        object: u32,
        node: Node,
        winners: &Winners,
        around: &Context,
        own: &Context,
    ) -> Vec<(Cow<'static, str>, String)> {
        let tag = node.tag_name().name();
        let mut out: Vec<(Cow<'static, str>, String)> = Vec::new();
        for one in node.attributes() {
            let name = one.name();
            let is_plain = one.namespace().is_none();
            let is_property = place(name).is_some() && is_property_of(tag, name);
            match name {
                "id" | "class" | "style" | "space" | "requiredFeatures" | "href" => {}
                "systemLanguage" | "requiredExtensions" if object == 0 => {}
                _ if !is_plain || is_property || name == transform_attribute(tag) => {}
                _ if is_length(name) => {
                    let value = self.length_list(tag, name, one.value(), own);
                    out.push((name.to_owned().into(), value));
                }
                _ => out.push((name.to_owned().into(), one.value().to_owned())),
            }
        }
        out.extend(self.href(object, node));
        for (at, (value, _)) in winners {
            let (name, ..) = PROPERTIES[*at];
            match name {
                "transform-box" | "translate" | "rotate" | "scale" | "vector-effect"
                | "white-space" | "text-transform" | "color-scheme" | "direction" => {}
                _ if value == "auto" && is_geometry(name) => {}
                "transform" => out.push((transform_attribute(tag).into(), value.clone())),
                _ => out.push((name.into(), value.clone())),
            }
        }
        if matches!(own.get("direction"), "rtl")
            && (tag == "text"
                || self.get(winners, "text-anchor").is_some() && around.text.is_some())
        {
            let swapped = match own.get("text-anchor") {
                "middle" => "middle",
                "end" => "start",
                _ => "end",
            };
            out.retain(|(name, _)| name != "text-anchor");
            out.push(("text-anchor".into(), swapped.to_owned()));
        }
        out
    }

    /// A length, or a list of them, of an attribute that is no property.
    fn length_list(&self, tag: &str, name: &str, value: &str, own: &Context) -> String {
        let is_usual = |byte: u8| byte.is_ascii_digit() || b" .,-%\n\t".contains(&byte);
        let value = value.trim();
        let whole = match name {
            _ if !matches!(tag, "line" | "text" | "tspan") => Whole::Unknown,
            "x" | "dx" | "x1" | "x2" => Whole::X,
            "y" | "dy" | "y1" | "y2" => Whole::Y,
            _ => Whole::Diagonal,
        };
        if value.bytes().all(is_usual) && (whole == Whole::Unknown || !value.contains('%')) {
            return value.to_owned();
        }
        let words = values::split(value, ',').into_iter().flat_map(values::split_words);
        let words: Vec<String> = words
            .map(|word| {
                let found = values::length(word, &own.environment, whole, true);
                found.unwrap_or_else(|| word.to_owned())
            })
            .collect();
        words.join(" ")
    }

    /// The reference of an element.
    fn href(&mut self, object: u32, node: Node) -> Option<(Cow<'static, str>, String)> {
        let tag = node.tag_name().name();
        let mut all = node.attributes().filter(|one| one.name() == "href");
        let plain = all.clone().find(|one| one.namespace().is_none());
        let value = plain.or_else(|| all.next())?.value();
        let kinds: &[&str] = match tag {
            "image" => return Some(("xlink:href".into(), value.to_owned())),
            "a" => return None,
            "linearGradient" | "radialGradient" => &["linearGradient", "radialGradient"],
            "pattern" | "filter" => &[tag],
            "feImage" if !value.starts_with('#') => {
                return Some(("xlink:href".into(), value.to_owned()));
            }
            _ => &[],
        };
        let kinds: Vec<&'static str> = kinds
            .iter()
            .filter_map(|kind| {
                ["linearGradient", "radialGradient", "pattern", "filter"]
                    .into_iter()
                    .find(|one| one == kind)
            })
            .collect();
        let mark = self.objects.target(value.trim(), &kinds)?.to_owned();
        if tag == "use"
            && let Some(boxes) = &mut self.boxes
        {
            boxes.link(object, self.objects.index_of(value.trim()));
        }
        Some(("href".into(), format!("#{mark}")))
    }

    /// Sizes that browsers take if there is no attribute.
    pub(super) fn defaults(
        &mut self,
        object: u32,
        tag: &str,
        node: Node,
        own: &Context,
        attributes: &mut Vec<(Cow<'static, str>, String)>,
    ) {
        let has = |attributes: &[(Cow<'static, str>, String)], name: &str| {
            attributes.iter().any(|(known, _)| known == name)
        };
        match tag {
            "svg" if object != 0 => {
                for side in ["width", "height"] {
                    if !has(attributes, side) {
                        attributes.push((side.into(), "100%".to_owned()));
                    }
                }
            }
            "use" => {
                let link = node.attributes().find(|one| one.name() == "href");
                let target = link.and_then(|link| self.objects.index_of(link.value().trim()));
                let target =
                    target.and_then(|target| node.document().get_node(self.objects.node(target)));
                if let Some(symbol) = target.filter(|target| target.has_tag_name("symbol")) {
                    for side in ["width", "height"] {
                        if let Some(value) =
                            symbol.attribute(side).filter(|_| !has(attributes, side))
                        {
                            let value = self.length_list(tag, side, value, own);
                            attributes.push((side.into(), value));
                        }
                    }
                }
            }
            "text" => attributes.push(("xml:space".into(), "preserve".to_owned())),
            "rect" | "circle" | "ellipse" => {
                for name in ["marker-start", "marker-mid", "marker-end"] {
                    attributes.retain(|(known, _)| known != name);
                    if !matches!(own.get(name), "" | "none") {
                        attributes.push((name.into(), "none".to_owned()));
                    }
                }
            }
            _ => {}
        }
    }

    /// Scales dashes by `pathLength`.
    pub(super) fn dashes(
        &mut self,
        node: Node,
        own: &Context,
        shape: Option<&kurbo::BezPath>,
        attributes: &mut Vec<(Cow<'static, str>, String)>,
    ) {
        let length =
            node.attribute("pathLength").and_then(|value| value.trim().parse::<f64>().ok());
        let Some((length, shape)) = length.filter(|length| *length > 0.0).zip(shape) else {
            return;
        };
        if matches!(own.get("stroke-dasharray"), "" | "none") {
            return;
        }
        let by = kurbo::Shape::perimeter(shape, 0.01) / length;
        for name in ["stroke-dasharray", "stroke-dashoffset"] {
            let all = own.get(name).split(' ').filter_map(|dash| dash.parse::<f64>().ok());
            let all: Vec<String> = all.filter_map(|dash| values::plain(dash * by)).collect();
            attributes.retain(|(known, _)| known != name);
            if !all.is_empty() {
                attributes.push((name.into(), all.join(" ")));
            }
        }
    }

    /// Writes a stroke that does not scale so that the walk over usvg's tree can tell.
    pub(super) fn pen(
        &mut self,
        object: u32,
        winners: &Winners,
        own: &Context,
        attributes: &mut Vec<(Cow<'static, str>, String)>,
    ) {
        match self.get(winners, "vector-effect") {
            Some("non-scaling-stroke") => {}
            None | Some("none" | "inherit") => return,
            Some(other) => {
                let what = format!("vector-effect: {other}");
                return self.note(object, &what, IGNORED);
            }
        }
        if matches!(own.get("stroke"), "" | "none") {
            return;
        }
        let by = 1.0 / least_scale(own.to_drawing).max(1e-9);
        let number = |name: &str, default: f64| own.get(name).parse().unwrap_or(default);
        let limit = number("stroke-miterlimit", 4.0) as f32;
        let Some(limit) = self.objects.pens.add(by, limit) else {
            return self.note(object, "vector-effect: non-scaling-stroke", IGNORED);
        };
        let mut set = |name: &'static str, value: String| {
            attributes.retain(|(known, _)| known != name);
            attributes.push((name.into(), value));
        };
        set("stroke-width", values::plain(number("stroke-width", 1.0) * by).unwrap_or_default());
        set("stroke-miterlimit", limit.to_string());
        if !matches!(own.get("stroke-dasharray"), "" | "none") {
            let all = own.get("stroke-dasharray").split(' ');
            let all = all.filter_map(|dash| values::plain(dash.parse::<f64>().ok()? * by));
            set("stroke-dasharray", all.collect::<Vec<_>>().join(" "));
            let offset = number("stroke-dashoffset", 0.0) * by;
            set("stroke-dashoffset", values::plain(offset).unwrap_or_default());
        }
    }

    /// Makes usvg paint the markers of a path with one point, and notes what their boxes change.
    pub(super) fn mark_points(
        &mut self,
        object: u32,
        tag: &str,
        winners: &Winners,
        attributes: &mut [(Cow<'static, str>, String)],
    ) {
        for name in ["clip-path", "filter", "mask"] {
            let value = self.get(winners, name).filter(|value| *value != "none");
            if value.is_some() {
                let what = format!("{name} of a shape with markers");
                self.note(object, &what, "its markers count as part of the box that it refers to");
            }
        }
        let name = if tag == "path" { "d" } else { "points" };
        let found = attributes.iter_mut().find(|(known, _)| known == name);
        let Some((_, value)) = found.filter(|_| tag != "line") else { return };
        let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
        let numbers = value.split(|letter: char| !"0123456789.-+eE".contains(letter));
        let numbers = numbers.filter(|word| !word.is_empty()).take(3).count();
        match tag {
            "path" if letters == 1 && numbers == 2 => value.push_str("h0"),
            "path" if letters == 2 && numbers == 2 && value.trim_end().ends_with(['z', 'Z']) => {
                let start = value.trim_end().len() - 1;
                value.replace_range(start.., "h0z");
            }
            "polyline" | "polygon" if numbers == 2 => *value = format!("{value} {value}"),
            _ => {}
        }
    }
}
