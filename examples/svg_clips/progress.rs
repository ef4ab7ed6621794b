//! What is going on, for a person who waits.

use crate::args::Args;
use indicatif::ProgressBar;
use std::{
    io::{IsTerminal, stderr},
    time::Duration,
};

/// A spinner on a terminal, nothing elsewhere.
pub(crate) struct Progress {
    bar: ProgressBar,
}

/// Whether `NO_COLOR` asks for plain output.
pub(crate) fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

impl Progress {
    pub(crate) fn new(args: &Args) -> Self {
        let shown = !args.quiet && stderr().is_terminal() && !is_plain();
        let bar = if shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if shown {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar }
    }

    /// The next thing to be done.
    pub(crate) fn step(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// Takes the spinner away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
