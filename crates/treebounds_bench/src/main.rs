//! How fast is it? Benchmarks that check their answers.
//!
//! Every figure stands next to the copy kernel's of the same run: a GPU cannot
//! read and write memory faster than that. A row counts only after its whole
//! output was compared with the sequential reference.

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
