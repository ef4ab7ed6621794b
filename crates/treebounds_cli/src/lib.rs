//! The program `svg_clips`, and what the examples of this repository share with it.
//!
//! ```text
//! svg_clips drawing.svg --csv boxes.csv
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`options`] | the command line |
//! | `run`, `batch`, `diff`, `query` | from the command line to the drawings |
//! | `results` | from the messages of the workers to the outputs |
//! | [`input`] | a file, and the drawing or report that it holds |
//! | [`worker`] | a separate process for each drawing, and its messages |
//! | [`show`], [`backend`] | from a scene to its boxes, reports and picture |
//! | `outputs`, `target`, `atomic` | what is written: all outputs, completely, or none |
//! | [`table`], [`failure`] | what a person reads on the terminal |

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
