//! Runs the command line: dispatches drawings to workers and their results to outputs.

use crate::{
    Failure, Input, Limits, Progress,
    backend::Machine,
    batch::{self, Found},
    diff,
    failure::plain,
    input::Loaded,
    options::{Args, Quiet, Written},
    outputs::{Names, Outputs, Places},
    query,
    results::{PROGRAM, Results},
    show::show,
    subject::Subject,
    table::Times,
    watch::{self, Bell},
    worker::{self, Job, Message, Sink, Workers},
};
use std::{
    collections::BTreeMap,
    path::Path,
    process::ExitCode,
    sync::{Mutex, PoisonError, mpsc},
};

/// Executes the command line. In a worker, executes the worker's jobs instead.
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
            true => diff::run(args, &workers),
            false => process_all(args, &workers),
        };
        done.unwrap_or_else(|failure| {
            failure.tell(PROGRAM);
            failure.code()
        })
    };
    if let Err(failure) = args.check() {
        return failure.tell(PROGRAM);
    }
    if !args.task.watch {
        return once(args, None).into();
    }
    match args.shown.written.has_page().then(Bell::new).transpose() {
        Ok(bell) => watch::repeat(args, bell, once),
        Err(error) => {
            Failure::bad(format!("no page can be watched: {}", plain(&error))).tell(PROGRAM)
        }
    }
}

/// Silences panics while reading and painting; they are caught and become errors.
fn quiet_threads() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let paints = std::thread::current().name() == Some("treebounds paint");
        if !paints && !usvg_guard::is_caught() {
            tell(panic);
        }
    }));
}

type Prepared<'a> = (Input, Results<'a>);

/// Processes all drawings of the command line, several at a time. A failure is printed and does not stop the others; the
/// first failure decides the exit code.
fn process_all(args: &Args, workers: &Workers<'_>) -> Result<u8, Failure> {
    let several = args.are_several();
    let found = batch::find(&args.files);
    let mut places = Places::default();
    found.iter().flatten().for_each(|found| places.protect(Some(&found.path)));
    let progress = Progress::new(args.shown.quiet.quiet);
    // All destinations must be known before anything is read or written.
    let prepared = found.into_iter().map(|found| match found {
        Ok(found) => prepare(args, &found, &mut places, &progress).map(Ok),
        Err(failure) => Ok(Err(failure)),
    });
    let prepared = prepared.collect::<Result<Vec<_>, Failure>>()?;
    let (mut code, all, mut done) = (0, prepared.len(), 0);
    if several {
        progress.files(0, all);
    }
    in_order(
        args.jobs(),
        prepared,
        |prepared| work_on(prepared, workers),
        |finished| {
            done += 1;
            if several {
                progress.files(done, all);
            }
            let own = finished.and_then(|(name, results, worked)| {
                let finished =
                    results.finish(worked).map_err(|failure| failure.about_if_none(&name));
                Ok(finished?.tell(PROGRAM, &name))
            });
            let own = own.unwrap_or_else(|failure| {
                progress.pause(|| failure.tell(PROGRAM));
                failure.code()
            });
            code = if code == 0 { own } else { code };
        },
    );
    progress.finish();
    places.finish()?;
    Ok(code)
}

fn prepare<'a>(
    args: &Args,
    found: &Found,
    places: &mut Places,
    progress: &'a Progress,
) -> Result<Prepared<'a>, Failure> {
    let shown = &args.shown;
    let input = Input::named(&found.path);
    let stem = if input.path().is_none() { input.stem() } else { found.stem.clone() };
    let names = Names { stem: &stem, picture: ".bounds.png", several: args.are_several() };
    let outputs = match args.task.document || args.task.query_all {
        true => Outputs::lines()?,
        false => Outputs::new(&shown.written, names, places)?,
    };
    let mut results = Results::new(outputs, progress, shown.quiet, args.limits.max_output);
    results.several = args.are_several();
    results.is_extra = shown.written.output.is_none();
    Ok((input, results))
}

