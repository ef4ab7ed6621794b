//! Images inside an SVG. SVG images are measured like the file itself, before
//! usvg reads them, and against the same limits.

use crate::checked::{Checked, check, check_text};
use crate::files::{Files, Links};
use crate::{Cost, Limits, Refused};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::{ImageHrefDataResolverFn, ImageHrefResolver, ImageKind};

/// The text of an SVG image as usvg is to read it, and what is to be said of it.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The text.
    pub text: String,
    /// What is to be said, a line each.
    pub notes: Vec<String>,
}

/// What retells an SVG image before usvg reads it.
type Teller<'a> = Box<dyn Fn(&Checked) -> Told + Send + Sync + 'a>;

/// An SVG image that was read: what usvg made of it, and what it costs with all images in it.
#[derive(Clone)]
struct Read {
    kind: Option<ImageKind>,
    cost: Cost,
}

/// What was met in the images of a drawing.
#[derive(Default)]
struct State {
    /// What the drawing costs so far; its depth is that around the image that is being read.
    total: Cost,
    /// How many levels the drawing has so far.
    deepest: u64,
    /// How many bytes of SVG images were read.
    bytes: u64,
    /// Why the drawing cannot be read, if it cannot.
    error: Option<Refused>,
    files: Files,
    /// The SVG images that were read, by their data: one that is shown often is read once.
    known: HashMap<Arc<Vec<u8>>, Read>,
    notes: Vec<String>,
}

/// Reads the images of one drawing, and keeps count.
pub struct Images<'a> {
    limits: &'a Limits,
    links: bool,
    teller: Option<Teller<'a>>,
    /// What the drawing costs without images.
    without: Cost,
    state: Mutex<State>,
}

