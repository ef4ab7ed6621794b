//! From a scene to what a person sees of it: pictures, reports, a table.

pub use crate::picture::frame;
use crate::{
    choice::Choice,
    compute::Machine,
    failure::Failure,
    notes,
    options::{Focus, Quiet, Size, Where, Written},
    outputs::{Names, Outputs},
    picture,
    progress::Progress,
    table::Row,
    times::Times,
};
use std::{
    collections::HashSet,
    ffi::OsStr,
    path::{Path, PathBuf},
};
use treebounds_core::{Document, Scene};
use treebounds_debug::{Findings, Report, Selection};
use treebounds_encoding::svg::usvg::Tree;
use treebounds_inspector::{Exhibit, html};

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
pub struct Subject<'a> {
    /// What people call it.
    pub name: &'a str,
    /// The scene.
    pub scene: &'a Scene,
    /// The document that it was made from.
    pub document: Option<&'a Document>,
    /// What is painted behind the boxes.
    pub tree: Option<&'a Tree>,
    /// The bytes of the SVG file, which a page shows.
    pub file: Option<&'a [u8]>,
}

/// What subjects are shown with, one after the other.
pub struct Show<'a> {
    options: &'a Options,
    progress: Progress,
    machine: Option<Machine>,
    /// The files that are inputs or outputs already.
    taken: HashSet<PathBuf>,
    /// How many there are, and how many were shown.
    subjects: usize,
    shown: usize,
}

/// The outputs of one subject, which is not yet read.
pub struct Prepared {
    outputs: Outputs,
    times: Times,
}

impl<'a> Show<'a> {
    /// Gets ready for so many subjects.
    pub fn new(options: &'a Options, subjects: usize) -> Self {
        let progress = Progress::new(options.quiet.quiet);
        Self { options, progress, machine: None, taken: HashSet::new(), subjects, shown: 0 }
    }

    /// Where a subject's outputs go, and what cannot be, before it is read.
    ///
    /// # Errors
    /// Two outputs would go to one file, or cannot be written.
    pub fn prepare(&mut self, stem: &OsStr, source: Option<&Path>) -> Result<Prepared, Failure> {
        let names = Names { stem, source, several: self.subjects > 1 };
        let outputs = Outputs::new(&self.options.written, names, &mut self.taken)?;
        Ok(Prepared { outputs, times: Times::default() })
    }

    /// Reads a subject.
    pub fn read<T>(&mut self, prepared: &mut Prepared, name: &str, work: impl FnOnce() -> T) -> T {
        if self.subjects > 1 {
            self.progress.file(name);
        }
        self.progress.step("reading");
        prepared.times.of("reading", work)
    }

    /// Computes the bounds of a subject, writes what is asked for, and says it.
    ///
    /// # Errors
    /// What is not there, does not work or cannot be written.
    pub fn show(&mut self, prepared: Prepared, subject: Subject<'_>) -> Result<(), Failure> {
        let name = subject.name;
        self.show_named(prepared, subject).map_err(|failure| failure.about_if_none(name))
    }

    fn show_named(&mut self, prepared: Prepared, subject: Subject<'_>) -> Result<(), Failure> {
        let Prepared { mut outputs, mut times } = prepared;
        let Subject { name, scene, document, tree, file: drawing } = subject;
        let selection = match &self.options.focus.id {
            Some(id) => select(scene, document, id)?,
            None => Selection::all(),
        };
        let frame = picture::frame(&self.options.size, scene);
        let frame = if outputs.has_picture() { Some(frame?) } else { None };

        self.progress.step("computing the bounds");
        let machine = self.machine(&mut times)?;
        let computed = machine.compute(&scene.stream, &mut times)?;
        let findings = Findings::new(scene, &computed.bounds);
        let findings = match document {
            Some(document) => findings.and_then(|findings| findings.of(document)),
            None => findings,
        };
        let findings = findings.map_err(Failure::bad)?.only(selection);

        self.progress.step("painting");
        let painted = match frame {
            Some(frame) => Some(times.of("picture", || picture::paint(&findings, tree, frame))?),
            None => None,
        };

        self.progress.step("writing");
        let report = Report::new(&findings, computed.backend.clone(), name);
        if let Some(painted) = &painted {
            outputs.png(&painted.picture)?;
        }
        outputs.json(&report)?;
        outputs.csv(&report, self.shown == 0)?;
        if outputs.has_page() {
            let mut json = Vec::new();
            report.write_json(&mut json).map_err(Failure::bad)?;
            let report = &String::from_utf8_lossy(&json);
            outputs.html(&html(&Exhibit { report, drawing }))?;
        }
        let file = outputs.picture();
        outputs.commit()?;
        self.shown += 1;
        self.progress.finish();

        if !self.options.quiet.quiet {
            let picture = painted.as_ref().map(|painted| &painted.picture).zip(file);
            let pipes = self.options.written.pipes();
            let id = self.options.focus.id.as_deref();
            Row { name, findings: &findings, id, computed: &computed, times: &times, picture }
                .print(pipes, self.subjects > 1);
            let of = painted.iter().filter_map(|painted| painted.note.as_ref());
            notes::print(scene.notes.iter().chain(of));
        }
        Ok(())
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

/// What has the id.
fn select(scene: &Scene, document: Option<&Document>, id: &str) -> Result<Selection, Failure> {
    let found = match document {
        Some(document) => Selection::of_object(scene, document, id),
        None => Selection::of_id(scene, id),
    };
    found.ok_or_else(|| Failure::bad(format!("nothing has the id '{id}'")))
}
