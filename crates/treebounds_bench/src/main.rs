//! Benchmarks that check their results.
//!
//! Every figure is shown next to the copy kernel's from the same run, which is the upper limit for
//! reading and writing GPU memory. A row only counts if its whole output equals the sequential
//! reference.

mod arguments;
mod bins;
mod bounds;
mod contest;
mod inputs;
mod matching;
mod measure;
mod record;
mod report;

use crate::arguments::{Arguments, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match treebounds_cli::parse::<Arguments>().command {
        Command::Matching(arguments) => matching::run(&arguments),
        Command::Bounds(arguments) => bounds::run(&arguments),
        Command::Show(arguments) => report::show(&arguments),
        Command::Bins(arguments) => bins::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("treebounds_bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
