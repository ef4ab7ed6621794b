//! The report: all that is known, for other programs.

use crate::scene::Ignored;
use crate::{Backend, Element, Findings, ObjectBox, Place, Summary, extent, format::Lines};
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
    objects: Vec<ObjectBox<'a>>,
    groups: Vec<ObjectBox<'a>>,
    notes: &'a [String],
    ignored: Vec<IgnoredPart<'a>>,
    summary: Summary,
}

/// Something that was left out of the document, or read in another way.
#[derive(Clone, Debug, Serialize)]
struct IgnoredPart<'a> {
    id: Option<&'a str>,
    path: Place<'a>,
    what: &'a str,
    effect: &'a str,
}

fn ignored<'a>(findings: &Findings<'a>) -> Vec<IgnoredPart<'a>> {
    let Some(document) = findings.document() else { return Vec::new() };
    let part = |ignored: &'a Ignored| IgnoredPart {
        id: document.id(ignored.object),
        path: Place { document, object: ignored.object },
        what: &ignored.what,
        effect: &ignored.effect,
    };
    document.ignored.iter().map(part).collect()
}

fn each_element<S: Serializer>(findings: &Findings<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.elements())
}

impl<'a> Report<'a> {
    /// The name and version of the form. The version grows when a field changes
    /// its meaning or goes; new fields alone do not change it.
    pub const SCHEMA: &'static str = "treebounds.report/1";

    /// The columns of the CSV form.
    pub const COLUMNS: [&'static str; 19] = [
        "id", "kind", "x", "y", "w", "h", "x1", "y1", "ix", "depth", "parent", "ux0", "uy0", "ux1",
        "uy1", "culled", "source", "path", "file",
    ];

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
            objects: findings.objects(),
            groups: findings.groups(),
            notes: &scene.notes,
            ignored: ignored(findings),
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

    /// Writes the boxes as CSV: a line with the [`COLUMNS`](Self::COLUMNS), a line an element, a line an object of
    /// the source document that has an id, and a line a group that has none. The fields of an empty box are empty.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_csv(&self, mut writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(&mut writer);
        csv.write_record(Self::COLUMNS).map_err(io_error)?;
        csv.flush()?;
        drop(csv);
        self.append_csv(writer)
    }

    /// Writes the same without the line of columns.
    ///
    /// # Errors
    /// What the writer says.
    pub fn append_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        for element in self.elements.elements() {
            csv.write_record(element_row(&element, self.source)).map_err(io_error)?;
        }
        for object in self.objects.iter().filter(|object| object.id.is_some()) {
            csv.write_record(object_row(object, "object", self.source)).map_err(io_error)?;
        }
        for group in &self.groups {
            csv.write_record(object_row(group, "group", self.source)).map_err(io_error)?;
        }
        csv.flush()
    }
}

fn element_row(element: &Element<'_>, file: &str) -> [String; Report::COLUMNS.len()] {
    let [x, y, w, h, x1, y1] = cells(element.bounds);
    let [ux0, uy0, ux1, uy1] = edges(element.unclipped);
    let index = |ix: Option<u32>| ix.map_or(String::new(), |ix| ix.to_string());
    let id = element.id.unwrap_or_default().to_owned();
    let kind = element.tag.name().to_owned();
    let (ix, depth) = (element.ix.to_string(), element.depth.to_string());
    let culled = element.culled.map_or(String::new(), |reason| reason.to_string());
    let path = element.path.map_or(String::new(), |path| path.to_string());
    let (parent, source) = (index(element.parent), element.source.to_owned());
    [
        id,
        kind,
        x,
        y,
        w,
        h,
        x1,
        y1,
        ix,
        depth,
        parent,
        ux0,
        uy0,
        ux1,
        uy1,
        culled,
        source,
        path,
        file.to_owned(),
    ]
}

fn object_row(object: &ObjectBox<'_>, kind: &str, file: &str) -> [String; Report::COLUMNS.len()] {
    let [x, y, w, h, x1, y1] = cells(object.bounds);
    let [ux0, uy0, ux1, uy1] = edges(object.unclipped);
    let none = String::new;
    let (id, kind) = (object.id.unwrap_or_default().to_owned(), kind.to_owned());
    let culled = object.culled.map_or(String::new(), |reason| reason.to_string());
    let (source, path) = (object.source.to_owned(), object.path.to_string());
    [
        id,
        kind,
        x,
        y,
        w,
        h,
        x1,
        y1,
        none(),
        none(),
        none(),
        ux0,
        uy0,
        ux1,
        uy1,
        culled,
        source,
        path,
        file.to_owned(),
    ]
}

/// `x`, `y`, width, height, and the right and lower edge as text.
fn cells(rect: Rect) -> [String; 6] {
    if rect.is_empty() {
        return Default::default();
    }
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    let (width, height) = (width.min(f32::MAX), height.min(f32::MAX));
    [rect.x0, rect.y0, width, height, rect.x1, rect.y1].map(number)
}

/// The four edges as text.
fn edges(rect: Rect) -> [String; 4] {
    if rect.is_empty() { Default::default() } else { rect.to_array().map(number) }
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
