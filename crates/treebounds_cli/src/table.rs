//! Prints to the terminal: progress, a table about the drawing, timings and notes.

use crate::failure::{Failure, one_line, plain};
use comfy_table::{Attribute, Cell, ColumnConstraint, ContentArrangement, Table, Width, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    collections::BTreeMap,
    fmt,
    io::{ErrorKind, IsTerminal, Write, stderr, stdout},
    time::{Duration, Instant},
};
use treebounds_core::{Rect, Role};
use treebounds_report::{Element, Findings, Summary};

/// A spinner with the current step and the elapsed seconds. Shown only if standard error is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

/// Whether `NO_COLOR` requests plain output.
fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

impl Progress {
    /// Shows the spinner, unless `quiet` is set.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && stderr().is_terminal() && !is_plain();
        let bar = if shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if shown {
            let style = ProgressStyle::with_template("{spinner} {prefix}{msg}, {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message("starting");
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar }
    }

    /// Shows the number of finished files and the total.
    pub fn files(&self, done: usize, all: usize) {
        self.bar.set_prefix(format!("{} of {}: ", whole(done), whole(all)));
    }

    pub(crate) fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Shows the current step.
    pub fn step(&self, what: impl AsRef<str>) {
        self.bar.set_message(one_line(what.as_ref()));
    }

    /// Removes the spinner.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The length of the longest row name, plus two spaces.
const FIRST_COLUMN: u16 = 17;

/// Formats the rows for the width of the terminal. On a terminal the first column is bold.
pub(crate) fn aligned(rows: &[Vec<String>], pipes: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    // A fixed minimum aligns tables that are printed in parts.
    let least = ColumnConstraint::LowerBoundary(Width::Fixed(FIRST_COLUMN));
    if pipes {
        table.use_stderr();
    }
    let styled = !is_plain() && if pipes { stderr().is_terminal() } else { stdout().is_terminal() };
    for row in rows {
        let mut cells: Vec<_> = row.iter().map(|text| Cell::new(one_line(text))).collect();
        if styled && let Some(first) = cells.first_mut() {
            *first = first.clone().add_attribute(Attribute::Bold);
        }
        table.add_row(cells);
    }
    if rows.is_empty() {
        return String::new();
    }
    if rows.iter().all(|row| row.len() == 2)
        && let Some(first) = table.column_mut(0)
    {
        first.set_constraint(least);
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Prints text to standard output, or to standard error if standard output is for data.
///
/// # Errors
/// Fails if the text cannot be written. A pipe closed by its reader is not an error.
pub(crate) fn print(text: &str, pipes: bool) -> Result<(), Failure> {
    let (name, written) = match pipes {
        true => ("stderr", stderr().write_all(text.as_bytes())),
        false => {
            let mut stdout = stdout().lock();
            ("stdout", stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
        }
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::bad(plain(&error)).about(name))
        }
        _ => Ok(()),
    }
}

pub(crate) fn notes(notes: &[String]) {
    for note in notes {
        let _ = writeln!(stderr(), "note: {}", one_line(note));
    }
}

/// The steps of a program with their durations.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<(&'static str, Duration)>);

impl Times {
    /// Adds a step.
    pub fn add(&mut self, what: &'static str, time: Duration) {
        self.0.push((what, time));
    }

    /// Runs a step and adds its duration.
    pub fn of<T>(&mut self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.add(what, start.elapsed());
        done
    }
}

/// Formats the steps as `reading 12 ms, computing 3.10 ms`.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (what, time)) in self.0.iter().enumerate() {
            let gap = if at > 0 { ", " } else { "" };
            write!(f, "{gap}{what} {}", short(*time))?;
        }
        Ok(())
    }
}

/// Formats a duration with about three digits.
pub fn short(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ..0.1 => format!("{:.1} us", ms * 1e3),
        ..10.0 => format!("{ms:.2} ms"),
        ..1000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.1} s", ms / 1e3),
    }
}

/// The data of the table for one drawing.
pub(crate) struct Row<'a> {
    pub(crate) name: &'a str,
    pub(crate) findings: &'a Findings<'a>,
    /// The requested id, as spelled in the drawing.
    pub(crate) id: Option<&'a str>,
    /// The backend that computed the boxes.
    pub(crate) backend: &'a str,
}

impl Row<'_> {
    pub(crate) fn line(&self) -> String {
        let summary = self.findings.summary();
        let scene = self.findings.scene();
        let mut parts = vec![
            format!("{} x {} pixels", scene.width, scene.height),
            count(summary.draws + summary.nodes, "element", "elements"),
            kinds(&summary),
            format!("{} culled", whole(summary.culled_draws + summary.culled_nodes)),
            summary.saved().map_or("nothing is painted".into(), |_| {
                format!("area saved {}", format_saved_area(&summary))
            }),
        ];
        let boxes = self.id.into_iter().flat_map(|id| boxes(self.findings, id));
        parts.extend(boxes.map(|(id, place)| format!("{id}: {place}")));
        format!("{}: {}", self.name, parts.join(", "))
    }

    /// Returns the rows of the table: names and values.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let summary = self.findings.summary();
        let scene = self.findings.scene();
        let row = |name: &str, value: String| (name.to_owned(), value);
        let drawing = format!("{}, {} x {} pixels", self.name, scene.width, scene.height);
        let mut facts = vec![row("drawing", drawing)];
        facts.extend(self.id.into_iter().flat_map(|id| boxes(self.findings, id)));
        facts.extend([
            row(
                "elements",
                format!("{} ({})", whole(summary.draws + summary.nodes), kinds(&summary)),
            ),
            row("culled", culled(&summary)),
        ]);
        if self.findings.selection().is_part() {
            let begun = |element: &Element<'_>| element.tag.role() != Role::End;
            let listed = self.findings.elements().filter(begun).count();
            facts.push(row("listed", format!("{} of them (--only, --depth)", whole(listed))));
        }
        facts.extend(reasons(self.findings));
        facts.extend([
            row("deepest nesting", summary.max_depth.to_string()),
            row("area saved", format_saved_area(&summary)),
            row("backend", self.backend.to_owned()),
        ]);
        facts
    }
}

