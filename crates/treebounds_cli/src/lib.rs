//! The program `svg_clips`, and what the examples of this repository share with it.
//!
//! ```text
//! svg_clips drawing.svg --csv boxes.csv
//! ```
//!
//! A drawing passes through these modules:
//!
//! | module | what it holds |
//! |---|---|
//! | `args`, [`options`] | the command line; the options that programs share |
//! | [`input`] | the file |
//! | `contain`, `worker`, `ending`, [`wire`], [`limits`] | a process of its own for what a drawing may do |
//! | [`choice`], `compute`, [`times`] | where the boxes are computed, and how long that takes |
//! | `picture` | the boxes over the drawing |
//! | `delivery`, `outputs`, `target`, `staged` | what is written: all outputs, whole, or none |
//! | [`table`], [`notes`], [`progress`], [`failure`] | what a person reads on the terminal |
//! | `loaded`, `diff`, `query` | two drawings compared; boxes in Inkscape's form |
//! | [`show`] | all of these, from a scene on |
//! | `work`, `run` | all of these in the worker, and from the command line on |

mod args;
pub mod choice;
mod compute;
mod contain;
mod delivery;
mod diff;
mod ending;
pub mod failure;
pub mod input;
pub mod limits;
mod loaded;
pub mod notes;
pub mod options;
mod outputs;
mod picture;
pub mod progress;
mod query;
mod run;
pub mod show;
mod staged;
pub mod table;
mod target;
pub mod times;
pub mod wire;
mod work;
mod worker;

pub use choice::{Choice, Opened};
pub use failure::Failure;
pub use input::Input;
pub use limits::Limits;
pub use progress::Progress;
pub use run::{Program, one_drawing};

use clap::Parser;
use std::process::ExitCode;

/// Runs `svg_clips` on this process's command line.
pub fn main() -> ExitCode {
    run::run(&args::Args::parse())
}
