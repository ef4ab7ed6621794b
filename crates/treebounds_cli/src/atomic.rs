//! Replaces several files together, and removes temporary files on every signal that can be handled.

use crate::failure::{Failure, plain, printable};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{Builder, NamedTempFile};

/// All existing temporary files and new folders.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Locks the list. Signal handling waits for the lock.
fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that will replace another file.
pub(crate) struct Staged {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

const PREFIX: &str = ".svg_clips.";

impl Staged {
    /// Creates a temporary file in the folder of `path`. It inherits the permissions of the old file at `path`, if any,
    /// except for the set-user-id, set-group-id and sticky bits, because the content is new.
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

/// Puts all files in place. If one file cannot be replaced, the files replaced before it get their old content back.
///
/// Does not sync to disk: after a power loss, run the program again.
///
/// # Errors
/// Fails if a file cannot be put in place. The message gives the reason and lists the files that could not be restored.
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
    // Unlock the list, because dropping the remaining files locks it again.
    drop(temporary);
    Err(if new.is_empty() {
        failure
    } else {
        failure.and(&format!("already new: {}", new.join(", ")))
    })
}

/// The previous file at a path.
enum Old {
    Absent,
    /// A backup under a second name.
    Kept(NamedTempFile<()>),
    /// The file cannot be restored.
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

/// A new folder. Removed on drop if it is empty.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates the folder and its missing parents. Returns the new folders, outermost first.
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

    pub(crate) fn temporary() -> io::Result<Self> {
        signals::watch();
        let mut temporary = temporary();
        let path = Builder::new().prefix("svg_clips.").tempdir()?.keep();
        temporary.insert(path.clone());
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Fails if the folder is not empty.
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

    /// Signals that end a process and can be handled. SIGPIPE is missing because a closed pipe is reported as a write error.
    const ENDING: [i32; 15] = [
        SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM,
        SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    ];

    /// Returns further Linux signals: `SIGSTKFLT`, `SIGPWR` and the real-time signals, except for the two that the C
    /// library uses.
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn others() -> impl Iterator<Item = i32> {
        [16, 30].into_iter().chain(35..=64)
    }

    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    fn others() -> impl Iterator<Item = i32> {
        std::iter::empty()
    }

    /// Installs the signal handler, once. From then on, a fatal signal first removes the temporary files.
    pub(super) fn watch() {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(|| {
            // SIGXFSZ is only caught: the oversized write then fails, as on a full disk.
            let all = ENDING.into_iter().chain(others()).chain([SIGXFSZ]);
            let watched = all.filter(|signal| !is_ignored(*signal));
            // Without the handler, a signal only leaves temporary files behind.
            if let Ok(mut signals) = signal_hook::iterator::Signals::new(watched) {
                let ending =
                    move || signals.forever().filter(|signal| *signal != SIGXFSZ).for_each(end);
                let _ = std::thread::Builder::new().name("treebounds signals".into()).spawn(ending);
            }
        });
    }

    fn end(signal: i32) {
        let temporary = super::temporary();
        // In reverse order, the files in a folder precede the folder.
        for path in temporary.iter().rev() {
            let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path));
        }
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        std::process::exit(128 + signal);
    }

    /// Whether the parent process set the signal to be ignored, as `nohup` does. Detected on Linux only.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.unwrap_or_default() >> (signal - 1) & 1 == 1
    }
}

#[cfg(not(unix))]
mod signals {
    /// Does nothing: these signals exist on Unix only. Elsewhere a killed program leaves its temporary files behind.
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
