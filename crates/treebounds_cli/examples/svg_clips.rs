//! Reads an SVG file and reports every bounding box as a picture, a report and a table.
//!
//! ```text
//! cargo run --example svg_clips -- drawing.svg
//! ```
//!
//! The program itself lives in the package `treebounds_cli`. Install it with `cargo install --path
//! crates/treebounds_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    treebounds_cli::main()
}
