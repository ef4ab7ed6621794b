//! Parsing in a separate process.
//!
//! The child parses the file and throws the tree away. Then this process repeats the work, with the same bytes and with the
//! linked files that the child read. The work is deterministic, so the time, memory and stack that were enough for the child are
//! enough here. The tree is exactly usvg's.
//!
//! The alternative, in which the child writes the tree as SVG text for this process to read, would bound memory better.
//! But usvg does not read everything that it writes: 36 files of resvg's tests came out as different trees, some with
//! different colours (a `saturate` beyond 1) or without an `feImage`.

use crate::check::{self, Parsed, with_large_stack};
use crate::contain::{self, MESSAGE_MAX, Messages, Pool};
use crate::images::{FILES, Files};
use crate::{Error, LARGE_STACK, Limits, text};
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};
use std::sync::Arc;
use std::time::Instant;

/// The name of the work.
const WORK: &str = "usvg_guard::parse";

/// Parses untrusted drawings. Threads may share it; each parses in its own child.
pub struct Guard {
    options: Box<dyn Fn() -> usvg::Options<'static> + Send + Sync>,
    pool: Pool,
}

impl Guard {
    /// A guard that starts no process yet. In a child, this call does the work and never returns: call it first in `main`.
    ///
    /// `options` is called for each drawing, so load fonts before. Its image resolver is not used: images may link to the files
    /// of [`Limits::files`].
    pub fn new(options: impl Fn() -> usvg::Options<'static> + Send + Sync + 'static) -> Self {
        let guard = Self { options: Box::new(options), pool: Pool::new(WORK, []) };
        contain::serve(WORK, |job: (Limits, ByteBuf), out| guard.work(&job.0, &job.1, out));
        guard
    }

    /// Parses an `.svg` or `.svgz` file within the limits, whatever it contains.
    ///
    /// The child gets half of the time limit, and the other half is for parsing here. A circle of references that only a style
    /// sheet closes is not found; it ends the child, and the file is rejected.
    ///
    /// Cost: twice [`parse_here`](Self::parse_here), plus the messages; about 2 ms more than usvg on average in a debug build.
    /// The first call also starts a process.
    ///
    /// # Errors
    /// If the file is damaged or exceeds a limit; [`Error::Stopped`] if the child was stopped or crashed.
    pub fn parse(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        self.read(bytes, limits, &mut self.contained(bytes, limits)?)
    }

    /// Parses a file in this process, for programs that cannot start others.
    ///
    /// It limits bytes, elements, nesting, attributes and the expansion of entities, and leaves out circular references.
    /// Circular references through a style sheet are not found: they can overflow the stack, which ends the program. **Time and
    /// memory are not limited**: a file of a few kilobytes may take hours (a pattern of ten patterns of ten ...) or all memory,
    /// which also ends the program. So call it only where something else can end the work, such as WebAssembly in a worker of a
    /// page. Panics of usvg are returned as errors where panics unwind.
    ///
    /// # Errors
    /// If the file is damaged or exceeds a limit.
    pub fn parse_here(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        self.read(bytes, limits, &mut Files::new(&limits.files))
    }

    /// Lets a child parse the file, and returns the files that it linked to.
    fn contained(&self, bytes: &[u8], limits: &Limits) -> Result<Files, Error> {
        if bytes.len() as u64 > limits.bytes {
            return Err(text::too_many("the bytes of the file", limits.bytes));
        }
        let contained = contain::Limits {
            time: limits.time,
            memory: limits.memory.saturating_add(LARGE_STACK as u64),
            // The child sends the linked files.
            answer_bytes: limits.image_bytes.saturating_mul(FILES).saturating_add(MESSAGE_MAX),
        };
        let (mut read, mut refused) = (Vec::new(), None);
        self.pool.run(&(limits, Bytes::new(bytes)), &contained, |answer| {
            match answer {
                Answer::File(link, found) => read.push((link, found.map(|()| Vec::new()))),
                Answer::Part(bytes) => {
                    if let Some((_, Ok(data))) = read.last_mut() {
                        data.extend_from_slice(&bytes);
                    }
                }
                Answer::Refused(why) => refused = Some(why),
            }
            Ok(())
        })?;
        let mut files = Files::default();
        files.known.extend(read.into_iter().map(|(link, data)| (link, data.map(Arc::new))));
        refused.map_or(Ok(files), Err)
    }

    /// Does a job in the child, which answers with the files that it read, or with the error.
    fn work(&self, limits: &Limits, bytes: &[u8], out: &mut Messages) -> Result<(), String> {
        let (start, mut files) = (Instant::now(), Files::new(&limits.files));
        let read = self.read(bytes, limits, &mut files);
        // The other half of the time is for the parent, which does the same again.
        if start.elapsed() > limits.time / 2 {
            return Err(contain::Ended::Time(limits.time).to_string());
        }
        if let Err(why) = read {
            return out.send(&Answer::Refused(why));
        }
        for (link, file) in files.known {
            out.send(&Answer::File(link, file.as_ref().map(drop).map_err(String::clone)))?;
            for part in file.iter().flat_map(|data| data.chunks(1 << 16)) {
                out.send(&Answer::Part(ByteBuf::from(part)))?;
            }
        }
        Ok(())
    }

    /// Parses a file in this process, with these linked files.
    fn read(&self, bytes: &[u8], limits: &Limits, files: &mut Files) -> Result<Parsed, Error> {
        with_large_stack(|| {
            check::read(&text::text(bytes, limits)?, limits, (self.options)(), None, files)
        })?
    }
}

/// One message from the child.
#[derive(Serialize, Deserialize)]
enum Answer {
    /// A linked file, or the reason why it could not be read.
    File(String, Result<(), String>),
    /// The next bytes of the last file.
    Part(ByteBuf),
    Refused(Error),
}
