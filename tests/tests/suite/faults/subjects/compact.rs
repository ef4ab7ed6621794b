//! `Compactor`.

use super::stage::params;
use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::{Capacity, CompactBindings, Compactor, Counts, wgpu};
use treebounds_core::Stream;
use treebounds_tests::gpu::whole;
use treebounds_tests::streams::random_scene;

struct Compaction {
    compact: Compactor,
    stream: Stream,
}

pub(super) fn build(device: &wgpu::Device) -> Built {
    let compact = Compactor::new(device, &threads(8).into())?;
    Ok(Box::new(Compaction { compact, stream: random_scene(10, 300, 60) }))
}

impl Subject for Compaction {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        vec![
            Slot::uniform("params", &params(&self.stream)),
            Slot::input("tags", n, self.stream.tags()).in_vectors(),
            Slot::output::<u32>("markers_before", n),
            Slot::output::<u32>("marker_elements", n),
            Slot::output::<Counts>("counts", 1),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        let capacity = Capacity { elements: room, markers: room };
        Ok(AnyScratch::Tree(self.compact.scratch(capacity)?))
    }

    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        _: u32,
    ) -> Result<AnyJob, Refusal> {
        let [params, tags, before, elements, counts] = buffers else {
            return Err(Refusal::wrong("five buffers"));
        };
        let buffers = CompactBindings {
            params: whole(params),
            tags: whole(tags),
            markers_before: whole(before),
            marker_elements: whole(elements),
            counts: whole(counts),
        };
        Ok(AnyJob::Core(self.compact.bind(&buffers, scratch.tree()?)?))
    }

    fn compare(&self, found: &[Vec<u8>], lied: bool) -> Result<(), String> {
        let (mut before, mut elements) = (Vec::new(), Vec::new());
        for (tag, at) in self.stream.tags().iter().zip(0..) {
            before.push(elements.len() as u32);
            elements.extend(tag.is_marker().then_some(at));
        }
        same("markers_before", &first::<u32>(&found[0], before.len()), &before)?;
        same("marker_elements", &first::<u32>(&found[1], elements.len()), &elements)?;
        let counts = first::<Counts>(&found[2], 1)[0];
        let status = if lied { Counts::ELEMENTS_CLAMPED } else { 0 };
        let expected = (before.len() as u32, elements.len() as u32, status);
        same("counts", &[(counts.elements, counts.markers, counts.status)], &[expected])
    }
}
