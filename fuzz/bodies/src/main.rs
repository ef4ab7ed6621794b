//! Fuzzing on any toolchain: `cargo run --release -p treebounds_fuzz -- all --seconds 60`.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use treebounds_fuzz::{Plan, TARGETS, Tally, Target, run_all, run_child, run_files};

/// Makes inputs without end, and says on which something does not hold.
#[derive(Debug, Parser)]
struct Args {
    /// The target: stream, matching, canvas, vello, report, svg, svg_bombs, stream_gpu, matching_gpu, or all.
    target: String,
    /// Files to run instead, such as one that was found.
    files: Vec<PathBuf>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 30.0)]
    seconds: f64,
    /// What the inputs are made of; by default the time.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Where inputs go that fail.
    #[arg(long, default_value = "fuzz/artifacts")]
    failures: PathBuf,
    #[arg(long, hide = true)]
    child: bool,
    #[arg(long, hide = true, default_value_t = 1)]
    block: u64,
    #[arg(long, hide = true, default_value_t = u64::MAX)]
    most: u64,
    #[arg(long, hide = true)]
    note: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// True where all holds.
fn run(args: &Args) -> std::io::Result<bool> {
    let time = Duration::try_from_secs_f64(args.seconds).unwrap_or(Duration::MAX / 4);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = args.seed.unwrap_or(since.as_millis() as u64);
    if args.target == "all" {
        let plan = plan(args, time, seed);
        let mut all_hold = true;
        for target in &TARGETS {
            all_hold &= report(target, &plan)?;
        }
        return Ok(all_hold);
    }
    let Some(target) = Target::named(&args.target) else {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("no target {:?}; there are {}, and all", args.target, names.join(", "));
        return Ok(false);
    };
    match &args.note {
        Some(note) if args.child => {
            let held =
                run_child(&target, (seed, args.from), (time, args.most), (note, args.block))?;
            if let Err(what) = &held {
                println!("{what}");
            }
            Ok(held.is_ok())
        }
        _ if !args.files.is_empty() => run_files(&target, &args.files),
        _ => report(&target, &plan(args, time, seed)),
    }
}

fn plan(args: &Args, time: Duration, seed: u64) -> Plan {
    Plan { time, seed, first: args.from, failures: args.failures.clone() }
}

/// Runs a target, and says what came of it.
fn report(target: &Target, plan: &Plan) -> std::io::Result<bool> {
    let start = std::time::Instant::now();
    let Tally { next, executions, outcome, failures } = run_all(target, plan)?;
    println!(
        "{}: seed {}, inputs {}..{next}: {executions} executions of {} cases in {:.0} s; {} read, {} refused, {} panics \
         of libraries caught; {} failed",
        target.name,
        plan.seed,
        plan.first,
        outcome.cases(),
        start.elapsed().as_secs_f64(),
        outcome.accepted,
        outcome.refused,
        outcome.caught,
        failures.len()
    );
    for failure in &failures {
        println!(
            "  input {}: {}\n    kept in {}",
            failure.index,
            failure.what,
            failure.file.display()
        );
    }
    Ok(failures.is_empty())
}
