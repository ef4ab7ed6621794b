//! The structure of a JSON file from its brackets: how many values there are in
//! every array and object, how deep they nest and how much text they hold.
//!
//! ```text
//! cargo run --release --example json_tree -- file.json
//! cargo run --release --example json_tree -- --lines log.jsonl
//! ```
//!
//! First all brackets are matched, of all lines at once: `BracketMatcher`, with a reset after each line.
//! A line whose brackets are wrong is reported, and the others go on. Brackets are all that this
//! finds; commas, colons and words are then left to serde_json.
//!
//! For the table, a bracket opens or closes a node, a value between brackets is a leaf. Two
//! products make the answer:
//!
//! ```text
//!           [   1   [   "ab"   ]   ]
//! down      1   1   2   2      2   1     how many arrays are around a value
//! up        4   1   2   1      2   4     how many values are in each subtree,
//!           2   1   2   2      2   2     the greatest number from above in it,
//!           2   0   2   2      2   2     and the bytes of its text
//! ```
//!
//! How deep a subtree is, is then the difference of two numbers.

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
        // A closed pipe is the reader's choice.
        let _ = std::io::stdout().write_all(report.as_bytes());
    }
    let tell = |_, problem| bad(problem).tell("json_tree");
    Ok(problems.iter().fold(ExitCode::SUCCESS, tell))
}

/// The table of all documents that are JSON, and what is wrong with the others.
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
