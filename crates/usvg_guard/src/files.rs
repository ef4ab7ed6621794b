//! The files that images link to, each read once and only so far, and from beneath certain folders alone.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which files a drawing may show. By default, none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePolicy {
    /// The folder that relative links start from, and whose files may be read. Without one no file is.
    pub folder: Option<PathBuf>,
    /// Further folders whose files may be read.
    pub allowed: Vec<PathBuf>,
}

/// All linked files together may be as long as this many of the longest.
pub(crate) const FILES: u64 = 4;

/// The message for a path outside of all allowed folders, whether there is such a file or not.
const OUTSIDE: &str = "it links out of the drawing's folder, and only files in there are read, or in folders that are allowed";

/// A link is no longer than this.
const LINK: usize = 4096;

/// What came of each link.
type Known = HashMap<String, Result<Arc<Vec<u8>>, String>>;

/// The linked files of one drawing.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The folders whose files may be read, by their paths. They are opened once, and files are opened beneath them, so
    /// that no link that appears later leads out.
    #[cfg(any(unix, windows))]
    folders: Vec<(PathBuf, Arc<cap_std::fs::Dir>)>,
    /// The folder that links start from; without one nothing is read.
    base: Option<PathBuf>,
    /// Those that were asked for, and what came of it.
    known: Known,
    /// How many bytes they have together.
    total: u64,
}

impl Files {
    /// Files that were read in another process, and no others.
    pub(crate) fn of_known(known: Known) -> Self {
        Self { known, ..Self::default() }
    }

    /// All that were asked for.
    pub(crate) fn into_known(self) -> Known {
        self.known
    }

    /// The bytes of the file that is linked to.
    ///
    /// # Errors
    /// Why they cannot be had.
    pub(crate) fn read(&mut self, link: &str, max: u64) -> Result<Arc<Vec<u8>>, String> {
        if link.len() > LINK {
            return Err("the path is too long".into());
        }
        if let Some(known) = self.known.get(link) {
            return known.clone();
        }
        let read = self.read_new(link, max).map(Arc::new);
        self.known.insert(link.to_owned(), read.clone());
        read
    }

    fn read_new(&mut self, link: &str, max: u64) -> Result<Vec<u8>, String> {
        match link.split_once("://").map(|(scheme, _)| scheme) {
            None => {}
            Some("file") => return Err("file:// is not read; give the path alone".into()),
            Some(_) => return Err("images are not fetched over a network".into()),
        }
        let Some(base) = &self.base else {
            return Err("no files are read for this drawing".into());
        };
        let all = max.saturating_mul(FILES);
        let left = all - self.total.min(all);
        let data = self.regular(&normal(&base.join(link)), max.min(left))?;
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

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    use std::path::Component::{CurDir, ParentDir};
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            CurDir => {}
            ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(any(unix, windows))]
impl Files {
    /// The files that a policy allows, in the folders that there are.
    pub(crate) fn new(policy: &FilePolicy) -> Self {
        use cap_std::{ambient_authority, fs::Dir};
        let mut out = Self::default();
        for folder in policy.folder.iter().chain(&policy.allowed) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let Ok(folder) = std::path::absolute(folder) else { continue };
            if policy.folder.is_some() && out.base.is_none() {
                out.base = Some(folder.clone());
            }
            let Ok(dir) = Dir::open_ambient_dir(&folder, ambient_authority()).map(Arc::new) else {
                continue;
            };
            // Links may name the folder by a path with links in it, or without.
            let other = std::fs::canonicalize(&folder).ok().filter(|other| *other != folder);
            out.folders.extend(other.map(|other| (other, dir.clone())));
            out.folders.push((normal(&folder), dir));
        }
        out
    }

    /// The bytes of a regular file, and `None` if there are more than so many. A pipe or a device might have no end, or
    /// make the reader wait for ever.
    fn regular(&self, path: &Path, max: u64) -> Result<Option<Vec<u8>>, String> {
        use std::io::{ErrorKind, Read};
        let beneath = |(root, dir): &(PathBuf, Arc<cap_std::fs::Dir>)| {
            // The folder itself is `.`, which is no file.
            Some((dir.clone(), Path::new(".").join(path.strip_prefix(root).ok()?)))
        };
        let (dir, path) = self.folders.iter().find_map(beneath).ok_or(OUTSIDE)?;
        let mut options = cap_std::fs::OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
        );
        let read = || {
            let is_file = dir.metadata(&path)?.is_file();
            let file = if is_file { dir.open_with(&path, &options)? } else { return Ok(None) };
            let found = file.metadata()?;
            let mut data = Vec::new();
            if found.is_file() {
                file.take(max.saturating_add(1)).read_to_end(&mut data)?;
            }
            Ok(found.is_file().then_some(data))
        };
        match read() {
            Ok(Some(data)) => Ok((data.len() as u64 <= max).then_some(data)),
            Ok(None) => Err("this is no regular file".into()),
            Err(error) => Err(match std::io::Error::kind(&error) {
                ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file".into(),
                ErrorKind::PermissionDenied if error.raw_os_error().is_none() => OUTSIDE.into(),
                _ => error.to_string(),
            }),
        }
    }
}

#[cfg(not(any(unix, windows)))]
impl Files {
    pub(crate) fn new(_: &FilePolicy) -> Self {
        Self::default()
    }

    fn regular(&self, _: &Path, _: u64) -> Result<Option<Vec<u8>>, String> {
        Err(OUTSIDE.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_read_once_beneath_allowed_folders() {
        let folder = std::env::temp_dir().join(format!("usvg-guard-{}", std::process::id()));
        for inner in ["own/deep", "more"] {
            fs::create_dir_all(folder.join(inner)).unwrap();
        }
        for name in ["out", "more/a", "own/a", "own/deep/b", "own/long"] {
            fs::write(folder.join(name), if name == "own/long" { "0123456789x" } else { "x" })
                .unwrap();
        }
        for (name, target) in [("l1", "../out"), ("l2", "/none"), ("l3", "deep")] {
            std::os::unix::fs::symlink(target, folder.join("own").join(name)).unwrap();
        }
        rustix::fs::mknodat(
            rustix::fs::CWD,
            folder.join("own/pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        let own = folder.join("own");
        let policy = FilePolicy { folder: Some(own.clone()), allowed: vec![folder.join("more")] };
        let mut files = Files::new(&policy);
        let absolute = own.join("a").display().to_string();
        for inside in ["a", "deep/b", "deep/../a", "../more/a", "l3/b", &absolute] {
            assert!(files.read(inside, 10).is_ok(), "{inside}");
        }
        let cases = [
            ("none", "no such file"),
            ("none/../../out", OUTSIDE),
            ("../out", OUTSIDE),
            ("/etc/shadow", OUTSIDE),
            ("l1", OUTSIDE),
            ("l2", OUTSIDE),
            ("pipe", "no regular file"),
            ("deep", "no regular file"),
            ("long", "more than 10 bytes"),
            ("https://a.example/b.png", "network"),
            ("file:///a", "file://"),
        ];
        for (link, why) in cases {
            let error = files.read(link, 10).unwrap_err();
            assert!(error.contains(why), "{link}: {error}");
        }
        // A folder that is swapped for a link leads nowhere else.
        fs::rename(&own, folder.join("moved")).unwrap();
        std::os::unix::fs::symlink(&folder, &own).unwrap();
        assert!(files.read("./out", 10).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
