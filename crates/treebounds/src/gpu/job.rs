//! What is recorded: a list of dispatches with everything bound.

use crate::Error;
use crate::gpu::buffers::{Levels, Range};
use crate::gpu::pipelines::{Build, Pipeline};
use crate::gpu::scoped;
use treebounds_shaders::{Access, Binding};

/// One dispatch, ready to be recorded.
#[derive(Clone, Debug)]
pub struct Dispatch {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    adapter: Option<wgpu::BindGroup>,
    #[cfg(test)]
    probe: Option<wgpu::BindGroup>,
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
    /// All dispatches of the job must be recorded, in order, with nothing between them that writes
    /// to the job's buffers: a kernel trusts the indices that earlier kernels wrote.
    /// [`Job::record`] guarantees that.
    #[expect(unsafe_code, reason = "kernels run without bounds checks")]
    pub unsafe fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.record_unchecked(pass);
    }

    fn record_unchecked(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group(self.label);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        if self.adapter.is_some() {
            pass.set_bind_group(1, self.adapter.as_ref(), &[]);
        }
        #[cfg(test)]
        if let Some(probe) = &self.probe {
            pass.set_bind_group(crate::gpu::probe::GROUP, probe, &[]);
        }
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        pass.pop_debug_group();
    }
}

/// Everything a frame dispatches, bound to its buffers. Record it in any number of frames: that
/// allocates, submits and waits for nothing.
#[derive(Clone, Debug)]
pub struct Job {
    label: String,
    dispatches: Vec<Dispatch>,
    /// Jobs for fewer elements, by their number, ascending.
    smaller: Vec<(u32, Job)>,
    /// The job for frames without filters, if this one is for frames with filters.
    plain: Option<Box<Job>>,
}

impl Job {
    /// Records into an encoder, in a compute pass of its own.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes: None,
        });
        self.record_in_pass(&mut pass);
    }

    /// The same job for a frame of at most this many elements, which takes as long as a job that is bound
    /// for the next power of two: `job.up_to(elements).record(encoder)`.
    ///
    /// A job of [`Stage`](crate::Stage) or [`NodeStage`](crate::NodeStage) with
    /// [`frame_sizes`](crate::StageDescriptor::frame_sizes) and at most one filter around an element has one
    /// for each power of two; any other job is returned as it is. All of them are
    /// bound by `bind`, so nothing is allocated or compiled here.
    ///
    /// If `params` counts more elements, [`Counts::status`](crate::Counts) has the flag
    /// `ELEMENTS_CLAMPED`, and boxes are too large rather than too small: the elements past the power of
    /// two, and the nodes that do not end before it, have the viewport as their box (without clips, or with
    /// filters, an unlimited box). [`Counts::elements`](crate::Counts) then counts the others, and the
    /// ranges that are indexed by marker have nothing else.
    pub fn up_to(&self, elements: u32) -> &Self {
        self.smaller.iter().find(|smaller| elements <= smaller.0).map_or(self, |smaller| &smaller.1)
    }

    /// The same job for a frame without filters, which takes as long as a job of a capacity without filters:
    /// `job.without_filters().record(encoder)`, or `job.without_filters().up_to(elements).record(encoder)`.
    ///
    /// A job of [`Stage`](crate::Stage) for a capacity with filters has one, in the same scratch; any other job
    /// is returned as it is. `bind` binds both, so nothing is allocated or compiled here.
    ///
    /// The job ignores filters and fills, and boxes in and around them are then wrong. Use it for a stream whose
    /// [`filter_depth`](treebounds_core::Stream::filter_depth) is 0.
    pub fn without_filters(&self) -> &Self {
        self.plain.as_deref().unwrap_or(self)
    }

    /// Records into an open compute pass.
    ///
    /// The pass keeps the pipeline and the bind groups (0, and 1 for a caller's own) of the last dispatch: set
    /// your own afterwards.
    pub fn record_in_pass(&self, pass: &mut wgpu::ComputePass<'_>) {
        for dispatch in &self.dispatches {
            dispatch.record_unchecked(pass);
        }
    }

    /// A job without dispatches.
    pub(crate) fn empty(label: &str) -> Self {
        Self { label: label.to_owned(), dispatches: Vec::new(), smaller: Vec::new(), plain: None }
    }

    /// This job with others for fewer elements, in ascending order.
    pub(crate) fn with_smaller(self, smaller: Vec<(u32, Self)>) -> Self {
        Self { smaller, ..self }
    }

    /// This job with another one for frames without filters.
    pub(crate) fn with_plain(self, plain: Self) -> Self {
        Self { plain: Some(Box::new(plain)), ..self }
    }

    /// The numbers of elements that it has a smaller job for.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u32> {
        self.smaller.iter().map(|smaller| smaller.0)
    }

    /// The same without smaller and plain jobs.
    pub(crate) fn alone(&self) -> Self {
        Self { dispatches: self.dispatches.clone(), ..Self::empty(&self.label) }
    }

    /// This job, then the other, for every number of elements that one of them has a job for, and for frames
    /// without filters.
    pub(crate) fn then(mut self, other: Self) -> Self {
        let mut all: Vec<u32> = self.sizes().chain(other.sizes()).collect();
        all.sort_unstable();
        all.dedup();
        let both = |count: u32| {
            let dispatches = [&self, &other].map(|job| &job.up_to(count).dispatches[..]).concat();
            (count, Self { dispatches, ..Self::empty(&self.label) })
        };
        self.smaller = all.into_iter().map(both).collect();
        self.plain = self.plain.map(|plain| Box::new(plain.then(other.without_filters().clone())));
        self.dispatches.extend(other.dispatches);
        self
    }

    /// The dispatches, in order.
    pub fn dispatches(&self) -> &[Dispatch] {
        &self.dispatches
    }
}

