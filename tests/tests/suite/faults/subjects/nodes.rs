//! `NodeStage`.

use super::stage::params;
use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::{Inputs, NodeOutputs, NodeStage, wgpu};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_tests::streams::random_walk;

struct Nodes {
    stage: NodeStage,
    stream: Stream,
    expected: Bounds,
}

pub(super) fn build(device: &wgpu::Device) -> Built {
    let stage = NodeStage::new(device, &threads(32).into())?;
    let stream = random_walk(6, 100);
    let expected = reference::bounds(&stream);
    Ok(Box::new(Nodes { stage, stream, expected }))
}

impl Subject for Nodes {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        vec![
            Slot::uniform("params", &params(&self.stream)),
            Slot::input("tags", n, self.stream.tags()).in_vectors(),
            Slot::input("rects", n, self.stream.rects()),
            Slot::output::<u32>("links", n),
            Slot::output::<Rect>("clips", n),
            Slot::output::<Rect>("contents", n),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(self.stage.scratch(room)?))
    }

    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        _: u32,
    ) -> Result<AnyJob, Refusal> {
        let at = |at: usize| buffers[at].clone();
        let inputs = Inputs { params: at(0), tags: at(1), rects: at(2) };
        let outputs = NodeOutputs { links: at(3), clips: at(4), contents: at(5) };
        Ok(AnyJob::Core(self.stage.bind(&inputs, &outputs, scratch.tree()?)?))
    }

    fn compare(&self, found: &[Vec<u8>], _: bool) -> Result<(), String> {
        let n = self.stream.len();
        same("links", &first::<u32>(&found[0], n), &self.expected.links)?;
        same("clips", &first::<Rect>(&found[1], n), &self.expected.clips)?;
        same("contents", &first::<Rect>(&found[2], n), &self.expected.contents)
    }
}
