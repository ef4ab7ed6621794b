//! The runner: a process that watches, and one that may fall over.
//!
//! The input with a number is made of the seed and that number alone. So the child, which runs the body, only has to note
//! from time to time how far it is, and the parent can make the input again on which the child fell over, was killed, or
//! stood still.

mod child;
mod parent;
mod progress;

pub use child::{run_child, run_files};
pub use parent::run_all;

use crate::Outcome;
use std::path::PathBuf;
use std::time::Duration;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long each target is run.
    pub time: Duration,
    /// What the inputs are made of.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// Where inputs go that fail.
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

/// What came of running a target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of the first input that was not run.
    pub next: u64,
    /// Bodies run.
    pub executions: u64,
    /// What became of the inputs.
    pub outcome: Outcome,
    /// What failed.
    pub failures: Vec<Failure>,
}
