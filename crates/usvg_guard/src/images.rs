//! Images inside an SVG. SVG images are checked like the file itself, before usvg reads them.

use crate::check::{Checked, LEVELS_MAX, check_text};
use crate::contain::one_line;
use crate::edit::NOTES;
use crate::files::{FilePolicy, Files};
use crate::{Error, Limits, text};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::roxmltree::Document;
use usvg::{ImageHrefResolver, ImageKind};

/// The text of an SVG image as usvg is to read it, and what is to be said of it.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The text.
    pub text: String,
    /// What is to be said, a line each.
    pub notes: Vec<String>,
}

/// What retells an SVG image before usvg reads it.
type Teller<'a> = Box<dyn Fn(&Document) -> Told + Send + Sync + 'a>;

/// What was met in the images of a drawing.
struct State {
    /// How many levels there are around the image that is being read.
    level: u32,
    /// How many bytes of SVG images were read.
    bytes: u64,
    /// Why the drawing cannot be read, if it cannot.
    error: Option<Error>,
    files: Files,
    /// The SVG images that were read, by their data: one that is shown often is read once.
    known: HashMap<Arc<Vec<u8>>, Option<ImageKind>>,
    notes: Vec<String>,
}

/// Reads the images of one drawing.
pub struct Images<'a> {
    limits: &'a Limits,
    teller: Option<Teller<'a>>,
    state: Mutex<State>,
}

impl fmt::Debug for Images<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Images").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> Images<'a> {
    /// The images of a checked drawing, and the files that it may show.
    pub fn new(checked: &Checked, limits: &'a Limits, policy: &FilePolicy) -> Self {
        Self::with(checked, limits, Files::new(policy))
    }

    pub(crate) fn with(checked: &Checked, limits: &'a Limits, files: Files) -> Self {
        let state = State {
            level: checked.depth,
            bytes: 0,
            error: None,
            files,
            known: HashMap::new(),
            notes: Vec::new(),
        };
        Self { limits, teller: None, state: Mutex::new(state) }
    }

    /// The same, with SVG images retold before usvg reads them.
    #[must_use]
    pub fn told_by(mut self, teller: impl Fn(&Document) -> Told + Send + Sync + 'a) -> Self {
        self.teller = Some(Box::new(teller));
        self
    }

    /// What usvg is to call.
    pub fn resolver(&self) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(|mime, data, options| self.image(mime, data, options)),
            resolve_string: Box::new(|href, options| {
                let read = self.state().files.read(href, self.limits.image_bytes);
                match read {
                    Ok(data) => {
                        let extension = Path::new(href).extension().unwrap_or_default();
                        let is_svg = extension.eq_ignore_ascii_case("svg")
                            || extension.eq_ignore_ascii_case("svgz");
                        self.image(if is_svg { "image/svg+xml" } else { "file" }, data, options)
                    }
                    Err(reason) => {
                        self.note(format!("the image '{href:.80}' was skipped: {reason}"))
                    }
                }
            }),
        }
    }

    /// The notes on what was read.
    ///
    /// # Errors
    /// What one of the images was refused for.
    pub fn finish(&self, notes: &mut Vec<String>) -> Result<(), Error> {
        let mut state = self.state();
        notes.append(&mut state.notes);
        state.error.take().map_or(Ok(()), Err)
    }

    /// The files that were read.
    pub(crate) fn into_files(self) -> Files {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).files
    }

    /// Reads an image.
    fn image(&self, mime: &str, data: Arc<Vec<u8>>, options: &usvg::Options) -> Option<ImageKind> {
        use imagesize::ImageType::{Gif, Jpeg, Png, Webp};
        let found = imagesize::image_type(&data);
        if mime == "image/svg+xml" || (mime == "text/plain" && found.is_err()) {
            let known = self.state().known.get(&data).cloned();
            return known.unwrap_or_else(|| {
                let kind = self.svg(&data, options);
                self.state().known.insert(data, kind.clone());
                kind
            });
        }
        if !matches!(found, Ok(Gif | Jpeg | Png | Webp)) {
            let reason = "it is not PNG, JPEG, GIF, WebP or SVG";
            return self.note(format!("an image ({mime:.40}) was skipped: {reason}"));
        }
        if imagesize::blob_size(&data).is_err() {
            return self.note(format!("an image ({mime:.40}) was skipped: its data is damaged"));
        }
        // Like usvg, trust the declared type if it is one of these.
        let mime = if mime == "file" { "text/plain" } else { mime };
        let read = ImageHrefResolver::default_data_resolver();
        let kind = read(mime, data, options);
        if kind.is_none() {
            self.note(format!("an image was skipped: the type {mime:.40} is not known"));
        }
        kind
    }

    fn svg(&self, data: &[u8], options: &usvg::Options) -> Option<ImageKind> {
        let around = self.state().level;
        let read = self.checked_svg(data, options);
        let mut state = self.state();
        state.level = around;
        match read {
            Ok(kind) => kind,
            // An image that exceeds a limit fails the whole drawing.
            Err(error) if error.is_too_much() => {
                state.error.get_or_insert(error);
                None
            }
            Err(error) => {
                drop(state);
                self.note(format!("an SVG image was skipped: {error}"))
            }
        }
    }

    fn checked_svg(
        &self,
        data: &[u8],
        options: &usvg::Options,
    ) -> Result<Option<ImageKind>, Error> {
        let text = text::text(data, self.limits)?;
        let told = match &self.teller {
            Some(teller) => teller(&text::document(&text, self.limits)?),
            None => Told { text: text.into_owned(), notes: vec![] },
        };
        let text = check_text(&told.text, self.limits, |checked| {
            let text = checked.document.input_text();
            let mut state = self.state();
            state.bytes = state.bytes.saturating_add(text.len() as u64);
            if state.bytes > self.limits.bytes {
                return Err(Error::too_many("the bytes of all SVG images", self.limits.bytes));
            }
            state.level = state.level.saturating_add(checked.depth);
            if state.level > LEVELS_MAX {
                return Err(Error::TooDeep);
            }
            drop(state);
            Ok(text.to_owned())
        })?;
        for note in told.notes {
            self.note(note);
        }
        let read = ImageHrefResolver::default_data_resolver();
        let kind = read("image/svg+xml", Arc::new(text.into_bytes()), options);
        if kind.is_none() {
            return Err(Error::Unreadable("usvg cannot read it".into()));
        }
        Ok(kind)
    }

    /// Says something, once and not without end, instead of an image.
    fn note(&self, note: String) -> Option<ImageKind> {
        let (mut state, note) = (self.state(), one_line(&note));
        if state.notes.len() < NOTES && !state.notes.contains(&note) {
            state.notes.push(note);
        }
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
