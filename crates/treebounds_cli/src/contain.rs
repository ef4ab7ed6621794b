//! Work on drawings in a process of its own, which no drawing can take this one down with.
//!
//! ```text
//! svg_clips ──── job: a file's bytes ───▶ svg_clips, the worker: limits of time and memory
//!     │  ◀──── messages: rows, data ────     reads, computes, paints
//!     ▼
//!  files, standard output, the terminal
//! ```
//!
//! The worker only answers. This process reads the files of the command line and writes all outputs, so that a worker that
//! ends in the midst of its work leaves nothing behind. A worker does one job after the other; where it ends, the next job
//! gets another one.

use crate::{
    ending,
    failure::{Failure, plain},
    limits::Limits,
    wire::{Job, Message, Sink},
    worker::{self, Work},
};
use std::{
    io::{self, BufReader, Read, Write, stderr},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Does jobs, in workers or, where drawings are trusted, here.
pub(crate) struct Workers<'a> {
    limits: &'a Limits,
    work: Work<'a>,
    worker: Option<Worker>,
}

/// How an attempt at a job failed.
enum Failed {
    /// It ended with an error.
    Told(Failure),
    /// The worker ended. Whether the boxes were told, and why it did.
    Ended(bool, String),
}

impl<'a> Workers<'a> {
    /// Workers with these limits. They are this program again, with this command line.
    pub(crate) fn new(limits: &'a Limits, work: Work<'a>) -> Self {
        Self { limits, work, worker: None }
    }

    /// Does a job. Where its worker ends when the boxes are told and the drawing is being painted, the drawing is left
    /// out of the picture. The result is an exit code.
    ///
    /// # Errors
    /// What the work says; or why its worker has ended.
    pub(crate) fn run(&mut self, mut job: Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
        if self.limits.trust {
            return (self.work)(job, sink);
        }
        match self.attempt(&job, sink) {
            Ok(code) => Ok(code),
            Err(Failed::Told(failure)) => Err(failure),
            Err(Failed::Ended(false, cause)) => Err(Failure::bad(cause)),
            Err(Failed::Ended(true, cause)) => {
                job.plain = Some(cause);
                match self.attempt(&job, &mut AfterBoxes { sink, are_told: false }) {
                    Ok(code) => Ok(code),
                    Err(Failed::Told(failure)) => Err(failure),
                    Err(Failed::Ended(_, cause)) => {
                        sink.take(Message::Note(format!("there is no picture: {cause}")))?;
                        Ok(1)
                    }
                }
            }
        }
    }

    fn attempt(&mut self, job: &Job, sink: &mut dyn Sink) -> Result<u8, Failed> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start().map_err(|error| {
                let cause = "no process could be started for the drawing";
                let cause = format!("{cause}: {}; --trust reads it in this one", plain(&error));
                Failed::Told(Failure::bad(cause))
            })?,
        };
        // Where the worker is gone, its messages end.
        let _ = job.write(&mut worker.jobs);
        let limit = self.limits.time();
        let (mut left, mut are_told) = (limit, false);
        loop {
            // The clock stands while this process writes, perhaps to a person who reads.
            let start = Instant::now();
            let message = worker.messages.recv_timeout(left);
            left = left.saturating_sub(start.elapsed());
            match message {
                Ok(Message::Done(done)) => {
                    self.worker = Some(worker);
                    return done.map_err(Failed::Told);
                }
                Ok(message) => {
                    if matches!(message, Message::Boxes) {
                        (left, are_told) = (limit, true);
                    }
                    sink.take(message).map_err(Failed::Told)?;
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Failed::Ended(
                        are_told,
                        ending::too_long(doing(are_told), self.limits),
                    ));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let (status, said) = worker.end();
                    return Err(Failed::Ended(
                        are_told,
                        ending::cause(doing(are_told), status, &said, self.limits),
                    ));
                }
            }
        }
    }
}

/// What a worker does, before and after it has told the boxes.
fn doing(are_told: bool) -> &'static str {
    if are_told { "painting" } else { "reading" }
}

/// Tells what comes after the boxes.
struct AfterBoxes<'a> {
    sink: &'a mut dyn Sink,
    are_told: bool,
}

impl Sink for AfterBoxes<'_> {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        if self.are_told || matches!(message, Message::Step(_)) {
            return self.sink.take(message);
        }
        self.are_told = matches!(message, Message::Boxes);
        Ok(())
    }
}

/// A process that works.
struct Worker {
    child: Child,
    jobs: Pipe,
    messages: Receiver<Message>,
    /// What it said on standard error.
    said: Option<JoinHandle<Vec<u8>>>,
}

/// The worker's standard input, which is closed when the worker is to end.
struct Pipe(Option<ChildStdin>);

/// So much of what a worker says on standard error is kept.
const SAID_MAX: u64 = 1 << 16;
/// So long a worker may take to end when there is nothing to do.
const PARTING: Duration = Duration::from_secs(2);

impl Worker {
    fn start() -> io::Result<Self> {
        let mut child = command()?
            .args(std::env::args_os().skip(1))
            .env(worker::VARIABLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let jobs = Pipe(child.stdin.take());
        let (send, messages) = sync_channel(16);
        let from = child.stdout.take();
        thread::Builder::new().name("treebounds messages".into()).spawn(move || {
            let mut from = from.map(|from| BufReader::with_capacity(1 << 16, from));
            while let Some(Ok(Some(message))) = from.as_mut().map(Message::read) {
                if send.send(message).is_err() {
                    break;
                }
            }
        })?;
        let from = child.stderr.take();
        let said = thread::Builder::new().name("treebounds said".into()).spawn(move || {
            let mut said = Vec::new();
            if let Some(mut from) = from {
                let _ = from.by_ref().take(SAID_MAX).read_to_end(&mut said);
                let _ = io::copy(&mut from, &mut io::sink());
            }
            said
        })?;
        Ok(Self { child, jobs, messages, said: Some(said) })
    }

    /// Ends it; how it ended, and what it said on standard error.
    fn end(mut self) -> (Option<ExitStatus>, String) {
        self.stop()
    }

    fn stop(&mut self) -> (Option<ExitStatus>, String) {
        let _ = self.child.kill();
        let status = self.child.wait().ok();
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        (status, String::from_utf8_lossy(&said).into_owned())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A worker that has done its jobs ends by itself; what drivers said meanwhile is passed on.
impl Drop for Workers<'_> {
    fn drop(&mut self) {
        let Some(mut worker) = self.worker.take() else { return };
        worker.jobs.0 = None;
        let _ = worker.messages.recv_timeout(PARTING);
        let (_, said) = worker.stop();
        let _ = stderr().write_all(said.as_bytes());
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Some(pipe) => pipe.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// This program. Signals from a terminal come to this process alone, which ends its worker.
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
