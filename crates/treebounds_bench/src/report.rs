//! Prints and draws records.

pub(crate) mod figures;

use crate::arguments::{Common, ShowArguments, save};
use crate::record::{
    BINS_SCHEMA, BOUNDS_SCHEMA, MATCHING_SCHEMA, Outcome, Record, Row, is_ours, size,
};
use anyhow::{Context, bail, ensure};
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Write;
use std::path::Path;

/// Saves, prints and draws a new record. Returns an error if any result was wrong.
pub(crate) fn finish(record: &Record, common: &Common, variants: bool) -> anyhow::Result<()> {
    if let Some(path) = &common.json {
        save(path, record)?;
    }
    present(record, variants, common.rows, common.figures.as_deref())?;
    if record.is_correct() { Ok(()) } else { bail!("something is WRONG or FAILED, see above") }
}

/// Prints and draws a saved record.
pub(crate) fn show(arguments: &ShowArguments) -> anyhow::Result<()> {
    let path = arguments.json.display();
    let json = std::fs::read(&arguments.json).with_context(|| format!("cannot read {path}"))?;
    let record: Record = serde_json::from_slice(&json)
        .with_context(|| format!("{path} is no run of `matching`, `bounds` or `bins`"))?;
    let known = [MATCHING_SCHEMA, BOUNDS_SCHEMA, BINS_SCHEMA].contains(&record.schema.as_str());
    ensure!(known, "{path} has another schema");
    present(&record, false, arguments.rows, arguments.figures.as_deref())
}

fn present(
    record: &Record,
    by_variant: bool,
    with_rows: bool,
    folder: Option<&Path>,
) -> anyhow::Result<()> {
    print!("{}", heading(record));
    if by_variant {
        print!("{}", variants(record));
    } else {
        print!("{}", summary(record));
    }
    if with_rows {
        print!("{}", rows(record));
    }
    print!("{}", wrong(record));
    match folder {
        Some(folder) => figures::draw(record, folder),
        None => Ok(()),
    }
}

/// The device, the kernels and the number of comparisons.
pub(crate) fn heading(record: &Record) -> String {
    let mut text = format!("{} ({})\n", record.adapter, record.driver);
    if !record.ours.is_empty() {
        let _ = writeln!(text, "treebounds (threads x elements each): {}", record.ours);
    }
    if !record.paper.is_empty() {
        let _ = writeln!(text, "Levien 2022: threads per workgroup {}", record.paper);
    }
    let _ = writeln!(
        text,
        "CPU: {} cores; medians of {} runs; {} outputs compared in full with the reference",
        record.cores, record.runs, record.compared
    );
    text
}

/// Formats three kinds of tables: all strategies on the main inputs, our strategies on every
/// input, and our times on the main inputs.
pub(crate) fn summary(record: &Record) -> String {
    let leads = record.figure_inputs();
    let mut text = String::new();
    for lead in &leads {
        let _ = writeln!(
            text,
            "\n{lead}: billions of elements per second (fraction of the copy kernel)"
        );
        text += &throughput(record, lead);
    }
    let subjects = subjects(record);
    let vello = record.strategies().into_iter().filter(|name| *name == crate::record::VELLO_GPU);
    for strategy in subjects.iter().copied().chain(vello) {
        let _ = writeln!(text, "\n{strategy} on every input, as a fraction of the copy kernel");
        text += &shapes(record, strategy);
    }
    for lead in &leads {
        let _ = writeln!(text, "\n{lead}: times");
        let ours = |row: &Row| row.input == *lead && subjects.contains(&row.strategy.as_str());
        text += &times(record, ours);
    }
    text
}

/// A table of the throughput on an input, with one row per strategy and one column per size.
fn throughput(record: &Record, input: &str) -> String {
    let mut table = table(["strategy".to_owned()].into_iter().chain(headers(record)));
    for strategy in record.strategies() {
        let cells = record.sizes().into_iter().map(|n| cell(record, strategy, input, n, true));
        table.add_row([strategy.to_owned()].into_iter().chain(cells));
    }
    format!("{table}\n")
}

/// The lines for detailed tables: ours, or the first line if none of ours was selected.
fn subjects(record: &Record) -> Vec<&str> {
    let all: Vec<_> =
        record.strategies().into_iter().filter(|name| *name != crate::record::COPY).collect();
    let ours: Vec<_> = all.iter().copied().filter(|name| is_ours(name)).collect();
    if ours.is_empty() { all.into_iter().take(1).collect() } else { ours }
}

