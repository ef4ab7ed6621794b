//! `treebounds::Bounds`: the stage for nodes alone, and its clips alone, checked in all that they write.

use super::Scene;
use super::strategy::{Prepared, Strategy};
use crate::harness::recordables;
use crate::transfer::{Transfer, buffer, bytes};
use crate::trial::{Output, Trial};
use treebounds::wgpu::{self, BufferUsages};
use treebounds::{Bounds, BoundsOutputs, Capacity, Inputs, Options, Passes};

/// What its line is called.
pub(crate) const NODES: &str = "treebounds, nodes";
/// The same of clips alone, which is what Vello's stage finds.
pub(crate) const NODE_CLIPS: &str = "treebounds, node clips";

/// Links, clips and contents, without node indices, and no box besides; or without contents.
pub(super) struct Nodes {
    name: &'static str,
    passes: Passes,
    bounds: Bounds,
}

impl Nodes {
    /// Every line there is.
    pub(super) fn lines(device: &wgpu::Device, options: &Options) -> anyhow::Result<Vec<Self>> {
        let lines = [(NODES, Passes::ClipsAndBlends), (NODE_CLIPS, Passes::ClipsOnly)];
        let line = |(name, passes)| {
            Ok(Self { name, passes, bounds: Bounds::with_passes(device, passes, options)? })
        };
        lines.into_iter().map(line).collect()
    }
}

impl Strategy for Nodes {
    fn name(&self) -> &str {
        self.name
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
        let scratch = self.bounds.scratch(capacity.elements)?;
        let job = self.bounds.bind(&inputs, &outputs, &scratch)?;
        let words = bytemuck::cast_slice::<_, u32>;
        let bounds = &scene.bounds;
        let mut expected = vec![
            Output::new("links", &outputs.links, bounds.links.as_slice()),
            Output::new("clips", &outputs.clips, words(&bounds.clips)),
        ];
        if self.passes != Passes::ClipsOnly {
            expected.push(Output::new("contents", &outputs.contents, words(&bounds.contents)));
        }
        let trial = Trial { dispatches: recordables(&job), outputs: expected };
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
