//! Outputs: whole or not there, where they are wanted, and the old file kept until then.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::{
    fs::{self, File},
    os::unix::{fs::symlink, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const DRAWING: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>
    <rect id='r' x='10' y='10' width='30' height='30'/></svg>";

/// A folder with `drawing.svg`, and `old.png` with the text `old`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("drawing.svg"), DRAWING).unwrap();
    fs::write(folder.path().join("old.png"), "old").unwrap();
    folder
}

fn svg_clips(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svg_clips"));
    command.current_dir(folder).args(["drawing.svg", "--backend", "cpu"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    told(svg_clips(folder, args).output().unwrap())
}

/// Exit code and standard error.
fn told(output: Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn is_png(path: &Path) -> bool {
    fs::read(path).unwrap().starts_with(b"\x89PNG")
}

#[test]
fn links_are_followed_and_stay_links() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("far")).unwrap();
    symlink("far/new.png", at("dangling.png")).unwrap();
    symlink("dangling.png", at("twice.png")).unwrap();
    assert_eq!(run(folder.path(), &["-o", "twice.png"]).0, Some(0));
    assert!(is_png(&at("far/new.png")));
    assert!(at("twice.png").is_symlink() && at("dangling.png").is_symlink());

    symlink("loop-b", at("loop-a")).unwrap();
    symlink("loop-a", at("loop-b")).unwrap();
    let (code, said) = run(folder.path(), &["-o", "loop-a"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("loop-a: its links lead round in a circle"), "{said}");
    symlink("nowhere/new.png", at("lost.png")).unwrap();
    let (code, said) = run(folder.path(), &["-o", "lost.png"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("lost.png: there is no such file or folder"), "{said}");
    assert!(at("loop-a").is_symlink() && at("lost.png").is_symlink());
}

#[test]
fn two_outputs_never_go_to_one_file() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    symlink("target", at("dangling")).unwrap();
    symlink("old.png", at("link")).unwrap();
    symlink("drawing.svg", at("input")).unwrap();
    let wrong: [&[&str]; 6] = [
        &["-o", "dangling", "--json", "target"],
        &["--csv", "target", "--html", "dangling"],
        &["-o", "link", "--json", "old.png"],
        &["-o", "./old.png", "--csv", "old.png"],
        &["-o", "input"],
        &["--json", "./drawing.svg"],
    ];
    for args in wrong {
        let (code, said) = run(folder.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains("the input or another output already"), "{said}");
    }
    assert_eq!(names(folder.path()), ["dangling", "drawing.svg", "input", "link", "old.png"]);
    assert_eq!(fs::read_to_string(at("drawing.svg")).unwrap(), DRAWING);
    assert_eq!(fs::read_to_string(at("old.png")).unwrap(), "old");
}

#[test]
fn a_pipe_that_no_one_reads_is_an_error_and_one_that_is_read_gets_all() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (code, said) = run(folder.path(), &["--json", "pipe", "-o", "old.png"]);
    assert_eq!((code, said.as_str()), (Some(1), "svg_clips: pipe: no one reads this pipe\n"));
    assert_eq!(fs::read_to_string(folder.path().join("old.png")).unwrap(), "old");

    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    // The reader may open the pipe a little later.
    let start = Instant::now();
    while run(folder.path(), &["--json", "pipe"]).0 != Some(0) {
        assert!(start.elapsed() < Duration::from_secs(60), "the reader does not come");
    }
    let read = reader.wait_with_output().unwrap().stdout;
    let report: serde_json::Value = serde_json::from_slice(&read).unwrap();
    assert_eq!(report["summary"]["draws"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_to_standard_output_is_1() {
    let folder = folder();
    for args in [&[][..], &["--json", "-"], &["-o", "-"], &["--query-all"], &["--html", "-", "-q"]]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (code, said) = told(svg_clips(folder.path(), args).stdout(full).output().unwrap());
        assert_eq!(code, Some(1), "{args:?}: {said}");
        assert!(said.contains("stdout: no space is left on the device"), "{args:?}: {said}");
    }
    let (code, said) = run(folder.path(), &["--json", "/dev/full", "-o", "old.png"]);
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("old.png")).unwrap(), "old");
    for option in ["-o", "--json", "--csv", "--html"] {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"exec "$0" drawing.svg "$1" - >&-"#]);
        shell.arg(env!("CARGO_BIN_EXE_svg_clips")).arg(option).current_dir(&folder);
        let (code, said) = told(shell.output().unwrap());
        assert_eq!(
            (code, said.as_str()),
            (Some(1), "svg_clips: stdout: it is closed\n"),
            "{option}"
        );
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = folder();
    for args in [&[][..], &["--csv", "-"], &["--query-all"]] {
        let mut child = svg_clips(folder.path(), args).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0), "{args:?}");
    }
}

/// A full file system; `None` where none can be mounted.
struct Full(PathBuf);

impl Full {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"]).arg(&at).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(at))
    }
}

impl Drop for Full {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = folder();
    // Where none can be mounted, as without the right to, devices stand in: see the test of standard output.
    let Some(full) = Full::mount(folder.path().join("full")) else { return };
    fs::write(full.0.join("old.png"), "old").unwrap();
    let (code, said) = run(folder.path(), &["-o", "full/old.png", "--json", "small.json"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("full/old.png: no space is left on the device"), "{said}");
    assert_eq!(fs::read_to_string(full.0.join("old.png")).unwrap(), "old");
    assert_eq!(names(&full.0), ["old.png"]);
    assert!(!folder.path().join("small.json").exists(), "all or none");
}

/// The example that does what its drawing says, having written half of its picture.
fn half(folder: &Path) -> Child {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples").join("fragile");
    fs::write(folder.join("half.txt"), "half").unwrap();
    // A test that runs in the background of a shell is started to ignore SIGINT, and so would be what it starts.
    let mut command = if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(folder).args(["half.txt", "-o", "old.png"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("half is written", || {
        let has = |name: &String| name.starts_with(".svg_clips.");
        folder.join("worker").exists() && names(folder).iter().any(has)
    });
    child
}

/// Waits, and fails where it takes a minute.
fn until(what: &str, is_done: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: not after a minute");
        sleep(Duration::from_millis(20));
    }
}

fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_signal_leaves_the_old_file_and_nothing_else() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let folder = folder();
        let child = half(folder.path());
        // A closed pipe elsewhere ends nothing.
        signal("PIPE", &child);
        signal(name, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(number), "{name}: as the shell expects");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        let left = names(folder.path());
        assert_eq!(left, ["drawing.svg", "half.txt", "old.png", "worker"], "{name}");
        assert_eq!(fs::read_to_string(folder.path().join("old.png")).unwrap(), "old", "{name}");
    }
}

/// Even where nothing can be cleaned up, the worker does not go on alone.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_ends_with_its_program() {
    let folder = folder();
    let child = half(folder.path());
    let worker = fs::read_to_string(folder.path().join("worker")).unwrap();
    let process = Path::new("/proc").join(worker);
    assert!(process.exists());
    signal("KILL", &child);
    child.wait_with_output().unwrap();
    let is_gone = || match fs::read_to_string(process.join("stat")) {
        // What has ended may wait for its parent to look.
        Ok(stat) => stat.contains(") Z "),
        Err(_) => true,
    };
    until("the worker ends", is_gone);
    assert_eq!(fs::read_to_string(folder.path().join("old.png")).unwrap(), "old");
}