impl fmt::Debug for Images<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Images").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> Images<'a> {
    /// Starts with the cost of the drawing itself.
    ///
    /// # Errors
    /// Where that is over the limits.
    pub fn new(cost: Cost, limits: &'a Limits, links: &Links) -> Result<Self, Refused> {
        let mut state = State { files: Files::new(links), ..State::default() };
        state.enter(cost, limits)?;
        let links = links.folder.is_some();
        Ok(Self { limits, links, teller: None, without: state.total, state: Mutex::new(state) })
    }

    /// The same, with SVG images retold before usvg reads them. What is told is measured again.
    #[must_use]
    pub fn told_by(mut self, teller: impl Fn(&Checked) -> Told + Send + Sync + 'a) -> Self {
        self.teller = Some(Box::new(teller));
        self
    }

    /// What usvg is to call.
    pub fn resolver(&self) -> ImageHrefResolver<'_> {
        let from_data = ImageHrefResolver::default_data_resolver();
        let from_file = ImageHrefResolver::default_data_resolver();
        ImageHrefResolver {
            resolve_data: Box::new(move |mime, data, options| {
                self.image(mime, data, options, &from_data)
            }),
            resolve_string: Box::new(move |href, options| {
                if !self.links {
                    return None;
                }
                let data = self.state().file(href, self.limits.image_bytes)?;
                self.image(mime(Path::new(href), &data)?, data, options, &from_file)
            }),
        }
    }

    /// Reads an image.
    fn image(
        &self,
        mime: &str,
        data: Arc<Vec<u8>>,
        options: &usvg::Options,
        read: &ImageHrefDataResolverFn,
    ) -> Option<ImageKind> {
        if !is_svg(mime, &data) {
            return read(mime, data, options);
        }
        if let Some(known) = self.known(&data) {
            return known;
        }
        let before = self.state().begin();
        let kind = self.guarded(&data, |told| read("image/svg+xml", Arc::new(told), options));
        self.state().end(before, data, kind.clone());
        kind
    }

    /// An image that was read before, paid for once more. `None` where it was not.
    fn known(&self, data: &Arc<Vec<u8>>) -> Option<Option<ImageKind>> {
        let mut state = self.state();
        let known = state.known.get(data)?.clone();
        let entered = state.enter(known.cost, self.limits);
        state.total.depth -= if entered.is_ok() { known.cost.depth } else { 0 };
        Some(match entered {
            Ok(()) => known.kind,
            Err(error) => {
                state.error.get_or_insert(error);
                None
            }
        })
    }

    /// How deep the drawing is with its images.
    ///
    /// # Errors
    /// What one of the images was refused for.
    pub fn finish(&self, notes: &mut Vec<String>) -> Result<u64, Refused> {
        let mut state = self.state();
        notes.append(&mut state.notes);
        state.error.take().map_or(Ok(state.deepest), Err)
    }

    /// Reads an SVG image if it costs no more than what is left.
    fn guarded(
        &self,
        data: &[u8],
        read: impl FnOnce(Vec<u8>) -> Option<ImageKind>,
    ) -> Option<ImageKind> {
        let (cost, told) = match self.tell(data) {
            Ok(told) => told,
            Err(error) => {
                self.state().refuse(error);
                return None;
            }
        };
        // The lock is given back before it is taken again.
        let entered = self.state().enter(cost, self.limits);
        if let Err(error) = entered {
            self.state().error.get_or_insert(error);
            return None;
        }
        let image = read(told.text.into_bytes());
        let mut state = self.state();
        state.total.depth -= cost.depth;
        told.notes.into_iter().for_each(|note| state.note(note));
        image
    }

    fn tell(&self, data: &[u8]) -> Result<(Cost, Told), Refused> {
        let (cost, told, is_same) = check(data, self.limits, |checked| {
            let text = checked.document.input_text();
            let paid = self.state().pay(text.len() as u64, self.limits);
            paid?;
            let told = match &self.teller {
                Some(teller) => teller(checked),
                None => Told { text: text.to_owned(), notes: vec![] },
            };
            let is_same = told.text == text;
            Ok::<_, Refused>((checked.cost, told, is_same))
        })?;
        if is_same {
            return Ok((cost, told));
        }
        check_text(&told.text, self.limits, |checked| {
            let text = checked.document.input_text().to_owned();
            Ok((checked.cost, Told { text, notes: told.notes.clone() }))
        })
    }

    /// What the images that were read cost.
    pub fn cost(&self) -> Cost {
        self.state().total.since(&self.without, 0)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The bytes of a linked file, if they can be had.
    fn file(&mut self, href: &str, limit: u64) -> Option<Arc<Vec<u8>>> {
        match self.files.read(Path::new(href), limit) {
            Ok(data) => data,
            Err(reason) => {
                self.note(format!("the image '{}' was skipped: {reason}", short(href)));
                None
            }
        }
    }

    /// Says something, once, and not without end.
    fn note(&mut self, note: String) {
        if self.notes.len() < NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Pays for a text.
    fn pay(&mut self, bytes: u64, limits: &Limits) -> Result<(), Refused> {
        self.bytes = self.bytes.saturating_add(bytes);
        let (what, max) = ("the text of all SVG images", limits.bytes);
        if self.bytes > max { Err(Refused::TooLong { what, max }) } else { Ok(()) }
    }

    /// Goes into a drawing that costs so much.
    fn enter(&mut self, cost: Cost, limits: &Limits) -> Result<(), Refused> {
        let depth = self.total.depth.saturating_add(cost.depth);
        self.total.add(cost, 1, 0);
        let around = std::mem::replace(&mut self.total.depth, depth);
        let checked = limits.check(&self.total);
        if checked.is_err() {
            self.total.depth = around;
        }
        self.deepest = self.deepest.max(self.total.depth);
        checked
    }

    /// An image begins: the cost before it, and the deepest level before it.
    fn begin(&mut self) -> (Cost, u64) {
        (self.total, std::mem::replace(&mut self.deepest, self.total.depth))
    }

    /// An image ends.
    fn end(&mut self, (before, deepest): (Cost, u64), data: Arc<Vec<u8>>, kind: Option<ImageKind>) {
        let cost = self.total.since(&before, self.deepest - self.total.depth.min(self.deepest));
        self.deepest = self.deepest.max(deepest);
        self.known.insert(data, Read { kind, cost });
    }

    /// What would hang or overflow is an error of the whole drawing; an image
    /// that is merely broken is left out.
    fn refuse(&mut self, error: Refused) {
        if error.is_too_much() {
            self.error.get_or_insert(error);
        } else {
            self.note(format!("an SVG image was skipped: {error}"));
        }
    }
}

/// How many notes there are of images.
const NOTES: usize = 100;

/// As much of a link as fits into a note of one line.
fn short(href: &str) -> String {
    href.chars().take(80).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// What the bytes of a raster image begin with.
const RASTER: [&[u8]; 4] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF"];

fn is_raster(data: &[u8]) -> bool {
    RASTER.iter().any(|magic| data.starts_with(magic))
}

/// Whether usvg would read the data as SVG.
fn is_svg(mime: &str, data: &[u8]) -> bool {
    mime == "image/svg+xml" || (mime == "text/plain" && !is_raster(data))
}

/// As what usvg is to read a file: an SVG goes by its name, a raster image by
/// its bytes, and a name without an extension is nothing.
fn mime(path: &Path, data: &[u8]) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    let is = |name| extension.eq_ignore_ascii_case(name);
    if is("svg") || is("svgz") {
        Some("image/svg+xml")
    } else {
        is_raster(data).then_some("text/plain")
    }
}
