//! Scene files: element streams as JSON, for other renderers, for failing tests and for test data.
//!
//! A file contains a viewport and elements in paint order. It may contain a second frame and the expected answers, so that
//! other implementations can check themselves. `SCENE.md`, next to this crate's manifest, describes the fields.

mod answers;
mod boxes;
mod read;

pub use answers::Mistake;
pub use read::SceneFileError;

use crate::report::boxes as one_box;
use crate::write::Lines;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use treebounds_core::damage::{Backdrop, Ident};
use treebounds_core::{Footprint, Rect, Role, Stream, StreamError, Tag};
use treebounds_encoding::{Origin, Scene};

/// A scene file: an element stream, and optionally a second frame and the expected answers.
///
/// ```
/// use treebounds_core::{NodeKind, Rect, StreamBuilder};
/// use treebounds_report::SceneFile;
///
/// let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 60.0, 40.0));
/// stream.begin(NodeKind::Clip, Rect::new(5.0, 5.0, 30.0, 30.0))?;
/// stream.draw(Rect::new(0.0, 0.0, 20.0, 20.0))?;
/// stream.end()?;
/// let stream = stream.finish()?;
///
/// let names = ["card", "photo"];
/// let file = SceneFile::capture(&stream, |ix| names.get(ix as usize).map(ToString::to_string));
/// let text = file.with_answers()?.to_json();
/// let read = SceneFile::from_json(&text)?;
/// assert_eq!(read.stream()?, stream);
/// assert_eq!(read.elements[1].name.as_deref(), Some("photo"));
/// assert_eq!(read.elements[1].bounds, Some(Rect::new(5.0, 5.0, 20.0, 20.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    schema: String,
    /// A one-sentence description of the scene.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The origin of the scene, such as the public name of a bug report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The box that clips everything.
    #[serde(with = "one_box")]
    pub viewport: Rect,
    /// The elements in paint order.
    pub elements: Vec<SceneElement>,
    /// The viewport of the second frame, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::optional")]
    pub next_viewport: Option<Rect>,
    /// The elements of the second frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Vec<SceneElement>>,
    /// The damage between the two frames: rects that cover it exactly, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::list")]
    pub damage: Option<Vec<Rect>>,
    /// The expected visible elements at some points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picks: Vec<ScenePick>,
}

/// An element of a scene file. An expected answer of `None` is unspecified; an empty box is [`Rect::NOTHING`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneElement {
    /// Its kind without flags, serialized as [`Tag::name`].
    #[serde(with = "crate::elements::kind")]
    pub kind: Tag,
    /// A human-readable name, not necessarily unique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its box. A blend without a box has no extent of its own. `None` for filters and ends.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::optional")]
    pub rect: Option<Rect>,
    /// How far a filter moves pixels. Set only on the begin of a filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footprint: Option<[f32; 4]>,
    /// Whether its operator changes pixels outside its painted content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub non_local: bool,
    /// Whether it paints its whole clip.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fills: bool,
    /// For a backdrop filter, how far it reads the pixels below it. Such a node fills its clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backdrop: Option<[f32; 4]>,
    /// The element's identity across both frames. 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub key: u64,
    /// A hash of its appearance, except for its kind, box, footprint and backdrop, which are always compared.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hash: u64,
    /// Expected. For a begin, the enclosing begin; for an end, its begin. `Some(None)` if there is no such element.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "boxes::stated")]
    pub link: Option<Option<u32>>,
    /// Expected for a node: the part that can affect pixels.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::optional")]
    pub clip: Option<Rect>,
    /// Expected for a node: the visible content.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::optional")]
    pub content: Option<Rect>,
    /// Expected: the part that affects pixels.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::optional")]
    pub bounds: Option<Rect>,
    /// Expected: the area where it can change the canvas.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "boxes::optional")]
    pub lands: Option<Rect>,
}

/// The elements at a point of the first frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenePick {
    /// The point.
    pub at: [f32; 2],
    /// The elements there, front to back.
    pub hits: Vec<u32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Default for SceneElement {
    /// A draw without a box.
    fn default() -> Self {
        Self {
            kind: Tag::DRAW,
            name: None,
            rect: None,
            footprint: None,
            non_local: false,
            fills: false,
            backdrop: None,
            key: 0,
            hash: 0,
            link: None,
            clip: None,
            content: None,
            bounds: None,
            lands: None,
        }
    }
}

impl SceneElement {
    fn new(tag: Tag, rect: Rect, name: Option<String>) -> Self {
        let (is_end, is_spread) = (tag.role() == Role::End, tag.is_spread());
        Self {
            kind: tag.node_kind().map_or(Tag::DRAW, |kind| match is_end {
                true => Tag::end(kind),
                false => Tag::begin(kind),
            }),
            name,
            rect: (!is_end && !is_spread).then_some(rect),
            footprint: (!is_end && is_spread).then_some(rect.to_array()),
            non_local: tag.is_non_local(),
            fills: tag.is_filling(),
            ..Self::default()
        }
    }

    /// Returns its tag, with the flags.
    pub fn tag(&self) -> Tag {
        let tag = if self.non_local { self.kind.non_local() } else { self.kind };
        if self.fills { tag.fills() } else { tag }
    }

    /// Returns its rect as stored in a stream.
    fn stored(&self) -> Rect {
        let sides = self.footprint.map(|[x0, y0, x1, y1]| Rect::new(x0, y0, x1, y1));
        sides.or(self.rect).unwrap_or(Rect::EVERYTHING)
    }
}

