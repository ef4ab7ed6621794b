//! JSON that a person can read too: a line a field, a line an element.

use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Breaks the line before each field of the document and before each object in
/// one of its lists; everything deeper stays on its line.
#[derive(Default)]
pub(crate) struct Lines {
    depth: usize,
    /// Whether the list just filled holds objects.
    broken: bool,
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.broken = false;
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        let broken = std::mem::take(&mut self.broken) && self.depth == 1;
        writer.write_all(if broken { b"\n ]" } else { b"]" })
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(match (first, self.broken && self.depth == 2) {
            (true, _) => b"",
            (false, true) => b",",
            (false, false) => b", ",
        })
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(if self.depth == 3 { b"\n  {" } else { b"{" })
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.broken = self.depth == 2;
        writer.write_all(if self.depth == 0 { b"\n}\n" } else { b"}" })
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(match (first, self.depth) {
            (true, 1) => b"\n ",
            (true, _) => b"",
            (false, 1) => b",\n ",
            (false, _) => b", ",
        })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
