//! From the command line to the drawings.

use crate::{
    args::Args,
    contain::Workers,
    delivery::{Delivery, Manner},
    diff,
    failure::Failure,
    input::Input,
    limits::Limits,
    options::{Quiet, Written},
    outputs::{Names, Outputs},
    progress::Progress,
    query,
    wire::{Job, Sink},
    work::work,
    worker,
};
use std::{collections::HashSet, path::Path, process::ExitCode};

/// What `svg_clips` is called.
const PROGRAM: &str = "svg_clips";

/// Does what the command line says, in a worker what its jobs say.
pub(crate) fn run(args: &Args) -> ExitCode {
    quiet_threads();
    let mut work = work(args);
    if worker::is_worker() {
        return worker::serve(&args.limits, &mut work);
    }
    let mut workers = Workers::new(&args.limits, &mut work);
    let done = args.check().and_then(|()| match &args.task {
        task if task.diff => diff::run(args, &mut workers),
        task if task.document || task.query_all => query::run(args, &mut workers),
        _ => all(args, &mut workers),
    });
    drop(workers);
    done.map_or_else(|failure| failure.tell(PROGRAM), ExitCode::from)
}

/// The threads that read, by the names that reading gives them, and paint.
const QUIET: [&str; 3] = ["treebounds svg", "usvg guard", "treebounds paint"];

/// Panics on these threads are caught and told as errors.
fn quiet_threads() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !std::thread::current().name().is_some_and(|name| QUIET.contains(&name)) {
            tell(panic);
        }
    }));
}

/// Shows every drawing of the command line; what fails is told, and the first failure's code is the program's.
fn all(args: &Args, workers: &mut Workers<'_>) -> Result<u8, Failure> {
    let (options, several) = (&args.options, args.files.len() > 1);
    let mut taken = HashSet::new();
    let mut prepare = |file: &Path| {
        let input = Input::named(file)?;
        let stem = input.stem();
        let names = Names { stem: &stem, picture: ".bounds.png", source: input.path(), several };
        let outputs = Outputs::new(&options.written, names, &mut taken)?;
        Ok((input, outputs))
    };
    // Nothing is read, let alone written, before it is known where everything goes.
    let prepared = args.files.iter().map(|file| prepare(file));
    let prepared = prepared.collect::<Result<Vec<_>, Failure>>()?;
    let progress = Progress::new(options.quiet.quiet);
    let (mut code, mut shown) = (0, 0);
    for (index, (input, outputs)) in prepared.into_iter().enumerate() {
        if several {
            progress.file(&input.name);
        }
        let manner = Manner {
            quiet: options.quiet.quiet,
            pipes: options.written.pipes(),
            is_one_of_several: several,
        };
        let job = Job { is_first: shown == 0, ..Job::new(index, Vec::new()) };
        let one = match one(&input, job, Delivery::new(outputs, &progress), manner, workers) {
            Ok(code) => {
                shown += 1;
                code
            }
            Err(failure) => {
                progress.finish();
                failure.tell(PROGRAM);
                failure.code()
            }
        };
        code = if code == 0 { one } else { code };
    }
    Ok(code)
}

/// Reads a file, has the job done, and delivers what comes of it.
fn one(
    input: &Input,
    job: Job,
    mut delivery: Delivery<'_>,
    manner: Manner,
    workers: &mut Workers<'_>,
) -> Result<u8, Failure> {
    delivery.step("reading");
    let job = job.with(input.read()?);
    let code =
        workers.run(job, &mut delivery).map_err(|failure| failure.about_if_none(&input.name))?;
    delivery.finish(manner)?;
    Ok(code)
}

/// How a program of one drawing is called, and where its picture goes.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its name.
    pub name: &'a str,
    /// The ending of its picture, where no path is given.
    pub picture: &'a str,
    /// What is written.
    pub written: &'a Written,
    /// What a drawing may take.
    pub limits: &'a Limits,
    /// How much is said.
    pub quiet: Quiet,
}

/// The whole of a program that reads one drawing: the work is done in a worker, with limits, and what it tells is put in
/// place here. The exit code of the process is the work's.
///
/// The worker is the program again, with the same command line: up to this call, a program only reads that.
pub fn one_drawing(
    program: &Program<'_>,
    file: &Path,
    mut work: impl FnMut(&Input, &[u8], &mut dyn Sink) -> Result<(), Failure>,
) -> ExitCode {
    quiet_threads();
    let mut work = |job: Job, sink: &mut dyn Sink| {
        let data = job.files.first().map(Vec::as_slice).unwrap_or_default();
        work(&Input::unseen(file), data, sink).map(|()| 0)
    };
    if worker::is_worker() {
        return worker::serve(program.limits, &mut work);
    }
    let mut workers = Workers::new(program.limits, &mut work);
    let progress = Progress::new(program.quiet.quiet);
    let done = program.written.check().and_then(|()| {
        let input = Input::named(file)?;
        let stem = input.stem();
        let names =
            Names { stem: &stem, picture: program.picture, source: input.path(), several: false };
        let outputs = Outputs::new(program.written, names, &mut HashSet::new())?;
        let manner = Manner {
            quiet: program.quiet.quiet,
            pipes: program.written.pipes(),
            is_one_of_several: false,
        };
        let delivery = Delivery::new(outputs, &progress);
        one(&input, Job::new(0, Vec::new()), delivery, manner, &mut workers)
    });
    drop((workers, progress));
    done.map_or_else(|failure| failure.tell(program.name), ExitCode::from)
}
