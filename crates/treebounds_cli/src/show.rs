//! From a scene to what a person sees of it: pictures, reports, a table.

pub use crate::picture::frame;
use crate::{
    choice::Choice,
    compute::{Computed, Machine},
    delivery::{Delivery, Manner},
    failure::Failure,
    options::{Focus, Quiet, Size, Where, Written, is_stream},
    outputs::{Names, Outputs},
    picture::{self, Behind},
    progress::Progress,
    table::Row,
    times::Times,
    wire::{self, Job, Message, Output, Sink, send},
};
use std::{collections::HashSet, ffi::OsStr};
use treebounds_inspector::{Exhibit, html};
use treebounds_report::{Document, Findings, Report, Scene, Selection};

/// The options that say what to show of scenes, and how.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// What is written.
    #[command(flatten)]
    pub written: Written,
    /// Where to compute.
    #[command(flatten)]
    pub place: Where,
    /// How large the picture is.
    #[command(flatten)]
    pub size: Size,
    /// What is spoken of.
    #[command(flatten)]
    pub focus: Focus,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// What people call it.
    pub(crate) name: &'a str,
    /// The scene.
    pub(crate) scene: &'a Scene,
    /// The document that it was made from.
    pub(crate) document: Option<&'a Document>,
    /// What is painted behind the boxes.
    pub(crate) behind: Behind<'a>,
    /// The bytes of the SVG file, which a page shows.
    pub(crate) file: Option<&'a [u8]>,
}

/// Tells what there is to say of subjects, one after the other, to a [`Sink`].
pub(crate) struct Shower<'a> {
    options: &'a Options,
    /// Where the bounds are computed: opened once.
    machine: Option<Machine>,
}

impl<'a> Shower<'a> {
    pub(crate) fn new(options: &'a Options) -> Self {
        Self { options, machine: None }
    }

    /// Computes the bounds of a subject, and tells all that is asked for: the boxes first, then the picture.
    pub(crate) fn show(
        &mut self,
        job: &Job,
        subject: Subject<'_>,
        mut times: Times,
        sink: &mut dyn Sink,
    ) -> Result<(), Failure> {
        let Subject { scene, document, behind, .. } = subject;
        let options = self.options;
        let id = options.focus.id.as_deref();
        let selection = id.map_or(Ok(Selection::all()), |id| select(scene, document, id))?;
        let has_picture = options.written.has_picture();
        let frame = has_picture.then(|| picture::frame(&options.size, scene)).transpose()?;

        sink.take(Message::Step("computing the bounds".into()))?;
        let computed = self.machine(&mut times)?.compute(&scene.stream, &mut times)?;
        let findings = Findings::new(scene, &computed.bounds);
        let findings = match document {
            Some(document) => findings.and_then(|findings| findings.of(document)),
            None => findings,
        };
        let findings = &findings.map_err(Failure::bad)?.only(selection);
        self.tell(job, &subject, findings, &computed, sink)?;

        if let Some(frame) = frame {
            sink.take(Message::Step("painting".into()))?;
            let plain = job.plain.as_deref();
            let painted = times.of("picture", || picture::paint(findings, behind, plain, frame))?;
            let picture = &painted.picture;
            sink.take(Message::Size([picture.width(), picture.height()]))?;
            send(sink, Output::Picture, &picture.png().map_err(Failure::bad)?)?;
            painted.note.map_or(Ok(()), |note| sink.take(Message::Note(note)))?;
        }
        sink.take(Message::row("time", times.to_string()))?;
        sink.take(Message::Step("writing".into()))
    }

    /// Tells the boxes: reports, the table, notes.
    fn tell(
        &self,
        job: &Job,
        subject: &Subject<'_>,
        findings: &Findings<'_>,
        computed: &Computed,
        sink: &mut dyn Sink,
    ) -> Result<(), Failure> {
        let Options { written, focus, .. } = self.options;
        let report = Report::new(findings, computed.backend.clone(), subject.name);
        if written.json.is_some() {
            wire::write(sink, Output::Json, &mut |writer| report.write_json(writer))?;
        }
        if let Some(path) = &written.csv {
            // On standard output, the boxes of all drawings are one table.
            let appends = !job.is_first && is_stream(path);
            wire::write(sink, Output::Csv, &mut |writer| match appends {
                true => report.append_csv(writer),
                false => report.write_csv(writer),
            })?;
        }
        if written.has_page() {
            let mut json = Vec::new();
            report.write_json(&mut json).map_err(Failure::bad)?;
            let report = &String::from_utf8_lossy(&json);
            let page = html(&Exhibit { report, drawing: subject.file });
            send(sink, Output::Html, page.as_bytes())?;
        }
        let (name, id, backend) = (subject.name, focus.id.as_deref(), &*computed.name);
        let row = Row { name, findings, id, backend };
        sink.take(Message::Line(row.line()))?;
        row.facts().into_rows().try_for_each(|row| sink.take(row))?;
        let notes = subject.scene.notes.iter();
        notes.cloned().try_for_each(|note| sink.take(Message::Note(note)))?;
        sink.take(Message::Boxes)
    }

    /// The machine, opened once.
    fn machine(&mut self, times: &mut Times) -> Result<&Machine, Failure> {
        let choice: Choice = self.options.place.backend;
        let machine = match self.machine.take() {
            Some(machine) => machine,
            None => Machine::open(choice, times)?,
        };
        Ok(self.machine.insert(machine))
    }
}

/// Shows one scene of this program's own, in this process.
///
/// # Errors
/// What does not work, or cannot be written.
pub fn show(
    options: &Options,
    name: &str,
    make: impl FnOnce() -> Result<Scene, Failure>,
) -> Result<(), Failure> {
    options.written.check()?;
    let names =
        Names { stem: OsStr::new(name), picture: ".bounds.png", source: None, several: false };
    let outputs = Outputs::new(&options.written, names, &mut HashSet::new())?;
    let quiet = options.quiet.quiet;
    let progress = Progress::new(quiet);
    let mut delivery = Delivery::new(outputs, &progress);
    let mut times = Times::default();
    let scene = &times.of("reading", make)?;
    let subject = Subject { name, scene, document: None, behind: Behind::Nothing, file: None };
    Shower::new(options).show(&Job::new(0, Vec::new()), subject, times, &mut delivery)?;
    delivery.finish(Manner { quiet, pipes: options.written.pipes(), is_one_of_several: false })
}

/// What has the id.
fn select(scene: &Scene, document: Option<&Document>, id: &str) -> Result<Selection, Failure> {
    let found = match document {
        Some(document) => Selection::of_object(scene, document, id),
        None => Selection::of_id(scene, id),
    };
    found.ok_or_else(|| Failure::bad(format!("nothing has the id '{id}'")))
}
