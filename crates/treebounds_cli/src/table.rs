//! The table on the terminal.

use crate::{
    failure::{Failure, one_line, plain},
    progress::is_plain,
    wire::Message,
};
use comfy_table::{Attribute, Cell, ContentArrangement, Table, presets};
use std::{
    collections::BTreeMap,
    io::{ErrorKind, IsTerminal, Write, stderr, stdout},
};
use treebounds_core::{Rect, Role};
use treebounds_report::{Findings, Summary};

/// A table of two columns: names, and what there is to say.
#[derive(Clone, Debug, Default)]
pub struct Facts(Vec<(String, String)>);

impl Facts {
    /// Another line.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// The table's rows, to tell.
    pub fn into_rows(self) -> impl Iterator<Item = Message> {
        self.0.into_iter().map(|(name, value)| Message::row(name, value))
    }
}

/// The table as text: as wide as the terminal, and the first column bold, where one is there.
pub(crate) fn text(rows: &[Vec<String>], pipes: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
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
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Writes what a person reads: to standard output, or to standard error where that is for data.
///
/// # Errors
/// It cannot be written; a closed pipe is the reader's choice.
pub(crate) fn say(text: &str, pipes: bool) -> Result<(), Failure> {
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

/// What is said of one drawing.
pub(crate) struct Row<'a> {
    pub(crate) name: &'a str,
    pub(crate) findings: &'a Findings<'a>,
    /// The id that was asked for.
    pub(crate) id: Option<&'a str>,
    /// Where the boxes were computed.
    pub(crate) backend: &'a str,
}

impl Row<'_> {
    /// The drawing in one line.
    pub(crate) fn line(&self) -> String {
        let summary = self.findings.summary();
        let scene = self.findings.scene();
        let mut parts = vec![
            format!("{} x {} pixels", scene.width, scene.height),
            count(summary.elements, "element", "elements"),
            count(summary.clips, "clip", "clips"),
            count(summary.blends, "layer", "layers"),
            format!("{} culled", summary.culled_draws + summary.culled_nodes),
            summary
                .saved()
                .map_or("nothing painted".into(), |_| format!("area saved {}", saved(&summary))),
        ];
        let boxes = self.id.into_iter().flat_map(|id| boxes(self.findings, id));
        parts.extend(boxes.map(|(id, place)| format!("{id}: {place}")));
        format!("{}: {}", self.name, parts.join(", "))
    }

    pub(crate) fn facts(&self) -> Facts {
        let summary = self.findings.summary();
        let scene = self.findings.scene();
        let mut facts = Facts::default();
        facts.add("drawing", format!("{}, {} x {} pixels", self.name, scene.width, scene.height));
        for (name, value) in self.id.into_iter().flat_map(|id| boxes(self.findings, id)) {
            facts.add(name, value);
        }
        facts.add("elements", elements(&summary));
        facts.add("clips", summary.clips.to_string());
        facts.add("layers", summary.blends.to_string());
        facts.add("culled", culled(&summary));
        for (name, value) in reasons(self.findings) {
            facts.add(name, value);
        }
        facts.add("deepest nesting", summary.max_depth.to_string());
        facts.add("area saved", saved(&summary));
        facts.add("backend", self.backend);
        facts
    }
}

/// So many of something.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What both clips and is a layer counts once.
fn elements(Summary { elements, draws, nodes, .. }: &Summary) -> String {
    let nodes = match nodes {
        0 => String::new(),
        nodes => format!(", {} of two each", count(*nodes, "clip or layer", "clips and layers")),
    };
    format!("{elements} ({}{nodes})", count(*draws, "draw", "draws"))
}

/// As many as the legend of the picture says.
fn culled(Summary { culled_draws: draws, culled_nodes: nodes, .. }: &Summary) -> String {
    let draws_of = count(*draws, "draw", "draws");
    match draws + nodes {
        0 => "0".into(),
        all => {
            format!("{all} ({draws_of}, {})", count(*nodes, "clip or layer", "clips and layers"))
        }
    }
}

/// How many reasons are listed.
const REASONS: usize = 4;

/// Why they are culled, the most frequent reasons first.
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
        .map(|(reason, count)| (String::new(), format!("{count}: {reason}")))
        .collect();
    if more > 0 {
        rows.push((String::new(), format!("{more}: other reasons, which the reports have")));
    }
    rows
}

/// What saved how much.
fn saved(summary: &Summary) -> String {
    let Some(all) = summary.saved() else { return "nothing is painted".into() };
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let parts = summary.saved.parts();
    let by: Vec<_> = match &parts[..] {
        [(what, _)] => vec![(*what).to_owned()],
        parts => parts.iter().map(|(what, share)| format!("{what} {}", percent(*share))).collect(),
    };
    let by = if by.is_empty() { String::new() } else { format!(", by {}", by.join(", ")) };
    format!("{}{by}", percent(all))
}

/// How many objects of one id are listed.
const OBJECTS: usize = 4;

/// The boxes of an id.
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

/// A box with its edges, exactly.
fn place(Rect { x0, y0, x1, y1 }: Rect) -> String {
    format!("x {x0} to {x1}, y {y0} to {y1}")
}
