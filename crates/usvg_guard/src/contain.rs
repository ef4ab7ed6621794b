//! Work in a process of its own, which no input can take this one down with.
//!
//! ```text
//! the program ── job: bytes ──▶ the program again, as a worker: limits of memory
//!      │  ◀─── messages: bytes ───     works, and may abort, hang or be killed
//!      ▼
//! bounded memory, bounded time, one line that says what happened
//! ```
//!
//! A worker is the host's own program, started with a flag, a secret that the environment repeats and standard input
//! confirms. So `main` has to hand over to [`serve`] before it does anything else:
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
//! Time is limited everywhere; memory on Linux alone (`RLIMIT_DATA`). This is no sandbox: a worker may do whatever the
//! program may.

mod ended;
mod wire;
mod worker;

pub use ended::{Ended, one_line};
pub use worker::{Messages, Work, serve, worker_arguments};

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};
use wire::Frame;

/// Limits for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time until the job is done, the start of a worker included: 2 s.
    pub time: Duration,
    /// Bytes of memory that a worker may have, the stacks of its threads included: 1 GiB. Linux alone.
    pub memory: u64,
    /// Bytes of one message: 1 MiB. The program holds at most four at once.
    pub message_bytes: u64,
    /// Bytes of all messages of the job: 256 MiB.
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

/// Workers, started when they are needed and kept for the next job.
///
/// Several threads may run jobs at once, each in a worker of its own. Dropping the pool ends the workers.
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

    /// The same pool, whose workers are given these arguments: see [`worker_arguments`].
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = OsString>) -> Self {
        self.arguments = arguments.into_iter().collect();
        self
    }

    /// Has a worker do a job, whose parts are joined, and hands over its messages as they come. `Break` ends the job.
    ///
    /// Time that is spent in the callback does not count. The call takes at most a second longer than the limit.
    ///
    /// # Errors
    /// Why the job was not done. Its worker is gone then.
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
            let to = worker.to.take();
            let write =
                move || to.and_then(|mut to| wire::write_job(&mut to, work, job).ok().map(|()| to));
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

/// A process that works.
#[derive(Debug)]
struct Worker {
    child: Child,
    /// Its standard input; when that is closed it ends.
    to: Option<ChildStdin>,
    from: Receiver<Frame>,
    /// The end of what it says on standard error, once that ends.
    said: Receiver<Vec<u8>>,
    /// Its limits of memory and messages.
    key: (u64, u64),
    /// Whether it has said that it takes jobs.
    has_begun: bool,
}

/// So much of what a worker says on standard error is kept.
const SAID_MAX: u64 = 1 << 14;
/// So long is waited for the last words of a worker that has ended.
const PARTING: Duration = Duration::from_millis(500);

impl Worker {
    fn start(arguments: &[OsString], key: (u64, u64)) -> io::Result<Self> {
        if worker_arguments().is_some() {
            return Err(io::Error::other("this process is a worker itself"));
        }
        let random = || RandomState::new().build_hasher().finish();
        let secret = format!("{:016x}{:016x}", random(), random());
        let mut child = command()?
            .args([worker::FLAG, &secret])
            .args(arguments)
            .env(worker::VARIABLE, &secret)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().map(|mut to| {
            let _ = wire::write_start(&mut to, &secret, key.0);
            to
        });
        let (send, from) = sync_channel(1);
        let stdout = child.stdout.take();
        Builder::new().name("usvg_guard messages".into()).spawn(move || {
            let mut stdout = stdout.map(|from| BufReader::with_capacity(1 << 16, from));
            while let Some(Ok(frame)) = stdout.as_mut().map(|from| Frame::read(from, key.1)) {
                let is_last = matches!(frame, Frame::TooLong);
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
                Ok(Frame::Begun) => self.has_begun = true,
                Ok(Frame::Message(message)) => {
                    bytes += message.len() as u64;
                    if bytes > limits.answer_bytes {
                        return Err(Ended::Bytes { limit: limits.answer_bytes });
                    }
                    if each(&message).is_break() {
                        return Err(Ended::Stopped);
                    }
                }
                Ok(Frame::Done) => return Ok(()),
                Ok(Frame::Failed(why)) => return Err(Ended::Failed(one_line(&why))),
                Ok(Frame::TooLong) => return Err(Ended::Bytes { limit: limits.message_bytes }),
                Err(RecvTimeoutError::Timeout) => return Err(Ended::Time { limit: limits.time }),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.kill();
                    let said = self.said.recv_timeout(PARTING).unwrap_or_default();
                    let said = String::from_utf8_lossy(&said);
                    return Err(Ended::of(status, &said, limits, self.has_begun));
                }
            }
        }
    }

    fn kill(&mut self) -> Option<std::process::ExitStatus> {
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// This program. Signals from a terminal come to this process alone, which ends its workers.
#[cfg(unix)]
fn command() -> io::Result<Command> {
    use std::os::unix::process::CommandExt;
    // On Linux the program can be started even where its file was replaced.
    let own = std::path::Path::new("/proc/self/exe");
    let program = if own.exists() { own.to_owned() } else { std::env::current_exe()? };
    let mut command = Command::new(program);
    command.process_group(0).arg0(std::env::args_os().next().unwrap_or_default());
    Ok(command)
}

/// This program.
#[cfg(not(unix))]
fn command() -> io::Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}
