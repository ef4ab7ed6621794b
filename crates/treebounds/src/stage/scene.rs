//! The kernels for any scene, and the kernels for large scenes with few markers.

use crate::gpu::buffers::{Range, place_parts};
use crate::gpu::pipelines::Build;
use crate::stage::layout::TreeLayout;
use crate::stage::scratch::TreeScratch;
use crate::stage::smaller::has_room;
use crate::stage::tree::{Kernels, Recipe, Strategies, Tree};
use crate::{Capacity, Error, Job};
use treebounds_shaders::{Size, Step, Stream, Task};

/// The minimum number of elements per marker in a scene with few markers.
const FEW: u32 = 8;

/// The minimum number of tiles for compaction, as a multiple of the threads per workgroup. With fewer
/// tiles, compaction costs more time than it saves.
const FEW_TILES: u32 = 4;

/// The maximum number of elements of a scene with few markers. Posts store element indices in 30 bits,
/// and the index of the last mark may be 31 larger.
const MOST_FEW: u32 = (1 << 30) - 32;

/// The scene kernels of a task.
#[derive(Clone, Debug)]
pub(crate) struct SceneKernels {
    pub(crate) tree: Tree,
    few: Option<FewMarkers>,
}

impl SceneKernels {
    /// Compiles the kernels for any capacity, and for scenes with few markers if `few_markers` is set.
    pub(crate) fn new(
        build: &Build,
        task: Task,
        value_bytes: u32,
        few_markers: bool,
    ) -> Result<Self, Error> {
        let tree = Strategies::new(build, task, value_bytes)?.compile(&build.compiler(), None)?;
        let few = few_markers.then(|| FewMarkers::new(build, task, value_bytes)).transpose()?;
        Ok(Self { tree, few })
    }

    /// Compiles no kernels.
    pub(crate) fn none(build: &Build, task: Task, value_bytes: u32) -> Result<Self, Error> {
        let tree = Strategies::new(build, task, value_bytes)?.uncompiled(build);
        Ok(Self { tree, few: None })
    }

    /// Compiles only the kernels for one capacity.
    pub(crate) fn only_for(
        build: &Build,
        task: Task,
        value_bytes: u32,
        capacity: Capacity,
    ) -> Result<Self, Error> {
        let mut kernels = Self::none(build, task, value_bytes)?;
        // If the device rejects a kernel for few markers, use the kernels for any scene.
        if kernels.has_few_markers(capacity) {
            kernels.few = FewMarkers::new(build, task, value_bytes).ok();
        }
        if kernels.few.is_none() {
            let strategies = Strategies::new(build, task, value_bytes)?;
            kernels.tree = strategies.compile(&build.compiler(), Some(capacity.elements))?;
        }
        Ok(kernels)
    }

    /// Whether a capacity has many elements and few markers.
    fn has_few_markers(&self, capacity: Capacity) -> bool {
        let Capacity { elements, markers, .. } = capacity;
        markers <= elements / FEW && elements <= MOST_FEW && self.is_large(elements)
    }

    /// Whether compaction saves time.
    fn is_large(&self, elements: u32) -> bool {
        let threads = self.tree.strategies.variant(elements).workgroup_size();
        elements > FEW_TILES * threads * threads
    }

    /// The kernels for few markers, if the capacity has few.
    fn few_markers(&self, capacity: Capacity) -> Option<&FewMarkers> {
        self.few.as_ref().filter(|_| self.has_few_markers(capacity))
    }

    /// The layout that determines the size of a scratch.
    fn layout(&self, capacity: Capacity) -> Result<TreeLayout, Error> {
        match self.few_markers(capacity) {
            Some(few) => few.tree.strategies.post_layouts(capacity).map(|[posts, _]| posts),
            None => self.tree.strategies.layout(capacity),
        }
    }

    /// Whether the device can bind the scratch of a capacity.
    pub(crate) fn fits(&self, capacity: Capacity) -> bool {
        let limits = self.tree.build.device.limits();
        let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let layout = self.layout(capacity);
        layout.is_ok_and(|layout| layout.parts().iter().all(|(_, bytes)| *bytes <= limit))
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        Ok(self.layout(capacity)?.bytes(&self.tree.build))
    }

    pub(crate) fn scratch(
        &self,
        capacity: Capacity,
        memory: Option<wgpu::BufferBinding<'_>>,
    ) -> Result<TreeScratch, Error> {
        let Build { device, label, .. } = &self.tree.build;
        let parts = place_parts(device, label, &self.layout(capacity)?.parts(), memory)?;
        self.scratch_of_parts(capacity, parts)
    }

