//! Work on a drawing in a process of its own, so that no drawing can crash this one.
//!
//! ```text
//! svg_clips ──── job: the bytes of a file ────▶ svg_clips, the worker: limits of time and memory
//!     │  ◀──── messages: rows, outputs ────     reads, computes, paints
//!     ▼
//!  files, standard output, the terminal
//! ```
//!
//! The worker opens no output. This process reads the files of the command line and writes all outputs, so a worker that
//! crashes leaves nothing behind.

use crate::{
    failure::Failure,
    messages::{Job, Message, Sink},
    options::Limits,
};
use std::{ffi::OsString, ops::ControlFlow};
use usvg_guard::contain::{self, Ended, Messages, Pool};

/// Does a job; the result is an exit code.
pub(crate) type Work<'a> = &'a mut dyn FnMut(&Job, &mut dyn Sink) -> Result<u8, Failure>;

/// The program and its arguments, in the worker too.
pub fn arguments() -> Vec<OsString> {
    contain::worker_arguments().unwrap_or_else(|| std::env::args_os().collect())
}

/// The work's name, between this process and its workers.
const NAME: &str = "drawing";

/// Besides its outputs, a job sends rows, notes and heads of messages.
const OTHER_BYTES: u64 = 1 << 28;

/// In a worker, does jobs and never returns; elsewhere returns at once.
pub(crate) fn serve(work: Work<'_>) {
    let mut serve = |job: &[u8], messages: &mut Messages| {
        let job = Job::decode(job).ok_or("the job cannot be read")?;
        let mut answers = Answers(messages);
        let done = work(&job, &mut answers);
        answers.take(Message::Done(done)).map_err(|failure| failure.to_string())
    };
    contain::serve(&mut [(NAME, &mut serve)]);
}

/// Sends messages from a worker.
struct Answers<'a>(&'a mut Messages);

impl Sink for Answers<'_> {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        message.encode().and_then(|message| self.0.send(&message)).map_err(Failure::bad)
    }
}

/// Does jobs in workers, or in this process if drawings are trusted.
pub(crate) struct Workers<'a> {
    limits: &'a Limits,
    work: Work<'a>,
    pool: Pool,
}

impl<'a> Workers<'a> {
    pub(crate) fn new(limits: &'a Limits, work: Work<'a>) -> Self {
        let pool = Pool::new().arguments(std::env::args_os().skip(1));
        Self { limits, work, pool }
    }

    /// Does a job; the result is an exit code.
    ///
    /// # Errors
    /// The failure of the work or of the sink; or how the worker ended.
    pub(crate) fn run(&mut self, job: &Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
        if self.limits.trust {
            return (self.work)(job, sink);
        }
        let head = job.head().map_err(Failure::bad)?;
        let mut parts = vec![&*head];
        parts.extend(job.files.iter().map(Vec::as_slice));
        let limits = contain::Limits {
            time: self.limits.time(),
            memory: self.limits.memory(),
            answer_bytes: self.limits.output().saturating_add(OTHER_BYTES),
            ..Default::default()
        };
        let (mut has_boxes, mut done) = (false, None);
        let ended = self.pool.run(NAME, &parts, &limits, &mut |message| {
            let taken = match Message::decode(message) {
                None => Err(Failure::bad("the process that read it sent nonsense")),
                Some(Message::Done(result)) => {
                    done = Some(result);
                    return ControlFlow::Continue(());
                }
                Some(message) => {
                    has_boxes |= matches!(message, Message::Boxes);
                    sink.take(message)
                }
            };
            match taken {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    done = Some(Err(failure));
                    ControlFlow::Break(())
                }
            }
        });
        match (done, ended) {
            (Some(done), _) => done,
            (None, Err(ended)) => {
                let doing = if has_boxes { "painting" } else { "reading" };
                Err(Failure::bad(cause(doing, &ended, self.limits)))
            }
            (None, Ok(())) => Err(Failure::bad("the process that read it sent no result")),
        }
    }
}

/// Why a worker ended without a result.
fn cause(doing: &str, ended: &Ended, limits: &Limits) -> String {
    let Limits { max_seconds, max_memory, max_output, .. } = limits;
    match ended {
        Ended::Time { .. } => {
            format!(
                "it was stopped after {max_seconds} s, while {doing} it; --max-seconds allows more"
            )
        }
        Ended::Memory { .. } => {
            format!(
                "{doing} it takes more than {max_memory} GiB of memory; --max-memory allows more"
            )
        }
        Ended::Bytes { .. } => {
            format!("its outputs exceed {max_output} GiB; --max-output allows more")
        }
        Ended::Stack => format!("{doing} it overflowed the stack"),
        Ended::Panic(what) | Ended::Crash(what) => format!("{doing} it crashed: {what}"),
        Ended::NotStarted(why) => {
            format!("no process could be started to read it: {why}; --trust reads it in this one")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_limit_names_its_option() {
        let limits = Limits {
            max_seconds: 0.5,
            max_memory: 4.0,
            max_output: 1.0,
            trust: false,
            allow_files: vec![],
        };
        let told = |ended| cause("painting", &ended, &limits);
        assert_eq!(
            told(Ended::Time { limit: Duration::from_millis(500) }),
            "it was stopped after 0.5 s, while painting it; --max-seconds allows more"
        );
        let memory = told(Ended::Memory { limit: 1 << 32 });
        assert!(memory.starts_with("painting it takes more than 4 GiB of memory;"), "{memory}");
        assert_eq!(told(Ended::Stack), "painting it overflowed the stack");
    }
}
