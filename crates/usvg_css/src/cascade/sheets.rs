//! Reads style sheets and `style` attributes.

use super::media::{self, Screen};
use super::selectors::{Css, Failure, Selectors, Word};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};
use data_url::DataUrl;
use selectors::context::QuirksMode;
use selectors::parser::{
    AncestorHashes, ParseRelative, Selector, SelectorList, SelectorParseErrorKind,
};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A declaration, in a style sheet or a `style` attribute.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declaration {
    /// The property, in lower case unless it is a custom property.
    pub(crate) name: Box<str>,
    pub(crate) value: Box<str>,
    pub(crate) important: bool,
    /// The enclosing layers, outermost first, followed by the largest number: a layer's own rules take precedence over
    /// the rules of its inner layers, and later layers over earlier ones. Empty in a `style` attribute.
    pub(crate) layer: Rc<[u32]>,
}

pub(crate) struct Rule {
    pub(crate) selector: Selector<Css>,
    pub(crate) hashes: AncestorHashes,
    /// The declarations of one layer; never empty.
    pub(crate) declarations: Rc<[Declaration]>,
}

pub(crate) fn declarations(style: &str) -> Vec<Declaration> {
    let layer = (String::new(), [].into());
    let mut reader = Reader { is_plain: true, layer, ..Reader::new(Screen::default()) };
    // An unmatched brace is as invalid as an unmatched parenthesis, but the parser skips it.
    let is_bad = style.contains('}') && !style.contains('{');
    let style = if is_bad { style.replace('}', ")").into() } else { Cow::Borrowed(style) };
    let mut input = Parser::new(&style);
    RuleBodyParser::new(&mut input, &mut reader).flatten().flatten().collect()
}

/// Returns the style sheet that a data URL contains.
pub(crate) fn linked(link: &str) -> Option<String> {
    let data = DataUrl::process(link).ok()?.decode_to_vec().ok()?.0;
    Some(String::from_utf8_lossy(&data).into_owned())
}

