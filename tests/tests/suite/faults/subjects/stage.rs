//! `Stage`: one tile, many tiles in groups, and many elements of which few are nodes.

use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::{Capacity, Counts, Inputs, Outputs, Params, Stage, Tuning, wgpu};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_tests::streams::{random_few_nodes, random_scene};
use wgpu::BufferUsages;

struct Whole {
    stage: Stage,
    stream: Stream,
    expected: Bounds,
    /// Elements for each node that there is room for.
    elements_a_node: u32,
}

pub(super) fn one_tile(device: &wgpu::Device) -> Built {
    build(device, &Tuning::default(), random_scene(3, 100, 40), 1)
}

pub(super) fn many_tiles(device: &wgpu::Device) -> Built {
    build(device, &threads(8), random_scene(4, 700, 40), 1)
}

pub(super) fn few_nodes(device: &wgpu::Device) -> Built {
    build(device, &threads(8), random_few_nodes(5, 600, 75), 8)
}

fn build(device: &wgpu::Device, options: &Tuning, stream: Stream, elements_a_node: u32) -> Built {
    let stage = Stage::new(device, &(*options).into())?;
    let expected = reference::bounds(&stream);
    Ok(Box::new(Whole { stage, stream, expected, elements_a_node }))
}

/// The params of a stream.
pub(super) fn params(stream: &Stream) -> Params {
    let elements = stream.len() as u32;
    Params { viewport: stream.viewport().to_array(), elements, ..Params::default() }
}

impl Whole {
    fn capacity(&self, room: u32) -> Capacity {
        Capacity { elements: room, markers: room / self.elements_a_node }
    }
}

impl Subject for Whole {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let Capacity { elements: n, markers: m } = self.capacity(room);
        let (n, m) = (n.into(), m.into());
        vec![
            Slot::uniform("params", &params(&self.stream)),
            Slot::input("tags", n, self.stream.tags()).in_vectors(),
            Slot::input("rects", n, self.stream.rects()),
            Slot::output::<Counts>("counts", 1).and(BufferUsages::UNIFORM),
            Slot::output::<u32>("markers_before", n),
            Slot::output::<u32>("marker_elements", m),
            Slot::output::<u32>("links", m),
            Slot::output::<Rect>("clips", m),
            Slot::output::<Rect>("contents", m),
            Slot::output::<Rect>("boxes", n),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(self.stage.scratch(self.capacity(room))?))
    }

    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        _: u32,
    ) -> Result<AnyJob, Refusal> {
        let at = |at: usize| buffers[at].clone();
        let inputs = Inputs { params: at(0), tags: at(1), rects: at(2) };
        let outputs = Outputs {
            counts: at(3),
            markers_before: at(4),
            marker_elements: at(5),
            links: at(6),
            clips: at(7),
            contents: at(8),
            boxes: at(9),
        };
        Ok(AnyJob::Core(self.stage.bind(&inputs, &outputs, scratch.tree()?)?))
    }

    fn compare(&self, found: &[Vec<u8>], lied: bool) -> Result<(), String> {
        let (n, m) = (self.stream.len(), self.expected.links.len());
        let counts = first::<Counts>(&found[0], 1)[0];
        let status = if lied { Counts::ELEMENTS_CLAMPED } else { 0 };
        let expected = (n as u32, m as u32, status);
        same("counts", &[(counts.elements, counts.markers, counts.status)], &[expected])?;
        let is_marker = self.stream.tags().iter().map(|tag| u32::from(tag.is_marker()));
        let before: Vec<u32> =
            is_marker.scan(0, |sum, one| Some(std::mem::replace(sum, *sum + one))).collect();
        same("markers_before", &first::<u32>(&found[1], n), &before)?;
        same("marker_elements", &first::<u32>(&found[2], m), &self.expected.marker_elements)?;
        same("links", &first::<u32>(&found[3], m), &self.expected.links)?;
        same("clips", &first::<Rect>(&found[4], m), &self.expected.clips)?;
        same("contents", &first::<Rect>(&found[5], m), &self.expected.contents)?;
        same("boxes", &first::<Rect>(&found[6], n), &self.expected.boxes)
    }
}
