//! Scenes with filters. There are two routes:
//!
//! ```text
//! at most one filter around an element    one run of the stage, whose values have a rect on each side of the filter
//! nested filters                          one stream and one run of the stage per filter level (`levels`)
//! ```
//!
//! `STAGE.md` has an example of each.

mod levels;

use crate::gpu::buffers::{Range, bytes, bytes_of_parts, ceil_div, create};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Pipeline};
use crate::stage::scene::SceneKernels;
use crate::stage::scratch::{LevelScratch, TreeScratch};
use crate::{Capacity, Error, Job, Passes, StageDescriptor};
use levels::LevelKernels;
use treebounds_shaders::{FilterPlan, Kernel, Stream, Task};
use wgpu::{BufferBinding, BufferUsages};

/// The kernels for scenes with filters, up to a maximum depth.
#[derive(Clone, Debug)]
pub(crate) struct Filters {
    depth: u32,
    /// The kernels for at most one filter around an element. `None` if the device rejects a kernel.
    single: Option<SceneKernels>,
    /// The kernels for up to `depth` filters around an element, if `single` is not sufficient.
    levels: Option<LevelKernels>,
    /// Present for [`Passes::ClipsOnly`], which runs both passes in scenes with filters.
    clips_alone: Option<ClipsAlone>,
}

/// The additions for [`Passes::ClipsOnly`]: contents in the scratch, and, unless the stream is in place, a kernel that
/// stores the clip of each marker as its bounds.
#[derive(Clone, Debug)]
struct ClipsAlone {
    build: Build,
    bounds: Option<Pipeline>,
}

impl ClipsAlone {
    fn new(build: &Build, in_place: bool) -> Result<Self, Error> {
        let variant = build.tuning.tree_variant(&build.device, Task::both(Stream::InPlace), 16)?;
        let kernel = Kernel::ClipBounds;
        let compile = || build.compiler().compile([(kernel, variant)]).pipeline(kernel, &variant);
        let bounds = (!in_place).then(compile).transpose()?;
        Ok(Self { build: build.clone(), bounds })
    }

    fn contents(&self, capacity: Capacity) -> Result<Range, Error> {
        let Build { device, label, .. } = &self.build;
        let size = bytes(16, capacity.markers);
        Ok(Range::whole(
            "contents",
            create(device, label, "contents", size, BufferUsages::STORAGE)?,
        ))
    }

    /// Appends the kernel that stores the bounds of markers, if present, to a job.
    fn follow(&self, job: Job, capacity: Capacity, ranges: &[Range]) -> Result<Job, Error> {
        let Some(pipeline) = &self.bounds else { return Ok(job) };
        let mut step = JobBuilder::new(&self.build, ranges, None);
        step.add(pipeline, ceil_div(capacity.markers, pipeline.variant.workgroup_size()), 0)?;
        Ok(job.then(step.finish()))
    }
}

enum Route<'a> {
    Single(&'a SceneKernels),
    Levels(&'a LevelKernels),
}

impl Filters {
    /// Returns `None` if the descriptor's depth is 0.
    pub(crate) fn new(
        build: &Build,
        descriptor: &StageDescriptor<'_>,
        stream: Stream,
    ) -> Result<Option<Self>, Error> {
        let StageDescriptor { passes, few_markers, filter_depth: depth, .. } = *descriptor;
        if depth == 0 {
            return Ok(None);
        }
        check(passes, depth)?;
        let (task, in_place) = (Task::filtered(stream), stream == Stream::InPlace);
        let few_markers = few_markers && !in_place;
        let single = SceneKernels::new(build, task, Task::FILTERED_BYTES, few_markers).ok();
        let needs_levels = depth > 1 || single.is_none();
        let levels = needs_levels.then(|| LevelKernels::new(build, in_place, None)).transpose()?;
        let clips_alone = (passes == Passes::ClipsOnly).then(|| ClipsAlone::new(build, in_place));
        Ok(Some(Self { depth, single, levels, clips_alone: clips_alone.transpose()? }))
    }

    /// Compiles only the kernels for one capacity, for both passes.
    pub(crate) fn only_for(build: &Build, capacity: Capacity) -> Result<Self, Error> {
        let depth = capacity.filter_depth;
        check(Passes::ClipsAndBlends, depth)?;
        let task = Task::filtered(Stream::Scene);
        let single = (depth == 1)
            .then(|| SceneKernels::only_for(build, task, Task::FILTERED_BYTES, capacity).ok());
        let single = single.flatten().filter(|single| single.fits(capacity));
        let levels = match &single {
            Some(_) => None,
            None => Some(LevelKernels::new(build, false, Some(capacity))?),
        };
        Ok(Self { depth, single, levels, clips_alone: None })
    }

    fn route(&self, capacity: Capacity) -> Result<Route<'_>, Error> {
        let Capacity { filter_depth: needed, .. } = capacity;
        if needed > self.depth {
            return Err(Error::FilterDepth { needed, limit: self.depth });
        }
        match (&self.single, &self.levels) {
            (Some(single), None) => Ok(Route::Single(single)),
            (Some(single), _) if needed <= 1 && single.fits(capacity) => Ok(Route::Single(single)),
            (_, levels) => levels.as_ref().map(Route::Levels).ok_or(Error::ForeignScratch),
        }
    }

    pub(crate) fn scratch_bytes(&self, build: &Build, capacity: Capacity) -> Result<u64, Error> {
        match self.route(capacity)? {
            Route::Single(single) => single.scratch_bytes(capacity),
            Route::Levels(kernels) => {
                Ok(bytes_of_parts(&build.device, &kernels.layout(capacity)?.parts()))
            }
        }
    }

    pub(crate) fn scratch(
        &self,
        build: &Build,
        capacity: Capacity,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<TreeScratch, Error> {
        let mut scratch = match self.route(capacity)? {
            Route::Single(single) => single.scratch(capacity, memory)?,
            Route::Levels(kernels) => {
                LevelScratch::place(build, kernels.layout(capacity)?, memory)?
            }
        };
        let contents = self.clips_alone.as_ref().map(|alone| alone.contents(capacity));
        scratch.contents = contents.transpose()?;
        Ok(scratch)
    }

    /// Binds the caller's ranges and a scratch for filters. If `sizes` is set, also binds the jobs for [`Job::up_to`].
    pub(crate) fn bind(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        sizes: bool,
    ) -> Result<Job, Error> {
        if self.clips_alone.is_some() != scratch.contents.is_some() {
            return Err(Error::ForeignScratch);
        }
        let ranges: Vec<Range> = callers.iter().chain(&scratch.contents).cloned().collect();
        let job = match (&scratch.levels, &self.single, &self.levels) {
            (None, Some(single), _) => single.bind(scratch, &ranges, sizes),
            (Some(own), _, Some(kernels)) => kernels.bind(scratch, own, &ranges),
            _ => Err(Error::ForeignScratch),
        }?;
        match &self.clips_alone {
            Some(alone) => alone.follow(job, scratch.capacity(), &ranges),
            None => Ok(job),
        }
    }
}

/// Checks that the passes and the depth support filters.
fn check(passes: Passes, depth: u32) -> Result<(), Error> {
    if passes == Passes::BlendsOnly {
        return Err(Error::FiltersNeedClips);
    }
    if depth > FilterPlan::MAX_DEPTH {
        return Err(Error::FilterDepth { needed: depth, limit: FilterPlan::MAX_DEPTH });
    }
    Ok(())
}
