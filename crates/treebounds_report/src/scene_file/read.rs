//! Reading a scene file, and checking it.

use super::{SceneElement, SceneFile, footprint_of};
use crate::read::{at, parse_at};
use serde::Deserialize;
use std::io::{self, Read};
use treebounds_core::{Role, Tag};

/// Why a text is not a scene file that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneFileError {
    /// It could not be read.
    #[error("the scene file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is too long.
    #[error("the scene file exceeds {} bytes; split the scene", SceneFile::MAX_BYTES)]
    TooLong,
    /// It is not JSON, a field is unknown or missing, or a field contains something else than `SCENE.md` says.
    #[error("this is not a scene file: {}{}{error}", named(.name), at(.path))]
    Field {
        /// The field, such as `elements[3].rect`; `.` for the outermost object.
        path: String,
        /// The name of the element, if the field belongs to one that has a name.
        name: Option<String>,
        /// What is wrong with it, and where in the text.
        #[source]
        error: serde_json::Error,
    },
    /// It has another format.
    #[error("the scene file has the format {found:?}, but this program reads {expected:?}", expected = SceneFile::SCHEMA)]
    Schema {
        /// The format that it names.
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
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A field of the outermost object is wrong.
    #[error("field `{path}` of the scene file: {reason}")]
    Answer {
        /// The field.
        path: String,
        /// What is wrong with it.
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
    /// Reads a scene file's text and checks all of it.
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

    /// Reads a scene file from a reader, up to [`SceneFile::MAX_BYTES`].
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

/// The first field that does not fit the element's kind, and why.
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

/// The name of the element that a path such as `next[3].rect` leads to.
fn name_at(text: &str, path: &str) -> Option<String> {
    let (list, rest) = path.split_once('[')?;
    let ix: usize = rest.split_once(']')?.0.parse().ok()?;
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get(list)?.get(ix)?.get("name")?.as_str().map(str::to_owned)
}
