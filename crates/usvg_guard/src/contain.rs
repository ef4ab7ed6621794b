//! Work in a separate process, so that no input can take this one down.
//!
//! ```text
//! the program ── job: bytes ──▶ the program again, as a worker with limited memory
//!      │  ◀─── messages: bytes ───     works, and may abort, hang or be killed
//!      ▼
//! bounded memory, bounded time, and one line if it failed
//! ```
//!
//! A worker is the same program, started with a flag that the environment and standard input confirm. So `main` must call
//! [`serve`] before it does anything else:
//!
//! ```no_run
//! use usvg_guard::contain::{Limits, Messages, Pool, serve};
//! let mut shout = |job: &[u8], out: &mut Messages| {
//!     out.send(&job.to_ascii_uppercase()).map_err(|error| error.to_string())
//! };
//! serve(&mut [("shout", &mut shout)]);
//! // From here on this is an ordinary run.
//! let mut heard = Vec::new();
//! Pool::new().run("shout", &[b"hello"], &Limits::default(), &mut |message| {
//!     heard.extend_from_slice(message);
//!     std::ops::ControlFlow::Continue(())
//! })?;
//! assert_eq!(heard, b"HELLO");
//! # Ok::<(), usvg_guard::contain::Ended>(())
//! ```
//!
//! Time is limited everywhere, memory only on Linux (`RLIMIT_DATA`). This is not a sandbox: a worker may do whatever the
//! program may.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio, exit};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Limits for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time until the job is done, including the start of a worker; 2 s by default.
    pub time: Duration,
    /// Bytes of memory of a worker, including the stacks of its threads; 1 GiB by default. Linux only.
    pub memory: u64,
    /// Bytes of one message; 1 MiB by default, and never less than 4 KiB. The program holds at most four messages at once.
    pub message_bytes: u64,
    /// Bytes of all messages of the job; 256 MiB by default.
    pub answer_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(2),
            memory: 1 << 30,
            message_bytes: 1 << 20,
            answer_bytes: 256 << 20,
        }
    }
}

/// Why a job was not done. Each message is one line of at most about 300 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// The work returned this error.
    #[error("{0}")]
    Failed(String),
    /// It exceeded the time limit.
    #[error("it took more than {} s and was stopped; allow more time", limit.as_secs_f64())]
    Time {
        /// The time limit.
        limit: Duration,
    },
    /// It exceeded the memory limit.
    #[error("it needs more than {} MiB of memory and was stopped; allow more memory", limit >> 20)]
    Memory {
        /// The memory limit, in bytes.
        limit: u64,
    },
    /// The stack overflowed.
    #[error("it is nested too deeply: the stack overflowed")]
    Stack,
    /// The work panicked, which is a bug in it.
    #[error("the program failed on it, which is a bug: {0}")]
    Panic(String),
    /// The worker ended in another way.
    #[error("the program crashed on it: {0}")]
    Crash(String),
    /// One message, or all messages together, exceeded the limit.
    #[error("the result has more than {limit} bytes")]
    Bytes {
        /// The limit, in bytes.
        limit: u64,
    },
    /// A worker could not be started.
    #[error("no process could be started for it: {0}")]
    NotStarted(String),
    /// The callback stopped it.
    #[error("it was stopped")]
    Stopped,
}

impl Ended {
    fn not_started(error: io::Error) -> Self {
        Self::NotStarted(one_line(&error.to_string()))
    }

    /// The reason, from the exit status of a worker and what it printed last.
    fn of(status: &str, said: &str, limits: &Limits, has_begun: bool) -> Self {
        const MEMORY: [&str; 4] =
            ["memory allocation of", "bad_alloc", "out of memory", "Cannot allocate memory"];
        if MEMORY.iter().any(|words| said.contains(words)) {
            return Self::Memory { limit: limits.memory };
        }
        if said.contains("has overflowed its stack") {
            return Self::Stack;
        }
        if let Some(at) = said.find("panicked at ") {
            return Self::Panic(one_line(&said[at..]));
        }
        if !has_begun {
            return Self::NotStarted(format!("does main begin with contain::serve? ({status})"));
        }
        // Linux ends a process that takes the last memory of the machine with signal 9.
        Self::Crash(status.replace("signal: 9", "no memory left in the machine, or signal: 9"))
    }
}

