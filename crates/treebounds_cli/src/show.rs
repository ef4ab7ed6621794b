//! Computes the boxes of a scene, and sends its reports and its picture.

use crate::{
    backend::{Computed, Machine},
    failure::Failure,
    options::{Shown, Size},
    outputs::{Names, Outputs, Places},
    results::Results,
    subject::{Subject, text_of},
    table::{Progress, Row, Times, whole},
    worker::{self, Message, Output, Sink, send},
};
use std::ffi::OsStr;
use treebounds_encoding::svg::usvg::Tree;
use treebounds_inspector::{Exhibit, html};
use treebounds_report::{
    Findings, Overlay, PictureFrame, PictureFrameError, Report, Scene, Selection, SourceDocument,
};

/// The prefix of the step that reports the progress of the picture.
pub(crate) const PAINTING: &str = "painting, ";

/// The maximum number of printed notes. The rest is only counted.
const NOTES_MAX: usize = 8;

/// Computes the bounds of a subject, then sends the requested outputs: first the reports, then the picture.
///
/// # Errors
/// Fails if an option does not suit the subject, if a requested GPU fails, or if the sink fails.
pub(crate) fn show(
    options: &Shown,
    subject: &Subject<'_>,
    machine: &mut Machine,
    mut times: Times,
    sink: &mut dyn Sink,
) -> Result<(), Failure> {
    let Subject { scene, document, .. } = *subject;
    let (id, selection) = match &options.focus.id {
        None => (None, Selection::all()),
        Some(id) => select(scene, document, id).map(|(id, selection)| (Some(id), selection))?,
    };
    let selection = options.focus.of(selection, scene);
    let has_picture = options.written.has_picture();
    let frame = has_picture.then(|| frame(&options.size, scene)).transpose()?;

    sink.take(Message::Step("computing boxes".into()))?;
    let computed = machine.compute(&scene.stream, &mut times)?;
    let findings = Findings::new(scene, &computed.bounds);
    let findings = match document {
        Some(document) => findings.and_then(|findings| findings.of(document)),
        None => findings,
    };
    let findings = &findings.map_err(Failure::bad)?.only(selection);
    reports(options, subject, findings, &computed, sink)?;
    facts(subject, findings, id, &computed.name, sink)?;
    sink.take(Message::Boxes)?;
    if let Some(frame) = frame {
        sink.take(Message::Step("painting".into()))?;
        let is_svg = options.written.is_svg();
        times.of("picture", || paint(findings, subject.tree, frame, is_svg, sink))?;
    }
    sink.take(Message::row("time", times.to_string()))
}

fn reports(
    Shown { written, .. }: &Shown,
    subject: &Subject<'_>,
    findings: &Findings<'_>,
    computed: &Computed,
    sink: &mut dyn Sink,
) -> Result<(), Failure> {
    let report = Report::new(findings, computed.backend.clone(), subject.name);
    if written.json.is_some() || written.csv.is_some() || written.has_page() {
        sink.take(Message::Step("writing reports".into()))?;
    }
    if written.json.is_some() {
        worker::write(sink, Output::Json, &mut |writer| report.write_json(writer))?;
    }
    if written.csv.is_some() {
        worker::write(sink, Output::Csv, &mut |writer| report.write_csv(writer))?;
    }
    if written.has_page() {
        let mut json = Vec::new();
        report.write_json(&mut json).map_err(Failure::bad)?;
        let report = &String::from_utf8_lossy(&json);
        let (measured, text) = (subject.measured(), subject.file.and_then(text_of));
        let page = html(&Exhibit {
            report,
            drawing: text.as_deref(),
            measured: measured.as_deref(),
            watched: subject.watched,
        });
        send(sink, Output::Html, page.as_bytes())?;
    }
    Ok(())
}

fn facts(
    subject: &Subject<'_>,
    findings: &Findings<'_>,
    id: Option<&str>,
    backend: &str,
    sink: &mut dyn Sink,
) -> Result<(), Failure> {
    let row = Row { name: subject.name, findings, id, backend };
    sink.take(Message::Line(row.line()))?;
    for (name, value) in row.facts() {
        sink.take(Message::row(name, value))?;
    }
    let notes = &subject.scene.notes;
    for note in notes.iter().take(NOTES_MAX) {
        sink.take(Message::Note(crate::failure::one_line(note)))?;
    }
    let more = notes.len().saturating_sub(NOTES_MAX);
    if more > 0 {
        sink.take(Message::Note(format!("{} more notes are in the report (--json)", whole(more))))?;
    }
    Ok(())
}

