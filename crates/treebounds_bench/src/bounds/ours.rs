//! `treebounds::Stage` and `treebounds::NodeStage`, with checks of all outputs.

use crate::bounds::scene::Scene;
use crate::contest::{Prepared, Strategy};
use crate::measure::{Output, Transfer, Trial, recordables};
use crate::record::{BLENDS, CLIPS, FUSED, MARKER_CLIPS, MARKERS};
use treebounds::{
    Capacity, Inputs, NodeOutputs, NodeStage, Outputs, Passes, Stage, StageDescriptor, Tuning,
    Variant, wgpu,
};
use treebounds_core::{Rect, Role, Stream, reference};

/// Returns the outputs of a strategy with their expected contents.
type Expected = for<'s> fn(&Outputs, &'s Scene) -> Vec<Output<'s>>;

/// The stage as a strategy of the benchmark.
#[derive(Clone)]
pub(super) struct Ours {
    name: &'static str,
    stage: Stage,
    expected: Expected,
}

impl Ours {
    /// All strategies for whole scenes, starting with both passes.
    pub(super) fn lines(device: &wgpu::Device, options: &Tuning) -> anyhow::Result<Vec<Self>> {
        let lines: [(_, _, Expected); 3] = [
            (FUSED, Passes::ClipsAndBlends, everything),
            (CLIPS, Passes::ClipsOnly, clips),
            (BLENDS, Passes::BlendsOnly, blends),
        ];
        let line = |(name, passes, expected)| {
            Ok(Self {
                name,
                stage: Stage::new(
                    device,
                    &StageDescriptor {
                        passes,
                        few_markers: true,
                        filter_depth: if passes == Passes::ClipsAndBlends { 16 } else { 0 },
                        tuning: *options,
                        ..Default::default()
                    },
                )?,
                expected,
            })
        };
        lines.into_iter().map(line).collect()
    }

    /// The elements per workgroup for `n` elements.
    pub(super) fn tile(&self, n: usize) -> usize {
        self.variant(n).tile() as usize
    }

    /// Describes the variants for these sizes: threads per workgroup x elements per thread.
    pub(super) fn describe(&self, sizes: &[usize]) -> String {
        let mut threads: Vec<_> = sizes.iter().map(|&n| self.variant(n).workgroup_size()).collect();
        threads.sort_unstable();
        threads.dedup();
        let threads: Vec<_> = threads.iter().map(|threads| format!("{threads} x 1")).collect();
        let with = if self.variant(0).subgroups() { "with" } else { "without" };
        format!("{}, {with} subgroups", threads.join(" or "))
    }

    fn variant(&self, n: usize) -> Variant {
        self.stage.variant(u32::try_from(n).unwrap_or(u32::MAX))
    }
}

impl Strategy<Scene> for Ours {
    fn name(&self) -> &str {
        self.name
    }

    fn unsuited_reason(&self, scene: &Scene) -> Option<String> {
        (self.name != FUSED && scene.stream.has_filters()).then(|| "has filters".to_owned())
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        let device = &transfer.gpu.device;
        let capacity = Capacity::of(&scene.stream);
        let inputs = Inputs::new(device, capacity)?;
        let scratch = self.stage.scratch(capacity)?;
        if self.name == BLENDS {
            inputs.write(&transfer.gpu.queue, &unclipped(scene)?)?;
        } else {
            inputs.write(&transfer.gpu.queue, &scene.stream)?;
        }
        let Capacity { elements, markers, .. } = capacity;
        let room = Capacity { elements: whole(elements), markers: whole(markers), filter_depth: 0 };
        let outputs = Outputs::new(device, room)?;
        let job = self.stage.bind(&inputs, &outputs, &scratch)?;
        let trial =
            Trial { dispatches: recordables(&job), outputs: (self.expected)(&outputs, scene) };
        Ok(Prepared { trial, scratch: Some(scratch.bytes()) })
    }
}

/// Rounds a capacity up to whole vectors, at least one, for poisoning.
fn whole(count: u32) -> u32 {
    count.max(1).next_multiple_of(4)
}

