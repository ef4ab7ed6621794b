//! Files that are ready to be put in place, and that no signal leaves behind.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{NamedTempFile, TempDir};

/// The temporary files and folders that exist now.
static NOW: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Who holds this is not interrupted by a signal.
fn now() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NOW.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new file beside a file, which it is to replace.
pub(crate) struct Staged {
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl Staged {
    /// A file in the same folder, with the permissions of the one it replaces.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        let anyone = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(anyone);
        signals::watch();
        let mut now = now();
        let file = builder.prefix(".svg_clips.").tempfile_in(folder)?;
        now.insert(file.path().to_owned());
        drop(now);
        let staged = Self { file: Some(file), path: path.to_owned() };
        if let Ok(there) = fs::metadata(path) {
            staged.file()?.set_permissions(there.permissions())?;
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
            now().remove(&path);
        }
    }
}

/// Puts files in place, all of them or, where one cannot be, those before it.
///
/// # Errors
/// The path of the file that cannot be put in place, and why.
pub(crate) fn persist(mut files: Vec<Staged>) -> Result<(), (PathBuf, io::Error)> {
    let mut now = now();
    let done = files.iter_mut().try_for_each(|staged| {
        let Some(file) = staged.file.take() else { return Ok(()) };
        let temporary = file.path().to_owned();
        let done = file.persist(&staged.path);
        now.remove(&temporary);
        done.map(drop).map_err(|error| (staged.path.clone(), error.error))
    });
    // Files that were not put in place take the lock when they are dropped.
    drop(now);
    done
}

/// A folder among temporary files, which stays only if it is kept.
pub(crate) struct Folder(Option<TempDir>);

impl Folder {
    /// A new one.
    pub(crate) fn new() -> io::Result<Self> {
        signals::watch();
        let mut now = now();
        let folder = tempfile::Builder::new().prefix("svg_clips.").tempdir()?;
        now.insert(folder.path().to_owned());
        Ok(Self(Some(folder)))
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        self.0.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// Lets it stay.
    pub(crate) fn keep(mut self) {
        if let Some(folder) = self.0.take() {
            now().remove(&folder.keep());
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(folder) = self.0.take() {
            let path = folder.path().to_owned();
            drop(folder);
            now().remove(&path);
        }
    }
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::sync::Once;

    /// Sees to it, once, that signals which end this process take the temporary files with them.
    pub(super) fn watch() {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(|| {
            let ends = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
            // Without it, a signal leaves temporary files; nothing else is lost.
            if let Ok(mut signals) = signal_hook::iterator::Signals::new(ends) {
                let watch = move || signals.forever().for_each(end);
                let _ = std::thread::Builder::new().name("treebounds signals".into()).spawn(watch);
            }
        });
    }

    fn end(signal: i32) {
        let now = super::now();
        // A folder comes before what is in it.
        for path in now.iter().rev() {
            let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path));
        }
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }

    /// Whether this process was started to ignore the signal, as by `nohup`; where Linux says so.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.unwrap_or_default() >> (signal - 1) & 1 == 1
    }
}

#[cfg(not(unix))]
mod signals {
    /// Signals are Unix's; elsewhere a program that is ended leaves its temporary files.
    pub(super) fn watch() {}
}
