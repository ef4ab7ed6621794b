//! What a person should know besides.

use crate::failure::one_line;
use std::io::{Write, stderr};

/// How many notes are printed.
const NOTES: usize = 8;

/// Prints notes, to standard error.
pub fn print<'a>(notes: impl Iterator<Item = &'a String>) {
    let notes: Vec<_> = notes.collect();
    for note in notes.iter().take(NOTES) {
        let _ = writeln!(stderr(), "note: {}", one_line(note));
    }
    if notes.len() > NOTES {
        let _ = writeln!(stderr(), "note: {} more are in the report (--json)", notes.len() - NOTES);
    }
}
