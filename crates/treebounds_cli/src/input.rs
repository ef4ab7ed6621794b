//! The file that is read.

use crate::{
    failure::{Failure, plain},
    options::is_stream,
};
use std::{
    ffi::OsString,
    fmt::Display,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};
use treebounds_encoding::svg::Options;

/// Where a drawing, or another file, comes from.
#[derive(Debug)]
pub struct Input {
    /// What people call it.
    pub name: String,
    /// `None`: standard input.
    path: Option<PathBuf>,
    stem: OsString,
}

/// The longest file that is read.
const MAX_BYTES: u64 = 1 << 30;

impl Input {
    /// The input with this name.
    ///
    /// # Errors
    /// It is missing, or no file.
    pub fn named(path: &Path) -> Result<Self, Failure> {
        let input = Self::unseen(path);
        if let Some(path) = &input.path {
            let there = std::fs::metadata(path).map_err(|error| input.bad(plain(&error)))?;
            if there.is_dir() || path.file_stem().is_none() {
                return Err(input.bad("this is a folder, not a file"));
            }
        }
        Ok(input)
    }

    /// The input with this name, which may be missing.
    pub(crate) fn unseen(path: &Path) -> Self {
        if is_stream(path) {
            return Self { name: "stdin".into(), path: None, stem: "stdin".into() };
        }
        let stem = path.file_stem().unwrap_or_default().into();
        Self { name: path.display().to_string(), path: Some(path.into()), stem }
    }

    /// The path, where it is a file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The file's name without its folder and ending.
    pub fn stem(&self) -> OsString {
        self.stem.clone()
    }

    /// All of it.
    ///
    /// # Errors
    /// It cannot be read, or is longer than 1 GiB.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let mut data = Vec::new();
        let read = match &self.path {
            None => io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut data),
            Some(path) => {
                File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut data))
            }
        };
        read.map_err(|error| self.bad(plain(&error)))?;
        if data.len() as u64 > MAX_BYTES {
            return Err(self.bad("the file is longer than 1 GiB"));
        }
        Ok(data)
    }

    /// How to read it: links to images start in the drawing's folder, and lead to files of that and of these folders.
    pub fn options(&self, allowed: &[PathBuf]) -> Options {
        let options = match self.path.as_ref().and_then(|path| path.parent()) {
            None => Options::default(),
            Some(folder) if folder.as_os_str().is_empty() => Options::default().resources_dir("."),
            Some(folder) => Options::default().resources_dir(folder),
        };
        allowed.iter().fold(options, Options::allow_files)
    }

    /// Something is wrong with this file.
    pub fn bad(&self, cause: impl Display) -> Failure {
        Failure::bad(cause).about(&self.name)
    }
}