/// Formats a number with its noun.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", whole(number), if number == 1 { one } else { many })
}

/// Formats a number with commas between thousands.
pub fn whole(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Counts the elements of each kind. A node that both clips and blends counts as a layer, as in the
/// inspector.
fn kinds(Summary { draws, nodes, blends, filters, .. }: &Summary) -> String {
    let clips = nodes.saturating_sub(blends + filters);
    listed(&[
        (*draws, "draw", "draws"),
        (clips, "clip", "clips"),
        (*blends, "layer", "layers"),
        (*filters, "filter", "filters"),
    ])
}

/// Counts the culled elements, as in the legend of the picture.
fn culled(Summary { culled_draws: draws, culled_nodes: nodes, .. }: &Summary) -> String {
    match draws + nodes {
        0 => "0".into(),
        all => format!(
            "{} ({})",
            whole(all),
            listed(&[(*draws, "draw", "draws"), (*nodes, "other", "others")])
        ),
    }
}

/// Lists the counts other than 0.
fn listed(counts: &[(usize, &str, &str)]) -> String {
    let some = counts.iter().filter(|(many, ..)| *many > 0);
    let texts: Vec<_> = some.map(|(many, one, all)| count(*many, one, all)).collect();
    if texts.is_empty() { "nothing".into() } else { texts.join(", ") }
}

/// The maximum number of listed reasons. The rest is only counted.
const REASONS: usize = 4;

/// Lists the reasons for culling, most frequent first.
fn reasons(findings: &Findings<'_>) -> Vec<(String, String)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let begun = findings.elements().filter(|element| element.tag.role() != Role::End);
    for reason in begun.filter_map(|element| element.culled) {
        *counts.entry(reason.to_string()).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more: usize = counts.iter().skip(REASONS).map(|(_, count)| count).sum();
    let mut rows: Vec<_> = counts
        .into_iter()
        .take(REASONS)
        .map(|(reason, count)| (String::new(), format!("{}: {reason}", whole(count))))
        .collect();
    if more > 0 {
        rows.push((String::new(), format!("{}: other reasons; --json has all", whole(more))));
    }
    rows
}

/// Formats the share of the painted area that clips, layers and the canvas hide.
fn format_saved_area(summary: &Summary) -> String {
    let Some(all) = summary.saved() else { return "nothing is painted".into() };
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let parts = summary.saved.parts();
    let by: Vec<_> = match &parts[..] {
        [(what, _)] => vec![(*what).to_owned()],
        parts => parts.iter().map(|(what, share)| format!("{what} {}", percent(*share))).collect(),
    };
    let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
    format!("{}{by}", percent(all))
}

/// The maximum number of listed objects with the same id.
const OBJECTS: usize = 4;

/// Returns the rows for the boxes of an id.
fn boxes(findings: &Findings<'_>, id: &str) -> Vec<(String, String)> {
    let objects = findings.objects();
    let own = objects.iter().filter(|object| object.id.as_deref() == Some(id)).take(OBJECTS);
    own.map(|object| {
        let visible = match &object.culled {
            Some(reason) => format!("not visible: {reason}"),
            None => place(object.bounds),
        };
        let is_cut = object.unclipped != object.bounds && !object.unclipped.is_empty();
        let whole =
            if is_cut { format!("; unclipped {}", place(object.unclipped)) } else { String::new() };
        (format!("#{id}"), format!("{}, {visible}{whole}", object.source))
    })
    .collect()
}

/// Formats a length for display: removes rounding errors below a millionth of a pixel and the sign
/// of 0.
pub(crate) fn tidy(length: f32) -> f32 {
    if length.abs() < 1e-6 { 0.0 } else { length }
}

/// Formats the edges of a box.
fn place(rect: Rect) -> String {
    let [x0, y0, x1, y1] = rect.to_array().map(tidy);
    format!("x {x0} to {x1}, y {y0} to {y1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_about_three_digits() {
        let of = |us| short(Duration::from_nanos((us * 1e3) as u64));
        assert_eq!(
            [12.34, 123.4, 12_340.0, 2_340_000.0].map(of),
            ["12.3 us", "0.12 ms", "12 ms", "2.3 s"]
        );
        let mut times = Times::default();
        times.add("reading", Duration::from_millis(20));
        times.add("computing", Duration::from_millis(3));
        assert_eq!(times.to_string(), "reading 20 ms, computing 3.00 ms");
    }

    #[test]
    fn progress_counts_the_finished_files() {
        let progress = Progress { bar: ProgressBar::hidden() };
        assert_eq!(progress.bar.prefix(), "");
        progress.files(12, 1500);
        progress.step("reading");
        assert_eq!(
            format!("{}{}", progress.bar.prefix(), progress.bar.message()),
            "12 of 1,500: reading"
        );
    }
}
