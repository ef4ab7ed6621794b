//! Tests that outputs are written completely or not at all, to the right place, and that old files
//! survive until then.

use crate::{Folder, Run, SQUARE, fragile};
use std::{
    fs,
    os::unix::{fs::symlink, process::ExitStatusExt},
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Creates a folder with `drawing.svg` and `old.png`, which contains the text `old`.
fn folder() -> Folder {
    let folder = Folder::with("drawing.svg", SQUARE);
    folder.write("old.png", "old");
    folder
}

/// Returns exit code and standard error.
fn run(folder: &Folder, args: &str) -> (Option<i32>, String) {
    let Run { code, stderr, .. } = folder.run(&format!("drawing.svg {args}"));
    (code, stderr)
}

/// Runs a shell script followed by the program.
fn shell(folder: &Folder, script: &str) -> (Option<i32>, String) {
    let mut command = folder.command_of(Path::new("sh"), "-c");
    command.arg(script).arg(env!("CARGO_BIN_EXE_svg_clips"));
    let Run { code, stderr, .. } = command.output().unwrap().into();
    (code, stderr)
}

fn line(said: &str) -> (Option<i32>, String) {
    (Some(1), format!("svg_clips: {said}\n"))
}

fn is_png(path: &Path) -> bool {
    fs::read(path).unwrap().starts_with(b"\x89PNG")
}

#[test]
fn links_are_followed_and_stay_links() {
    let folder = folder();
    let at = |name: &str| folder.path(name);
    fs::create_dir(at("far")).unwrap();
    for (target, name) in [
        ("far/new.png", "dangling.png"),
        ("dangling.png", "twice.png"),
        ("old.png", "link.png"),
        ("loop-b", "loop-a"),
        ("loop-a", "loop-b"),
        ("nowhere/new.png", "lost.png"),
    ] {
        symlink(target, at(name)).unwrap();
    }
    assert_eq!(run(&folder, "-o twice.png --json /dev/null").0, Some(0));
    assert_eq!(run(&folder, "-o link.png").0, Some(0));
    assert!(is_png(&at("far/new.png")) && is_png(&at("old.png")));
    assert!(!Path::new("/dev/null").is_file(), "a device stays a device");
    assert_eq!(run(&folder, "-o loop-a"), line("loop-a: its symbolic links form a loop"));
    let lost = line("lost.png: there is no such file or folder");
    assert_eq!(run(&folder, "-o lost.png"), lost);
    for name in ["dangling.png", "twice.png", "link.png", "loop-a", "lost.png"] {
        assert!(at(name).is_symlink(), "{name}");
    }
}

/// The name is predictable, so a stranger may have planted a link in the folder.
#[test]
fn chosen_names_follow_no_link() {
    let folder = folder();
    folder.write("precious", "precious");
    for name in ["drawing.bounds.png", "drawing.csv"] {
        symlink("precious", folder.path(name)).unwrap();
    }
    assert_eq!(run(&folder, "-q").0, Some(0));
    assert_eq!(run(&folder, "--csv ./").0, Some(0));
    assert_eq!(folder.text("precious"), "precious");
    assert!(is_png(&folder.path("drawing.bounds.png")));
    assert!(folder.path("drawing.csv").symlink_metadata().unwrap().is_file());
}

/// The content is new, so it must not inherit special rights.
#[test]
fn outputs_keep_permissions_without_special_bits() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let mode = |mode| fs::set_permissions(folder.path("old.png"), fs::Permissions::from_mode(mode));
    mode(0o6751).unwrap();
    assert_eq!(run(&folder, "-o old.png").0, Some(0));
    let new = fs::metadata(folder.path("old.png")).unwrap().permissions().mode();
    assert_eq!(new & 0o7777, 0o751);
}

#[test]
fn outputs_never_replace_a_later_input() {
    let folder = folder();
    folder.write("drawing.bounds.png", SQUARE);
    fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/drawing.csv", SQUARE);
    symlink("out/drawing.csv", folder.path("z.svg")).unwrap();
    for args in ["drawing.bounds.png", "z.svg --csv out", "z.svg --csv z.svg", "z.svg -o out/"] {
        let (code, said) = run(&folder, args);
        let is_refused = args != "z.svg -o out/";
        assert_eq!(code, Some(if is_refused { 2 } else { 0 }), "{args}: {said}");
        for name in ["drawing.bounds.png", "out/drawing.csv"] {
            assert_eq!(folder.text(name), SQUARE, "{args}");
        }
    }
}

#[test]
fn a_trailing_slash_marks_a_folder() {
    let folder = folder();
    assert_eq!(run(&folder, "-o new/").0, Some(0));
    assert!(is_png(&folder.path("new/drawing.bounds.png")));
    folder.write("bad.svg", "<svg");
    let bad = folder.run("bad.svg --csv other/");
    assert_eq!((bad.code, folder.path("other").exists()), (Some(1), false), "{bad:?}");
    let several = folder.run("bad.svg drawing.svg --csv several");
    assert_eq!((several.code, folder.path("several/drawing.csv").exists()), (Some(1), true));
}

/// The report fits within the size limit for a file; the page does not.
#[test]
fn an_incomplete_page_keeps_all_old_files() {
    let folder = folder();
    let script = r#"ulimit -f 64; exec "$0" drawing.svg --json new.json --html old.png"#;
    let too_large = line("old.png: the file would exceed the size limit of this process");
    assert_eq!(shell(&folder, script), too_large);
    assert_eq!(
        (folder.text("old.png"), folder.other_files()),
        ("old".into(), vec!["old.png".into()])
    );
    assert_eq!(run(&folder, "--json new.json").0, Some(0));
    assert!(folder.read("new.json").len() < 64 * 512, "the report alone fits");
}

