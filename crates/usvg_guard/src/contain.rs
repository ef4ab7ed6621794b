//! Runs work in separate processes, so that no input can crash this one. A worker receives a job and sends messages.
//!
//! A worker is the same program with different arguments. Therefore, `main` must call [`serve`] before anything else:
//!
//! ```no_run
//! use usvg_guard::contain::{Limits, Pool, serve};
//! serve("shout", |text: String, out| out.send(&text.to_uppercase()));
//! // From here on this is an ordinary run.
//! Pool::new("shout", []).run(&"hello", &Limits::default(), |text: String| {
//!     assert_eq!(text, "HELLO");
//!     Ok(())
//! })?;
//! # Ok::<(), usvg_guard::contain::Ended>(())
//! ```
//!
//! Jobs and messages are any serde types; use `serde_bytes` for bytes. Time is limited on all platforms, memory on
//! Linux (`RLIMIT_DATA`) and Windows (a job object). This is not a sandbox: a worker has the same permissions as the
//! program.

mod memory;
mod watch;

use crate::thread::on_new_stack;
use crate::words::bytes;
pub use crate::words::one_line;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Command, Stdio, exit};
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};
use watch::Watch;

/// The maximum length of a message in bytes. The program stores one message per worker at a time.
pub const MESSAGE_MAX: u64 = 1 << 20;

/// Limits for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time until the job is done, including the start of a worker; 2 s by default.
    pub time: Duration,
    /// Memory of a worker in bytes, including the stacks of its threads; 1 GiB by default. Linux and Windows only.
    pub memory: u64,
    /// Total bytes of all messages of the job; 256 MiB by default.
    pub answer_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(2), memory: 1 << 30, answer_bytes: 256 << 20 }
    }
}

/// The reason why a job failed. Each message is one line of at most about 300 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// The work, or the receiver of its messages, returned this error.
    #[error("{0}")]
    Failed(String),
    /// The job exceeded this time limit.
    #[error("it took more than {} s; allow more time", .0.as_secs_f64())]
    Time(Duration),
    /// The job exceeded this memory limit, in bytes.
    #[error("it needs more than {} of memory and was stopped; allow more memory", bytes(*.0))]
    Memory(u64),
    /// One message, or all messages together, exceeded this limit, in bytes.
    #[error("the result has more than {}", bytes(*.0))]
    Bytes(u64),
    /// The stack overflowed.
    #[error("it is nested too deeply: the stack overflowed")]
    Stack,
    /// The worker panicked or exited unexpectedly.
    #[error("the program crashed on it: {0}")]
    Crash(String),
    /// A worker could not be started.
    #[error("no process could be started for it: {0}")]
    NotStarted(String),
}

/// A pool of workers, started on demand and reused.
///
/// Several threads may run jobs at once, each in its own worker. Dropping the pool ends the workers.
pub struct Pool {
    name: String,
    arguments: Vec<OsString>,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// Creates a pool for the work called `name`, without starting a worker. Workers receive `arguments`, which
    /// [`arguments`] returns there.
    pub fn new(name: &str, arguments: impl IntoIterator<Item = OsString>) -> Self {
        let arguments = arguments.into_iter().collect();
        Self { name: name.to_owned(), arguments, idle: Mutex::default() }
    }

    /// Runs a job in a worker. Calls `each` with each message as it arrives; an error from `each` ends the job.
    ///
    /// The time limit excludes the time spent in `each` and on ending a worker.
    ///
    /// # Errors
    /// The reason why the job failed. Except after an error of the work itself, the worker is ended.
    pub fn run<J: Serialize + ?Sized, M: DeserializeOwned>(
        &self,
        job: &J,
        limits: &Limits,
        each: impl FnMut(M) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let start = Instant::now();
        let not_started = |error: io::Error| Ended::NotStarted(one_line(&error.to_string()));
        let mut worker = self.take(limits.memory).map_err(not_started)?;
        let done = worker.run_job(job, start.checked_add(limits.time), limits.answer_bytes, each);
        if worker.watch.set(None) {
            return Err(Ended::Time(limits.time));
        }
        let done = done.map_err(|why| {
            worker.watch.end();
            why.unwrap_or_else(|| worker.end_reason())
        })?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        done.map_err(Ended::Failed)
    }

