//! Images inside an SVG. SVG images are checked like the file itself before usvg reads them.

use crate::circles::check;
use crate::thread::LEVELS_MAX;
use crate::words::one_line;
use crate::{Error, Limits, text};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use usvg::roxmltree::Document;
use usvg::{ImageHrefResolver, ImageKind, Options};

/// The media type of SVG images.
const SVG: &str = "image/svg+xml";

/// The suffix of the note that counts the image notes after the first 100.
pub const MORE_NOTES: &str = " more notes about images";

/// Determines how a program treats the images of a drawing. By default, linked images are left out with a
/// note.
pub trait Images: Sync {
    /// Rewrites an SVG image before it is checked and read. Returns the text, and notes of one line each.
    fn rewrite(&self, image: &Document) -> (String, Vec<String>) {
        (image.input_text().to_owned(), Vec::new())
    }

    /// Returns the bytes of a linked image.
    ///
    /// # Errors
    /// The reason why the image is not read.
    fn link(&self, _link: &str) -> Result<Arc<Vec<u8>>, String> {
        Err("linked images are not read".into())
    }
}

/// Keeps SVG images and leaves out linked ones.
impl Images for () {}

/// Reads the images of one drawing.
pub(crate) struct Reader<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) images: &'a dyn Images,
    /// The nesting level around the current image.
    pub(crate) level: AtomicU32,
    /// The notes, and the number of suppressed notes.
    pub(crate) notes: Mutex<(Vec<String>, u32)>,
}

impl Reader<'_> {
    /// Returns the callbacks for usvg's options.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(|mime, data, options| {
                let other = format!("an image ({mime:.40})");
                let name = if mime == SVG { "an SVG image" } else { &other };
                self.noted(name, self.image(mime, data, options))
            }),
            resolve_string: Box::new(|link, options| {
                let lower = link.to_ascii_lowercase();
                let is_svg = [".svg", ".svgz"].iter().any(|end| lower.ends_with(end));
                let mime = if is_svg { SVG } else { "file" };
                let image = self.images.link(link);
                let image = image.and_then(|data| self.image(mime, data, options));
                self.noted(&format!("the image '{link:.80}'"), image)
            }),
        }
    }

    fn image(
        &self,
        mime: &str,
        data: Arc<Vec<u8>>,
        options: &Options,
    ) -> Result<ImageKind, String> {
        use imagesize::ImageType::{Gif, Jpeg, Png, Webp};
        let read = ImageHrefResolver::default_data_resolver();
        match imagesize::image_type(&data) {
            found if mime == SVG || (mime == "text/plain" && found.is_err()) => {
                let around = self.level.load(Relaxed);
                let text = self.svg(&data).map_err(|error| error.to_string());
                let image = text.map(|text| read(SVG, Arc::new(text.into_bytes()), options));
                self.level.store(around, Relaxed);
                image?.ok_or_else(|| "usvg cannot read it".into())
            }
            Ok(Gif | Jpeg | Png | Webp) if imagesize::blob_size(&data).is_err() => {
                Err("its data is damaged".into())
            }
            Ok(Gif | Jpeg | Png | Webp) => {
                // Like usvg, trust a declared type if it is one of these. A file declares no type.
                let mime = if mime == "file" { "text/plain" } else { mime };
                read(mime, data, options).ok_or_else(|| "its type is not known".into())
            }
            _ => Err("it is not PNG, JPEG, GIF, WebP or SVG".into()),
        }
    }

    /// Returns the checked text of an SVG image, whose levels are added to those around it.
    fn svg(&self, data: &[u8]) -> Result<String, Error> {
        let text = text::text(data, self.limits)?;
        let (text, notes) = self.images.rewrite(&text::document(&text, self.limits)?);
        notes.iter().for_each(|note| self.note(note));
        check(&text, self.limits, |document, depth, left_out| {
            left_out.iter().for_each(|one| self.note(&format!("in an SVG image, {one}")));
            let is_deep = depth + self.level.fetch_add(depth, Relaxed) > LEVELS_MAX;
            if is_deep { Err(Error::TooDeep) } else { Ok(document.input_text().to_owned()) }
        })
    }

    /// Returns the image, or adds a note.
    fn noted(&self, name: &str, image: Result<ImageKind, String>) -> Option<ImageKind> {
        image.map_err(|why| self.note(&format!("{name} was skipped: {why}"))).ok()
    }

    /// Adds a new note. After 100 notes, the others are only counted.
    fn note(&self, note: &str) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let (listed, others) = &mut *notes;
        let note = one_line(note);
        if listed.contains(&note) {
        } else if listed.len() < 100 {
            listed.push(note);
        } else {
            *others += 1;
        }
    }

    /// Returns all notes. If some were suppressed, the last note counts them.
    pub(crate) fn into_notes(self) -> Vec<String> {
        let (mut notes, others) = self.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        notes.extend((others > 0).then(|| format!("{others}{MORE_NOTES}")));
        notes
    }
}
