//! Images inside an SVG. SVG images are checked like the file itself before usvg reads them. Linked files are read once, up to
//! a maximum size, and only from allowed folders.

use crate::check::{LEVELS_MAX, Rewrite, check};
use crate::contain::one_line;
use crate::{Error, FilePolicy, Limits, text};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::{ImageHrefResolver, ImageKind};

/// The maximum number of notes on images.
const NOTES: usize = 100;

/// Reads the images of one drawing.
pub(crate) struct Images<'a> {
    limits: &'a Limits,
    rewrite: Option<Rewrite<'a>>,
    state: Mutex<State>,
}

struct State {
    /// The number of levels around the image that is being read.
    level: u32,
    notes: Vec<String>,
    files: Files,
}

impl<'a> Images<'a> {
    /// The images of a drawing that has so many levels, with these files.
    pub(crate) fn new(
        level: u32,
        limits: &'a Limits,
        rewrite: Option<Rewrite<'a>>,
        files: Files,
    ) -> Self {
        Self { limits, rewrite, state: Mutex::new(State { level, notes: Vec::new(), files }) }
    }

    /// The callbacks for usvg's options.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(|mime, data, options| self.image(mime, data, options)),
            resolve_string: Box::new(|link, options| {
                let read = self.state().files.read(link, self.limits.image_bytes);
                let is_svg = Path::new(link).extension().is_some_and(|extension| {
                    ["svg", "svgz"].iter().any(|svg| extension.eq_ignore_ascii_case(svg))
                });
                let mime = if is_svg { SVG } else { "file" };
                let skip = |why| self.note(format!("the image '{link:.80}' was skipped: {why}"));
                read.map_or_else(skip, |data| self.image(mime, data, options))
            }),
        }
    }

    /// The notes on what was read, and the files.
    pub(crate) fn finish(self) -> (Vec<String>, Files) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.notes, state.files)
    }

    /// Reads an image.
    fn image(&self, mime: &str, data: Arc<Vec<u8>>, options: &usvg::Options) -> Option<ImageKind> {
        use imagesize::ImageType::{Gif, Jpeg, Png, Webp};
        let read = ImageHrefResolver::default_data_resolver();
        let found = imagesize::image_type(&data);
        if mime == SVG || (mime == "text/plain" && found.is_err()) {
            let around = self.state().level;
            let kind = self.svg(&data).and_then(|text| {
                let kind = read(SVG, Arc::new(text.into_bytes()), options);
                kind.ok_or_else(|| Error::Unreadable("usvg cannot read it".into()))
            });
            self.state().level = around;
            let skip = |error| self.note(format!("an SVG image was skipped: {error}"));
            return kind.map_or_else(skip, Some);
        }
        // Like usvg, trust the declared type if it is one of these.
        let mime = if mime == "file" { "text/plain" } else { mime };
        let why = match found {
            Ok(Gif | Jpeg | Png | Webp) if imagesize::blob_size(&data).is_err() => {
                "its data is damaged"
            }
            Ok(Gif | Jpeg | Png | Webp) => match read(mime, data, options) {
                None => "its type is not known",
                kind => return kind,
            },
            _ => "it is not PNG, JPEG, GIF, WebP or SVG",
        };
        self.note(format!("an image ({mime:.40}) was skipped: {why}"))
    }

    /// The checked text of an SVG image, whose levels are added to those around it.
    fn svg(&self, data: &[u8]) -> Result<String, Error> {
        let mut text = text::text(data, self.limits)?;
        if let Some(rewrite) = self.rewrite {
            let (new, notes) = rewrite(&text::document(&text, self.limits)?);
            text = new.into();
            notes.into_iter().for_each(|note| drop(self.note(note)));
        }
        check(&text, self.limits, |document, depth, _| {
            self.state().level += depth;
            let is_deep = self.state().level > LEVELS_MAX;
            if is_deep { Err(Error::TooDeep) } else { Ok(document.input_text().to_owned()) }
        })
    }

    /// Adds a note, if it is new and there are not too many. There is no image then.
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

const SVG: &str = "image/svg+xml";

/// All linked files together may have this many times the size of the largest one allowed.
pub(crate) const FILES: u64 = 4;

/// The message for a path outside of all allowed folders, whether there is such a file or not.
const OUTSIDE: &str = "it is outside of the drawing's folder and of all other allowed folders";

/// The maximum length of a link.
const LINK: usize = 4096;

#[cfg(any(unix, windows))]
type Dir = Arc<cap_std::fs::Dir>;
#[cfg(not(any(unix, windows)))]
type Dir = ();