#[test]
fn two_outputs_to_one_file_are_rejected() {
    let folder = folder();
    for (target, name) in [("target", "dangling"), ("old.png", "link"), ("drawing.svg", "input")] {
        symlink(target, folder.path(name)).unwrap();
    }
    for args in [
        "-o dangling --json target",
        "--csv target --html dangling",
        "-o link --json old.png",
        "-o ./old.png --csv old.png",
        "-o input",
        "--json ./drawing.svg",
    ] {
        let (code, said) = run(&folder, args);
        assert_eq!(code, Some(2), "{args}: {said}");
        assert!(said.contains("an input or another output already"), "{said}");
    }
    assert_eq!(folder.names(), ["dangling", "drawing.svg", "input", "link", "old.png"]);
    assert_eq!((folder.text("drawing.svg"), folder.text("old.png")), (SQUARE.into(), "old".into()));
}

#[test]
fn pipes_without_a_reader_fail_and_others_receive_everything() {
    let folder = folder();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(run(&folder, "--json pipe -o old.png"), line("pipe: no one reads this pipe"));
    assert_eq!(folder.text("old.png"), "old");

    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    // The reader may open the pipe a little later.
    wait_until("the reader comes", || run(&folder, "--json pipe").0 == Some(0));
    let read = reader.wait_with_output().unwrap().stdout;
    let report: serde_json::Value = serde_json::from_slice(&read).unwrap();
    assert_eq!(report["summary"]["draws"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn full_devices_and_closed_streams_exit_with_code_1() {
    let folder = folder();
    let full = "no space is left on the device";
    for args in ["", "--json -", "-o -", "--query-all", "--html - -q"] {
        let script = format!(r#"exec "$0" drawing.svg --backend cpu {args} >/dev/full"#);
        let (code, said) = shell(&folder, &script);
        let last = said.lines().last().unwrap_or_default().to_owned() + "\n";
        assert_eq!((code, last), line(&format!("stdout: {full}")), "{args}");
    }
    let device = run(&folder, "--json /dev/full -o old.png");
    assert_eq!(device, line(&format!("/dev/full: {full}")));
    assert_eq!(folder.text("old.png"), "old");
    for option in ["-o", "--json", "--csv", "--html"] {
        let script = format!(r#"exec "$0" drawing.svg {option} - >&-"#);
        assert_eq!(shell(&folder, &script), line("stdout: it is closed"), "{option}");
    }
}

#[test]
fn closing_the_pipe_early_is_not_an_error() {
    let folder = folder();
    for args in ["", "--csv -", "--query-all", "-q --json -"] {
        let mut command = folder.command("drawing.svg --backend cpu");
        let mut child = command.args(args.split_whitespace()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.contains("svg_clips: ")), (Some(0), false), "{args}");
    }
}

/// Starts the example that writes half of its picture and then hangs.
fn start_unfinished(folder: &Folder) -> Child {
    folder.write("half.txt", "half");
    // A background job of a shell starts with SIGINT ignored, and its children inherit that.
    let mut command = if cfg!(target_os = "linux") {
        let mut command = folder.command_of(Path::new("env"), "--default-signal=INT,TERM,HUP");
        command.arg(fragile());
        command
    } else {
        folder.command_of(&fragile(), "")
    };
    let child = command.args(["half.txt", "-o", "old.png"]).spawn().unwrap();
    wait_until("half is written", || {
        let has = |name: &String| name.starts_with(".svg_clips.");
        folder.path("worker").exists() && folder.names().iter().any(has)
    });
    child
}

/// Waits for a condition; fails after a minute.
fn wait_until(what: &str, is_done: impl Fn() -> bool) {
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
fn signals_leave_only_the_old_file() {
    #[cfg(target_os = "linux")]
    let others = [
        ("VTALRM", 26),
        ("PROF", 27),
        ("IO", 29),
        ("PWR", 30),
        ("SYS", 31),
        ("ABRT", 6),
        ("40", 40),
    ];
    #[cfg(not(target_os = "linux"))]
    let others = [("VTALRM", 26)];
    let usual = [("INT", 2), ("TERM", 15), ("HUP", 1), ("XCPU", 24)];
    for (name, number) in usual.into_iter().chain(others) {
        let folder = folder();
        let child = start_unfinished(&folder);
        // SIGPIPE alone does not end the program.
        signal("PIPE", &child);
        signal(name, &child);
        let output = child.wait_with_output().unwrap();
        let status = output.status;
        let ended = status.signal().or(status.code().map(|code| code - 128));
        assert_eq!(ended, Some(number), "{name}: as the shell expects");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        let left = folder.names();
        assert_eq!(left, ["drawing.svg", "half.txt", "old.png", "worker"], "{name}");
        assert_eq!(folder.text("old.png"), "old", "{name}");
    }
}

/// Even if nothing can be cleaned up, the worker must not keep running.
#[cfg(target_os = "linux")]
#[test]
fn workers_end_with_their_parent() {
    let folder = folder();
    let child = start_unfinished(&folder);
    let worker = folder.text("worker");
    let process = Path::new("/proc").join(worker);
    assert!(process.exists());
    signal("KILL", &child);
    child.wait_with_output().unwrap();
    let is_gone = || match fs::read_to_string(process.join("stat")) {
        // An ended process stays listed until its parent waits for it.
        Ok(stat) => stat.contains(") Z "),
        Err(_) => true,
    };
    wait_until("the worker ends", is_gone);
    assert_eq!(folder.text("old.png"), "old");
}
