//! What differs between two drawings.

use crate::{
    Failure, Input,
    args::Args,
    failure::one_line,
    loaded::Loaded,
    outputs::{Names, Outputs},
    progress::is_plain,
};
use comfy_table::{Attribute, Cell, ContentArrangement, Table, presets};
use std::collections::HashSet;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;
use treebounds_inspector::{Change, Diff, Difference, Edges, html_of_diff};

/// The exit code where something differs.
const DIFFERS: u8 = 4;
/// More lines are counted and not shown.
const LINES_MAX: usize = 100;
/// Longer names are cut.
const NAME_MAX: usize = 60;

/// Compares the two files of the command line.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let written = &args.options.written;
    let inputs = args.files.iter().map(|file| Input::named(file)).collect::<Result<Vec<_>, _>>()?;
    let [old, new] = &inputs[..] else { return Err(Failure::usage("--diff wants two files")) };
    let written_only = crate::options::Written { no_picture: true, ..written.clone() };
    let stem = new.stem();
    let names = Names { stem: &stem, source: new.path(), several: false };
    let mut taken: HashSet<_> =
        old.path().and_then(|path| path.canonicalize().ok()).into_iter().collect();
    let mut outputs = Outputs::new(&written_only, names, &mut taken)?;

    let (old, new) = (Loaded::read(old)?, Loaded::read(new)?);
    let diff = Diff::new(&old.report, &new.report);
    outputs.json_text(&diff.to_json())?;
    if outputs.has_page() {
        outputs.html(&html_of_diff(&old.exhibit(), &new.exhibit(), &diff))?;
    }
    outputs.commit()?;
    if !args.options.quiet.quiet {
        print(&diff, written.pipes());
    }
    Ok(if diff.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(DIFFERS) })
}

fn print(diff: &Diff, pipes: bool) {
    let styled = !is_plain() && if pipes { stderr().is_terminal() } else { stdout().is_terminal() };
    let mut text = String::new();
    if !diff.is_empty() {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
        for difference in diff.changes.iter().take(LINES_MAX) {
            let change = Cell::new(difference.change);
            let change = if styled { change.add_attribute(Attribute::Bold) } else { change };
            table.add_row([change, Cell::new(name(difference)), Cell::new(what(difference))]);
        }
        for line in table.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    let more = diff.changes.len().saturating_sub(LINES_MAX);
    if more > 0 {
        text.push_str(&format!("and {more} more; --json has all\n"));
    }
    text.push_str(&sum(diff));
    // A closed pipe is the reader's choice.
    let _ = match pipes {
        true => stderr().write_all(text.as_bytes()),
        false => stdout().write_all(text.as_bytes()),
    };
}

/// For example `3 differences: 1 moved, 2 gone`.
fn sum(diff: &Diff) -> String {
    let (old, new) = (one_line(&diff.old), one_line(&diff.new));
    let counts: Vec<_> =
        diff.counts().iter().map(|(change, count)| format!("{count} {change}")).collect();
    match diff.changes.len() {
        0 => format!("{old} and {new}: nothing differs\n"),
        1 => format!("{old} and {new}: 1 difference: {}\n", counts.join(", ")),
        many => format!("{old} and {new}: {many} differences: {}\n", counts.join(", ")),
    }
}

/// What people call the element: its id, or its place, or its index.
fn name(difference: &Difference) -> String {
    let Difference { kind, id, path, old, new, .. } = difference;
    let kind = kind.replace("clip_blend", "clipping layer").replace("blend", "layer");
    let index = || new.or(*old).map_or(String::new(), |ix| ix.to_string());
    let called =
        id.as_ref().map(|id| format!("#{id}")).or_else(|| path.clone()).unwrap_or_else(index);
    let called: String = one_line(&called).chars().take(NAME_MAX).collect();
    format!("{kind} {called}")
}

fn what(Difference { change, from, to, .. }: &Difference) -> String {
    match (change, from, to) {
        (Change::Moved, Some(from), Some(to)) => {
            format!("by {}, {}", to[0] - from[0], to[1] - from[1])
        }
        (Change::Appeared | Change::Shown, _, Some(to)) => place(to),
        (Change::Gone | Change::Culled, Some(from), _) => format!("was {}", place(from)),
        (_, Some(from), Some(to)) => format!("{} -> {}", size(from), size(to)),
        _ => "not visible".to_owned(),
    }
}

fn size([x0, y0, x1, y1]: &Edges) -> String {
    format!("{} x {}", x1 - x0, y1 - y0)
}

fn place(edges: &Edges) -> String {
    format!("{} at {}, {}", size(edges), edges[0], edges[1])
}
