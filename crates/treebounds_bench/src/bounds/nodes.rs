//! `treebounds::Bounds`: the stage for nodes alone, checked in all that it writes.

use super::Scene;
use super::strategy::{Prepared, Strategy};
use crate::harness::recordables;
use crate::transfer::{Transfer, buffer, bytes};
use crate::trial::{Output, Trial};
use treebounds::wgpu::{self, BufferUsages};
use treebounds::{Bounds, BoundsOutputs, Capacity, Inputs, Options};

/// What its line is called.
pub(crate) const NODES: &str = "treebounds, nodes";

/// Links, clips and contents, without node indices, and no box besides.
pub(super) struct Nodes(Bounds);

impl Nodes {
    pub(super) fn new(device: &wgpu::Device, options: &Options) -> anyhow::Result<Self> {
        Ok(Self(Bounds::new(device, options)?))
    }
}

impl Strategy for Nodes {
    fn name(&self) -> &str {
        NODES
    }

    fn unsuited(&self, scene: &Scene) -> Option<String> {
        (scene.facts.nodes < scene.facts.n).then(|| "has draws".to_owned())
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        let device = &transfer.gpu.device;
        let capacity = Capacity::of(&scene.stream);
        let inputs = Inputs::new(device, capacity)?;
        inputs.write(&transfer.gpu.queue, &scene.stream)?;
        let outputs = outputs(device, capacity.elements)?;
        let scratch = self.0.scratch(capacity.elements)?;
        let job = self.0.bind(&inputs, &outputs, &scratch)?;
        let words = bytemuck::cast_slice::<_, u32>;
        let bounds = &scene.bounds;
        let trial = Trial {
            dispatches: recordables(&job),
            outputs: vec![
                Output::new("links", &outputs.links, bounds.links.as_slice()),
                Output::new("clips", &outputs.clips, words(&bounds.clips)),
                Output::new("contents", &outputs.contents, words(&bounds.contents)),
            ],
        };
        Ok(Prepared { trial, scratch: Some(scratch.bytes()) })
    }
}

/// Outputs of whole vectors, which can be poisoned.
fn outputs(device: &wgpu::Device, elements: u32) -> anyhow::Result<BoundsOutputs> {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let new = |label, words: usize| buffer(device, label, bytes(words * elements as usize), usage);
    Ok(BoundsOutputs {
        links: new("links", 1)?,
        clips: new("clips", 4)?,
        contents: new("contents", 4)?,
    })
}
