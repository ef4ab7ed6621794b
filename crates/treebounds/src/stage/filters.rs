//! Scenes with filters. There are two routes:
//!
//! ```text
//! at most one filter around an element    one run of the stage, whose values have a rect on each side of the filter
//! more                                    a stream for each level of filters, and the stage for each of these (`levels`)
//! ```
//!
//! `STAGE.md` has an example of each.

mod levels;

use crate::gpu::buffers::{Range, bytes_of_parts};
use crate::gpu::pipelines::Build;
use crate::stage::scratch::{LevelScratch, TreeScratch};
use crate::stage::tree::{Strategies, Tree};
use crate::{Capacity, Error, Job, Passes};
use levels::LevelKernels;
use treebounds_shaders::{FilterPlan, Stream, Task};
use wgpu::BufferBinding;

/// The kernels for scenes with filters, for as many around an element as a descriptor says.
#[derive(Clone, Debug)]
pub(crate) struct Filters {
    depth: u32,
    /// For at most one filter around an element. None where the device refuses a kernel.
    single: Option<Tree>,
    /// For any number, up to `depth`. Present if `single` is not enough.
    levels: Option<LevelKernels>,
}

/// The kernels for a capacity.
enum Route<'a> {
    Single(&'a Tree),
    Levels(&'a LevelKernels),
}

impl Filters {
    /// None for a depth of 0.
    pub(crate) fn new(
        build: &Build,
        passes: Passes,
        in_place: bool,
        depth: u32,
    ) -> Result<Option<Self>, Error> {
        if depth == 0 {
            return Ok(None);
        }
        check(passes, depth)?;
        let single = Self::single(build, in_place, None).ok();
        let needs_levels = depth > 1 || single.is_none();
        let levels = needs_levels.then(|| LevelKernels::new(build, in_place, None)).transpose()?;
        Ok(Some(Self { depth, single, levels }))
    }

    /// The kernels for scenes of one size.
    pub(crate) fn only_for(
        build: &Build,
        passes: Passes,
        capacity: Capacity,
    ) -> Result<Self, Error> {
        let depth = capacity.filter_depth;
        check(passes, depth)?;
        let of_one = |strategies: &Strategies| fits(build, strategies, capacity);
        let strategies =
            Self::strategies(build, false).ok().filter(|one| depth == 1 && of_one(one));
        let compile =
            |one: Strategies| one.compile(&build.compiler(), Some(capacity.elements)).ok();
        let single = strategies.and_then(compile);
        let levels = match &single {
            Some(_) => None,
            None => Some(LevelKernels::new(build, false, Some(capacity))?),
        };
        Ok(Self { depth, single, levels })
    }

    fn strategies(build: &Build, in_place: bool) -> Result<Strategies, Error> {
        let stream = if in_place { Stream::InPlace } else { Stream::Scene };
        Strategies::new(build, Task::filtered(stream), Task::FILTERED_BYTES)
    }

    fn single(build: &Build, in_place: bool, only_for: Option<u32>) -> Result<Tree, Error> {
        Self::strategies(build, in_place)?.compile(&build.compiler(), only_for)
    }

    fn route(&self, build: &Build, capacity: Capacity) -> Result<Route<'_>, Error> {
        let Capacity { filter_depth: needed, .. } = capacity;
        if needed > self.depth {
            return Err(Error::FilterDepth { needed, limit: self.depth });
        }
        match (&self.single, &self.levels) {
            (Some(tree), None) => Ok(Route::Single(tree)),
            (Some(tree), _) if needed <= 1 && fits(build, &tree.strategies, capacity) => {
                Ok(Route::Single(tree))
            }
            (_, levels) => levels.as_ref().map(Route::Levels).ok_or(Error::ForeignScratch),
        }
    }

    /// Bytes of a scratch of this capacity.
    pub(crate) fn scratch_bytes(&self, build: &Build, capacity: Capacity) -> Result<u64, Error> {
        match self.route(build, capacity)? {
            Route::Single(tree) => tree.scratch_bytes(capacity),
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
        match self.route(build, capacity)? {
            Route::Single(tree) => tree.scratch(capacity, memory),
            Route::Levels(kernels) => LevelScratch::place(build, kernels.layout(capacity)?, memory),
        }
    }

    /// A job on the caller's ranges, in a scratch for filters.
    pub(crate) fn bind(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        sizes: bool,
    ) -> Result<Job, Error> {
        match (&scratch.levels, &self.single, &self.levels) {
            (None, Some(tree), _) => tree.bind_sizes(scratch, callers, sizes),
            (Some(own), _, Some(kernels)) => kernels.bind(scratch, own, callers),
            _ => Err(Error::ForeignScratch),
        }
    }
}

/// Checks that there are kernels for these passes with this many filters around an element.
fn check(passes: Passes, depth: u32) -> Result<(), Error> {
    if passes != Passes::ClipsAndBlends {
        return Err(Error::FiltersNeedBothPasses);
    }
    if depth > FilterPlan::MAX_DEPTH {
        return Err(Error::FilterDepth { needed: depth, limit: FilterPlan::MAX_DEPTH });
    }
    Ok(())
}

/// Whether the device can bind the scratch of a capacity for at most one filter around an element.
fn fits(build: &Build, strategies: &Strategies, capacity: Capacity) -> bool {
    let limits = build.device.limits();
    let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    let layout = strategies.layout(capacity);
    layout.is_ok_and(|layout| layout.parts().iter().all(|(_, bytes)| *bytes <= limit))
}
