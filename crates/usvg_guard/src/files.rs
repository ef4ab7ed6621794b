//! The files that images are linked to, each read once and only so far, and from certain folders alone.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where linked files may be.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The folder that relative links start from, whose files may be read. Without one no file is.
    pub folder: Option<PathBuf>,
    /// Folders whose files may be read besides.
    pub allowed: Vec<PathBuf>,
}

/// All linked files together may be as long as this many of the longest.
const FILES: u64 = 4;

/// What is said of a file in no allowed folder, whether there is one or not.
const OUTSIDE: &str = "it links out of the drawing's folder, and only files in there are read, or in folders that are allowed";

/// What is said where there is nothing in an allowed folder.
const MISSING: &str = "there is no such file";

/// The linked files of one drawing.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The folders whose files may be read, without links in their paths.
    folders: Vec<PathBuf>,
    /// The folder that links start from.
    base: PathBuf,
    /// Those that were asked for, and what came of it.
    known: HashMap<PathBuf, Option<Arc<Vec<u8>>>>,
    /// How many bytes they have together.
    total: u64,
}

impl Files {
    /// The files in these folders, as far as there are such folders.
    pub(crate) fn new(links: &Links) -> Self {
        let base = links.folder.clone().unwrap_or_default();
        let own = if base.as_os_str().is_empty() { Path::new(".") } else { &base };
        let all =
            links.folder.iter().map(|_| own).chain(links.allowed.iter().map(PathBuf::as_path));
        let folders = all.filter_map(|folder| fs::canonicalize(folder).ok()).collect();
        Self { folders, base, ..Self::default() }
    }

    /// The bytes of the file that is linked to, and `None` if it is known that they cannot be had.
    ///
    /// # Errors
    /// Why they cannot be had, the first time they are asked for.
    pub(crate) fn read(&mut self, link: &Path, max: u64) -> Result<Option<Arc<Vec<u8>>>, String> {
        if let Some(known) = self.known.get(link) {
            return Ok(known.clone());
        }
        let read = self.find(link).and_then(|path| self.read_new(&path, max)).map(Arc::new);
        self.known.insert(link.to_owned(), read.as_ref().ok().cloned());
        read.map(Some)
    }

    /// The path of the file, without links in it, if that is in an allowed folder.
    fn find(&self, link: &Path) -> Result<PathBuf, String> {
        if link.to_str().is_some_and(|link| link.contains("://")) {
            return Err("images are not fetched over a network".into());
        }
        let path = self.base.join(link);
        let is_inside = |path: &Path| self.folders.iter().any(|folder| path.starts_with(folder));
        if let Ok(found) = fs::canonicalize(&path) {
            return if is_inside(&found) { Ok(found) } else { Err(OUTSIDE.into()) };
        }
        // A link to nothing must not tell that there is nothing where it leads.
        let mut missing = path.as_path();
        for folder in path.ancestors().skip(1) {
            if let Ok(found) = fs::canonicalize(folder) {
                let is_missing = is_inside(&found) && fs::symlink_metadata(missing).is_err();
                return Err(if is_missing { MISSING } else { OUTSIDE }.into());
            }
            missing = folder;
        }
        Err(OUTSIDE.into())
    }

    fn read_new(&mut self, path: &Path, max: u64) -> Result<Vec<u8>, String> {
        let all = max.saturating_mul(FILES);
        let left = all - self.total.min(all);
        let data = regular(path, max.min(left)).map_err(|error| error.to_string())?;
        let Some(data) = data else {
            return Err(if left < max {
                format!("the linked images are more than {all} bytes long together")
            } else {
                format!("the file is more than {max} bytes long")
            });
        };
        self.total += data.len() as u64;
        Ok(data)
    }
}

/// The bytes of a regular file, and `None` if there are more than so many. A
/// pipe or a device might have no end, or make the reader wait for ever.
fn regular(path: &Path, max: u64) -> io::Result<Option<Vec<u8>>> {
    let no_file = || io::Error::other("this is no regular file");
    if !fs::metadata(path)?.is_file() {
        return Err(no_file());
    }
    let file = open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(no_file());
    }
    if found.len() > max {
        return Ok(None);
    }
    let mut data = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut data)?;
    Ok((data.len() as u64 <= max).then_some(data))
}

/// Opens a file without waiting for it, and no link that took its place.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let name = format!("usvg-guard-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn reads_once_and_only_so_far() {
        let folder = folder("once");
        let file = |name: &str, length: usize| {
            fs::write(folder.join(name), vec![7; length]).unwrap();
            PathBuf::from(name)
        };
        let links = Links { folder: Some(folder.clone()), allowed: vec![] };
        let mut files = Files::new(&links);
        let whole = file("a", 10);
        assert_eq!(files.read(&whole, 10).unwrap().unwrap().len(), 10);
        fs::remove_file(folder.join(&whole)).unwrap();
        assert!(files.read(&whole, 10).unwrap().is_some(), "not read again");
        let long = file("b", 11);
        assert!(files.read(&long, 10).unwrap_err().contains("more than 10 bytes"));
        assert!(files.read(&long, 10).unwrap().is_none(), "said once");
        for name in ["c", "d", "e"] {
            assert!(files.read(&file(name, 10), 10).is_ok());
        }
        assert!(files.read(&file("f", 1), 10).unwrap_err().contains("40 bytes long together"));
        assert!(files.read(Path::new("."), 10).unwrap_err().contains("no regular file"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn reads_in_allowed_folders_alone() {
        let folder = folder("confined");
        let own = folder.join("own");
        fs::create_dir_all(own.join("deep")).unwrap();
        fs::create_dir_all(folder.join("more")).unwrap();
        for name in ["out", "more/a", "own/a", "own/deep/b"] {
            fs::write(folder.join(name), b"x").unwrap();
        }
        let links = Links { folder: Some(own.clone()), allowed: vec![folder.join("more")] };
        let mut files = Files::new(&links);
        let mut read = |link: &str| files.read(Path::new(link), 10).map(|_| ());
        for inside in ["a", "deep/b", "deep/../a", "../more/a"] {
            assert_eq!(read(inside), Ok(()), "{inside}");
        }
        assert_eq!(read(&own.join("a").display().to_string()), Ok(()));
        for link in ["none", "none/none", "none/../../out"] {
            assert_eq!(read(link), Err(MISSING.to_owned()), "{link}");
        }
        assert!(read("https://a.example/b.png").unwrap_err().contains("network"));
        let outside = Err(OUTSIDE.to_owned());
        for link in ["../out", "../none", "/etc/shadow", "/proc/kmsg", "/none", "deep/../../none/x"]
        {
            assert_eq!(read(link), outside, "{link}");
        }
        #[cfg(unix)]
        for (name, target) in [("l1", folder.join("out")), ("l2", folder.join("none"))] {
            std::os::unix::fs::symlink(target, own.join(name)).unwrap();
            assert_eq!(read(name), outside, "{name}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