/// The text as one line of at most 250 characters. Control characters, and characters that reorder text, are escaped.
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    for (at, letter) in text.trim_end().chars().enumerate() {
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match letter {
            _ if at == 250 => return out + "…",
            '\n' | '\r' | '\t' => out.push(' '),
            _ if letter.is_control() || turns => out.extend(letter.escape_default()),
            _ => out.push(letter),
        }
    }
    out
}

/// Workers, started when they are needed and kept for the next job.
///
/// Several threads may run jobs at once, each in its own worker. Dropping the pool ends the workers.
#[derive(Debug, Default)]
pub struct Pool {
    arguments: Vec<OsString>,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// A pool that has started nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the arguments of the workers: see [`worker_arguments`].
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = OsString>) -> Self {
        self.arguments = arguments.into_iter().collect();
        self
    }

    /// Runs a job, whose parts are concatenated, in a worker. Calls `each` with each message as it arrives; `Break` ends the job.
    ///
    /// Time spent in the callback does not count. The call takes at most one second longer than the limit.
    ///
    /// # Errors
    /// The reason why the job was not done. Unless the work itself returned it, the worker has been ended.
    pub fn run(
        &self,
        work: &str,
        job: &[&[u8]],
        limits: &Limits,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), Ended> {
        let start = Instant::now();
        let mut worker = self.take(limits).map_err(Ended::not_started)?;
        let (answered, to) = std::thread::scope(|scope| {
            let mut to = worker.to.take();
            // A worker that does not read makes this wait until it is killed.
            let write = move || {
                write(to.as_mut()?, b'w', &[work.as_bytes()]).ok()?;
                write(to.as_mut()?, b'j', job).ok()?;
                to
            };
            let writing = Builder::new().spawn_scoped(scope, write).map_err(Ended::not_started)?;
            let answered = worker.listen(start, limits, each);
            if answered.as_ref().is_err_and(|why| !matches!(why, Ended::Failed(_))) {
                worker.kill();
            }
            Ok::<_, Ended>((answered, writing.join().ok().flatten()))
        })?;
        if let (Ok(()) | Err(Ended::Failed(_)), Some(to)) = (&answered, to) {
            worker.to = Some(to);
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        }
        answered
    }

    /// An idle worker with the same limits, or a new one.
    fn take(&self, limits: &Limits) -> io::Result<Worker> {
        let key = (limits.memory, limits.message_bytes);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain_mut(|worker| matches!(worker.child.try_wait(), Ok(None)));
        match idle.iter().position(|worker| worker.key == key) {
            Some(at) => Ok(idle.swap_remove(at)),
            None => Worker::start(&self.arguments, key),
        }
    }
}

/// The smallest limit on the length of a message, and the limit on a reason for failure.
const MESSAGE_MIN: usize = 4096;
/// The number of bytes of a worker's standard error that are kept.
const SAID_MAX: u64 = 1 << 14;
/// How long to wait for the last output of a worker that has ended.
const PARTING: Duration = Duration::from_millis(500);

/// A frame of a pipe's stream: its kind and its bytes. A program writes `s`, the memory limit, and for each job `w`, the name
/// of the work, and `j`, the job. A worker writes `b` when it begins, and for each job `m`, the messages, and then `d`, done,
/// or `f`, the reason for failure.
type Frame = (u8, Vec<u8>);
/// The kind of a frame that was not read because it is longer than allowed.
const TOO_LONG: u8 = b'x';

fn write(to: &mut impl Write, kind: u8, parts: &[&[u8]]) -> io::Result<()> {
    let length: u64 = parts.iter().map(|part| part.len() as u64).sum();
    to.write_all(&[kind])?;
    to.write_all(&length.to_le_bytes())?;
    parts.iter().try_for_each(|part| to.write_all(part))?;
    to.flush()
}

