//! A stream and where each of its elements came from.

use crate::{Rect, Stream};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// Where an element came from, for people: reports and pictures name elements
/// by it, the algorithms never read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The `id` in the source document, if it has one.
    pub id: Option<String>,
    /// The kind of thing in the source: `path`, `g`, `clipPath`, `mask`,
    /// `image`, `text`, `layer`, ...
    pub source: Cow<'static, str>,
    /// Which thing in the source, counted in document order from 0. The begin
    /// and the end of a node share it.
    pub index: u32,
    /// The element's own box, where the stream has another for it (inside a
    /// filter, the filter's region).
    pub own: Option<Rect>,
}

/// A stream, where each element came from, and what was left out on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The elements.
    pub stream: Stream,
    /// Where each element came from; as long as the stream.
    pub origins: Vec<Origin>,
    /// What a person should know: things skipped, closed or approximated.
    pub notes: Vec<String>,
    /// Width of the drawing in pixels.
    pub width: f32,
    /// Height of the drawing in pixels.
    pub height: f32,
}

impl Scene {
    /// The elements whose source has this `id`, ascending.
    pub fn elements_of(&self, id: &str) -> impl Iterator<Item = u32> {
        let has_it = move |origin: &Origin| origin.id.as_deref() == Some(id);
        let found = (0..).zip(&self.origins).filter(move |(_, origin)| has_it(origin));
        found.map(|(element, _)| element)
    }
}
