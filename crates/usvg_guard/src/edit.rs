//! Changes to the text of a document, made before usvg reads it.

use std::ops::Range;
use usvg::roxmltree::Node;

/// What begins the name of an element that is not read.
pub(crate) const RENAMED: &str = "left-out-";

/// Changes to the text of a document, each to a range of it.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Replaces a range of the text.
    pub fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.edits.push((range, by.into()));
    }

    /// Gives an element an attribute, whose value needs no escapes; replaces the one that it has.
    pub fn set(&mut self, node: Node, name: &str, value: &str) {
        let attribute =
            node.attributes().find(|one| one.namespace().is_none() && one.name() == name);
        match attribute {
            Some(attribute) => self.replace(attribute.range(), format!("{name}=\"{value}\"")),
            None => {
                let end = name_end(node);
                self.replace(end..end, format!(" {name}=\"{value}\""));
            }
        }
    }

    /// Gives an element another name, by which nothing is known: it is not read.
    pub(crate) fn rename(&mut self, node: Node) {
        let range = node.range();
        let text = node.document().input_text();
        let whole = text.get(range.clone()).unwrap_or_default();
        let mut insert = |name: usize| {
            let prefix = text.get(name..name_end_at(text, name)).and_then(|name| name.find(':'));
            let at = name + prefix.map_or(0, |colon| colon + 1);
            self.replace(at..at, RENAMED);
        };
        insert(range.start + 1);
        if let Some(close) = whole.rfind("</").filter(|_| !whole.ends_with("/>")) {
            insert(range.start + close + 2);
        }
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The text with all changes made. Of two that overlap the first is made.
    pub fn apply(mut self, text: &str) -> String {
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

/// Where the name of the element ends, in the text of its document.
fn name_end(node: Node) -> usize {
    let text = node.document().input_text();
    name_end_at(text, node.range().start + 1)
}

fn name_end_at(text: &str, start: usize) -> usize {
    let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>');
    start + text.get(start..).and_then(|rest| rest.find(ends)).unwrap_or_default()
}

/// Whether the element stands in the document itself, and not in an entity: text of an entity may stand for many
/// elements, and is not changed.
pub fn is_editable(node: Node) -> bool {
    let document = node.document();
    let range = node.range();
    range.start >= document.root_element().range().start
        && document.input_text().get(range.start..).is_some_and(|rest| rest.starts_with('<'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use usvg::roxmltree::Document;

    #[test]
    fn attributes_are_set_and_replaced() {
        let text = "<svg><a:g id='1' x = \"2\" xmlns:a='b'/><rect\nid='3'/></svg>";
        let document = Document::parse(text).unwrap();
        let mut edits = Edits::default();
        for node in document.root_element().children() {
            edits.set(node, "x", "7");
        }
        let expected = "<svg><a:g id='1' x=\"7\" xmlns:a='b'/><rect x=\"7\"\nid='3'/></svg>";
        assert_eq!(edits.apply(text), expected);
    }

    #[test]
    fn elements_are_renamed() {
        let text = "<svg xmlns:s='u'><s:g><path/></s:g><rect/></svg>";
        let document = Document::parse(text).unwrap();
        let mut edits = Edits::default();
        document.root_element().children().for_each(|node| edits.rename(node));
        let expected =
            "<svg xmlns:s='u'><s:left-out-g><path/></s:left-out-g><left-out-rect/></svg>";
        assert_eq!(edits.apply(text), expected);
    }

    #[test]
    fn nothing_is_changed_in_entities() {
        let text = "<!DOCTYPE svg [<!ENTITY r '<rect/>'>]><svg><g/>&r;</svg>";
        let options = usvg::roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = Document::parse_with_options(text, options).unwrap();
        let nodes: Vec<_> = document.root_element().children().collect();
        assert!(is_editable(nodes[0]));
        assert!(!is_editable(nodes[1]));
    }
}
