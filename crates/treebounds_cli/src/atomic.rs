//! Files that are put in place together, and temporary files that no signal leaves behind but those that no program can handle.

use crate::failure::{Failure, plain, printable};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{Builder, NamedTempFile};

/// The temporary files and new folders that exist now.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// While this is locked, signals wait.
fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that is to replace another one.
pub(crate) struct Staged {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

const PREFIX: &str = ".svg_clips.";

impl Staged {
    /// A new file in the folder of `path`. Who may read, write and execute the file there, if any, may do so with the new one; its
    /// set-user-id, set-group-id and sticky bits are lost, because its content is new.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        #[cfg(unix)]
        let anyone = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(anyone);
        signals::watch();
        let mut temporary = temporary();
        let file = builder.prefix(PREFIX).tempfile_in(folder(path))?;
        temporary.insert(file.path().to_owned());
        drop(temporary);
        let staged = Self { file: Some(file), path: path.to_owned() };
        match fs::symlink_metadata(path) {
            Ok(there) if there.is_file() => staged.file()?.set_permissions(plain_bits(&there))?,
            _ => {}
        }
        Ok(staged)
    }

    /// The new file.
    pub(crate) fn file(&self) -> io::Result<&fs::File> {
        self.file.as_ref().map(NamedTempFile::as_file).ok_or(io::ErrorKind::NotFound.into())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let path = file.path().to_owned();
            drop(file);
            temporary().remove(&path);
        }
    }
}

/// The permissions of a file without its special bits.
#[cfg(unix)]
fn plain_bits(there: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(there.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn plain_bits(there: &fs::Metadata) -> fs::Permissions {
    there.permissions()
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Puts all files in place. Everything is written before the first file is replaced; if one cannot be replaced, those
/// before it get their old content back. No file waits for the disk: after a loss of power, run the program again.
///
/// # Errors
/// A file cannot be put in place: why, and which files are new nevertheless.
pub(crate) fn put_in_place(mut files: Vec<Staged>) -> Result<(), Failure> {
    let fail = |path: &Path, error: &io::Error| {
        Failure::bad(plain(error)).about(printable(&path.to_string_lossy()))
    };
    let mut temporary = temporary();
    let several = files.len() > 1;
    let mut replaced = Vec::new();
    let mut failed = None;
    for staged in &mut files {
        let Some(file) = staged.file.take() else { continue };
        let old = if several { Old::keep(&staged.path) } else { Old::Lost };
        temporary.remove(file.path());
        match file.persist(&staged.path) {
            Ok(_) => replaced.push((&*staged.path, old)),
            Err(error) => {
                failed = Some(fail(&staged.path, &error.error));
                break;
            }
        }
    }
    let Some(failure) = failed else { return Ok(()) };
    let mut new = Vec::new();
    while let Some((path, old)) = replaced.pop() {
        if old.restore(path).is_err() {
            new.push(printable(&path.to_string_lossy()));
        }
    }
    // Files that were not put in place lock the list when they are dropped.
    drop(temporary);
    Err(if new.is_empty() {
        failure
    } else {
        failure.and(&format!("already new: {}", new.join(", ")))
    })
}

/// The file that was in a place.
enum Old {
    Absent,
    /// A second name of it.
    Kept(NamedTempFile<()>),
    /// Nothing can bring it back.
    Lost,
}

impl Old {
    fn keep(path: &Path) -> Self {
        if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Self::Absent;
        }
        let linked = Builder::new()
            .prefix(PREFIX)
            .make_in(folder(path), |second| fs::hard_link(path, second));
        linked.map_or(Self::Lost, Self::Kept)
    }

    fn restore(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Absent => fs::remove_file(path),
            Self::Kept(second) => second.into_temp_path().persist(path).map_err(Into::into),
            Self::Lost => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// A new folder, which goes again if nothing was put into it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder with this path and the folders around it, as far as they are missing; outermost first.
    pub(crate) fn create(path: &Path) -> io::Result<Vec<Self>> {
        signals::watch();
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let missing: Vec<_> = path.ancestors().take_while(is_missing).collect();
        let mut temporary = temporary();
        let create = |path: &&Path| {
            fs::create_dir(path)?;
            let path = path.canonicalize()?;
            temporary.insert(path.clone());
            Ok(Self(path))
        };
        missing.iter().rev().map(create).collect()
    }

    /// A folder among the temporary files.
    pub(crate) fn temporary() -> io::Result<Self> {
        signals::watch();
        let mut temporary = temporary();
        let path = Builder::new().prefix("svg_clips.").tempdir()?.keep();
        temporary.insert(path.clone());
        Ok(Self(path))
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // This fails if there is something in it.
        let _ = fs::remove_dir(&self.0);
        temporary().remove(&self.0);
    }
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM,
        SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    use std::sync::Once;

    /// The signals that end a process and that a program may handle. A closed pipe is an error of a write, not an end.
    const ENDING: [i32; 15] = [
        SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM,
        SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    ];

    /// Further ones of Linux: `SIGSTKFLT`, `SIGPWR`, and the signals for programs' own use but the two of the C library.
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn others() -> impl Iterator<Item = i32> {
        [16, 30].into_iter().chain(35..=64)
    }

    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    fn others() -> impl Iterator<Item = i32> {
        std::iter::empty()
    }

    /// From the first call on, signals that end this process remove the temporary files first.
    pub(super) fn watch() {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(|| {
            // SIGXFSZ is only watched: then the write that is too long fails, as on a full disk.
            let all = ENDING.into_iter().chain(others()).chain([SIGXFSZ]);
            let watched = all.filter(|signal| !is_ignored(*signal));
            // If this fails, a signal leaves temporary files; nothing else is lost.
            if let Ok(mut signals) = signal_hook::iterator::Signals::new(watched) {
                let ending =
                    move || signals.forever().filter(|signal| *signal != SIGXFSZ).for_each(end);
                let _ = std::thread::Builder::new().name("treebounds signals".into()).spawn(ending);
            }
        });
    }

    fn end(signal: i32) {
        let temporary = super::temporary();
        // A folder sorts before the files in it.
        for path in temporary.iter().rev() {
            let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path));
        }
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        std::process::exit(128 + signal);
    }

    /// Whether this process was started with the signal ignored, as by `nohup`; only Linux says so.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.unwrap_or_default() >> (signal - 1) & 1 == 1
    }
}

#[cfg(not(unix))]
mod signals {
    /// Only Unix has such signals; elsewhere a program that is stopped leaves its temporary files.
    pub(super) fn watch() {}
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write;

    #[test]
    fn all_files_are_replaced_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, last] = ["old", "new", "last"].map(|name| folder.path().join(name));
        fs::write(&old, "old").unwrap();
        let staged = || {
            let staged = [&old, &new, &last].map(|path| Staged::beside(path).unwrap());
            staged.iter().for_each(|staged| staged.file().unwrap().write_all(b"new").unwrap());
            staged.into()
        };
        let files: Vec<_> = staged();
        fs::create_dir(&last).unwrap();
        let failure = put_in_place(files).unwrap_err().to_string();
        assert!(failure.contains("last: ") && !failure.contains("already new"), "{failure}");
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        assert!(!new.exists());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no temporary file is left");

        fs::remove_dir(&last).unwrap();
        put_in_place(staged()).unwrap();
        assert!([&old, &new, &last].iter().all(|path| fs::read_to_string(path).unwrap() == "new"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file is left");
    }
}
