//! A child cannot harm its parent. This program is its own worker, so it has a `main` of its own.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::process::Command;
use std::time::{Duration, Instant};
use usvg_guard::contain::{Ended, Limits, Messages, Pool, arguments, serve};
use usvg_guard::{Error, Guard, usvg};

/// The guard of these tests. In a worker of it, this never returns.
fn guard() -> Guard {
    Guard::new(usvg::Options::default)
}

fn main() {
    serve("act", |job: String, out| act(&job, out));
    guard();
    if std::env::args().any(|argument| argument == "ordinary") {
        println!("an ordinary run");
        return;
    }
    let tests: [(&str, fn()); 6] = [
        ("a_job_is_done", a_job_is_done),
        ("whatever_a_worker_does_is_an_error", whatever_a_worker_does_is_an_error),
        ("nothing_but_the_program_makes_a_worker", nothing_but_the_program_makes_a_worker),
        ("threads_get_the_tree_of_usvg", threads_get_the_tree_of_usvg),
        ("files_come_from_the_child", files_come_from_the_child),
        ("bombs_end_in_time", bombs_end_in_time),
    ];
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
    }
}

/// What a worker of these tests does.
fn act(job: &str, out: &mut Messages) -> Result<(), String> {
    #[allow(unconditional_recursion)]
    fn sink_in(levels: u64) -> u64 {
        std::hint::black_box([levels; 64])[0] + sink_in(levels + 1)
    }
    match job {
        "abort" => std::process::abort(),
        "loop" => std::thread::sleep(Duration::from_secs(99)),
        "memory" => drop(std::hint::black_box(vec![1_u8; 3 << 30])),
        "stack" => drop(std::hint::black_box(sink_in(0))),
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

fn limits() -> Limits {
    let time = Duration::from_millis(1500);
    Limits { time, answer_bytes: 5 << 20, ..Limits::default() }
}

/// The memory of this process, in MiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).map_or(0, |kib| kib.parse::<u64>().unwrap() >> 10)
}

fn pool() -> Pool {
    Pool::new("act", ["one".into(), "two".into()])
}

fn a_job_is_done() {
    let pool = pool();
    for job in ["hello", "print", "again"] {
        let mut heard = Vec::new();
        let each = |said: String| {
            heard.push(said);
            Ok(())
        };
        pool.run(job, &limits(), each).unwrap();
        assert_eq!(heard, [format!("{job}, with 3 arguments")], "the program and two arguments");
    }
    let stopped = Err(Ended::Failed("enough".into()));
    assert_eq!(pool.run("x", &limits(), |_: String| stopped.clone()), stopped);
}

fn whatever_a_worker_does_is_an_error() {
    type IsRight = fn(&Ended) -> bool;
    let cases: [(&str, IsRight); 9] = [
        ("abort", |ended| matches!(ended, Ended::Crash(_))),
        ("loop", |ended| matches!(ended, Ended::Time(_))),
        ("memory", |ended| matches!(ended, Ended::Memory(_)) || !cfg!(target_os = "linux")),
        ("stack", |ended| *ended == Ended::Stack),
        ("panic", |ended| matches!(ended, Ended::Crash(why) if why.starts_with("panicked at"))),
        ("one", |ended| *ended == Ended::Bytes(1 << 20)),
        ("many", |ended| *ended == Ended::Bytes(5 << 20)),
        ("error", |ended| matches!(ended, Ended::Failed(_))),
        ("exit", |ended| matches!(ended, Ended::Crash(_))),
    ];
    let pool = pool();
    for (job, is_right) in cases {
        let start = Instant::now();
        let ended = pool.run(job, &limits(), |_: String| Ok(()));
        let ended = ended.unwrap_err();
        assert!(start.elapsed() < limits().time + Duration::from_secs(1), "{job}");
        assert!(is_right(&ended), "{job}: {ended:?}");
        let line = ended.to_string();
        assert!(line.len() < 2500 && !line.contains(char::is_control), "{line}");
    }
    assert!(memory() < 100, "{} MiB", memory());
}

fn nothing_but_the_program_makes_a_worker() {
    let said = |arguments: &[&str]| {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(arguments).output().unwrap()
    };
    assert_eq!(said(&["ordinary"]).stdout, b"an ordinary run\n");
    // With the flag, but without what comes on standard input, it says what is wrong.
    let said = said(&["--usvg-guard-worker=1000000000:act"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&said.stderr).contains("is internal"));
}

fn file(inside: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>{inside}</svg>")
}

fn threads_get_the_tree_of_usvg() {
    let filter = "<filter id='f'><feColorMatrix type='saturate' values='2'/></filter>";
    let text =
        file(&format!("{filter}<rect width='9' height='9' filter='url(#f)'/><text>a</text>"));
    let plain = usvg::Tree::from_str(&text, &usvg::Options::default()).unwrap();
    let write = |tree: &usvg::Tree| tree.to_string(&usvg::WriteOptions::default());
    let guard = guard();
    std::thread::scope(|scope| {
        let parse = || guard.parse(text.as_bytes(), &usvg_guard::Limits::default()).unwrap();
        for one in [(); 4].map(|()| scope.spawn(parse)) {
            let parsed = one.join().unwrap();
            assert_eq!(write(&parsed.tree), write(&plain));
            assert!(parsed.notes.is_empty());
        }
    });
}

/// Files are read once, by the child, beneath allowed folders.
fn files_come_from_the_child() {
    let folder = std::env::temp_dir().join(format!("usvg-guard-images-{}", std::process::id()));
    let own = folder.join("own");
    for inner in ["own/deep", "more"] {
        std::fs::create_dir_all(folder.join(inner)).unwrap();
    }
    let svg = file("<rect width='9' height='9'/>");
    for name in ["out.svg", "more/a.svg", "own/a.svg", "own/deep/b.svg", "own/long.svg"] {
        let padding = if name == "own/long.svg" { 1000 } else { 0 };
        std::fs::write(folder.join(name), svg.clone() + &" ".repeat(padding)).unwrap();
    }
    #[cfg(unix)]
    for (name, target) in [("l1", "../out.svg"), ("l2", "/none"), ("l3", "deep")] {
        std::os::unix::fs::symlink(target, own.join(name)).unwrap();
    }
    #[cfg(unix)]
    Command::new("mkfifo").arg(own.join("pipe")).status().unwrap();
    let files = vec![own.clone(), folder.join("more")];
    let limits = usvg_guard::Limits { image_bytes: 999, files, ..Default::default() };
    let (guard, absolute) = (guard(), own.join("a.svg").display().to_string());
    let parse = |link: &str| {
        let image = format!("<image width='9' height='9' href='{link}'/>");
        let parsed = guard.parse(file(&image).as_bytes(), &limits).unwrap();
        (parsed.tree.root().children().len(), parsed.notes.concat())
    };
    for inside in ["a.svg", "deep/b.svg", "deep/../a.svg", "../more/a.svg", &absolute] {
        assert_eq!(parse(inside), (1, String::new()), "{inside}");
    }
    let outside = "outside of the drawing's folder";
    for (link, why) in [
        ("none", "no such file"),
        ("none/../../out.svg", outside),
        ("../out.svg", outside),
        ("/etc/shadow", outside),
        ("deep", "not a regular file"),
        ("long.svg", "more than 999 bytes"),
        ("https://a.example/b.png", "network"),
        ("file:///a.svg", "file://"),
        ("data:image/avif;base64,AAAA", "not PNG"),
        #[cfg(unix)]
        ("l1", outside),
        #[cfg(unix)]
        ("l2", outside),
        #[cfg(unix)]
        ("pipe", "not a regular file"),
    ] {
        let (images, note) = parse(link);
        assert!(images == 0 && note.contains(why), "{link}: {note}");
    }
    #[cfg(unix)]
    assert_eq!(parse("l3/b.svg"), (1, String::new()));
    std::fs::remove_dir_all(&folder).unwrap();
}

fn bombs_end_in_time() {
    let guard = guard();
    let limits = usvg_guard::Limits { time: Duration::from_secs(1), ..Default::default() };
    let by = |level| format!("<path d='M0 0 1 1 2 0' fill='url(#b{level})'/>");
    let tens = |level| {
        let tens = by(level - 1).repeat(10);
        format!("<pattern id='b{level}' width='1' height='1'>{tens}</pattern>")
    };
    let path = "<pattern id='b0' width='1' height='1'><path d='M0 0 1 1 2 0'/></pattern>";
    let attributes: String = (0..4000).map(|at| format!(" a{at}=''")).collect();
    for bomb in [
        (1..9).map(tens).collect::<String>() + path + &by(8),
        format!("<rect width='9' height='9' filter='{}'/>", "drop-shadow(1 1)".repeat(60_000)),
        format!("<rect{attributes}/>").repeat(99),
        format!("<style>{}</style>", "@".repeat(1_000_000)),
    ] {
        let start = Instant::now();
        let error = guard.parse(file(&bomb).as_bytes(), &limits).unwrap_err();
        assert!(matches!(error, Error::Stopped(_)), "{error:?}");
        assert!(start.elapsed() < limits.time + Duration::from_secs(1), "{:?}", start.elapsed());
    }
    assert!(memory() < 200, "{} MiB", memory());
}