impl Default for SceneFile {
    fn default() -> Self {
        Self {
            schema: Self::SCHEMA.into(),
            about: String::new(),
            source: String::new(),
            viewport: Rect::NOTHING,
            elements: Vec::new(),
            next_viewport: None,
            next: None,
            damage: None,
            picks: Vec::new(),
        }
    }
}

impl SceneFile {
    /// The name and version of the format. The version changes whenever a field is added, removed or changed, because
    /// readers reject unknown fields.
    pub const SCHEMA: &'static str = "treebounds.scene/1";

    /// The maximum length of a file in bytes: 256 MiB.
    pub const MAX_BYTES: usize = 1 << 28;

    /// Creates a file from a stream. `name` returns the name of an element by its index.
    pub fn capture(stream: &Stream, name: impl Fn(u32) -> Option<String>) -> Self {
        let elements = elements_of(stream, name);
        Self { viewport: stream.viewport(), elements, ..Self::default() }
    }

    /// Creates a file from a scene, with the ids of its source document as names.
    pub fn of_scene(scene: &Scene) -> Self {
        let id = |ix: u32| scene.origins.get(ix as usize).and_then(|origin| origin.id.clone());
        Self::capture(&scene.stream, id)
    }

    /// Adds a second frame, and the identities of the elements of both frames. Missing identities count as
    /// `Ident::default()`.
    ///
    /// The file replaces the keys and hashes by small numbers, because only their equality matters and some JSON readers
    /// round large ones.
    #[must_use]
    pub fn with_next(mut self, next: &Stream, [old, new]: [&[Ident]; 2]) -> Self {
        let mut numbers = [HashMap::from([(0, 0)]), HashMap::from([(0, 0)])];
        let mut number = |which: usize, of: u64| {
            let next = numbers[which].len() as u64;
            *numbers[which].entry(of).or_insert(next)
        };
        let mut elements = elements_of(next, |_| None);
        for (elements, idents) in [(&mut self.elements, old), (&mut elements, new)] {
            for (element, ident) in elements.iter_mut().zip(idents) {
                (element.key, element.hash) = (number(0, ident.key), number(1, ident.hash));
            }
        }
        self.next_viewport = (next.viewport() != self.viewport).then_some(next.viewport());
        self.next = Some(elements);
        self
    }

    /// Sets the footprints of backdrop filters in the first frame. Indices past the last element are ignored.
    #[must_use]
    pub fn with_backdrops(mut self, backdrops: &[Backdrop]) -> Self {
        for backdrop in backdrops {
            if let Some(node) = self.elements.get_mut(backdrop.node as usize) {
                node.backdrop = Some(backdrop.footprint.to_rect().to_array());
            }
        }
        self
    }

    /// The stream of the first frame.
    ///
    /// # Errors
    /// [`StreamError`] if the elements were changed after reading.
    pub fn stream(&self) -> Result<Stream, StreamError> {
        stream_of(&self.elements, self.viewport)
    }

    /// The stream of the second frame, if there is one.
    ///
    /// # Errors
    /// [`StreamError`] if the elements were changed after reading.
    pub fn next_stream(&self) -> Result<Option<Stream>, StreamError> {
        let viewport = self.next_viewport.unwrap_or(self.viewport);
        self.next.as_ref().map(|elements| stream_of(elements, viewport)).transpose()
    }

    /// Returns the first frame as a scene, for a report or a picture. Names become ids, and the drawing extends to the right
    /// and lower edges of the viewport.
    ///
    /// # Errors
    /// [`StreamError`] if the elements were changed after reading.
    pub fn scene(&self) -> Result<Scene, StreamError> {
        let origin = |(index, element): (u32, &SceneElement)| Origin {
            id: element.name.clone(),
            source: element.kind.name().into(),
            index,
            own: None,
        };
        let stream = self.stream()?;
        let origins = (0..).zip(&self.elements).map(origin).collect();
        let [width, height] = [self.viewport.x1, self.viewport.y1].map(|side| side.max(1.0));
        Ok(Scene { stream, origins, notes: Vec::new(), width, height })
    }

    /// Returns an element's index and name for display: `3 (card)`, or `3` without a name.
    pub fn label(elements: &[SceneElement], ix: usize) -> String {
        let name = elements.get(ix).and_then(|element| element.name.as_deref());
        name.map_or_else(|| ix.to_string(), |name| format!("{ix} ({name})"))
    }

    /// Writes the file as JSON, with one line per element.
    ///
    /// # Errors
    /// The writer's error.
    pub fn write_json(&self, writer: impl Write) -> io::Result<()> {
        let mut writer = BufWriter::new(writer);
        let mut json = serde_json::Serializer::with_formatter(&mut writer, Lines::default());
        self.serialize(&mut json)?;
        writer.flush()
    }

    /// Returns the file as JSON text.
    pub fn to_json(&self) -> String {
        let mut out = Vec::new();
        // Writing to memory cannot fail.
        self.write_json(&mut out).unwrap_or_default();
        String::from_utf8(out).unwrap_or_default()
    }
}

fn elements_of(stream: &Stream, name: impl Fn(u32) -> Option<String>) -> Vec<SceneElement> {
    let elements = (0..).zip(stream.tags().iter().zip(stream.rects()));
    elements.map(|(ix, (tag, rect))| SceneElement::new(*tag, *rect, name(ix))).collect()
}

fn stream_of(elements: &[SceneElement], viewport: Rect) -> Result<Stream, StreamError> {
    let tags = elements.iter().map(SceneElement::tag).collect();
    Stream::new(tags, elements.iter().map(SceneElement::stored).collect(), viewport)
}

/// Returns the footprint with these sides, if they are valid.
fn footprint_of([x0, y0, x1, y1]: [f32; 4]) -> Option<Footprint> {
    Footprint::new(x0, y0, x1, y1).ok()
}
