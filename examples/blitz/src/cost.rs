//! The cost of optimizing compared with recording and painting, page by page, on one core.

use crate::document::{Page, View};
use crate::measure::MODES;
use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use kurbo::Rect;
use std::time::{Duration, Instant};
use treebounds_anyrender::Workspace;

/// The shortest times of many runs. Optimizing also frees the removed commands, which would be freed later anyway, so the time to
/// free the original list is subtracted from the time to optimize a list and free the rest.
struct Cost {
    commands: usize,
    record: Duration,
    /// A time for each mode.
    optimize: [Duration; 3],
}

/// A line for each page, sums over its views, and the median of all views: how long Blitz's `paint_scene` takes to record a
/// display list, how long optimizing that list in place takes in each mode, and what part the second is of the first.
pub fn table(pages: &mut [(String, Page)], views: &[View], runs: usize) -> Result<String> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let names =
        ["page", "commands", "record us", "bits us", "rounding us", "+ opacity us", "parts"];
    table.set_header(names);
    let mut parts = [const { Vec::new() }; 3];
    for (name, page) in pages {
        let costs = views.iter().map(|view| cost(page, view, runs)).collect::<Result<Vec<_>>>()?;
        let micros = |of: &dyn Fn(&Cost) -> Duration| {
            costs.iter().map(|cost| of(cost).as_secs_f64() * 1e6).sum::<f64>()
        };
        let record = micros(&|cost| cost.record);
        let optimize = [0, 1, 2].map(|mode| micros(&|cost| cost.optimize[mode]));
        for (mode, parts) in parts.iter_mut().enumerate() {
            parts.extend(
                costs.iter().map(|cost| {
                    100.0 * cost.optimize[mode].as_secs_f64() / cost.record.as_secs_f64()
                }),
            );
        }
        let commands: usize = costs.iter().map(|cost| cost.commands).sum();
        let mut line = vec![name.clone(), commands.to_string(), format!("{record:.0}")];
        line.extend(optimize.map(|time| format!("{time:.1}")));
        line.push(percents(optimize.map(|time| 100.0 * time / record)));
        table.add_row(line);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let medians = parts.map(|mut parts| {
        parts.sort_unstable_by(f64::total_cmp);
        parts.get(parts.len() / 2).copied().unwrap_or(f64::NAN)
    });
    Ok(format!("{table}\nmedian over all views: {}", percents(medians)))
}

fn percents(parts: [f64; 3]) -> String {
    parts.map(|part| format!("{part:.1}%")).join(" / ")
}

fn cost(page: &mut Page, view: &View, runs: usize) -> Result<Cost> {
    page.look(view);
    let [width, height] = view.size.map(f64::from);
    let viewport = Rect::new(0.0, 0.0, width, height);
    let mut workspaces = MODES.map(|_| Workspace::new());
    let mut cost = Cost { commands: 0, record: Duration::MAX, optimize: [Duration::MAX; 3] };
    let mut free = Duration::MAX;
    for _ in 0..runs {
        // The modes take turns, so that what disturbs one disturbs all.
        for (mode, options) in MODES.iter().enumerate() {
            let (mut scene, record) = timed(|| page.record(view));
            let workspace = &mut workspaces[mode];
            let (report, optimize) = timed(move || {
                let report = workspace.optimize(&mut scene, viewport, options);
                drop(scene);
                report
            });
            cost.commands = report?.before.commands;
            cost.record = cost.record.min(record);
            cost.optimize[mode] = cost.optimize[mode].min(optimize);
        }
        let scene = page.record(view);
        free = free.min(timed(|| drop(scene)).1);
    }
    cost.optimize = cost.optimize.map(|optimize| optimize.saturating_sub(free));
    Ok(cost)
}

fn timed<T>(of: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = of();
    (result, start.elapsed())
}
