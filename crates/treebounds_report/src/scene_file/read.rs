//! Reads and validates scene files.

use super::{SceneElement, SceneFile, footprint_of};
use crate::read::{at, parse_at};
use serde::Deserialize;
use std::io::{self, Read};
use treebounds_core::{Role, Tag};

/// The reason why a text is not a usable scene file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneFileError {
    /// An I/O error.
    #[error("the scene file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is longer than [`SceneFile::MAX_BYTES`].
    #[error("the scene file exceeds {} bytes; split the scene", SceneFile::MAX_BYTES)]
    TooLong,
    /// The text is not JSON, or a field is unknown, missing or contradicts `SCENE.md`.
    #[error("this is not a scene file: {}{}{error}", named(.name), at(.path))]
    Field {
        /// The field, such as `elements[3].rect`; `.` for the top-level object.
        path: String,
        /// The name of the element that contains the field, if it has one.
        name: Option<String>,
        /// The error with its position in the text.
        #[source]
        error: serde_json::Error,
    },
    /// The file has another format.
    #[error("the scene file has the format {found:?}, but this program reads {expected:?}", expected = SceneFile::SCHEMA)]
    Schema {
        /// The format named by the file.
        found: String,
    },
    /// A field of an element does not fit its kind.
    #[error("`{list}[{ix}]` ({kind}{}): field `{field}`: {reason}", called(.name))]
    Element {
        /// The list: `elements` or `next`.
        list: &'static str,
        /// The element's index in the list.
        ix: usize,
        /// The element's name.
        name: Option<String>,
        /// The element's kind.
        kind: &'static str,
        /// The field.
        field: &'static str,
        /// The error.
        reason: &'static str,
    },
    /// A field of the top-level object is invalid.
    #[error("field `{path}` of the scene file: {reason}")]
    Answer {
        /// The field.
        path: String,
        /// The error.
        reason: &'static str,
    },
}

fn named(name: &Option<String>) -> String {
    name.as_ref().map(|name| format!("element {name:?}: ")).unwrap_or_default()
}

fn called(name: &Option<String>) -> String {
    name.as_ref().map(|name| format!(" {name:?}")).unwrap_or_default()
}

impl SceneFile {
    /// Parses a scene file and validates all of it.
    ///
    /// # Errors
    /// [`SceneFileError`], which names the element and the field.
    pub fn from_json(text: &str) -> Result<Self, SceneFileError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        if text.len() > Self::MAX_BYTES {
            return Err(SceneFileError::TooLong);
        }
        let field = |(path, error): (String, _)| SceneFileError::Field {
            name: name_at(text, &path),
            path,
            error,
        };
        let Head { schema } = parse_at(text).map_err(field)?;
        if schema != Self::SCHEMA {
            return Err(SceneFileError::Schema { found: schema });
        }
        let file: Self = parse_at(text).map_err(field)?;
        file.check()?;
        Ok(file)
    }

    /// Reads a scene file of at most [`SceneFile::MAX_BYTES`].
    ///
    /// # Errors
    /// [`SceneFileError`]
    pub fn read_json(reader: impl Read) -> Result<Self, SceneFileError> {
        let mut text = String::new();
        reader.take(Self::MAX_BYTES as u64 + 1).read_to_string(&mut text)?;
        Self::from_json(&text)
    }

    fn check(&self) -> Result<(), SceneFileError> {
        let next = self.next.as_deref().unwrap_or_default();
        for (list, elements) in [("elements", &self.elements[..]), ("next", next)] {
            for (ix, element) in elements.iter().enumerate() {
                let bad = fault(element, elements.len());
                if let Some((field, reason)) = bad {
                    let (name, kind) = (element.name.clone(), element.kind.name());
                    return Err(SceneFileError::Element { list, ix, name, kind, field, reason });
                }
            }
        }
        let wrong = |path: &str, reason| Err(SceneFileError::Answer { path: path.into(), reason });
        if self.next.is_none() && self.damage.is_some() {
            return wrong("damage", "there is no second frame; add `next`");
        }
        if self.next.is_none() && self.next_viewport.is_some() {
            return wrong("next_viewport", "there is no second frame; add `next`");
        }
        for (ix, pick) in self.picks.iter().enumerate() {
            if !pick.at.iter().all(|x| x.is_finite()) {
                return wrong(&format!("picks[{ix}].at"), "a point has finite coordinates");
            }
            if pick.hits.iter().any(|hit| *hit as usize >= self.elements.len()) {
                return wrong(&format!("picks[{ix}].hits"), "there is no such element");
            }
        }
        Ok(())
    }
}

/// Returns the first field that does not fit the element's kind, and the error.
fn fault(element: &SceneElement, len: usize) -> Option<(&'static str, &'static str)> {
    let (tag, kind) = (element.tag(), element.kind);
    let begins = kind.role() == Role::Begin;
    let is_filter = begins && kind.is_spread();
    let needs_rect = kind.role() == Role::Draw || (begins && kind.bits() & Tag::CLIP != 0);
    let has_rect = needs_rect || (begins && !is_filter);
    let is_footprint = |sides: Option<[f32; 4]>| sides.is_none_or(|it| footprint_of(it).is_some());
    let links_nowhere = element.link.flatten().is_some_and(|link| link as usize >= len);
    let sides = "it takes four whole numbers of at most 2^22 with x0 <= x1 and y0 <= y1";
    let rules = [
        (
            Tag::from_bits(tag.bits()).is_none() && element.non_local,
            "non_local",
            "only layers have it",
        ),
        (Tag::from_bits(tag.bits()).is_none(), "fills", "only clips and layers have it"),
        (needs_rect && element.rect.is_none(), "rect", "it is missing"),
        (!has_rect && element.rect.is_some(), "rect", "this kind has none"),
        (is_filter && element.footprint.is_none(), "footprint", "it is missing"),
        (!is_filter && element.footprint.is_some(), "footprint", "only `begin_spread` has it"),
        (!is_footprint(element.footprint), "footprint", sides),
        (
            element.backdrop.is_some() && !(begins && element.fills),
            "backdrop",
            "only the begin of a node with `fills` has it",
        ),
        (!is_footprint(element.backdrop), "backdrop", sides),
        (!kind.is_marker() && element.link.is_some(), "link", "a draw has none"),
        (!kind.is_marker() && element.clip.is_some(), "clip", "a draw has none"),
        (!kind.is_marker() && element.content.is_some(), "content", "a draw has none"),
        (links_nowhere, "link", "there is no such element"),
    ];
    rules.into_iter().find(|(is_wrong, ..)| *is_wrong).map(|(_, field, reason)| (field, reason))
}

/// Returns the name of the element on a path such as `next[3].rect`.
fn name_at(text: &str, path: &str) -> Option<String> {
    let (list, rest) = path.split_once('[')?;
    let ix: usize = rest.split_once(']')?.0.parse().ok()?;
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get(list)?.get(ix)?.get("name")?.as_str().map(str::to_owned)
}
