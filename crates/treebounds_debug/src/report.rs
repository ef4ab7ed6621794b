//! The report: all that is known, for other programs.

use crate::{Backend, Findings, Summary, extent, format::Lines};
use serde::{Serialize, Serializer};
use std::io::{self, BufWriter, Write};
use treebounds_core::Rect;

/// A report on one scene. Its fields are described in `REPORT.md`.
///
/// It borrows what it reports and writes element by element, so that a million
/// of them need no memory of their own.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'a> {
    schema: &'static str,
    source: &'a str,
    width: f32,
    height: f32,
    #[serde(with = "extent")]
    viewport: Rect,
    backend: Backend,
    #[serde(serialize_with = "each_element")]
    elements: &'a Findings<'a>,
    notes: &'a [String],
    summary: Summary,
}

fn each_element<S: Serializer>(findings: &Findings<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.elements())
}

impl<'a> Report<'a> {
    /// The name and version of the form. The version grows when a field changes
    /// its meaning or goes; new fields alone do not change it.
    pub const SCHEMA: &'static str = "treebounds.report/1";

    /// The columns of the CSV form.
    pub const COLUMNS: [&'static str; 6] = ["id", "kind", "x", "y", "w", "h"];

    /// A report on these findings; `source` names the drawing.
    pub fn new(findings: &'a Findings<'a>, backend: Backend, source: &'a str) -> Self {
        let scene = findings.scene();
        Self {
            schema: Self::SCHEMA,
            source,
            width: scene.width,
            height: scene.height,
            viewport: scene.stream.viewport(),
            backend,
            elements: findings,
            notes: &scene.notes,
            summary: findings.summary(),
        }
    }

    /// Writes the whole report as JSON, one line an element.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_json(&self, writer: impl Write) -> io::Result<()> {
        let mut writer = BufWriter::new(writer);
        let mut json = serde_json::Serializer::with_formatter(&mut writer, Lines::default());
        self.serialize(&mut json)?;
        writer.flush()
    }

    /// Writes the bounds as CSV: a line with the [`COLUMNS`](Self::COLUMNS),
    /// then a line an element. The fields of an empty box are empty.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        csv.write_record(Self::COLUMNS).map_err(io_error)?;
        for element in self.elements.elements() {
            let [x, y, w, h] = cells(element.bounds);
            let id = element.id.unwrap_or_default();
            csv.write_record([id, element.tag.name(), &x, &y, &w, &h]).map_err(io_error)?;
        }
        csv.flush()
    }
}

/// `x`, `y`, width and height as text.
fn cells(rect: Rect) -> [String; 4] {
    if rect.is_empty() {
        return Default::default();
    }
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    [rect.x0, rect.y0, width.min(f32::MAX), height.min(f32::MAX)].map(number)
}

/// The shortest text that reads back to the same number; far from 1 with an
/// exponent.
fn number(x: f32) -> String {
    if x == 0.0 || (1e-4..1e9).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

/// The writer's own error, so that a caller can tell a closed pipe.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
