//! Selectors, and elements as selectors see them.

use cssparser::{ParseError, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::parser::{NonTSPseudoClass, PseudoElement, SelectorImpl, SelectorParseErrorKind};
use selectors::{Element, OpaqueElement};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::{self, Write};
use usvg::roxmltree::{Node, NodeId};

/// Defines methods whose result is always the same here, unlike in browsers.
macro_rules! always {
    ($answer:expr; $($name:ident($($of:ty)?)),*) => {
        $(fn $name(&self $(, _: $of)?) -> bool {
            $answer
        })*
    };
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Word(pub(crate) Box<str>);

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ToCss for Word {
    fn to_css<W: Write>(&self, out: &mut W) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        hash(&self.0)
    }
}

/// FNV-1a.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A pseudo-class that depends on more than the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Link,
    /// The element is in this language.
    Language(Box<str>),
    Always,
    /// The drawing is not interactive, so no other state matches.
    Never,
}

impl ToCss for State {
    fn to_css<W: Write>(&self, _: &mut W) -> fmt::Result {
        Ok(())
    }
}

impl NonTSPseudoClass for State {
    always!(false; is_active_or_hover(), is_user_action_state());
}

/// SVG paints no pseudo-elements; they have [`State::Never`].
impl PseudoElement for State {}

#[derive(Clone, Debug)]
pub(crate) struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = State;
    type PseudoElement = State;
}

pub(crate) type Failure = ParseError<SelectorParseErrorKind>;

pub(crate) struct Selectors<'a> {
    pub(crate) namespaces: &'a HashMap<Box<str>, Word>,
}

impl<'i> selectors::Parser<'i> for Selectors<'_> {
    type Impl = Css;
    type Error = SelectorParseErrorKind;

    always!(true; parse_nth_child_of(), parse_is_and_where(), parse_has(), parse_parent_selector());

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("-webkit-any")
    }
    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        input: &mut cssparser::Parser<'i>,
        _: bool,
    ) -> Result<State, Failure> {
        let word = input.expect_ident()?.to_ascii_lowercase();
        match &*name.to_ascii_lowercase() {
            "lang" => Ok(State::Language(word.into())),
            "dir" if word == "ltr" => Ok(State::Always),
            "dir" => Ok(State::Never),
            _ => Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)),
        }
    }
    fn default_namespace(&self) -> Option<Word> {
        self.namespaces.get("").cloned()
    }
    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<State, Failure> {
        match &*name.to_ascii_lowercase() {
            "link" | "any-link" => Ok(State::Link),
            "defined" => Ok(State::Always),
            "active" | "focus" | "focus-visible" | "focus-within" | "hover" | "target"
            | "visited" | "checked" | "disabled" | "enabled" | "fullscreen" | "valid"
            | "invalid" | "required" | "optional" | "host" | "popover-open" | "modal"
            | "autofill" => Ok(State::Never),
            _ => Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)),
        }
    }
    fn parse_pseudo_element(&self, name: &str) -> Result<State, Failure> {
        let known = "before after first-line first-letter selection placeholder marker backdrop cue \
                     file-selector-button grammar-error spelling-error target-text details-content";
        let name = name.to_ascii_lowercase();
        if name.starts_with("-webkit-") || known.split(' ').any(|known| known == name) {
            return Ok(State::Never);
        }
        // A rule with an unknown name is invalid as a whole.
        Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement))
    }
    fn namespace_for_prefix(&self, prefix: &Word) -> Option<Word> {
        self.namespaces.get(&prefix.0).cloned()
    }
}

/// An element, as selectors see it, and the root of the copy that a `use` shows: selectors do not match outside the
/// copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Styled<'a, 'i>(pub(crate) Node<'a, 'i>, pub(crate) Option<NodeId>);

impl<'a, 'i> Styled<'a, 'i> {
    /// Wraps another element of the same tree.
    fn to(self, node: Option<Node<'a, 'i>>) -> Option<Self> {
        node.map(|node| Self(node, self.1))
    }

    /// Wraps a parent or a sibling, unless this element is the root of the copy.
    fn outside(self, node: Option<Node<'a, 'i>>) -> Option<Self> {
        if self.1 == Some(self.0.id()) { None } else { self.to(node) }
    }

