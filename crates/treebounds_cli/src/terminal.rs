//! What a person reads on the terminal: progress, the table, notes.

use crate::failure::{Failure, one_line, plain};
use comfy_table::{Attribute, Cell, ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{ErrorKind, IsTerminal, Write, stderr, stdout},
    time::Duration,
};

/// A spinner with the current step and the seconds so far, if standard error is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

/// Whether `NO_COLOR` asks for plain output.
fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

impl Progress {
    /// Shows it, unless the program is to be quiet.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && stderr().is_terminal() && !is_plain();
        let bar = if shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if shown {
            let style = ProgressStyle::with_template("{spinner} {prefix}{msg}, {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar }
    }

    /// The name of the next file.
    pub fn file(&self, name: &str) {
        self.bar.set_prefix(format!("{}: ", one_line(name)));
    }

    /// The step that begins.
    pub fn step(&self, what: impl AsRef<str>) {
        self.bar.set_message(one_line(what.as_ref()));
    }

    /// Takes the spinner away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The rows as text, as wide as the terminal. On a terminal the first column is bold.
pub(crate) fn table(rows: &[Vec<String>], pipes: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if pipes {
        table.use_stderr();
    }
    let styled = !is_plain() && if pipes { stderr().is_terminal() } else { stdout().is_terminal() };
    for row in rows {
        let mut cells: Vec<_> = row.iter().map(|text| Cell::new(one_line(text))).collect();
        if styled && let Some(first) = cells.first_mut() {
            *first = first.clone().add_attribute(Attribute::Bold);
        }
        table.add_row(cells);
    }
    if rows.is_empty() {
        return String::new();
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Prints text to standard output, or to standard error if standard output is for data.
///
/// # Errors
/// It cannot be written; that the reader has closed the pipe is no error.
pub(crate) fn print(text: &str, pipes: bool) -> Result<(), Failure> {
    let (name, written) = match pipes {
        true => ("stderr", stderr().write_all(text.as_bytes())),
        false => {
            let mut stdout = stdout().lock();
            ("stdout", stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
        }
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::bad(plain(&error)).about(name))
        }
        _ => Ok(()),
    }
}

/// Prints notes to standard error.
pub(crate) fn notes(notes: &[String]) {
    for note in notes {
        let _ = writeln!(stderr(), "note: {}", one_line(note));
    }
}
