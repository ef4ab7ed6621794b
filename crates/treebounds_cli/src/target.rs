//! Where an output goes.

use crate::{
    failure::{Failure, plain},
    options::is_stream,
};
use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// Where an output goes.
#[derive(Debug)]
pub(crate) enum Target {
    Stdout,
    /// A file to be put in the place of what is there.
    File(PathBuf),
    /// A device or a pipe, which nothing can be put in the place of.
    Special(PathBuf),
}

/// How many links are followed.
const LINKS: usize = 40;

impl Target {
    /// What this path names, links followed.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        let fail = |cause: &str| Failure::bad(cause).about(path.display());
        if is_stream(path) {
            return match stdout_is_closed() {
                true => Err(Failure::bad("it is closed").about("stdout")),
                false => Ok(Self::Stdout),
            };
        }
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(fail("this is a folder, not a file")),
            Ok(there) if !there.is_file() => Ok(Self::Special(path.into())),
            Ok(there) if there.permissions().readonly() => Err(fail("the file is read-only")),
            _ => Ok(Self::File(resolved(path).map_err(|error| fail(&plain(&error)))?)),
        }
    }
}

/// The path with links followed, so that a link stays one. The folder must be there, the file need not.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize()?;
        let place = folder.join(name);
        match fs::read_link(&place) {
            Ok(to) => path = folder.join(to),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("its links lead round in a circle"))
}

/// Opens a device or a pipe; a pipe that no one reads is an error, not a wait.
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

/// Opens a device or a pipe.
#[cfg(not(unix))]
pub(crate) fn open_special(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Whether this process was started without a standard output.
///
/// Rust then opens the null device in its place, to read and to write. Who sends data to the null device by a shell opens it
/// only to write.
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
