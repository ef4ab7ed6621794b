//! Command line arguments.

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use std::path::{Path, PathBuf};
use treebounds::{BinnerDescriptor, MatcherDescriptor, Tuning};

/// Measures treebounds on the GPU, and checks every result.
#[derive(Parser, Debug)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Compare parentheses matching with a copy kernel, the CPU and the algorithms in Levien's
    /// paper of 2022.
    Matching(MatchingArguments),
    /// Compare the stage with a copy kernel, the CPU and Vello's clip stage, on markers only and on
    /// whole scenes.
    Bounds(BoundsArguments),
    /// Compare binning with Vello's binning shader.
    Bins(BinsArguments),
    /// Print the tables and draw the figures of a run saved as JSON.
    Show(ShowArguments),
}

/// Arguments of all measurements.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Smallest size, as a power of two.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub(crate) min_log2: u32,
    /// Largest size, as a power of two.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub(crate) max_log2: u32,
    /// Step between sizes, in powers of two. The largest size is always measured.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=30))]
    pub(crate) step_log2: u32,
    /// Runs per figure. The median and quartiles are reported.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Threads per workgroup. The default depends on the device.
    #[arg(long)]
    pub(crate) workgroup_size: Option<u32>,
    /// Elements per thread. The default depends on the device.
    #[arg(long)]
    pub(crate) per_thread: Option<u32>,
    /// Whether to use subgroup operations. By default, they are used if the device supports them.
    #[arg(long)]
    pub(crate) subgroups: Option<bool>,
    /// Compile all kernels with wgpu's index and loop checks.
    #[arg(long)]
    pub(crate) checked: bool,
    /// Write all figures to this JSON file.
    #[arg(long)]
    pub(crate) json: Option<PathBuf>,
    /// Draw the figures into this folder, as SVG and PNG.
    #[arg(long)]
    pub(crate) figures: Option<PathBuf>,
    /// Run only strategies whose name contains one of these texts (comma-separated). The copy kernel
    /// always runs.
    #[arg(long, value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Run only inputs whose name contains one of these texts (separated by semicolons).
    #[arg(long, value_delimiter = ';')]
    pub(crate) inputs: Vec<String>,
    /// Print every row with all times.
    #[arg(long)]
    pub(crate) rows: bool,
}

#[derive(Args, Debug)]
pub(crate) struct MatchingArguments {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Threads per workgroup for the paper's algorithms (`w`).
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(2..=1024))]
    pub(crate) paper_threads: u32,
    /// Also check sizes with one element more and one less, up to this power of two.
    #[arg(long, default_value_t = 22)]
    pub(crate) neighbours_log2: u32,
    /// Compare the variants of our kernels at the largest size.
    #[arg(long)]
    pub(crate) variants: bool,
    /// Also measure matching for parsers ("treebounds, brackets"): partners, depths and errors in addition
    /// to links.
    #[arg(long)]
    pub(crate) brackets: bool,
}

#[derive(Args, Debug)]
pub(crate) struct BoundsArguments {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Percentages of markers among the elements (comma-separated). The other elements are draws.
    #[arg(long, value_delimiter = ',', default_value = "100,10,2", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) markers: Vec<u32>,
}

#[derive(Args, Debug)]
pub(crate) struct BinsArguments {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Numbers of bins to measure: 40, 135, 256 or 4096 (comma-separated).
    #[arg(long, value_delimiter = ',')]
    pub(crate) bins: Vec<u32>,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// A file written by `--json`.
    pub(crate) json: PathBuf,
    /// Draw the figures into this folder, as SVG and PNG.
    #[arg(long)]
    pub(crate) figures: Option<PathBuf>,
    /// Print every row with all times.
    #[arg(long)]
    pub(crate) rows: bool,
}

impl Common {
    /// The sizes to measure, in ascending order.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let powers = (self.min_log2..self.max_log2).step_by(self.step_log2 as usize);
        powers.chain([self.max_log2]).map(|log2| 1 << log2).collect()
    }

    /// The tuning of our kernels.
    pub(crate) fn tuning(&self) -> Tuning {
        Tuning {
            workgroup_size: self.workgroup_size,
            subgroups: self.subgroups,
            checked: self.checked,
        }
    }

    pub(crate) fn matcher(&self) -> MatcherDescriptor<'static> {
        MatcherDescriptor { per_thread: self.per_thread, ..self.tuning().into() }
    }

    pub(crate) fn binner(&self) -> BinnerDescriptor<'static> {
        BinnerDescriptor { per_thread: self.per_thread, ..self.tuning().into() }
    }
}

impl MatchingArguments {
    /// The sizes to measure, in ascending order.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        if self.variants { vec![1 << self.common.max_log2] } else { self.common.sizes() }
    }
}

pub(crate) fn save(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let json = serde_json::to_vec_pretty(value)?;
    std::fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))
}

/// Whether the name contains one of `parts`, or `parts` is empty.
pub(crate) fn wanted(name: &str, parts: &[String]) -> bool {
    parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
}

/// Checks that at least one name contains one of the parts.
pub(crate) fn check_wanted<'a>(
    kind: &str,
    names: impl Iterator<Item = &'a str>,
    parts: &[String],
) -> anyhow::Result<()> {
    let names: Vec<_> = names.collect();
    let is_one = names.iter().any(|name| wanted(name, parts));
    anyhow::ensure!(is_one, "no {kind} has such a name. There are: {}", names.join("; "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_for_unknown_names_list_the_known_names() {
        let check =
            |part: &str| check_wanted("fruit", ["apple", "pear"].into_iter(), &[part.into()]);
        assert!(check("ear").is_ok());
        let error = check("plum").map_err(|error| error.to_string());
        assert_eq!(error, Err("no fruit has such a name. There are: apple; pear".into()));
    }
}
