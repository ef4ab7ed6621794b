//! The process that works: the program again, with limits.

use super::wire;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufReader, BufWriter, Write};
use std::process::exit;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

/// The first argument of a worker; the second is its secret.
pub(super) const FLAG: &str = "--usvg-guard-worker";
/// The secret again, in the environment.
pub(super) const VARIABLE: &str = "USVG_GUARD_WORKER";

/// A function that does a job, sends messages as they arise, and returns the reason if it fails.
///
/// It runs on the main thread of the worker. A panic ends the worker.
pub type Work<'a> = &'a mut dyn FnMut(&[u8], &mut Messages) -> Result<(), String>;

/// Where the messages of a job go.
pub struct Messages(Box<dyn Write + Send>);

impl Messages {
    /// Sends a message.
    ///
    /// # Errors
    /// The program does not listen any more, or the message has 4 GiB or more.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        wire::write_frame(&mut self.0, b'm', message)
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}

/// In a worker, the name of the program and the arguments that its pool was given; `None` in an ordinary run.
///
/// Cost: a look at the command line and the environment.
pub fn worker_arguments() -> Option<Vec<OsString>> {
    worker().map(|(_, arguments)| arguments)
}

/// The secret of this worker, and its arguments.
fn worker() -> Option<(String, Vec<OsString>)> {
    let mut all = std::env::args_os();
    let (program, flag, secret) = (all.next()?, all.next()?, all.next()?);
    let is_known = flag == FLAG && std::env::var_os(VARIABLE)? == secret;
    let arguments = std::iter::once(program).chain(all).collect();
    is_known.then(|| Some((secret.into_string().ok()?, arguments)))?
}

/// In a worker, does jobs until the program that started it closes the pipe or ends, and then exits; in an ordinary run,
/// returns at once. Call it first in `main`, with each kind of work by its name.
///
/// The work of [`Guard::parse`](crate::Guard::parse) is always done, too. On Unix, standard output of a
/// worker is redirected to standard error; elsewhere a worker must not print.
pub fn serve(works: &mut [(&str, Work<'_>)]) {
    let Some((secret, _)) = worker() else { return };
    let mut from = BufReader::with_capacity(1 << 16, io::stdin());
    let Ok(Some(memory)) = wire::read_start(&mut from, &secret) else {
        eprintln!("{FLAG} is not for people: the program starts itself with it");
        exit(2);
    };
    limit(memory);
    let (send, jobs) = sync_channel(0);
    // This thread ends the worker, in the midst of a job too, when the program ends.
    let reader = Builder::new().name("usvg_guard jobs".into()).spawn(move || {
        while let Ok(job) = wire::read_job(&mut from) {
            if send.send(job).is_err() {
                break;
            }
        }
        exit(0)
    });
    let (Ok(out), Ok(_)) = (standard_output(), reader) else { exit(1) };
    let mut out = Messages(Box::new(BufWriter::with_capacity(1 << 16, out)));
    let _ = wire::write_frame(&mut out.0, b'b', &[]);
    for (name, job) in jobs {
        let known = works.iter_mut().find(|(known, _)| known.as_bytes() == name);
        let done = match known {
            Some((_, work)) => work(&job, &mut out),
            None if name == crate::guard::WORK.as_bytes() => crate::guard::work(&job, &mut out),
            None => Err(format!("there is no work '{}'", String::from_utf8_lossy(&name))),
        };
        let written = match done {
            Ok(()) => wire::write_frame(&mut out.0, b'd', &[]),
            Err(why) => wire::write_frame(&mut out.0, b'f', why.as_bytes()),
        };
        if written.is_err() {
            break;
        }
    }
    exit(0)
}

/// Standard output for messages alone: what others print goes to standard error.
#[cfg(unix)]
fn standard_output() -> io::Result<impl Write> {
    let own = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(std::fs::File::from(own))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<impl Write> {
    Ok(io::stdout())
}

/// Limits the memory of this process, if the system can; the parent limits its time in any case.
///
/// `RLIMIT_DATA` counts private memory that may be written. `RLIMIT_AS` would count the address space that GPU drivers
/// reserve and never use, up to terabytes.
#[cfg(unix)]
fn limit(memory: u64) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    for (resource, most) in [(Resource::Data, memory), (Resource::Core, 0)] {
        let mut limit = getrlimit(resource);
        let most = limit.maximum.map_or(most, |maximum| maximum.min(most));
        (limit.current, limit.maximum) = (Some(most), Some(most));
        let _ = setrlimit(resource, limit);
    }
}

#[cfg(not(unix))]
fn limit(_: u64) {}
