//! `HostClips`, in buffers of a renderer's own.

use super::stage::params;
use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::device::scoped;
use treebounds::{Host, HostClips, wgpu};
use treebounds_core::{Rect, Role, Stream, Tag, reference};
use treebounds_tests::streams::random_scene;

/// A uniform like `Params`, one word and one box per element, and one box per element for the answer.
pub(crate) const WGSL: &str = "
    struct Frame { viewport: vec4<f32>, count: u32, pad0: u32, pad1: u32, pad2: u32 }
    @group(1) @binding(0) var<uniform> frame: Frame;
    @group(1) @binding(1) var<storage, read> kinds: array<u32>;
    @group(1) @binding(2) var<storage, read> boxes: array<vec4<f32>>;
    @group(1) @binding(3) var<storage, read_write> clips: array<vec4<f32>>;

    fn host_count() -> u32 { return frame.count; }
    fn host_viewport() -> vec4<f32> { return frame.viewport; }
    fn host_role(item: u32) -> u32 { return kinds[item]; }
    fn host_rect(item: u32) -> vec4<f32> { return boxes[item]; }
    alias HostTop = u32;
    fn host_top(item: u32, role: u32, top: u32) -> HostTop { return 0u; }
    fn host_emit(
        item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: HostTop,
    ) {
        clips[item] = clip;
    }
";

/// What group 1 binds.
pub(crate) const LAYOUT: [wgpu::BufferBindingType; 4] = [
    wgpu::BufferBindingType::Uniform,
    wgpu::BufferBindingType::Storage { read_only: true },
    wgpu::BufferBindingType::Storage { read_only: true },
    wgpu::BufferBindingType::Storage { read_only: false },
];

/// The layout of such a group.
pub(crate) fn layout(
    device: &wgpu::Device,
    binds: &[wgpu::BufferBindingType],
) -> wgpu::BindGroupLayout {
    let entry = |(ty, binding): (&wgpu::BufferBindingType, u32)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: *ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<_> = binds.iter().zip(0..).map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("host"),
        entries: &entries,
    })
}

struct Clips {
    device: wgpu::Device,
    layout: wgpu::BindGroupLayout,
    clips: HostClips,
    stream: Stream,
    expected: Vec<Rect>,
}

pub(super) fn build(device: &wgpu::Device) -> Built {
    let layout = scoped(device, || layout(device, &LAYOUT)).map_err(Refusal::wgpu)?;
    let host = Host { wgsl: WGSL, bindings: &layout };
    let clips = HostClips::new(device, &host, &threads(32).into())?;
    let stream = random_scene(13, 100, 40);
    let bounds = reference::bounds(&stream);
    let mut expected = bounds.boxes;
    for (element, clip) in bounds.marker_elements.iter().zip(&bounds.clips) {
        expected[*element as usize] = *clip;
    }
    Ok(Box::new(Clips { device: device.clone(), layout, clips, stream, expected }))
}

fn role(tag: &Tag) -> u32 {
    match tag.role() {
        Role::Draw => 0,
        Role::Begin => 1,
        Role::End => 2,
    }
}

impl Subject for Clips {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        let kinds: Vec<u32> = self.stream.tags().iter().map(role).collect();
        vec![
            Slot::uniform("params", &params(&self.stream)),
            Slot::input("kinds", n, &kinds),
            Slot::input("boxes", n, self.stream.rects()),
            Slot::output::<Rect>("clips", n),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(self.clips.scratch(room)?))
    }

    /// The library reports mistakes in the group.
    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        _: u32,
    ) -> Result<AnyJob, Refusal> {
        let entries: Vec<_> = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let filters = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("host"),
            layout: &self.layout,
            entries: &entries,
        });
        scopes.into_iter().rev().for_each(|scope| drop(scope.pop()));
        Ok(AnyJob::Core(self.clips.bind(&group, scratch.tree()?)?))
    }

    fn compare(&self, found: &[Vec<u8>], _: bool) -> Result<(), String> {
        same("clips", &first::<Rect>(&found[0], self.expected.len()), &self.expected)
    }

    fn checks(&self) -> bool {
        false
    }
}
