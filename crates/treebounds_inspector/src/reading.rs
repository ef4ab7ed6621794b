//! A report, read back: what a comparison wants of it.

use serde::{Deserialize, Deserializer, de::Error as _};
use treebounds_core::{NodeKind, Rect, Stream, StreamError, Tag};
use treebounds_report::{Origin, Scene};

/// The form that is read.
const SCHEMA: &str = "treebounds.report/1";

/// Left, top, right, bottom; half open.
pub type Edges = [f32; 4];

/// A report: its drawing, and its elements.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadReport {
    /// What the drawing is called.
    pub source: String,
    /// Width of the drawing.
    pub width: f32,
    /// Height of the drawing.
    pub height: f32,
    /// What cuts everything.
    #[serde(deserialize_with = "edges")]
    viewport: Option<Edges>,
    /// The elements, in paint order.
    pub elements: Vec<ReadElement>,
    /// The objects of the source document; none in a report that says nothing of them.
    #[serde(default)]
    pub objects: Vec<ReadObject>,
    /// What a person should know.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// An object of the source document: its root, or what has an id.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadObject {
    /// Its id.
    pub id: Option<String>,
    /// Its name, such as `g`.
    pub source: String,
    /// Where it can change a pixel; `None` where it cannot.
    #[serde(default, deserialize_with = "edges")]
    pub bounds: Option<Edges>,
    /// Its box as if nothing cut it; `None` where nothing is painted in it, and in a report that does not say it.
    #[serde(default, deserialize_with = "edges")]
    pub unclipped: Option<Edges>,
}

/// What a comparison wants of an element.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadElement {
    /// Its index in the stream.
    pub ix: u32,
    /// `draw`, `begin_clip` ...
    pub kind: String,
    /// The `id` in the source document.
    #[serde(default)]
    pub id: Option<String>,
    /// What it was in the source.
    #[serde(default)]
    pub source: String,
    /// Where it is in the source, where the report says so.
    #[serde(default)]
    pub path: Option<String>,
    /// The stream's rect; `None` where empty.
    #[serde(default, deserialize_with = "edges")]
    pub rect: Option<Edges>,
    /// Its own box, where its rect is another.
    #[serde(default, deserialize_with = "edges")]
    pub own: Option<Edges>,
    /// Where it can change a pixel; `None` where it is culled.
    #[serde(default, deserialize_with = "edges")]
    pub bounds: Option<Edges>,
    /// Whether it may change pixels outside what is painted in it.
    #[serde(default)]
    non_local: bool,
}

/// The text is no report that can be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no JSON, cut short, or has other fields.
    #[error("this is no report: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of another form.
    #[error(
        "the report's form is {found:?}, and this program reads {SCHEMA:?}: make it anew with this program"
    )]
    Schema {
        /// What it says it is.
        found: String,
    },
    /// Its elements are no stream.
    #[error("the report's elements are no stream: {0}")]
    Stream(#[from] StreamError),
    /// An element is of no known kind.
    #[error("element {ix} of the report is of no known kind: {kind:?}")]
    Kind {
        /// The element.
        ix: u32,
        /// What it says it is.
        kind: String,
    },
    /// Its elements do not nest.
    #[error(
        "the report's elements do not nest: element {ix} ({kind}) does not end what is open there"
    )]
    Nesting {
        /// The element that ends something else.
        ix: u32,
        /// Its kind.
        kind: String,
    },
}

#[derive(Deserialize)]
struct Head {
    schema: String,
}

impl ReadReport {
    /// Reads a report's JSON text.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        let head: Head = serde_json::from_str(text)?;
        if head.schema != SCHEMA {
            return Err(ReadError::Schema { found: head.schema });
        }
        let report: Self = serde_json::from_str(text)?;
        report.check_nesting()?;
        Ok(report)
    }

    /// The scene that the report is on. A report on a part of a scene gives that part.
    ///
    /// # Errors
    /// [`ReadError::Kind`] and [`ReadError::Stream`].
    pub fn scene(&self) -> Result<Scene, ReadError> {
        let tags = self.elements.iter().map(ReadElement::tag).collect::<Result<Vec<_>, _>>()?;
        let rects = self.elements.iter().map(|element| rect(element.rect)).collect();
        let stream = Stream::new(tags, rects, rect(self.viewport))?;
        let origins = self.elements.iter().map(|element| Origin {
            id: element.id.clone(),
            source: element.source.clone().into(),
            index: element.ix,
            own: element.own.map(|own| rect(Some(own))),
        });
        let (origins, notes) = (origins.collect(), self.notes.clone());
        Ok(Scene { stream, origins, notes, width: self.width, height: self.height })
    }

    fn check_nesting(&self) -> Result<(), ReadError> {
        let mut open: Vec<&str> = Vec::new();
        for element in &self.elements {
            if let Some(kind) = element.kind.strip_prefix("begin_") {
                open.push(kind);
            } else if let Some(kind) = element.kind.strip_prefix("end_") {
                // An end without a begin ends nothing, which is no error.
                if open.pop().is_some_and(|begin| begin != kind) {
                    return Err(ReadError::Nesting { ix: element.ix, kind: element.kind.clone() });
                }
            }
        }
        Ok(())
    }
}

impl ReadElement {
    fn tag(&self) -> Result<Tag, ReadError> {
        let nodes = [NodeKind::Clip, NodeKind::Blend, NodeKind::ClipBlend];
        let tags = nodes.into_iter().flat_map(|node| [Tag::begin(node), Tag::end(node)]);
        let found = [Tag::DRAW].into_iter().chain(tags).find(|tag| tag.name() == self.kind);
        let tag = found.ok_or_else(|| ReadError::Kind { ix: self.ix, kind: self.kind.clone() })?;
        Ok(if self.non_local { tag.non_local() } else { tag })
    }
}

fn rect(edges: Option<Edges>) -> Rect {
    edges.map_or(Rect::NOTHING, |[x0, y0, x1, y1]| Rect::new(x0, y0, x1, y1))
}

/// A box of the report: `null`, `"everything"` or four numbers.
fn edges<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Edges>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Box(Edges),
        Word(String),
    }
    match Option::<Written>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Written::Box(edges)) => Ok(Some(edges)),
        Some(Written::Word(word)) if word == "everything" => {
            Ok(Some([-f32::MAX, -f32::MAX, f32::MAX, f32::MAX]))
        }
        Some(Written::Word(word)) => Err(D::Error::custom(format!("{word:?} is no box"))),
    }
}
