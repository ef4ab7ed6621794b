//! Drawings that would take the program down: one line each, and the others are done.
#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(target_os = "linux")]
use std::io::Write;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

const FINE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>
    <rect id='r' x='10' y='10' width='30' height='30'/></svg>";

/// The example that does what its drawing says: Cargo builds it before it runs all tests of this package.
fn fragile() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let name = profile.join("examples").join("fragile");
    let program = name.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: cargo build --examples", program.display());
    program
}

/// Exit code, standard output, standard error.
fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Runs the fragile program on a word.
fn act(word: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("word.txt"), word).unwrap();
    let mut command = Command::new(fragile());
    command.current_dir(&folder).arg("word.txt").args(args);
    let told = told(command.output().unwrap());
    let is_there = folder.path().join("word.out.png").exists();
    assert_eq!(is_there, told.0 == Some(0), "{word}: {told:?}");
    told
}

fn svg_clips(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svg_clips"));
    command.current_dir(folder).args(args).args(["--backend", "cpu"]).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn whatever_happens_is_one_line_and_1() {
    let faults = [
        ("overflow", "the program crashed on it: its stack overflowed"),
        ("abort", "the program crashed on it"),
        ("panic", "the drawing said so"),
        ("loop", "reading it took more than 2 s and was stopped; --max-seconds allows more"),
    ];
    for (word, words) in faults {
        let (code, out, said) = act(word, &["--max-seconds", "2"]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{word}: {said}");
        assert!(said.starts_with("fragile: word.txt: ") && said.contains(words), "{word}: {said}");
        assert_eq!(said.lines().count(), 1, "{word}: {said}");
    }
    let (code, _, said) = act("no word", &[]);
    assert_eq!(code, Some(1));
    assert_eq!(said, "fragile: word.txt: 'no word' is no word that is known\n");
}

#[test]
fn a_limit_says_what_it_is_about() {
    let folder = TempDir::new().unwrap();
    let stops = "<stop/>".repeat(1_000_001);
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg'><linearGradient id='g'>{stops}</linearGradient></svg>"
    );
    fs::write(folder.path().join("a.svg"), text).unwrap();
    let (code, out, said) = told(svg_clips(&folder, &["a.svg"]).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(1), ""), "{said}");
    let words = "<linearGradient id=\"g\"> alone has 1000002 elements such as <stop> inside";
    assert!(said.contains(words), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_has_a_limit() {
    let (code, _, said) = act("memory", &["--max-memory", "1.5"]);
    assert_eq!(code, Some(1));
    let words = "reading it needs more than 1.5 GiB of memory; --max-memory allows more";
    assert_eq!(said, format!("fragile: word.txt: {words}\n"));
}

#[test]
fn what_is_fine_passes_with_and_without_a_worker() {
    for args in [&[][..], &["--trust"]] {
        let (code, out, said) = act("fine", args);
        assert_eq!((code, said.as_str()), (Some(0), ""));
        assert!(out.contains("all") && out.contains("is well"), "{out}");
    }
}

/// A drawing whose picture needs a GiB and whose boxes need nothing.
#[cfg(target_os = "linux")]
fn heavy() -> String {
    let floods = "<feFlood flood-opacity='0.5'/>".repeat(150);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1000' height='1000'><filter id='f'>{floods}</filter>
        <rect id='r' width='1000' height='1000' filter='url(#f)'/></svg>"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn boxes_are_given_where_only_painting_is_too_much() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("heavy.svg"), heavy()).unwrap();
    fs::write(folder.path().join("fine.svg"), FINE).unwrap();
    let args = ["heavy.svg", "fine.svg", "-o", ".", "--csv", "-", "--max-memory", "1.25"];
    let (code, out, said) = told(svg_clips(&folder, &args).output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    let note = "note: the drawing is not in the picture: painting it needs more than 1.25 GiB";
    assert_eq!(said.matches(note).count(), 1, "{said}");
    assert_eq!(out.lines().filter(|line| line.starts_with("r,object,")).count(), 2, "{out}");
    assert_eq!(out.matches("id,kind,").count(), 1, "told once: {out}");
    for file in ["heavy.bounds.png", "fine.bounds.png"] {
        assert!(fs::read(folder.path().join(file)).unwrap().starts_with(b"\x89PNG"), "{file}");
    }

    // From standard input, which can be read only once.
    let mut child =
        svg_clips(&folder, &["-", "--max-memory", "1.25"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(heavy().as_bytes()).unwrap();
    let (code, out, said) = told(child.wait_with_output().unwrap());
    assert!(code == Some(0) && said.contains(note) && out.contains("stdin.bounds.png"), "{said}");
}

#[test]
fn a_bad_drawing_does_not_keep_others_from_being_done() {
    let folder = TempDir::new().unwrap();
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><clipPath id='a'/><clipPath id='b'/>
        <clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#b)'/></clipPath>
        <clipPath id='b'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>
        <rect width='9' height='9' clip-path='url(#a)'/></svg>";
    for (name, text) in [("1.svg", FINE), ("2.svg", "<svg"), ("3.svg", circle), ("4.svg", FINE)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let args = ["1.svg", "2.svg", "3.svg", "4.svg", "--csv", ".", "-q"];
    let (code, _, said) = told(svg_clips(&folder, &args).output().unwrap());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("svg_clips: 2.svg: "), "{said}");
    assert!(folder.path().join("1.csv").exists() && folder.path().join("4.csv").exists(), "{said}");
}

#[test]
fn wrong_limits_are_2() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.svg"), FINE).unwrap();
    for limit in [
        ["--max-seconds", "0"],
        ["--max-seconds", "NaN"],
        ["--max-memory", "0.5"],
        ["--max-memory=-1", "--quiet"],
    ] {
        let code = svg_clips(&folder, &[&["a.svg"], &limit[..]].concat()).output().unwrap();
        assert_eq!(code.status.code(), Some(2), "{limit:?}");
    }
}
