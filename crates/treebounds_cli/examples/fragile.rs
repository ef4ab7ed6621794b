//! A program that crashes on demand, to test [`treebounds_cli::one_drawing`].
//!
//! ```text
//! echo overflow > drawing.txt
//! cargo run -p treebounds_cli --example fragile -- drawing.txt
//! ```

use clap::Parser;
use std::{fs, hint::black_box, path::PathBuf, process::ExitCode};
use treebounds_cli::options::{Quiet, Written};
use treebounds_cli::worker::{Message, Output, Sink, send};
use treebounds_cli::{Failure, Limits, Program};

#[derive(Debug, Parser)]
struct Args {
    /// A file with one of: fine, loop, half, overflow, memory, abort, panic, boxes and loop, boxes and fail
    file: PathBuf,

    #[command(flatten)]
    written: Written,

    #[command(flatten)]
    quiet: Quiet,

    #[command(flatten)]
    limits: Limits,
}

fn main() -> ExitCode {
    let args = treebounds_cli::parse::<Args>();
    let program = Program {
        name: "fragile",
        picture: ".out.png",
        written: &args.written,
        limits: &args.limits,
        quiet: args.quiet,
    };
    treebounds_cli::one_drawing(&program, &args.file, |input, data, sink| {
        let word = String::from_utf8_lossy(data);
        act(word.trim(), sink).map_err(|failure| failure.about_if_none(&input.name))
    })
}

#[allow(clippy::panic)]
fn act(word: &str, sink: &mut dyn Sink) -> Result<(), Failure> {
    match word {
        "fine" => {
            sink.take(Message::row("all", "is well"))?;
            send(sink, Output::Picture, b"a picture")
        }
        "loop" => forever(),
        "boxes and loop" | "boxes and fail" => {
            send(sink, Output::Json, b"{}")?;
            sink.take(Message::Boxes)?;
            send(sink, Output::Picture, b"half a pic")?;
            if word.ends_with("fail") { Err(Failure::bad("the painter failed")) } else { forever() }
        }
        "half" => {
            send(sink, Output::Picture, b"half a pic")?;
            // The test waits for this file, then for the end of the process.
            fs::write("worker", std::process::id().to_string()).map_err(Failure::bad)?;
            forever()
        }
        "overflow" => {
            black_box(sink_in(black_box(u64::MAX)));
            Ok(())
        }
        "memory" => loop {
            black_box(Vec::leak(vec![1u8; 1 << 28]));
        },
        "abort" => std::process::abort(),
        "panic" => panic!("the drawing said so"),
        other => Err(Failure::bad(format!("'{other}' is not a known word"))),
    }
}

fn forever() -> ! {
    loop {
        std::thread::park();
    }
}

fn sink_in(levels: u64) -> u64 {
    let ballast = black_box([levels; 64]);
    if levels == 0 { 0 } else { 1 + sink_in(ballast[63] - 1) }
}
