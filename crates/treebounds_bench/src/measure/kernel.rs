//! A compute kernel and its bindings, numbered in order.

use super::harness::Recordable;
use anyhow::{Context, anyhow};
use treebounds::wgpu;

/// A pipeline.
#[derive(Debug)]
pub(crate) struct Kernel {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
}

/// A dispatch with everything bound.
#[derive(Debug)]
pub(crate) struct Bound {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    groups: [u32; 2],
}

impl Kernel {
    /// Compiles the kernel `main` of a WGSL source, with the checks that wgpu adds
    /// to every index and loop, or without.
    pub(crate) fn new(
        device: &wgpu::Device,
        label: &'static str,
        source: &str,
        checked: bool,
    ) -> anyhow::Result<Self> {
        let pipeline = scoped(device, || compile(device, label, source, checked))
            .with_context(|| format!("the device refused the kernel `{label}`"))?;
        Ok(Self { label, pipeline })
    }

    /// Binds buffers to the bindings 0, 1, ..., for this many workgroups.
    pub(crate) fn bind(
        &self,
        device: &wgpu::Device,
        buffers: &[&wgpu::Buffer],
        groups: u64,
    ) -> anyhow::Result<Bound> {
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bind_group = scoped(device, || {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(self.label),
                layout: &self.pipeline.get_bind_group_layout(0),
                entries: &entries,
            })
        })
        .with_context(|| format!("the device refused the buffers of `{}`", self.label))?;
        let groups = grid(groups, device.limits().max_compute_workgroups_per_dimension);
        Ok(Bound { label: self.label, pipeline: self.pipeline.clone(), bind_group, groups })
    }
}

impl Recordable for Bound {
    fn label(&self) -> &str {
        self.label
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}

fn compile(
    device: &wgpu::Device,
    label: &'static str,
    source: &str,
    checked: bool,
) -> wgpu::ComputePipeline {
    let module = module(device, label, source, checked);
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        // No kernel here reads workgroup memory that it has not written.
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}

fn module(
    device: &wgpu::Device,
    label: &'static str,
    source: &str,
    checked: bool,
) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    };
    if checked {
        return device.create_shader_module(descriptor);
    }
    let checks = wgpu::ShaderRuntimeChecks::unchecked();
    // SAFETY: `copy` and `poison` compare each index with the length; the headers
    // of the paper's kernels say why theirs are in bounds. Loops count to a bound.
    // Vello runs its own without checks too, and gets no scene past its limits here;
    // its binning gets buffers as large as its configuration says.
    // The tests run with the checks as well.
    #[expect(unsafe_code, reason = "small kernels; what they are compared with has no checks")]
    unsafe {
        device.create_shader_module_trusted(descriptor, checks)
    }
}

/// Does something on a device; its errors come back instead of ending the
/// program.
pub(crate) fn scoped<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> anyhow::Result<T> {
    treebounds::device::scoped(device, work).map_err(|message| anyhow!(message))
}

/// At least this many workgroups, in as few equal rows as fit.
fn grid(groups: u64, widest: u32) -> [u32; 2] {
    let rows = groups.div_ceil(widest.into()).max(1);
    [groups.div_ceil(rows) as u32, rows as u32]
}
