//! Whether what a piece paints is what the whole drawing would paint there.

use super::units::refuse;
use super::{ASIDE, OPEN, PART};
use crate::cascade::{Cascade, is_sheet};
use crate::left_out::CIRCLE;
use crate::{Checked, Limits, Refused};
use svgtypes::{Length, LengthUnit, ViewBox};
use usvg::NonZeroRect;
use usvg::roxmltree::Node;

/// Properties with an effect on a group as a whole.
const EFFECTS: [&str; 8] = [
    "clip-path",
    "filter",
    "isolation",
    "mask",
    "mix-blend-mode",
    "opacity",
    "background-color",
    "transform-box",
];

/// What selectors must not ask, because a piece lacks some siblings, and what is repeated has other parents.
const LOOKS: [&str; 3] = [">", "+", ":first-child"];

/// Properties that depend on where an element is painted, each with a value that does not.
const MEASURED: [(&str, &str); 2] = [("transform-box", "view-box"), ("vector-effect", "none")];

/// Refuses a piece where something of the rest of the drawing could matter to its boxes.
pub(super) fn check(checked: &Checked, limits: &Limits) -> Result<(), Refused> {
    if checked.left_out.iter().any(|one| one.why == CIRCLE) {
        return Err(refuse("references lead round in a circle"));
    }
    let root = checked.document.root_element();
    if !has_size(root) {
        return Err(refuse(
            "it has no size of its own: give <svg> a width and height, or a viewBox",
        ));
    }
    let cascade = Cascade::new(checked.document, limits.style_steps)?;
    check_selectors(root, &cascade)?;
    check_groups(root, &cascade)?;
    let asides = root.children().filter(|child| child.attribute(PART) == Some(ASIDE));
    let asides: Vec<_> = asides.collect();
    check_parents(&asides, &cascade)?;
    check_measured(&asides, cascade)
}

/// Whether the size of the drawing does not depend on its elements.
fn has_size(root: Node) -> bool {
    let is_fixed = |name: &str| {
        let mut found = root.attributes().filter(|one| one.name() == name).peekable();
        let is_length = |text: &str| {
            text.parse::<Length>().is_ok_and(|length| length.unit != LengthUnit::Percent)
        };
        found.peek().is_some() && found.all(|one| is_length(one.value()))
    };
    let view_box = root.attribute("viewBox").and_then(|text| text.parse::<ViewBox>().ok());
    let has_view_box = view_box.is_some_and(|view| {
        let [x, y, w, h] = [view.x, view.y, view.w, view.h].map(|number| number as f32);
        NonZeroRect::from_xywh(x, y, w, h).is_some()
    });
    has_view_box || (is_fixed("width") && is_fixed("height"))
}

/// Refuses selectors that look at more than an element and what the elements around it are in the drawing.
fn check_selectors(root: Node, cascade: &Cascade) -> Result<(), Refused> {
    let sheets = root.descendants().filter(is_sheet);
    let mut texts = sheets.flat_map(|sheet| sheet.children()).filter_map(|child| child.text());
    // An element without an id is given one later.
    if texts.any(|text| text.contains('[')) {
        return Err(refuse("a style sheet has a '[', and may look at ids"));
    }
    match cascade.selectors().find(|one| looks_around(one)) {
        Some(one) => {
            Err(refuse(format!("the selector '{one}' looks at siblings, parents or <defs>")))
        }
        None => Ok(()),
    }
}

/// Whether a selector may match otherwise in a piece, where what is repeated has a `defs` around it.
fn looks_around(selector: &str) -> bool {
    let is_defs = |part: &str| part.split(['[', ':']).next() == Some("defs");
    let parts: Vec<&str> = selector.split_whitespace().collect();
    let around = parts.split_last().map_or(&[][..], |(_, around)| around);
    LOOKS.iter().any(|look| selector.contains(look))
        || parts.iter().any(|part| is_defs(part))
        || around.contains(&"*")
}

/// Refuses opened groups, and a root, with an effect.
fn check_groups<'a>(root: Node<'a, '_>, cascade: &Cascade<'a>) -> Result<(), Refused> {
    let is_open = |part: &str| part.starts_with(OPEN);
    let mut next = Some(root);
    while let Some(node) = next {
        if let Some(effect) = find(node, cascade, is_effect) {
            let name = node.tag_name().name();
            return Err(refuse(format!(
                "<{name}> has '{effect}', an effect on all elements inside together"
            )));
        }
        next = node.children().find(|child| child.attribute(PART).is_some_and(is_open));
    }
    Ok(())
}

/// Refuses what takes properties from its parent, where that is another in the drawing.
fn check_parents<'a>(asides: &[Node<'a, '_>], cascade: &Cascade<'a>) -> Result<(), Refused> {
    let inherits = |_: &str, value: &str| value.trim() == "inherit";
    let mut inside = asides.iter().flat_map(Node::children).filter(Node::is_element);
    match inside.find_map(|node| Some((node, find(node, cascade, inherits)?))) {
        Some((node, name)) => {
            let tag = node.tag_name().name();
            Err(refuse(format!("<{tag}>, which others refer to, has '{name}: inherit'")))
        }
        None => cascade.check(),
    }
}

/// Refuses what must be measured where it is painted, which is in another piece.
fn check_measured<'a>(asides: &[Node<'a, '_>], cascade: Cascade<'a>) -> Result<(), Refused> {
    let is_measured = |name: &str, value: &str| {
        MEASURED.iter().any(|(known, plain)| *known == name && value.trim() != *plain)
    };
    let cascade = cascade.of(|name| MEASURED.iter().any(|(known, _)| *known == name));
    let mut inside = asides.iter().flat_map(Node::descendants).filter(Node::is_element);
    match inside.find_map(|node| Some((node, find(node, &cascade, is_measured)?))) {
        Some((node, name)) => {
            let tag = node.tag_name().name();
            Err(refuse(format!("<{tag}>, which others refer to, has '{name}'")))
        }
        None => cascade.check(),
    }
}

/// The first such property of an element, in its attributes, its style or a sheet.
fn find<'a>(
    node: Node<'a, '_>,
    cascade: &Cascade<'a>,
    is_meant: impl Fn(&str, &str) -> bool,
) -> Option<&'a str> {
    let mut attributes = node.attributes();
    let found = attributes.find(|one| is_meant(one.name(), one.value()));
    let mut found = found.map(|one| one.name());
    cascade.declarations(node, |name, value| {
        found = found.or_else(|| is_meant(name, value).then_some(name));
    });
    found
}

/// Whether a property has an effect on a group as a whole.
pub(super) fn is_effect(name: &str, value: &str) -> bool {
    let is_plain = matches!(value.trim(), "none" | "1" | "1.0" | "100%" | "auto" | "normal");
    EFFECTS.contains(&name) && !is_plain
}
