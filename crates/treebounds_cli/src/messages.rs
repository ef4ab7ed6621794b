//! The messages between this process and the one that works on a drawing.
//!
//! A message is a line of JSON; bytes that belong to it follow the line.

use crate::failure::Failure;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, BufWriter, Write};

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

/// A task: one drawing, or two to compare.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The index of the (first) file on the command line.
    pub(crate) index: usize,
    /// Whether no drawing was shown before.
    pub(crate) is_first: bool,
    /// How long the files are, in bytes.
    pub(crate) lengths: Vec<usize>,
    /// The contents of the files.
    #[serde(skip)]
    pub(crate) files: Vec<Vec<u8>>,
}

/// A message about a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// The step that begins, for a person who waits.
    Step(String),
    /// A row of the table.
    Row(Vec<String>),
    /// The drawing in one line, which replaces the table if there are several drawings.
    Line(String),
    /// Text below the table.
    Text(String),
    /// A note.
    Note(String),
    /// All reports are complete; only the picture follows.
    Boxes,
    /// A picture of this width and height begins.
    Size([u32; 2]),
    /// A part of an output.
    Data {
        /// The output.
        to: Output,
        /// The next bytes of it.
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    /// The job is done, with this exit code, or has failed.
    Done(Result<u8, Failure>),
}

/// A receiver of messages.
pub trait Sink: Send {
    /// Takes a message.
    ///
    /// # Errors
    /// Its content cannot be written.
    fn take(&mut self, message: Message) -> Result<(), Failure>;
}

impl Job {
    /// A job with these files.
    pub(crate) fn new(index: usize, files: Vec<Vec<u8>>) -> Self {
        Self { index, is_first: true, lengths: files.iter().map(Vec::len).collect(), files }
    }

    /// The same job with one file.
    pub(crate) fn with(self, file: Vec<u8>) -> Self {
        Self { lengths: vec![file.len()], files: vec![file], ..self }
    }

    /// What precedes the files.
    pub(crate) fn head(&self) -> io::Result<Vec<u8>> {
        line(self)
    }

    /// Reads a head with the files after it.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (mut job, mut rest) = split::<Self>(bytes)?;
        for length in &job.lengths {
            let (file, after) = rest.split_at_checked(*length)?;
            job.files.push(file.to_vec());
            rest = after;
        }
        Some(job)
    }
}

impl Message {
    /// A row of two columns.
    pub fn row(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Row(vec![name.into(), value.into()])
    }

    pub(crate) fn encode(&self) -> io::Result<Vec<u8>> {
        let mut encoded = line(self)?;
        if let Self::Data { bytes, .. } = self {
            encoded.extend_from_slice(bytes);
        }
        Ok(encoded)
    }

    pub(crate) fn decode(encoded: &[u8]) -> Option<Self> {
        let (mut message, rest) = split(encoded)?;
        if let Self::Data { bytes, .. } = &mut message {
            rest.clone_into(bytes);
        }
        Some(message)
    }
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

fn split<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((serde_json::from_slice(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

/// Sends a whole output.
///
/// # Errors
/// It cannot be written.
pub fn send(sink: &mut dyn Sink, to: Output, bytes: &[u8]) -> Result<(), Failure> {
    write(sink, to, &mut |writer| writer.write_all(bytes))
}

/// Bytes of an output in one message.
const PART: usize = 1 << 16;

/// Sends an output part by part, as `content` writes it.
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

/// Writes to a sink, and keeps its failure.
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
    fn messages_and_jobs_read_back() {
        let data = Message::Data { to: Output::Json, bytes: b"{\n}".to_vec() };
        let Some(Message::Data { to: Output::Json, bytes }) =
            Message::decode(&data.encode().unwrap())
        else {
            unreachable!("data read back as data")
        };
        assert_eq!(bytes, b"{\n}");
        let done = Message::Done(Err(Failure::usage("no").about("a.svg"))).encode().unwrap();
        let done = Message::decode(&done);
        assert!(matches!(done, Some(Message::Done(Err(no))) if no.to_string() == "a.svg: no"));
        assert!(Message::decode(b"{}\n").is_none() && Message::decode(b"").is_none());

        let job = Job::new(7, vec![b"one".to_vec(), vec![]]);
        let sent = [job.head().unwrap(), job.files.concat()].concat();
        let read = Job::decode(&sent).unwrap();
        assert_eq!((read.index, &read.files), (7, &job.files));
        assert!(Job::decode(&sent[..sent.len() - 1]).is_none(), "half a file is an error");
    }

    #[test]
    fn outputs_come_in_bounded_parts() {
        struct Longest(usize);
        impl Sink for Longest {
            fn take(&mut self, message: Message) -> Result<(), Failure> {
                self.0 = self.0.max(message.encode().unwrap().len());
                Ok(())
            }
        }
        let mut longest = Longest(0);
        send(&mut longest, Output::Csv, &vec![7; 1 << 20]).unwrap();
        assert!(longest.0 < PART + 100, "{}", longest.0);
    }
}
