//! The references in the styles of elements.

use crate::svg::SvgError;
use simplecss::{AttributeOperator, Declaration, DeclarationTokenizer, PseudoClass, StyleSheet};
use usvg::roxmltree::{Document, Node};

/// The rules of a document's style sheets that can hold a reference.
pub(super) struct Sheet<'a>(StyleSheet<'a>);

impl<'a> Sheet<'a> {
    /// Reads the `style` elements.
    pub(super) fn new(document: &'a Document) -> Self {
        let mut sheet = StyleSheet::new();
        for style in document.descendants().filter(|node| node.has_tag_name("style")) {
            sheet.parse_more(style.text().unwrap_or_default());
        }
        let refers = |declaration: &Declaration| declaration.value.contains("url(");
        sheet.rules.retain(|rule| rule.declarations.iter().any(refers));
        Self(sheet)
    }

    /// Every property of the element: its attributes first, then what the style
    /// sheets say, then its own `style`. The last of a name counts.
    pub(super) fn properties(&self, node: Node<'a, '_>, mut visit: impl FnMut(&str, &str)) {
        for attribute in node.attributes() {
            visit(attribute.name(), attribute.value());
        }
        for rule in &self.0.rules {
            if rule.selector.matches(&Styled(node)) {
                rule.declarations.iter().for_each(|one| visit(one.name, one.value));
            }
        }
        if let Some(style) = node.attribute("style") {
            DeclarationTokenizer::from(style).for_each(|one| visit(one.name, one.value));
        }
    }
}

/// How many ways there may be to match one selector against all elements.
const MATCHES_MAX: f64 = 1e11;

/// Refuses selectors that would be matched for ever: `g g g g ...` fits the
/// ancestors of a deep element in more ways than can be tried, and a selector
/// that fails in the end tries them all.
pub(super) fn check_selectors(
    document: &Document,
    elements: u64,
    depth: u64,
) -> Result<(), SvgError> {
    for style in document.descendants().filter(|node| node.has_tag_name("style")) {
        for rule in style.text().unwrap_or_default().split('}') {
            let selectors = rule.rsplit_once('{').map_or("", |(selectors, _)| selectors);
            for selector in selectors.split(',') {
                let parts = selector.split_whitespace().count() as u64;
                if ways(depth, parts.saturating_sub(1)) * elements as f64 > MATCHES_MAX {
                    return Err(SvgError::SlowSelector { parts, depth });
                }
            }
        }
    }
    Ok(())
}

/// In how many ways this many ancestors can be chosen from so many, or fewer.
fn ways(depth: u64, chosen: u64) -> f64 {
    let chosen = chosen.min(depth);
    let most = if chosen > depth / 2 { depth / 2 } else { chosen };
    (0..most).map(|at| (depth - at) as f64 / (at + 1) as f64).product()
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

/// The ids in `url(#id)`, as often as there are any.
pub(super) fn urls(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let (link, _) = rest.split_once(')')?;
        let link = link.trim().trim_matches(['"', '\'']).trim();
        link.strip_prefix('#')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_ids() {
        let value = "url(#a) url( '#b' ) blur(2) url(c.svg#d)";
        assert_eq!(urls(value).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(urls("none").count(), 0);
    }

    #[test]
    fn refuses_selectors_without_end() {
        let check = |parts: usize, depth| {
            let xml = format!("<svg><style>{} {{fill:red}}</style></svg>", "g ".repeat(parts));
            check_selectors(&Document::parse(&xml).unwrap(), 1000, depth)
        };
        assert!(check(4, 20).is_ok());
        assert!(check(2, 1000).is_ok());
        assert!(matches!(check(2000, 1000), Err(SvgError::SlowSelector { parts: 2000, .. })));
    }
}