/// The table of variants, with the first and the slowest input.
pub(crate) fn variants(record: &Record) -> String {
    let (inputs, sizes) = (record.inputs(), record.sizes());
    let (Some(first), Some(&n)) = (inputs.first(), sizes.last()) else { return String::new() };
    let speed = format!("Gelem/s, {first}");
    let headers = ["variant", &speed, "us", "of copy", "worst input", "of copy", "dispatches, us"];
    let mut table = table(headers.map(str::to_owned));
    for strategy in record.strategies() {
        let Some(figures) = record.figures(strategy, first, n) else {
            let cell = cell(record, strategy, first, n, false);
            table.add_row([strategy.to_owned(), cell]);
            continue;
        };
        let of_copy = |input: &&str| record.figures(strategy, input, n)?.of_copy;
        let worst = inputs
            .iter()
            .filter_map(|input| Some((*input, of_copy(input)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        table.add_row([
            strategy.to_owned(),
            three_digits(figures.gelem_per_s),
            three_digits(figures.micros.median),
            figures.of_copy.map_or_else(dash, two),
            worst.map_or_else(dash, |worst| worst.0.to_owned()),
            worst.map_or_else(dash, |worst| two(worst.1)),
            dispatches(&figures.dispatches),
        ]);
    }
    format!("\nvariants at n = {n}\n{table}\n")
}

/// The table of all rows with all times.
pub(crate) fn rows(record: &Record) -> String {
    format!("\nevery row\n{}", times(record, |_| true))
}

/// One line per wrong result.
pub(crate) fn wrong(record: &Record) -> String {
    let wrong = record.rows.iter().filter(|row| row.outcome.is_wrong());
    wrong.map(|row| format!("{}\n", row.error_line())).collect()
}

fn shapes(record: &Record, strategy: &str) -> String {
    let mut table = table(["input".to_owned()].into_iter().chain(headers(record)));
    for input in record.inputs() {
        let ratio = |n| match record.figures(strategy, input, n).and_then(|f| f.of_copy) {
            Some(ratio) => two(ratio),
            None => cell(record, strategy, input, n, false),
        };
        let cells = record.sizes().into_iter().map(ratio);
        table.add_row([input.to_owned()].into_iter().chain(cells));
    }
    format!("{table}\n")
}

fn times(record: &Record, wanted: impl Fn(&Row) -> bool) -> String {
    let headers = [
        "strategy",
        "input",
        "n",
        "us",
        "quartiles",
        "Gelem/s",
        "of copy",
        "x one core",
        "wall us",
        "scratch B",
        "dispatches, us",
    ];
    let mut table = table(headers.map(str::to_owned));
    for row in record.rows.iter().filter(|row| wanted(row)) {
        let start = [row.strategy.clone(), row.input.clone(), size(row.n)];
        let rest = match &row.outcome {
            Outcome::Right(figures) => vec![
                three_digits(figures.micros.median),
                format!(
                    "{} .. {}",
                    three_digits(figures.micros.low),
                    three_digits(figures.micros.high)
                ),
                three_digits(figures.gelem_per_s),
                figures.of_copy.map_or_else(dash, two),
                over_one_core(record, row).map_or_else(dash, three_digits),
                three_digits(figures.wall.median),
                figures.scratch.map_or_else(dash, three_digits),
                dispatches(&figures.dispatches),
            ],
            outcome => vec![short(outcome)],
        };
        table.add_row(start.into_iter().chain(rest));
    }
    format!("{table}\n")
}

/// The speedup over one core.
fn over_one_core(record: &Record, row: &Row) -> Option<f64> {
    let one = record.figures(crate::record::ONE_CORE, &row.input, row.n)?;
    Some(one.micros.median / row.outcome.figures()?.micros.median)
}

fn cell(record: &Record, strategy: &str, input: &str, n: usize, ratio: bool) -> String {
    let Some(row) = record.find(strategy, input, n) else { return dash() };
    match (&row.outcome, ratio) {
        (Outcome::Right(figures), true) => {
            let of_copy = figures.of_copy.map_or_else(dash, two);
            format!("{} ({of_copy})", three_digits(figures.gelem_per_s))
        }
        (Outcome::Right(figures), false) => three_digits(figures.gelem_per_s),
        (outcome, _) => short(outcome),
    }
}

fn short(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Right(_) | Outcome::Checked => "right".to_owned(),
        Outcome::Wrong { .. } => "WRONG".to_owned(),
        Outcome::Failed { .. } => "FAILED".to_owned(),
        Outcome::Unsuited { why } => why.clone(),
    }
}

pub(crate) fn dispatches(dispatches: &[(String, f64)]) -> String {
    let each: Vec<_> = dispatches
        .iter()
        .map(|(label, micros)| format!("{label} {}", three_digits(*micros)))
        .collect();
    each.join(", ")
}

fn headers(record: &Record) -> impl Iterator<Item = String> {
    record.sizes().into_iter().map(size)
}

/// Formats a value with three significant digits.
fn three_digits(value: f64) -> String {
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else if value >= 0.1 {
        2
    } else {
        4
    };
    format!("{value:.digits$}")
}

fn two(value: f64) -> String {
    if value >= 0.01 { format!("{value:.2}") } else { format!("{value:.4}") }
}

fn dash() -> String {
    "-".to_owned()
}

pub(crate) fn table(headers: impl IntoIterator<Item = String>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(headers);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
