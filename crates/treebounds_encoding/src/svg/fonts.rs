//! Selects the fonts of text, and records fonts that are missing.
//!
//! usvg tries a text's families, then the system's serif family. This module adds two things. A generic family (`serif`,
//! `sans-serif`, ...) that the system maps to a missing font is looked up under other names, as is the serif family if
//! nothing else is found. And every font that was not found is recorded, because its text is drawn with another font, or not
//! at all.

use super::Options;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use usvg::fontdb::{Database, Family, ID, Query, Stretch, Style, Weight};
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
    /// The families that were not found.
    missing: Mutex<BTreeSet<String>>,
}

impl Fonts {
    /// Loads the fonts that the options allow.
    pub(super) fn new(options: &Options) -> Self {
        Self { database: options.fontdb(), missing: Mutex::default() }
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
                    missing.insert(names(font));
                    one_of(SERIF, font, database)
                })
            }),
            select_fallback: FontResolver::default_fallback_selector(),
        }
    }

    /// One note for each missing font, at most [`NOTES`].
    pub(super) fn notes(&self) -> Vec<String> {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let effect = match present(&self.database, SERIF) {
            Some(family) => format!("its text is drawn with {family}"),
            None => "its text is left out".to_owned(),
        };
        let notes = missing.iter().map(|names| format!("no font matches '{names}': {effect}"));
        notes.take(NOTES).collect()
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
