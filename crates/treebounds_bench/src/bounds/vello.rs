//! Vello's own clip stage on the same nodes: `clip_reduce` and `clip_leaf`, as the
//! crate `vello_shaders` has them, on the GPU and on the CPU.
//!
//! It finds the clip of each begin, the clip *around* each end, and which begin an end
//! closes; no unions. Its algorithm on the GPU has limits, past which it is wrong
//! without a word ([`limit`]); the one on the CPU has none.

mod cpu;
mod gpu;
mod layers;

#[cfg(test)]
mod tests;

pub(crate) use cpu::{NAME as CPU, VelloCpu};
pub(crate) use gpu::{NAME as GPU, VelloGpu};

use treebounds_core::{Role, Tag};

/// Threads a workgroup and elements a partition.
const PARTITION: usize = 256;

/// The most nodes: a workgroup combines the partitions before it, one a thread.
const MOST: usize = PARTITION * (PARTITION + 1);

/// Why Vello's clip stage cannot take these elements at all: it knows layers alone,
/// and takes for granted that an end has a begin.
fn unsuited(tags: &[Tag]) -> Option<String> {
    let mut depth = 0_usize;
    for tag in tags {
        match tag.role() {
            Role::Draw => return Some("has draws".to_owned()),
            Role::Begin => depth += 1,
            Role::End if depth == 0 => return Some("end without begin".to_owned()),
            Role::End => depth -= 1,
        }
    }
    None
}

/// Which of its limits on the GPU these nodes exceed: how many there are, or how many
/// are open where one partition ends and another begins.
fn limit(tags: &[Tag]) -> Option<String> {
    if tags.len() > MOST {
        return Some(format!("n > {MOST}"));
    }
    let mut depth = 0_usize;
    for (ix, tag) in tags.iter().enumerate() {
        if ix % PARTITION == 0 && depth > PARTITION {
            return Some(format!("depth > {PARTITION}"));
        }
        match tag.role() {
            Role::Begin => depth += 1,
            Role::End => depth = depth.saturating_sub(1),
            Role::Draw => (),
        }
    }
    None
}
