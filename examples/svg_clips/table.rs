//! The table on the terminal.

use crate::{args::Args, backend::Computed, failure::one_line, input::Input, progress::is_plain};
use comfy_table::{Attribute, Cell, ContentArrangement, Table, presets};
use std::{
    io::{IsTerminal, Write, stderr, stdout},
    time::Duration,
};
use treebounds_debug::{Picture, Summary};

/// Prints the table: to standard output, or to standard error where that is for
/// data.
pub(crate) fn print(
    args: &Args,
    input: &Input,
    summary: &Summary,
    computed: &Computed,
    (picture, file): (&Picture, &str),
    times: &[(&str, Duration)],
) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if args.pipes() {
        table.use_stderr();
    }
    let styled =
        !is_plain() && if args.pipes() { stderr().is_terminal() } else { stdout().is_terminal() };
    let rows = [
        ("drawing", input.name.clone()),
        ("elements", elements(summary)),
        ("clips", summary.clips.to_string()),
        ("layers", summary.blends.to_string()),
        ("culled", culled(summary)),
        ("deepest nesting", summary.max_depth.to_string()),
        ("area saved by clipping", saved(summary)),
        ("backend", backend(computed)),
        (
            "time",
            times
                .iter()
                .map(|(what, time)| format!("{what} {}", short(*time)))
                .collect::<Vec<_>>()
                .join(", "),
        ),
        ("picture", format!("{file}, {} x {} pixels", picture.width(), picture.height())),
    ];
    for (what, value) in rows {
        let what = Cell::new(what);
        let what = if styled { what.add_attribute(Attribute::Bold) } else { what };
        table.add_row([what, Cell::new(one_line(&value))]);
    }
    let lines: Vec<_> = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let text = lines.concat();
    // A closed pipe is the reader's choice.
    let _ = match args.pipes() {
        true => stderr().write_all(text.as_bytes()),
        false => stdout().write_all(text.as_bytes()),
    };
}

/// What both clips and is a layer counts once.
fn elements(Summary { elements, draws, nodes, .. }: &Summary) -> String {
    format!("{elements} ({draws} draws, {nodes} clips and layers of two each)")
}

/// As many as the legend of the picture says.
fn culled(Summary { culled_draws: draws, culled_nodes: nodes, .. }: &Summary) -> String {
    format!("{} ({draws} draws, {nodes} clips and layers)", draws + nodes)
}

fn saved(summary: &Summary) -> String {
    summary.saved().map_or("nothing is painted".into(), |share| format!("{:.1} %", share * 100.0))
}

/// Which, and why.
fn backend(computed: &Computed) -> String {
    match &computed.why {
        None => computed.backend.to_string(),
        Some(why) => format!("{}, because {why}", computed.backend),
    }
}

/// The time with three digits or so.
fn short(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ..0.1 => format!("{:.1} us", ms * 1e3),
        ..10.0 => format!("{ms:.2} ms"),
        ..1000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.1} s", ms / 1e3),
    }
}

/// How many notes are printed.
const NOTES: usize = 5;

/// Prints what a person should know, to standard error.
pub(crate) fn notes<'a>(notes: impl Iterator<Item = &'a String>) {
    let notes: Vec<_> = notes.collect();
    for note in notes.iter().take(NOTES) {
        let _ = writeln!(stderr(), "note: {}", one_line(note));
    }
    if notes.len() > NOTES {
        let _ = writeln!(stderr(), "note: {} more are in the report (--json)", notes.len() - NOTES);
    }
}
