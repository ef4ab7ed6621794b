//! The report of a scene, for other programs.
//!
//! The same structs are used for writing and reading, so that both directions agree.

use crate::{Findings, Layers, ObjectBox, Place, Summary};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};
use treebounds_core::Rect;

/// A report on one scene. `REPORT.md`, next to this crate's manifest, describes its fields.
///
/// `E` is the type of the elements. A report to be written borrows the [`Findings`] and visits one element at a time, so a
/// million elements need no extra memory. A [`ReadReport`](crate::ReadReport) owns a vector.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report<'a, E = &'a Findings<'a>> {
    pub(crate) schema: Cow<'a, str>,
    /// The drawing's name.
    pub source: Cow<'a, str>,
    /// Width of the drawing in pixels.
    pub width: f32,
    /// Height of the drawing in pixels.
    pub height: f32,
    /// The canvas, which clips everything.
    #[serde(with = "boxes")]
    pub viewport: Rect,
    /// The backend that computed the bounds.
    pub backend: Backend,
    /// The elements in paint order.
    pub elements: E,
    /// The source document's root and objects with an id; empty if there is no document.
    #[serde(default)]
    pub objects: Vec<ObjectBox<'a>>,
    /// The source document's painted groups without an id.
    #[serde(default)]
    pub groups: Vec<ObjectBox<'a>>,
    /// Human-readable notes about the drawing.
    pub notes: Cow<'a, [String]>,
    /// The skipped or approximated parts of the source document.
    #[serde(default)]
    pub ignored: Vec<IgnoredPart<'a>>,
    /// The memory needed by all layers of the drawing; `None` in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_plan: Option<Layers>,
    /// Counts of the listed elements.
    pub summary: Summary,
}

/// A skipped or approximated part of the source document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IgnoredPart<'a> {
    /// The id of the ignored object, or of the object that contains the ignored part.
    #[serde(deserialize_with = "Option::deserialize")]
    pub id: Option<Cow<'a, str>>,
    /// The path of that object.
    pub path: Place<'a>,
    /// The ignored part: `foreignObject`, `animate`, `transform: rotateX(...)`, ...
    pub what: Cow<'a, str>,
    /// Its effect on boxes.
    pub effect: Cow<'a, str>,
}

impl<'a> Report<'a> {
    /// The name and version of the format. The version changes when a field is removed or changes its meaning, but not when
    /// a field is added.
    pub const SCHEMA: &'static str = "treebounds.report/1";

    /// Creates a report on these findings. `source` is the drawing's name.
    pub fn new(findings: &'a Findings<'a>, backend: Backend, source: &'a str) -> Self {
        let scene = findings.scene();
        let ignored = findings.document().into_iter().flat_map(|document| {
            document.ignored.iter().map(move |part| IgnoredPart {
                id: document.id(part.object).map(Cow::Borrowed),
                path: Place::In(document, part.object),
                what: Cow::Borrowed(&part.what),
                effect: Cow::Borrowed(&part.effect),
            })
        });
        Self {
            schema: Self::SCHEMA.into(),
            source: source.into(),
            width: scene.width,
            height: scene.height,
            viewport: scene.stream.viewport(),
            backend,
            elements: findings,
            objects: findings.objects(),
            groups: findings.groups(),
            notes: Cow::Borrowed(&scene.notes),
            ignored: ignored.collect(),
            layer_plan: Some(Layers::of(findings)),
            summary: findings.summary(),
        }
    }
}

impl Serialize for Findings<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.elements())
    }
}

/// The backend that computed the bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "BackendFields", from = "BackendFields")]
pub enum Backend {
    /// The sequential reference.
    Cpu,
    /// The compute kernels.
    Gpu {
        /// The adapter's name as reported by its driver.
        adapter: String,
    },
}

/// The serialized form of a backend.
#[derive(Serialize, Deserialize)]
struct BackendFields {
    kind: BackendKind,
    #[serde(deserialize_with = "Option::deserialize")]
    adapter: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BackendKind {
    Cpu,
    Gpu,
}

impl From<Backend> for BackendFields {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Cpu => Self { kind: BackendKind::Cpu, adapter: None },
            Backend::Gpu { adapter } => Self { kind: BackendKind::Gpu, adapter: Some(adapter) },
        }
    }
}

impl From<BackendFields> for Backend {
    fn from(BackendFields { kind, adapter }: BackendFields) -> Self {
        match kind {
            BackendKind::Cpu => Self::Cpu,
            BackendKind::Gpu => Self::Gpu { adapter: adapter.unwrap_or_default() },
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => write!(f, "CPU"),
            Self::Gpu { adapter } => write!(f, "GPU, {adapter}"),
        }
    }
}

/// The serialized form of boxes: `null` if empty, `"everything"` for the whole plane, otherwise `[x0, y0, x1, y1]` in
/// numbers that read back to the same `f32`. For `#[serde(with = "boxes")]`.
pub(crate) mod boxes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use treebounds_core::Rect;

    pub(crate) fn serialize<S: Serializer>(rect: &Rect, serializer: S) -> Result<S::Ok, S::Error> {
        if rect.is_empty() {
            serializer.serialize_none()
        } else if *rect == Rect::EVERYTHING {
            serializer.serialize_str("everything")
        } else {
            rect.to_array().serialize(serializer)
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a box: null, \"everything\" or [x0, y0, x1, y1]")]
    enum Written {
        Empty(()),
        Word(Word),
        Edges([f32; 4]),
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Everything,
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<Rect, D::Error> {
        let rect = footprint_or_box(reader)?;
        if rect.is_empty() && rect != Rect::NOTHING {
            return Err(D::Error::custom(format!(
                "{:?} is not a box: it takes finite numbers with x0 < x1 and y0 < y1",
                rect.to_array()
            )));
        }
        Ok(rect)
    }

    /// Reads the output of [`footprint_or_box_to`].
    pub(crate) fn footprint_or_box<'de, D: Deserializer<'de>>(reader: D) -> Result<Rect, D::Error> {
        match Written::deserialize(reader)? {
            Written::Empty(()) => Ok(Rect::NOTHING),
            Written::Word(Word::Everything) => Ok(Rect::EVERYTHING),
            Written::Edges(edges) if !edges.iter().all(|edge| edge.is_finite()) => {
                Err(D::Error::custom(format!("{edges:?} are not finite numbers")))
            }
            Written::Edges([x0, y0, x1, y1]) => Ok(Rect::new(x0, y0, x1, y1)),
        }
    }

    /// Writes a rect of a stream: a box or a footprint. A footprint is written in full even if opposite sides are
    /// equal.
    pub(crate) fn footprint_or_box_to<S: Serializer>(
        rect: &Rect,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if rect.is_empty() && *rect != Rect::NOTHING {
            rect.to_array().serialize(serializer)
        } else {
            serialize(rect, serializer)
        }
    }

    /// Whether to omit an optional box.
    pub(crate) fn is_nothing(rect: &Rect) -> bool {
        rect.is_empty()
    }

    /// Returns the default for a box that older reports lack.
    pub(crate) fn nothing() -> Rect {
        Rect::NOTHING
    }
}