/// Reads a drawing and runs the job. Returns the drawing's name, its results and the outcome of the work.
fn work_on<'a>(
    prepared: Result<Prepared<'a>, Failure>,
    workers: &Workers<'_>,
) -> Result<(String, Results<'a>, Result<u8, Failure>), Failure> {
    let (input, mut results) = prepared?;
    let worked = process(&input, &mut results, workers);
    Ok((input.name, results, worked))
}

/// Runs the work on several items at a time, and finishes the items in order. Works only a few items ahead, so that results
/// do not pile up behind a slow one.
fn in_order<T: Send, U: Send>(
    jobs: usize,
    items: Vec<T>,
    work: impl Fn(T) -> U + Sync,
    mut finish: impl FnMut(U),
) {
    let (send, todo) = mpsc::channel::<(usize, T)>();
    let (tell, done) = mpsc::channel();
    let todo = Mutex::new(todo);
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            let (todo, work, tell) = (&todo, &work, tell.clone());
            scope.spawn(move || {
                let next = || todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((at, item)) = next() {
                    let _ = tell.send((at, work(item)));
                }
            });
        }
        drop(tell);
        let (mut items, mut waiting) = (items.into_iter().enumerate(), BTreeMap::new());
        let (mut sent, mut finished) = (0, 0);
        loop {
            while sent < finished + 4 * jobs
                && let Some(item) = items.next()
            {
                let _ = send.send(item);
                sent += 1;
            }
            if finished == sent {
                break;
            }
            let Ok((at, one)) = done.recv() else { break };
            waiting.insert(at, one);
            while let Some(one) = waiting.remove(&finished) {
                finish(one);
                finished += 1;
            }
        }
        drop(send);
    });
}

/// Reads a file and runs the job.
fn process(input: &Input, results: &mut Results<'_>, workers: &Workers<'_>) -> Result<u8, Failure> {
    results.take(Message::Step("reading".into()))?;
    let path = input.path().unwrap_or(Path::new("-"));
    let watched = workers.watched.clone();
    workers.run(&Job { watched, ..Job::new(path, vec![input.read()?]) }, results)
}

/// Shows a drawing or a report. Runs in a worker.
fn show_file(
    args: &Args,
    job: &Job,
    machine: &mut Machine,
    sink: &mut dyn Sink,
) -> Result<u8, Failure> {
    let data = job.files.first().map(|file| file.as_slice()).unwrap_or_default();
    let input = Input::named(Path::new(&job.path));
    sink.take(Message::Step("reading".into()))?;
    let mut times = Times::default();
    let loaded = times.of("reading", || Loaded::from(data, &input, &args.limits))?;
    let subject = loaded.subject(&input.file_name, data);
    let subject = Subject { watched: job.watched.as_ref(), ..subject };
    show(&args.shown, &subject, machine, times, sink)?;
    Ok(0)
}

/// A program that reads one drawing.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its name.
    pub name: &'a str,
    /// The suffix of its picture if no path is given.
    pub picture: &'a str,
    /// Its outputs.
    pub written: &'a Written,
    /// The limits for its drawing.
    pub limits: &'a Limits,
    /// How much it prints.
    pub quiet: Quiet,
}

/// Runs a program that reads one drawing. A separate process with limits does the work, and this process writes the results.
/// Returns the exit code.
///
/// The worker is the same program: it parses [`arguments`](crate::arguments) and calls this function, just as this process
/// does. Call this function before doing anything else.
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
    let workers = Workers::new(program.limits, &mut work);
    let progress = Progress::new(program.quiet.quiet);
    let done = program.written.check().and_then(|()| {
        let stem = input.stem();
        let names = Names { stem: &stem, picture: program.picture, several: false };
        let mut places = Places::default();
        places.protect(input.path());
        let outputs = Outputs::new(program.written, names, &mut places)?;
        let max_output = program.limits.max_output;
        let mut results = Results::new(outputs, &progress, program.quiet, max_output);
        let worked = process(&input, &mut results, &workers);
        let finished = results.finish(worked).map_err(|failure| failure.about_if_none(&input.name));
        Ok(finished?.tell(program.name, &input.name))
    });
    progress.finish();
    done.map_or_else(|failure| failure.tell(program.name), ExitCode::from)
}