/// The linked files of one drawing.
#[derive(Default)]
pub(crate) struct Files {
    /// The folder that links start from. Without one, no file is read.
    base: Option<PathBuf>,
    /// The folders whose files may be read, by their paths. Each is opened once, and files are opened relative to it, so a
    /// link that appears later leads nowhere else.
    folders: Vec<(PathBuf, Dir)>,
    /// The links that were followed, with the file or the reason why it could not be read.
    pub(crate) known: HashMap<String, Result<Arc<Vec<u8>>, String>>,
    /// The total size of the files in bytes.
    total: u64,
}

impl Files {
    /// The files that a policy allows, in the folders that exist; none where the platform has no folders.
    #[cfg_attr(not(any(unix, windows)), allow(unused_mut, unused_variables))]
    pub(crate) fn new(policy: &FilePolicy) -> Self {
        let whole = |folder: &PathBuf| std::path::absolute(Path::new(".").join(folder)).ok();
        let mut out = Self { base: policy.folder.as_ref().and_then(whole), ..Self::default() };
        for folder in policy.folder.iter().chain(&policy.allowed).filter_map(whole) {
            #[cfg(any(unix, windows))]
            if let Ok(dir) =
                cap_std::fs::Dir::open_ambient_dir(&folder, cap_std::ambient_authority())
            {
                let dir = Arc::new(dir);
                // Links may name the folder by a path with links in it, or without.
                out.folders.extend(folder.canonicalize().ok().map(|other| (other, dir.clone())));
                out.folders.push((normal(&folder), dir));
            }
        }
        out
    }

    /// The bytes of the linked file.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    fn read(&mut self, link: &str, max: u64) -> Result<Arc<Vec<u8>>, String> {
        if link.len() > LINK {
            return Err("the path is too long".into());
        }
        if let Some(known) = self.known.get(link) {
            return known.clone();
        }
        let read = self.read_new(link, max).map(Arc::new);
        self.total += read.as_ref().map_or(0, |data| data.len() as u64);
        self.known.insert(link.to_owned(), read.clone());
        read
    }

    fn read_new(&self, link: &str, max: u64) -> Result<Vec<u8>, String> {
        match link.split_once("://") {
            None => {}
            Some(("file", _)) => {
                return Err("file:// links are not followed; use a plain path".into());
            }
            Some(_) => return Err("images are not fetched over a network".into()),
        }
        let base = self.base.as_ref().ok_or("no files are read for this drawing")?;
        let all = max.saturating_mul(FILES);
        let left = all.saturating_sub(self.total);
        let path = normal(&base.join(link));
        let beneath = |(root, dir): &'_ (PathBuf, Dir)| {
            // The folder itself is `.`, which is not a file.
            Some((dir.clone(), Path::new(".").join(path.strip_prefix(root).ok()?)))
        };
        let (dir, path) = self.folders.iter().find_map(beneath).ok_or(OUTSIDE)?;
        let data = regular(&dir, &path, max.min(left))?;
        if data.len() as u64 <= max.min(left) {
            Ok(data)
        } else if left < max {
            Err(format!("the linked images together have more than {all} bytes"))
        } else {
            Err(format!("the file has more than {max} bytes"))
        }
    }
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    use std::path::Component::{CurDir, ParentDir};
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            CurDir => {}
            ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

/// The bytes of a regular file, at most `max + 1` of them. A pipe or a device might have no end, or block the reader forever.
#[cfg(any(unix, windows))]
fn regular(dir: &Dir, path: &Path, max: u64) -> Result<Vec<u8>, String> {
    use std::io::{Error, ErrorKind, Read};
    let read = || {
        let mut data = Vec::new();
        if !dir.metadata(path)?.is_file() {
            return Err(Error::other("it is not a regular file"));
        }
        dir.open(path)?.take(max.saturating_add(1)).read_to_end(&mut data)?;
        Ok(data)
    };
    read().map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file".into(),
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => OUTSIDE.into(),
        _ => error.to_string(),
    })
}

#[cfg(not(any(unix, windows)))]
fn regular(_: &Dir, _: &Path, _: u64) -> Result<Vec<u8>, String> {
    Err(OUTSIDE.into())
}

#[cfg(all(test, unix))]
#[test]
#[allow(clippy::unwrap_used)]
fn a_folder_that_is_swapped_for_a_link_leads_nowhere_else() {
    use std::{fs, os::unix::fs::symlink};
    let folder = std::env::temp_dir().join(format!("usvg-guard-{}", std::process::id()));
    let own = folder.join("own");
    fs::create_dir_all(&own).unwrap();
    fs::write(folder.join("out"), "x").unwrap();
    let mut files = Files::new(&FilePolicy { folder: Some(own.clone()), allowed: vec![] });
    fs::rename(&own, folder.join("moved")).unwrap();
    symlink(&folder, &own).unwrap();
    assert!(files.read("./out", 10).is_err());
    fs::remove_dir_all(&folder).unwrap();
}
