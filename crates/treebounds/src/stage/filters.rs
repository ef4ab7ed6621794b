//! Scenes with filters. There are two routes:
//!
//! ```text
//! at most one filter around an element    one run of the stage, whose values have a rect on each side of the filter
//! nested filters                          one stream and one run of the stage per filter level (`levels`)
//! ```
//!
//! `STAGE.md` has an example of each.

mod levels;

use crate::gpu::buffers::{Range, bytes_of_parts};
use crate::gpu::pipelines::Build;
use crate::stage::scene::SceneKernels;
use crate::stage::scratch::{LevelScratch, TreeScratch};

use crate::{Capacity, Error, Job, Passes, StageDescriptor};
use levels::LevelKernels;
use treebounds_shaders::{FilterPlan, Stream, Task};
use wgpu::BufferBinding;

/// The kernels for scenes with filters, up to a maximum depth.
#[derive(Clone, Debug)]
pub(crate) struct Filters {
    depth: u32,
    /// For at most one filter around an element. `None` if the device rejects a kernel.
    single: Option<SceneKernels>,
    /// For up to `depth` filters around an element, if `single` is not sufficient.
    levels: Option<LevelKernels>,
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
        Ok(Some(Self { depth, single, levels }))
    }

    /// Compiles only the kernels for one capacity.
    pub(crate) fn only_for(
        build: &Build,
        passes: Passes,
        capacity: Capacity,
    ) -> Result<Self, Error> {
        let depth = capacity.filter_depth;
        check(passes, depth)?;
        let task = Task::filtered(Stream::Scene);
        let single = (depth == 1)
            .then(|| SceneKernels::only_for(build, task, Task::FILTERED_BYTES, capacity).ok());
        let single = single.flatten().filter(|single| single.fits(capacity));
        let levels = match &single {
            Some(_) => None,
            None => Some(LevelKernels::new(build, false, Some(capacity))?),
        };
        Ok(Self { depth, single, levels })
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
        match self.route(capacity)? {
            Route::Single(single) => single.scratch(capacity, memory),
            Route::Levels(kernels) => LevelScratch::place(build, kernels.layout(capacity)?, memory),
        }
    }

    /// Binds the caller's ranges and a scratch for filters. `sizes` adds the jobs for fewer elements.
    pub(crate) fn bind(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        sizes: bool,
    ) -> Result<Job, Error> {
        match (&scratch.levels, &self.single, &self.levels) {
            (None, Some(single), _) => single.bind(scratch, callers, sizes),
            (Some(own), _, Some(kernels)) => kernels.bind(scratch, own, callers),
            _ => Err(Error::ForeignScratch),
        }
    }
}

/// Checks that the passes and the depth support filters.
fn check(passes: Passes, depth: u32) -> Result<(), Error> {
    if passes != Passes::ClipsAndBlends {
        return Err(Error::FiltersNeedBothPasses);
    }
    if depth > FilterPlan::MAX_DEPTH {
        return Err(Error::FilterDepth { needed: depth, limit: FilterPlan::MAX_DEPTH });
    }
    Ok(())
}
