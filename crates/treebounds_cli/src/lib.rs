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
//! | [`choice`], `compute`, [`times`] | where the boxes are computed, and how long that takes |
//! | `picture` | the boxes over the drawing |
//! | `outputs` | the files that are written: all of them, whole, or none |
//! | [`table`], [`notes`], [`progress`], [`failure`] | what a person reads on the terminal |
//! | `loaded`, `diff`, `query` | two drawings compared; boxes in Inkscape's form |
//! | [`show`] | all of these, from a scene on |
//! | `run` | all of these, from the command line on |

mod args;
pub mod choice;
mod compute;
mod diff;
pub mod failure;
pub mod input;
mod loaded;
pub mod notes;
pub mod options;
mod outputs;
mod picture;
pub mod progress;
mod query;
mod run;
pub mod show;
pub mod table;
pub mod times;

pub use choice::{Choice, Opened};
pub use failure::Failure;
pub use input::Input;
pub use progress::Progress;
pub use show::{Show, Subject};

use clap::Parser;
use std::process::ExitCode;

/// Runs `svg_clips` on this process's command line.
pub fn main() -> ExitCode {
    // Panics on these threads, which read and paint, are caught and told as errors.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !matches!(std::thread::current().name(), Some("treebounds svg" | "treebounds paint")) {
            tell(panic);
        }
    }));
    run::run(&args::Args::parse())
}
