//! What is recorded: a list of dispatches with everything bound.

use crate::Error;
use crate::buffers::Bound;
use crate::pipelines::Pipeline;
use crate::plan::grid;
use crate::ready::scoped;
use crate::scratch::Levels;
use treebounds_shaders::Binding;

/// One dispatch, ready to be recorded.
#[derive(Clone, Debug)]
pub struct Dispatch {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    host: Option<wgpu::BindGroup>,
    groups: [u32; 2],
}

impl Dispatch {
    /// The name of its kernel.
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// How many workgroups it starts, at most.
    pub fn workgroups(&self) -> u64 {
        u64::from(self.groups[0]) * u64::from(self.groups[1])
    }

    /// Records it alone, for timing one dispatch after the other.
    ///
    /// # Safety
    /// All dispatches of the job must be recorded, in order, with nothing between
    /// them that writes to the job's buffers: a kernel trusts the indices that the
    /// kernels before it wrote. [`Job::record`] sees to that.
    #[expect(unsafe_code, reason = "kernels run without bounds checks")]
    pub unsafe fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.record_unchecked(pass);
    }

    fn record_unchecked(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group(self.label);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        if self.host.is_some() {
            pass.set_bind_group(1, self.host.as_ref(), &[]);
        }
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        pass.pop_debug_group();
    }
}

/// Everything a frame dispatches, bound to its buffers. Recording it allocates,
/// submits and waits for nothing, as often as the caller likes.
#[derive(Clone, Debug)]
pub struct Job {
    label: &'static str,
    dispatches: Vec<Dispatch>,
}

impl Job {
    /// Records into an encoder, in a compute pass of its own.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(self.label),
            timestamp_writes: None,
        });
        self.record_in_pass(&mut pass);
    }

    /// Records into a compute pass that is open.
    pub fn record_in_pass(&self, pass: &mut wgpu::ComputePass<'_>) {
        for dispatch in &self.dispatches {
            dispatch.record_unchecked(pass);
        }
    }

    /// Nothing to dispatch.
    pub(crate) fn empty(label: &'static str) -> Self {
        Self { label, dispatches: Vec::new() }
    }

    /// This job, then the other.
    pub(crate) fn then(mut self, other: Self) -> Self {
        self.dispatches.extend(other.dispatches);
        self
    }

    /// The dispatches, in order.
    pub fn dispatches(&self) -> &[Dispatch] {
        &self.dispatches
    }
}

fn resource((buffer, bytes): Bound<'_>) -> wgpu::BindingResource<'_> {
    let size = wgpu::BufferSize::new(bytes);
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size })
}

/// Binds dispatches one after the other.
pub(crate) struct JobBuilder<'a> {
    device: &'a wgpu::Device,
    /// Each buffer, and how many bytes of it are bound: what the capacity needs.
    buffers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
    levels: Option<&'a Levels>,
    /// The bind group of a host.
    host: Option<&'a wgpu::BindGroup>,
    dispatches: Vec<Dispatch>,
}

impl<'a> JobBuilder<'a> {
    /// One without a host.
    pub(crate) fn new(
        device: &'a wgpu::Device,
        buffers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
        levels: impl Into<Option<&'a Levels>>,
    ) -> Self {
        let levels = levels.into();
        Self { device, buffers, levels, host: None, dispatches: Vec::new() }
    }

    pub(crate) fn with_host(self, host: Option<&'a wgpu::BindGroup>) -> Self {
        Self { host, ..self }
    }

    /// Adds a dispatch of this many workgroups; `level` numbers the uniform that
    /// it reads its level from, where it reads one.
    pub(crate) fn add(
        &mut self,
        pipeline: &Pipeline,
        groups: u32,
        level: usize,
    ) -> Result<(), Error> {
        let label = pipeline.kernel.name();
        let bindings = &pipeline.binds;
        let mut entries = Vec::with_capacity(bindings.len());
        for (binding, _) in bindings {
            let resource = match binding {
                Binding::Level | Binding::Bin => {
                    self.levels.and_then(|levels| levels.binding(level))
                }
                other => (self.buffers)(*other).map(resource),
            };
            let Some(resource) = resource else {
                let message = format!("nothing is bound to {:?}", binding);
                return Err(Error::Kernel { kernel: label, message });
            };
            entries.push(wgpu::BindGroupEntry { binding: binding.number(), resource });
        }
        let descriptor = wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &pipeline.bindings,
            entries: &entries,
        };
        let bind_group = scoped(self.device, || self.device.create_bind_group(&descriptor))
            .map_err(Error::Device)?;
        let groups = grid(groups, &self.device.limits())?;
        let pipeline = pipeline.pipeline.clone();
        let host = self.host.cloned();
        self.dispatches.push(Dispatch { label, pipeline, bind_group, host, groups });
        Ok(())
    }

    pub(crate) fn finish(self, label: &'static str) -> Job {
        Job { label, dispatches: self.dispatches }
    }
}
