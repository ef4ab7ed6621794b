//! The properties of elements that usvg does not read, or not as CSS means them.

use usvg::roxmltree::Node;
use usvg_guard::Cascade;

/// What moves an element.
pub(super) const MOVES: [&str; 6] =
    ["transform", "transform-origin", "transform-box", "translate", "rotate", "scale"];

/// What gives a shape its size and place.
pub(super) const GEOMETRY: [&str; 10] =
    ["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d"];

/// What is left out.
pub(super) const LEFT_OUT: [&str; 12] = [
    "animation",
    "animation-name",
    "clip-path",
    "inline-size",
    "mask-image",
    "offset-path",
    "perspective",
    "shape-inside",
    "shape-subtract",
    "-webkit-mask",
    "-webkit-mask-image",
    "zoom",
];

/// Whether a property matters here.
pub(super) fn is_wanted(name: &str) -> bool {
    MOVES.contains(&name)
        || GEOMETRY.contains(&name)
        || LEFT_OUT.contains(&name)
        || matches!(name, "display" | "visibility" | "vector-effect")
}

/// What style sheets and the `style` attribute say of one element, as far as it matters here.
#[derive(Clone, Debug, Default)]
pub(super) struct Style<'a> {
    declared: Vec<(&'a str, &'a str)>,
}

impl<'a> Style<'a> {
    /// Of this element.
    pub(super) fn of(node: Node<'a, '_>, cascade: &Cascade<'a>) -> Self {
        let mut declared = Vec::new();
        cascade.declarations(node, |name, value, _| {
            if is_wanted(name) {
                declared.push((name, value));
            }
        });
        Self { declared }
    }

    /// The value of a property, if it is declared.
    pub(super) fn get(&self, property: &str) -> Option<&'a str> {
        self.declared.iter().rfind(|(name, _)| *name == property).map(|(_, value)| *value)
    }

    /// The same, or the attribute of that name.
    pub(super) fn or_attribute(&self, node: Node<'a, '_>, property: &str) -> Option<&'a str> {
        self.get(property).or_else(|| node.attribute(property))
    }

    /// Whether any of these is declared.
    pub(super) fn has_any(&self, properties: &[&str]) -> bool {
        self.declared.iter().any(|(name, _)| properties.contains(name))
    }

    /// Whether nothing is.
    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }
}
