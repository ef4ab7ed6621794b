//! Images inside an SVG. SVG images are measured like the file itself, before
//! usvg reads them, and against the same limits.

use super::depth::WORK_MAX;
use super::files::Files;
use super::guard::{ARCS_MAX, Cost, LEVELS_MAX, TEXT_MAX};
use super::parse::{self, ToldImage};
use super::{Options, SvgError};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::{ImageHrefDataResolverFn, ImageHrefResolver, ImageKind};

/// What was met in the images of a drawing.
#[derive(Debug, Default)]
struct State {
    /// How many visits the drawing costs so far.
    work: u64,
    /// How many steps its texts take so far.
    text: u64,
    /// How many steps its arcs take so far.
    arcs: u64,
    /// How many levels are in use around the image that is being read.
    around: u64,
    /// How many levels the drawing has so far.
    deepest: u64,
    /// Why the drawing cannot be read, if it cannot.
    error: Option<SvgError>,
    files: Files,
    notes: Vec<String>,
}

/// Reads images, and keeps count.
#[derive(Debug)]
pub(super) struct Images(Mutex<State>);

impl Images {
    /// Starts with the cost of the drawing itself.
    pub(super) fn new(cost: Cost) -> Result<Self, SvgError> {
        let mut state = State::default();
        state.enter(cost)?;
        Ok(Self(Mutex::new(state)))
    }

    /// What usvg is to call.
    pub(super) fn resolver<'a>(&'a self, options: &Options) -> ImageHrefResolver<'a> {
        let from_data = ImageHrefResolver::default_data_resolver();
        let from_file = ImageHrefResolver::default_data_resolver();
        let limit = options.resources_dir.is_some().then_some(options.image_bytes_max);
        ImageHrefResolver {
            resolve_data: Box::new(move |mime, data, options| {
                self.image(mime, data, options, &from_data)
            }),
            resolve_string: Box::new(move |href, options| {
                let path = options.get_abs_path(Path::new(href));
                let data = self.state().file(href, &path, limit?)?;
                self.image(mime(&path, &data)?, data, options, &from_file)
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
        let svg = is_svg(mime, &data);
        if svg {
            self.guarded(&data, |told| read("image/svg+xml", Arc::new(told), options))
        } else {
            read(mime, data, options)
        }
    }

    /// How deep the drawing is with its images.
    ///
    /// # Errors
    /// What one of the images was refused for.
    pub(super) fn finish(&self, notes: &mut Vec<String>) -> Result<u64, SvgError> {
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
        let ToldImage { cost, text, notes } = match parse::tell_image(data) {
            Ok(told) => told,
            Err(error) => {
                self.state().refuse(error);
                return None;
            }
        };
        // The lock is given back before it is taken again.
        let entered = self.state().enter(cost);
        if let Err(error) = entered {
            self.state().error.get_or_insert(error);
            return None;
        }
        let image = read(text.into_bytes());
        let mut state = self.state();
        state.around -= cost.depth;
        notes.into_iter().for_each(|note| state.note(note));
        image
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The bytes of a linked file, if they can be had.
    fn file(&mut self, href: &str, path: &Path, limit: u64) -> Option<Arc<Vec<u8>>> {
        match self.files.read(path, limit) {
            Ok(data) => data,
            Err(reason) => {
                self.notes.push(format!("the image '{}' was skipped: {reason}", short(href)));
                None
            }
        }
    }

    /// Says something, once.
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn enter(&mut self, cost: Cost) -> Result<(), SvgError> {
        self.work = self.work.saturating_add(cost.work);
        if self.work > WORK_MAX {
            return Err(SvgError::TooMuch { max: WORK_MAX });
        }
        self.text = self.text.saturating_add(cost.text);
        if self.text > TEXT_MAX {
            return Err(SvgError::TooMuchText { max: TEXT_MAX });
        }
        self.arcs = self.arcs.saturating_add(cost.arcs);
        if self.arcs > ARCS_MAX {
            return Err(SvgError::TooLargeArcs { max: ARCS_MAX });
        }
        let depth = self.around.saturating_add(cost.depth);
        if depth > LEVELS_MAX {
            return Err(SvgError::TooDeep { depth, max: LEVELS_MAX });
        }
        self.around = depth;
        self.deepest = self.deepest.max(depth);
        Ok(())
    }

    /// What would hang or overflow is an error of the whole drawing; an image
    /// that is merely broken is left out.
    fn refuse(&mut self, error: SvgError) {
        use SvgError::{Circle, TooDeep, TooLong, TooManyCopies, TooMuch};
        if matches!(
            error,
            Circle { .. } | TooDeep { .. } | TooLong { .. } | TooManyCopies { .. } | TooMuch { .. }
        ) {
            self.error.get_or_insert(error);
        } else {
            self.notes.push(format!("an SVG image was skipped: {error}"));
        }
    }
}

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
