//! `treebounds::Match`, in any variant.

use crate::board::Board;
use crate::harness::Recordable;
use crate::strategy::Strategy;
use treebounds::{Capacity, Inputs, Match, Options, Params, wgpu};

/// What the line of the default is called.
pub(crate) const NAME: &str = "treebounds";

/// Matching as the library does it.
pub(crate) struct Ours {
    name: String,
    matching: Match,
}

impl Ours {
    /// The variant that these options choose.
    pub(crate) fn new(
        device: &wgpu::Device,
        name: impl Into<String>,
        options: &Options,
    ) -> anyhow::Result<Self> {
        Ok(Self { name: name.into(), matching: Match::new(device, options)? })
    }

    /// The elements that a workgroup takes.
    pub(crate) fn tile(&self) -> usize {
        self.matching.variant(u32::MAX).tile() as usize
    }

    /// What was chosen, in a few words.
    pub(crate) fn describe(&self) -> String {
        let variant = self.matching.variant(u32::MAX);
        format!(
            "{} threads a workgroup, {} elements a thread, {} subgroups",
            variant.workgroup_size(),
            variant.per_thread(),
            if variant.subgroups() { "with" } else { "without" }
        )
    }
}

impl Strategy for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        let elements = u32::try_from(board.n)?;
        let inputs = Inputs::new(&board.gpu.device, Capacity { elements: 0, nodes: 0 })?;
        let params = Params { elements, ..Params::default() };
        board.gpu.queue.write_buffer(&inputs.params, 0, bytemuck::bytes_of(&params));
        let scratch = self.matching.scratch(elements)?;
        let job = self.matching.bind(&inputs.params, &board.tags, &board.links, &scratch)?;
        Ok(job.dispatches().iter().map(|dispatch| Box::new(dispatch.clone()) as _).collect())
    }
}
