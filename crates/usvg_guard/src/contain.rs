//! Work in a separate process, so that no input can take this one down.
//!
//! ```text
//! the program ── job: a value and bytes ──▶ the program again, as a worker with limited memory
//!      │  ◀─── messages: values and bytes ───     works, and may abort, hang or be killed
//!      ▼
//! bounded memory, bounded time, and one line if it failed
//! ```
//!
//! A worker is the same program, started with a flag that standard input confirms. So `main` must call [`serve`] before it does
//! anything else:
//!
//! ```no_run
//! use usvg_guard::contain::{Limits, Messages, Pool, from_value, serve};
//! serve(&mut [("shout", &mut |name, bytes, out: &mut Messages| {
//!     let name: String = from_value(name)?;
//!     out.send(&name, &bytes.to_ascii_uppercase())
//! })]);
//! // From here on this is an ordinary run.
//! let mut heard = Vec::new();
//! Pool::default().run("shout", &"me", &[b"hello"], &Limits::default(), &mut |name: String, bytes| {
//!     heard.push((name, bytes));
//!     std::ops::ControlFlow::Continue(())
//! })?;
//! assert_eq!(heard, [("me".to_owned(), b"HELLO".to_vec())]);
//! # Ok::<(), usvg_guard::contain::Ended>(())
//! ```
//!
//! Time is limited everywhere, memory on Linux (`RLIMIT_DATA`) and Windows (a job object). This is not a sandbox: a worker may
//! do whatever the program may.

