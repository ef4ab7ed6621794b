//! Formats measurements as tables.

use crate::measure::Row;
use comfy_table::{CellAlignment, Table, presets};
use treebounds_anyrender::Report;

/// Formats a table with one column per page and one line per rule: how often the rule applied, over all places and scales
/// of the page.
pub fn rules(rows: &[Row]) -> String {
    let unique = |of: fn(&Row) -> &str| {
        let mut all = Vec::new();
        for name in rows.iter().map(of) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    };
    let pages = unique(page);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["mode", "rule"].into_iter().chain(pages.iter().copied()));
    let names = rows.first().map(counts).unwrap_or_default();
    for mode in unique(|row| row.exactness) {
        for (at, (name, _)) in names.iter().enumerate() {
            let of_page = |name: &&str| {
                let rows = rows.iter().filter(|row| page(row) == *name && row.exactness == mode);
                rows.map(|row| counts(row)[at].1).sum::<usize>().to_string()
            };
            let cells = pages.iter().map(of_page);
            table.add_row([mode, *name].map(str::to_owned).into_iter().chain(cells));
        }
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// Returns the effect of each rule on a list, layers first.
fn counts(row: &Row) -> Vec<(&'static str, usize)> {
    let Report { before, after, .. } = row.report;
    let layers = [("layers before", before.layers), ("layers after", after.layers)];
    layers.into_iter().chain(row.report.counts()).collect()
}

/// Formats a table with one line per page and mode: sums over places and scales, and median times.
pub fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "page",
        "mode",
        "commands",
        "layers",
        "depth",
        "layer Mpx",
        "record ms",
        "optimize ms",
        "part",
        "paint ms",
        "differing px (most)",
    ]);
    let mut start = 0;
    while start < rows.len() {
        let key = |row: &Row| (page(row).to_owned(), row.exactness, row.renderer.clone());
        let first = key(&rows[start]);
        let len = rows[start..].iter().take_while(|row| key(row) == first).count();
        table.add_row(line(&rows[start..start + len]));
        start += len;
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// Returns the name without place and scale.
fn page(row: &Row) -> &str {
    row.name.split('@').next().unwrap_or(&row.name)
}

fn line(rows: &[Row]) -> Vec<String> {
    let sum = |of: &dyn Fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    let pair = |before: u64, after: u64| format!("{before} → {after}");
    let middle = |of: &dyn Fn(&Row) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(of).collect();
        values.sort_unstable_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let recorded = rows.iter().all(|row| row.record_ms.is_some());
    let record = |row: &Row| row.record_ms.unwrap_or(f64::NAN);
    let (optimize, record_ms) = (middle(&|row| row.optimize_ms), middle(&record));
    let part = middle(&|row| 100.0 * row.optimize_ms / record(row));
    let depth = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0) as u64;
    vec![
        page(&rows[0]).to_owned(),
        rows[0].exactness.to_owned(),
        pair(
            sum(&|row| row.report.before.commands as u64),
            sum(&|row| row.report.after.commands as u64),
        ),
        pair(
            sum(&|row| row.report.before.layers as u64),
            sum(&|row| row.report.after.layers as u64),
        ),
        pair(depth(&|row| row.report.before.depth), depth(&|row| row.report.after.depth)),
        format!(
            "{:.1} → {:.1}",
            sum(&|row| row.report.before.layer_pixels) as f64 / 1e6,
            sum(&|row| row.report.after.layer_pixels) as f64 / 1e6
        ),
        if recorded { format!("{record_ms:.2}") } else { String::new() },
        format!("{optimize:.3}"),
        if recorded { format!("{part:.1}%") } else { String::new() },
        format!(
            "{:.1} → {:.1}",
            middle(&|row| row.paint_before_ms),
            middle(&|row| row.paint_after_ms)
        ),
        format!(
            "{} ({})",
            sum(&|row| row.differing_pixels as u64),
            rows.iter().map(|row| row.largest_difference).max().unwrap_or(0)
        ),
    ]
}
