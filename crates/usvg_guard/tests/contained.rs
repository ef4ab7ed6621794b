//! Checks that a child cannot harm its parent. The program is its own worker, so this test has
//! its own `main`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, hint::black_box};
use usvg_guard::contain::{Ended, Limits, Messages, Pool, arguments, serve};
use usvg_guard::{Error, Guard, usvg};

fn main() {
    serve("act", |job: String, out| act(&job, out));
    // cargo-nextest requests the names of all tests, and then the names of the ignored tests.
    let has = |option| std::env::args().any(|argument| argument == option);
    if has("--list") {
        return print!("{}", if has("--ignored") { "" } else { "contained: test\n" });
    }
    if has(FLAG) {
        return println!("an ordinary run");
    }
    let guard = Guard::new(usvg::Options::default);
    every_failure_of_a_worker_is_an_error();
    the_flag_alone_starts_no_worker();
    threads_get_the_same_tree_as_usvg(&guard);
    bombs_are_stopped(&guard);
    println!("test result: ok");
}

/// The work of the test worker.
fn act(job: &str, out: &mut Messages) -> Result<(), String> {
    #[allow(unconditional_recursion)]
    fn recurse(levels: u64) -> u64 {
        black_box([levels; 64])[0] + recurse(levels + 1)
    }
    match job {
        "abort" => std::process::abort(),
        "loop" => std::thread::sleep(Duration::from_secs(99)),
        "memory" => drop(black_box(vec![1_u8; 3 << 30])),
        "stack" => drop(black_box(recurse(0))),
        "panic" => panic!("first line\nsecond \u{1b}[31m line"),
        "one" => out.send(&"a".repeat(2 << 20))?,
        "many" => (0..100).try_for_each(|_| out.send(&"a".repeat(100_000)))?,
        "error" => return Err("\u{202e}no\n".repeat(9999)),
        "print" => println!("this is not a message"),
        "exit" => std::process::exit(3),
        _ => {}
    }
    out.send(&format!("{job}, with {} arguments", arguments().map_or(0, |all| all.len())))
}

/// Returns the peak memory of this process in MiB.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).map_or(0, |kib| kib.parse::<u64>().unwrap() >> 10)
}

fn every_failure_of_a_worker_is_an_error() {
    let (pool, start) = (Pool::new("act", ["one".into(), "two".into()]), Instant::now());
    for (job, line) in [
        ("hello", "hello, with 3 arguments"),
        ("print", "print, with 3 arguments"),
        ("abort", "the program crashed on it: signal: 6"),
        ("loop", "it took more than 0.5 s; allow more time"),
        #[cfg(target_os = "linux")]
        ("memory", "it needs more than 1 GiB of memory and was stopped"),
        ("stack", "the stack overflowed"),
        ("panic", "the program crashed on it: panicked at"),
        ("one", "the result has more than 1 MiB"),
        ("many", "the result has more than 5 MiB"),
        ("error", "\\u{202e}no \\u{202e}no "),
        ("exit", "does main begin with contain::serve?"),
        ("again", "again, with 3 arguments"),
    ] {
        let time = Duration::from_millis(if job == "loop" { 500 } else { 30_000 });
        let limits = Limits { time, answer_bytes: 5 << 20, ..Limits::default() };
        let mut received = String::new();
        let each = |said: String| {
            received = said;
            Ok(())
        };
        let said = pool.run(job, &limits, each).map_or_else(|why| why.to_string(), |()| received);
        assert!(said.contains(line), "{job}: {said}");
        assert!(said.len() < 2500 && !said.contains(char::is_control), "{said}");
    }
    assert!(start.elapsed() < Duration::from_secs(99), "a worker that slept was not ended");
    let enough = Err(Ended::Failed("enough".into()));
    assert_eq!(pool.run("x", &Limits::default(), |_: String| enough.clone()), enough);
    assert!(memory() < 100, "{} MiB", memory());
}

/// The first argument of a test worker, which might also be a file name.
const FLAG: &str = "--usvg-guard-worker=1000000000:act";

fn the_flag_alone_starts_no_worker() {
    let mut program = Command::new(std::env::current_exe().unwrap());
    let said = program.arg(FLAG).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&said.stdout), "an ordinary run\n");
}

fn file(inside: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>{inside}</svg>")
}

fn threads_get_the_same_tree_as_usvg(guard: &Guard) {
    let filter = "<filter id='f'><feColorMatrix type='saturate' values='2'/></filter>";
    let text =
        file(&format!("{filter}<rect width='9' height='9' filter='url(#f)'/><text>a</text>"));
    let write = |tree: &usvg::Tree| tree.to_string(&usvg::WriteOptions::default());
    let plain = write(&usvg::Tree::from_str(&text, &usvg::Options::default()).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let parsed = guard.parse(text.as_bytes(), &Default::default()).unwrap();
                assert_eq!((write(&parsed.tree), parsed.notes), (plain.clone(), vec![]));
            });
        }
    });
}

fn bombs_are_stopped(guard: &Guard) {
    let limits = usvg_guard::Limits { time: Duration::from_secs(1), ..Default::default() };
    let pattern = |level| {
        let tens = format!("<path d='M0 0 1 1 2 0' fill='url(#b{})'/>", level - 1).repeat(10);
        format!("<pattern id='b{level}' width='1' height='1'>{tens}</pattern>")
    };
    for bomb in [
        "<pattern id='b0' width='1' height='1'><path d='M0 0h9v9z'/></pattern><path d='M0 0h9v9z' fill='url(#b9)'/>".to_owned()
            + &(1..10).map(pattern).collect::<String>(),
        format!("<rect width='9' height='9' filter='{}'/>", "drop-shadow(1 1)".repeat(60_000)),
        format!("<style>{}</style>", "@".repeat(1_000_000)),
    ] {
        let error = guard.parse(file(&bomb).as_bytes(), &limits).unwrap_err();
        assert!(matches!(error, Error::Stopped(Ended::Time(_) | Ended::Memory(_))), "{error:?}");
    }
    assert!(memory() < 200, "{} MiB", memory());
}
