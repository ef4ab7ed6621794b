//! What a person should know besides.

use crate::failure::one_line;
use std::io::{Write, stderr};

/// How many notes are printed.
const NOTES: usize = 8;
/// How many characters of a note are printed: paths of elements can be long.
const LENGTH: usize = 400;

/// Prints notes, to standard error.
pub fn print<'a>(notes: impl Iterator<Item = &'a String>) {
    let notes: Vec<_> = notes.collect();
    for note in notes.iter().take(NOTES) {
        let note = one_line(note);
        let cut = note.char_indices().nth(LENGTH).map_or(note.len(), |(at, _)| at);
        let more = if cut < note.len() { " ..." } else { "" };
        let _ = writeln!(stderr(), "note: {}{more}", &note[..cut]);
    }
    if notes.len() > NOTES {
        let _ = writeln!(stderr(), "note: {} more are in the report (--json)", notes.len() - NOTES);
    }
}
