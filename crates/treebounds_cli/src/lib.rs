//! The program `svg_clips`, and the code it shares with the examples of this repository.
//!
//! ```text
//! svg_clips drawing.svg --csv boxes.csv
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`options`] | the command line |
//! | `run`, `batch`, `diff`, `query` | dispatch of the drawings on the command line |
//! | `results` | collection of the workers' messages |
//! | [`input`] | reading of drawings, reports and scene files |
//! | [`worker`] | a separate process per drawing, and its messages |
//! | [`show`], [`backend`] | computation of boxes, reports and pictures |
//! | `outputs`, `target`, `atomic` | output files, written all or none |
//! | [`table`], [`failure`] | output on the terminal |

mod atomic;
pub mod backend;
mod batch;
mod diff;
pub mod failure;
pub mod input;
pub mod options;
mod outputs;
mod query;
mod results;
mod run;
pub mod show;
mod subject;
pub mod table;
mod target;
mod warnings;
mod watch;
pub mod worker;

pub use backend::{Choice, Opened};
pub use failure::Failure;
pub use input::Input;
pub use options::Limits;
pub use run::{Program, one_drawing};
pub use table::Progress;
pub use worker::{arguments, parse};

use std::process::ExitCode;

/// Runs `svg_clips` on this process's command line.
pub fn main() -> ExitCode {
    run::run(&worker::parse::<options::Args>())
}
