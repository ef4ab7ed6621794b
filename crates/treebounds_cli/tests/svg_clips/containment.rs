//! Tests that a drawing that crashes a worker causes a one-line error, and that the other drawings
//! are still processed.

use crate::{Folder, Run, SQUARE, fragile};
use std::process::Stdio;

fn act(word: &str, args: &str) -> Run {
    let folder = Folder::with("word.txt", word);
    let mut command = folder.command_of(&fragile(), "word.txt");
    let run = Run::from(command.args(args.split_whitespace()).output().unwrap());
    let is_there = folder.path("word.out.png").exists();
    assert_eq!(is_there, run.code == Some(0), "{word}: {run:?}");
    run
}

#[test]
fn every_crash_prints_one_line_and_exits_with_code_1() {
    for (word, limits, words) in [
        ("overflow", "", "reading it overflowed the stack"),
        ("abort", "", "reading it crashed: signal: 6"),
        ("panic", "", "the drawing said so"),
        ("no word", "", "fragile: word.txt: 'no word' is not a known word"),
        (
            "loop",
            "--max-seconds 2",
            "it was stopped after 2 s, while reading it; --max-seconds allows more",
        ),
        #[cfg(target_os = "linux")]
        (
            "memory",
            "--max-memory 1.5",
            "fragile: word.txt: reading it takes more than 1.5 GiB of memory; --max-memory allows more",
        ),
    ] {
        let Run { code, stdout, stderr } = act(word, limits);
        assert_eq!((code, &*stdout, stderr.lines().count()), (Some(1), "", 1), "{word}: {stderr}");
        let is_told = stderr.starts_with("fragile: word.txt: ") && stderr.contains(words);
        assert!(is_told, "{word}: {stderr}");
    }
    for args in ["", "--trust"] {
        let run = act("fine", args);
        assert_eq!((run.code, &*run.stderr), (Some(0), ""));
        assert!(run.stdout.contains("all") && run.stdout.contains("is well"), "{}", run.stdout);
    }
}

/// If the picture fails, the reports are still written and a line names the missing output, even with -q.
#[test]
fn reports_are_written_if_the_picture_fails() {
    for (word, args, cause) in [
        ("boxes and loop", "--max-seconds 1", "it was stopped after 1 s, while painting it;"),
        ("boxes and fail", "--trust", "the painter failed"),
    ] {
        let folder = Folder::with("word.txt", word);
        folder.write("word.out.png", "old");
        let all = format!("word.txt -q -o word.out.png --json word.json {args}");
        let run = Run::from(folder.command_of(&fragile(), &all).output().unwrap());
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{run:?}");
        let line = format!("fragile: word.txt: there is no picture: {cause}");
        assert!(run.stderr.starts_with(&line) && run.stderr.lines().count() == 1, "{run:?}");
        let written = (folder.text("word.json"), folder.text("word.out.png"));
        assert_eq!(written, ("{}".into(), "old".into()));
    }
}

#[test]
fn outputs_exceeding_the_limit_are_rejected() {
    Folder::with("a.svg", SQUARE).check_failure(
        "a.svg --csv boxes.csv --max-output 1e-7",
        1,
        &["a.svg: its outputs exceed 0.0000001 GiB; --max-output allows more"],
    );
}

#[test]
fn environment_variables_alone_do_not_start_a_worker() {
    let folder = Folder::with("a.svg", SQUARE);
    let mut command = folder.command("a.svg -q --csv a.csv");
    command.env("TREEBOUNDS_WORKER", "1").env("USVG_GUARD_WORKER", "1");
    let run = Run::from(command.output().unwrap());
    assert_eq!((run.code, folder.other_files()), (Some(0), vec!["a.csv".to_owned()]), "{run:?}");
    for flag in ["--usvg-guard-worker=1:drawing", "--usvg-guard-worker=1.svg"] {
        let run = folder.run(&format!("{flag} a.svg"));
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "a name alone makes none: {run:?}");
        let named = folder.command(&format!("-q --no-picture -- a.svg {flag}")).output();
        let run = Run::from(named.unwrap());
        assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{run:?}");
    }
}

