//! Style sheets: rules, selectors, and the declarations for one element in the order of the cascade.
//!
//! Syntax is read by [`cssparser`], and selectors are matched by [`selectors`]; both are the crates that browsers use.
//! Rules are sorted by the id, class or tag of their last compound selector, and a bloom filter of the ancestors rejects most
//! others, so an element costs about as much as the rules that match it.

use super::Media;
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser, ToCss, Token,
};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector};
use selectors::parser::{
    AncestorHashes, Component, NonTSPseudoClass, ParseRelative, PseudoElement, Selector,
    SelectorImpl, SelectorList, SelectorParseErrorKind,
};
use selectors::{Element, OpaqueElement};
use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Write};
use std::rc::Rc;
use usvg::roxmltree::{Document, Node};

/// A declaration, in a style sheet or a `style` attribute.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    /// The property, in lower case unless it is a custom property.
    pub(super) name: Box<str>,
    pub(super) value: Box<str>,
    pub(super) important: bool,
}

/// A string of a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Word(Box<str>);

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Link,
    /// The drawing is looked at and not touched, so no other state holds.
    Never,
}

impl ToCss for State {
    fn to_css<W: Write>(&self, _: &mut W) -> fmt::Result {
        Ok(())
    }
}

impl NonTSPseudoClass for State {
    fn is_active_or_hover(&self) -> bool {
        false
    }
    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// A pseudo-element, which SVG does not paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pseudo;

impl ToCss for Pseudo {
    fn to_css<W: Write>(&self, _: &mut W) -> fmt::Result {
        Ok(())
    }
}

impl PseudoElement for Pseudo {}

/// The types of selectors.
#[derive(Clone, Debug)]
struct Css;

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
    type PseudoElement = Pseudo;
}

type Failure = ParseError<SelectorParseErrorKind>;

/// Reads selectors.
struct Selectors<'a> {
    namespaces: &'a HashMap<Box<str>, Word>,
}

impl<'i> selectors::Parser<'i> for Selectors<'_> {
    type Impl = Css;
    type Error = SelectorParseErrorKind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }
    fn parse_is_and_where(&self) -> bool {
        true
    }
    fn parse_has(&self) -> bool {
        true
    }
    fn parse_parent_selector(&self) -> bool {
        true
    }
    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<State, Failure> {
        match &*name.to_ascii_lowercase() {
            "link" | "any-link" => Ok(State::Link),
            "active" | "focus" | "focus-visible" | "focus-within" | "hover" | "target"
            | "visited" | "checked" | "disabled" | "fullscreen" => Ok(State::Never),
            _ => Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)),
        }
    }
    fn parse_pseudo_element(&self, _: &str) -> Result<Pseudo, Failure> {
        Ok(Pseudo)
    }
    fn namespace_for_prefix(&self, prefix: &Word) -> Option<Word> {
        self.namespaces.get(&prefix.0).cloned()
    }
}

/// An element, as selectors see it.
#[derive(Clone, Copy, Debug)]
struct Styled<'a, 'i>(Node<'a, 'i>);

impl Styled<'_, '_> {
    /// Calls back with the hashes that descendants may be asked for.
    fn hashes(self, mut visit: impl FnMut(u32)) {
        visit(hash(self.0.tag_name().name()) & BLOOM_HASH_MASK);
        self.0.attribute("id").into_iter().for_each(|id| visit(hash(id) & BLOOM_HASH_MASK));
        let classes = self.0.attribute("class").unwrap_or_default();
        classes.split_ascii_whitespace().for_each(|class| visit(hash(class) & BLOOM_HASH_MASK));
    }
}

impl Element for Styled<'_, '_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        // Node ids are unique and not zero; the pointer is compared and never read.
        let id = self.0.id().get() as usize + 1;
        OpaqueElement::from_ptr(std::ptr::NonNull::without_provenance(
            std::num::NonZeroUsize::new(id).unwrap_or(std::num::NonZeroUsize::MIN),
        ))
    }
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Styled)
    }
    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }
    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }
    fn is_pseudo_element(&self) -> bool {
        false
    }
    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Styled)
    }
    fn next_sibling_element(&self) -> Option<Self> {
        self.0.next_sibling_element().map(Styled)
    }
    fn first_element_child(&self) -> Option<Self> {
        self.0.first_element_child().map(Styled)
    }
    fn is_html_element_in_html_document(&self) -> bool {
        false
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
        *state == State::Link && self.is_link()
    }
    fn match_pseudo_element(&self, _: &Pseudo, _: &mut MatchingContext<Css>) -> bool {
        false
    }
    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}
    fn is_link(&self) -> bool {
        self.0.tag_name().name() == "a" && self.0.attributes().any(|one| one.name() == "href")
    }
    fn is_html_slot_element(&self) -> bool {
        false
    }
    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.0.attribute("id").is_some_and(|own| case.eq(own.as_bytes(), id.0.as_bytes()))
    }
    fn has_class(&self, name: &Word, case: CaseSensitivity) -> bool {
        let mut own = self.0.attribute("class").unwrap_or_default().split_ascii_whitespace();
        own.any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
    }
    fn has_custom_state(&self, _: &Word) -> bool {
        false
    }
    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }
    fn is_part(&self, _: &Word) -> bool {
        false
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

struct Rule {
    selector: Selector<Css>,
    hashes: AncestorHashes,
    /// Later layers come before earlier ones, and rules in no layer before all.
    layer: u32,
    declarations: Rc<[Declaration]>,
}

/// How the drawing is looked at, for media queries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) media: Media,
}

