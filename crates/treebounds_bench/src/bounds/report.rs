//! The figures as a table for people and as JSON for programs.

use super::Row;
use crate::harness::{Harness, Measured};
use crate::time::Time;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// All figures of a run.
#[derive(Serialize)]
pub(crate) struct Report {
    schema: &'static str,
    adapter: String,
    driver: String,
    rows: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    subject: &'static str,
    input: &'static str,
    n: usize,
    /// Microseconds on the GPU, the whole chain.
    micros: Time,
    /// Microseconds of each dispatch.
    dispatches: Vec<(String, f64)>,
    /// Billions of elements a second.
    gelem_per_s: f64,
    /// Elements a second over the copy kernel's words a second.
    of_copy: f64,
    /// Microseconds of the reference on one core, once.
    cpu_micros: f64,
}

impl Report {
    pub(crate) fn new(harness: &Harness) -> Self {
        let adapter = &harness.gpu.adapter;
        Self {
            schema: "treebounds.bench/1",
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info),
            rows: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, row: Row, copy: &Measured) {
        let micros = row.gpu.chain;
        self.rows.push(Figure {
            subject: "bounds",
            input: row.input,
            n: row.n,
            micros,
            dispatches: row.gpu.dispatches,
            gelem_per_s: row.n as f64 / micros.median / 1e3,
            of_copy: copy.chain.median / micros.median,
            cpu_micros: row.cpu_micros,
        });
    }

    pub(crate) fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(["what", "input", "n", "us", "Gelem/s", "of copy", "over one core"]);
        for row in &self.rows {
            table.add_row([
                row.subject.to_owned(),
                row.input.to_owned(),
                row.n.to_string(),
                format!("{:.1}", row.micros.median),
                format!("{:.2}", row.gelem_per_s),
                format!("{:.2}", row.of_copy),
                format!("{:.0} x", row.cpu_micros / row.micros.median),
            ]);
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        format!("{} ({})\n\n{table}", self.adapter, self.driver)
    }
}