fn read(from: &mut impl Read, max: u64) -> io::Result<Frame> {
    let mut head = [0; 9];
    from.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let length = u64::from_le_bytes(length);
    if length > max {
        return Ok((TOO_LONG, Vec::new()));
    }
    let mut bytes = Vec::new();
    let read = from.take(length).read_to_end(&mut bytes)?;
    if (read as u64) < length {
        Err(io::ErrorKind::UnexpectedEof.into())
    } else {
        Ok((kind, bytes))
    }
}

/// A process that works.
#[derive(Debug)]
struct Worker {
    child: Child,
    /// Its standard input. The worker exits when that is closed.
    to: Option<ChildStdin>,
    from: Receiver<Frame>,
    /// The beginning of its output on standard error, sent when that ends.
    said: Receiver<Vec<u8>>,
    /// Its limits on memory and messages.
    key: (u64, u64),
    /// Whether it has announced that it takes jobs.
    has_begun: bool,
}

impl Worker {
    fn start(arguments: &[OsString], key: (u64, u64)) -> io::Result<Self> {
        if worker_arguments().is_some() {
            return Err(io::Error::other("this process is a worker itself"));
        }
        // On Linux, the program can be started even if its file was replaced.
        let own = PathBuf::from("/proc/self/exe");
        let program = if own.exists() { own } else { std::env::current_exe()? };
        let mut command = Command::new(program);
        // Signals from a terminal reach only this process, which ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .arg(FLAG)
            .args(arguments)
            .env(VARIABLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut to = child.stdin.take();
        let _ = to.as_mut().map(|to| write(to, b's', &[&key.0.to_le_bytes()]));
        let (send, from) = sync_channel(1);
        let stdout = child.stdout.take();
        Builder::new().name("usvg_guard messages".into()).spawn(move || {
            let max = key.1.max(MESSAGE_MIN as u64);
            let mut stdout = stdout.map(|from| BufReader::with_capacity(1 << 16, from));
            while let Some(Ok(frame)) = stdout.as_mut().map(|from| read(from, max)) {
                let is_last = frame.0 == TOO_LONG;
                if send.send(frame).is_err() || is_last {
                    break;
                }
            }
        })?;
        let (send, said) = sync_channel(1);
        let stderr = child.stderr.take();
        Builder::new().name("usvg_guard errors".into()).spawn(move || {
            let mut said = Vec::new();
            if let Some(mut from) = stderr {
                let _ = from.by_ref().take(SAID_MAX).read_to_end(&mut said);
                let _ = io::copy(&mut from, &mut io::sink());
            }
            let _ = send.send(said);
        })?;
        Ok(Self { child, to, from, said, key, has_begun: false })
    }

    /// Hands over the messages of a job until it is done.
    fn listen(
        &mut self,
        start: Instant,
        limits: &Limits,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), Ended> {
        let mut left = limits.time.saturating_sub(start.elapsed());
        let mut bytes = 0;
        loop {
            let waiting = Instant::now();
            let frame = self.from.recv_timeout(left);
            left = left.saturating_sub(waiting.elapsed());
            match frame {
                Ok((b'b', _)) => self.has_begun = true,
                Ok((b'm', message)) => {
                    bytes += message.len() as u64;
                    if bytes > limits.answer_bytes {
                        return Err(Ended::Bytes { limit: limits.answer_bytes });
                    }
                    if each(&message).is_break() {
                        return Err(Ended::Stopped);
                    }
                }
                Ok((b'd', _)) => return Ok(()),
                Ok((b'f', why)) => {
                    return Err(Ended::Failed(one_line(&String::from_utf8_lossy(&why))));
                }
                Ok(_) => return Err(Ended::Bytes { limit: limits.message_bytes }),
                Err(RecvTimeoutError::Timeout) => return Err(Ended::Time { limit: limits.time }),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.kill().map_or(String::new(), |status| status.to_string());
                    let said = self.said.recv_timeout(PARTING).unwrap_or_default();
                    let said = String::from_utf8_lossy(&said);
                    return Err(Ended::of(&status, &said, limits, self.has_begun));
                }
            }
        }
    }

