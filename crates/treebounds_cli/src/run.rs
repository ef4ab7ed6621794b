//! From the command line to the drawings, and from the workers' messages to the outputs.

use crate::{
    Failure, Input, Limits, Progress,
    backend::Machine,
    failure::{one_line, plain},
    input::Loaded,
    options::{Args, GIB, Quiet, Written},
    outputs::{Names, Outputs, Places},
    show::{Subject, show},
    table::{self, Times},
    tasks,
    watch::{self, Bell},
    worker::{self, Job, Message, Output, Sink, Workers},
};
use std::{path::Path, process::ExitCode};

pub(crate) const PROGRAM: &str = "svg_clips";

/// Does what the command line says. In a worker, does what its jobs say.
pub(crate) fn run(args: &Args) -> ExitCode {
    quiet_threads();
    let mut machine = Machine::new(args.shown.place.backend);
    let mut work = |job: &Job, sink: &mut dyn Sink| match &args.task {
        task if task.diff => tasks::diff_work(args, job, sink),
        task if task.document || task.query_all => tasks::query_work(args, job, sink),
        _ => show_file(args, job, &mut machine, sink),
    };
    worker::serve(&mut work);
    let mut workers = Workers::new(&args.limits, &mut work);
    let mut once = |args: &Args, watched| {
        workers.watched = watched;
        let done = match args.task.diff {
            true => tasks::diff(args, &mut workers),
            false => all(args, &mut workers),
        };
        done.map_or_else(|failure| failure.tell(PROGRAM), ExitCode::from)
    };
    if let Err(failure) = args.check() {
        return failure.tell(PROGRAM);
    }
    if !args.task.watch {
        return once(args, None);
    }
    let bell = args.shown.written.has_page().then(Bell::new).transpose();
    let bell = match bell
        .map_err(|error| Failure::bad(format!("no page can be watched: {}", plain(&error))))
    {
        Ok(bell) => bell,
        Err(failure) => return failure.tell(PROGRAM),
    };
    let mut now = args.clone();
    watch::repeat(&args.files, || {
        once(&now, bell.as_ref().map(Bell::watched));
        if let Some(bell) = &bell {
            bell.ring();
        }
        now.shown.written.open = false;
    })
}

/// Panics of reading and painting are caught, and become errors.
fn quiet_threads() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let paints = std::thread::current().name() == Some("treebounds paint");
        if !paints && !usvg_guard::is_caught() {
            tell(panic);
        }
    }));
}

/// Does every drawing of the command line. The failure of one is printed, and the others are done; the exit code is the
/// first failure's.
fn all(args: &Args, workers: &mut Workers<'_>) -> Result<u8, Failure> {
    let (shown, several) = (&args.shown, args.files.len() > 1);
    let is_query = args.task.document || args.task.query_all;
    let mut places = Places::default();
    let mut prepare = |file: &Path| {
        let input = Input::named(file);
        let stem = input.stem();
        let names = Names { stem: &stem, picture: ".bounds.png", source: input.path(), several };
        let outputs = match is_query {
            true => Outputs::lines()?,
            false => Outputs::new(&shown.written, names, &mut places)?,
        };
        Ok((input, outputs))
    };
    // Nothing is read, let alone written, before all places are known.
    let prepared = args.files.iter().map(|file| prepare(file));
    let prepared = prepared.collect::<Result<Vec<_>, Failure>>()?;
    let progress = Progress::new(shown.quiet.quiet);
    let (mut code, mut is_first) = (0, true);
    for (index, (input, outputs)) in prepared.into_iter().enumerate() {
        if several {
            progress.file(&input.name);
        }
        let results = Results::new(outputs, &progress, shown.quiet, args.limits.max_output);
        let results = Results { several, ..results };
        let watched = workers.watched.clone();
        let job = Job { is_first, watched, ..Job::new(index, Vec::new()) };
        let done = match one(&input, job, results, workers) {
            Ok(finished) => {
                is_first = false;
                finished.tell(PROGRAM, &input.name)
            }
            Err(failure) => {
                progress.finish();
                failure.tell(PROGRAM);
                failure.code()
            }
        };
        code = if code == 0 { done } else { code };
    }
    Ok(code)
}

