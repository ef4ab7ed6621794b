//! Scenes with nested filters: one stream and one run of the stage per filter level.
//!
//! ```text
//! levels       the number of filters around each element: a pass down the tree with a separate monoid
//! split        count, scan, scatter: the stream of each level, and the marker indices of a scene
//! down         for each level except the deepest: its clips, then the reverse bounds of its filters for the next level
//! up           for each level, from the deepest: its clips and contents, which are stored, then the forward bounds of its filters
//! ```
//!
//! `STAGE.md` has an example.

use crate::gpu::buffers::{Range, check_count, index};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Compiler, Pipeline};
use crate::stage::scratch::{LevelLayout, LevelScratch, TreeScratch};
use crate::stage::tree::{Strategies, Tree};
use crate::{Capacity, Error, Job};
use treebounds_shaders::{
    Custom, FILTER_LEVELS, FilterPlan, FilterStep, Kernel, Stream, Task, Variant,
};

/// The kernels for nested filters.
#[derive(Clone, Debug)]
pub(super) struct LevelKernels {
    build: Build,
    in_place: bool,
    /// Computes the number of filters around each element.
    levels: Tree,
    /// Computes the clips of a level.
    down: Tree,
    /// Computes the clips and contents of a level.
    both: Tree,
    /// One per [`FilterStep::ALL`].
    steps: Vec<Pipeline>,
    variant: Variant,
}

impl LevelKernels {
    pub(super) fn new(
        build: &Build,
        in_place: bool,
        only_for: Option<Capacity>,
    ) -> Result<Self, Error> {
        let compiler = build.compiler();
        let custom = Custom { monoid: Some(FILTER_LEVELS), ..Custom::default() };
        let of_levels = Compiler { custom, ..build.compiler() };
        let elements = only_for.map(|capacity| capacity.elements);
        let entries = only_for.map(entry_capacity).transpose()?;
        let tree = |compiler, task, value_bytes, only_for| {
            Strategies::new(build, task, value_bytes)?.compile(compiler, only_for)
        };
        let variant = build.tuning.tree_variant(&build.device, Task::both(Stream::InPlace), 16)?;
        let kernel =
            |step: FilterStep| Kernel::Filter { step, in_place: in_place && step.stores() };
        let kernels = FilterStep::ALL.map(kernel);
        let compiled = compiler.compile(kernels.map(|kernel| (kernel, variant)));
        let steps = kernels.into_iter().map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self {
            levels: tree(&of_levels, Task::down(Stream::Monoid), 4, elements)?,
            down: tree(&compiler, Task::down(Stream::InPlace), 16, entries)?,
            both: tree(&compiler, Task::both(Stream::InPlace), 16, entries)?,
            steps: steps.collect::<Result<_, _>>()?,
            build: build.clone(),
            in_place,
            variant,
        })
    }

    pub(super) fn layout(&self, capacity: Capacity) -> Result<LevelLayout, Error> {
        let depth = capacity.filter_depth;
        let entry_capacity = entry_capacity(capacity)?;
        let of_level =
            Capacity { elements: entry_capacity, markers: entry_capacity, filter_depth: 0 };
        let tiles = capacity.elements.div_ceil(self.variant.workgroup_size()).max(1);
        let aligned = |words: u64| words.next_multiple_of(ALIGNED.into());
        let counted = aligned(capacity.elements.max(1).into());
        let links = counted + aligned(u64::from(depth + 2) * u64::from(tiles));
        let words = links + u64::from(entry_capacity);
        let level_words = 2 * u64::from(depth + 1) * u64::from(entry_capacity);
        let index = |at| index("words of scratch", at, words.max(level_words));
        let plan = FilterPlan {
            level: 0,
            depth,
            element_capacity: capacity.elements,
            marker_capacity: capacity.markers,
            entry_capacity,
            tiles,
            counted: index(counted)?,
            links: index(links)?,
        };
        Ok(LevelLayout {
            in_place: self.in_place,
            plan,
            words,
            levels: self.levels.strategies.layout(capacity)?,
            down: self.down.strategies.layout(of_level)?,
            both: self.both.strategies.layout(of_level)?,
        })
    }

    /// Binds the caller's ranges and a scratch for nested filters.
    pub(super) fn bind(
        &self,
        scratch: &TreeScratch,
        own: &LevelScratch,
        callers: &[Range],
    ) -> Result<Job, Error> {
        let depth = own.layout.plan.depth;
        if own.layout != self.layout(scratch.capacity())? {
            return Err(Error::ForeignScratch);
        }
        let step = |step, level| self.step(own, callers, step, level);
        let down = |level| self.down.bind(&own.down, &own.of_level(level), None);
        let both = |level| self.both.bind(&own.both, &own.of_level(level), None);

        let mut job = Job::empty(&self.build.label);
        job = job.then(self.levels.bind(&own.levels, &own.of_levels(callers), None)?);
        for each in [FilterStep::Count, FilterStep::Scan, FilterStep::Scatter] {
            job = job.then(step(each, 0)?);
        }
        for level in 0..depth {
            job = job.then(down(level)?).then(step(FilterStep::Reverse, level)?);
        }
        for level in (0..=depth).rev() {
            if level < depth {
                job = job.then(step(FilterStep::Forward, level)?);
            }
            job = job.then(both(level)?).then(step(FilterStep::Gather, level)?);
        }
        Ok(job)
    }

    fn step(
        &self,
        own: &LevelScratch,
        callers: &[Range],
        step: FilterStep,
        level: u32,
    ) -> Result<Job, Error> {
        let FilterPlan { depth, entry_capacity, tiles, .. } = own.layout.plan;
        let groups = match step {
            FilterStep::Count | FilterStep::Scatter => tiles,
            FilterStep::Scan => depth + 2,
            _ => entry_capacity.div_ceil(self.variant.workgroup_size()),
        };
        // The first range with a name takes precedence.
        let mut ranges = Vec::new();
        if matches!(step, FilterStep::Reverse | FilterStep::Forward | FilterStep::Gather) {
            ranges.push(own.params(level));
        }
        ranges.extend(callers.iter().chain(own.ranges()).cloned());
        let mut job = JobBuilder::new(&self.build, &ranges, &own.plans);
        for pipeline in &self.steps {
            if matches!(pipeline.kernel, Kernel::Filter { step: its, .. } if its == step) {
                job.add(pipeline, groups, level as usize)?;
            }
        }
        Ok(job.finish())
    }
}

/// The alignment of ranges in words, sufficient for any device.
const ALIGNED: u32 = 64;

/// The maximum number of entries of a level: every element, and a fill for every Begin.
fn entry_capacity(capacity: Capacity) -> Result<u32, Error> {
    let most = u64::from(capacity.elements) + u64::from(capacity.markers);
    let entries = most.max(1).next_multiple_of(ALIGNED.into());
    let entries = index("entries of a level", entries, entries)?;
    check_count("entries of a level", entries, &Variant::default())?;
    Ok(entries)
}