    /// Calls `visit` with the hashes for the bloom filter of descendants.
    pub(crate) fn hashes(self, mut visit: impl FnMut(u32)) {
        visit(hash(self.0.tag_name().name()) & BLOOM_HASH_MASK);
        self.0.attribute("id").into_iter().for_each(|id| visit(hash(id) & BLOOM_HASH_MASK));
        let classes = self.0.attribute("class").unwrap_or_default();
        classes.split_ascii_whitespace().for_each(|class| visit(hash(class) & BLOOM_HASH_MASK));
    }
}

impl Element for Styled<'_, '_> {
    type Impl = Css;

    always!(
        false;
        parent_node_is_shadow_root(),
        is_pseudo_element(),
        is_html_element_in_html_document(),
        is_html_slot_element(),
        has_custom_state(&Word),
        is_part(&Word)
    );

    fn opaque(&self) -> OpaqueElement {
        // Node ids are unique and not zero; the pointer is compared and never dereferenced.
        let id = self.0.id().get() as usize + 1;
        OpaqueElement::from_ptr(std::ptr::NonNull::without_provenance(
            std::num::NonZeroUsize::new(id).unwrap_or(std::num::NonZeroUsize::MIN),
        ))
    }
    fn parent_element(&self) -> Option<Self> {
        self.outside(self.0.parent_element())
    }
    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }
    fn prev_sibling_element(&self) -> Option<Self> {
        self.outside(self.0.prev_sibling_element())
    }
    fn next_sibling_element(&self) -> Option<Self> {
        self.outside(self.0.next_sibling_element())
    }
    fn first_element_child(&self) -> Option<Self> {
        self.to(self.0.first_element_child())
    }
    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }
    fn has_namespace(&self, namespace: &str) -> bool {
        self.0.tag_name().namespace().unwrap_or_default() == namespace
    }
    fn is_same_type(&self, other: &Self) -> bool {
        self.0.tag_name() == other.0.tag_name()
    }
    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Word>,
        name: &Word,
        operation: &AttrSelectorOperation<&Word>,
    ) -> bool {
        self.0.attributes().any(|one| {
            let is_here = match namespace {
                NamespaceConstraint::Any => true,
                NamespaceConstraint::Specific(url) => {
                    one.namespace().unwrap_or_default() == &*url.0
                }
            };
            is_here && one.name() == &*name.0 && operation.eval_str(one.value())
        })
    }
    fn match_non_ts_pseudo_class(&self, state: &State, _: &mut MatchingContext<Css>) -> bool {
        let is_in = |language: &str| {
            let own = self.0.ancestors().find_map(|outer| {
                let all = outer.attributes().filter(|one| one.name() == "lang");
                all.max_by_key(|one| one.namespace().is_some())
            });
            let own = own.map_or("", |own| own.value()).to_ascii_lowercase();
            let rest = own.strip_prefix(language);
            rest.is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'-', ..]))
        };
        match state {
            State::Link => self.is_link(),
            State::Language(language) => is_in(language),
            State::Always => true,
            State::Never => false,
        }
    }
    fn match_pseudo_element(&self, _: &State, _: &mut MatchingContext<Css>) -> bool {
        false
    }
    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}
    fn is_link(&self) -> bool {
        self.0.tag_name().name() == "a" && self.0.attributes().any(|one| one.name() == "href")
    }
    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.0.attribute("id").is_some_and(|own| case.eq(own.as_bytes(), id.0.as_bytes()))
    }
    fn has_class(&self, name: &Word, case: CaseSensitivity) -> bool {
        let mut own = self.0.attribute("class").unwrap_or_default().split_ascii_whitespace();
        own.any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
    }
    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }
    fn is_empty(&self) -> bool {
        let is_content =
            |node: Node| node.is_element() || node.text().is_some_and(|text| !text.is_empty());
        !self.0.children().any(|node| !node.is_comment() && is_content(node))
    }
    fn is_root(&self) -> bool {
        self.0.parent_element().is_none()
    }
    fn add_element_unique_hashes(&self, filter: &mut BloomFilter) -> bool {
        self.hashes(|hash| filter.insert_hash(hash));
        true
    }
}
