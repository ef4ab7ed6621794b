//! Every part of the library that makes a job of buffers.

mod bins;
mod clips;
mod compact;
mod fix;
mod host;
mod matching;
mod nodes;
mod stage;

pub(crate) use fix::MONOID;
pub(crate) use host::{LAYOUT, WGSL as HOST_WGSL, layout};

use crate::faults::subject::Subject;
use crate::faults::table::Refusal;
use treebounds::{Tuning, wgpu};

type Built = Result<Box<dyn Subject>, Refusal>;

/// Builds a subject for a device.
pub(crate) type Build = fn(&wgpu::Device) -> Built;

/// The name of each subject, and the function that builds it.
pub(crate) const ALL: [(&str, Build); 15] = [
    ("stage", stage::one_tile),
    ("stage_of_many_tiles", stage::many_tiles),
    ("stage_of_few_nodes", stage::few_nodes),
    ("node_stage", nodes::build),
    ("match", matching::tags),
    ("match_roles", matching::roles),
    ("match_bits", matching::bits),
    ("compact", compact::build),
    ("bin", bins::lists),
    ("bin_pieces", bins::pieces),
    ("root_fix", fix::root),
    ("leaf_fix", fix::leaf),
    ("host_clips", host::build),
    ("clip_stage", clips::build),
    ("clip_stage_that_shrinks", clips::build_shrinking),
];

/// Builds the subjects with these names.
pub(crate) fn some(
    device: &wgpu::Device,
    names: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Box<dyn Subject>)> {
    let build = |(name, build): (&'static str, Build)| match build(device) {
        Ok(subject) => (name, subject),
        Err(refusal) => panic!("{name}: {refusal:?}"),
    };
    ALL.into_iter().filter(|(name, _)| names(name)).map(build).collect()
}

/// Workgroups of so many threads.
fn threads(threads: u32) -> Tuning {
    Tuning { workgroup_size: Some(threads), ..Tuning::default() }
}