    /// Takes an idle worker with the same limit, or starts one.
    fn take(&self, memory: u64) -> io::Result<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|worker| worker.watch.is_running());
        match idle.iter().position(|worker| worker.memory == memory) {
            Some(at) => Ok(idle.swap_remove(at)),
            None => Worker::start(self, memory),
        }
    }
}

/// A message from a worker.
#[derive(Serialize, Deserialize)]
enum Frame<M> {
    Message(M),
    /// The job is done, or failed for this reason.
    Done(Result<(), String>),
}

fn write(to: &mut impl Write, value: &(impl Serialize + ?Sized)) -> Result<(), String> {
    rmp_serde::encode::write(to, value).map_err(|error| error.to_string())?;
    to.flush().map_err(|error| error.to_string())
}

/// A worker process. It exits when its pipes are closed.
struct Worker {
    watch: Watch,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The beginning of its output on standard error.
    said: Receiver<String>,
    memory: u64,
}

impl Worker {
    fn start(pool: &Pool, memory: u64) -> io::Result<Self> {
        if arguments().is_some() {
            return Err(io::Error::other("this process is a worker itself"));
        }
        // On Linux, this starts the program even if its file was replaced.
        let own = PathBuf::from("/proc/self/exe");
        let program = if own.exists() { own } else { std::env::current_exe()? };
        let mut command = Command::new(program);
        // Terminal signals reach only this process, which ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let about = format!("{memory}:{}", pool.name);
        command.arg(format!("{FLAG}{about}")).args(&pool.arguments).env(WORKER, about);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, said) = channel();
        let (Some(to), Some(from), Some(mut errors)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        Builder::new().name("usvg_guard errors".into()).spawn(move || {
            let mut said = Vec::new();
            let _ = errors.by_ref().take(1 << 14).read_to_end(&mut said);
            let _ = send.send(String::from_utf8_lossy(&said).into_owned());
            io::copy(&mut errors, &mut io::sink())
        })?;
        Ok(Self {
            watch: Watch::start(child)?,
            to,
            from: BufReader::with_capacity(1 << 16, from),
            said,
            memory,
        })
    }

    /// Sends a job and calls `each` with each message until the job is done or fails. The error is `None` if the worker
    /// ended.
    fn run_job<M: DeserializeOwned>(
        &mut self,
        job: &(impl Serialize + ?Sized),
        mut due: Option<Instant>,
        answer_bytes: u64,
        mut each: impl FnMut(M) -> Result<(), Ended>,
    ) -> Result<Result<(), String>, Option<Ended>> {
        self.watch.set(due);
        write(&mut BufWriter::new(&mut self.to), job).map_err(|_| None)?;
        let mut room = answer_bytes;
        loop {
            let mut part = self.from.by_ref().take(MESSAGE_MAX);
            let message = match rmp_serde::from_read(&mut part) {
                Ok(Frame::Message(message)) => message,
                Ok(Frame::Done(done)) => return Ok(done.map_err(|why| one_line(&why))),
                Err(_) if part.limit() == 0 => return Err(Some(Ended::Bytes(MESSAGE_MAX))),
                Err(_) => return Err(None),
            };
            let left = room.checked_sub(MESSAGE_MAX - part.limit());
            room = left.ok_or(Some(Ended::Bytes(answer_bytes)))?;
            self.watch.set(None);
            let start = Instant::now();
            each(message).map_err(Some)?;
            due = due.and_then(|due| due.checked_add(start.elapsed()));
            self.watch.set(due);
        }
    }

    /// The reason why the worker ended, from its exit status and its output on standard error.
    fn end_reason(&self) -> Ended {
        const MEMORY: [&str; 4] =
            ["memory allocation of", "bad_alloc", "out of memory", "Cannot allocate memory"];
        let status = self.watch.status().map_or(String::new(), |status| status.to_string());
        let said = self.said.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
        if MEMORY.iter().any(|words| said.contains(words)) {
            Ended::Memory(self.memory)
        } else if said.contains("has overflowed its stack") {
            Ended::Stack
        } else if let Some(at) = said.find("panicked at ") {
            Ended::Crash(one_line(&said[at..]))
        } else {
            // When memory runs out, Linux ends a process with signal 9.
            let status = status.replace("signal: 9", "no memory left in the machine, or signal: 9");
            let asks = "does main begin with contain::serve? exit status";
            Ended::Crash(status.replace("exit status", asks))
        }
    }
}

