//! The file that is read.

use crate::{
    failure::{Failure, plain, printable},
    options::is_stream,
};
use std::{
    ffi::OsString,
    fmt::Display,
    fs::{File, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
};
use treebounds_encoding::svg::Options;

/// A drawing, or another file, to be read.
#[derive(Debug)]
pub struct Input {
    /// Its path as it was given, safe to print.
    pub name: String,
    /// The file's name alone, safe to print: reports and pages hold it, and no folder of this machine.
    pub file_name: String,
    /// `None`: standard input.
    path: Option<PathBuf>,
    stem: OsString,
}

/// The longest file that is read.
const MAX_BYTES: u64 = 1 << 30;

impl Input {
    /// The input with this path; `-` is standard input.
    pub fn named(path: &Path) -> Self {
        if is_stream(path) {
            let (name, file_name) = ("stdin".to_owned(), "stdin".to_owned());
            return Self { name, file_name, path: None, stem: "stdin".into() };
        }
        let last = path.file_name().unwrap_or(path.as_os_str());
        Self {
            name: printable(&path.to_string_lossy()),
            file_name: printable(&last.to_string_lossy()),
            stem: path.file_stem().unwrap_or_default().into(),
            path: Some(path.into()),
        }
    }

    /// Its path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The file's name without its folder and extension.
    pub fn stem(&self) -> OsString {
        self.stem.clone()
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// It is missing, is not a regular file, cannot be read, or is longer than 1 GiB.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let mut data = Vec::new();
        let read = match &self.path {
            None => io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut data),
            Some(path) => {
                open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut data))
            }
        };
        read.map_err(|error| self.bad(plain(&error)))?;
        if data.len() as u64 > MAX_BYTES {
            return Err(self.bad("the file is longer than 1 GiB"));
        }
        Ok(data)
    }

    /// How to read it: relative links to images start in the drawing's folder; only files in that folder and in these may
    /// be linked.
    pub fn options(&self, allowed: &[PathBuf]) -> Options {
        let options = match self.path.as_ref().and_then(|path| path.parent()) {
            None => Options::default(),
            Some(folder) if folder.as_os_str().is_empty() => Options::default().resources_dir("."),
            Some(folder) => Options::default().resources_dir(folder),
        };
        allowed.iter().fold(options, Options::allow_files)
    }

    /// A failure about this file.
    pub fn bad(&self, cause: impl Display) -> Failure {
        Failure::bad(cause).about(&self.name)
    }
}

/// Opens a regular file. Opening a named pipe would wait for a writer, perhaps forever, so what is opened never blocks and
/// its type is asked before anything is read. Pipes that the shell opened (`<(...)`) are read.
fn open(path: &Path) -> io::Result<File> {
    let is_descriptor = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];
    if is_descriptor.iter().any(|folder| path.starts_with(folder)) {
        return File::open(path);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&kind) {
        return Err(io::Error::other("this is a pipe, not a file; - reads standard input"));
    }
    Err(io::Error::other("this is a device, not a file"))
}
