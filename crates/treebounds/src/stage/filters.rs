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
use crate::stage::scratch::LevelScratch;
use crate::stage::tree::{Strategies, Tree};
use crate::{Capacity, Error, Job, Passes, Scratch};
use levels::LevelKernels;
use std::sync::{Arc, OnceLock};
use treebounds_shaders::{Stream, Task};
use wgpu::BufferBinding;

/// The kernels for scenes with filters, which are compiled when there is one.
#[derive(Clone, Debug)]
pub(crate) struct LazyFilters {
    passes: Passes,
    in_place: bool,
    /// The only capacity that is needed.
    only_for: Option<Capacity>,
    /// None where the device refuses the kernels: those for levels will do.
    single: Arc<OnceLock<Option<Tree>>>,
    levels: Arc<OnceLock<Result<LevelKernels, Error>>>,
}

impl LazyFilters {
    pub(crate) fn new(passes: Passes, in_place: bool, only_for: Option<Capacity>) -> Self {
        let (single, levels) = Default::default();
        Self { passes, in_place, only_for, single, levels }
    }

    fn levels(&self, build: &Build) -> Result<&LevelKernels, Error> {
        let made = || LevelKernels::new(build, self.in_place, self.only_for);
        self.levels.get_or_init(made).as_ref().map_err(Clone::clone)
    }

    /// The kernels for at most one filter around an element, where the device can bind their scratch.
    fn single(
        &self,
        build: &Build,
        capacity: Capacity,
        depth: u32,
    ) -> Result<Option<&Tree>, Error> {
        if self.passes != Passes::ClipsAndBlends {
            return Err(Error::FiltersNeedBothPasses);
        }
        if depth > 1 {
            return Ok(None);
        }
        let stream = if self.in_place { Stream::InPlace } else { Stream::Scene };
        let strategies = Strategies::new(build, Task::filtered(stream), Task::FILTERED_BYTES);
        let Ok(strategies) = strategies else { return Ok(None) };
        let limits = build.device.limits();
        let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if strategies.layout(capacity)?.parts().iter().any(|(_, bytes)| *bytes > limit) {
            return Ok(None);
        }
        let elements = self.only_for.map(|only| only.elements);
        let made = || strategies.compile(&build.compiler(), elements).ok();
        Ok(self.single.get_or_init(made).as_ref())
    }

    /// Bytes of a scratch of this capacity, for this many filters around an element.
    pub(crate) fn scratch_bytes(
        &self,
        build: &Build,
        capacity: Capacity,
        depth: u32,
    ) -> Result<u64, Error> {
        if let Some(tree) = self.single(build, capacity, depth)? {
            return tree.scratch_bytes(capacity);
        }
        let layout = self.levels(build)?.layout(capacity, depth)?;
        Ok(bytes_of_parts(&build.device, &layout.parts()))
    }

    pub(crate) fn scratch(
        &self,
        build: &Build,
        capacity: Capacity,
        depth: u32,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch, Error> {
        if let Some(tree) = self.single(build, capacity, depth)? {
            return tree.scratch(capacity, memory);
        }
        let layout = self.levels(build)?.layout(capacity, depth)?;
        LevelScratch::place(build, layout, memory)
    }

    /// A job on the caller's ranges, in a scratch for filters.
    pub(crate) fn bind(&self, scratch: &Scratch, callers: &[Range]) -> Result<Job, Error> {
        // A stage that has compiled none of the kernels has not made the scratch.
        let Some(own) = &scratch.levels else {
            let tree = self.single.get().and_then(Option::as_ref);
            return tree.ok_or(Error::ForeignScratch)?.bind(scratch, callers, None);
        };
        let made = self.levels.get().ok_or(Error::ForeignScratch)?;
        made.as_ref().map_err(Clone::clone)?.bind(scratch, own, callers)
    }
}

/// The methods of a stage that make a scratch for scenes with filters.
macro_rules! filter_scratch_methods {
    ($object:ident, $capacity:ident: $type:ty) => {
        impl $object {
            /// Working memory for scenes with filters, in new buffers. `depth` is the most filters
            /// around an element, as [`Stream::filter_depth`](treebounds_core::Stream::filter_depth)
            /// counts them; at least room for 1 is made. The scratch takes scenes without filters too, but more slowly.
            /// It has 61 to 77 bytes per element with one filter around each at most, if the device can
            /// bind a buffer of that size.
            ///
            /// The first call compiles kernels.
            ///
            /// # Errors
            /// [`Error::FilterDepth`] where `depth` is more than 16, [`Error::FiltersNeedBothPasses`];
            /// as [`Self::scratch`]; and as [`Self::new`] for the kernels.
            pub fn scratch_with_filters(
                &self,
                $capacity: $type,
                depth: u32,
            ) -> Result<Scratch, Error> {
                self.place_filters($capacity, depth, None)
            }

            /// The same in the caller's memory, of at least
            /// [`scratch_with_filters_bytes`](Self::scratch_with_filters_bytes) and with the usage
            /// `STORAGE`. With filters in filters, the streams of levels have buffers of their own, because
            /// the stage only reads them: 24 bytes for each level and each element or marker.
            ///
            /// # Errors
            /// As [`scratch_with_filters`](Self::scratch_with_filters) and as
            /// [`scratch_in`](Self::scratch_in).
            pub fn scratch_with_filters_in(
                &self,
                $capacity: $type,
                depth: u32,
                memory: wgpu::BufferBinding<'_>,
            ) -> Result<Scratch, Error> {
                self.place_filters($capacity, depth, Some(memory))
            }

            /// Bytes of the caller's memory for scenes with filters. The first call compiles kernels.
            ///
            /// # Errors
            /// As [`scratch_with_filters`](Self::scratch_with_filters).
            pub fn scratch_with_filters_bytes(
                &self,
                $capacity: $type,
                depth: u32,
            ) -> Result<u64, Error> {
                self.filters_scratch_bytes($capacity, depth)
            }
        }
    };
}
pub(crate) use filter_scratch_methods;
