//! Runs each drawing in a separate process, so that it cannot crash this one, and receives the messages.
//!
//! ```text
//! svg_clips ──── job: the bytes of a file ────▶ svg_clips, the worker: limited time and memory
//!     │  ◀──── messages: rows, outputs ────     reads, computes, paints
//!     ▼
//!  files, standard output, the terminal
//! ```
//!
//! The worker opens no output files. This process reads the input files and writes all outputs, so a crashed worker
//! leaves nothing behind.

use crate::{Failure, Limits, failure::printable, show::PAINTING};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    sync::{Mutex, PoisonError},
};
use treebounds_inspector::Watched;
use usvg_guard::contain::{self, Ended, Messages, Pool};

/// A function that runs a job and returns an exit code.
pub(crate) type Work<'a> = &'a mut (dyn FnMut(&Job, &mut dyn Sink) -> Result<u8, Failure> + Send);

/// Returns the program and its arguments, also inside a worker.
pub fn arguments() -> Vec<OsString> {
    contain::arguments().unwrap_or_else(|| std::env::args_os().collect())
}

/// Parses the command line. If it is invalid, prints an error with escaped control characters and exits with code
/// 2.
pub fn parse<T: clap::Parser>() -> T {
    T::try_parse_from(arguments()).unwrap_or_else(|error| {
        if error.use_stderr()
            && arguments().iter().any(|word| needs_escaping(&word.to_string_lossy()))
        {
            let text = error.render().to_string();
            let lines: Vec<_> = text.lines().map(printable).collect();
            let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}

/// Whether the text contains characters that need escaping.
fn needs_escaping(text: &str) -> bool {
    printable(text) != text
}

/// The name by which this process and its workers find each other.
const NAME: &str = "drawing";

/// The maximum number of bytes for rows, notes and message headers, in addition to the outputs.
const OTHER_BYTES: u64 = 1 << 28;

/// In a worker, runs its jobs and never returns. Elsewhere, returns immediately.
pub(crate) fn serve(work: Work<'_>) {
    contain::serve(NAME, |job: Job, messages| {
        let mut answers = Answers(messages);
        let done = work(&job, &mut answers);
        answers.take(Message::Done(done)).map_err(|failure| failure.to_string())
    });
}

struct Answers<'a>(&'a mut Messages);

impl Sink for Answers<'_> {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        self.0.send(&message).map_err(Failure::bad)
    }
}

/// Runs jobs in workers, or in this process if drawings are trusted.
pub(crate) struct Workers<'a> {
    limits: &'a Limits,
    work: Mutex<Work<'a>>,
    pool: Pool,
    /// The server that notifies the pages of the next jobs of new versions, if there is one.
    pub(crate) watched: Option<Watched>,
}

impl<'a> Workers<'a> {
    pub(crate) fn new(limits: &'a Limits, work: Work<'a>) -> Self {
        let pool = Pool::new(NAME, std::env::args_os().skip(1));
        Self { limits, work: Mutex::new(work), pool, watched: None }
    }

    /// Runs a job and returns its exit code.
    ///
    /// # Errors
    /// Returns the error of the work or of the sink, or a description of how the worker ended.
    pub(crate) fn run(&self, job: &Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
        if self.limits.trust {
            return (self.work.lock().unwrap_or_else(PoisonError::into_inner))(job, sink);
        }
        let limits = contain::Limits {
            time: self.limits.time(),
            memory: self.limits.memory(),
            answer_bytes: self.limits.output().saturating_add(OTHER_BYTES),
        };
        let (mut has_boxes, mut done, mut far) = (false, None, String::new());
        let ended = self.pool.run(job, &limits, |message| {
            has_boxes |= matches!(message, Message::Boxes);
            if let Message::Step(step) = &message
                && let Some(share) = step.strip_prefix(PAINTING)
            {
                far = format!("; {share} of the drawing was painted");
            }
            let taken = match message {
                Message::Done(result) => {
                    done = Some(result);
                    return Ok(());
                }
                message => sink.take(message),
            };
            taken.map_err(|failure| {
                let ended = Ended::Failed(failure.to_string());
                done = Some(Err(failure));
                ended
            })
        });
        match (done, ended) {
            (Some(done), _) => done,
            (None, Err(ended)) => {
                let doing = if has_boxes { "painting" } else { "reading" };
                Err(Failure::bad(cause(doing, &ended, self.limits) + &far))
            }
            (None, Ok(())) => Err(Failure::bad("the process that read it sent no result")),
        }
    }
}

