//! Selects the fonts of text, and measures them for the CSS units that depend on them, such as `ch`.
//!
//! A text's families are tried in order, then the serif family. Generic families (`serif`, `sans-serif`, ...) and the
//! names that Linux substitutes, such as Arial, also match other names.

use crate::values::Metrics;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use svgtypes::FontFamily;
use usvg::fontdb::{Database, Family, Query, Style, Weight};

const SERIF: &[&str] =
    &["Times New Roman", "Liberation Serif", "DejaVu Serif", "Noto Serif", "Nimbus Roman", "Times"];
const SANS: &[&str] =
    &["Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Nimbus Sans", "Helvetica"];
const MONO: &[&str] =
    &["Courier New", "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Menlo", "Courier"];

pub(crate) struct Fonts {
    database: Arc<Database>,
    /// The measured fonts, by their families, weight and style.
    measured: Mutex<HashMap<String, Option<Measured>>>,
}

/// The sizes of a font, relative to the font size.
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
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database, measured: Mutex::default() }
    }

    pub(crate) fn database(&self) -> Arc<Database> {
        Arc::clone(&self.database)
    }

    /// Returns the family of text without a family.
    pub(crate) fn default_family(&self) -> String {
        standard(&self.database).unwrap_or(SERIF[0]).to_owned()
    }

    /// Returns the font metrics of an element with these properties.
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

    /// Returns the font family that this family list selects, quoted for usvg.
    pub(crate) fn resolved(&self, families: &str) -> String {
        format!("'{}'", self.family(families).unwrap_or(SERIF[0]))
    }

    fn family(&self, families: &str) -> Option<&str> {
        let list = svgtypes::parse_font_families(families).unwrap_or_default();
        let found = list.iter().find_map(|family| find(family, &self.database));
        found.or_else(|| standard(&self.database))
    }

    fn measure(&self, families: &str, weight: &str, style: &str) -> Option<Measured> {
        let family = self.family(families)?;
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

    /// Returns the effect on text with these families if the database has none of them.
    pub(crate) fn missing(&self, families: &str) -> Option<String> {
        let list = svgtypes::parse_font_families(families).unwrap_or_default();
        let is_found = list.iter().any(|family| find(family, &self.database).is_some());
        match standard(&self.database) {
            _ if is_found => None,
            Some(_) if list.is_empty() => None,
            Some(family) => Some(format!("no font matches; its text is drawn with {family}")),
            None => Some("no font matches; its text is left out".to_owned()),
        }
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

/// Returns the first of these families in the database, in the database's spelling: CSS ignores case, but usvg does
/// not.
fn present<'a>(database: &'a Database, families: &[&str]) -> Option<&'a str> {
    let spelled = |name: &&str| {
        let mut known = database.faces().flat_map(|face| &face.families);
        known.find_map(|(own, _)| own.eq_ignore_ascii_case(name).then_some(&**own))
    };
    families.iter().find_map(spelled)
}

/// Returns the family for text whose families are all missing: the standard family of Chromium, or the `serif` of the
/// database.
fn standard(database: &Database) -> Option<&str> {
    present(database, SERIF).or_else(|| find(&FontFamily::Serif, database))
}

/// Returns the family for text of this family: the family itself, or Chromium's substitute with the same metrics.
fn find<'a>(family: &FontFamily, database: &'a Database) -> Option<&'a str> {
    let (own, others) = match family {
        FontFamily::Named(name) => (&**name, substitutes(name)),
        FontFamily::Serif => (database.family_name(&Family::Serif), SERIF),
        FontFamily::SansSerif => (database.family_name(&Family::SansSerif), SANS),
        FontFamily::Monospace => (database.family_name(&Family::Monospace), MONO),
        FontFamily::Cursive => (database.family_name(&Family::Cursive), NO_OTHER),
        FontFamily::Fantasy => (database.family_name(&Family::Fantasy), NO_OTHER),
    };
    present(database, &[own]).or_else(|| present(database, others))
}

const NO_OTHER: &[&str] = &[];

/// Returns the families that Linux substitutes for a missing family.
fn substitutes(name: &str) -> &'static [&'static str] {
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