/// Reads a file, has the job done, and writes the results.
fn one(
    input: &Input,
    job: Job,
    mut results: Results<'_>,
    workers: &mut Workers<'_>,
) -> Result<Finished, Failure> {
    results.take(Message::Step("reading".into()))?;
    let job = job.with(input.read()?);
    let worked = workers.run(&job, &mut results);
    results.finish(worked).map_err(|failure| failure.about_if_none(&input.name))
}

/// Shows a drawing, or a report: in a worker.
fn show_file(
    args: &Args,
    job: &Job,
    machine: &mut Machine,
    sink: &mut dyn Sink,
) -> Result<u8, Failure> {
    let (Some(file), Some(data)) = (args.files.get(job.index), job.files.first()) else {
        return Err(Failure::bad("there is no such drawing on the command line"));
    };
    let input = Input::named(file);
    sink.take(Message::Step("reading".into()))?;
    let mut times = Times::default();
    let loaded = times.of("reading", || Loaded::from(data, &input, &args.limits))?;
    let subject = loaded.subject(&input.file_name, data);
    let subject = Subject { watched: job.watched.as_ref(), ..subject };
    show(&args.shown, &subject, machine, job.is_first, times, sink)?;
    Ok(0)
}

/// A program that reads one drawing.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its name.
    pub name: &'a str,
    /// The ending of its picture, unless a path is given.
    pub picture: &'a str,
    /// Its outputs.
    pub written: &'a Written,
    /// The limits for its drawing.
    pub limits: &'a Limits,
    /// How much it prints.
    pub quiet: Quiet,
}

/// Runs a program that reads one drawing: a separate process with limits does the work, and this process writes the results.
/// Returns the exit code.
///
/// The worker is the same program: it parses [`arguments`](crate::arguments) and calls this function, as this process does. So
/// call this function before doing anything else.
pub fn one_drawing(
    program: &Program<'_>,
    file: &Path,
    mut work: impl FnMut(&Input, &[u8], &mut dyn Sink) -> Result<(), Failure> + Send,
) -> ExitCode {
    quiet_threads();
    let input = Input::named(file);
    let mut work = |job: &Job, sink: &mut dyn Sink| {
        let data = job.files.first().map(|file| file.as_slice()).unwrap_or_default();
        work(&input, data, sink).map(|()| 0)
    };
    worker::serve(&mut work);
    let mut workers = Workers::new(program.limits, &mut work);
    let progress = Progress::new(program.quiet.quiet);
    let done = program.written.check().and_then(|()| {
        let stem = input.stem();
        let names =
            Names { stem: &stem, picture: program.picture, source: input.path(), several: false };
        let mut places = Places::default();
        let outputs = Outputs::new(program.written, names, &mut places)?;
        let max_output = program.limits.max_output;
        let results = Results::new(outputs, &progress, program.quiet, max_output);
        let finished = one(&input, Job::new(0, Vec::new()), results, &mut workers)?;
        Ok(finished.tell(program.name, &input.name))
    });
    progress.finish();
    done.map_or_else(|failure| failure.tell(program.name), ExitCode::from)
}

/// Collects the results of one drawing. Nothing of them can be seen before all are there.
pub(crate) struct Results<'a> {
    outputs: Outputs,
    progress: &'a Progress,
    /// Print nothing.
    quiet: bool,
    /// Standard output is for data, and the table goes to standard error.
    pipes: bool,
    /// There are several drawings: print a line for each, not a table.
    several: bool,
    /// How many bytes may still come, and how many could in the beginning.
    left: u64,
    max_output: f64,
    rows: Vec<Vec<String>>,
    line: String,
    text: String,
    notes: Vec<String>,
    size: Option<[u32; 2]>,
    /// Whether all reports are complete, and only the picture may be missing.
    has_boxes: bool,
    /// Whether something could not be written.
    is_broken: bool,
}