/// The prefix of a worker's first argument. The memory limit, a colon and the name of the work follow.
const FLAG: &str = "--usvg-guard-worker=";

/// The environment variable of a worker that repeats the text after the flag, so that a file name cannot start a
/// worker.
const WORKER: &str = "USVG_GUARD_WORKER";

/// In a worker, returns the text after the flag.
fn worker_flag(all: &[OsString]) -> Option<&str> {
    let about = all.get(1)?.to_str()?.strip_prefix(FLAG)?;
    std::env::var(WORKER).is_ok_and(|known| known == about).then_some(about)
}

/// In a worker, returns the program name and the arguments that the pool passes on; `None` in an ordinary run.
///
/// Cost: reads the command line.
pub fn arguments() -> Option<Vec<OsString>> {
    let mut all: Vec<_> = std::env::args_os().collect();
    worker_flag(&all)?;
    all.remove(1);
    Some(all)
}

/// Sends the messages of a job to the program.
pub struct Messages(BufWriter<Box<dyn Write + Send>>);

impl Messages {
    /// Sends a message of at most [`MESSAGE_MAX`] bytes; a longer message ends the job.
    ///
    /// # Errors
    /// The message cannot be serialized, or the program no longer listens.
    pub fn send(&mut self, message: &impl Serialize) -> Result<(), String> {
        write(&mut self.0, &Frame::Message(message))
    }
}

/// In a worker for the work called `name`, runs jobs until the parent closes the pipe or ends, then exits. In any other
/// process, returns at once. Call this first in `main`, once per kind of work.
///
/// `work` runs a job: it sends messages, and returns the reason if the job fails. It runs on one thread with a large
/// stack, so [`with_large_stack`](crate::with_large_stack) starts no thread per job. A panic ends the worker. On Unix,
/// standard output is redirected to standard error; on other platforms, `work` must not print.
pub fn serve<J: DeserializeOwned + Send + 'static>(
    name: &str,
    mut work: impl FnMut(J, &mut Messages) -> Result<(), String> + Send,
) {
    let all: Vec<_> = std::env::args_os().take(2).collect();
    let flag = worker_flag(&all).and_then(|flag| flag.split_once(':'));
    let Some((most, _)) = flag.filter(|(_, own)| *own == name) else { return };
    memory::limit(most.parse().unwrap_or(u64::MAX));
    let (send, jobs) = sync_channel(0);
    // The reader thread ends the worker when the program ends, even during a job.
    let reader = Builder::new().name("usvg_guard jobs".into()).spawn(move || {
        let mut from = BufReader::with_capacity(1 << 16, io::stdin());
        while let Ok(job) = rmp_serde::from_read(&mut from) {
            let _: Result<(), _> = send.send(job);
        }
        let _ = writeln!(io::stderr(), "{FLAG} is internal: the program starts itself with it");
        exit(2)
    });
    // On Unix, standard output goes to standard error.
    #[cfg(unix)]
    let out = rustix::io::dup(io::stdout())
        .and_then(|own| rustix::stdio::dup2_stdout(io::stderr()).and(Ok(std::fs::File::from(own))));
    #[cfg(not(unix))]
    let out = Ok::<_, io::Error>(io::stdout());
    let (Ok(out), Ok(_)) = (out, reader) else { exit(1) };
    let mut out = Messages(BufWriter::with_capacity(1 << 16, Box::new(out)));
    let done = on_new_stack(move || {
        jobs.into_iter().try_for_each(|job| {
            let done = work(job, &mut out);
            write(&mut out.0, &Frame::<()>::Done(done))
        })
    });
    exit(if matches!(done, Ok(Ok(_))) { 0 } else { 101 })
}