/// Finds the id, which may be written as `#id`. Returns the id as spelled in the drawing, and the selection.
fn select<'a>(
    scene: &Scene,
    document: Option<&SourceDocument>,
    asked: &'a str,
) -> Result<(&'a str, Selection), Failure> {
    let find = |id: &'a str| {
        let found = match document {
            Some(document) => Selection::of_object(scene, document, id),
            None => Selection::of_id(scene, id),
        };
        found.map(|selection| (id, selection))
    };
    let bare = asked.strip_prefix('#').unwrap_or(asked);
    find(asked).or_else(|| find(bare)).ok_or_else(|| {
        let objects = document.map_or(&[][..], |document| &document.objects);
        let ids = objects.iter().filter_map(|object| object.id.as_deref());
        let ids = ids.chain(scene.origins.iter().filter_map(|origin| origin.id.as_deref()));
        let hint = closest(bare, ids).map_or(String::new(), |id| format!("; did you mean '{id}'?"));
        Failure::bad(format!("nothing has the id '{bare}'{hint}"))
    })
}

/// The maximum length of an id to compare.
const ID_MAX: usize = 64;

/// Returns the id most similar to `asked`, if any is similar.
fn closest<'a>(asked: &str, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let asked = asked.to_lowercase();
    let distance = |id: &str| strsim::damerau_levenshtein(&asked, &id.to_lowercase());
    let short = ids.filter(|id| id.len() <= ID_MAX && asked.len() <= ID_MAX);
    let (distance, id) = short.map(|id| (distance(id), id)).min()?;
    (distance <= 1 + asked.chars().count() / 4).then_some(id)
}

/// Returns the size of the picture.
///
/// # Errors
/// Fails if the drawing has no area or the picture would be too large.
pub fn frame(size: &Size, scene: &Scene) -> Result<PictureFrame, Failure> {
    let (width, height) = (scene.width, scene.height);
    let (asked, frame) = match (size.width, size.scale) {
        (Some(pixels), _) => {
            (format!("--width {pixels}: "), PictureFrame::with_width(width, height, pixels))
        }
        (None, Some(scale)) => {
            let digits = if scale < 1e9 { scale.to_string() } else { format!("{scale:e}") };
            (format!("--scale {digits}: "), PictureFrame::with_scale(width, height, scale))
        }
        (None, None) => (String::new(), PictureFrame::fit(width, height)),
    };
    frame.map_err(|error| match error {
        PictureFrameError::NoArea { .. } => Failure::bad(error),
        _ => Failure::usage(format!("{asked}{error}")),
    })
}

/// Sends the picture as PNG or SVG. If the drawing cannot be painted, the picture shows the boxes alone.
fn paint(
    findings: &Findings<'_>,
    tree: Option<&Tree>,
    frame: PictureFrame,
    is_svg: bool,
    sink: &mut dyn Sink,
) -> Result<(), Failure> {
    let boxes = Overlay::new(findings, frame);
    let mut told = 0;
    let mut tell = |share: f64| {
        let percent = (100.0 * share) as u32;
        if percent > std::mem::replace(&mut told, percent) {
            // If this message cannot be sent, neither can the picture.
            let _ = sink.take(Message::Step(format!("{PAINTING}{percent}%")));
        }
    };
    let make = |overlay: Overlay<'_>, tell: &mut (dyn FnMut(f64) + Send)| match is_svg {
        true => overlay.svg().map(String::into_bytes),
        false => overlay.paint_telling(tell)?.png(),
    };
    let drawn = tree.map(|tree| make(boxes.on(tree), &mut tell));
    let picture = match drawn {
        Some(Ok(picture)) => picture,
        failed => {
            if let Some(Err(error)) = failed {
                sink.take(Message::Note(format!("the drawing is not in the picture: {error}")))?;
            }
            make(boxes, &mut |_| {}).map_err(Failure::bad)?
        }
    };
    sink.take(Message::Size(boxes.size()))?;
    send(sink, Output::Picture, &picture)
}

/// Shows a scene that this program builds itself, in this process.
///
/// # Errors
/// Fails if the scene cannot be built, if an option does not suit it, or if an output cannot be written.
pub fn show_scene(
    options: &Shown,
    name: &str,
    make: impl FnOnce() -> Result<Scene, Failure>,
) -> Result<(), Failure> {
    options.written.check()?;
    let names = Names { stem: OsStr::new(name), picture: ".bounds.png", several: false };
    let mut places = Places::default();
    let outputs = Outputs::new(&options.written, names, &mut places)?;
    let progress = Progress::new(options.quiet.quiet);
    let mut results = Results::new(outputs, &progress, options.quiet, f64::INFINITY);
    let mut times = Times::default();
    let scene = times.of("reading", make)?;
    let (subject, mut machine) =
        (Subject::of_scene(name, &scene), Machine::new(options.place.backend));
    let shown = show(options, &subject, &mut machine, times, &mut results);
    results.finish(shown.map(|()| 0))?.complete()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_ids_get_a_suggestion() {
        let ids = ["badge", "card", "card2", "year"];
        let closest = |asked| closest(asked, ids.into_iter());
        assert_eq!(closest("bagde"), Some("badge"));
        assert_eq!(closest("Year"), Some("year"));
        assert_eq!(closest("carts"), Some("card"));
        assert_eq!(closest("nobody"), None);
    }
}
