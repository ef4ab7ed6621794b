//! Drawings that would crash the program: one line each, and the others are done.

use crate::{Folder, Run, fragile};
use std::process::Stdio;

const FINE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>
    <rect id='r' x='10' y='10' width='30' height='30'/></svg>";

/// Runs the fragile program on a word.
fn act(word: &str, args: &[&str]) -> Run {
    let folder = Folder::with("word.txt", word);
    let run =
        Run::from(folder.command_of(&fragile(), &[&["word.txt"], args].concat()).output().unwrap());
    let is_there = folder.path("word.out.png").exists();
    assert_eq!(is_there, run.code == Some(0), "{word}: {run:?}");
    run
}

#[test]
fn whatever_happens_is_one_line_and_1() {
    let faults = [
        ("overflow", "reading it overflowed the stack"),
        ("abort", "reading it crashed: signal: 6"),
        ("panic", "the drawing said so"),
        ("loop", "it was stopped after 2 s, while reading it; --max-seconds allows more"),
    ];
    for (word, words) in faults {
        let run = act(word, &["--max-seconds", "2"]);
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{word}: {}", run.stderr);
        assert!(
            run.stderr.starts_with("fragile: word.txt: ") && run.stderr.contains(words),
            "{word}: {}",
            run.stderr
        );
        assert_eq!(run.stderr.lines().count(), 1, "{word}: {}", run.stderr);
    }
    let run = act("no word", &[]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "fragile: word.txt: 'no word' is not a known word\n");
}

/// The reports are complete when the picture fails, so they are written, and a line says what is missing, also with -q.
#[test]
fn reports_are_written_without_the_picture() {
    for (args, cause) in [
        (&["--max-seconds", "1"][..], "it was stopped after 1 s, while painting it;"),
        (&["--trust"], "the painter failed"),
    ] {
        let word = if args.len() == 2 { "boxes and loop" } else { "boxes and fail" };
        let folder = Folder::with("word.txt", word);
        folder.write("word.out.png", "old");
        let all = [&["word.txt", "-q", "-o", "word.out.png", "--json", "word.json"], args].concat();
        let run = Run::from(folder.command_of(&fragile(), &all).output().unwrap());
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{run:?}");
        let line = format!("fragile: word.txt: there is no picture: {cause}");
        assert!(run.stderr.starts_with(&line) && run.stderr.lines().count() == 1, "{run:?}");
        assert_eq!(
            (folder.text("word.json"), folder.text("word.out.png")),
            ("{}".into(), "old".into())
        );
    }
}

#[test]
fn a_limit_says_what_exceeds_it() {
    let stops = "<stop/>".repeat(1_000_001);
    let folder = Folder::with(
        "a.svg",
        &format!(
            "<svg xmlns='http://www.w3.org/2000/svg'><linearGradient id='g'>{stops}</linearGradient></svg>"
        ),
    );
    let run = folder.run(&["a.svg"]);
    assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{run:?}");
    assert!(run.stderr.contains("elements") && run.stderr.lines().count() == 1, "{}", run.stderr);
}

