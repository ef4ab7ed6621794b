//! Selects the fonts of text, and records fonts that are missing.
//!
//! A text's families are tried in their order, then the serif family. Generic families (`serif`, `sans-serif`, ...) and the
//! names that Linux replaces, such as Arial, are looked up under other names, too. Every font that was not found is recorded,
//! because its text is drawn with another font, or not at all. This module also measures fonts for the units of CSS that
//! depend on them, such as `ch`.

use crate::values::Metrics;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use usvg::fontdb::{Database, Family, Query, Stretch, Style, Weight};
use usvg::{Font, FontFamily, FontResolver, FontStretch, FontStyle};

const SERIF: &[&str] =
    &["Times New Roman", "Liberation Serif", "DejaVu Serif", "Noto Serif", "Nimbus Roman", "Times"];
const SANS: &[&str] =
    &["Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Nimbus Sans", "Helvetica"];
const MONO: &[&str] =
    &["Courier New", "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Menlo", "Courier"];

/// The fonts of one drawing.
pub(crate) struct Fonts {
    database: Arc<Database>,
    /// The families that were not found.
    missing: Mutex<BTreeSet<String>>,
    /// The fonts that were measured, by their families, weights and styles.
    measured: Mutex<HashMap<String, Option<Measured>>>,
}

/// Sizes of a font, in parts of the font size.
#[derive(Clone, Copy, Debug)]
struct Measured {
    ascent: f64,
    descent: f64,
    leading: f64,
    ex: f64,
    cap: f64,
    ch: f64,
    is_rough: bool,
}

impl Fonts {
    /// The fonts of a database.
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database, missing: Mutex::default(), measured: Mutex::default() }
    }

    /// All fonts.
    pub(crate) fn database(&self) -> Arc<Database> {
        Arc::clone(&self.database)
    }

    /// The family of text that names no family.
    pub(crate) fn default_family(&self) -> String {
        standard(&self.database).unwrap_or(SERIF[0]).to_owned()
    }

    /// The callback for usvg.
    pub(crate) fn resolver(&self) -> FontResolver<'_> {
        FontResolver {
            select_font: Box::new(move |font, database| {
                let found = font.families().iter().find_map(|family| find(family, database));
                let family = found.or_else(|| {
                    let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                    missing.insert(names(font));
                    standard(database)
                })?;
                database.query(&Query {
                    families: &[Family::Name(family)],
                    weight: Weight(font.weight()),
                    stretch: stretch(font.stretch()),
                    style: match font.style() {
                        FontStyle::Normal => Style::Normal,
                        FontStyle::Italic => Style::Italic,
                        FontStyle::Oblique => Style::Oblique,
                    },
                })
            }),
            select_fallback: FontResolver::default_fallback_selector(),
        }
    }

    /// The sizes of the font of an element with these properties.
    pub(crate) fn metrics(&self, [families, weight, style]: [&str; 3], size: f64) -> Metrics {
        let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{families};{weight};{style}");
        let found = measured.entry(key).or_insert_with(|| self.measure(families, weight, style));
        let Some(font) = found else { return Metrics::of_size(size) };
        // Browsers round the parts of a line to pixels.
        let line = [font.ascent, font.descent, font.leading].map(|part| (part * size).round());
        Metrics {
            size,
            ex: font.ex * size,
            cap: font.cap * size,
            ch: font.ch * size,
            line: line.iter().sum(),
            height: line[0] + line[1],
            is_rough: font.is_rough,
        }
    }

    /// A list of families, with their names as the fonts spell them: CSS ignores case, and usvg does not.
    pub(crate) fn spelled(&self, mut families: Vec<svgtypes::FontFamily>) -> String {
        for family in &mut families {
            let svgtypes::FontFamily::Named(name) = family else { continue };
            let mut known = self.database.faces().flat_map(|face| &face.families);
            if let Some((known, _)) = known.find(|(known, _)| known.eq_ignore_ascii_case(name)) {
                name.clone_from(known);
            }
        }
        families.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    fn measure(&self, families: &str, weight: &str, style: &str) -> Option<Measured> {
        let families = svgtypes::parse_font_families(families).unwrap_or_default();
        let found = families.iter().find_map(|family| find(family, &self.database));
        let family = found.or_else(|| standard(&self.database))?;
        let weight = match weight {
            "bold" => Weight::BOLD,
            number => number.parse().map_or(Weight::NORMAL, Weight),
        };
        let style = if matches!(style, "" | "normal") { Style::Normal } else { Style::Italic };
        let families = &[Family::Name(family)];
        let query = Query { families, weight, style, ..Query::default() };
        let id = self.database.query(&query)?;
        self.database.with_face_data(id, measure)?
    }

    /// One note for each missing font, at most [`NOTES`].
    pub(crate) fn notes(&self) -> Vec<String> {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let effect = match standard(&self.database) {
            Some(family) => format!("its text is drawn with {family}"),
            None => "its text is left out".to_owned(),
        };
        let notes = missing.iter().map(|names| format!("no font matches '{names}': {effect}"));
        notes.take(NOTES).collect()
    }
}

