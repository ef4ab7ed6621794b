//! Whether what a piece paints is what the whole drawing would paint there.

use super::units::refuse;
use super::{OPEN, PART};
use crate::cascade::Cascade;
use crate::left_out::CIRCLE;
use crate::{Checked, Limits, Refused};
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
const LOOKS: [&str; 4] = [">", "+", ":first-child", "[id"];

/// A selector of an id, `#a`, as simplecss writes it.
const ID: &str = "[id='";

/// Refuses a piece where something of the rest of the drawing could matter to its boxes.
pub(super) fn check(checked: &Checked, limits: &Limits) -> Result<(), Refused> {
    if checked.left_out.iter().any(|one| one.why == CIRCLE) {
        return Err(refuse("references lead round in a circle"));
    }
    let document = checked.document;
    let cascade = Cascade::new(document, limits.style_steps)?;
    let selectors =
        cascade.selectors().find(|one| LOOKS.iter().any(|look| one.replace(ID, "").contains(look)));
    if let Some(selector) = selectors {
        return Err(refuse(format!("the selector '{selector}' looks at siblings, parents or ids")));
    }
    let is_open = |part: &str| part.starts_with(OPEN);
    let mut next = Some(document.root_element());
    while let Some(node) = next {
        if let Some(effect) = effect(node, &cascade) {
            let name = node.tag_name().name();
            return Err(refuse(format!(
                "<{name}> has '{effect}', an effect on all elements inside together"
            )));
        }
        next = node.children().find(|child| child.attribute(PART).is_some_and(is_open));
    }
    Ok(())
}

/// The first effect that an element has, or may have.
fn effect<'a>(node: Node<'a, '_>, cascade: &Cascade<'a>) -> Option<&'a str> {
    let mut attributes = node.attributes();
    let mut found = attributes.find(|one| is_effect(one.name(), one.value())).map(|one| one.name());
    cascade.declarations(node, |name, value| {
        found = found.or_else(|| is_effect(name, value).then_some(name));
    });
    found
}

/// Whether a property has an effect on a group as a whole.
pub(super) fn is_effect(name: &str, value: &str) -> bool {
    let is_plain = matches!(value.trim(), "none" | "1" | "1.0" | "100%" | "auto" | "normal");
    EFFECTS.contains(&name) && !is_plain
}