fn cause(doing: &str, ended: &Ended, limits: &Limits) -> String {
    let Limits { max_seconds, max_memory, max_output, .. } = limits;
    match ended {
        Ended::Time(_) => {
            format!(
                "it was stopped after {max_seconds} s, while {doing} it; --max-seconds allows more"
            )
        }
        Ended::Memory(_) => {
            format!(
                "{doing} it takes more than {max_memory} GiB of memory; --max-memory allows more"
            )
        }
        Ended::Bytes(_) => {
            format!("its outputs exceed {max_output} GiB; --max-output allows more")
        }
        Ended::Stack => format!("{doing} it overflowed the stack"),
        Ended::Crash(what) => format!("{doing} it crashed: {what}"),
        Ended::NotStarted(why) => {
            format!("no process could be started to read it: {why}; --trust reads it in this one")
        }
        other => other.to_string(),
    }
}

/// An output of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// The picture.
    Picture,
    /// The report as JSON.
    Json,
    /// The boxes as CSV.
    Csv,
    /// The inspector's page.
    Html,
    /// Lines of boxes, for standard output.
    Lines,
}

/// A task: show one drawing, or compare two.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The path of the file; may be empty.
    pub(crate) path: OsString,
    /// The server that notifies pages of new versions, if there is one.
    pub(crate) watched: Option<Watched>,
    pub(crate) files: Vec<ByteBuf>,
}

/// A message about a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// The current step, for the progress display.
    Step(String),
    /// A row of the table.
    Row(Vec<String>),
    /// A one-line description of the drawing, printed instead of the table if there are several drawings.
    Line(String),
    /// Text below the table.
    Text(String),
    /// A note.
    Note(String),
    /// All reports are complete. Only the picture follows.
    Boxes,
    /// The start of a picture, with its width and height.
    Size([u32; 2]),
    /// A part of an output.
    Data {
        /// The output.
        to: Output,
        /// The next bytes of the output.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// The job ended with an exit code, or failed.
    Done(Result<u8, Failure>),
}

/// A receiver of messages.
pub trait Sink: Send {
    /// Processes a message.
    ///
    /// # Errors
    /// Fails if the content cannot be written.
    fn take(&mut self, message: Message) -> Result<(), Failure>;
}

impl Job {
    pub(crate) fn new(path: impl Into<OsString>, files: Vec<Vec<u8>>) -> Self {
        let files = files.into_iter().map(ByteBuf::from).collect();
        Self { path: path.into(), watched: None, files }
    }
}

impl Message {
    /// Creates a row of two columns.
    pub fn row(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Row(vec![name.into(), value.into()])
    }
}

/// Sends a whole output.
///
/// # Errors
/// Fails if the output cannot be written.
pub fn send(sink: &mut dyn Sink, to: Output, bytes: &[u8]) -> Result<(), Failure> {
    write(sink, to, &mut |writer| writer.write_all(bytes))
}

/// The maximum number of bytes per message.
const PART: usize = 1 << 16;

/// Sends the output written by `content` in parts.
pub(crate) fn write(
    sink: &mut dyn Sink,
    to: Output,
    content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut pen = BufWriter::with_capacity(PART, Pen { sink, to, failure: None });
    let written = content(&mut pen).and_then(|()| pen.flush());
    match (pen.into_parts().0.failure, written) {
        (Some(failure), _) => Err(failure),
        (None, written) => written.map_err(Failure::bad),
    }
}

/// Writes to a sink and stores its error.
struct Pen<'a> {
    sink: &'a mut dyn Sink,
    to: Output,
    failure: Option<Failure>,
}

impl Write for Pen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(PART)];
        match self.sink.take(Message::Data { to: self.to, bytes: part.to_vec() }) {
            Ok(()) => Ok(part.len()),
            Err(failure) => {
                self.failure = Some(failure);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn outputs_are_sent_in_bounded_parts() {
        struct Longest(usize);
        impl Sink for Longest {
            fn take(&mut self, message: Message) -> Result<(), Failure> {
                if let Message::Data { bytes, .. } = message {
                    self.0 = self.0.max(bytes.len());
                }
                Ok(())
            }
        }
        let mut longest = Longest(0);
        send(&mut longest, Output::Csv, &vec![7; 1 << 20]).unwrap();
        assert_eq!(longest.0, PART);
    }
}
