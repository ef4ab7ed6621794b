//! Runs an example from a shell: exit code, streams and files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

pub(crate) struct Program {
    name: &'static str,
    pub(crate) folder: TempDir,
}

pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Program {
    /// Finds the example with this name. Cargo builds it before running all tests of this package,
    /// but not before running a single test, so an outdated build is rejected.
    pub(crate) fn new(name: &'static str) -> Self {
        let this = Self { name, folder: TempDir::new().unwrap() };
        let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let shared = fs::read_dir(package.join("src")).unwrap().map(|file| file.unwrap().path());
        let mut sources = shared.chain([package.join(name).with_extension("rs")]);
        let (built, program) = (modified(&this.path()), this.path());
        let is_new = built.is_some() && sources.all(|source| modified(&source) <= built);
        assert!(is_new, "{} is old: cargo build --examples", program.display());
        this
    }

    fn path(&self) -> PathBuf {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        let program = profile.join("examples").join(self.name);
        program.with_extension(std::env::consts::EXE_EXTENSION)
    }

    pub(crate) fn path_of(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        let mut command = Command::new(self.path());
        command.current_dir(&self.folder).args(args).stdin(Stdio::null());
        // Without this, Mesa prints its own error to the standard error that tests read.
        command.env("XDG_RUNTIME_DIR", self.folder.path());
        let output = command.output().unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs and expects an error: one line with these words.
    pub(crate) fn check_failure(&self, args: &[&str], words: &[&str]) {
        let run = self.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{args:?}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{args:?}: {}", run.stderr);
        assert!(run.stderr.starts_with(&format!("{}: ", self.name)), "{}", run.stderr);
        for word in words {
            assert!(run.stderr.contains(word), "{args:?}: {} lacks {word}", run.stderr);
        }
    }
}
