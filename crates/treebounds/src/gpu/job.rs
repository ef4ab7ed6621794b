//! Jobs: lists of bound dispatches.

use crate::Error;
use crate::gpu::buffers::{Levels, Range};
use crate::gpu::pipelines::{Build, Pipeline};
use crate::gpu::scoped;
use treebounds_shaders::{Access, Binding};

/// A dispatch that is ready to be recorded.
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
    /// The name of the kernel.
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// The number of workgroups.
    pub fn workgroups(&self) -> u64 {
        u64::from(self.groups[0]) * u64::from(self.groups[1])
    }

    /// Records only this dispatch, for timing dispatches separately.
    ///
    /// # Safety
    /// All dispatches of the job must be recorded in order, without other writes to the job's buffers in
    /// between, because kernels trust the indices written by earlier kernels. [`Job::record`] guarantees
    /// this.
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

/// All dispatches of a frame, bound to their buffers. A job can be recorded in any number of frames.
/// Recording never allocates, submits or waits.
#[derive(Clone, Debug)]
pub struct Job {
    label: String,
    dispatches: Vec<Dispatch>,
    /// Jobs for fewer elements, in ascending order of their number.
    smaller: Vec<(u32, Job)>,
    /// The job for frames without filters, if this one is for frames with filters.
    plain: Option<Box<Job>>,
}

impl Job {
    /// Records the job into an encoder, in a new compute pass.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes: None,
        });
        self.record_in_pass(&mut pass);
    }

    /// Returns the job for a frame of at most `elements` elements, at the cost of the next power of two:
    /// `job.up_to(elements).record(encoder)`.
    ///
    /// A job of a [`Stage`](crate::Stage) or [`NodeStage`](crate::NodeStage) contains such a job for each power
    /// of two, if the stage has [`frame_sizes`](crate::StageDescriptor::frame_sizes) and the capacity has at
    /// most one filter around an element. Any other job returns itself. `bind` binds all of these jobs, so
    /// nothing is allocated or compiled here.
    ///
    /// If `params` has more elements, [`Counts::status`](crate::Counts) has the flag `ELEMENTS_CLAMPED`, and
    /// boxes are too large rather than too small. Elements beyond the power of two, and nodes that end
    /// beyond it, get the viewport as their box (an unlimited box without clips, or with filters).
    /// [`Counts::elements`](crate::Counts) excludes the elements beyond it, and so do the ranges that are
    /// indexed by marker.
    pub fn up_to(&self, elements: u32) -> &Self {
        self.smaller.iter().find(|smaller| elements <= smaller.0).map_or(self, |smaller| &smaller.1)
    }

    /// Returns the job for a frame without filters, at the cost of a job for a capacity without filters:
    /// `job.without_filters().record(encoder)`, or `job.without_filters().up_to(elements).record(encoder)`.
    ///
    /// A job of a [`Stage`](crate::Stage) for a capacity with filters contains such a job, which uses the same
    /// scratch. Any other job returns itself. `bind` prepares both jobs, so nothing is allocated or compiled here.
    ///
    /// The job ignores filters and fills, so the bounds inside and around them would be wrong. Use it only for
    /// streams whose [`filter_depth`](treebounds_core::Stream::filter_depth) is 0.
    pub fn without_filters(&self) -> &Self {
        self.plain.as_deref().unwrap_or(self)
    }

    /// Records the job into an open compute pass.
    ///
    /// This changes the pipeline and bind group 0 of the pass, and bind group 1 with an adapter.
    pub fn record_in_pass(&self, pass: &mut wgpu::ComputePass<'_>) {
        for dispatch in &self.dispatches {
            dispatch.record_unchecked(pass);
        }
    }

    pub(crate) fn empty(label: &str) -> Self {
        Self { label: label.to_owned(), dispatches: Vec::new(), smaller: Vec::new(), plain: None }
    }

    /// Adds jobs for fewer elements, in ascending order.
    pub(crate) fn with_smaller(self, smaller: Vec<(u32, Self)>) -> Self {
        Self { smaller, ..self }
    }

    /// Adds the job for frames without filters.
    pub(crate) fn with_plain(self, plain: Self) -> Self {
        Self { plain: Some(Box::new(plain)), ..self }
    }

    /// The element counts of the smaller jobs.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u32> {
        self.smaller.iter().map(|smaller| smaller.0)
    }

    /// Returns this job without its smaller jobs and its plain job.
    pub(crate) fn without_smaller(&self) -> Self {
        Self { dispatches: self.dispatches.clone(), ..Self::empty(&self.label) }
    }

    /// Appends another job to this one, to its jobs for fewer elements, and to its job for frames without filters.
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

/// Builds a job, one dispatch at a time.
pub(crate) struct JobBuilder<'a> {
    build: &'a Build,
    /// The available ranges. Kernels find them by name.
    ranges: &'a [Range],
    levels: Option<&'a Levels>,
    /// The adapter's bind group.
    adapter: Option<&'a wgpu::BindGroup>,
    dispatches: Vec<Dispatch>,
}

impl<'a> JobBuilder<'a> {
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

    fn range(&self, binding: Binding) -> Option<&'a Range> {
        self.ranges.iter().find(|range| range.name == binding.name())
    }

    /// Adds a dispatch of `groups` workgroups. `level` is the index of the level's uniform, if the kernel
    /// reads one.
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

    /// Checks that no buffer has both writable and read-only ranges. wgpu would reject this only when the
    /// dispatch is recorded.
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

/// Computes the grid of a dispatch: one row, or the smallest number of equal rows if the groups exceed one
/// dimension.
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
    fn grids_cover_all_groups_with_few_extra() {
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
