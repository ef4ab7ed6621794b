//! How fast is it? Benchmarks that check their answers.
//!
//! Every figure stands next to the copy kernel's of the same run: a GPU cannot
//! read and write memory faster than that. A row counts only after its whole
//! output was compared with the sequential reference.

mod copy;
mod harness;
mod inputs;
mod report;
mod subjects;

use anyhow::Context;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Measures treebounds on the GPU, with every answer checked.
#[derive(Parser, Debug)]
#[command(version)]
struct Arguments {
    /// What to measure.
    subject: Subject,
    /// Smallest size: 2 to this power.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=30))]
    min_log2: u32,
    /// Largest size: 2 to this power.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=30))]
    max_log2: u32,
    /// Runs per figure; the median and the quartiles are reported.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Threads a workgroup; chosen for the device by default.
    #[arg(long)]
    workgroup_size: Option<u32>,
    /// Elements a thread; chosen for the device by default.
    #[arg(long)]
    per_thread: Option<u32>,
    /// Write all figures here, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Subject {
    /// Parentheses matching alone.
    Matching,
    /// The whole stage.
    Bounds,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let gpu = pollster::block_on(treebounds::Gpu::request())?;
    let harness = harness::Harness::new(gpu, arguments.runs)?;
    let options = treebounds::Options {
        workgroup_size: arguments.workgroup_size,
        per_thread: arguments.per_thread,
        subgroups: None,
    };
    let sizes = (arguments.min_log2..=arguments.max_log2).step_by(2).map(|log2| 1_usize << log2);
    let mut report = report::Report::new(&harness);
    for n in sizes {
        let copy = copy::measure(&harness, n)?;
        for input in inputs::ALL {
            let row = match arguments.subject {
                Subject::Matching => subjects::matching(&harness, &options, input, n)?,
                Subject::Bounds => subjects::bounds(&harness, &options, input, n)?,
            };
            report.add(row, &copy);
        }
    }
    println!("{}", report.table());
    if let Some(path) = arguments.json {
        let json = serde_json::to_vec_pretty(&report)?;
        std::fs::write(&path, json).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
