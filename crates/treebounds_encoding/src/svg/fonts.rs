//! Selects the fonts of text, and records fonts that are missing.
//!
//! usvg tries a text's families, then the system's serif family. This module adds two things. A generic family (`serif`,
//! `sans-serif`, ...) that the system maps to a missing font is looked up under other names, as is the serif family if
//! nothing else is found. And every font that was not found is recorded, because its text is drawn with another font, or not
//! at all.

use super::Options;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use usvg::fontdb::{Database, Family, ID, Query, Stretch, Style, Weight};
use usvg::roxmltree::{Document, Node, NodeId};
use usvg::{Font, FontFamily, FontResolver, FontStretch, FontStyle};

const SERIF: &[&str] =
    &["Times New Roman", "Liberation Serif", "DejaVu Serif", "Noto Serif", "Nimbus Roman", "Times"];
const SANS: &[&str] =
    &["Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Nimbus Sans", "Helvetica"];
const MONO: &[&str] =
    &["Courier New", "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono", "Menlo", "Courier"];

/// The fonts of one drawing.
pub(super) struct Fonts {
    database: Arc<Database>,
    /// The families that were not found, and how often they were requested.
    missing: Mutex<BTreeMap<String, usize>>,
    /// The number of texts per family, counted from the first missing family on.
    texts: Mutex<HashMap<String, usize>>,
}

impl Fonts {
    /// Loads the fonts that the options allow.
    pub(super) fn new(options: &Options) -> Self {
        Self { database: options.fontdb(), missing: Mutex::default(), texts: Mutex::default() }
    }

    /// All fonts.
    pub(super) fn database(&self) -> Arc<Database> {
        Arc::clone(&self.database)
    }

    /// The family of text that names no family.
    pub(super) fn default_family(&self) -> String {
        present(&self.database, SERIF).unwrap_or(SERIF[0]).to_owned()
    }

    /// The callback for usvg.
    pub(super) fn resolver(&self) -> FontResolver<'_> {
        let select = FontResolver::default_font_selector();
        FontResolver {
            select_font: Box::new(move |font, database| {
                let found = select(font, database).or_else(|| generic(font, database));
                found.or_else(|| {
                    let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                    *missing.entry(names(font)).or_default() += 1;
                    one_of(SERIF, font, database)
                })
            }),
            select_fallback: FontResolver::default_fallback_selector(),
        }
    }

    /// Counts the texts of a parsed document, for the notes.
    pub(super) fn count(&self, document: &Document) {
        if self.missing.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return;
        }
        let mut all = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        for (family, count) in texts(document, &self.default_family()) {
            *all.entry(family).or_default() += count;
        }
    }

    /// One note for each missing font, at most [`NOTES`].
    pub(super) fn notes(&self) -> Vec<String> {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let became = match present(&self.database, SERIF) {
            Some(family) => format!("drawn with {family}"),
            None => "skipped".to_owned(),
        };
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let note = |(names, asked): (&String, &usize)| {
            let (count, were) = match texts.get(names.as_str()).copied().unwrap_or_default() {
                0 if *asked == 1 => (1, "element was"),
                0 => (*asked, "elements were"),
                1 => (1, "element was"),
                count => (count, "elements were"),
            };
            format!("{count} text {were} {became}: no font matches '{names}'")
        };
        missing.iter().take(NOTES).map(note).collect()
    }
}

/// The most missing fonts that are listed.
const NOTES: usize = 100;

/// The first of these families that the database has.
fn present<'a>(database: &Database, families: &[&'a str]) -> Option<&'a str> {
    let has = |name: &&&str| {
        database.faces().any(|face| face.families.iter().any(|(family, _)| family == **name))
    };
    families.iter().find(has).copied()
}

/// A font for the first generic family that the text names.
fn generic(font: &Font, database: &Database) -> Option<ID> {
    let families = font.families().iter().find_map(|family| match family {
        FontFamily::Serif => Some(SERIF),
        FontFamily::SansSerif | FontFamily::Cursive | FontFamily::Fantasy => Some(SANS),
        FontFamily::Monospace => Some(MONO),
        FontFamily::Named(_) => None,
    })?;
    one_of(families, font, database)
}

/// A font of the first of these families that the database has.
fn one_of(families: &[&str], font: &Font, database: &Database) -> Option<ID> {
    database.query(&Query {
        families: &[Family::Name(present(database, families)?)],
        weight: Weight(font.weight()),
        stretch: stretch(font.stretch()),
        style: match font.style() {
            FontStyle::Normal => Style::Normal,
            FontStyle::Italic => Style::Italic,
            FontStyle::Oblique => Style::Oblique,
        },
    })
}

fn stretch(stretch: FontStretch) -> Stretch {
    match stretch {
        FontStretch::UltraCondensed => Stretch::UltraCondensed,
        FontStretch::ExtraCondensed => Stretch::ExtraCondensed,
        FontStretch::Condensed => Stretch::Condensed,
        FontStretch::SemiCondensed => Stretch::SemiCondensed,
        FontStretch::Normal => Stretch::Normal,
        FontStretch::SemiExpanded => Stretch::SemiExpanded,
        FontStretch::Expanded => Stretch::Expanded,
        FontStretch::ExtraExpanded => Stretch::ExtraExpanded,
        FontStretch::UltraExpanded => Stretch::UltraExpanded,
    }
}

fn names(font: &Font) -> String {
    let names: Vec<String> = font.families().iter().map(ToString::to_string).collect();
    names.join(", ").replace('"', "")
}

/// The number of `text` elements per family.
fn texts(document: &Document, default: &str) -> HashMap<String, usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    // The families of each element, declared or inherited.
    let mut families: HashMap<NodeId, Rc<str>> = HashMap::new();
    let mut asked: HashSet<(NodeId, Rc<str>)> = HashSet::new();
    let mut texts: HashMap<NodeId, NodeId> = HashMap::new();
    for node in document.descendants().filter(Node::is_element) {
        let around = node.parent_element().map(|parent| parent.id());
        let inherited = || around.and_then(|around| families.get(&around).cloned());
        let wanted = wanted(node).map(Rc::from).or_else(inherited);
        let text = if node.has_tag_name("text") { Some(node.id()) } else { None };
        let text = text.or_else(|| texts.get(&around?).copied());
        if let Some(text) = text {
            texts.insert(node.id(), text);
            let family = wanted.clone().unwrap_or_else(|| Rc::from(default));
            if asked.insert((text, Rc::clone(&family))) {
                *counts.entry(family.to_string()).or_default() += 1;
            }
        }
        if let Some(wanted) = wanted {
            families.insert(node.id(), wanted);
        }
    }
    counts
}

/// The families that an element declares.
fn wanted(node: Node) -> Option<String> {
    let style = node.attribute("style").into_iter();
    let mut styled = style.flat_map(simplecss::DeclarationTokenizer::from);
    let styled = styled.find(|one| one.name == "font-family").map(|one| one.value);
    let value = styled.or_else(|| node.attribute("font-family"))?;
    let names = value.split(',').map(|name| name.trim().trim_matches(['"', '\'']));
    Some(names.collect::<Vec<_>>().join(", "))
}
