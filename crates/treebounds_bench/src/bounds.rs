//! Bounding boxes: every strategy on every input at every size, checked, then timed.

mod contest;
mod cpu;
mod field;
mod ours;
mod scene;
mod strategy;
mod vello;

pub(crate) use scene::Scene;

use crate::arguments::{BoundsArguments, save};
use crate::measure::Harness;
use crate::report;
use contest::Contest;
use treebounds::Gpu;

/// Measures, prints, saves and draws. An error at the end where anything was
/// wrong.
pub(crate) fn run(arguments: &BoundsArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let mut contest = Contest::new(&harness, arguments)?;
    contest.announce();
    for n in arguments.common.sizes() {
        contest.size(n);
        if let Some(path) = &arguments.common.json {
            save(path, contest.record())?;
        }
    }
    report::finish(&contest.finish(), &arguments.common, false)
}
