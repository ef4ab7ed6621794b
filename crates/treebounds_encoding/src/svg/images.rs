//! SVG images inside of a drawing.
//!
//! Browsers lay an SVG image out as a viewport as large as its `image` element: the view box and the `preserveAspectRatio` of
//! the image itself fill it, and the attribute of the element counts only if it is `none`. usvg reads only the attribute of
//! the element. So the root of an image gets the size of its view box, and its element the aspect ratio of its root.

use super::files::Files;
use super::fonts::Fonts;
use super::rewrite::{Attributes, Source, attribute, rewrite, set};
use super::{Media, left_out};
use data_url::DataUrl;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use treebounds_report::Document as Report;
use usvg::roxmltree::Document;
use usvg_guard::{Images, Limits};

/// How deep SVG images are measured inside of each other.
const LEVELS: u32 = 8;

/// The size and aspect ratio of an SVG image.
#[derive(Clone, Debug, Default)]
pub(super) struct SvgImage {
    pub(super) size: (f64, f64),
    /// The size of its contents.
    pub(super) page: (f64, f64),
    /// How it fills its element, unless it has neither a view box nor a size.
    pub(super) aspect: Option<String>,
}

impl SvgImage {
    /// Sets the attributes of its element, and returns whether its contents are as large as in browsers.
    pub(super) fn fit(&self, attributes: &mut Attributes) -> bool {
        let Some(own) = &self.aspect else { return false };
        if ["width", "height"].iter().all(|side| attribute(attributes, side).is_none()) {
            attributes.push(("width".into(), self.size.0.to_string()));
            attributes.push(("height".into(), self.size.1.to_string()));
        }
        let aspect = "preserveAspectRatio";
        if attribute(attributes, aspect).is_some_and(|around| around.trim().starts_with("none")) {
            let across = self.size.0 * self.page.1 - self.size.1 * self.page.0;
            return across.abs() <= 1e-3 * self.size.0 * self.page.1;
        }
        set(attributes, aspect, own.clone());
        true
    }
}

/// An SVG image for usvg, with notes about it.
struct Image {
    text: String,
    notes: Vec<String>,
    /// Its size, if it could be rewritten.
    size: Option<SvgImage>,
}

/// The images of a drawing: linked files, and SVG images that are rewritten, once each.
pub(super) struct Linked<'a> {
    files: Files,
    media: Media,
    fonts: &'a Fonts,
    /// How many images are being rewritten inside of each other.
    level: AtomicU32,
    known: Mutex<HashMap<String, Arc<Image>>>,
}

impl<'a> Linked<'a> {
    /// The images in these files. None is read yet.
    pub(super) fn new(files: Files, media: Media, fonts: &'a Fonts) -> Self {
        Self { files, media, fonts, level: AtomicU32::new(0), known: Mutex::default() }
    }

    /// The size of the image that a link leads to, if it is an SVG image that can be read.
    pub(super) fn size(&self, link: &str) -> Option<SvgImage> {
        let lower = |text: &str| text.to_ascii_lowercase();
        let data = match DataUrl::process(link) {
            Ok(url) => {
                let kind = url.mime_type();
                let kind = (lower(&kind.type_), lower(&kind.subtype));
                let may_be =
                    matches!((&*kind.0, &*kind.1), ("image", "svg+xml") | ("text", "plain"));
                Arc::new(url.decode_to_vec().ok().filter(|_| may_be)?.0)
            }
            Err(_) => {
                let is_svg = [".svg", ".svgz"].iter().any(|end| lower(link).ends_with(end));
                self.files.read(link).ok().filter(|_| is_svg)?
            }
        };
        if self.level.load(Relaxed) >= LEVELS {
            return Some(SvgImage::default());
        }
        let limits = Limits::default();
        let text = usvg_guard::text(&data, &limits).ok()?;
        if let Some(known) = self.known(&text) {
            return known.size.clone();
        }
        self.image(&usvg_guard::document(&text, &limits).ok()?).size.clone()
    }

    fn known(&self, text: &str) -> Option<Arc<Image>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
    }

    fn image(&self, document: &Document) -> Arc<Image> {
        let text = document.input_text();
        if let Some(known) = self.known(text) {
            return known;
        }
        self.level.fetch_add(1, Relaxed);
        let texts = HashMap::new();
        let source = Source { media: self.media, fonts: self.fonts, images: self, texts: &texts };
        let image = match rewrite(document, &Limits::default(), &source, true) {
            Ok(rewritten) => {
                let objects = Report { objects: rewritten.objects.all, ..Report::default() };
                let notes = left_out::notes(&rewritten.ignored, &objects);
                let notes = notes.into_iter().map(|note| format!("in an SVG image, {note}"));
                Image { text: rewritten.text, notes: notes.collect(), size: rewritten.image }
            }
            Err(_) => Image { text: text.to_owned(), notes: vec![], size: None },
        };
        self.level.fetch_sub(1, Relaxed);
        let image = Arc::new(image);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(text.to_owned(), image.clone());
        image
    }
}

impl Images for Linked<'_> {
    fn rewrite(&self, image: &Document) -> (String, Vec<String>) {
        let image = self.image(image);
        (image.text.clone(), image.notes.clone())
    }

    fn link(&self, link: &str) -> Result<Arc<Vec<u8>>, String> {
        self.files.read(link)
    }
}
