//! An SVG in, every bounding box out: as a picture, as a report, as a table.
//!
//! ```text
//! cargo run --example svg_clips -- drawing.svg
//! ```
//!
//! The program itself is the package `treebounds_cli`, which `cargo install --path crates/treebounds_cli` installs.

use std::process::ExitCode;

fn main() -> ExitCode {
    treebounds_cli::main()
}
