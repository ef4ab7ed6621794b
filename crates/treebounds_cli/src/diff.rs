//! Compares two drawings.

use crate::{
    Failure, Input, Progress,
    failure::one_line,
    input::Reported,
    options::{Args, FailOn, Written},
    outputs::{Names, Outputs, Places},
    results::{PROGRAM, Results},
    table::{tidy, whole},
    worker::{Job, Message, Output, Sink, Workers, send},
};
use treebounds_inspector::{Change, Diff, Difference, Edges, html_of_diff};

const DIFFERS: u8 = 4;
/// The maximum number of listed differences. The rest is only counted.
const LINES_MAX: usize = 100;
/// The maximum number of characters in a printed name.
const NAME_MAX: usize = 60;

pub(crate) fn run(args: &Args, workers: &Workers<'_>) -> Result<u8, Failure> {
    let shown = &args.shown;
    let [old, new] = inputs(args)?;
    let stem = new.stem();
    let names = Names { stem: &stem, picture: "", several: false };
    let mut places = Places::default();
    [&old, &new].into_iter().for_each(|input| places.protect(input.path()));
    let written = Written { no_picture: true, ..shown.written.clone() };
    let outputs = Outputs::new(&written, names, &mut places)?;

    let progress = Progress::new(shown.quiet.quiet);
    progress.step("reading");
    let files = vec![old.read()?, new.read()?];
    let job = Job { watched: workers.watched.clone(), ..Job::new("", files) };
    let mut results = Results::new(outputs, &progress, shown.quiet, args.limits.max_output);
    let worked = workers.run(&job, &mut results);
    let names = format!("{} and {}", old.name, new.name);
    let finished = results.finish(worked);
    Ok(finished.map_err(|failure| failure.about_if_none(&names))?.tell(PROGRAM, &names))
}

fn inputs(args: &Args) -> Result<[Input; 2], Failure> {
    let inputs: Vec<_> = args.files.iter().map(|file| Input::named(file)).collect();
    inputs.try_into().map_err(|_| Failure::usage("--diff needs two files"))
}

/// Compares two files. Runs in a worker.
pub(crate) fn work(args: &Args, job: &Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
    let written = &args.shown.written;
    let [old_input, new_input] = inputs(args)?;
    let [old, new] = &job.files[..] else { return Err(Failure::bad("two files are needed")) };
    let limits = &args.limits;
    let old = Reported::from(old, &old_input, limits)?;
    let new = Reported::from(new, &new_input, limits)?;
    let subjects = [old.subject(), new.subject()];
    let [old_svg, new_svg] = subjects.map(|subject| subject?.standalone());
    let diff = match (&old_svg, &new_svg) {
        (Some(old_svg), Some(new_svg)) => {
            Diff::with_paint(&old.report, &new.report, [old_svg, new_svg])
        }
        _ => Diff::new(&old.report, &new.report),
    };
    if written.json.is_some() {
        send(sink, Output::Json, format!("{}\n", diff.to_json()).as_bytes())?;
    }
    if written.has_page() {
        let [old_measured, new_measured] = subjects.map(|subject| subject?.measured());
        let exhibits = (
            old.exhibit(old_measured.as_deref(), None),
            new.exhibit(new_measured.as_deref(), job.watched.as_ref()),
        );
        let page = html_of_diff(&exhibits.0, &exhibits.1, &diff);
        send(sink, Output::Html, page.as_bytes())?;
    }
    for difference in diff.changes.iter().take(LINES_MAX) {
        let change = difference.change.to_string();
        sink.take(Message::Row(vec![change, name(difference), describe(difference)]))?;
    }
    let more = diff.changes.len().saturating_sub(LINES_MAX);
    if more > 0 {
        sink.take(Message::Text(format!("and {} more; --json lists all\n", whole(more))))?;
    }
    let sum = summary(&diff, &old_input.name, &new_input.name);
    sink.take(Message::Text(sum + "\n"))?;
    let differs = match args.task.fail_on {
        FailOn::Boxes => diff.has_boxes(),
        FailOn::Any => !diff.is_empty(),
        FailOn::Nothing => false,
    };
    Ok(if differs { DIFFERS } else { 0 })
}

/// Returns the summary line, for example `old.svg and new.svg: 3 differences: 1 moved, 2 gone`.
fn summary(diff: &Diff, old: &str, new: &str) -> String {
    let counts: Vec<_> =
        diff.counts().iter().map(|(change, many)| format!("{} {change}", whole(*many))).collect();
    let counts = counts.join(", ");
    let differences = match diff.changes.len() {
        0 => "no box differs".to_owned(),
        1 => format!("1 difference: {counts}"),
        many => format!("{} differences: {counts}", whole(many)),
    };
    let unknown = if diff.repainted.is_none() { "; paint could not be compared" } else { "" };
    format!("{} and {}: {differences}{unknown}", one_line(old), one_line(new))
}

/// Returns the element's kind, followed by its id, path or index.
fn name(difference: &Difference) -> String {
    let Difference { kind, id, path, old, new, .. } = difference;
    let kind = kind.replace("clip_blend", "clipping layer").replace("blend", "layer");
    let index = || new.or(*old).map_or(String::new(), |ix| ix.to_string());
    let called =
        id.as_ref().map(|id| format!("#{id}")).or_else(|| path.clone()).unwrap_or_else(index);
    let called: String = one_line(&called).chars().take(NAME_MAX).collect();
    format!("{kind} {called}")
}

fn describe(Difference { change, from, to, old_id, .. }: &Difference) -> String {
    match (change, from, to) {
        (Change::Repainted | Change::Reordered, _, Some(to)) => place(to),
        (Change::Renamed, ..) => match old_id {
            Some(id) => format!("was #{}", one_line(id)),
            None => "had no id".to_owned(),
        },
        (Change::Moved, Some(from), Some(to)) => {
            format!("by {}, {}", length(from[0], to[0]), length(from[1], to[1]))
        }
        (Change::Appeared | Change::Shown, _, Some(to)) => place(to),
        (Change::Gone | Change::Culled, Some(from), _) => format!("was {}", place(from)),
        (_, Some(from), Some(to)) => format!("{} -> {}", size(from), size(to)),
        _ => "not visible".to_owned(),
    }
}

fn size([x0, y0, x1, y1]: &Edges) -> String {
    format!("{} x {}", length(*x0, *x1), length(*y0, *y1))
}

/// Returns the distance between two edges, rounded to a thousandth to hide rounding errors.
fn length(from: f32, to: f32) -> f64 {
    (1e3 * (f64::from(to) - f64::from(from))).round() / 1e3 + 0.0
}

fn place(edges: &Edges) -> String {
    format!("{} at {}, {}", size(edges), tidy(edges[0]), tidy(edges[1]))
}
