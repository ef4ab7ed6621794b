//! Rewrites a document: one walk computes the winning values of each element, and writes the new document with plain
//! attributes in usvg's syntax.
//!
//! The new document has no style sheets. Every element has a unique id, its mark, so that everything that usvg paints
//! is attributed to the right element even if the document repeats ids. References lead to the first element with an
//! id, as in browsers. The content of a `use` is written in its place, as a copy without ids.
//!
//! | file | contains |
//! |---|---|
//! | `context` | the state of the walk, and inherited values |
//! | `declared` | the winning declaration of each property |
//! | `references` | the resolution of `url()` to definitions |
//! | `attributes`, `strokes`, `layout`, `viewports` | the conversion of values into attributes, outlines and transforms |
//! | `element`, `letters`, `markers`, `pictures`, `uses` | the output of elements and their content |
//! | `definitions` | definitions that replace CSS values, written at the end of the walk |
//! | `left_out` | the search for unsupported elements, for notes |

mod attributes;
mod context;
mod declared;
mod definitions;
mod element;
mod layout;
mod left_out;
mod letters;
mod markers;
mod pictures;
mod references;
mod strokes;
mod uses;
mod viewports;

use crate::cascade::{Cascade, Media, Screen};
use crate::elements::Elements;
use crate::images::{ReadPicture, SvgImage};
use crate::measure::boxes::Boxes;
use crate::measure::fonts::Fonts;
use crate::notes::Note;
use crate::values::{self, Environment, FONT_SIZE, Whole, strict_length, supports};
use context::{Context, Run, Writer};
use kurbo::{Affine, Rect};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use usvg::roxmltree::Document;
use usvg_guard::{Error, Limits};
use viewports::page;

pub(crate) struct Rewritten {
    pub(crate) elements: Elements,
    pub(crate) text: String,
    pub(crate) notes: Vec<Note>,
    /// Whether the boxes of texts are needed, which only usvg can measure.
    pub(crate) wants_texts: bool,
    /// The elements with an image that only usvg can read, and the links to these images.
    pub(crate) pictured: Vec<(u32, String)>,
    /// The size of the document, if it is an SVG image.
    pub(crate) image: Option<SvgImage>,
}

/// The settings, fonts and images for rewriting a document.
pub(crate) struct Source<'s> {
    pub(crate) media: Media,
    pub(crate) fonts: &'s Fonts,
    pub(crate) images: &'s ReadPicture<'s>,
    /// The boxes of the texts, from usvg's tree of an earlier pass.
    pub(crate) texts: &'s HashMap<u32, Rect>,
}

/// Rewrites a document, which may be an SVG image inside another.
pub(crate) fn rewrite(
    document: &Document,
    limits: &Limits,
    source: &Source,
    is_image: bool,
) -> Result<Rewritten, Error> {
    let (first, matrices) = pass(document, limits, source, is_image, &HashMap::new())?;
    if matrices.is_empty() {
        return Ok(first);
    }
    Ok(pass(document, limits, source, is_image, &matrices)?.0)
}

/// Runs one pass. Returns the matrices that depend on boxes, which the next pass must know from the start.
fn pass<'w>(
    document: &'w Document<'w>,
    limits: &'w Limits,
    source: &Source<'w>,
    is_image: bool,
    matrices: &'w HashMap<u32, Affine>,
) -> Result<(Rewritten, HashMap<u32, Affine>), Error> {
    let (mut writer, around) = Writer::of(document, limits, source, is_image, matrices);
    writer.element(document.root_element(), &around)?;
    let Writer { elements, out: text, mut boxes, image, pictured, mut notes, .. } = writer;
    notes.sort_by_key(|one| one.element);
    let (matrices, wants_texts) = (boxes.matrices(), boxes.wants_texts);
    Ok((Rewritten { elements, text, notes, wants_texts, pictured, image }, matrices))
}

impl<'w> Writer<'w> {
    /// Creates a writer for a document, and the context that its root inherits.
    fn of(
        document: &'w Document<'w>,
        limits: &'w Limits,
        source: &Source<'w>,
        is_image: bool,
        matrices: &'w HashMap<u32, Affine>,
    ) -> (Self, Context) {
        let Source { media, fonts, images, texts } = *source;
        let needs_fonts = document.descendants().any(|node| match node.text() {
            Some(text) if node.is_text() => values::needs_font(text),
            _ => node.attributes().any(|one| {
                !matches!(one.name(), "d" | "points" | "href") && values::needs_font(one.value())
            }),
        });
        let mut environment = Environment::default();
        if needs_fonts {
            environment.font = fonts.metrics(["", "", ""], FONT_SIZE);
            environment.root_font = environment.font;
        }
        let root = document.root_element();
        let (width, height) = page(root, &environment, |name| root.attribute(name));
        (environment.page, environment.view) = ((width, height), Some((width, height)));
        let (elements, nodes) = Elements::of(document);
        let screen = Screen { width, height, media, length, supports };
        let mut cascade = Cascade::new(document, screen);
        let mut notes = left_out::find(document, &nodes);
        notes.extend(std::mem::take(&mut cascade.skipped).into_iter().map(|rule| {
            let effect = left_out::rule(&rule);
            Note::new(0, rule, effect)
        }));
        let writer = Self {
            images,
            is_image,
            image: None,
            pictured: Vec::new(),
            fonts,
            needs_fonts,
            elements,
            cascade,
            limits,
            out: String::with_capacity(document.input_text().len() * 2),
            matrices,
            parts: HashMap::new(),
            visited: 0,
            opened: 0,
            generated: Vec::new(),
            boxes: Boxes::new(texts),
            nodes,
            off: HashMap::new(),
            notes,
            said: HashSet::new(),
            run: Run::default(),
            has_context: OnceCell::new(),
        };
        let size_word = Some("medium".into());
        (writer, Context { environment, size_word, is_placed: true, ..Context::default() })
    }
}

/// Returns a length on a page of this size, in pixels.
fn length(text: &str, page: (f64, f64)) -> Option<f64> {
    let environment = Environment { page, view: Some(page), ..Environment::default() };
    strict_length(text, &environment, Whole::Unknown)
}
