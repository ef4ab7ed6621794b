//! Style sheets: rules, selectors, and the declarations for one element in the order of the cascade.
//!
//! The input is a document. The output for each element is its declarations: names and values as text, the most
//! important last.
//!
//! | file | contains |
//! |---|---|
//! | `media` | media queries and `@supports`, which result in yes, no or unknown |
//! | `selectors` | elements as selectors see them |
//! | `sheets` | the parser of style sheets and `style` attributes |
//! | `custom` | custom properties, and the substitution of `var()` |
//!
//! [`cssparser`] parses the syntax, and [`selectors`](::selectors) matches selectors; browsers use the same crates.
//! Rules are indexed by the id, class or tag of their last compound selector, and a bloom filter of the ancestors
//! rejects most others. The cost per element is thus about proportional to the number of matching rules.
//!
//! This layer does not interpret values. For lengths in media queries and values in `@supports`, [`Screen`] provides
//! two functions.

mod custom;
mod media;
mod selectors;
mod sheets;

pub(crate) use custom::{declare, substitute};
pub use media::Media;
pub(crate) use media::Screen;
pub(crate) use sheets::Declaration;

use self::selectors::Styled;
use crate::xml::XHTML;
use ::selectors::bloom::BloomFilter;
use ::selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use ::selectors::matching::matches_selector;
use ::selectors::parser::Component;
use sheets::{Reader, Rule};
use std::collections::{BTreeSet, HashMap};
use usvg::roxmltree::{Document, Node, NodeId};
use usvg_guard::NAMESPACE;

struct Sheet {
    text: String,
    media: String,
    title: String,
}

/// Returns the style sheet that a node contains, or links to with a data URL.
fn sheet(node: Node) -> Option<Sheet> {
    if let Some(attached) = node.pi().filter(|one| one.target == "xml-stylesheet") {
        let text = format!("<link rel=\"stylesheet\" {}/>", attached.value?);
        return sheet(Document::parse(&text).ok()?.root_element());
    }
    let value = |name: &str| node.attribute(name).unwrap_or_default();
    let (kind, name) = (value("type"), node.tag_name());
    let text = match name.name() {
        _ if !kind.is_empty() && !kind.eq_ignore_ascii_case("text/css") => return None,
        "style" if matches!(name.namespace(), None | Some(NAMESPACE | XHTML)) => {
            let texts = node.children().filter(|child| child.is_text());
            texts.filter_map(|child| child.text()).collect()
        }
        "link" if value("rel") == "stylesheet" && value("alternate") != "yes" => {
            sheets::linked(value("href")).filter(|_| name.namespace() != Some(NAMESPACE))?
        }
        _ => return None,
    };
    Some(Sheet { text, media: value("media").to_owned(), title: value("title").to_owned() })
}

pub(crate) struct Cascade {
    rules: Vec<Rule>,
    /// Rules by the id, class or tag that their element must have.
    by_key: HashMap<(char, Box<str>), Vec<u32>>,
    /// The other rules.
    any: Vec<u32>,
    /// Unsupported conditions, and the names of unsupported rules.
    pub(crate) skipped: BTreeSet<String>,
    caches: SelectorCaches,
    ancestors: BloomFilter,
    screen: Screen,
}

impl Cascade {
    /// Reads the `style` elements.
    pub(crate) fn new(document: &Document, screen: Screen) -> Self {
        let mut reader = Reader::new(screen);
        let mut first = String::new();
        for Sheet { text, media, title } in document.descendants().filter_map(sheet) {
            // Sheets whose title differs from the first title are alternatives.
            if !title.is_empty() && !first.is_empty() && title != first {
                continue;
            }
            first = if first.is_empty() { title } else { first };
            match media::matches_media(&media, screen) {
                Some(true) => reader.sheet(&text),
                Some(false) => {}
                None => drop(reader.skipped.insert(format!("media=\"{media:.80}\""))),
            }
        }
        let mut cascade = Self {
            by_key: HashMap::new(),
            any: Vec::new(),
            skipped: reader.skipped,
            caches: SelectorCaches::default(),
            ancestors: BloomFilter::new(),
            screen,
            rules: reader.rules,
        };
        for (index, rule) in (0..).zip(&cascade.rules) {
            let key = rule.selector.iter().find_map(|part| match part {
                Component::ID(id) => Some(('#', id.0.clone())),
                Component::Class(class) => Some(('.', class.0.clone())),
                Component::LocalName(name) => Some((' ', name.name.0.clone())),
                _ => None,
            });
            match key {
                Some(key) => cascade.by_key.entry(key).or_default().push(index),
                None => cascade.any.push(index),
            }
        }
        cascade
    }

