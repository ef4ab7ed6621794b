//! What known bombs do to plain usvg and resvg, and what the guard does: the table of the README.
//!
//! `cargo run --release -p usvg_guard --example bombs` makes each bomb and reads it twice, each time in a child process
//! of at most 20 seconds and 4 GB: once with usvg and resvg alone, once with the guard before them. The guard's times are
//! those of the processor. With `table plain` or `table guarded` it reads each once.
#![allow(clippy::unwrap_used)]

mod made;

use made::bombs;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use usvg_guard::usvg::{Options, Tree};
use usvg_guard::{Limits, parse};

/// How long a child may take.
const TIME: Duration = Duration::from_secs(20);

/// How much address space a child may have, besides the stack that it reserves.
const MEMORY: u64 = 5 << 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["plain"] => plain(),
        ["guarded"] => guarded(),
        ["table", how] => bombs().iter().for_each(|(name, text)| {
            println!("| {name} | {} | {} |", text.len(), child(how, text));
        }),
        _ => table(),
    }
}

/// A drawing from standard input, read and painted without a guard.
fn plain() {
    let data = input();
    limit();
    let work = move || {
        let options = options();
        let start = Instant::now();
        match Tree::from_data(&data, &options) {
            Err(error) => println!("error after {}: {error}", milliseconds(start)),
            Ok(tree) => {
                let read = milliseconds(start);
                let (width, height) = (tree.size().width() as u32, tree.size().height() as u32);
                let mut pixels =
                    resvg::tiny_skia::Pixmap::new(width.max(1), height.max(1)).unwrap();
                resvg::render(&tree, resvg::tiny_skia::Transform::default(), &mut pixels.as_mut());
                println!("read in {read}, read and painted in {}", milliseconds(start));
            }
        }
    };
    // As large a stack as main threads have.
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(work).unwrap();
    if thread.join().is_err() {
        println!("panic");
    }
    leave();
}

/// The same with the guard, not painted.
fn guarded() {
    let data = input();
    limit();
    let options = options();
    let start = processor();
    let read = parse(&data, &Limits::default(), options);
    let took = format!("{} ms", (processor() - start).as_millis());
    match read {
        Err(error) => {
            let name: String =
                format!("{error:?}").chars().take_while(|one| one.is_alphanumeric()).collect();
            println!("refused in {took}: `{name}`");
        }
        Ok(parsed) if parsed.notes.is_empty() => println!("read in {took}"),
        Ok(parsed) => println!(
            "read in {took}, without {}",
            parsed.notes[0].split(':').next().unwrap_or_default()
        ),
    }
    leave();
}

/// With the fonts of this machine, and a family that it has.
fn options() -> Options<'static> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    let face = options.fontdb.faces().next().and_then(|face| face.families.first().cloned());
    options.font_family = face.map(|(family, _)| family).unwrap_or_default();
    options
}

fn input() -> Vec<u8> {
    let mut data = Vec::new();
    io::stdin().read_to_end(&mut data).unwrap();
    data
}

/// How long this process has worked, whatever else the machine does.
#[cfg(unix)]
#[allow(unsafe_code)]
fn processor() -> Duration {
    let mut used = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills in what it is given, which is valid as zeros as well.
    let used = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, used.as_mut_ptr());
        used.assume_init()
    };
    let time = |of: libc::timeval| Duration::new(of.tv_sec as u64, 1000 * of.tv_usec as u32);
    time(used.ru_utime) + time(used.ru_stime)
}

#[cfg(not(unix))]
fn processor() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn milliseconds(start: Instant) -> String {
    format!("{} ms", start.elapsed().as_millis())
}

/// Ends without freeing anything, which may take long.
fn leave() -> ! {
    std::process::exit(0)
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn limit() {
    let limit = libc::rlimit { rlim_cur: MEMORY, rlim_max: MEMORY };
    // SAFETY: the limit outlives the call.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) };
}

#[cfg(not(unix))]
fn limit() {}

fn table() {
    println!("| bomb | bytes | usvg and resvg alone | with the guard |");
    println!("|---|---|---|---|");
    for (name, text) in bombs() {
        let plain = child("plain", &text);
        let guarded = child("guarded", &text);
        println!("| {name} | {} | {plain} | {guarded} |", text.len());
    }
}

/// What a child says of a drawing.
fn child(how: &str, text: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let pipe = || Stdio::piped();
    let mut child = Command::new(program)
        .arg(how)
        .stdin(pipe())
        .stdout(pipe())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let _ = io::Write::write_all(&mut to, text.as_bytes());
    drop(to);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > TIME {
            child.kill().unwrap();
            child.wait().unwrap();
            return "**runs past 20 s**".into();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let said = said.trim().replace('|', "\\|");
    if said.is_empty() { format!("**aborts** ({})", signal(status)) } else { said }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(libc::SIGSEGV | libc::SIGABRT) => "stack or memory".into(),
        Some(signal) => format!("signal {signal}"),
        None => status.to_string(),
    }
}

#[cfg(not(unix))]
fn signal(status: ExitStatus) -> String {
    status.to_string()
}