/// Parses one declaration as text.
fn declaration(name: &str, input: &mut Parser, layer: &Rc<[u32]>) -> Result<Declaration, Failure> {
    let is_custom = name.starts_with("--");
    let start = input.position();
    loop {
        match input.next_including_whitespace() {
            Ok(Token::BadString(_) | Token::BadUrl(_) | Token::CloseParenthesis) => {
                return Err(ParseError::unexpected_token());
            }
            Ok(Token::CurlyBracketBlock) if !is_custom => {
                return Err(ParseError::unexpected_token());
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    let text = input.slice_from(start).trim_ascii();
    let last = text.rsplit_once('!');
    let important = last.filter(|(_, word)| word.trim().eq_ignore_ascii_case("important"));
    let value = important.map_or(text, |(value, _)| value).trim_ascii();
    let name = if is_custom { name.into() } else { name.to_ascii_lowercase() };
    let important = important.is_some();
    Ok(Declaration { name: name.into(), value: value.into(), important, layer: layer.clone() })
}

/// Restricts selectors to the elements of a scope, including its root.
fn scoped(selectors: &str, (root, limit): &(String, String)) -> String {
    let root = format!(":where({root})");
    let limit = match &**limit {
        "" => String::new(),
        limit => format!(":not(:where({limit}), :where({limit}) *)"),
    };
    let relative = selectors.replace(":scope", &root).replace('&', &root);
    if relative == selectors {
        format!("{root} :is({selectors}){limit}, :is({selectors}){root}")
    } else {
        format!(":is({relative}){limit}")
    }
}

/// The full name of a layer, and the numbers of the layer and its ancestors, with the largest number at the end.
type Layer = (String, Rc<[u32]>);

/// Parses a style sheet and its nested rules.
pub(crate) struct Reader {
    pub(crate) rules: Vec<Rule>,
    /// Unsupported conditions, and the names of unsupported rules.
    pub(crate) skipped: BTreeSet<String>,
    layers: Vec<String>,
    layer: Layer,
    /// The selectors of the enclosing rule.
    parent: Option<SelectorList<Css>>,
    /// The selectors of the root and the limit of the enclosing scope.
    scope: Option<(String, String)>,
    /// The number of rules before this sheet and its imports.
    first: usize,
    namespaces: HashMap<Box<str>, Word>,
    screen: Screen,
    /// Whether the input is a `style` attribute, which cannot contain rules.
    is_plain: bool,
}

/// The head of an at-rule with a block of rules.
pub(crate) enum Around {
    Matched(bool),
    Layer(Layer),
    Scope(String, String),
    Import(String, Layer),
    Nothing,
}

impl Reader {
    pub(crate) fn new(screen: Screen) -> Self {
        Self {
            rules: Vec::new(),
            skipped: BTreeSet::new(),
            layers: Vec::new(),
            layer: (String::new(), [u32::MAX].into()),
            parent: None,
            scope: None,
            first: 0,
            namespaces: HashMap::new(),
            screen,
            is_plain: false,
        }
    }

    /// Parses a style sheet, whose rules follow those of all earlier sheets.
    pub(crate) fn sheet(&mut self, text: &str) {
        let first = std::mem::replace(&mut self.first, self.rules.len());
        let namespaces = std::mem::take(&mut self.namespaces);
        StyleSheetParser::new(&mut Parser::new(text), self).for_each(drop);
        (self.first, self.namespaces) = (first, namespaces);
    }

    /// Returns the sheet of an `@import`, if it is a data URL for this screen.
    fn import(&mut self, text: &str) -> Option<Around> {
        let mut input = Parser::new(text);
        let link = input.expect_url_or_string().ok()?.to_string();
        let start = input.position();
        while input.next().is_ok() {}
        let rest = input.slice_from(start).trim();
        let (layer, rest) = match rest.strip_prefix("layer") {
            None => (self.layer.clone(), rest),
            Some(rest) => {
                let named = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
                let (name, rest) = named.unwrap_or(("", rest));
                (self.layer_of(name.trim()), rest)
            }
        };
        let is_wanted = media::matches_media(rest, self.screen)?;
        let sheet = linked(&link)?;
        Some(if is_wanted { Around::Import(sheet, layer) } else { Around::Nothing })
    }

    /// Parses the body of a rule or an at-rule.
    fn body(&mut self, input: &mut Parser) {
        // Each declaration, with the number of rules before it.
        let mut found: Vec<(usize, Declaration)> = Vec::new();
        let mut items = RuleBodyParser::new(input, self);
        while let Some(item) = items.next() {
            let at = items.parser.rules.len();
            found.extend(item.ok().flatten().map(|one| (at, one)));
        }
        let Some(selectors) = &self.parent else { return };
        for run in found.chunk_by(|a, b| a.0 == b.0).rev() {
            let declarations: Rc<[Declaration]> = run.iter().map(|(_, one)| one.clone()).collect();
            let rules: Vec<Rule> = selectors
                .slice()
                .iter()
                .map(|selector| Rule {
                    hashes: AncestorHashes::new(selector, QuirksMode::NoQuirks),
                    selector: selector.clone(),
                    declarations: Rc::clone(&declarations),
                })
                .collect();
            self.rules.splice(run[0].0..run[0].0, rules);
        }
    }

    /// Returns the named layer inside the enclosing layer; without a name, a new anonymous layer.
    fn layer_of(&mut self, name: &str) -> Layer {
        let mut full = self.layer.0.clone();
        let mut key = self.layer.1.to_vec();
        key.pop();
        for part in name.split('.') {
            full = format!("{full}.{part}");
            let known = self.layers.iter().position(|known| *known == full && !part.is_empty());
            let index = known.unwrap_or(self.layers.len());
            if index == self.layers.len() {
                self.layers.push(full.clone());
            }
            key.push(index as u32);
        }
        key.push(u32::MAX);
        (full, key.into())
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader {
    type Prelude = SelectorList<Css>;
    type QualifiedRule = Option<Declaration>;
    type Error = SelectorParseErrorKind;

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Self::Prelude, Failure> {
        let selectors = Selectors { namespaces: &self.namespaces };
        if let (None, Some(scope)) = (&self.parent, &self.scope) {
            let start = input.position();
            while input.next().is_ok() {}
            let text = scoped(input.slice_from(start), scope);
            return SelectorList::parse(&selectors, &mut Parser::new(&text), ParseRelative::No);
        }
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
        let name = name.to_ascii_lowercase();
        let start = input.position();
        while input.next_including_whitespace().is_ok() {}
        let text = input.slice_from(start).trim();
        Ok(match &*name {
            "media" | "supports" => {
                let found = match &*name {
                    "media" => media::matches_media(text, self.screen),
                    _ => media::supports(text, self.screen),
                };
                if found.is_none() {
                    self.skipped.insert(format!("@{name} {text:.80}"));
                }
                Around::Matched(found == Some(true))
            }
            "layer" => {
                let layers: Vec<Layer> =
                    text.split(',').map(|name| self.layer_of(name.trim())).collect();
                Around::Layer(layers.into_iter().next().unwrap_or_else(|| self.layer.clone()))
            }
            "import" if self.rules.len() == self.first => self.import(text).unwrap_or_else(|| {
                self.skipped.insert("@import".to_owned());
                Around::Nothing
            }),
            "scope" if text.starts_with('(') => {
                let (root, limit) = text.split_once(" to ").unwrap_or((text, ""));
                let inner = |text: &str| {
                    let list = text.trim().strip_prefix('(').and_then(|it| it.strip_suffix(')'));
                    list.unwrap_or_default().to_owned()
                };
                Around::Scope(inner(root), inner(limit))
            }
            "namespace" if self.rules.len() == self.first => {
                let (prefix, url) = text.split_once(char::is_whitespace).unwrap_or(("", text));
                let url = url.trim().trim_start_matches("url(").trim_end_matches(')');
                let url = url.trim_matches(['"', '\'']).into();
                self.namespaces.insert(prefix.into(), url);
                Around::Nothing
            }
            "charset" | "namespace" | "view-transition" => Around::Nothing,
            other => {
                self.skipped.insert(format!("@{other:.40}"));
                Around::Nothing
            }
        })
    }

    fn rule_without_block(&mut self, head: Around, _: &ParserState) -> Result<Self::AtRule, ()> {
        if let Around::Import(sheet, inner) = head {
            let layer = std::mem::replace(&mut self.layer, inner);
            self.sheet(&sheet);
            (self.layer, self.first) = (layer, self.rules.len());
        }
        Ok(None)
    }

    fn parse_block(
        &mut self,
        around: Around,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<Self::AtRule, Failure> {
        match around {
            Around::Matched(true) => self.body(input),
            Around::Layer(inner) => {
                let layer = std::mem::replace(&mut self.layer, inner);
                self.body(input);
                self.layer = layer;
            }
            Around::Scope(root, limit) => {
                let scope = self.scope.replace((root, limit));
                self.body(input);
                self.scope = scope;
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
        declaration(&name, input, &self.layer.1).map(Some)
    }
}

impl RuleBodyItemParser<'_, Option<Declaration>, SelectorParseErrorKind> for Reader {
    fn parse_declarations(&self) -> bool {
        self.is_plain || self.parent.is_some()
    }
    fn parse_qualified(&self) -> bool {
        !self.is_plain
    }
}
