//! Work in a separate process, so that no input can take this one down: a worker gets a job, and sends messages.
//!
//! A worker is the same program with other arguments. So `main` must call [`serve`] before it does anything else:
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
//! Jobs and messages are any types of serde; let `serde_bytes` write bytes. Time is limited everywhere, memory on Linux
//! (`RLIMIT_DATA`) and Windows (a job object). This is not a sandbox: a worker may do whatever the program may.

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

/// The maximum length of a message in bytes. The program holds one message of a worker at a time.
pub const MESSAGE_MAX: u64 = 1 << 20;

/// Limits for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time until the job is done, including the start of a worker; 2 s by default.
    pub time: Duration,
    /// Bytes of memory of a worker, including the stacks of its threads; 1 GiB by default. Linux and Windows only.
    pub memory: u64,
    /// Bytes of all messages of the job; 256 MiB by default.
    pub answer_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(2), memory: 1 << 30, answer_bytes: 256 << 20 }
    }
}

/// Why a job was not done. Each message is one line of at most about 300 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// The work returned this error, or the receiver of its messages did.
    #[error("{0}")]
    Failed(String),
    /// It exceeded this limit of time.
    #[error("it took more than {} s; allow more time", .0.as_secs_f64())]
    Time(Duration),
    /// It exceeded this limit of memory, in bytes.
    #[error("it needs more than {} of memory and was stopped; allow more memory", bytes(*.0))]
    Memory(u64),
    /// One message, or all messages together, exceeded this limit, in bytes.
    #[error("the result has more than {}", bytes(*.0))]
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
}

/// Workers, started when they are needed and kept for the next job.
///
/// Several threads may run jobs at once, each in its own worker. Dropping the pool ends the workers.
pub struct Pool {
    name: String,
    arguments: Vec<OsString>,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// A pool for the work of this name. It has started nothing yet, and gives its workers these [`arguments`].
    pub fn new(name: &str, arguments: impl IntoIterator<Item = OsString>) -> Self {
        let arguments = arguments.into_iter().collect();
        Self { name: name.to_owned(), arguments, idle: Mutex::default() }
    }

    /// Runs a job in a worker. Calls `each` with each message as it arrives; its error ends the job.
    ///
    /// Time spent in `each` does not count, nor does the time to end a worker.
    ///
    /// # Errors
    /// The reason why the job was not done. Unless the work itself returned it, the worker has been ended.
    pub fn run<J: Serialize + ?Sized, M: DeserializeOwned>(
        &self,
        job: &J,
        limits: &Limits,
        each: impl FnMut(M) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let start = Instant::now();
        let not_started = |error: io::Error| Ended::NotStarted(one_line(&error.to_string()));
        let mut worker = self.take(limits.memory).map_err(not_started)?;
        let done = worker.talk(job, start.checked_add(limits.time), limits.answer_bytes, each);
        if worker.watch.set(None) {
            return Err(Ended::Time(limits.time));
        }
        let done = done.map_err(|why| {
            worker.watch.end();
            why.unwrap_or_else(|| worker.ended())
        })?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        done.map_err(Ended::Failed)
    }

    /// An idle worker with the same limit, or a new one.
    fn take(&self, memory: u64) -> io::Result<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|worker| worker.watch.is_running());
        match idle.iter().position(|worker| worker.memory == memory) {
            Some(at) => Ok(idle.swap_remove(at)),
            None => Worker::start(self, memory),
        }
    }
}

/// What a worker sends.
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

/// A process that works. It exits when its pipes are closed.
struct Worker {
    watch: Watch,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The beginning of what it writes on standard error.
    said: Receiver<String>,
    memory: u64,
}

impl Worker {
    fn start(pool: &Pool, memory: u64) -> io::Result<Self> {
        if arguments().is_some() {
            return Err(io::Error::other("this process is a worker itself"));
        }
        // On Linux, the program can be started even if its file was replaced.
        let own = PathBuf::from("/proc/self/exe");
        let program = if own.exists() { own } else { std::env::current_exe()? };
        let mut command = Command::new(program);
        // Signals from a terminal reach only this process, which ends its workers.
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

    /// Sends a job, and calls `each` with each answer until the job is done, or failed for a reason. The error is `None` if the
    /// worker ended.
    fn talk<M: DeserializeOwned>(
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

    /// Why it ended, from its exit status and what it said on standard error.
    fn ended(&self) -> Ended {
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
            // Linux ends a process that takes the last memory of the machine with signal 9.
            let status = status.replace("signal: 9", "no memory left in the machine, or signal: 9");
            let asks = "does main begin with contain::serve? exit status";
            Ended::Crash(status.replace("exit status", asks))
        }
    }
}

/// The first argument of a worker begins so; its memory, a colon and the name of its work follow.
const FLAG: &str = "--usvg-guard-worker=";

/// The environment of a worker repeats what follows the flag, so that the name of a file alone makes no worker.
const WORKER: &str = "USVG_GUARD_WORKER";

/// In a worker, what follows the flag.
fn about(all: &[OsString]) -> Option<&str> {
    let about = all.get(1)?.to_str()?.strip_prefix(FLAG)?;
    std::env::var(WORKER).is_ok_and(|known| known == about).then_some(about)
}

/// In a worker, the name of the program and the arguments that its pool was given; `None` in an ordinary run.
///
/// Cost: reads the command line.
pub fn arguments() -> Option<Vec<OsString>> {
    let mut all: Vec<_> = std::env::args_os().collect();
    about(&all)?;
    all.remove(1);
    Some(all)
}

/// Sends the messages of a job to the program.
pub struct Messages(BufWriter<Box<dyn Write + Send>>);

impl Messages {
    /// Sends a message of at most [`MESSAGE_MAX`] bytes; a longer one ends the job.
    ///
    /// # Errors
    /// The message cannot be serialized, or the program no longer listens.
    pub fn send(&mut self, message: &impl Serialize) -> Result<(), String> {
        write(&mut self.0, &Frame::Message(message))
    }
}

/// In a worker for the work of this name, does jobs until the program that started it closes the pipe or ends, and then exits;
/// elsewhere, returns at once. Call it first in `main`, once for each kind of work.
///
/// `work` does a job: it sends messages while it works, and returns the reason if it fails. It runs on one thread with a large
/// stack, so that [`with_large_stack`](crate::with_large_stack) starts none for each job. A panic ends the worker. On Unix, its
/// standard output is redirected to standard error; elsewhere it must not print.
pub fn serve<J: DeserializeOwned + Send + 'static>(
    name: &str,
    mut work: impl FnMut(J, &mut Messages) -> Result<(), String> + Send,
) {
    let all: Vec<_> = std::env::args_os().take(2).collect();
    let flag = about(&all).and_then(|about| about.split_once(':'));
    let Some((most, _)) = flag.filter(|(_, own)| *own == name) else { return };
    memory::limit(most.parse().unwrap_or(u64::MAX));
    let (send, jobs) = sync_channel(0);
    // This thread ends the worker when the program ends, even during a job.
    let reader = Builder::new().name("usvg_guard jobs".into()).spawn(move || {
        let mut from = BufReader::with_capacity(1 << 16, io::stdin());
        while let Ok(job) = rmp_serde::from_read(&mut from) {
            let _: Result<(), _> = send.send(job);
        }
        let _ = writeln!(io::stderr(), "{FLAG} is internal: the program starts itself with it");
        exit(2)
    });
    // On Unix, anything that is printed goes to standard error.
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
