//! Rows as a table with one line per page.

use crate::measure::Row;
use comfy_table::{CellAlignment, Table, presets};

/// A column for each page, a line for each rule: how often the rule did something, over all places and scales of the page.
pub fn rules(rows: &[Row]) -> String {
    let (mut pages, mut modes) = (Vec::new(), Vec::new());
    for row in rows {
        for (list, name) in [(&mut pages, page(row)), (&mut modes, row.exactness.as_str())] {
            if !list.contains(&name) {
                list.push(name);
            }
        }
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["mode", "rule"].into_iter().chain(pages.iter().copied()));
    for mode in modes {
        let of_page = |page_name: &str| -> Vec<(&'static str, u64)> {
            let rows = rows.iter().filter(|row| page(row) == page_name && row.exactness == mode);
            let mut sums: Vec<(&'static str, u64)> = Vec::new();
            for (at, (name, count)) in rows.flat_map(|row| counts(row).into_iter().enumerate()) {
                if at == sums.len() {
                    sums.push((name, 0));
                }
                sums[at].1 += count;
            }
            sums
        };
        let columns: Vec<_> = pages.iter().map(|page| of_page(page)).collect();
        let names = columns.first().into_iter().flatten().map(|(name, _)| *name);
        for (at, name) in names.enumerate() {
            let cells =
                columns.iter().map(|column| column.get(at).map_or(0, |cell| cell.1).to_string());
            table.add_row([mode.to_owned(), name.to_owned()].into_iter().chain(cells));
        }
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// What each rule did to a list, layers first.
fn counts(row: &Row) -> [(&'static str, u64); 14] {
    let rules = &row.rules;
    let count = |name, count: usize| (name, count as u64);
    [
        count("layers before", row.before.layers),
        count("layers after", row.after.layers),
        count("culled layers", rules.culled_layers),
        count("empty layers", rules.empty_layers),
        count("idle layers", rules.idle_layers),
        count("idle clips", rules.idle_clips),
        count("shaped draws", rules.shaped_draws),
        count("nested clips", rules.nested_clips),
        count("folded groups", rules.folded_groups),
        count("kept for rounding", rules.kept_for_rounding),
        count("simpler clips", rules.simpler_clips),
        count("shrunk layers", rules.shrunk_layers),
        count("culled draws", rules.culled_draws),
        count("hidden draws", rules.hidden_draws),
    ]
}

/// A line for each name and exactness: what its places and scales had in all, and the medians of their times.
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
        let key = |row: &Row| (page(row).to_owned(), row.exactness.clone(), row.renderer.clone());
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

/// A name up to its place and scale.
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
        rows[0].exactness.clone(),
        pair(sum(&|row| row.before.commands as u64), sum(&|row| row.after.commands as u64)),
        pair(sum(&|row| row.before.layers as u64), sum(&|row| row.after.layers as u64)),
        pair(depth(&|row| row.before.depth), depth(&|row| row.after.depth)),
        format!(
            "{:.1} → {:.1}",
            sum(&|row| row.before.layer_pixels) as f64 / 1e6,
            sum(&|row| row.after.layer_pixels) as f64 / 1e6
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