#[test]
fn outputs_have_a_limit() {
    let folder = Folder::with("a.svg", FINE);
    folder.fails(
        &["a.svg", "--csv", "boxes.csv", "--max-output", "1e-7"],
        1,
        &["a.svg: its outputs exceed 0.0000001 GiB; --max-output allows more"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn memory_has_a_limit() {
    let run = act("memory", &["--max-memory", "1.5"]);
    assert_eq!(run.code, Some(1));
    let words = "reading it takes more than 1.5 GiB of memory; --max-memory allows more";
    assert_eq!(run.stderr, format!("fragile: word.txt: {words}\n"));
}

#[test]
fn a_good_drawing_passes_with_and_without_a_worker() {
    for args in [&[][..], &["--trust"]] {
        let run = act("fine", args);
        assert_eq!((run.code, &*run.stderr), (Some(0), ""));
        assert!(run.stdout.contains("all") && run.stdout.contains("is well"), "{}", run.stdout);
    }
}

/// A worker is no worker because of its environment.
#[test]
fn the_environment_alone_makes_no_worker() {
    let folder = Folder::with("a.svg", FINE);
    let mut command = folder.command(&["a.svg", "-q", "--csv", "a.csv"]);
    command.env("TREEBOUNDS_WORKER", "1").env("USVG_GUARD_WORKER", "1");
    let run = Run::from(command.output().unwrap());
    assert_eq!((run.code, folder.left()), (Some(0), vec!["a.csv".to_owned()]), "{run:?}");
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
fn boxes_do_not_depend_on_the_picture() {
    let folder = Folder::with("heavy.svg", &heavy());
    folder.write("fine.svg", FINE);
    let run =
        folder.run(&["heavy.svg", "fine.svg", "-o", ".", "--csv", "-", "--max-memory", "1.25"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let line = "svg_clips: heavy.svg: there is no picture: painting it takes more than 1.25 GiB";
    assert_eq!(run.stderr.matches(line).count(), 1, "{run:?}");
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("r,object,")).count(), 2);
    assert_eq!(run.stdout.matches("id,kind,").count(), 1, "{run:?}");
    assert_eq!(folder.left(), ["fine.bounds.png"]);

    // From standard input, which can be read only once.
    let mut command = folder.command(&["-", "--max-memory", "1.25"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), heavy().as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("stdin: there is no picture: ") && run.stdout.contains("elements"));
}

#[test]
fn a_bad_drawing_does_not_keep_others_from_being_done() {
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><clipPath id='a'/><clipPath id='b'/>
        <clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#b)'/></clipPath>
        <clipPath id='b'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>
        <rect width='9' height='9' clip-path='url(#a)'/></svg>";
    let folder = Folder::with("1.svg", FINE);
    for (name, text) in [("2.svg", "<svg"), ("3.svg", circle), ("4.svg", FINE)] {
        folder.write(name, text);
    }
    let run = folder.run(&["1.svg", "2.svg", "3.svg", "4.svg", "--csv", ".", "-q"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("svg_clips: 2.svg: "), "{run:?}");
    assert!(folder.path("1.csv").exists() && folder.path("4.csv").exists(), "{run:?}");
    let run = folder.run(&["1.svg", "2.svg", "4.svg", "--query-all"]);
    assert_eq!((run.code, run.stdout.matches("r,10,10,30,30\n").count()), (Some(1), 2), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
}

/// Archives carry named pipes; opening one would wait for a writer.
#[cfg(unix)]
#[test]
fn a_pipe_among_drawings_is_one_line() {
    let folder = Folder::with("1.svg", FINE);
    folder.write("3.svg", FINE);
    let made = std::process::Command::new("mkfifo").arg(folder.path("2.svg")).status().unwrap();
    assert!(made.success());
    let run = folder.run(&["1.svg", "2.svg", "/dev/zero", "3.svg", "--csv", ".", "-q"]);
    let lines = "svg_clips: 2.svg: this is a pipe, not a file; - reads standard input\n\
        svg_clips: /dev/zero: this is a device, not a file\n";
    assert_eq!((run.code, &*run.stderr), (Some(1), lines));
    assert_eq!(folder.left(), ["1.csv", "3.csv"]);
}

#[test]
fn names_and_messages_cannot_control_a_terminal() {
    let folder = Folder::with("a\u{1b}]0;x\u{7}.svg", "<svg");
    folder.write("b.svg", FINE);
    let run = folder.run(&["a\u{1b}]0;x\u{7}.svg", "b.svg"]);
    assert!(run.stderr.contains(r"a\u{1b}]0;x\u{7}.svg: "), "{run:?}");
    let long = "a".repeat(1 << 20);
    folder.write("c.svg", FINE.replace("<rect", &format!("<{long}:rect")));
    let run = folder.run(&["c.svg", "-q"]);
    assert!(run.stderr.lines().all(|line| line.len() < 700), "{run:?}");
    let run = folder.run(&["b.svg", "-q", "--id", &long[..1 << 16]]);
    assert!(run.code == Some(1) && run.stderr.len() < 700, "{run:?}");
}

#[test]
fn wrong_limits_are_2() {
    let folder = Folder::with("a.svg", FINE);
    for limit in [
        ["--max-seconds", "0"],
        ["--max-seconds", "NaN"],
        ["--max-memory", "0.5"],
        ["--max-output", "0"],
        ["--max-memory=-1", "--quiet"],
    ] {
        let run = folder.run(&[&["a.svg"], &limit[..]].concat());
        assert_eq!(run.code, Some(2), "{limit:?}");
    }
}
