//! `treebounds::Stage`, checked in all that it writes.

use super::Scene;
use super::strategy::{Prepared, Strategy};
use crate::harness::Recordable;
use crate::transfer::{Transfer, buffer, bytes};
use crate::trial::{Output, Trial};
use treebounds::{Capacity, Counts, Inputs, Options, Outputs, Stage, wgpu};
use wgpu::BufferUsages;

/// What the line of the whole stage is called: clips and blends at once.
pub(crate) const FUSED: &str = "treebounds, fused";

/// Which outputs a line must write, and what must be in them.
type Expected = for<'s> fn(&Outputs, &'s Scene) -> Vec<Output<'s>>;

/// The stage as a line of the benchmark.
pub(super) struct Ours {
    name: &'static str,
    stage: Stage,
    expected: Expected,
}

impl Ours {
    /// Every line there is: a name, how to build the stage, and what it must write.
    pub(super) fn lines(device: &wgpu::Device, options: &Options) -> anyhow::Result<Vec<Self>> {
        let lines: [(&str, Options, Expected); 1] = [(FUSED, *options, everything)];
        let line = |(name, options, expected)| {
            Ok(Self { name, stage: Stage::new(device, &options)?, expected })
        };
        lines.into_iter().map(line).collect()
    }

    /// The elements that a workgroup takes.
    pub(super) fn tile(&self) -> usize {
        self.stage.variant().tile() as usize
    }

    /// What was chosen, in a few words: threads a workgroup x elements a thread.
    pub(super) fn describe(&self) -> String {
        let variant = self.stage.variant();
        let with = if variant.subgroups() { "with" } else { "without" };
        format!("{} x {}, {with} subgroups", variant.workgroup_size(), variant.per_thread())
    }
}

impl Strategy for Ours {
    fn name(&self) -> &str {
        self.name
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
        let outputs = outputs(device, capacity)?;
        let scratch = self.stage.scratch(capacity)?;
        let job = self.stage.bind(&inputs, &outputs, &scratch)?;
        let dispatches = job.dispatches().iter();
        let trial = Trial {
            dispatches: dispatches.map(|d| Box::new(d.clone()) as Box<dyn Recordable>).collect(),
            outputs: (self.expected)(&outputs, scene),
        };
        Ok(Prepared { trial, scratch: Some(scratch.bytes()) })
    }
}

/// Outputs of whole vectors, which can be poisoned.
fn outputs(device: &wgpu::Device, capacity: Capacity) -> anyhow::Result<Outputs> {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let new = |label, words: usize, count: u32| {
        buffer(device, label, bytes(words * count as usize), usage)
    };
    let Capacity { elements: n, nodes: m } = capacity;
    let counts = size_of::<Counts>() as u64;
    Ok(Outputs {
        counts: buffer(device, "counts", counts, usage | BufferUsages::UNIFORM)?,
        nodes_before: new("nodes_before", 1, n)?,
        node_elements: new("node_elements", 1, m)?,
        links: new("links", 1, m)?,
        clips: new("clips", 4, m)?,
        contents: new("contents", 4, m)?,
        bounds: new("bounds", 4, n)?,
    })
}

fn everything<'s>(outputs: &Outputs, scene: &'s Scene) -> Vec<Output<'s>> {
    let (facts, bounds) = (&scene.facts, &scene.bounds);
    let counts = vec![facts.n as u32, facts.nodes as u32, 0];
    let words = bytemuck::cast_slice::<_, u32>;
    vec![
        Output::new("counts", &outputs.counts, counts),
        Output::new("nodes_before", &outputs.nodes_before, nodes_before(scene)),
        Output::new("node_elements", &outputs.node_elements, bounds.node_elements.as_slice()),
        Output::new("links", &outputs.links, bounds.links.as_slice()),
        Output::new("clips", &outputs.clips, words(&bounds.clips)),
        Output::new("contents", &outputs.contents, words(&bounds.contents)),
        Output::new("bounds", &outputs.bounds, words(&bounds.bounds)),
    ]
}

/// For each element, how many nodes precede it.
fn nodes_before(scene: &Scene) -> Vec<u32> {
    let before = scene.tags().iter().scan(0, |nodes, tag| {
        let before = *nodes;
        *nodes += u32::from(tag.is_node());
        Some(before)
    });
    before.collect()
}
