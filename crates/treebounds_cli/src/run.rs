//! From the command line to the drawings.

use crate::{
    backend::Machine,
    diff,
    drawing::Loaded,
    failure::Failure,
    input::Input,
    messages::{Job, Message, Sink},
    options::{Args, Limits, Quiet, Written},
    outputs::{Names, Outputs, Places},
    query,
    results::{Finished, Printing, Results},
    show::show,
    table::Times,
    terminal::Progress,
    worker::{self, Workers},
};
use std::{path::Path, process::ExitCode};

pub(crate) const PROGRAM: &str = "svg_clips";

/// Does what the command line says. In a worker, does what its jobs say.
pub(crate) fn run(args: &Args) -> ExitCode {
    quiet_threads();
    let mut machine = Machine::new(args.shown.place.backend);
    let mut work = |job: &Job, sink: &mut dyn Sink| match &args.task {
        task if task.diff => diff::work(args, job, sink),
        task if task.document || task.query_all => query::work(args, job, sink),
        _ => show_file(args, job, &mut machine, sink),
    };
    worker::serve(&mut work);
    let mut workers = Workers::new(&args.limits, &mut work);
    let done = args.check().and_then(|()| match args.task.diff {
        true => diff::run(args, &mut workers),
        false => all(args, &mut workers),
    });
    done.map_or_else(|failure| failure.tell(PROGRAM), ExitCode::from)
}

/// The threads that read, as the crates that start them call them, and paint.
const QUIET: [&str; 2] = ["usvg guard", "treebounds paint"];

/// Panics on these threads are caught, and become errors.
fn quiet_threads() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !std::thread::current().name().is_some_and(|name| QUIET.contains(&name)) {
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
    let printing = Printing::new(shown.quiet, &shown.written, several);
    let (mut code, mut is_first) = (0, true);
    for (index, (input, outputs)) in prepared.into_iter().enumerate() {
        if several {
            progress.file(&input.name);
        }
        let results = Results::new(outputs, &progress, args.limits.max_output);
        let job = Job { is_first, ..Job::new(index, Vec::new()) };
        let done = match one(&input, job, results, printing, workers) {
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
    printing: Printing,
    workers: &mut Workers<'_>,
) -> Result<Finished, Failure> {
    results.take(Message::Step("reading".into()))?;
    let job = job.with(input.read()?);
    let worked = workers.run(&job, &mut results);
    results.finish(worked, printing).map_err(|failure| failure.about_if_none(&input.name))
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
    let loaded = times.of("reading", || Loaded::from(data, &input, &args.limits.allow_files))?;
    let subject = loaded.subject(&input.file_name, data);
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
    /// What it writes.
    pub written: &'a Written,
    /// The limits for its drawing.
    pub limits: &'a Limits,
    /// How much it prints.
    pub quiet: Quiet,
}

/// Runs a program that reads one drawing: the work is done in a process of its own, with limits, and its results are
/// written here. The result is the exit code.
///
/// The worker is the same program: it parses [`arguments`](crate::arguments) and calls this function, as this process
/// does. Do nothing else before.
pub fn one_drawing(
    program: &Program<'_>,
    file: &Path,
    mut work: impl FnMut(&Input, &[u8], &mut dyn Sink) -> Result<(), Failure>,
) -> ExitCode {
    quiet_threads();
    let input = Input::named(file);
    let mut work = |job: &Job, sink: &mut dyn Sink| {
        let data = job.files.first().map(Vec::as_slice).unwrap_or_default();
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
        let results = Results::new(outputs, &progress, program.limits.max_output);
        let printing = Printing::new(program.quiet, program.written, false);
        let finished = one(&input, Job::new(0, Vec::new()), results, printing, &mut workers)?;
        Ok(finished.tell(program.name, &input.name))
    });
    progress.finish();
    done.map_or_else(|failure| failure.tell(program.name), ExitCode::from)
}
