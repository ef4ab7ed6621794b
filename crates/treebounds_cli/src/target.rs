//! Resolves the path of an output to standard output, a file, a device or a pipe.

use crate::{
    failure::{Failure, plain, printable},
    options::is_stream,
    outputs::Rows,
};
use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// Escapes a path for printing.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

pub(crate) enum Target {
    Stdout,
    /// The combined table of all drawings.
    Rows(Arc<Mutex<Rows>>),
    /// A file to replace.
    File(PathBuf),
    /// A device or a pipe to write to.
    Special(PathBuf),
}

const LINKS_MAX: usize = 40;

impl Target {
    /// Resolves a typed path; follows links.
    pub(crate) fn typed(path: &Path) -> Result<Self, Failure> {
        let fail = |cause: &str| Failure::bad(cause).about(shown(path));
        if is_stream(path) {
            return match stdout_is_closed() {
                true => Err(Failure::bad("it is closed").about("stdout")),
                false => Ok(Self::Stdout),
            };
        }
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(fail(
                "this is a folder, not a file; with a / at its end, the file goes into it",
            )),
            Ok(there) if !there.is_file() => Ok(Self::Special(path.into())),
            Ok(there) if there.permissions().readonly() => Err(fail("the file is read-only")),
            _ => Ok(Self::File(resolved(path).map_err(|error| fail(&plain(&error)))?)),
        }
    }

    /// Resolves a path chosen by this program to a file in its folder. Replaces a link there instead of following it.
    pub(crate) fn chosen(path: &Path) -> Result<Self, Failure> {
        let fail = |cause: &str| Failure::bad(cause).about(shown(path));
        match fs::symlink_metadata(path) {
            Ok(there) if there.is_dir() => return Err(fail("there is a folder of this name")),
            Ok(there) if there.is_file() && there.permissions().readonly() => {
                return Err(fail("the file is read-only"));
            }
            _ => {}
        }
        let name = path.file_name().ok_or_else(|| fail("this is no name of a file"))?;
        let folder = parent(path).canonicalize().map_err(|error| fail(&plain(&error)))?;
        Ok(Self::File(folder.join(name)))
    }
}

pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows all links of the path, so that the link itself survives. The folder must exist; the file need not.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let folder = parent(&path).canonicalize()?;
        let place = folder.join(name);
        match fs::read_link(&place) {
            Ok(to) => path = folder.join(to),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("its symbolic links form a loop"))
}

/// Opens a device or a pipe. Fails on a pipe without a reader instead of waiting.
#[cfg(unix)]
pub(crate) fn open_special(path: &Path) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NONBLOCK.bits() as i32;
    let file = OpenOptions::new().write(true).custom_flags(flags).open(path).map_err(|error| {
        match rustix::io::Errno::from_io_error(&error) {
            Some(rustix::io::Errno::NXIO) => io::Error::other("no one reads this pipe"),
            _ => error,
        }
    })?;
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(not(unix))]
pub(crate) fn open_special(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Whether this process was started without a standard output.
///
/// Rust then opens the null device instead, for reading and writing. A shell that redirects to the null device opens it
/// for writing only.
#[cfg(unix)]
fn stdout_is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let stdout = io::stdout();
    let (Ok(flags), Ok(own), Ok(null)) = (fcntl_getfl(&stdout), fstat(&stdout), stat("/dev/null"))
    else {
        return true;
    };
    flags & OFlags::RWMODE == OFlags::RDWR && (own.st_dev, own.st_ino) == (null.st_dev, null.st_ino)
}

#[cfg(not(unix))]
fn stdout_is_closed() -> bool {
    false
}