    fn kill(&mut self) -> Option<ExitStatus> {
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The first argument of a worker, which counts only if the environment has the variable.
const FLAG: &str = "--usvg-guard-worker";
const VARIABLE: &str = "USVG_GUARD_WORKER";

/// A function that does a job, sends messages while it works, and returns the reason if it fails.
///
/// It runs on the main thread of the worker. A panic ends the worker.
pub type Work<'a> = &'a mut dyn FnMut(&[u8], &mut Messages) -> Result<(), String>;

/// Sends the messages of a job to the program.
pub struct Messages(Box<dyn Write + Send>);

impl Messages {
    /// Sends a message.
    ///
    /// # Errors
    /// The program no longer listens.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        write(&mut self.0, b'm', &[message])
    }
}

/// In a worker, the name of the program and the arguments that its pool was given; `None` in an ordinary run.
///
/// Cost: reads the command line and one environment variable.
pub fn worker_arguments() -> Option<Vec<OsString>> {
    let mut all: Vec<_> = std::env::args_os().collect();
    let is_worker =
        all.get(1).is_some_and(|flag| flag == FLAG) && std::env::var_os(VARIABLE).is_some();
    is_worker.then(|| {
        all.remove(1);
        all
    })
}

/// In a worker, does jobs until the program that started it closes the pipe or ends, and then exits; in an ordinary run,
/// returns at once. Call it first in `main`, with a name for each kind of work.
///
/// The work of [`Guard::parse`](crate::Guard::parse) needs no entry. On Unix, standard output of a worker is redirected to
/// standard error; elsewhere a worker must not print.
pub fn serve(works: &mut [(&str, Work<'_>)]) {
    if worker_arguments().is_none() {
        return;
    }
    let mut from = BufReader::with_capacity(1 << 16, io::stdin());
    let memory = match read(&mut from, 8) {
        Ok((b's', memory)) => memory.try_into().map(u64::from_le_bytes),
        _ => Err(vec![]),
    };
    let Ok(memory) = memory else {
        eprintln!("{FLAG} is internal: the program starts itself with it");
        exit(2);
    };
    limit(memory);
    let (send, jobs) = sync_channel(0);
    // This thread ends the worker when the program ends, even during a job.
    let reader = Builder::new().name("usvg_guard jobs".into()).spawn(move || {
        let mut next =
            || Ok::<_, io::Error>((read(&mut from, u64::MAX)?.1, read(&mut from, u64::MAX)?.1));
        while let Ok(job) = next() {
            if send.send(job).is_err() {
                break;
            }
        }
        exit(0)
    });
    let (Ok(out), Ok(_)) = (standard_output(), reader) else { exit(1) };
    let mut out = Messages(Box::new(BufWriter::with_capacity(1 << 16, out)));
    let _ = write(&mut out.0, b'b', &[]);
    for (name, job) in jobs {
        let known = works.iter_mut().find(|(known, _)| known.as_bytes() == name);
        let done = match known {
            Some((_, work)) => work(&job, &mut out),
            None if name == crate::guard::WORK.as_bytes() => crate::guard::work(&job, &mut out),
            None => Err(format!("there is no work '{}'", String::from_utf8_lossy(&name))),
        };
        let written = match done {
            Ok(()) => write(&mut out.0, b'd', &[]),
            Err(why) => write(&mut out.0, b'f', &[&why.as_bytes()[..why.len().min(MESSAGE_MIN)]]),
        };
        if written.is_err() {
            break;
        }
    }
    exit(0)
}

/// Reserves standard output for messages: anything that is printed goes to standard error.
#[cfg(unix)]
fn standard_output() -> io::Result<impl Write> {
    let own = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(std::fs::File::from(own))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<impl Write> {
    Ok(io::stdout())
}

/// Limits the memory of this process, if the system can; the parent limits its time in any case.
///
/// `RLIMIT_DATA` counts private memory that may be written. `RLIMIT_AS` would count the address space that GPU drivers
/// reserve and never use, up to terabytes.
#[cfg(unix)]
fn limit(memory: u64) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    for (resource, most) in [(Resource::Data, memory), (Resource::Core, 0)] {
        let mut limit = getrlimit(resource);
        let most = limit.maximum.map_or(most, |maximum| maximum.min(most));
        (limit.current, limit.maximum) = (Some(most), Some(most));
        let _ = setrlimit(resource, limit);
    }
}

#[cfg(not(unix))]
fn limit(_: u64) {}