    /// Returns a scratch for frames without filters in the memory of a scratch for filters, or `None` if there are no
    /// kernels, or too little memory.
    pub(crate) fn plain_scratch(&self, other: &TreeScratch) -> Result<Option<TreeScratch>, Error> {
        let capacity = Capacity { filter_depth: 0, ..other.capacity() };
        let has_kernels = self.few.is_some() || self.tree.kernels(capacity.elements).is_ok();
        if !has_kernels || !has_room(other, &self.layout(capacity)?) {
            return Ok(None);
        }
        let parts = other.parts.iter().take(2).cloned().collect();
        self.scratch_of_parts(capacity, parts).map(Some)
    }

    fn scratch_of_parts(
        &self,
        capacity: Capacity,
        parts: Vec<Range>,
    ) -> Result<TreeScratch, Error> {
        let build = &self.tree.build;
        match self.few_markers(capacity) {
            Some(few) => {
                TreeScratch::of_posts(build, few.tree.strategies.post_layouts(capacity)?, parts)
            }
            None => TreeScratch::from_parts(build, self.tree.strategies.layout(capacity)?, parts),
        }
    }

    /// Binds the caller's ranges. If `sizes` is set, also binds the jobs for [`Job::up_to`].
    pub(crate) fn bind(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        sizes: bool,
    ) -> Result<Job, Error> {
        let Some(few) = self.few_markers(scratch.capacity()) else {
            return self.tree.bind_sizes(scratch, callers, sizes);
        };
        let job = few.bind(scratch, callers)?;
        if !sizes {
            return Ok(job);
        }
        let mut smaller = self.tree.smaller(scratch, callers)?;
        smaller.retain(|(elements, _)| !self.is_large(*elements));
        let most = smaller.last().map_or(0, |last| last.0);
        smaller.extend(few.smaller(scratch, callers, most)?);
        Ok(job.with_smaller(smaller))
    }
}

/// The maximum number of tile counts that a thread sums. For more, a separate dispatch scans them.
const SUMMED_COUNTS: u32 = 16;

/// The kernels for large scenes with few markers. They compact the markers first, and run the expensive
/// steps only on markers.
#[derive(Clone, Debug)]
pub(crate) struct FewMarkers {
    /// Two compaction strategies: each workgroup sums the counts of all earlier tiles, or a separate
    /// dispatch scans them.
    compact: [Kernels; 2],
    /// The kernels for the compacted stream.
    pub(crate) tree: Tree,
}

impl FewMarkers {
    fn new(build: &Build, task: Task, value_bytes: u32) -> Result<Self, Error> {
        let (compiler, task) = (build.compiler(), Task { stream: Stream::FewMarkers, ..task });
        let variant = build.tuning.tree_variant(&build.device, task, value_bytes)?;
        let tree = Strategies::new(build, task, value_bytes)?.compile(&compiler, None)?;
        let summed = [Step::CountMarkers, Step::CompactMarkers];
        let scanned = [Step::CountMarkers, Step::ScanCounts, Step::CompactMarkers];
        let recipes = [
            Recipe::of_compaction(&summed, Size::Bundles, variant),
            Recipe::of_compaction(&scanned, Size::Groups, variant),
        ];
        let compiled = Recipe::compile_all(&recipes, &compiler);
        let [few, many] = &recipes;
        let compact = [few.kernels(&compiled)?, many.kernels(&compiled)?];
        Ok(Self { compact, tree })
    }

    /// The compaction kernels for `elements` elements.
    fn compact(&self, elements: u32) -> &Kernels {
        let [few, many] = &self.compact;
        let tiles = elements.div_ceil(few.variant.count_tile());
        if tiles <= SUMMED_COUNTS * few.variant.workgroup_size() { few } else { many }
    }

    pub(crate) fn bind(&self, scratch: &TreeScratch, callers: &[Range]) -> Result<Job, Error> {
        let Some(counted) = &scratch.counted else { return Err(Error::ForeignScratch) };
        let expected = self.tree.strategies.post_layouts(scratch.capacity())?;
        if scratch.layout != expected[0] {
            return Err(Error::ForeignScratch);
        }
        let tree = (&scratch.layout, &scratch.plan);
        self.job(scratch, tree, (&counted.layout, &counted.plan), callers)
    }

    /// Creates a job from the layouts of the compacted stream and of the elements.
    pub(crate) fn job(
        &self,
        scratch: &TreeScratch,
        tree: (&TreeLayout, &Range),
        counted: (&TreeLayout, &Range),
        callers: &[Range],
    ) -> Result<Job, Error> {
        let build = &self.tree.build;
        let compact = self.compact(counted.0.capacity.elements);
        let compact = compact.job(build, scratch, counted, callers, None)?;
        let kernels = self.tree.kernels(tree.0.capacity.elements)?;
        Ok(compact.then(kernels.job(build, scratch, tree, callers, None)?))
    }
}