/// A drawing whose outputs are written.
pub(crate) struct Finished {
    code: u8,
    /// The picture is missing, or the page could not be opened.
    incomplete: Option<Failure>,
}

impl Finished {
    /// An error if something is missing.
    pub(crate) fn complete(self) -> Result<(), Failure> {
        self.incomplete.map_or(Ok(()), Err)
    }

    /// Prints what is missing; the exit code.
    pub(crate) fn tell(self, program: &str, file: &str) -> u8 {
        let Some(failure) = self.incomplete else { return self.code };
        let failure = failure.about_if_none(file);
        failure.tell(program);
        failure.code()
    }
}

impl<'a> Results<'a> {
    /// Results for these outputs, of at most so many GiB in all.
    pub(crate) fn new(
        outputs: Outputs,
        progress: &'a Progress,
        quiet: Quiet,
        max_output: f64,
    ) -> Self {
        Self {
            pipes: outputs.pipes(),
            several: false,
            quiet: quiet.quiet,
            outputs,
            progress,
            left: (max_output * GIB) as u64,
            max_output,
            rows: Vec::new(),
            line: String::new(),
            text: String::new(),
            notes: Vec::new(),
            size: None,
            has_boxes: false,
            is_broken: false,
        }
    }

    /// Puts the outputs in place, and prints the table and the notes. If the work has failed when only the picture was
    /// missing, everything else is written.
    ///
    /// # Errors
    /// The failure of the work; or an output cannot be written.
    pub(crate) fn finish(mut self, worked: Result<u8, Failure>) -> Result<Finished, Failure> {
        let (code, incomplete) = match worked {
            Err(failure) if !self.has_boxes || self.is_broken => return Err(failure),
            Err(failure) => {
                self.outputs.discard(Output::Picture);
                self.size = None;
                (failure.code(), Some(failure.before("there is no picture: ")))
            }
            Ok(code) => (code, None),
        };
        let named = |output| self.outputs.name(output).filter(|name| *name != "-");
        if let (Some([width, height]), Some(file)) = (self.size, named(Output::Picture)) {
            self.rows.push(vec!["picture".into(), format!("{file}, {width} x {height} pixels")]);
            self.line.push_str(&format!(", {file}"));
        }
        if let Some(file) = named(Output::Html) {
            self.rows.push(vec!["page".into(), file.to_owned()]);
        }
        self.progress.step("saving");
        let saved = self.outputs.commit();
        self.progress.finish();
        saved?;
        if !self.quiet {
            let shown = match self.several {
                true if self.line.is_empty() => String::new(),
                true => format!("{}\n", one_line(&self.line)),
                false => table::aligned(&self.rows, self.pipes),
            };
            table::print(&format!("{shown}{}", self.text), self.pipes)?;
            table::notes(&self.notes);
        }
        let opened = self.outputs.open_page().err();
        Ok(Finished { code, incomplete: incomplete.or(opened) })
    }

    fn accept(&mut self, message: Message) -> Result<(), Failure> {
        match message {
            Message::Step(what) => self.progress.step(what),
            Message::Row(cells) => self.rows.push(cells),
            Message::Line(line) => self.line = line,
            Message::Text(text) => self.text.push_str(&text),
            Message::Note(note) => self.notes.push(note),
            Message::Size(size) => {
                self.size = Some(size);
                self.outputs.discard(Output::Picture);
            }
            Message::Data { to, bytes } => {
                let left = self.left.checked_sub(bytes.len() as u64);
                self.left = left.ok_or_else(|| {
                    let gib = self.max_output;
                    Failure::bad(format!("its outputs exceed {gib} GiB; --max-output allows more"))
                })?;
                self.outputs.write(to, &bytes)?;
            }
            Message::Boxes => self.has_boxes = true,
            Message::Done(_) => {}
        }
        Ok(())
    }
}

impl Sink for Results<'_> {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        self.accept(message).inspect_err(|_| self.is_broken = true)
    }
}
