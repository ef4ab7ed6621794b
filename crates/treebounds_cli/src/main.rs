//! The program `svg_clips`; see `svg_clips --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    treebounds_cli::main()
}
