//! The expected answers of a scene file: computes them with the reference, and compares implementations with them.

use super::{SceneElement, SceneFile, footprint_of};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use treebounds_core::damage::{Backdrop, DamageFinder, DamageFrame, Ident, Pairing, Region};
use treebounds_core::{Bounds, NONE, Rect, Stream, StreamError, reference};

/// An answer that differs from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The element, such as `3 (card)`.
    pub element: String,
    /// The field: `link`, `clip`, `content`, `bounds` or `lands`.
    pub field: &'static str,
    /// The expected answer.
    pub expected: String,
    /// The actual answer.
    pub found: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { element, field, expected, found } = self;
        write!(f, "element {element}: {field} is {found}, not {expected}")
    }
}

/// The answers for one element. `None` for answers that its kind does not have.
#[derive(Clone, Copy)]
struct Answer {
    link: Option<Option<u32>>,
    clip: Option<Rect>,
    content: Option<Rect>,
    bounds: Option<Rect>,
    lands: Option<Rect>,
}

impl Answer {
    fn of(ix: usize, bounds: &Bounds, landings: &[Rect]) -> Self {
        let marker = bounds.marker_of(ix as u32);
        let link = marker.and_then(|at| bounds.links.get(at));
        Self {
            link: link.map(|link| Some(*link).filter(|link| *link != NONE)),
            clip: marker.and_then(|at| bounds.clips.get(at)).copied(),
            content: marker.and_then(|at| bounds.contents.get(at)).copied(),
            bounds: bounds.boxes.get(ix).copied(),
            lands: landings.get(ix).copied(),
        }
    }
}

impl SceneFile {
    /// Adds the answers of the reference: the boxes of all elements of the first frame, and the damage.
    ///
    /// # Errors
    /// [`StreamError`] if the elements were changed after reading.
    pub fn with_answers(mut self) -> Result<Self, StreamError> {
        let stream = self.stream()?;
        let bounds = reference::bounds(&stream);
        let landings = reference::landings(&stream, &bounds);
        for (ix, element) in self.elements.iter_mut().enumerate() {
            let Answer { link, clip, content, bounds, lands } = Answer::of(ix, &bounds, &landings);
            *element = SceneElement { link, clip, content, bounds, lands, ..element.clone() };
        }
        self.damage = self.find_damage(8)?;
        Ok(self)
    }

    /// Compares an implementation's answers for the first frame with the expected ones. `bounds` and `landings` must belong
    /// to [`SceneFile::stream`].
    pub fn mistakes(&self, bounds: &Bounds, landings: &[Rect]) -> Vec<Mistake> {
        mistakes(&self.elements, bounds, landings)
    }

    /// Compares an implementation's answers for the second frame with the expected ones. `bounds` and `landings` must belong
    /// to [`SceneFile::next_stream`].
    pub fn next_mistakes(&self, bounds: &Bounds, landings: &[Rect]) -> Vec<Mistake> {
        mistakes(self.next.as_deref().unwrap_or_default(), bounds, landings)
    }

    /// Computes the damage between the two frames, as at most `most` rects. `None` if there is no second frame.
    ///
    /// # Errors
    /// [`StreamError`] if the elements were changed after reading.
    pub fn find_damage(&self, most: usize) -> Result<Option<Vec<Rect>>, StreamError> {
        let (Some(next), Some(elements)) = (self.next_stream()?, &self.next) else {
            return Ok(None);
        };
        let mut pairing = Pairing::default();
        let partners = pairing.find(&idents(&self.elements), &idents(elements));
        let mut region = Region::new(next.viewport(), most);
        let first = self.stream()?;
        let [old_backdrops, new_backdrops] = [backdrops(&self.elements), backdrops(elements)];
        // The reader has validated the backdrops. If an invalid one was added later, everything counts as damaged.
        match (frame(&first, &old_backdrops), frame(&next, &new_backdrops)) {
            (Some(old), Some(new)) => {
                DamageFinder::default().find(&old, &new, partners, &mut region);
            }
            _ => region.add(Rect::EVERYTHING),
        }
        Ok(Some(region.rects().to_vec()))
    }
}

fn frame<'a>(stream: &'a Stream, backdrops: &'a [Backdrop]) -> Option<DamageFrame<'a>> {
    DamageFrame::new(stream, backdrops).ok()
}

fn backdrops(elements: &[SceneElement]) -> Vec<Backdrop> {
    let backdrop = |(node, element): (u32, &SceneElement)| {
        Some(Backdrop { node, footprint: footprint_of(element.backdrop?)? })
    };
    (0..).zip(elements).filter_map(backdrop).collect()
}

/// Returns the identity of each element. The hash includes tag, rect and backdrop.
fn idents(elements: &[SceneElement]) -> Vec<Ident> {
    let ident = |element: &SceneElement| {
        let mut hasher = DefaultHasher::new();
        (element.hash, element.tag()).hash(&mut hasher);
        element.stored().to_array().map(f32::to_bits).hash(&mut hasher);
        element.backdrop.map(|sides| sides.map(f32::to_bits)).hash(&mut hasher);
        Ident { key: element.key, hash: hasher.finish() }
    };
    elements.iter().map(ident).collect()
}

fn mistakes(elements: &[SceneElement], bounds: &Bounds, landings: &[Rect]) -> Vec<Mistake> {
    let mut all = Vec::new();
    for (ix, element) in elements.iter().enumerate() {
        let answer = Answer::of(ix, bounds, landings);
        let mut compare = |field, expected: Option<String>, found: Option<String>| {
            if let Some(expected) = expected.filter(|expected| found.as_ref() != Some(expected)) {
                let found = found.unwrap_or_else(|| "missing".into());
                all.push(Mistake {
                    element: SceneFile::label(elements, ix),
                    field,
                    expected,
                    found,
                });
            }
        };
        let link = |link: Option<u32>| link.map_or("null".into(), |ix| ix.to_string());
        compare("link", element.link.map(link), answer.link.map(link));
        compare("clip", element.clip.map(text), answer.clip.map(text));
        compare("content", element.content.map(text), answer.content.map(text));
        compare("bounds", element.bounds.map(text), answer.bounds.map(text));
        compare("lands", element.lands.map(text), answer.lands.map(text));
    }
    all
}

/// Formats a box as in the file. Different boxes have different texts.
fn text(rect: Rect) -> String {
    if rect == Rect::NOTHING { "null".into() } else { format!("{:?}", rect.to_array()) }
}
