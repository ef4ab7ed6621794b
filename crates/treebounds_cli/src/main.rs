//! The program: see `svg_clips --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    treebounds_cli::main()
}
