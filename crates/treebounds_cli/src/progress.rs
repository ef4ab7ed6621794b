//! What is going on, for a person who waits.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{IsTerminal, stderr},
    time::Duration,
};

/// A spinner with the step and the seconds that have passed: on a terminal, nothing elsewhere.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

/// Whether `NO_COLOR` asks for plain output.
pub fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

impl Progress {
    /// Shows it, unless the program is to be quiet.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && stderr().is_terminal() && !is_plain();
        let bar = if shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if shown {
            // The template is known to be good; the default is, too.
            let style = ProgressStyle::with_template("{spinner} {prefix}{msg}, {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar }
    }

    /// The file that comes next.
    pub fn file(&self, name: &str) {
        self.bar.set_prefix(format!("{name}: "));
    }

    /// The step that comes next.
    pub fn step(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
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
