//! What style sheets and `style` attributes say of an element.

use simplecss::{AttributeOperator, DeclarationTokenizer, PseudoClass, Rule, StyleSheet};
use usvg::roxmltree::{Document, Node};

/// The style sheets of a document.
#[derive(Debug)]
pub(crate) struct Cascade<'a> {
    rules: Vec<Rule<'a>>,
}

impl<'a> Cascade<'a> {
    /// Reads the `style` elements.
    pub(crate) fn new(document: &'a Document) -> Self {
        let mut sheet = StyleSheet::new();
        for style in document.descendants().filter(is_sheet) {
            sheet.parse_more(style.text().unwrap_or_default());
        }
        Self { rules: sheet.rules }
    }

    /// Keeps the rules that declare such a property.
    #[must_use]
    pub(crate) fn of(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.rules.retain(|rule| rule.declarations.iter().any(|one| is_wanted(one.name)));
        self
    }

    /// Calls back with the name, the value and the importance of every declaration of the element, its own attributes
    /// aside, in the order of CSS: of two of one name the later counts.
    pub(crate) fn declarations(
        &self,
        node: Node<'a, '_>,
        mut visit: impl FnMut(&'a str, &'a str, bool),
    ) {
        let style = node.attribute("style").unwrap_or_default();
        let rules = self.rules.iter().filter(|rule| rule.selector.matches(&Styled(node)));
        let sheets = rules.flat_map(|rule| rule.declarations.iter().copied());
        let all: Vec<_> = sheets.chain(DeclarationTokenizer::from(style)).collect();
        for important in [false, true] {
            let found = all.iter().filter(|one| one.important == important);
            found.for_each(|one| visit(one.name, one.value, important));
        }
    }
}

/// Whether the node is a style sheet in CSS.
pub fn is_sheet(node: &Node) -> bool {
    node.has_tag_name("style") && matches!(node.attribute("type"), None | Some("text/css"))
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
        matches!(class, PseudoClass::FirstChild) && self.0.prev_sibling_element().is_none()
    }
}
