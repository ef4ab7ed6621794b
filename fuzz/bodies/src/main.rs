//! Fuzzing on any toolchain: `cargo run --release -p treebounds_fuzz -- all --seconds 60`.

use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use treebounds_fuzz::{Plan, TARGETS, Target, run_all, serve_targets};

/// Makes inputs without end, and reports those on which something does not hold.
#[derive(Debug, Parser)]
struct Args {
    /// The target: stream, matching, canvas, vello, report, svg, svg_bombs, stream_gpu, matching_gpu, or all.
    target: String,
    /// Files to run instead, such as one that was found.
    files: Vec<PathBuf>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 30.0)]
    seconds: f64,
    /// The seed of the inputs; the time by default.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The folder for inputs that fail.
    #[arg(long, default_value = "fuzz/artifacts")]
    failures: PathBuf,
}

fn main() -> ExitCode {
    serve_targets();
    match run(Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// True if everything holds.
fn run(args: Args) -> std::io::Result<bool> {
    let targets: Vec<Target> = match Target::named(&args.target) {
        Some(target) => vec![target],
        None if args.target == "all" => TARGETS.to_vec(),
        None => {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("no target {:?}; there are {}, and all", args.target, names.join(", "));
            return Ok(false);
        }
    };
    if !args.files.is_empty() {
        return targets.iter().try_for_each(|target| run_files(target, &args.files)).map(|()| true);
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let plan = Plan {
        time: Duration::try_from_secs_f64(args.seconds).unwrap_or(Duration::MAX),
        seed: args.seed.unwrap_or(since.as_millis() as u64),
        first: args.from,
        failures: args.failures,
    };
    let mut all_hold = true;
    for target in &targets {
        all_hold &= report(target, &plan)?;
    }
    Ok(all_hold)
}

/// Runs files in this process. One that fails ends it.
fn run_files(target: &Target, files: &[impl AsRef<Path>]) -> std::io::Result<()> {
    for file in files {
        let outcome = (target.body)(&std::fs::read(file)?);
        println!("{}: {outcome:?}", file.as_ref().display());
    }
    Ok(())
}

/// Runs a target and prints the result; true if nothing failed.
fn report(target: &Target, plan: &Plan) -> std::io::Result<bool> {
    let start = Instant::now();
    let tally = run_all(target, plan)?;
    println!(
        "{}: seed {}, inputs {}..{}: {} cases in {:.0} s; {} read, {} refused, {} stopped, {} panics of libraries caught; \
         {} failed",
        target.name,
        plan.seed,
        plan.first,
        tally.next,
        tally.outcome.cases(),
        start.elapsed().as_secs_f64(),
        tally.outcome.accepted,
        tally.outcome.refused,
        tally.outcome.stopped,
        tally.outcome.caught,
        tally.failures.len()
    );
    for failure in &tally.failures {
        println!(
            "  input {}: {}\n    kept in {}",
            failure.index,
            failure.what,
            failure.file.display()
        );
    }
    Ok(tally.failures.is_empty())
}
