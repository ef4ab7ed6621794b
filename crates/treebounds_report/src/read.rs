//! Reads and validates reports.

use crate::{Element, Origin, Report, Scene};
use serde::Deserialize;
use treebounds_core::{Footprint, FootprintError, Rect, Role, Stream, StreamError, Tag};

/// A report that was read back and owns its data.
pub type ReadReport = Report<'static, Vec<Element<'static>>>;

/// The reason why a text is not a usable report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not JSON or is truncated, or a field is missing or contradicts `REPORT.md`.
    #[error("this is not a report: {}{error}", at(.path))]
    Field {
        /// The field, such as `elements[3].bounds`; `.` for the top-level object.
        path: String,
        /// The error with its position in the text.
        #[source]
        error: serde_json::Error,
    },
    /// The report has another format.
    #[error(
        "the report has the format {found:?}, but this program reads {expected:?}: write the report again with this \
         version of the program",
        expected = Report::SCHEMA
    )]
    Schema {
        /// The format named by the report.
        found: String,
    },
    /// The drawing has no area.
    #[error("the report's width and height must be greater than 0, not {width} and {height}")]
    Size {
        /// The drawing's width.
        width: f32,
        /// The drawing's height.
        height: f32,
    },
    /// The elements' indices are not ascending.
    #[error("the report's elements are out of order: element {ix} follows element {before}")]
    Order {
        /// The element that is out of order.
        ix: u32,
        /// The previous element in the report.
        before: u32,
    },
    /// The elements do not nest.
    #[error(
        "the report's elements do not nest: element {ix} ({kind}) does not end the node that is open there"
    )]
    Nesting {
        /// The mismatched end.
        ix: u32,
        /// Its kind.
        kind: &'static str,
    },
    /// An element has a flag that its kind does not allow.
    #[error("element {ix} ({kind}) of the report can neither be non-local nor fill its clip")]
    Flags {
        /// The element.
        ix: u32,
        /// Its kind.
        kind: &'static str,
    },
    /// The rect of an element is not a box.
    #[error(
        "the rect of element {ix} of the report is not a box: it takes finite numbers with x0 < x1 and y0 < y1"
    )]
    Rect {
        /// The element.
        ix: u32,
    },
    /// The rect of a filter is not a valid footprint.
    #[error("the footprint of element {ix} of the report cannot be used: {source}")]
    Footprint {
        /// The element.
        ix: u32,
        /// The error of the footprint.
        source: FootprintError,
    },
    /// The elements are not a valid stream.
    #[error("the report's elements are not a valid stream: {0}")]
    Stream(#[from] StreamError),
}

/// Formats the path for an error; empty for the top-level object.
pub(crate) fn at(path: &str) -> String {
    if path == "." { String::new() } else { format!("field `{path}`: ") }
}

fn parse<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, ReadError> {
    parse_at(text).map_err(|(path, error)| ReadError::Field { path, error })
}

/// Parses the whole text. Errors contain the path of the field.
pub(crate) fn parse_at<T: for<'de> Deserialize<'de>>(
    text: &str,
) -> Result<T, (String, serde_json::Error)> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| (error.path().to_string(), error.into_inner()))?;
    reader.end().map_err(|error| (".".into(), error))?;
    Ok(parsed)
}

impl ReadReport {
    /// Parses a report from JSON and validates all of it.
    ///
    /// # Errors
    /// [`ReadError`], which names the field.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let Head { schema } = parse(text)?;
        if schema != Report::SCHEMA {
            return Err(ReadError::Schema { found: schema });
        }
        let mut report: Self = parse(text)?;
        let Self { width, height, .. } = report;
        if ![width, height].iter().all(|side| side.is_finite() && *side > 0.0) {
            return Err(ReadError::Size { width, height });
        }
        for element in &mut report.elements {
            if element.non_local {
                element.tag = element.tag.non_local();
            }
            if element.fills {
                element.tag = element.tag.fills();
            }
            let ix = element.ix;
            if Tag::from_bits(element.tag.bits()).is_none() {
                return Err(ReadError::Flags { ix, kind: element.tag.name() });
            }
            if element.tag.is_spread() && element.tag.role() == Role::Begin {
                Footprint::from_rect(element.rect)
                    .map_err(|source| ReadError::Footprint { ix, source })?;
            } else if element.rect.is_empty() && element.rect != Rect::NOTHING {
                return Err(ReadError::Rect { ix });
            }
        }
        report.check_nesting()?;
        Ok(report)
    }

    fn check_nesting(&self) -> Result<(), ReadError> {
        let mut open: Vec<&Element<'_>> = Vec::new();
        let mut before = None;
        for element in &self.elements {
            let ix = element.ix;
            if let Some(before) = before.replace(ix).filter(|before| *before >= ix) {
                return Err(ReadError::Order { ix, before });
            }
            match element.tag.role() {
                Role::Draw => {}
                Role::Begin => open.push(element),
                Role::End => {
                    // An end without a begin is allowed and closes nothing.
                    let Some(begin) = open.pop() else { continue };
                    // An end closes the innermost node, regardless of kind.
                    if element.link.is_some_and(|link| link != begin.ix) {
                        return Err(ReadError::Nesting { ix, kind: element.tag.name() });
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the scene described by the report. A report on a selection yields only the selected elements.
    ///
    /// # Errors
    /// [`ReadError::Stream`].
    pub fn scene(&self) -> Result<Scene, ReadError> {
        let tags = self.elements.iter().map(|element| element.tag).collect();
        let rects = self.elements.iter().map(|element| element.rect).collect();
        let stream = Stream::new(tags, rects, self.viewport)?;
        let origins = self.elements.iter().map(|element| Origin {
            id: element.id.as_deref().map(str::to_owned),
            source: element.source.clone(),
            index: element.ix,
            own: (!element.own.is_empty()).then_some(element.own),
        });
        let (origins, notes) = (origins.collect(), self.notes.to_vec());
        Ok(Scene { stream, origins, notes, width: self.width, height: self.height })
    }
}
