//! The copy kernel: a word in, a word out. Nothing that reads its input and
//! writes an output of the same size can be faster.

use super::harness::Recordable;
use super::kernel::Kernel;
use treebounds::wgpu;

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

/// Copies the tags to where the links belong.
pub(crate) struct Copy(Kernel);

impl Copy {
    pub(crate) fn new(device: &wgpu::Device, checked: bool) -> anyhow::Result<Self> {
        Ok(Self(Kernel::new(device, "copy", SOURCE, checked)?))
    }

    /// Copies one buffer to another that is as large, in whole vectors.
    pub(crate) fn between(
        &self,
        device: &wgpu::Device,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) -> anyhow::Result<Box<dyn Recordable>> {
        let groups = source.size().div_ceil(16 * 256).max(1);
        Ok(Box::new(self.0.bind(device, &[source, target], groups)?))
    }
}
