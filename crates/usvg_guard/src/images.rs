//! Images inside an SVG. SVG images are checked like the file itself before usvg reads them. Linked files are read once, up to
//! a maximum size, and only from allowed folders.

use crate::check::{Checked, LEVELS_MAX, check_text};
use crate::contain::one_line;
use crate::{Error, Limits, text};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use usvg::roxmltree::Document;
use usvg::{ImageHrefResolver, ImageKind};

/// Which files a drawing may link to. By default, none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePolicy {
    /// The folder that relative links start from, and whose files may be read. If `None`, no file may be read.
    pub folder: Option<PathBuf>,
    /// More folders whose files may be read; none by default.
    pub allowed: Vec<PathBuf>,
}

/// Rewrites an SVG image before it is checked and read, and returns the text with notes of one line.
type Rewrite<'a> = Box<dyn Fn(&Document) -> (String, Vec<String>) + Send + Sync + 'a>;

/// The maximum number of notes on images, and of notes on references that are left out.
pub(crate) const NOTES: usize = 100;

/// What was found in the images of a drawing.
struct State {
    /// The number of levels around the image that is being read.
    level: u32,
    files: Files,
    notes: Vec<String>,
}

/// Reads the images of one drawing.
pub struct Images<'a> {
    limits: &'a Limits,
    rewrite: Option<Rewrite<'a>>,
    state: Mutex<State>,
}

impl<'a> Images<'a> {
    /// The images of a checked drawing, with the files that it may link to.
    pub fn new(checked: &Checked, limits: &'a Limits, policy: &FilePolicy) -> Self {
        Self::with(checked, limits, Files::new(policy))
    }

    pub(crate) fn with(checked: &Checked, limits: &'a Limits, files: Files) -> Self {
        let state = State { level: checked.depth, files, notes: Vec::new() };
        Self { limits, rewrite: None, state: Mutex::new(state) }
    }

    /// The same, but each SVG image is rewritten before it is checked and read. Notes of the rewriting are kept.
    #[must_use]
    pub fn rewritten(
        mut self,
        rewrite: impl Fn(&Document) -> (String, Vec<String>) + Send + Sync + 'a,
    ) -> Self {
        self.rewrite = Some(Box::new(rewrite));
        self
    }

