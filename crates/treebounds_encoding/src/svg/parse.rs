//! From text to a parsed drawing.

use super::files::Files;
use super::fonts::Fonts;
use super::known::Known;
use super::objects::Objects;
use super::rewrite::rewrite;
use super::{Media, Options, SvgError, left_out, values};
use std::sync::Arc;
use treebounds_report::{Document as Report, Ignored};
use usvg::Tree;
use usvg::roxmltree::Document;
use usvg_guard::{Images, LeftOut, Limits, document};

/// A parsed drawing, and the parts of it that were left out.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) notes: Vec<String>,
    pub(super) objects: Objects,
    pub(super) ignored: Vec<Ignored>,
}

/// Parses a text that the guard accepts. Must run on a large stack.
pub(super) fn parse(text: &str, options: &Options, fonts: &Fonts) -> Result<Parsed, SvgError> {
    let limits = Limits::default();
    let images = Linked { files: options.files(), media: options.media, fonts };
    let original = document(text, &limits)?;
    let read = |known: &Known| {
        let rewritten = rewrite(&original, &limits, options.media, fonts, known)?;
        let (wants_texts, text) = (rewritten.wants_texts, rewritten.text);
        let (objects, mut ignored) = (rewritten.objects, rewritten.ignored);
        let read = usvg_guard::read(&text, &limits, usvg_options(fonts), &images)?;
        ignored.extend(read.left_out.into_iter().map(|one| {
            let object = one.element.strip_prefix('#').and_then(|id| objects.find(id));
            let object = object.unwrap_or_default();
            Ignored { object, what: one.what.into(), effect: LeftOut::WHY.into() }
        }));
        ignored.sort_by_key(|one| one.object);
        let parsed = Parsed { tree: read.tree, notes: read.notes, objects, ignored };
        Ok::<_, SvgError>((parsed, wants_texts))
    };
    let (parsed, wants_texts) = read(&Known::default())?;
    let known = Known::of(&parsed.tree, &parsed.objects, wants_texts);
    if known.is_empty() { Ok(parsed) } else { Ok(read(&known)?.0) }
}

/// Options for usvg, with these fonts.
fn usvg_options(fonts: &Fonts) -> usvg::Options<'_> {
    usvg::Options {
        font_size: values::FONT_SIZE as f32,
        font_family: fonts.default_family(),
        fontdb: fonts.database(),
        font_resolver: fonts.resolver(),
        ..usvg::Options::default()
    }
}

/// The images of a drawing: linked files, and SVG images that are rewritten.
struct Linked<'a> {
    files: Files,
    media: Media,
    fonts: &'a Fonts,
}

impl Images for Linked<'_> {
    fn rewrite(&self, image: &Document) -> (String, Vec<String>) {
        let (limits, known) = (Limits::default(), Known { is_image: true, ..Known::default() });
        let Ok(rewritten) = rewrite(image, &limits, self.media, self.fonts, &known) else {
            return (image.input_text().to_owned(), vec![]);
        };
        let objects = Report { objects: rewritten.objects.all, ..Report::default() };
        let notes = left_out::notes(&rewritten.ignored, &objects);
        let notes = notes.into_iter().map(|note| format!("in an SVG image, {note}"));
        (rewritten.text, notes.collect())
    }

    fn link(&self, link: &str) -> Result<Arc<Vec<u8>>, String> {
        self.files.read(link)
    }
}
