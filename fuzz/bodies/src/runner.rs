//! Runs inputs in worker processes, which an input may take down.
//!
//! A seed and a number make an input. So a job is a range of numbers, and an input on which a worker aborted, hung or ran
//! out of memory can be made again: the inputs of a job that failed run once more, one by one.

use crate::target::SELF_TEST;
use crate::{Outcome, Seeds, TARGETS, Target};
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, io};
use usvg_guard::contain::{Ended, Messages, Pool, Work, serve};

/// A run of a target ends after this many failures.
const MOST_FAILURES: usize = 10;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long each target runs.
    pub time: Duration,
    /// The seed of the inputs.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// The folder for inputs that fail.
    pub failures: PathBuf,
}

/// An input on which something did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The number of the input.
    pub index: u64,
    /// What happened, on one line.
    pub what: String,
    /// The file with the input.
    pub file: PathBuf,
}

/// The result of running a target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of the first input that was not run.
    pub next: u64,
    /// How many inputs were read, refused and stopped.
    pub outcome: Outcome,
    /// The inputs that failed.
    pub failures: Vec<Failure>,
}

/// Does the jobs of a worker process and never returns there. In an ordinary run it returns at once.
pub fn serve_targets() {
    let targets: Vec<Target> = TARGETS.into_iter().chain([SELF_TEST]).collect();
    let mut works: Vec<_> = targets
        .iter()
        .map(|target| |job: &[u8], out: &mut Messages| work(target, job, out))
        .collect();
    let mut named: Vec<(&str, Work<'_>)> =
        targets.iter().zip(&mut works).map(|(target, work)| (target.name, work as _)).collect();
    serve(&mut named);
}

/// Runs the inputs of a job: seed, first number, end.
fn work(target: &Target, job: &[u8], out: &mut Messages) -> Result<(), String> {
    let numbers = bytemuck::pod_collect_to_vec::<u8, u64>(job);
    let [seed, first, end] = numbers[..] else { return Err("a job has three numbers".to_owned()) };
    let seeds = Seeds::of(target.name).map_err(|error| error.to_string())?;
    let mut sum = Outcome::default();
    for index in first..end {
        sum += (target.body)(&target.input(&seeds, seed, index));
    }
    out.send(bytemuck::bytes_of(&sum)).map_err(|error| error.to_string())
}

/// Runs a target for as long as the plan says, and all of its kept inputs at least.
///
/// # Errors
/// A kept input that cannot be read, or a failure that cannot be written.
pub fn run_all(target: &Target, plan: &Plan) -> io::Result<Tally> {
    let start = Instant::now();
    let seeds = Seeds::of(target.name)?;
    let pool = Pool::new();
    let mut tally = Tally { next: plan.first, ..Tally::default() };
    while tally.failures.len() < MOST_FAILURES
        && (start.elapsed() < plan.time || tally.next < seeds.0.len() as u64)
    {
        let block = tally.next..tally.next + target.block;
        tally.next = block.end;
        match run_job(&pool, target, plan.seed, block.clone()) {
            Ok(outcome) => tally.outcome += outcome,
            Err(_) => one_by_one(&pool, target, plan, &seeds, block, &mut tally)?,
        }
    }
    Ok(tally)
}

/// Finds the inputs of a block that fail.
fn one_by_one(
    pool: &Pool,
    target: &Target,
    plan: &Plan,
    seeds: &Seeds,
    block: Range<u64>,
    tally: &mut Tally,
) -> io::Result<()> {
    for index in block {
        match run_job(pool, target, plan.seed, index..index + 1) {
            Ok(outcome) => tally.outcome += outcome,
            Err(ended) if target.is_stopped_by(&ended) => tally.outcome += Outcome::STOPPED,
            Err(ended) => {
                fs::create_dir_all(&plan.failures)?;
                let file = plan.failures.join(format!("{}-{}-{index}", target.name, plan.seed));
                fs::write(&file, target.input(seeds, plan.seed, index))?;
                tally.failures.push(Failure { index, what: ended.to_string(), file });
            }
        }
    }
    Ok(())
}

fn run_job(pool: &Pool, target: &Target, seed: u64, numbers: Range<u64>) -> Result<Outcome, Ended> {
    let mut outcome = Outcome::default();
    let job = [seed, numbers.start, numbers.end];
    pool.run(target.name, &[bytemuck::cast_slice(&job)], &target.limits, &mut |message| {
        outcome = bytemuck::pod_read_unaligned(message);
        ControlFlow::Continue(())
    })?;
    Ok(outcome)
}
