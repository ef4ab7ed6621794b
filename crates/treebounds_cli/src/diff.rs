//! What differs between two drawings.

use crate::{
    Failure, Input, Progress,
    args::Args,
    contain::Workers,
    delivery::{Delivery, Manner},
    failure::one_line,
    loaded::Loaded,
    options::Written,
    outputs::{Names, Outputs},
    wire::{Job, Message, Output, Sink, send},
};
use std::collections::HashSet;
use treebounds_inspector::{Change, Diff, Difference, Edges, html_of_diff};

/// The exit code where something differs.
const DIFFERS: u8 = 4;
/// More lines are counted and not shown.
const LINES_MAX: usize = 100;
/// Longer names are cut.
const NAME_MAX: usize = 60;

/// Compares the two files of the command line.
pub(crate) fn run(args: &Args, workers: &mut Workers<'_>) -> Result<u8, Failure> {
    let written = &args.options.written;
    let inputs = args.files.iter().map(|file| Input::named(file)).collect::<Result<Vec<_>, _>>()?;
    let [old, new] = &inputs[..] else { return Err(Failure::usage("--diff wants two files")) };
    let stem = new.stem();
    let names = Names { stem: &stem, picture: "", source: new.path(), several: false };
    let mut taken: HashSet<_> =
        old.path().and_then(|path| path.canonicalize().ok()).into_iter().collect();
    let without_picture = Written { no_picture: true, ..written.clone() };
    let outputs = Outputs::new(&without_picture, names, &mut taken)?;

    let quiet = args.options.quiet.quiet;
    let progress = Progress::new(quiet);
    progress.step("reading");
    let files = vec![old.read()?, new.read()?];
    let mut delivery = Delivery::new(outputs, &progress);
    let code = workers
        .run(Job::new(0, files), &mut delivery)
        .map_err(|failure| failure.about_if_none(format!("{} and {}", old.name, new.name)))?;
    delivery.finish(Manner { quiet, pipes: written.pipes(), is_one_of_several: false })?;
    Ok(code)
}

/// Compares two files: in a worker.
pub(crate) fn work(args: &Args, job: Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
    let written = &args.options.written;
    let inputs = args.files.iter().map(|file| Input::unseen(file));
    let allowed = &args.limits.allow_files;
    let loaded = job.files.into_iter().zip(inputs);
    let loaded = loaded.map(|(data, input)| Loaded::from(data, &input, allowed));
    let loaded = loaded.collect::<Result<Vec<_>, _>>()?;
    let [old, new] = &loaded[..] else { return Err(Failure::usage("--diff wants two files")) };
    let diff = Diff::new(&old.report, &new.report);
    if written.json.is_some() {
        send(sink, Output::Json, format!("{}\n", diff.to_json()).as_bytes())?;
    }
    if written.has_page() {
        let page = html_of_diff(&old.exhibit(), &new.exhibit(), &diff);
        send(sink, Output::Html, page.as_bytes())?;
    }
    for difference in diff.changes.iter().take(LINES_MAX) {
        let change = difference.change.to_string();
        sink.take(Message::Row(vec![change, name(difference), what(difference)]))?;
    }
    let more = diff.changes.len().saturating_sub(LINES_MAX);
    if more > 0 {
        sink.take(Message::Text(format!("and {more} more; --json has all\n")))?;
    }
    sink.take(Message::Text(sum(&diff)))?;
    Ok(if diff.is_empty() { 0 } else { DIFFERS })
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