    pub(crate) fn is_dark(&self) -> bool {
        self.screen.media.dark
    }

    /// Returns the declarations for an element: first from the sheets, then from its `style` attribute. Later ones
    /// take precedence. `root` is the root of a copy that a `use` shows; selectors do not match outside it.
    pub(crate) fn declarations(&mut self, node: Node, root: Option<NodeId>) -> Vec<Declaration> {
        let mut rules = self.any.clone();
        let mut take = |kind: char, name: &str| {
            rules.extend(self.by_key.get(&(kind, name.into())).into_iter().flatten());
        };
        if !self.by_key.is_empty() {
            take(' ', node.tag_name().name());
            node.attribute("id").into_iter().for_each(|id| take('#', id));
            let classes = node.attribute("class").unwrap_or_default();
            classes.split_ascii_whitespace().for_each(|class| take('.', class));
        }
        rules.sort_unstable();
        rules.dedup();
        let mut found: Vec<&Rule> = Vec::new();
        if !rules.is_empty() {
            let mut caches = SelectorCaches::default();
            let caches = if root.is_some() { &mut caches } else { &mut self.caches };
            let mut context = MatchingContext::new(
                MatchingMode::Normal,
                Some(&self.ancestors),
                caches,
                QuirksMode::NoQuirks,
                NeedsSelectorFlags::No,
                MatchingForInvalidation::No,
            );
            let rules = rules.into_iter().map(|index| &self.rules[index as usize]);
            found.extend(rules.filter(|rule| {
                let hashes = Some(&rule.hashes);
                matches_selector(&rule.selector, 0, hashes, Styled(node, root), &mut context)
            }));
        }
        let style = node.attribute("style").map(sheets::declarations).unwrap_or_default();
        let (last, first): (Vec<_>, _) = style.into_iter().partition(|one| one.important);
        let mut all: Vec<Declaration> = Vec::new();
        for (important, style) in [(false, first), (true, last)] {
            found.sort_by(|a, b| {
                let layers = a.declarations[0].layer.cmp(&b.declarations[0].layer);
                // Among important declarations, earlier layers take precedence.
                let layers = if important { layers.reverse() } else { layers };
                layers.then(a.selector.specificity().cmp(&b.selector.specificity()))
            });
            let sheets = found.iter().flat_map(|rule| &*rule.declarations);
            all.extend(sheets.filter(|one| one.important == important).cloned());
            all.extend(style);
        }
        all
    }

    /// Whether an element itself has `display: none`. Its ancestors must not be entered.
    pub(crate) fn is_off(&mut self, node: Node) -> bool {
        let around: Vec<Node> = node.ancestors().skip(1).filter(Node::is_element).collect();
        around.iter().for_each(|outer| self.enter(*outer));
        let declared = self.declarations(node, None);
        around.iter().for_each(|outer| self.leave(*outer));
        let last = declared.iter().rev().find(|one| {
            &*one.name == "display" && (self.screen.supports)("display", &one.value) == Some(true)
        });
        let display = last.map(|one| &*one.value).or(node.attribute("display")).unwrap_or_default();
        ["none", "contents"].iter().any(|word| display.trim().eq_ignore_ascii_case(word))
    }

    /// Enters an element: the following elements are inside it.
    pub(crate) fn enter(&mut self, node: Node) {
        Styled(node, None).hashes(|hash| self.ancestors.insert_hash(hash));
    }

    /// Leaves an element.
    pub(crate) fn leave(&mut self, node: Node) {
        Styled(node, None).hashes(|hash| self.ancestors.remove_hash(hash));
    }
}
