//! A child cannot harm its parent. This program is its own worker, so it has a `main` of its own.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ops::ControlFlow::{Break, Continue};
use std::process::Command;
use std::time::{Duration, Instant};
use usvg_guard::contain::{Ended, Limits, Messages, Pool, serve, worker_arguments};
use usvg_guard::{Error, FilePolicy, Guard, Options, usvg};

fn main() {
    serve(&mut [("act", &mut act)]);
    if std::env::args().any(|argument| argument == "ordinary") {
        println!("an ordinary run");
        return;
    }
    let tests: [(&str, fn()); 6] = [
        ("a_job_is_done", a_job_is_done),
        ("whatever_a_worker_does_is_an_error", whatever_a_worker_does_is_an_error),
        ("no_variable_makes_a_worker", no_variable_makes_a_worker),
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
fn act(job: &[u8], out: &mut Messages) -> Result<(), String> {
    let mut send = |bytes: &[u8]| out.send(bytes).map_err(|error| error.to_string());
    #[allow(unconditional_recursion)]
    fn sink_in(levels: u64) -> u64 {
        std::hint::black_box([levels; 64])[0] + sink_in(levels + 1)
    }
    match job {
        b"abort" => std::process::abort(),
        b"loop" => std::thread::sleep(Duration::from_secs(99)),
        b"memory" => drop(std::hint::black_box(vec![1_u8; 3 << 30])),
        b"stack" => drop(std::hint::black_box(sink_in(0))),
        b"panic" => panic!("first line\nsecond \u{1b}[31m line"),
        b"one" => send(&vec![7; 2 << 20])?,
        b"many" => (0..100).try_for_each(|_| send(&[7; 100_000]))?,
        b"error" => return Err("\u{202e}no\n".repeat(9999)),
        b"print" => println!("this is not a message"),
        b"exit" => std::process::exit(3),
        _ => {}
    }
    send(job)?;
    send(&[worker_arguments().map_or(0, |all| all.len() as u8)])
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

fn a_job_is_done() {
    let pool = Pool::new().arguments(["one".into(), "two".into()]);
    for job in ["hello", "print", "again"] {
        let mut heard = Vec::new();
        let mut each = |message: &[u8]| {
            heard.push(message.to_vec());
            Continue(())
        };
        pool.run("act", &[b"", job.as_bytes()], &limits(), &mut each).unwrap();
        assert_eq!(heard, [job.as_bytes(), &[3]], "the program and two arguments");
    }
    let stopped = pool.run("act", &[b"x"], &limits(), &mut |_| Break(()));
    assert_eq!(stopped, Err(Ended::Stopped));
    let unknown = pool.run("none", &[b"x"], &limits(), &mut |_| Continue(()));
    assert_eq!(unknown, Err(Ended::Failed("there is no work 'none'".into())));
}

fn whatever_a_worker_does_is_an_error() {
    type IsRight = fn(&Ended) -> bool;
    let cases: [(&str, IsRight); 9] = [
        ("abort", |ended| matches!(ended, Ended::Crash(_))),
        ("loop", |ended| matches!(ended, Ended::Time { .. })),
        ("memory", |ended| matches!(ended, Ended::Memory { .. }) || !cfg!(target_os = "linux")),
        ("stack", |ended| *ended == Ended::Stack),
        ("panic", |ended| matches!(ended, Ended::Panic(_))),
        ("one", |ended| *ended == Ended::Bytes { limit: 1 << 20 }),
        ("many", |ended| *ended == Ended::Bytes { limit: 5 << 20 }),
        ("error", |ended| matches!(ended, Ended::Failed(_))),
        ("exit", |ended| matches!(ended, Ended::Crash(_))),
    ];
    let pool = Pool::new();
    for (job, is_right) in cases {
        let start = Instant::now();
        let ended = pool.run("act", &[job.as_bytes()], &limits(), &mut |_| Continue(()));
        let ended = ended.unwrap_err();
        assert!(start.elapsed() < limits().time + Duration::from_secs(1), "{job}");
        assert!(is_right(&ended), "{job}: {ended:?}");
        let line = ended.to_string();
        assert!(line.len() < 2500 && !line.contains(char::is_control), "{line}");
    }
    assert!(memory() < 100, "{} MiB", memory());
}

fn no_variable_makes_a_worker() {
    let said = |arguments: &[&str]| {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(arguments).env("USVG_GUARD_WORKER", "1").output().unwrap()
    };
    assert_eq!(said(&["ordinary"]).stdout, b"an ordinary run\n");
    // With the variable and the flag, but without what comes on standard input, it says what is wrong.
    let said = said(&["--usvg-guard-worker"]);
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
    let guard = Guard::default();
    std::thread::scope(|scope| {
        let parse = || guard.parse(text.as_bytes(), &usvg_guard::Limits::default()).unwrap();
        for one in [(); 4].map(|()| scope.spawn(parse)) {
            let parsed = one.join().unwrap();
            assert_eq!(write(&parsed.tree), write(&plain));
            assert!(parsed.notes.is_empty());
        }
    });
}

fn files_come_from_the_child() {
    let folder = std::env::temp_dir().join(format!("usvg-guard-images-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("in.svg"), file("<rect width='9' height='9'/>")).unwrap();
    let image = |href| format!("<image width='9' height='9' href='{href}'/>");
    let avif = "data:image/avif;base64,AAAA";
    let all = ["in.svg", "none.svg", "../out.svg", "file:///in.svg", avif].map(image).concat();
    let files = FilePolicy { folder: Some(folder.clone()), allowed: vec![] };
    let guard = Guard::new(Options { files, ..Options::default() });
    let parsed = guard.parse(file(&all).as_bytes(), &usvg_guard::Limits::default()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(parsed.tree.root().children().len(), 1);
    let whys = ["no such file", "outside of the drawing's folder", "file://", "not PNG"];
    let is_told = parsed.notes.iter().zip(whys).all(|(note, why)| note.contains(why));
    assert!(is_told && parsed.notes.len() == whys.len(), "{:?}", parsed.notes);
}

fn bombs_end_in_time() {
    let guard = Guard::default();
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
