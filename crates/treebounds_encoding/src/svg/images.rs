//! SVG images inside an SVG: measured like the file itself, before usvg reads
//! them, and against the same limits.

use super::depth::WORK_MAX;
use super::guard::{Cost, LEVELS_MAX};
use super::{Options, SvgError, parse};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::{ImageHrefResolver, ImageKind};

/// What was met in the images of a drawing.
#[derive(Debug, Default)]
struct State {
    /// How many visits the drawing costs so far.
    work: u64,
    /// How many levels are in use around the image that is being read.
    around: u64,
    /// How many levels the drawing has so far.
    deepest: u64,
    /// Why the drawing cannot be read, if it cannot.
    error: Option<SvgError>,
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
        let from_file = ImageHrefResolver::default_string_resolver();
        let files = options.resources_dir.is_some();
        ImageHrefResolver {
            resolve_data: Box::new(move |mime, data, options| {
                let kind = raster_or_svg(mime, &data);
                let read = || from_data(mime, Arc::clone(&data), options);
                if kind == Kind::Svg { self.guarded(&data, read) } else { read() }
            }),
            resolve_string: Box::new(move |href, options| {
                if !files {
                    return None;
                }
                let path = options.get_abs_path(std::path::Path::new(href));
                let extension = path.extension().and_then(|name| name.to_str());
                let svg = extension.is_some_and(|name| {
                    name.eq_ignore_ascii_case("svg") || name.eq_ignore_ascii_case("svgz")
                });
                match std::fs::read(&path) {
                    Ok(data) if svg => self.guarded(&data, || from_file(href, options)),
                    _ => from_file(href, options),
                }
            }),
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
    fn guarded(&self, data: &[u8], read: impl FnOnce() -> Option<ImageKind>) -> Option<ImageKind> {
        let cost = match parse::measure(data) {
            Ok(cost) => cost,
            Err(error) => {
                self.state().refuse(error);
                return None;
            }
        };
        if let Err(error) = self.state().enter(cost) {
            self.state().error.get_or_insert(error);
            return None;
        }
        let image = read();
        self.state().around -= cost.depth;
        image
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, cost: Cost) -> Result<(), SvgError> {
        self.work = self.work.saturating_add(cost.work);
        if self.work > WORK_MAX {
            return Err(SvgError::TooMuch { max: WORK_MAX });
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

#[derive(PartialEq)]
enum Kind {
    Raster,
    Svg,
}

/// Whether usvg would read the data as SVG.
fn raster_or_svg(mime: &str, data: &[u8]) -> Kind {
    const RASTER: [&[u8]; 4] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF"];
    match mime {
        "image/svg+xml" => Kind::Svg,
        "text/plain" if !RASTER.iter().any(|magic| data.starts_with(magic)) => Kind::Svg,
        _ => Kind::Raster,
    }
}
