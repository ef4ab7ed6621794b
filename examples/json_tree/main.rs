//! Analyzes the structure of a JSON file from its brackets: the number of values in every array and
//! object, their depth, and their amount of text.
//!
//! ```text
//! cargo run --release --example json_tree -- file.json
//! cargo run --release --example json_tree -- --lines log.jsonl
//! ```
//!
//! First, all brackets of all lines are matched at once: `BracketMatcher`, with a reset after each line.
//! Lines with mismatched brackets are reported, and the others are processed. Only brackets are matched
//! in this way; commas, colons and words are checked by serde_json.
//!
//! For the table, a bracket opens or closes a node, and a value between brackets is a leaf. The answer
//! consists of two products:
//!
//! ```text
//!           [   1   [   "ab"   ]   ]
//! down      1   1   2   2      2   1     how many arrays are around a value
//! up        4   1   2   1      2   4     how many values are in each subtree,
//!           2   1   2   2      2   2     the greatest number from above in it,
//!           2   0   2   2      2   2     and the bytes of its text
//! ```
//!
//! The depth of a subtree is then the difference of two numbers.

mod outline;
mod structure;

use crate::outline::Outline;
use crate::structure::{Brackets, Document, Problem};
use clap::Parser;
use std::{io::Write, path::PathBuf, process::ExitCode};
use treebounds_cli::options::{Quiet, Where};
use treebounds_cli::{Failure, Input, Progress};
use treebounds_examples::Backend;

/// Counts the values, the levels and the text of every array and object of a
/// JSON file or of JSON Lines, and lists the largest.
#[derive(Debug, Parser)]
#[command(name = "json_tree", version, max_term_width = 100)]
struct Args {
    /// The file; - reads standard input
    #[arg(value_name = "FILE.json|-")]
    file: PathBuf,

    /// Every line is a document (JSON Lines), as in files whose names end with .jsonl or .ndjson.
    /// Broken lines are reported, and the exit code is 1 if there are any
    #[arg(long)]
    lines: bool,

    /// How many arrays and objects are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    rows: usize,

    #[command(flatten)]
    place: Where,

    #[command(flatten)]
    quiet: Quiet,
}

fn main() -> ExitCode {
    run(&treebounds_cli::parse::<Args>()).unwrap_or_else(|failure| failure.tell("json_tree"))
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    let progress = Progress::new(args.quiet.quiet);
    progress.step("reading");
    let input = Input::named(&args.file);
    let bytes = input.read()?;
    // Each element takes at least one byte of the text.
    let choice = args.place.backend.for_elements(bytes.len());
    let backend = Backend::open(choice).map_err(|failure| failure.about(&input.name))?;
    let extension = input.path().and_then(|path| path.extension());
    let has_lines = args.lines || extension.is_some_and(|end| end == "jsonl" || end == "ndjson");
    let documents = if has_lines { Document::lines(&bytes) } else { vec![Document::whole(&bytes)] };
    progress.step("counting");
    let (report, problems) =
        report(&documents, args, &backend).map_err(|error| input.bad(format!("{error:#}")))?;
    progress.finish();
    let bad = |problem: &Problem| input.bad(format!("not JSON: {problem}"));
    if let [problem] = &problems[..]
        && !has_lines
    {
        return Err(bad(problem));
    }
    if !args.quiet.quiet {
        // The reader may close the pipe early.
        let _ = std::io::stdout().write_all(report.as_bytes());
    }
    let tell = |_, problem| bad(problem).tell("json_tree");
    Ok(problems.iter().fold(ExitCode::SUCCESS, tell))
}

/// Returns the table of all valid documents, and the errors of the others.
fn report(
    documents: &[Document<'_>],
    args: &Args,
    backend: &Backend,
) -> anyhow::Result<(String, Vec<Problem>)> {
    let mut brackets = Brackets::default();
    documents.iter().for_each(|document| brackets.add(document.text));
    let faults = brackets.faults(backend)?;
    let (mut outline, mut problems) = (Outline::default(), Vec::new());
    for (document, fault) in documents.iter().zip(faults) {
        let checked = match fault {
            Some(fault) => Err(document.problem(fault)),
            None if document.is_blank() => continue,
            None => document.parse(),
        };
        problems.extend(checked.and_then(|json| outline.add(document, json)).err());
    }
    let subtrees = outline.subtrees(backend)?;
    Ok((outline.table(&subtrees, args.rows) + &format!("\nbackend  {backend}\n"), problems))
}
