//! Parsing in a separate process.
//!
//! The child parses the file and discards the tree. Then this process repeats the work on the same bytes. The work is
//! deterministic, so it needs the same memory and stack here, and about the same time. The tree is exactly usvg's.
//!
//! Alternatively, the child could write the tree as SVG text for this process to read. That would bound memory better,
//! but usvg cannot read everything that it writes: 36 files of resvg's tests resulted in different trees.

use crate::contain::{self, Ended, MESSAGE_MAX, Pool};
use crate::text::too_many;
use crate::thread::STACK;
use crate::{Error, Limits, Parsed, read, text, with_large_stack};
use serde_bytes::{ByteBuf, Bytes};
use std::time::{Duration, Instant};

/// Parses untrusted drawings. Threads may share a guard; each parses in its own child.
pub struct Guard {
    options: Box<dyn Fn() -> usvg::Options<'static> + Send + Sync>,
    pool: Pool,
}

impl Guard {
    /// Creates a guard, without starting a process. In a child, this call does the work and never returns: call it
    /// first in `main`.
    ///
    /// `options` is called for each drawing, so load fonts beforehand. Its image resolver is ignored: linked images are
    /// left out.
    pub fn new(options: impl Fn() -> usvg::Options<'static> + Send + Sync + 'static) -> Self {
        let name = "usvg_guard::parse";
        let guard = Self { options: Box::new(options), pool: Pool::new(name, []) };
        contain::serve(name, |(limits, file): (Limits, ByteBuf), out| {
            let start = Instant::now();
            let parsed = guard.parse_here(&file, &limits);
            out.send(&(start.elapsed(), parsed.map(drop)))
        });
        guard
    }

    /// Parses an `.svg` or `.svgz` file within the limits, whatever it contains.
    ///
    /// The child is stopped at the time limit. If it needed more than half of that time to parse the file, the file is
    /// rejected. Otherwise, the file is parsed here, in about the same time. This second parse **has no timeout**, so
    /// the call may exceed the limit. A circular reference through a style sheet is not detected; it ends the child,
    /// and the file is rejected.
    ///
    /// Cost: twice [`parse_here`](Self::parse_here), plus the messages. The first call also starts a process.
    ///
    /// # Errors
    /// Fails if the file is damaged or exceeds a limit. Returns [`Error::Stopped`] if the child was stopped or crashed.
    pub fn parse(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        if bytes.len() as u64 > limits.bytes {
            return Err(too_many("the bytes of the file", limits.bytes));
        }
        let contained = contain::Limits {
            time: limits.time,
            memory: limits.memory.saturating_add(STACK as u64),
            answer_bytes: MESSAGE_MAX,
        };
        let (mut took, mut checked) = (Duration::ZERO, Ok(()));
        self.pool.run(&(limits, Bytes::new(bytes)), &contained, |answer| {
            (took, checked) = answer;
            Ok(())
        })?;
        // The other half is reserved for parsing here.
        if took > limits.time / 2 {
            return Err(Ended::Time(limits.time / 2).into());
        }
        checked.and_then(|()| self.parse_here(bytes, limits))
    }

    /// Parses a file in this process, for programs that cannot start a child process.
    ///
    /// Bytes, elements, nesting, attributes and entity expansion are limited, and circular references are left out.
    /// Circular references through a style sheet are not detected: they can overflow the stack, which ends the program.
    /// **Time and memory are not limited**: a file of a few kilobytes may take hours (a pattern of ten patterns of ten
    /// ...) or all memory, which also ends the program. Call this only where something else can end the work, such as a
    /// web page whose worker runs WebAssembly. Panics of usvg are returned as errors on platforms that unwind.
    ///
    /// # Errors
    /// Fails if the file is damaged or exceeds a limit.
    pub fn parse_here(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        with_large_stack(|| read(&text(bytes, limits)?, limits, (self.options)(), &()))?
    }
}
