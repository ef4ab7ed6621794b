//! Landings: the visible place of each element on the canvas. They are computed after the stage's job.
//!
//! ```text
//! mark       marks the elements that open a filter
//! filters    a pass down the tree: finds the two innermost filters around each element
//! land       maps each element's bounds through the filters around it
//! ```
//!
//! Without filters, the last kernel copies the boxes.

use crate::gpu::buffers::{Range, bytes, ceil_div, create};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Compiler, Pipeline};
use crate::stage::scratch::TreeScratch;
use crate::stage::tree::Tree;
use crate::{Capacity, Error, Job};
use treebounds_shaders::{Custom, Kernel, NEAREST_FILTERS, Stream, Task};
use wgpu::BufferUsages;

/// The size in bytes of the indices of an element's two innermost filters.
const PAIR_BYTES: u32 = 8;

/// The kernels for landings.
#[derive(Clone, Debug)]
pub(crate) struct Landings {
    build: Build,
    filters: Tree,
    mark: Pipeline,
    land: Pipeline,
}

/// The working memory for landings.
#[derive(Clone, Debug)]
pub(crate) struct LandingScratch {
    tree: TreeScratch,
    marks: Range,
    pairs: Range,
}

impl Landings {
    pub(crate) fn new(build: &Build) -> Result<Self, Error> {
        let custom = Custom { monoid: Some(NEAREST_FILTERS), ..Custom::default() };
        let compiler = Compiler { custom, ..build.compiler() };
        let filters = Tree::new(&compiler, Task::down(Stream::Monoid), PAIR_BYTES)?;
        let variant = build.tuning.tree_variant(&build.device, Task::both(Stream::InPlace), 16)?;
        let kernels = [Kernel::LandingMark, Kernel::Landing];
        let compiled = build.compiler().compile(kernels.map(|kernel| (kernel, variant)));
        let [mark, land] = kernels.map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self { build: build.clone(), filters, mark: mark?, land: land? })
    }

    /// Creates working memory in separate buffers.
    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<LandingScratch, Error> {
        let Build { device, label, .. } = &self.build;
        let buffer = |name, bytes| {
            Ok::<_, Error>(Range::whole(
                name,
                create(device, label, name, bytes, BufferUsages::STORAGE)?,
            ))
        };
        Ok(LandingScratch {
            tree: self.filters.scratch(Capacity::all_markers(capacity.elements), None)?,
            marks: buffer("landing marks", bytes(4, capacity.elements))?,
            pairs: buffer("landing filters", bytes(PAIR_BYTES.into(), capacity.elements))?,
        })
    }

    /// Appends the landings to the job of a stage, and to its jobs for fewer elements.
    pub(crate) fn follow(
        &self,
        stage: Job,
        scratch: &LandingScratch,
        callers: &[Range],
    ) -> Result<Job, Error> {
        let bound = |ranges: &[(&Range, &'static str)]| {
            let own = ranges.iter().map(|(range, name)| range.named(name));
            callers.iter().cloned().chain(own).collect::<Vec<_>>()
        };
        let LandingScratch { tree, marks, pairs } = scratch;
        let filters = bound(&[(marks, "inputs"), (pairs, "outputs")]);
        let filters = self.filters.bind_sizes(tree, &filters, stage.sizes().next().is_some())?;
        let (mark, land) = (bound(&[(marks, "outputs")]), bound(&[(pairs, "inputs")]));
        let of = |elements: u32| {
            let step = |ranges: &[Range], pipeline: &Pipeline| {
                let groups = ceil_div(elements, pipeline.variant.workgroup_size());
                let mut job = JobBuilder::new(&self.build, ranges, None);
                job.add(pipeline, groups, 0)?;
                Ok::<_, Error>(job.finish())
            };
            let passes = step(&mark, &self.mark)?.then(filters.up_to(elements).without_smaller());
            Ok::<_, Error>(
                stage.up_to(elements).without_smaller().then(passes).then(step(&land, &self.land)?),
            )
        };
        let smaller = stage.sizes().map(|elements| Ok((elements, of(elements)?)));
        let smaller = smaller.collect::<Result<_, Error>>()?;
        Ok(of(tree.capacity().elements)?.with_smaller(smaller))
    }
}

impl LandingScratch {
    pub(crate) fn bytes(&self) -> u64 {
        self.tree.bytes() + self.marks.bytes() + self.pairs.bytes()
    }
}
