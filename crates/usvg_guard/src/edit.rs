//! Changes to the text of a document, made before usvg reads it, and what they leave out.

use crate::contain::one_line;
use std::ops::Range;
use usvg::roxmltree::{Document, Node, NodeId};

/// Why something is left out.
const CIRCLE: &str = "left out, because it leads round in a circle";
/// How many notes there are of what is left out.
pub(crate) const NOTES: usize = 100;

/// Changes to the text of a document, each to a range of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    edits: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Replaces a range of the text.
    pub(crate) fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.edits.push((range, by.into()));
    }

    /// Sets an attribute of an element, to a value that needs no escapes.
    pub(crate) fn set(&mut self, node: Node, name: &str, value: &str) {
        let mut known = node.attributes();
        match known.find(|one| one.namespace().is_none() && one.name() == name) {
            Some(attribute) => self.replace(attribute.range(), format!("{name}=\"{value}\"")),
            None => {
                let text = node.document().input_text();
                let end = name_end(text, node.range().start + 1);
                self.replace(end..end, format!(" {name}=\"{value}\""));
            }
        }
    }

    /// Whether there are no changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The text with all changes made. If two overlap, only the first is made.
    pub(crate) fn apply(mut self, text: &str) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let grown: usize = self.edits.iter().map(|(_, by)| by.len()).sum();
        let mut out = String::with_capacity(text.len() + grown);
        let mut at = 0;
        for (range, by) in &self.edits {
            if range.start >= at {
                out.push_str(text.get(at..range.start).unwrap_or_default());
                out.push_str(by);
                at = range.end;
            }
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

/// Where the name that starts here ends.
fn name_end(text: &str, start: usize) -> usize {
    let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>');
    start + text.get(start..).and_then(|rest| rest.find(ends)).unwrap_or_default()
}

/// Whether the element stands in the document itself, and not in an entity: text of an entity may stand for many
/// elements, and is not changed.
pub(crate) fn is_editable(node: Node) -> bool {
    let document = node.document();
    let range = node.range();
    range.start >= document.root_element().range().start
        && document.input_text().get(range.start..).is_some_and(|rest| rest.starts_with('<'))
}

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

/// A reference that is to be left out.
pub(crate) struct Cut {
    pub(crate) node: NodeId,
    /// The property, or `href`.
    pub(crate) name: &'static str,
    /// Whether no other declaration can undo it, so that the element is hidden.
    pub(crate) is_important: bool,
}

impl Cut {
    /// Makes the change in the text of the document, and says what it leaves out; `None` if it cannot be made.
    pub(crate) fn make(&self, document: &Document, edits: &mut Edits) -> Option<LeftOut> {
        let node = document.get_node(self.node).filter(|node| is_editable(*node))?;
        let value: String =
            node.attribute(self.name).unwrap_or_default().chars().take(60).collect();
        let all = node.attributes().filter(|one| one.name() == self.name);
        let (what, style) = match self.name {
            "href" => {
                all.for_each(|one| edits.replace(one.range(), ""));
                (format!("{} href=\"{value}\"", node.tag_name().name()), None)
            }
            _ if self.is_important => (node.tag_name().name().to_owned(), Some("display")),
            name => {
                all.for_each(|one| edits.replace(one.range_value(), "none"));
                (
                    if value.is_empty() { name.into() } else { format!("{name}: {value}") },
                    Some(name),
                )
            }
        };
        if let Some(style) = style.map(|name| format!("{name}:none!important")) {
            match node.attribute_node("style") {
                None => edits.set(node, "style", &style),
                Some(known) => {
                    let start = known.range_value().start;
                    edits.replace(start..start, style + ";");
                }
            }
        }
        Some(LeftOut { node: self.node, what: one_line(&what), why: CIRCLE })
    }
}

/// One note for each of the first.
pub(crate) fn notes(left_out: &[LeftOut], document: &Document) -> Vec<String> {
    let name = |node: NodeId| {
        let node = document.get_node(node);
        let id = node.and_then(|node| node.attribute("id")).map(|id| format!("#{id}"));
        let tag = || node.map(|node| node.tag_name().name().to_owned());
        id.or_else(tag).unwrap_or_default()
    };
    let note =
        |one: &LeftOut| one_line(&format!("{} of {}: {}", one.what, name(one.node), one.why));
    left_out.iter().take(NOTES).map(note).collect()
}
