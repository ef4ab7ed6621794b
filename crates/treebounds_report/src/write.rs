//! Writes reports: as JSON with one line per element, and as CSV.

use crate::{Element, ObjectBox, Place, Reason, Report};
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, BufWriter, Write};
use treebounds_core::{Rect, Role};

impl Report<'_> {
    /// The columns of the CSV form.
    pub const COLUMNS: [&'static str; 19] = [
        "id", "kind", "x", "y", "w", "h", "x1", "y1", "ix", "depth", "parent", "ux0", "uy0", "ux1",
        "uy1", "culled", "source", "path", "file",
    ];

    /// Writes the whole report as JSON, with one line per element.
    ///
    /// # Errors
    /// The writer's error.
    pub fn write_json(&self, writer: impl Write) -> io::Result<()> {
        let mut writer = BufWriter::new(writer);
        let mut json = serde_json::Serializer::with_formatter(&mut writer, Lines::default());
        self.serialize(&mut json)?;
        writer.flush()
    }

    /// Writes the boxes as CSV: a header with [`COLUMNS`](Self::COLUMNS), one line per draw and per node, one line per
    /// object of the source document with an id, and one line per group without one. The fields of empty boxes are empty. An
    /// apostrophe precedes text that a spreadsheet would read as a formula, and control characters are escaped; the JSON
    /// form is exact.
    ///
    /// # Errors
    /// The writer's error.
    pub fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        csv.write_record(Self::COLUMNS).map_err(io_error)?;
        let mut write = |row: Row<'_>| csv.write_record(row.cells(&self.source)).map_err(io_error);
        let begun = |element: &Element<'_>| element.tag.role() != Role::End;
        for element in self.elements.elements().filter(begun) {
            write(Row::of_element(&element))?;
        }
        for object in self.objects.iter().filter(|object| object.id.is_some()) {
            write(Row::of_object(object, "object"))?;
        }
        for group in &self.groups {
            write(Row::of_object(group, "group"))?;
        }
        csv.flush()
    }
}

struct Row<'a> {
    id: Option<&'a str>,
    kind: &'a str,
    bounds: Rect,
    /// The index, the depth and the parent's index.
    tree: [Option<u32>; 3],
    unclipped: Rect,
    culled: Option<&'a Reason<'a>>,
    source: &'a str,
    path: Option<&'a Place<'a>>,
}

impl<'a> Row<'a> {
    fn of_element(element: &'a Element<'a>) -> Self {
        Self {
            id: element.id.as_deref(),
            kind: element.tag.name().trim_start_matches("begin_"),
            bounds: element.bounds,
            tree: [Some(element.ix), Some(element.depth), element.parent],
            unclipped: element.unclipped,
            culled: element.culled.as_ref(),
            source: &element.source,
            path: element.path.as_ref(),
        }
    }

    fn of_object(object: &'a ObjectBox<'a>, kind: &'a str) -> Self {
        Self {
            id: object.id.as_deref(),
            kind,
            bounds: object.bounds,
            tree: [None; 3],
            unclipped: object.unclipped,
            culled: object.culled.as_ref(),
            source: &object.source,
            path: Some(&object.path),
        }
    }

    /// Returns the fields in the order of [`Report::COLUMNS`].
    fn cells(&self, file: &str) -> [String; Report::COLUMNS.len()] {
        let [x0, y0, x1, y1] = edges(self.bounds);
        let [ux0, uy0, ux1, uy1] = edges(self.unclipped);
        let [w, h] = match self.bounds.is_empty() {
            true => Default::default(),
            false => [self.bounds.width(), self.bounds.height()]
                .map(|side| number((side as f32).min(f32::MAX))),
        };
        let [ix, depth, parent] = self.tree.map(text);
        let id = escape_cell(self.id.unwrap_or_default());
        let (kind, source, file) = (self.kind.into(), escape_cell(self.source), escape_cell(file));
        let (culled, path) = (escape_cell(&text(self.culled)), escape_cell(&text(self.path)));
        [
            id, kind, x0, y0, w, h, x1, y1, ix, depth, parent, ux0, uy0, ux1, uy1, culled, source,
            path, file,
        ]
    }
}

/// Returns the text in a form that no spreadsheet reads as a formula and that cannot control a terminal. An apostrophe
/// precedes each character that begins a formula, also after characters that separate cells in some locales. Control
/// characters are escaped.
fn escape_cell(text: &str) -> String {
    let mut cell = String::new();
    // Whether a formula could begin here.
    let mut is_start = true;
    for character in text.chars() {
        if is_start && matches!(character, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠') {
            cell.push('\'');
        }
        let is_unseen = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
        let is_skipped = character.is_whitespace() || is_unseen || matches!(character, '"' | '\'');
        is_start = matches!(character, ';' | ',' | '|') || is_start && is_skipped;
        if character.is_control() {
            is_start = false;
            cell.extend(character.escape_unicode());
        } else {
            cell.push(character);
        }
    }
    cell
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn edges(rect: Rect) -> [String; 4] {
    if rect.is_empty() { Default::default() } else { rect.to_array().map(number) }
}

/// Formats a number with the fewest digits that read back to the same number. Very large and very small numbers have an
/// exponent, and 0 has no sign.
fn number(x: f32) -> String {
    let x = x + 0.0;
    if x == 0.0 || (1e-4..1e9).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

/// Extracts the writer's own error, so that a caller can recognize a closed pipe.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A formatter that breaks the line before each field of the top-level object and before each object in its lists. Deeper
/// levels stay on one line.
#[derive(Default)]
pub(crate) struct Lines {
    depth: usize,
    /// Whether the last list contains objects.
    broken: bool,
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.broken = false;
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        let broken = std::mem::take(&mut self.broken) && self.depth == 1;
        writer.write_all(if broken { b"\n ]" } else { b"]" })
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(match (first, self.broken && self.depth == 2) {
            (true, _) => b"",
            (false, true) => b",",
            (false, false) => b", ",
        })
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(if self.depth == 3 { b"\n  {" } else { b"{" })
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.broken = self.depth == 2;
        writer.write_all(if self.depth == 0 { b"\n}\n" } else { b"}" })
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(match (first, self.depth) {
            (true, 1) => b"\n ",
            (true, _) => b"",
            (false, 1) => b",\n ",
            (false, _) => b", ",
        })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
