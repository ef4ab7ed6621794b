//! The process that reads, computes and paints: this program again, with limits.

use crate::{
    failure::Failure,
    limits::Limits,
    wire::{Job, Message, Sink},
};
use std::{
    io::{self, BufReader, BufWriter, Stdout, Write},
    process::{ExitCode, exit},
    sync::mpsc::sync_channel,
    thread,
};

/// Set in the environment of a worker, and nowhere else.
pub(crate) const VARIABLE: &str = "TREEBOUNDS_WORKER";

/// What is done of a job, and with which exit code.
pub(crate) type Work<'a> = &'a mut dyn FnMut(Job, &mut dyn Sink) -> Result<u8, Failure>;

/// Whether this process is a worker.
pub(crate) fn is_worker() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Does the jobs that come on standard input until no more come.
///
/// Standard input ends where the process that started this one does, however it does: then this one ends at once, in the
/// midst of a job too.
pub(crate) fn serve(limits: &Limits, work: Work<'_>) -> ExitCode {
    limits.set();
    let (send, jobs) = sync_channel(0);
    let reader = thread::Builder::new().name("treebounds jobs".into()).spawn(move || {
        let mut stdin = BufReader::with_capacity(1 << 16, io::stdin());
        while let Ok(Some(job)) = Job::read(&mut stdin) {
            if send.send(job).is_err() {
                break;
            }
        }
        exit(0)
    });
    if let Err(error) = reader {
        return Failure::bad(error).tell("worker");
    }
    let mut answers = Answers(BufWriter::with_capacity(1 << 16, io::stdout()));
    for job in jobs {
        let done = work(job, &mut answers);
        if answers.take(Message::Done(done)).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// Standard output, for messages.
struct Answers(BufWriter<Stdout>);

impl Sink for Answers {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        message.write(&mut self.0).and_then(|()| self.0.flush()).map_err(Failure::bad)
    }
}
