//! Reports every bounding box of an SVG file in a table and a picture.
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
