//! Parentheses matching: every strategy on every input at every size, checked,
//! then timed.

mod board;
mod contest;
mod cpu;
mod field;
mod ours;
mod paper;

use crate::arguments::{MatchingArguments, save};
use crate::measure::Harness;
use crate::report;
use contest::Contest;
use treebounds::Gpu;

/// Measures, prints, saves and draws. An error at the end where anything was
/// wrong.
pub(crate) fn run(arguments: &MatchingArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let mut contest = Contest::new(&harness, arguments)?;
    let sizes = arguments.sizes();
    contest.announce(sizes.len());
    for n in sizes {
        contest.size(n);
        if let Some(path) = &arguments.common.json {
            save(path, contest.record())?;
        }
    }
    report::finish(&contest.finish(), &arguments.common, arguments.variants)
}
