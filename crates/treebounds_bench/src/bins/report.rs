//! The figures as a table for people and as JSON for programs.

use super::Task;
use crate::harness::{Harness, Measured};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// All figures of a run.
#[derive(Serialize)]
pub(super) struct Report {
    schema: &'static str,
    adapter: String,
    driver: String,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    input: &'static str,
    width: u32,
    height: u32,
    bins: u32,
    n: usize,
    entries: usize,
    ours: Measured,
    /// With the clearing of its allocators.
    vello: Option<Measured>,
}

impl Row {
    /// How many times as fast as Vello's we are.
    fn over_vello(&self) -> Option<f64> {
        self.vello.as_ref().map(|vello| vello.chain.median / self.ours.chain.median)
    }
}

impl Report {
    pub(super) fn new(harness: &Harness) -> Self {
        let adapter = &harness.gpu.adapter;
        Self {
            schema: "treebounds.bench.bins/1",
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info),
            rows: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, task: &Task, ours: Measured, vello: Option<Measured>) {
        let [width, height] = task.grid.size();
        self.rows.push(Row {
            input: task.input,
            width,
            height,
            bins: task.grid.bins(),
            n: task.boxes.len(),
            entries: task.entries(),
            ours,
            vello,
        });
    }

    pub(super) fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header([
            "input",
            "bins",
            "n",
            "entries",
            "treebounds, us",
            "Vello, us",
            "times as fast",
            "dispatches, us",
        ]);
        for row in &self.rows {
            let vello = row.vello.as_ref().map(|vello| format!("{:.1}", vello.chain.median));
            let over = row.over_vello().map(|over| format!("{over:.2}"));
            let all =
                row.ours.dispatches.iter().chain(row.vello.iter().flat_map(|v| &v.dispatches));
            let dispatches: Vec<_> =
                all.map(|(label, micros)| format!("{label} {micros:.1}")).collect();
            table.add_row([
                row.input.to_owned(),
                row.bins.to_string(),
                row.n.to_string(),
                row.entries.to_string(),
                format!("{:.1}", row.ours.chain.median),
                vello.unwrap_or_else(|| "-".to_owned()),
                over.unwrap_or_else(|| "-".to_owned()),
                dispatches.join(", "),
            ]);
        }
        for column in table.column_iter_mut().skip(1).take(6) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        format!("{} ({})\n\n{table}", self.adapter, self.driver)
    }
}