mod memory;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, to_value};
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
    /// Bytes of memory of a worker, including the stacks of its threads; 1 GiB by default. Linux and Windows only.
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
    /// It exceeded this limit of time.
    #[error("it took more than {} s and was stopped; allow more time", .0.as_secs_f64())]
    Time(Duration),
    /// It exceeded this limit of memory, in bytes.
    #[error("it needs more than {} MiB of memory and was stopped; allow more memory", .0 >> 20)]
    Memory(u64),
    /// One message, or all messages together, exceeded this limit, in bytes.
    #[error("the result has more than {0} bytes")]
    Bytes(u64),
    /// The stack overflowed.
    #[error("it is nested too deeply: the stack overflowed")]
    Stack,
    /// The worker panicked or ended in another way.
    #[error("the program crashed on it: {0}")]
    Crash(String),
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
    /// A pool that has started nothing yet, and gives its workers these arguments: see [`worker_arguments`].
    pub fn new(arguments: impl IntoIterator<Item = OsString>) -> Self {
        Self { arguments: arguments.into_iter().collect(), ..Self::default() }
    }

    /// Runs a job, a value and bytes, in a worker. Calls `each` with each message as it arrives; `Break` ends the job.
    ///
    /// Time spent in the callback does not count. The call takes at most one second longer than the limit.
    ///
    /// # Errors
    /// The reason why the job was not done. Unless the work itself returned it, the worker has been ended.
    pub fn run<M: DeserializeOwned>(
        &self,
        work: &str,
        job: &impl Serialize,
        bytes: &[&[u8]],
        limits: &Limits,
        each: &mut dyn FnMut(M, Vec<u8>) -> ControlFlow<()>,
    ) -> Result<(), Ended> {
        let start = Instant::now();
        let job = to_value(job).map_err(|error| Ended::Failed(one_line(&error.to_string())))?;
        let mut worker = self.take(limits).map_err(Ended::not_started)?;
        let (answered, to) = std::thread::scope(|scope| {
            let mut to = worker.to.take()?;
            // A worker that does not read makes this wait until it is killed.
            let write = move || {
                write(&mut to, &Frame::Job(work.to_owned(), job), bytes).ok()?;
                Some(to)
            };
            let writing = Builder::new().spawn_scoped(scope, write).ok()?;
            let answered = worker.listen(start, limits, each);
            if answered.as_ref().is_err_and(|why| !matches!(why, Ended::Failed(_))) {
                worker.kill();
            }
            Some((answered, writing.join().ok().flatten()))
        })
        .ok_or_else(|| Ended::NotStarted("it needs a pipe and a thread".into()))?;
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

/// What is written to a pipe as JSON, with bytes behind it.
#[derive(Serialize, Deserialize)]
enum Frame {
    /// To a worker, once: its memory.
    Start(u64),
    /// To a worker: the name of the work, and the job.
    Job(String, Value),
    /// From a worker, once.
    Begun,
    /// From a worker, during a job.
    Message(Value),
    /// From a worker: a job is done, or failed for this reason.
    Done(Result<(), String>),
    /// It was not read, because it is longer than allowed.
    TooLong,
    /// The beginning of what a worker wrote on standard error follows.
    Said,
}

fn write(to: &mut impl Write, frame: &Frame, bytes: &[&[u8]]) -> io::Result<()> {
    let frame = serde_json::to_vec(frame)?;
    to.write_all(&(frame.len() as u64).to_le_bytes())?;
    to.write_all(&bytes.iter().map(|part| part.len() as u64).sum::<u64>().to_le_bytes())?;
    to.write_all(&frame)?;
    bytes.iter().try_for_each(|part| to.write_all(part))?;
    to.flush()
}

/// A frame of at most `max` bytes, the bytes behind it, and the length of both.
fn read(from: &mut impl Read, max: u64) -> io::Result<(Frame, Vec<u8>, u64)> {
    let mut lengths = [[0; 8]; 2];
    from.read_exact(lengths.as_flattened_mut())?;
    let [frame, bytes] = lengths.map(u64::from_le_bytes);
    let both = frame.saturating_add(bytes);
    if both > max {
        return Ok((Frame::TooLong, Vec::new(), 0));
    }
    let mut take = |length| {
        let mut out = Vec::new();
        let is_whole = from.take(length).read_to_end(&mut out)? as u64 == length;
        if is_whole { Ok(out) } else { Err(io::Error::from(io::ErrorKind::UnexpectedEof)) }
    };
    Ok((serde_json::from_slice(&take(frame)?)?, take(bytes)?, both))
}

/// A process that works.
#[derive(Debug)]
struct Worker {
    child: Child,
    /// Its standard input. The worker exits when that is closed.
    to: Option<ChildStdin>,
    from: Receiver<(Frame, Vec<u8>, u64)>,
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
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut to = child.stdin.take();
        let _ = to.as_mut().map(|to| write(to, &Frame::Start(key.0), &[]));
        let (send, from) = sync_channel(1);
        let (stdout, stderr, also_send) = (child.stdout.take(), child.stderr.take(), send.clone());
        Builder::new().name("usvg_guard messages".into()).spawn(move || {
            let max = key.1.max(MESSAGE_MIN as u64);
            let mut stdout = stdout.map(|from| BufReader::with_capacity(1 << 16, from));
            while let Some(Ok(frame)) = stdout.as_mut().map(|from| read(from, max)) {
                let is_last = matches!(frame.0, Frame::TooLong);
                if send.send(frame).is_err() || is_last {
                    break;
                }
            }
        })?;
        Builder::new().name("usvg_guard errors".into()).spawn(move || {
            let mut said = Vec::new();
            if let Some(mut from) = stderr {
                let _ = from.by_ref().take(SAID_MAX).read_to_end(&mut said);
                let _ = io::copy(&mut from, &mut io::sink());
            }
            let _ = also_send.send((Frame::Said, said, 0));
        })?;
        Ok(Self { child, to, from, key, has_begun: false })
    }

    /// Hands over the messages of a job until it is done.
    fn listen<M: DeserializeOwned>(
        &mut self,
        start: Instant,
        limits: &Limits,
        each: &mut dyn FnMut(M, Vec<u8>) -> ControlFlow<()>,
    ) -> Result<(), Ended> {
        let mut left = limits.time.saturating_sub(start.elapsed());
        let (mut length, mut said) = (0, String::new());
        loop {
            let waiting = Instant::now();
            let frame = self.from.recv_timeout(left);
            left = left.saturating_sub(waiting.elapsed());
            match frame {
                Ok((Frame::Begun, ..)) => self.has_begun = true,
                Ok((Frame::Message(value), bytes, more)) => {
                    length += more;
                    if length > limits.answer_bytes {
                        return Err(Ended::Bytes(limits.answer_bytes));
                    }
                    let broken = |_| Ended::Crash("it sent a message that cannot be read".into());
                    if each(from_value(value).map_err(broken)?, bytes).is_break() {
                        return Err(Ended::Stopped);
                    }
                }
                Ok((Frame::Done(done), ..)) => {
                    return done.map_err(|why| Ended::Failed(one_line(&why)));
                }
                Ok((Frame::Said, bytes, _)) => said = String::from_utf8_lossy(&bytes).into_owned(),
                Ok(_) => return Err(Ended::Bytes(limits.message_bytes)),
                Err(RecvTimeoutError::Timeout) => return Err(Ended::Time(limits.time)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(&said, limits)),
            }
        }
    }

    /// Why it ended, from its exit status and what it said on standard error.
    fn ended(&mut self, said: &str, limits: &Limits) -> Ended {
        const MEMORY: [&str; 4] =
            ["memory allocation of", "bad_alloc", "out of memory", "Cannot allocate memory"];
        let status = self.kill().map_or(String::new(), |status| status.to_string());
        if MEMORY.iter().any(|words| said.contains(words)) {
            Ended::Memory(limits.memory)
        } else if said.contains("has overflowed its stack") {
            Ended::Stack
        } else if let Some(at) = said.find("panicked at ") {
            Ended::Crash(one_line(&said[at..]))
        } else if self.has_begun {
            // Linux ends a process that takes the last memory of the machine with signal 9.
            Ended::Crash(status.replace("signal: 9", "no memory left in the machine, or signal: 9"))
        } else {
            Ended::NotStarted(format!("does main begin with contain::serve? ({status})"))
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

/// The first argument of a worker.
const FLAG: &str = "--usvg-guard-worker";

/// A function that does a job, a value and bytes, sends messages while it works, and returns the reason if it fails.
///
/// It runs on the main thread of the worker. A panic ends the worker.
pub type Work<'a> = &'a mut dyn FnMut(Value, Vec<u8>, &mut Messages) -> Result<(), String>;

/// Reads the value of a job.
///
/// # Errors
/// It has another type.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// Sends the messages of a job to the program.
pub struct Messages(Box<dyn Write + Send>);

impl Messages {
    /// Sends a message: a value, and bytes.
    ///
    /// # Errors
    /// The value cannot be JSON, or the program no longer listens.
    pub fn send(&mut self, value: &impl Serialize, bytes: &[u8]) -> Result<(), String> {
        let frame = to_value(value).map(Frame::Message).map_err(|error| error.to_string())?;
        write(&mut self.0, &frame, &[bytes]).map_err(|error| error.to_string())
    }
}

/// In a worker, the name of the program and the arguments that its pool was given; `None` in an ordinary run.
///
/// Cost: reads the command line.
pub fn worker_arguments() -> Option<Vec<OsString>> {
    let mut all: Vec<_> = std::env::args_os().collect();
    let is_worker = all.get(1).is_some_and(|flag| flag == FLAG);
    is_worker.then(|| {
        all.remove(1);
        all
    })
}

/// In a worker, does jobs until the program that started it closes the pipe or ends, and then exits; in an ordinary run,
/// returns at once. Call it first in `main`, with a name for each kind of work.
///
/// On Unix, standard output of a worker is redirected to standard error; elsewhere a worker must not print.
pub fn serve(works: &mut [(&str, Work<'_>)]) {
    if worker_arguments().is_none() {
        return;
    }
    let mut from = BufReader::with_capacity(1 << 16, io::stdin());
    let Ok((Frame::Start(most), ..)) = read(&mut from, MESSAGE_MIN as u64) else {
        eprintln!("{FLAG} is internal: the program starts itself with it");
        exit(2);
    };
    memory::limit(most);
    let (send, jobs) = sync_channel(0);
    // This thread ends the worker when the program ends, even during a job.
    let reader = Builder::new().name("usvg_guard jobs".into()).spawn(move || {
        while let Ok((Frame::Job(name, job), bytes, _)) = read(&mut from, u64::MAX) {
            if send.send((name, job, bytes)).is_err() {
                break;
            }
        }
        exit(0)
    });
    let (Ok(out), Ok(_)) = (standard_output(), reader) else { exit(1) };
    let mut out = Messages(Box::new(BufWriter::with_capacity(1 << 16, out)));
    let _ = write(&mut out.0, &Frame::Begun, &[]);
    for (name, job, bytes) in jobs {
        let done = match works.iter_mut().find(|(known, _)| *known == name) {
            Some((_, work)) => work(job, bytes, &mut out),
            None => Err(format!("there is no work '{name}'")),
        };
        let done = done.map_err(|why| one_line(&why));
        if write(&mut out.0, &Frame::Done(done), &[]).is_err() {
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
