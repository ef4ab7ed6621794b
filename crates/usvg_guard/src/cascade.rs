//! What style sheets and `style` attributes say of an element, for the properties that usvg does not read.

use simplecss::{AttributeOperator, DeclarationTokenizer, PseudoClass, Rule, StyleSheet};
use usvg::roxmltree::{Document, Node};

/// The style sheets of a document, of which only rules with certain properties are kept.
pub(super) struct Cascade<'a> {
    rules: Vec<Rule<'a>>,
}

impl<'a> Cascade<'a> {
    /// Reads the `style` elements; keeps the rules that have such a property.
    pub(super) fn new(document: &'a Document, wanted: impl Fn(&str) -> bool) -> Self {
        let mut sheet = StyleSheet::new();
        for style in document.descendants().filter(is_sheet) {
            sheet.parse_more(style.text().unwrap_or_default());
        }
        let is_wanted = |rule: &Rule| rule.declarations.iter().any(|one| wanted(one.name));
        sheet.rules.retain(is_wanted);
        Self { rules: sheet.rules }
    }

    /// Calls back for every declaration of the element, its own attributes aside: of two of one name the later counts.
    pub(super) fn declarations(&self, node: Node<'a, '_>, mut visit: impl FnMut(&'a str, &'a str)) {
        let style = node.attribute("style").unwrap_or_default();
        for important in [false, true] {
            for rule in self.rules.iter().filter(|rule| rule.selector.matches(&Styled(node))) {
                let found = rule.declarations.iter().filter(|one| one.important == important);
                found.for_each(|one| visit(one.name, one.value));
            }
            let found = DeclarationTokenizer::from(style).filter(|one| one.important == important);
            found.for_each(|one| visit(one.name, one.value));
        }
    }
}

/// Whether the node is a style sheet in CSS.
pub(super) fn is_sheet(node: &Node) -> bool {
    node.has_tag_name("style") && matches!(node.attribute("type"), None | Some("text/css" | ""))
}

/// An element, as selectors see it.
struct Styled<'a, 'input>(Node<'a, 'input>);

impl simplecss::Element for Styled<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Styled)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Styled)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.prev_sibling_element().is_none()
    }
}
