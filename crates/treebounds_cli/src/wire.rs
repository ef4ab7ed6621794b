//! What a process and its worker tell each other, through pipes.
//!
//! A message is a line of JSON; bytes that belong to it follow the line.

use crate::failure::Failure;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, BufRead, BufWriter, Read, Write};

/// An output of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// The picture, a PNG file.
    Picture,
    /// The report as JSON.
    Json,
    /// The boxes as CSV.
    Csv,
    /// The inspector's page.
    Html,
}

/// What is to be done: one drawing, or two that are compared.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Which one of the command line it is, from 0.
    pub(crate) index: usize,
    /// Whether no drawing was shown before.
    pub(crate) is_first: bool,
    /// Why the drawing is not to be painted behind its boxes, where it is not.
    pub(crate) plain: Option<String>,
    /// How long the files are, in bytes.
    pub(crate) lengths: Vec<u64>,
    /// The files.
    #[serde(skip)]
    pub(crate) files: Vec<Vec<u8>>,
}

/// What is told while a job is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// The step that comes next, for a person who waits.
    Step(String),
    /// A row of the table.
    Row(Vec<String>),
    /// The drawing in one line, in place of the table where there are several.
    Line(String),
    /// Text below the table.
    Text(String),
    /// A note.
    Note(String),
    /// The boxes are told; what follows is the picture.
    Boxes,
    /// A picture of this width and height begins.
    Size([u32; 2]),
    /// A part of an output.
    Data {
        /// Of which.
        to: Output,
        /// How many bytes it has.
        length: u64,
        /// The bytes.
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    /// The job is done, with this exit code, or has failed.
    Done(Result<u8, Failure>),
}

/// Who is told.
pub trait Sink: Send {
    /// Takes a message.
    ///
    /// # Errors
    /// What the message brings cannot be written.
    fn take(&mut self, message: Message) -> Result<(), Failure>;
}

impl Job {
    /// What is to be done with these files.
    pub(crate) fn new(index: usize, files: Vec<Vec<u8>>) -> Self {
        let lengths = files.iter().map(|file| file.len() as u64).collect();
        Self { index, is_first: true, plain: None, lengths, files }
    }

    /// The same with one file.
    pub(crate) fn with(self, file: Vec<u8>) -> Self {
        Self { lengths: vec![file.len() as u64], files: vec![file], ..self }
    }

    pub(crate) fn write(&self, mut to: impl Write) -> io::Result<()> {
        write_line(&mut to, self)?;
        self.files.iter().try_for_each(|file| to.write_all(file))?;
        to.flush()
    }

    /// The next job; `None` at the end.
    pub(crate) fn read(mut from: impl BufRead) -> io::Result<Option<Self>> {
        let Some(mut job) = read_line::<Self>(&mut from)? else { return Ok(None) };
        job.files = job
            .lengths
            .iter()
            .map(|length| read_bytes(&mut from, *length))
            .collect::<io::Result<_>>()?;
        Ok(Some(job))
    }
}

impl Message {
    /// A row of two columns.
    pub fn row(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Row(vec![name.into(), value.into()])
    }

    fn data(to: Output, bytes: &[u8]) -> Self {
        Self::Data { to, length: bytes.len() as u64, bytes: bytes.to_vec() }
    }

    pub(crate) fn write(&self, mut to: impl Write) -> io::Result<()> {
        write_line(&mut to, self)?;
        match self {
            Self::Data { bytes, .. } => to.write_all(bytes),
            _ => Ok(()),
        }
    }

    /// The next message; `None` at the end.
    pub(crate) fn read(mut from: impl BufRead) -> io::Result<Option<Self>> {
        let mut message = read_line(&mut from)?;
        if let Some(Self::Data { length, bytes, .. }) = &mut message {
            *bytes = read_bytes(from, *length)?;
        }
        Ok(message)
    }
}

fn write_line(mut to: impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// The next line that is one; drivers may print others.
fn read_line<T: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        if let Ok(value) = serde_json::from_slice(&line) {
            return Ok(Some(value));
        }
        line.clear();
    }
    Ok(None)
}

fn read_bytes(from: impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(length).read_to_end(&mut bytes)?;
    if (read as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

/// Something that writes itself.
pub(crate) type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes an output, part by part.
pub(crate) fn write(sink: &mut dyn Sink, to: Output, content: Content<'_>) -> Result<(), Failure> {
    let mut pen = BufWriter::with_capacity(1 << 16, Pen { sink, to, failure: None });
    let written = content(&mut pen).and_then(|()| pen.flush());
    match (pen.into_parts().0.failure, written) {
        (Some(failure), _) => Err(failure),
        (None, written) => written.map_err(Failure::bad),
    }
}

/// Writes to a sink, and keeps what that says.
struct Pen<'a> {
    sink: &'a mut dyn Sink,
    to: Output,
    failure: Option<Failure>,
}

impl Write for Pen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.sink.take(Message::data(self.to, bytes)) {
            Ok(()) => Ok(bytes.len()),
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

/// Sends a whole output.
///
/// # Errors
/// It cannot be written.
pub fn send(sink: &mut dyn Sink, to: Output, bytes: &[u8]) -> Result<(), Failure> {
    write(sink, to, &mut |writer| writer.write_all(bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_written_is_read_between_lines_of_others() {
        let mut pipe = b"a driver says hello\n".to_vec();
        Message::data(Output::Json, b"{\n}").write(&mut pipe).unwrap();
        pipe.extend(b"\n{\"and\": \"again\"}\n");
        Message::Done(Err(Failure::usage("no").about("a.svg"))).write(&mut pipe).unwrap();
        let mut pipe = &pipe[..];
        let Some(Message::Data { to: Output::Json, bytes, .. }) = Message::read(&mut pipe).unwrap()
        else {
            unreachable!("data come first")
        };
        assert_eq!(bytes, b"{\n}");
        let done = Message::read(&mut pipe).unwrap();
        assert!(matches!(done, Some(Message::Done(Err(no))) if no.to_string() == "a.svg: no"));
        assert!(Message::read(&mut pipe).unwrap().is_none());
    }

    #[test]
    fn a_job_comes_with_its_files() {
        let mut pipe = Vec::new();
        Job::new(7, vec![b"one".to_vec(), vec![]]).write(&mut pipe).unwrap();
        let job = Job::read(&pipe[..]).unwrap().unwrap();
        assert_eq!((job.index, job.files), (7, vec![b"one".to_vec(), vec![]]));
        assert!(Job::read(&pipe[..pipe.len() - 1]).is_err(), "a part of a file is none");
    }
}
