//! The program `svg_clips`, and what the examples of this repository share with it.
//!
//! ```text
//! svg_clips drawing.svg --csv boxes.csv
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`options`] | the command line |
//! | `run` | from the command line to the drawings |
//! | [`input`], `drawing` | the file, and what it holds |
//! | `worker`, [`messages`] | a process of its own for each drawing, and what it sends |
//! | [`show`], [`backend`] | from a scene to its boxes, reports and picture |
//! | `diff`, `query` | two drawings compared; boxes in Inkscape's form |
//! | `results`, `outputs`, `atomic` | what is written: all outputs, completely, or none |
//! | [`table`], `terminal`, [`failure`] | what a person reads on the terminal |

mod atomic;
pub mod backend;
mod diff;
mod drawing;
pub mod failure;
pub mod input;
pub mod messages;
pub mod options;
mod outputs;
mod query;
mod results;
mod run;
pub mod show;
pub mod table;
mod terminal;
mod warnings;
mod worker;

pub use backend::{Choice, Opened};
pub use failure::Failure;
pub use input::Input;
pub use options::Limits;
pub use run::{Program, one_drawing};
pub use terminal::Progress;
pub use worker::arguments;

use clap::Parser;
use std::process::ExitCode;

/// Runs `svg_clips` on this process's command line.
pub fn main() -> ExitCode {
    run::run(&options::Args::parse_from(arguments()))
}