/// The picture needs a GiB of memory; the boxes need almost nothing.
#[cfg(target_os = "linux")]
#[test]
fn boxes_are_printed_if_the_picture_runs_out_of_memory() {
    let floods = "<feFlood flood-opacity='0.5'/>".repeat(150);
    let heavy = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1000' height='1000'><filter id='f'>{floods}</filter>
        <rect id='r' width='1000' height='1000' filter='url(#f)'/></svg>"
    );
    let folder = Folder::with("heavy.svg", &heavy);
    folder.write("fine.svg", SQUARE);
    let run = folder.run("heavy.svg fine.svg -o . --csv - --max-memory 1.25");
    assert_eq!(run.code, Some(1), "{run:?}");
    let line = "svg_clips: heavy.svg: there is no picture: painting it takes more than 1.25 GiB";
    assert_eq!(run.stderr.matches(line).count(), 1, "{run:?}");
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("r,object,")).count(), 2);
    assert_eq!(run.stdout.matches("id,kind,").count(), 1, "{run:?}");
    assert_eq!(folder.other_files(), ["fine.bounds.png"]);

    // Standard input can be read only once.
    let mut command = folder.command("- --max-memory 1.25");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), heavy.as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "the picture was not asked for");
    assert!(run.stderr.contains("note: there is no picture: ") && run.stdout.contains("elements"));
}

#[test]
fn boxes_are_printed_before_a_slow_picture() {
    let floods = "<feTurbulence numOctaves='9'/>".repeat(9);
    let slow = "<rect width='2000' height='2000' filter='url(#f)'/>".repeat(99);
    let folder = Folder::with(
        "slow.svg",
        &format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='2000'><filter id='f'>{floods}</filter>{slow}</svg>"
        ),
    );
    let run = folder.run("slow.svg --max-seconds 4");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("99 draws") && run.stdout.contains("backend"), "{run:?}");
    let note = "note: there is no picture: it was stopped after 4 s, while painting it;";
    assert!(run.stderr.starts_with(note), "{run:?}");
    assert!(folder.other_files().is_empty());
}

#[test]
fn a_bad_drawing_does_not_stop_the_others() {
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><clipPath id='a'/><clipPath id='b'/>
        <clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#b)'/></clipPath>
        <clipPath id='b'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>
        <rect width='9' height='9' clip-path='url(#a)'/></svg>";
    let folder = Folder::with("1.svg", SQUARE);
    for (name, text) in [("2.svg", "<svg"), ("3.svg", circle), ("4.svg", SQUARE)] {
        folder.write(name, text);
    }
    let run = folder.run("1.svg 2.svg 3.svg 4.svg --csv . -q");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("svg_clips: 2.svg: "), "{run:?}");
    assert!(folder.path("1.csv").exists() && folder.path("4.csv").exists(), "{run:?}");
    let run = folder.run("1.svg 2.svg 4.svg --query-all");
    assert_eq!((run.code, run.stdout.matches("r,10,10,30,30\n").count()), (Some(1), 2), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
}

/// Archives may contain named pipes. Opening one would wait for a writer.
#[cfg(unix)]
#[test]
fn a_named_pipe_among_drawings_fails_with_one_line() {
    let folder = Folder::with("1.svg", SQUARE);
    folder.write("3.svg", SQUARE);
    let made = std::process::Command::new("mkfifo").arg(folder.path("2.svg")).status().unwrap();
    assert!(made.success());
    let run = folder.run("1.svg 2.svg /dev/zero 3.svg --csv . -q");
    let lines = "svg_clips: 2.svg: this is a pipe, not a file; - reads standard input\n\
        svg_clips: /dev/zero: this is a device, not a file\n";
    assert_eq!((run.code, &*run.stderr), (Some(1), lines));
    assert_eq!(folder.other_files(), ["1.csv", "3.csv"]);
}

#[test]
fn names_and_messages_are_escaped() {
    let folder = Folder::with("a\u{1b}]0;x\u{7}.svg", "<svg");
    folder.write("b.svg", SQUARE);
    let run = folder.run("a\u{1b}]0;x\u{7}.svg b.svg");
    assert!(run.stderr.contains(r"a\u{1b}]0;x\u{7}.svg: "), "{run:?}");
    for args in ["b.svg --\u{1b}]0;x\u{7}", "b.svg --only \u{1b}[31m", "-\u{9b}31m"] {
        let run = folder.run(args);
        let is_odd = |letter: char| letter.is_control() && letter != '\n';
        assert!(run.code == Some(2) && !run.stderr.contains(is_odd), "{run:?}");
    }
    let long = "a".repeat(1 << 20);
    folder.write("c.svg", SQUARE.replace("<rect", &format!("<{long}:rect")));
    let run = folder.run("c.svg -q");
    assert!(run.stderr.lines().all(|line| line.len() < 700), "{run:?}");
    let run = folder.run(&format!("b.svg -q --id {}", &long[..1 << 16]));
    assert!(run.code == Some(1) && run.stderr.len() < 700, "{run:?}");
}