/// Binds dispatches one after the other.
pub(crate) struct JobBuilder<'a> {
    build: &'a Build,
    /// Every range that a kernel may bind, by name.
    ranges: &'a [Range],
    levels: Option<&'a Levels>,
    /// The bind group of an adapter.
    adapter: Option<&'a wgpu::BindGroup>,
    dispatches: Vec<Dispatch>,
}

impl<'a> JobBuilder<'a> {
    /// One without an adapter.
    pub(crate) fn new(
        build: &'a Build,
        ranges: &'a [Range],
        levels: impl Into<Option<&'a Levels>>,
    ) -> Self {
        Self { build, ranges, levels: levels.into(), adapter: None, dispatches: Vec::new() }
    }

    pub(crate) fn with_adapter(self, adapter: Option<&'a wgpu::BindGroup>) -> Self {
        Self { adapter, ..self }
    }

    /// The range that a kernel binds.
    fn range(&self, binding: Binding) -> Option<&'a Range> {
        self.ranges.iter().find(|range| range.name == binding.name())
    }

    /// Adds a dispatch of this many workgroups. `level` is the index of the uniform that describes
    /// its level, where the kernel reads one.
    pub(crate) fn add(
        &mut self,
        pipeline: &Pipeline,
        groups: u32,
        level: usize,
    ) -> Result<(), Error> {
        let kernel = pipeline.kernel.name();
        self.check_accesses(pipeline)?;
        let mut entries = Vec::with_capacity(pipeline.binds.len());
        for (binding, _) in &pipeline.binds {
            let resource = match binding {
                Binding::Level | Binding::Bin | Binding::Filter => {
                    self.levels.and_then(|levels| levels.binding(level))
                }
                other => self.range(*other).map(Range::binding),
            };
            let Some(resource) = resource else {
                let message = format!("nothing is bound to {binding:?}");
                return Err(Error::Kernel { kernel, message, source: None });
            };
            let resource = wgpu::BindingResource::Buffer(resource);
            entries.push(wgpu::BindGroupEntry { binding: binding.number(), resource });
        }
        let (device, label) = (&self.build.device, self.build.label(kernel));
        let descriptor = wgpu::BindGroupDescriptor {
            label: Some(&label),
            layout: &pipeline.bindings,
            entries: &entries,
        };
        let bind_group =
            scoped(device, || device.create_bind_group(&descriptor)).map_err(Error::Device)?;
        let groups = grid(groups, &device.limits())?;
        let pipeline = pipeline.pipeline.clone();
        let adapter = self.adapter.cloned();
        self.dispatches.push(Dispatch {
            label: kernel,
            pipeline,
            bind_group,
            adapter,
            #[cfg(test)]
            probe: crate::gpu::probe::of(device).map(|probe| probe.group.clone()),
            groups,
        });
        Ok(())
    }

    /// Checks that the kernel does not write one range of a buffer and only read another: wgpu would
    /// refuse that when the dispatch is recorded.
    fn check_accesses(&self, pipeline: &Pipeline) -> Result<(), Error> {
        let writes = |bind: &&(Binding, Access)| bind.1 == Access::ReadWrite;
        let bound = |bind: &(Binding, Access)| self.range(bind.0);
        let written: Vec<_> = pipeline.binds.iter().filter(writes).filter_map(bound).collect();
        let reads = pipeline.binds.iter().filter(|bind| !writes(bind)).filter_map(bound);
        for read in reads {
            if let Some(written) = written.iter().find(|range| range.shares_buffer(read)) {
                let kernel = pipeline.kernel.name();
                return Err(Error::MixedAccess { kernel, read: read.name, written: written.name });
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Job {
        Job { dispatches: self.dispatches, ..Job::empty(&self.build.label) }
    }
}

/// The grid of a dispatch of this many workgroups: one row, or as few equal rows as fit where one
/// dimension is too short.
fn grid(groups: u32, limits: &wgpu::Limits) -> Result<[u32; 2], Error> {
    let widest = limits.max_compute_workgroups_per_dimension.max(1);
    let rows = groups.div_ceil(widest).max(1);
    if rows > widest {
        return Err(Error::TooLarge {
            what: "a dispatch",
            needed: groups.into(),
            limit_name: "max_compute_workgroups_per_dimension, squared,",
            limit: u64::from(widest) * u64::from(widest),
        });
    }
    Ok([groups.div_ceil(rows), rows])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_room_for_every_group_and_little_more() {
        let limits = wgpu::Limits::default();
        for groups in [0, 1, 65_535, 65_536, 131_071, 1 << 20] {
            let [x, y] = grid(groups, &limits).unwrap();
            assert!(x <= 65_535 && u64::from(x) * u64::from(y) >= u64::from(groups));
            assert!(x * y < groups.max(1) + y);
        }
        assert!(
            grid(u32::MAX, &wgpu::Limits { max_compute_workgroups_per_dimension: 9, ..limits })
                .is_err()
        );
    }
}
