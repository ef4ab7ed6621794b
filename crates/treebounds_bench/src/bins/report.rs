//! The figures as a table for people and as JSON for programs.

use super::Task;
use crate::measure::{Harness, Measured};
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
    /// As `PieceBinner` leaves them.
    pieces: Option<Measured>,
    /// With the clearing of its allocators.
    vello: Option<Measured>,
}

impl Row {
    /// How many times as fast as Vello's our pieces are, which are the same work.
    fn over_vello(&self) -> Option<f64> {
        let (vello, pieces) = (self.vello.as_ref()?, self.pieces.as_ref()?);
        Some(vello.chain.median / pieces.chain.median)
    }

    /// Each dispatch of all three.
    fn dispatches(&self) -> String {
        let some = [Some(&self.ours), self.pieces.as_ref(), self.vello.as_ref()];
        let of = |measured: &Measured| {
            let all = measured.dispatches.iter();
            all.map(|(label, micros)| format!("{label} {micros:.1}")).collect::<Vec<_>>().join(", ")
        };
        some.into_iter().flatten().map(of).collect::<Vec<_>>().join("; ")
    }
}

fn micros(measured: Option<&Measured>) -> String {
    measured.map_or_else(|| "-".to_owned(), |measured| format!("{:.1}", measured.chain.median))
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

    pub(super) fn add(
        &mut self,
        task: &Task,
        ours: Measured,
        pieces: Option<Measured>,
        vello: Option<Measured>,
    ) {
        let [width, height] = task.grid.size();
        self.rows.push(Row {
            input: task.input,
            width,
            height,
            bins: task.grid.bins(),
            n: task.boxes.len(),
            entries: task.entries(),
            ours,
            pieces,
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
            "lists, us",
            "pieces, us",
            "Vello's pieces, us",
            "times as fast",
            "dispatches, us",
        ]);
        for row in &self.rows {
            let over = row.over_vello().map(|over| format!("{over:.2}"));
            table.add_row([
                row.input.to_owned(),
                row.bins.to_string(),
                row.n.to_string(),
                row.entries.to_string(),
                micros(Some(&row.ours)),
                micros(row.pieces.as_ref()),
                micros(row.vello.as_ref()),
                over.unwrap_or_else(|| "-".to_owned()),
                row.dispatches(),
            ]);
        }
        for column in table.column_iter_mut().skip(1).take(7) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        format!("{} ({})\n\n{table}", self.adapter, self.driver)
    }
}
