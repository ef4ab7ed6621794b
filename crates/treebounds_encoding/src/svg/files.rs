//! Linked images. Each is read once, up to a maximum size, and only from allowed folders.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use usvg_guard::Images;

/// The maximum total size of all linked files, as a multiple of the maximum file size.
const FILES: u64 = 4;

/// The message for a path outside all allowed folders, whether the file exists or not.
const OUTSIDE: &str = "it is outside of the drawing's folder and of all other allowed folders";

/// The linked files of one drawing.
pub(super) struct Files {
    /// The allowed folders. Each is opened once, and files are opened relative to it, so that a symbolic link created
    /// later cannot lead elsewhere. Links of the drawing are relative to the first folder.
    folders: Vec<(PathBuf, Option<Dir>)>,
    /// The maximum size of a file in bytes.
    max: u64,
    /// The links read so far, each with the file or the reason why it cannot be read.
    known: Mutex<HashMap<String, Read>>,
}

/// The bytes of a file, or the reason why it cannot be read.
type Read = Result<Arc<Vec<u8>>, String>;

impl Files {
    /// Allows files of at most `max` bytes in these folders, without reading any.
    pub(super) fn new<'a>(folders: impl Iterator<Item = &'a PathBuf>, max: u64) -> Self {
        let paths = folders.map(|folder| Path::new(".").join(folder));
        // Links may name a folder by a path with or without symbolic links, so both paths are allowed.
        let both = paths.flat_map(|path| [std::path::absolute(&path), path.canonicalize()]);
        let folders = both.flatten().map(|path| (normalized(&path), open(&path))).collect();
        Self { folders, max, known: Mutex::default() }
    }

    pub(super) fn read(&self, link: &str) -> Read {
        match link.split_once("://") {
            _ if link.len() > 4096 => return Err("the path is too long".into()),
            None => {}
            Some(("file", _)) => {
                return Err("file:// links are not followed; use a plain path".into());
            }
            Some(_) => return Err("images are not fetched over a network".into()),
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(link) {
            return known.clone();
        }
        let total = known.values().flatten().map(|data| data.len() as u64).sum();
        let read = self.read_new(link, total).map(Arc::new);
        known.insert(link.to_owned(), read.clone());
        read
    }

    /// Reads a file. `total` is the size of the files read so far, in bytes.
    fn read_new(&self, link: &str, total: u64) -> Result<Vec<u8>, String> {
        let (base, _) = self.folders.first().ok_or("no files are read for this drawing")?;
        let path = normalized(&base.join(link));
        let mut beneath = self.folders.iter().filter_map(|(root, dir)| {
            // The folder itself is `.`, which is not a file.
            Some((dir.as_ref()?, Path::new(".").join(path.strip_prefix(root).ok()?)))
        });
        let (dir, path) = beneath.next().ok_or(OUTSIDE)?;
        let all = self.max.saturating_mul(FILES);
        let max = self.max.min(all.saturating_sub(total));
        match read_regular(dir, &path, max)? {
            Some(data) => Ok(data),
            None if max < self.max => {
                Err(format!("the linked images together have more than {all} bytes"))
            }
            None => Err(format!("the file has more than {max} bytes")),
        }
    }
}

impl Images for Files {
    fn link(&self, link: &str) -> Read {
        self.read(link)
    }
}

/// Returns the absolute path without `..`.
fn normalized(path: &Path) -> PathBuf {
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

/// Reads a regular file; `None` if it has more than `max` bytes. A pipe or a device might be endless or block the
/// reader forever.
#[cfg(any(unix, windows))]
fn read_regular(dir: &Dir, path: &Path, max: u64) -> Result<Option<Vec<u8>>, String> {
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

/// Other platforms cannot open folders.
#[cfg(not(any(unix, windows)))]
type Dir = std::convert::Infallible;

#[cfg(not(any(unix, windows)))]
fn open(_: &Path) -> Option<Dir> {
    None
}

#[cfg(not(any(unix, windows)))]
fn read_regular(dir: &Dir, _: &Path, _: u64) -> Result<Option<Vec<u8>>, String> {
    match *dir {}
}
