//! From the command line to the drawings, and from the workers' messages to the outputs.

use crate::{
    Failure, Input, Limits, Progress,
    backend::Machine,
    diff,
    failure::plain,
    input::Loaded,
    options::{Args, Quiet, Written},
    outputs::{Names, Outputs, Places},
    query,
    results::{Finished, PROGRAM, Results},
    show::show,
    subject::Subject,
    table::Times,
    watch::{self, Bell},
    worker::{self, Job, Message, Sink, Workers},
};
use std::{path::Path, process::ExitCode};

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
    let mut once = |args: &Args, watched| {
        workers.watched = watched;
        let done = match args.task.diff {
            true => diff::run(args, &mut workers),
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
        let mut results = Results::new(outputs, &progress, shown.quiet, args.limits.max_output);
        results.several = several;
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
