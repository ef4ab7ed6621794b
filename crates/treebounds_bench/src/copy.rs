//! The copy kernel: a word in, a word out. Nothing that reads its input and
//! writes an output of the same size can be faster.

use crate::harness::{Harness, Measured, Recordable};
use treebounds::wgpu;
use wgpu::BufferUsages;

const SOURCE: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> target_words: array<vec4<u32>>;
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (id.y * groups.x + id.x) * 256u + thread;
    if at < arrayLength(&source) {
        target_words[at] = source[at];
    }
}
";

struct Copy {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    groups: [u32; 2],
}

impl Recordable for Copy {
    fn label(&self) -> &str {
        "copy"
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}

/// The time to copy `n` words.
pub(crate) fn measure(harness: &Harness, n: usize) -> anyhow::Result<Measured> {
    let device = &harness.gpu.device;
    let buffer = || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy"),
            size: (4 * n as u64).next_multiple_of(16),
            usage: BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let (source, target) = (buffer(), buffer());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("copy"),
        source: wgpu::ShaderSource::Wgsl(SOURCE.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("copy"),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("copy"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: source.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: target.as_entire_binding() },
        ],
    });
    let groups = n.div_ceil(4 * 256) as u32;
    let rows = groups.div_ceil(65_535).max(1);
    let copy = Copy { pipeline, bind_group, groups: [groups.div_ceil(rows), rows] };
    harness.measure(&[&copy])
}
