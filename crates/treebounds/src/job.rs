//! What is recorded: a list of dispatches with everything bound.

use crate::Error;
use crate::pipelines::Pipeline;
use crate::plan::grid;
use crate::scratch::Levels;
use treebounds_shaders::Binding;

/// One dispatch, ready to be recorded.
#[derive(Clone, Debug)]
pub struct Dispatch {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
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

    /// Records it alone, for timing one dispatch after the other. Together they
    /// must be recorded in order.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group(self.label);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
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
            dispatch.record(pass);
        }
    }

    /// The dispatches, in order.
    pub fn dispatches(&self) -> &[Dispatch] {
        &self.dispatches
    }
}

/// Binds dispatches one after the other.
pub(crate) struct JobBuilder<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) buffers: &'a dyn Fn(Binding) -> Option<&'a wgpu::Buffer>,
    pub(crate) levels: &'a Levels,
    pub(crate) dispatches: Vec<Dispatch>,
}

impl JobBuilder<'_> {
    /// Adds a dispatch of this many workgroups; `level` numbers the uniform that
    /// it reads its level from, where it reads one.
    pub(crate) fn add(
        &mut self,
        pipeline: &Pipeline,
        groups: u32,
        level: usize,
    ) -> Result<(), Error> {
        let label = pipeline.kernel.name();
        let bindings = pipeline.kernel.bindings();
        let mut entries = Vec::with_capacity(bindings.len());
        for (binding, _) in bindings {
            let resource = match binding {
                Binding::Level => self.levels.binding(level),
                other => (self.buffers)(*other).map(wgpu::Buffer::as_entire_binding),
            };
            let Some(resource) = resource else {
                let message = format!("nothing is bound to {:?}", binding.declaration().0);
                return Err(Error::Kernel { kernel: label, message });
            };
            entries.push(wgpu::BindGroupEntry { binding: binding.number(), resource });
        }
        let bind_group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &pipeline.bindings,
            entries: &entries,
        });
        let groups = grid(groups, &self.device.limits())?;
        let pipeline = pipeline.pipeline.clone();
        self.dispatches.push(Dispatch { label, pipeline, bind_group, groups });
        Ok(())
    }

    pub(crate) fn finish(self, label: &'static str) -> Job {
        Job { label, dispatches: self.dispatches }
    }
}
