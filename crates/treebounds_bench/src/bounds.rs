//! Bounding boxes: every strategy on every input at every size, checked, then timed.

mod contest;
mod copy;
mod cpu;
mod field;
mod floors;
mod nodes;
mod ours;
mod scene;
mod strategy;
mod vello;

pub(crate) use floors::floors;
pub(crate) use nodes::{NODE_CLIPS, NODES};
pub(crate) use ours::{BLENDS, CLIPS, FUSED};
pub(crate) use scene::Scene;
pub(crate) use vello::{CPU as VELLO_CPU, GPU as VELLO_GPU};

use crate::arguments::{BoundsArguments, save};
use crate::harness::Harness;
use crate::present;
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
    present::finish(&contest.finish(), &arguments.common, false)
}
