//! Images inside an SVG. SVG images are checked like the file itself before usvg reads them. Linked files are read once, up to
//! a maximum size, and only from allowed folders.

use crate::check::{LEVELS_MAX, Rewrite, check};
use crate::contain::one_line;
use crate::error::bytes;
use crate::{Error, Limits, text};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::{ImageHrefResolver, ImageKind};

/// The maximum number of notes on images.
const NOTES: usize = 100;

/// The type of SVG images.
const SVG: &str = "image/svg+xml";

/// Reads the images of one drawing.
pub(crate) struct Images<'a> {
    limits: &'a Limits,
    rewrite: Option<Rewrite<'a>>,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    /// The number of levels around the image that is being read.
    level: u32,
    notes: Vec<String>,
    files: &'a mut Files,
}

impl<'a> Images<'a> {
    /// The images of a drawing that has so many levels, with these files.
    pub(crate) fn new(
        level: u32,
        limits: &'a Limits,
        rewrite: Option<Rewrite<'a>>,
        files: &'a mut Files,
    ) -> Self {
        Self { limits, rewrite, state: Mutex::new(State { level, notes: Vec::new(), files }) }
    }

    /// The callbacks for usvg's options.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(|mime, data, options| {
                let svg = (mime == SVG).then(|| "an SVG image".to_owned());
                let name = svg.unwrap_or_else(|| format!("an image ({mime:.40})"));
                self.noted(&name, self.image(mime, data, options))
            }),
            resolve_string: Box::new(|link, options| {
                let lower = link.to_ascii_lowercase();
                let is_svg = [".svg", ".svgz"].iter().any(|end| lower.ends_with(end));
                let mime = if is_svg { SVG } else { "file" };
                let data = self.state().files.read(link, self.limits.image_bytes);
                let image = data.and_then(|data| self.image(mime, data, options));
                self.noted(&format!("the image '{link:.80}'"), image)
            }),
        }
    }

    /// The notes on what was read.
    pub(crate) fn notes(self) -> Vec<String> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).notes
    }

    /// Reads an image.
    fn image(
        &self,
        mime: &str,
        data: Arc<Vec<u8>>,
        options: &usvg::Options,
    ) -> Result<ImageKind, String> {
        use imagesize::ImageType::{Gif, Jpeg, Png, Webp};
        let read = ImageHrefResolver::default_data_resolver();
        match imagesize::image_type(&data) {
            found if mime == SVG || (mime == "text/plain" && found.is_err()) => {
                let around = self.state().level;
                let text = self.svg(&data).map_err(|error| error.to_string());
                let image = text.map(|text| read(SVG, Arc::new(text.into_bytes()), options));
                self.state().level = around;
                image?.ok_or_else(|| "usvg cannot read it".into())
            }
            Ok(Gif | Jpeg | Png | Webp) if imagesize::blob_size(&data).is_err() => {
                Err("its data is damaged".into())
            }
            Ok(Gif | Jpeg | Png | Webp) => {
                // Like usvg, trust the declared type if it is one of these, and find out that of a file.
                let mime = if mime == "file" { "text/plain" } else { mime };
                read(mime, data, options).ok_or_else(|| "its type is not known".into())
            }
            _ => Err("it is not PNG, JPEG, GIF, WebP or SVG".into()),
        }
    }

    /// The checked text of an SVG image, whose levels are added to those around it.
    fn svg(&self, data: &[u8]) -> Result<String, Error> {
        let mut text = text::text(data, self.limits)?;
        if let Some(rewrite) = self.rewrite {
            let (new, notes) = rewrite(&text::document(&text, self.limits)?);
            text = new.into();
            notes.into_iter().for_each(|note| self.note(&note));
        }
        check(&text, self.limits, |document, depth, _| {
            self.state().level += depth;
            let is_deep = self.state().level > LEVELS_MAX;
            if is_deep { Err(Error::TooDeep) } else { Ok(document.input_text().to_owned()) }
        })
    }

    /// The image, or none and a note.
    fn noted(&self, name: &str, image: Result<ImageKind, String>) -> Option<ImageKind> {
        image.map_err(|why| self.note(&format!("{name} was skipped: {why}"))).ok()
    }

    /// Adds a note, if it is new and there are not too many.
    fn note(&self, note: &str) {
        let (mut state, note) = (self.state(), one_line(note));
        if state.notes.len() < NOTES && !state.notes.contains(&note) {
            state.notes.push(note);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All linked files together may have this many times the size of the largest one allowed.
pub(crate) const FILES: u64 = 4;

/// The message for a path outside of all allowed folders, whether there is such a file or not.
const OUTSIDE: &str = "it is outside of the drawing's folder and of all other allowed folders";

/// The linked files of one drawing. Each is read once.
#[derive(Debug, Default)]
pub struct Files {
    /// The folders whose files may be read. Each is opened once, and files are opened relative to it, so a link that appears
    /// later leads nowhere else. Links start from the first.
    folders: Vec<(PathBuf, Option<Dir>)>,
    /// The links that were followed, with the file or the reason why it could not be read.
    pub(crate) known: HashMap<String, Result<Arc<Vec<u8>>, String>>,
}

impl Files {
    /// The files in these folders, such as [`Limits::files`]. None is read yet.
    pub fn new(folders: &[PathBuf]) -> Self {
        let paths = folders.iter().map(|folder| Path::new(".").join(folder));
        // Links may name a folder by a path with links in it, or without.
        let both = paths.flat_map(|path| [std::path::absolute(&path), path.canonicalize()]);
        let folders = both.flatten().map(|path| (normal(&path), open(&path))).collect();
        Self { folders, ..Self::default() }
    }

    /// The bytes of the linked file, or the reason why it cannot be read.
    fn read(&mut self, link: &str, max: u64) -> Result<Arc<Vec<u8>>, String> {
        match link.split_once("://") {
            _ if link.len() > 4096 => return Err("the path is too long".into()),
            None => {}
            Some(("file", _)) => {
                return Err("file:// links are not followed; use a plain path".into());
            }
            Some(_) => return Err("images are not fetched over a network".into()),
        }
        if !self.known.contains_key(link) {
            let read = self.read_new(link, max).map(Arc::new);
            self.known.insert(link.to_owned(), read);
        }
        self.known[link].clone()
    }

    fn read_new(&self, link: &str, max: u64) -> Result<Vec<u8>, String> {
        let (base, _) = self.folders.first().ok_or("no files are read for this drawing")?;
        let path = normal(&base.join(link));
        let mut beneath = self
            .folders
            .iter()
            .filter_map(|(root, dir)| Some((dir.as_ref()?, path.strip_prefix(root).ok()?)));
        let (dir, path) = beneath.next().ok_or(OUTSIDE)?;
        let (all, known) = (max.saturating_mul(FILES), self.known.values().flatten());
        let left = all.saturating_sub(known.map(|data| data.len() as u64).sum());
        // The folder itself is `.`, which is not a file.
        match regular(dir, &Path::new(".").join(path), max.min(left))? {
            Some(data) => Ok(data),
            None if left < max => {
                Err(format!("the linked images together have more than {}", bytes(all)))
            }
            None => Err(format!("the file has more than {}", bytes(max))),
        }
    }
}

/// The absolute path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

#[cfg(any(unix, windows))]
type Dir = cap_std::fs::Dir;

#[cfg(any(unix, windows))]
fn open(folder: &Path) -> Option<Dir> {
    Dir::open_ambient_dir(folder, cap_std::ambient_authority()).ok()
}

/// The bytes of a regular file; `None` if it has more than `max`. A pipe or a device might have no end, or block the reader
/// forever.
#[cfg(any(unix, windows))]
fn regular(dir: &Dir, path: &Path, max: u64) -> Result<Option<Vec<u8>>, String> {
    use std::io::{Error, ErrorKind, Read};
    let read = || {
        let mut data = Vec::new();
        if !dir.metadata(path)?.is_file() {
            return Err(Error::other("it is not a regular file"));
        }
        dir.open(path)?.take(max.saturating_add(1)).read_to_end(&mut data)?;
        Ok((data.len() as u64 <= max).then_some(data))
    };
    read().map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file".into(),
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => OUTSIDE.into(),
        _ => error.to_string(),
    })
}

/// No folder is opened where the platform has none.
#[cfg(not(any(unix, windows)))]
type Dir = std::convert::Infallible;

#[cfg(not(any(unix, windows)))]
fn open(_: &Path) -> Option<Dir> {
    None
}

#[cfg(not(any(unix, windows)))]
fn regular(dir: &Dir, _: &Path, _: u64) -> Result<Option<Vec<u8>>, String> {
    match *dir {}
}
