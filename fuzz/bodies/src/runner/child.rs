//! The process that runs a body.

use super::progress::Progress;
use crate::{Outcome, Seeds, Target};
use std::fs::OpenOptions;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What was said at the last panic, of whatever thread.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps what a panic says instead of printing it: libraries may panic, and be caught.
fn keep_panics() {
    set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', " ");
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }));
}

/// Runs a body; an error says what did not hold.
fn run(target: &Target, input: &[u8]) -> Result<Outcome, String> {
    catch_unwind(AssertUnwindSafe(|| (target.body)(input)))
        .map_err(|_| PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

/// Runs inputs from this number on until the time is over or so many are run, and writes how far it is to a file, every so
/// many inputs.
///
/// # Errors
/// What the files say, and what did not hold of which input.
pub fn run_child(
    target: &Target,
    (seed, first): (u64, u64),
    (time, most): (Duration, u64),
    (file, block): (&Path, u64),
) -> io::Result<Result<(), String>> {
    let start = Instant::now();
    limit_memory(target)?;
    keep_panics();
    let seeds = Seeds::of(target.name)?;
    let mut file = OpenOptions::new().write(true).open(file)?;
    let mut done = Progress { next: first, ..Progress::default() };
    // All kept inputs, however little time there is.
    let kept = seeds.0.len() as u64;
    while done.executions < most && (start.elapsed() < time || done.next < kept) {
        done.write(&mut file)?;
        for _ in 0..block.max(1) {
            match run(target, &target.input(&seeds, seed, done.next)) {
                Ok(outcome) => done.outcome += outcome,
                Err(what) => {
                    done.write(&mut file)?;
                    return Ok(Err(what));
                }
            }
            done.executions += 1;
            done.next += 1;
        }
    }
    done.write(&mut file)?;
    Ok(Ok(()))
}

#[cfg(unix)]
fn limit_memory(target: &Target) -> io::Result<()> {
    let limit = |bytes| rlimit::setrlimit(rlimit::Resource::AS, bytes, bytes);
    target.memory.map_or(Ok(()), limit)
}

#[cfg(not(unix))]
fn limit_memory(_: &Target) -> io::Result<()> {
    Ok(())
}

/// Runs these files, one after the other, in this process; true where all holds of all.
///
/// # Errors
/// What reading the files says.
pub fn run_files(target: &Target, files: &[PathBuf]) -> io::Result<bool> {
    keep_panics();
    let mut all_hold = true;
    for file in files {
        let outcome = run(target, &std::fs::read(file)?);
        all_hold &= outcome.is_ok();
        match outcome {
            Ok(outcome) => println!("{}: {outcome:?}", file.display()),
            Err(what) => println!("{}: {what}", file.display()),
        }
    }
    Ok(all_hold)
}