fn measure(data: &[u8], index: u32) -> Option<Measured> {
    let font = FontRef::from_index(data, index).ok()?;
    let (size, location) = (Size::unscaled(), LocationRef::default());
    let (all, glyphs) = (font.metrics(size, location), font.glyph_metrics(size, location));
    let unit = f64::from(all.units_per_em.max(1));
    let top = |letter| {
        let glyph = font.charmap().map(letter)?;
        Some(glyphs.bounds(glyph)?.y_max)
    };
    let part = |size: f32| f64::from(size) / unit;
    let ch = font.charmap().map('0').and_then(|glyph| glyphs.advance_width(glyph));
    Some(Measured {
        ascent: part(all.ascent),
        descent: part(-all.descent),
        leading: part(all.leading),
        ex: all.x_height.or_else(|| top('x')).map_or(0.5, part),
        cap: all.cap_height.or_else(|| top('H')).map_or(1.0, part),
        ch: ch.map_or(0.5, part),
        is_rough: all.x_height.is_none() || all.cap_height.is_none(),
    })
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

/// The family for text whose families are all missing: the standard family of Chromium, or the `serif` of the database.
fn standard(database: &Database) -> Option<&str> {
    present(database, SERIF).or_else(|| find(&FontFamily::Serif, database))
}

/// The family that text of this family is drawn with: itself, or one with the same metrics that Chromium takes for it.
fn find<'a>(family: &'a FontFamily, database: &'a Database) -> Option<&'a str> {
    let (own, others) = match family {
        FontFamily::Named(name) => (&**name, stand_ins(name)),
        FontFamily::Serif => (database.family_name(&Family::Serif), SERIF),
        FontFamily::SansSerif => (database.family_name(&Family::SansSerif), SANS),
        FontFamily::Monospace => (database.family_name(&Family::Monospace), MONO),
        FontFamily::Cursive => (database.family_name(&Family::Cursive), NO_OTHER),
        FontFamily::Fantasy => (database.family_name(&Family::Fantasy), NO_OTHER),
    };
    present(database, &[own]).or_else(|| present(database, others))
}

const NO_OTHER: &[&str] = &[];

/// The families that Linux has for a name that it does not have.
fn stand_ins(name: &str) -> &'static [&'static str] {
    match &*name.to_ascii_lowercase() {
        "arial" | "helvetica" => &["Liberation Sans", "Arimo"],
        "times" | "times new roman" => &["Liberation Serif", "Tinos"],
        "courier" | "courier new" => &["Liberation Mono", "Cousine"],
        "sans" | "system-ui" => &["DejaVu Sans", "Noto Sans"],
        "serif" => &["DejaVu Serif", "Noto Serif"],
        "monospace" => &["DejaVu Sans Mono", "Noto Sans Mono"],
        _ => NO_OTHER,
    }
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
