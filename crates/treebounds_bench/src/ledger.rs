//! The record as it grows, and how far it has come.

use crate::record::{Outcome, Record, Row};
use indicatif::{ProgressBar, ProgressStyle};

/// Keeps a record.
pub(crate) struct Ledger {
    pub(crate) record: Record,
    progress: ProgressBar,
}

impl Ledger {
    pub(crate) fn new(record: Record) -> Self {
        Self { record, progress: ProgressBar::hidden() }
    }

    /// Shows progress over this many rows, on a terminal only.
    pub(crate) fn announce(&mut self, rows: usize) {
        self.progress = ProgressBar::new(rows as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta} {msg}") {
            self.progress.set_style(style);
        }
    }

    pub(crate) fn finish(self) -> Record {
        self.progress.finish_and_clear();
        self.record
    }

    /// Keeps a row; says at once where something is wrong.
    pub(crate) fn add(
        &mut self,
        strategy: impl Into<String>,
        input: &str,
        n: usize,
        outcome: Outcome,
    ) {
        let row = Row { strategy: strategy.into(), input: input.to_owned(), n, outcome };
        if row.outcome.is_wrong() {
            let line = crate::tables::complaint(&row);
            self.progress.suspend(|| eprintln!("{line}"));
        }
        if n.is_power_of_two() {
            self.progress.set_message(format!("n = {n}, {input}"));
            self.progress.inc(1);
        }
        self.record.compared += match row.outcome {
            Outcome::Right(_) => 2,
            Outcome::Checked | Outcome::Wrong { .. } => 1,
            _ => 0,
        };
        // A neighbour counts, and is kept where it is wrong.
        if n.is_power_of_two() && !matches!(row.outcome, Outcome::Checked) || row.outcome.is_wrong()
        {
            self.record.rows.push(row);
        }
    }
}