/// The outputs that every pass writes.
fn structure<'s>(outputs: &Outputs, scene: &'s Scene) -> Vec<Output<'s>> {
    let (facts, bounds) = (&scene.facts, &scene.bounds);
    let counts = vec![facts.n as u32, facts.markers as u32, 0];
    vec![
        Output::new("counts", &outputs.counts, counts),
        Output::new("markers_before", &outputs.markers_before, markers_before(scene)),
        Output::new("marker_elements", &outputs.marker_elements, bounds.marker_elements.as_slice()),
        Output::new("links", &outputs.links, bounds.links.as_slice()),
    ]
}

fn clips<'s>(outputs: &Outputs, scene: &'s Scene) -> Vec<Output<'s>> {
    let words = bytemuck::cast_slice::<_, u32>(&scene.bounds.clips);
    let clips = Output::new("clips", &outputs.clips, words);
    structure(outputs, scene).into_iter().chain([clips]).collect()
}

fn everything<'s>(outputs: &Outputs, scene: &'s Scene) -> Vec<Output<'s>> {
    let words = bytemuck::cast_slice::<_, u32>;
    let contents = Output::new("contents", &outputs.contents, words(&scene.bounds.contents));
    let bounds = Output::new("bounds", &outputs.boxes, words(&scene.bounds.boxes));
    clips(outputs, scene).into_iter().chain([contents, bounds]).collect()
}

/// The outputs of a stage with blends only.
fn blends<'s>(outputs: &Outputs, scene: &'s Scene) -> Vec<Output<'s>> {
    let bounds = unclipped(scene).map(|stream| reference::bounds(&stream)).unwrap_or_default();
    let words = |rects: &[Rect]| bytemuck::cast_slice::<_, u32>(rects).to_vec();
    let contents = Output::new("contents", &outputs.contents, words(&bounds.contents));
    let bounds = Output::new("bounds", &outputs.boxes, words(&bounds.boxes));
    structure(outputs, scene).into_iter().chain([contents, bounds]).collect()
}

/// Removes all clips from a scene, because blends only use the unclipped boxes of draws.
fn unclipped(scene: &Scene) -> anyhow::Result<Stream> {
    let (tags, viewport) = (scene.tags(), scene.stream.viewport());
    let rects = tags.iter().zip(scene.stream.rects()).map(|(tag, rect)| match tag.role() {
        Role::Draw => rect.intersect(viewport),
        _ => Rect::EVERYTHING,
    });
    Ok(Stream::new(tags.to_vec(), rects.collect(), viewport)?)
}

/// The number of markers before each element.
fn markers_before(scene: &Scene) -> Vec<u32> {
    let before = scene.tags().iter().scan(0, |markers, tag| {
        let before = *markers;
        *markers += u32::from(tag.is_marker());
        Some(before)
    });
    before.collect()
}

/// A strategy that computes links, clips and optionally contents, without marker indices and boxes.
pub(super) struct Nodes {
    name: &'static str,
    passes: Passes,
    bounds: NodeStage,
}

impl Nodes {
    pub(super) fn lines(device: &wgpu::Device, options: &Tuning) -> anyhow::Result<Vec<Self>> {
        let lines = [(MARKERS, Passes::ClipsAndBlends), (MARKER_CLIPS, Passes::ClipsOnly)];
        let line = |(name, passes)| {
            Ok(Self {
                name,
                passes,
                bounds: NodeStage::new(
                    device,
                    &StageDescriptor {
                        passes,
                        filter_depth: if passes == Passes::ClipsAndBlends { 16 } else { 0 },
                        tuning: *options,
                        ..Default::default()
                    },
                )?,
            })
        };
        lines.into_iter().map(line).collect()
    }
}

impl Strategy<Scene> for Nodes {
    fn name(&self) -> &str {
        self.name
    }

    fn unsuited_reason(&self, scene: &Scene) -> Option<String> {
        if self.passes != Passes::ClipsAndBlends && scene.stream.has_filters() {
            return Some("has filters".to_owned());
        }
        (scene.facts.markers < scene.facts.n).then(|| "has draws".to_owned())
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        let device = &transfer.gpu.device;
        let capacity = Capacity::of(&scene.stream);
        let inputs = Inputs::new(device, capacity)?;
        let scratch = self.bounds.scratch(capacity)?;
        inputs.write(&transfer.gpu.queue, &scene.stream)?;
        let outputs = NodeOutputs::new(device, whole(capacity.elements))?;
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