/// The style sheets of a document.
pub(super) struct Cascade {
    rules: Vec<Rule>,
    /// Rules by the id, class or tag that their element must have.
    by_key: HashMap<(char, Box<str>), Vec<u32>>,
    /// The other rules.
    any: Vec<u32>,
    /// The names of the rules that are not read.
    pub(super) skipped: BTreeSet<String>,
    caches: SelectorCaches,
    ancestors: BloomFilter,
    media: Media,
}

impl Cascade {
    /// Reads the `style` elements.
    pub(super) fn new(document: &Document, screen: Screen) -> Self {
        let mut reader = Reader {
            rules: Vec::new(),
            skipped: BTreeSet::new(),
            layers: Vec::new(),
            layer: u32::MAX,
            parent: None,
            namespaces: HashMap::new(),
            screen,
        };
        let is_sheet = |node: &Node| {
            let kind = node.attribute("type").unwrap_or_default();
            node.has_tag_name("style") && matches!(kind, "" | "text/css")
        };
        for sheet in document.descendants().filter(is_sheet) {
            let media = sheet.attribute("media").unwrap_or_default();
            if matches_media(media, screen) {
                let texts = sheet.children().filter(|child| child.is_text());
                let text: String = texts.filter_map(|child| child.text()).collect();
                let mut input = Parser::new(&text);
                StyleSheetParser::new(&mut input, &mut reader).for_each(drop);
            }
        }
        let mut cascade = Self {
            by_key: HashMap::new(),
            any: Vec::new(),
            skipped: reader.skipped,
            caches: SelectorCaches::default(),
            ancestors: BloomFilter::new(),
            media: screen.media,
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

    /// The declarations for an element, of the sheets and then of its `style` attribute: the later counts.
    pub(super) fn declarations(&mut self, node: Node) -> Vec<Declaration> {
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
        let mut found: Vec<(u32, u32, u32)> = Vec::new();
        if !rules.is_empty() {
            let mut context = MatchingContext::new(
                MatchingMode::Normal,
                Some(&self.ancestors),
                &mut self.caches,
                QuirksMode::NoQuirks,
                NeedsSelectorFlags::No,
                MatchingForInvalidation::No,
            );
            for index in rules {
                let rule = &self.rules[index as usize];
                let hashes = Some(&rule.hashes);
                if matches_selector(&rule.selector, 0, hashes, Styled(node), &mut context) {
                    found.push((rule.layer, rule.selector.specificity(), index));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let sheets =
            found.iter().flat_map(|(.., index)| &*self.rules[*index as usize].declarations);
        let mut all: Vec<Declaration> = sheets.cloned().collect();
        if let Some(style) = node.attribute("style") {
            all.extend(declarations(style));
        }
        all.sort_by_key(|one| one.important);
        all
    }

    /// Whether dark colours are preferred.
    pub(super) fn is_dark(&self) -> bool {
        self.media.dark
    }

    /// The elements that follow are inside of this one.
    pub(super) fn enter(&mut self, node: Node) {
        Styled(node).hashes(|hash| self.ancestors.insert_hash(hash));
    }

    /// The elements that follow are outside of this one again.
    pub(super) fn leave(&mut self, node: Node) {
        Styled(node).hashes(|hash| self.ancestors.remove_hash(hash));
    }
}

/// The declarations of a `style` attribute.
fn declarations(style: &str) -> Vec<Declaration> {
    let mut input = Parser::new(style);
    RuleBodyParser::new(&mut input, &mut Plain).flatten().collect()
}

/// Reads one declaration as text.
fn declaration(name: &str, input: &mut Parser) -> Result<Declaration, Failure> {
    let is_custom = name.starts_with("--");
    let start = input.position();
    loop {
        match input.next_including_whitespace() {
            Ok(Token::BadString(_) | Token::BadUrl(_)) => {
                return Err(ParseError::unexpected_token());
            }
            Ok(Token::CurlyBracketBlock) if !is_custom => {
                return Err(ParseError::unexpected_token());
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    let text = input.slice_from(start).trim();
    let last = text.rsplit_once('!');
    let important = last.filter(|(_, word)| word.trim().eq_ignore_ascii_case("important"));
    let value = important.map_or(text, |(value, _)| value).trim();
    let name = if is_custom { name.into() } else { name.to_ascii_lowercase() };
    let important = important.is_some();
    Ok(Declaration { name: name.into(), value: value.into(), important })
}

/// Reads a `style` attribute, which contains no rules.
struct Plain;

impl<'i> DeclarationParser<'i> for Plain {
    type Declaration = Declaration;
    type Error = SelectorParseErrorKind;
    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<Declaration, Failure> {
        declaration(&name, input)
    }
}

impl AtRuleParser<'_> for Plain {
    type Prelude = ();
    type AtRule = Declaration;
    type Error = SelectorParseErrorKind;
}

impl QualifiedRuleParser<'_> for Plain {
    type Prelude = ();
    type QualifiedRule = Declaration;
    type Error = SelectorParseErrorKind;
}

impl RuleBodyItemParser<'_, Declaration, SelectorParseErrorKind> for Plain {
    fn parse_declarations(&self) -> bool {
        true
    }
    fn parse_qualified(&self) -> bool {
        false
    }
}

/// Reads a style sheet, and the rules inside of rules.
struct Reader {
    rules: Vec<Rule>,
    skipped: BTreeSet<String>,
    layers: Vec<String>,
    layer: u32,
    /// The selectors of the rule around.
    parent: Option<SelectorList<Css>>,
    namespaces: HashMap<Box<str>, Word>,
    screen: Screen,
}

/// The head of an at-rule with a block of rules.
enum Around {
    Matched(bool),
    Layer(u32),
    Nothing,
}

impl Reader {
    /// Reads the contents of a rule or of an at-rule.
    fn body(&mut self, input: &mut Parser) {
        let at = self.rules.len();
        let items: Vec<Option<Declaration>> =
            RuleBodyParser::new(input, self).filter_map(Result::ok).collect();
        let declarations: Rc<[Declaration]> = items.into_iter().flatten().collect();
        let Some(selectors) = self.parent.as_ref().filter(|_| !declarations.is_empty()) else {
            return;
        };
        let own = selectors.slice().iter().map(|selector| Rule {
            hashes: AncestorHashes::new(selector, QuirksMode::NoQuirks),
            selector: selector.clone(),
            layer: self.layer,
            declarations: Rc::clone(&declarations),
        });
        // Declarations come before the rules inside, wherever they stand.
        let own: Vec<Rule> = own.collect();
        self.rules.splice(at..at, own);
    }

    fn layer_of(&mut self, name: &str) -> u32 {
        let known = self.layers.iter().position(|known| known == name && !name.is_empty());
        known.unwrap_or_else(|| {
            self.layers.push(name.to_owned());
            self.layers.len() - 1
        }) as u32
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader {
    type Prelude = SelectorList<Css>;
    type QualifiedRule = Option<Declaration>;
    type Error = SelectorParseErrorKind;

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Self::Prelude, Failure> {
        let selectors = Selectors { namespaces: &self.namespaces };
        match &self.parent {
            Some(parent) => SelectorList::parse(&selectors, input, ParseRelative::ForNesting)
                .map(|list| list.replace_parent_selector(parent)),
            None => SelectorList::parse(&selectors, input, ParseRelative::No),
        }
    }

    fn parse_block(
        &mut self,
        selectors: Self::Prelude,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<Option<Declaration>, Failure> {
        let parent = self.parent.replace(selectors);
        self.body(input);
        self.parent = parent;
        Ok(None)
    }
}

impl<'i> AtRuleParser<'i> for Reader {
    type Prelude = Around;
    type AtRule = Option<Declaration>;
    type Error = SelectorParseErrorKind;

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<Around, Failure> {
        let start = input.position();
        while input.next_including_whitespace().is_ok() {}
        let text = input.slice_from(start).trim();
        Ok(match &*name.to_ascii_lowercase() {
            "media" => Around::Matched(matches_media(text, self.screen)),
            "supports" => Around::Matched(!text.to_ascii_lowercase().starts_with("not")),
            "layer" => {
                let layers: Vec<u32> =
                    text.split(',').map(|name| self.layer_of(name.trim())).collect();
                Around::Layer(layers.first().copied().unwrap_or_default())
            }
            "namespace" => {
                let (prefix, url) = text.split_once(char::is_whitespace).unwrap_or(("", text));
                let url = url.trim().trim_start_matches("url(").trim_end_matches(')');
                let url = url.trim_matches(['"', '\'']).into();
                self.namespaces.insert(prefix.into(), url);
                Around::Nothing
            }
            "charset" | "property" | "view-transition" => Around::Nothing,
            other => {
                self.skipped.insert(format!("@{other:.40}"));
                Around::Nothing
            }
        })
    }

    fn rule_without_block(&mut self, _: Around, _: &ParserState) -> Result<Self::AtRule, ()> {
        Ok(None)
    }

    fn parse_block(
        &mut self,
        around: Around,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<Self::AtRule, Failure> {
        let layer = self.layer;
        match around {
            Around::Matched(true) => self.body(input),
            Around::Layer(inner) => {
                self.layer = inner;
                self.body(input);
                self.layer = layer;
            }
            _ => while input.next().is_ok() {},
        }
        Ok(None)
    }
}

impl<'i> DeclarationParser<'i> for Reader {
    type Declaration = Option<Declaration>;
    type Error = SelectorParseErrorKind;
    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<Self::Declaration, Failure> {
        declaration(&name, input).map(Some)
    }
}

impl RuleBodyItemParser<'_, Option<Declaration>, SelectorParseErrorKind> for Reader {
    fn parse_declarations(&self) -> bool {
        self.parent.is_some()
    }
    fn parse_qualified(&self) -> bool {
        true
    }
}

/// Whether a list of media queries holds for this screen.
pub(super) fn matches_media(list: &str, screen: Screen) -> bool {
    let list = list.to_ascii_lowercase();
    let query = |query: &str| {
        let query = query.trim();
        let (is_wanted, query) = match query.strip_prefix("not ") {
            Some(rest) => (false, rest),
            None => (true, query.strip_prefix("only ").unwrap_or(query)),
        };
        let is_met = query
            .split(" or ")
            .any(|all| all.split(" and ").all(|one| feature(one.trim(), screen)));
        is_met == is_wanted
    };
    list.trim().is_empty() || list.split(',').any(query)
}

/// Whether one media type or feature holds.
fn feature(text: &str, screen: Screen) -> bool {
    if let Some(inner) = text.strip_prefix("not ") {
        return !feature(inner.trim(), screen);
    }
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text == "all" || text == if screen.media.print { "print" } else { "screen" };
    };
    if inner.starts_with('(') {
        return feature(inner, screen);
    }
    if inner.contains(['<', '>', '=']) {
        return range(inner, screen);
    }
    let (name, value) = inner.split_once(':').unwrap_or((inner, ""));
    let (name, value) = (name.trim(), value.trim());
    let length = || length(value, screen);
    let sides = [("width", screen.width), ("height", screen.height)];
    for (side, size) in sides {
        match name.strip_suffix(side) {
            Some("min-") => return length().is_some_and(|least| size >= least),
            Some("max-") => return length().is_some_and(|most| size <= most),
            Some("") => return value.is_empty() || length() == Some(size),
            _ => {}
        }
    }
    match name {
        "prefers-color-scheme" => value == if screen.media.dark { "dark" } else { "light" },
        "prefers-reduced-motion" | "prefers-contrast" | "prefers-reduced-transparency" => {
            value == "no-preference"
        }
        "forced-colors" | "inverted-colors" => value == "none",
        "orientation" => (value == "landscape") == (screen.width > screen.height),
        "scripting" => value == "none",
        "hover" | "any-hover" => matches!(value, "" | "hover"),
        "pointer" | "any-pointer" => matches!(value, "" | "fine"),
        "color" => value.is_empty(),
        _ => false,
    }
}

fn length(value: &str, screen: Screen) -> Option<f64> {
    let environment = super::values::Environment::of(screen.width, screen.height);
    super::values::pixels(value, &environment)
}

/// Whether all comparisons of a range hold, such as `400px <= width < 700px`.
fn range(text: &str, screen: Screen) -> bool {
    let side = |word: &str| match word.trim() {
        "width" => Some(screen.width),
        "height" => Some(screen.height),
        value => length(value, screen),
    };
    let is_operator = |letter: char| matches!(letter, '<' | '>' | '=');
    let sides: Option<Vec<f64>> =
        text.split(is_operator).filter(|word| !word.is_empty()).map(side).collect();
    let operators = text.split(|letter| !is_operator(letter)).filter(|word| !word.is_empty());
    let Some(sides) = sides else { return false };
    sides.windows(2).zip(operators).all(|(pair, operator)| match operator {
        "<" => pair[0] < pair[1],
        "<=" => pair[0] <= pair[1],
        ">" => pair[0] > pair[1],
        ">=" => pair[0] >= pair[1],
        _ => pair[0] == pair[1],
    })
}