    /// The callbacks for usvg's options.
    pub fn resolver(&self) -> ImageHrefResolver<'_> {
        ImageHrefResolver {
            resolve_data: Box::new(|mime, data, options| self.image(mime, data, options)),
            resolve_string: Box::new(|href, options| {
                let read = self.state().files.read(href, self.limits.image_bytes);
                match read {
                    Ok(data) => {
                        let extension = Path::new(href).extension().unwrap_or_default();
                        let is_svg =
                            ["svg", "svgz"].iter().any(|svg| extension.eq_ignore_ascii_case(svg));
                        self.image(if is_svg { "image/svg+xml" } else { "file" }, data, options)
                    }
                    Err(why) => self.note(format!("the image '{href:.80}' was skipped: {why}")),
                }
            }),
        }
    }

    /// The notes on what was read, and the files.
    pub(crate) fn finish(self) -> (Vec<String>, Files) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.notes, state.files)
    }

    /// The notes on what was read.
    pub fn notes(self) -> Vec<String> {
        self.finish().0
    }

    /// Reads an image.
    fn image(&self, mime: &str, data: Arc<Vec<u8>>, options: &usvg::Options) -> Option<ImageKind> {
        use imagesize::ImageType::{Gif, Jpeg, Png, Webp};
        let read = ImageHrefResolver::default_data_resolver();
        let found = imagesize::image_type(&data);
        if mime == "image/svg+xml" || (mime == "text/plain" && found.is_err()) {
            let around = self.state().level;
            let text = self.svg(&data);
            let kind = text.and_then(|text| {
                let kind = read("image/svg+xml", Arc::new(text.into_bytes()), options);
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

    /// The checked text of an SVG image, whose levels are added to the current level.
    fn svg(&self, data: &[u8]) -> Result<String, Error> {
        let text = text::text(data, self.limits)?;
        let (text, notes) = match &self.rewrite {
            Some(rewrite) => rewrite(&text::document(&text, self.limits)?),
            None => (text.into_owned(), vec![]),
        };
        for note in notes {
            let _ = self.note(note);
        }
        check_text(&text, self.limits, |checked| {
            let mut state = self.state();
            state.level = state.level.saturating_add(checked.depth);
            let text = checked.document.input_text().to_owned();
            if state.level > LEVELS_MAX { Err(Error::TooDeep) } else { Ok(text) }
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
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The folders whose files may be read, by their paths. Each is opened once, and files are opened relative to it, so a
    /// link that appears later leads nowhere else.
    folders: Vec<(PathBuf, Dir)>,
    /// The folder that links start from. Without one, no file is read.
    base: Option<PathBuf>,
    /// The links that were followed, with the file or the reason why it could not be read.
    pub(crate) known: HashMap<String, Result<Arc<Vec<u8>>, String>>,
    /// The total size of the files in bytes.
    total: u64,
}

impl Files {
    /// The files that a policy allows, in the folders that exist.
    pub(crate) fn new(policy: &FilePolicy) -> Self {
        let mut out = Self::default();
        for folder in policy.folder.iter().chain(&policy.allowed) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let Ok(folder) = std::path::absolute(folder) else { continue };
            if policy.folder.is_some() && out.base.is_none() {
                out.base = Some(folder.clone());
            }
            #[cfg(any(unix, windows))]
            {
                let open =
                    cap_std::fs::Dir::open_ambient_dir(&folder, cap_std::ambient_authority());
                let Ok(dir) = open.map(Arc::new) else { continue };
                // Links may name the folder by a path with links in it, or without.
                let other = std::fs::canonicalize(&folder).ok().filter(|other| *other != folder);
                out.folders.extend(other.map(|other| (other, dir.clone())));
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
        match link.split_once("://").map(|(scheme, _)| scheme) {
            None => {}
            Some("file") => return Err("file:// links are not followed; use a plain path".into()),
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
    use std::io::{ErrorKind, Read};
    let read = || {
        let mut data = Vec::new();
        let is_file = dir.metadata(path)?.is_file();
        if is_file {
            dir.open(path)?.take(max.saturating_add(1)).read_to_end(&mut data)?;
        }
        Ok(is_file.then_some(data))
    };
    read()
        .map_err(|error: std::io::Error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file".into(),
            ErrorKind::PermissionDenied if error.raw_os_error().is_none() => OUTSIDE.into(),
            _ => error.to_string(),
        })?
        .ok_or_else(|| "it is not a regular file".into())
}

#[cfg(not(any(unix, windows)))]
fn regular(_: &Dir, _: &Path, _: u64) -> Result<Vec<u8>, String> {
    Err(OUTSIDE.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_read_once_beneath_allowed_folders() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("usvg-guard-{}", std::process::id()));
        let own = folder.join("own");
        for inner in ["own/deep", "more"] {
            fs::create_dir_all(folder.join(inner)).unwrap();
        }
        for (name, text) in [
            ("out", "x"),
            ("more/a", "x"),
            ("own/a", "x"),
            ("own/deep/b", "x"),
            ("own/long", "0123456789x"),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        for (name, target) in [("l1", "../out"), ("l2", "/none"), ("l3", "deep")] {
            symlink(target, own.join(name)).unwrap();
        }
        mknodat(CWD, own.join("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let policy = FilePolicy { folder: Some(own.clone()), allowed: vec![folder.join("more")] };
        let mut files = Files::new(&policy);
        let absolute = own.join("a").display().to_string();
        for inside in ["a", "deep/b", "deep/../a", "../more/a", "l3/b", &absolute] {
            assert!(files.read(inside, 10).is_ok(), "{inside}");
        }
        for (link, why) in [
            ("none", "no such file"),
            ("none/../../out", OUTSIDE),
            ("../out", OUTSIDE),
            ("/etc/shadow", OUTSIDE),
            ("l1", OUTSIDE),
            ("l2", OUTSIDE),
            ("pipe", "not a regular file"),
            ("deep", "not a regular file"),
            ("long", "more than 10 bytes"),
            ("https://a.example/b.png", "network"),
            ("file:///a", "file://"),
        ] {
            let error = files.read(link, 10).unwrap_err();
            assert!(error.contains(why), "{link}: {error}");
        }
        // A folder that is swapped for a link leads nowhere else.
        fs::rename(&own, folder.join("moved")).unwrap();
        symlink(&folder, &own).unwrap();
        assert!(files.read("./out", 10).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
