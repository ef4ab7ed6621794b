//! What is left out of a drawing so that the rest can be read.

use crate::edit::{Edits, RENAMED, is_editable};
use usvg::roxmltree::{Attribute, Document, Node, NodeId};

/// A part of an element that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The element, in the document that was checked. Documents before and after the part was left out number their
    /// nodes alike.
    pub node: NodeId,
    /// Which part: a property or an attribute with its value, such as `clip-path: url(#a)`.
    pub what: String,
    /// Why, such as `leads round in a circle`.
    pub why: &'static str,
}

/// Something leads back to where it began.
pub(crate) const CIRCLE: &str = "left out, because it leads round in a circle";

/// A number is too large for what it is used for.
pub(crate) const TOO_LARGE: &str = "left out, because the number is too large";

/// A number is so small that it vanishes on the way.
pub(crate) const TOO_SMALL: &str = "left out, because the number is too small";

/// A part of an element that is to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) node: NodeId,
    pub(crate) part: Part,
    pub(crate) why: &'static str,
}

/// What of an element is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The element shows nothing of itself: a use that usvg leaves out anyway.
    Nothing,
    /// All of the element.
    Whole,
    /// The attributes of this name.
    Attribute(String),
    /// A property of CSS, which is set to `none`.
    Property(&'static str),
}

impl Cut {
    /// Makes the change in the text of the document. Says whether it can be made there.
    pub(crate) fn make(&self, document: &Document, edits: &mut Edits) -> bool {
        let Some(node) = document.get_node(self.node) else { return false };
        if self.part == Part::Nothing {
            return true;
        }
        if !is_editable(node) {
            return false;
        }
        match &self.part {
            Part::Nothing => {}
            Part::Whole => edits.rename(node),
            Part::Attribute(name) => {
                for one in node.attributes().filter(|one| one.name() == name) {
                    edits.replace(one.range(), "");
                }
            }
            Part::Property(name) => {
                // To usvg what is inherited may be important, and then no other declaration undoes it.
                let inherited = |one: &Attribute| one.name() == *name && one.value() == "inherit";
                for one in node.attributes().filter(inherited) {
                    edits.replace(one.range_value(), "none");
                }
                match node.attribute_node("style") {
                    None => edits.set(node, "style", &format!("{name}:none!important")),
                    Some(style) => {
                        let start = style.range_value().start;
                        edits.replace(start..start, format!("{name}:none!important;"));
                    }
                }
            }
        }
        true
    }

    /// What is said of it.
    pub(crate) fn tell(&self, document: &Document) -> Option<LeftOut> {
        let node = document.get_node(self.node)?;
        Some(LeftOut { node: self.node, what: self.what(node), why: self.why })
    }

    fn what(&self, node: Node) -> String {
        let value = |name: &str| {
            let value = node.attribute(name).unwrap_or_default();
            value.chars().take(60).map(|one| if one.is_control() { ' ' } else { one }).collect()
        };
        let tag = node.tag_name().name();
        match &self.part {
            Part::Nothing | Part::Whole => {
                let href: String = value("href");
                if href.is_empty() { tag.to_owned() } else { format!("{tag} href=\"{href}\"") }
            }
            Part::Attribute(name) => {
                let value: String = value(name);
                format!("{tag} {name}=\"{value}\"")
            }
            Part::Property(name) => {
                let value: String = value(name);
                if value.is_empty() { (*name).to_owned() } else { format!("{name}: {value}") }
            }
        }
    }
}

/// One note for each.
pub(crate) fn notes(left_out: &[LeftOut], document: &Document) -> Vec<String> {
    let name = |node: NodeId| {
        let node = document.get_node(node);
        let id = node.and_then(|node| node.attribute("id")).map(|id| format!("#{id}"));
        let tag = || node.map(|node| node.tag_name().name().trim_start_matches(RENAMED).to_owned());
        id.or_else(tag).unwrap_or_default()
    };
    left_out
        .iter()
        .take(NOTES)
        .map(|one| format!("{} of {}: {}", one.what, name(one.node), one.why))
        .collect()
}

/// How many notes there are of what is left out.
const NOTES: usize = 100;
