//! Fuzzes on any toolchain: `cargo run --release -p treebounds_fuzz -- all --seconds 60`.
//!
//! Inputs run in worker processes, because an input may crash the process. A seed and a number determine an input, so a job
//! is a range of numbers. If a worker aborts, hangs or runs out of memory, the inputs of its job are run again one by one
//! to find the failing one.

use clap::Parser;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{fs, io};
use treebounds_fuzz::{Outcome, SELF_TEST, Seeds, TARGETS, Target};
use usvg_guard::contain::{Ended, Pool, serve};

/// A target stops after this number of failures.
const MOST_FAILURES: usize = 10;

/// Makes random inputs and reports those that violate a property.
#[derive(Debug, Parser)]
struct Args {
    /// The target: stream, canvas, vello, report, svg, svg_bombs, or all.
    target: String,
    /// Files to run instead of random inputs, such as a saved failure.
    files: Vec<PathBuf>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 30.0)]
    seconds: f64,
    /// The seed of the inputs; by default from the clock.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The folder for inputs that failed.
    #[arg(long, default_value = "fuzz/artifacts")]
    failures: PathBuf,
}

fn main() -> ExitCode {
    serve_targets();
    match run(&treebounds_cli::parse::<Args>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// In a worker process, runs its jobs and never returns. Elsewhere, returns immediately.
fn serve_targets() {
    for target in TARGETS.into_iter().chain([SELF_TEST]) {
        serve(target.name, |job, out| out.send(&work(&target, &job)?));
    }
}

/// Runs the inputs of a job, which consists of a seed and numbers.
fn work(target: &Target, (seed, numbers): &(u64, Range<u64>)) -> Result<Outcome, String> {
    let seeds = Seeds::of(target.name).map_err(|error| error.to_string())?;
    let mut sum = Outcome::default();
    for index in numbers.clone() {
        sum += (target.body)(&target.input(&seeds, *seed, index));
    }
    Ok(sum)
}

/// Returns true if all properties hold.
fn run(args: &Args) -> io::Result<bool> {
    let targets: Vec<Target> = match Target::named(&args.target) {
        Some(target) => vec![target],
        None if args.target == "all" => TARGETS.to_vec(),
        None => {
            let names = TARGETS.map(|target| target.name).join(", ");
            eprintln!("no target {:?}; there are {names}, and all", args.target);
            return Ok(false);
        }
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = args.seed.unwrap_or(since.as_millis() as u64);
    let mut all_hold = true;
    for target in &targets {
        // Files run in this process, so a failure ends it.
        for file in &args.files {
            println!("{}: {:?}", file.display(), (target.body)(&fs::read(file)?));
        }
        if args.files.is_empty() {
            all_hold &= run_target(target, args, seed)?;
        }
    }
    Ok(all_hold)
}

/// Runs a target for the given time, and at least on all seeds. Returns true if nothing failed.
fn run_target(target: &Target, args: &Args, seed: u64) -> io::Result<bool> {
    let (start, time) = (Instant::now(), Duration::try_from_secs_f64(args.seconds));
    let time = time.unwrap_or(Duration::MAX);
    let (pool, seeds) = (Pool::new(target.name, []), Seeds::of(target.name)?);
    let (mut next, mut outcome, mut failures) = (args.from, Outcome::default(), Vec::new());
    while failures.len() < MOST_FAILURES && (start.elapsed() < time || next < seeds.0.len() as u64)
    {
        let block = next..next + target.block;
        next = block.end;
        if let Ok(all) = run_job(&pool, target, seed, block.clone()) {
            outcome += all;
            continue;
        }
        for index in block {
            match run_job(&pool, target, seed, index..index + 1) {
                Ok(one) => outcome += one,
                Err(ended) if target.is_stopped_by(&ended) => outcome += Outcome::STOPPED,
                Err(ended) => {
                    fs::create_dir_all(&args.failures)?;
                    let file = args.failures.join(format!("{}-{seed}-{index}", target.name));
                    fs::write(&file, target.input(&seeds, seed, index))?;
                    let kept = file.display();
                    failures.push(format!("  input {index}: {ended}\n    kept in {kept}"));
                }
            }
        }
    }
    println!(
        "{}: seed {seed}, inputs {}..{next}: {} cases in {:.0} s; {} read, {} refused, {} stopped, \
         {} panics of libraries caught; {} failed",
        target.name,
        args.from,
        outcome.cases(),
        start.elapsed().as_secs_f64(),
        outcome.accepted,
        outcome.refused,
        outcome.stopped,
        outcome.caught,
        failures.len()
    );
    failures.iter().for_each(|failure| println!("{failure}"));
    Ok(failures.is_empty())
}

fn run_job(pool: &Pool, target: &Target, seed: u64, numbers: Range<u64>) -> Result<Outcome, Ended> {
    let mut outcome = Outcome::default();
    pool.run(&(seed, numbers), &target.limits, |sum| {
        outcome = sum;
        Ok(())
    })?;
    Ok(outcome)
}
