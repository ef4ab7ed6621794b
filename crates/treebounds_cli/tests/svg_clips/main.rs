//! Tests `svg_clips` from a shell: exit codes, streams and files.
#![allow(clippy::unwrap_used, clippy::panic)]

mod containment;
mod ids;
mod inspect;
#[cfg(unix)]
mod outputs;
mod program;

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

const SQUARE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>
    <rect id='r' x='10' y='10' width='30' height='30'/></svg>";

struct Folder(TempDir);

#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Folder {
    fn with(name: &str, drawing: &str) -> Self {
        let folder = Self(TempDir::new().unwrap());
        folder.write(name, drawing);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, data: impl AsRef<[u8]>) {
        fs::write(self.path(name), data).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns a command that runs the program with these arguments, which are separated by spaces.
    fn command(&self, args: &str) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_svg_clips")), args)
    }

    fn command_of(&self, program: &Path, args: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).args(args.split_whitespace()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        // Without a private folder in this variable, Mesa's Vulkan drivers print to standard error.
        command.env("XDG_RUNTIME_DIR", self.0.path());
        command
    }

    /// Runs the program with the CPU backend.
    fn run(&self, args: &str) -> Run {
        self.command(args).args(["--backend", "cpu"]).output().unwrap().into()
    }

    /// Runs the program with the CPU backend. Expects the exit code and an empty standard error.
    #[track_caller]
    fn check_run(&self, args: &str, code: i32) -> String {
        let Run { code: found, stdout, stderr } = self.run(args);
        assert_eq!((found, &*stderr), (Some(code), ""), "{args}");
        stdout
    }

    #[track_caller]
    fn report(&self, args: &str) -> Value {
        serde_json::from_str(&self.check_run(&format!("{args} --json - -q"), 0)).unwrap()
    }

    #[track_caller]
    fn csv(&self, args: &str) -> String {
        self.check_run(&format!("{args} --csv - -q"), 0)
    }

    /// Lists the files in the folder, sorted.
    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// Lists the files in the folder except the drawings.
    fn other_files(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| !name.ends_with(".svg"));
        names
    }

    /// Runs and expects an error: one line with these words, the exit code, and no new files.
    #[track_caller]
    fn check_failure(&self, args: &str, code: i32, words: &[&str]) {
        let run = self.run(args);
        assert_eq!(run.code, Some(code), "{args}: {}", run.stderr);
        if code == 1 {
            assert_eq!(run.stderr.lines().count(), 1, "{args}: {}", run.stderr);
            assert!(run.stderr.starts_with("svg_clips: "), "{args}: {}", run.stderr);
        }
        for word in words {
            assert!(run.stderr.contains(word), "{args}: {} lacks {word}", run.stderr);
        }
        assert_eq!(run.stdout, "", "{args}");
        assert_eq!(self.other_files(), [""; 0], "{args}");
    }
}

/// Returns the path of the example that crashes on demand. Cargo builds it before running the tests of this
/// package.
fn fragile() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let name = profile.join("examples").join("fragile");
    let program = name.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: cargo build --examples", program.display());
    program
}
