//! What style sheets and `style` attributes say of an element, read as usvg reads them.

use crate::Refused;
use simplecss::{AttributeOperator, DeclarationTokenizer, PseudoClass, Rule, StyleSheet};
use std::cell::Cell;
use usvg::roxmltree::{Document, Node};

/// The style sheets of a document.
#[derive(Debug)]
pub struct Cascade<'a> {
    rules: Vec<Rule<'a>>,
    /// How many steps matching took so far.
    steps: Cell<u64>,
    /// How many it may take. After those nothing matches.
    max: u64,
    /// How many of the steps were looks at elements, and how many may be.
    looks: Cell<u64>,
    most_looks: Cell<u64>,
}

/// How many steps it takes to sort in one rule.
const SORT: u64 = 8;

/// How many steps it may take to match a rule with an element, on average, and how many more in all.
const LOOKS_MOST: u64 = 64;
const LOOKS_FREE: u64 = 4_000_000;

/// How many steps it takes to parse a style sheet: simplecss counts the lines before each declaration anew.
fn parsing(text: &str) -> u64 {
    let marks =
        text.bytes().filter(|byte| matches!(byte, b'{' | b';' | b'}' | b',' | b':')).count();
    (marks as u64).saturating_mul(text.len() as u64) / 128
}

impl<'a> Cascade<'a> {
    /// Reads the `style` elements, whose rules may take so many steps to be matched with all elements once.
    ///
    /// # Errors
    /// [`Refused::SlowStyles`] where sorting the rules takes more.
    pub fn new(document: &'a Document, max: u64) -> Result<Self, Refused> {
        let mut sheet = StyleSheet::new();
        let steps = Cell::new(0);
        let out = |rules| Self {
            rules,
            steps: steps.clone(),
            max,
            looks: Cell::new(0),
            most_looks: Cell::new(max),
        };
        for style in document.descendants().filter(is_sheet) {
            let text = style.text().unwrap_or_default();
            steps.set(steps.get() + parsing(text));
            if steps.get() > max {
                return Err(Refused::SlowStyles { max });
            }
            sheet.parse_more(text);
            // Every sheet sorts the rules of all before it anew.
            steps.set(steps.get() + SORT * sheet.rules.len() as u64);
            if steps.get() > max {
                return Err(Refused::SlowStyles { max });
            }
        }
        Ok(out(sheet.rules))
    }

    /// Keeps the rules that have such a property.
    #[must_use]
    pub fn of(mut self, wanted: impl Fn(&str) -> bool) -> Self {
        self.rules.retain(|rule| rule.declarations.iter().any(|one| wanted(one.name)));
        self
    }

    /// The selectors of all rules, as text.
    pub(crate) fn selectors(&self) -> impl Iterator<Item = String> {
        self.rules.iter().map(|rule| rule.selector.to_string())
    }

    /// Calls back for every declaration of the element, its own attributes aside, in the order of CSS: of two of one
    /// name the later counts.
    pub fn declarations(&self, node: Node<'a, '_>, mut visit: impl FnMut(&'a str, &'a str)) {
        let style = node.attribute("style").unwrap_or_default();
        for important in [false, true] {
            for rule in self.matching(node) {
                let found = rule.declarations.iter().filter(|one| one.important == important);
                found.for_each(|one| visit(one.name, one.value));
            }
            let found = DeclarationTokenizer::from(style).filter(|one| one.important == important);
            found.for_each(|one| visit(one.name, one.value));
        }
    }

    /// Calls back for every declaration of the element in the order in which usvg reads them, with whether it is
    /// important. usvg lets the later of two count, unless the earlier is important.
    pub(crate) fn as_usvg(
        &self,
        node: Node<'a, '_>,
        mut visit: impl FnMut(&'a str, &'a str, bool),
    ) {
        for rule in self.matching(node) {
            rule.declarations.iter().for_each(|one| visit(one.name, one.value, one.important));
        }
        let style = node.attribute("style").filter(|style| self.pay(parsing(style)));
        if let Some(style) = style {
            for one in DeclarationTokenizer::from(style) {
                visit(one.name, one.value, one.important);
            }
        }
    }

    fn matching(&self, node: Node<'a, '_>) -> impl Iterator<Item = &Rule<'a>> {
        let rules = self.rules.iter();
        rules.filter(move |rule| rule.selector.matches(&Styled { node, cascade: self }))
    }

    /// How many steps matching took so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Refuses rules that take too long with so many elements, at a step each. More than a few steps each, on average,
    /// are refused later, though fewer than the limit in all.
    pub(crate) fn foresee(&self, elements: u64) -> Result<(), Refused> {
        let least = elements.saturating_mul(self.rules.len() as u64);
        let many = least.saturating_mul(LOOKS_MOST).saturating_add(LOOKS_FREE);
        self.most_looks.set(many.min(self.max));
        if least > self.max { Err(Refused::SlowStyles { max: self.max }) } else { Ok(()) }
    }

    /// Whether matching took too many steps.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        let most = self.most_looks.get();
        let is_slow = self.steps.get() > self.max || self.looks.get() > most;
        if is_slow { Err(Refused::SlowStyles { max: most }) } else { Ok(()) }
    }

    /// Pays for some steps. Says whether there were any left.
    fn pay(&self, steps: u64) -> bool {
        let paid = self.steps.get().saturating_add(steps);
        self.steps.set(paid);
        paid <= self.max
    }

    /// Pays for a look at an element.
    fn look(&self, steps: u64) -> bool {
        let looks = self.looks.get().saturating_add(steps);
        self.looks.set(looks);
        self.pay(steps) && looks <= self.most_looks.get()
    }
}

/// Whether the node is a style sheet in CSS.
pub fn is_sheet(node: &Node) -> bool {
    node.has_tag_name("style") && matches!(node.attribute("type"), None | Some("text/css"))
}

/// An element, as selectors see it. Every look costs a step; when all are spent it has no parent and no attributes, so
/// that matching ends.
struct Styled<'a, 'input, 'c> {
    node: Node<'a, 'input>,
    cascade: &'c Cascade<'a>,
}

impl Styled<'_, '_, '_> {
    fn look<T>(&self, steps: u64, at: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.cascade.look(steps) { at() } else { None }
    }
}

impl simplecss::Element for Styled<'_, '_, '_> {
    fn parent_element(&self) -> Option<Self> {
        let node = self.look(1, || self.node.parent_element())?;
        Some(Self { node, cascade: self.cascade })
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let node = self.look(1, || self.node.prev_sibling_element())?;
        Some(Self { node, cascade: self.cascade })
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.look(1, || (self.node.tag_name().name() == name).then_some(())).is_some()
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator) -> bool {
        let attributes = self.node.attributes().len() as u64;
        let value = self.look(1 + attributes / 4, || self.node.attribute(name));
        value.is_some_and(|value| {
            self.look(value.len() as u64 / 8, || Some(())).is_some() && operator.matches(value)
        })
    }

    fn pseudo_class_matches(&self, class: PseudoClass) -> bool {
        let is_first = matches!(class, PseudoClass::FirstChild);
        is_first
            && self.look(1, || self.node.prev_sibling_element().is_none().then_some(())).is_some()
    }
}
