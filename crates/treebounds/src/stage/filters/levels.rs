//! Scenes with filters in filters: a stream for each level, and the stage for each of these.
//!
//! ```text
//! levels       the number of filters around each element: a pass down the tree, with a monoid of its own
//! split        count, scan, scatter: the stream of each level, and the marker indices of a scene
//! down         for each level but the deepest: its clips; then the needs of its filters, for the next level
//! up           for each level from the deepest: its clips and contents, which are stored; then the traces of its filters
//! ```
//!
//! `STAGE.md` has an example.

use crate::gpu::buffers::{Levels, Range, check_count, create, index, place_parts};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Compiler, Pipeline};
use crate::stage::layout::TreeLayout;
use crate::stage::tree::{Strategies, Tree};
use crate::{Capacity, Error, Job, Scratch};
use treebounds_shaders::{
    Custom, FILTER_LEVELS, FilterPlan, FilterStep, Kernel, Params, Stream, Task, Variant,
};
use wgpu::{BufferBinding, BufferUsages};

/// The kernels of this route.
#[derive(Clone, Debug)]
pub(super) struct LevelKernels {
    build: Build,
    in_place: bool,
    /// The number of filters around each element.
    levels: Tree,
    /// The clips of a level.
    down: Tree,
    /// The clips and contents of a level.
    both: Tree,
    /// One for each of [`FilterStep::ALL`].
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

    /// A capacity laid out for this many filters around an element.
    pub(super) fn layout(&self, capacity: Capacity, depth: u32) -> Result<LevelLayout, Error> {
        if depth > FilterPlan::MAX_DEPTH {
            return Err(Error::FilterDepth { needed: depth, limit: FilterPlan::MAX_DEPTH });
        }
        let entry_capacity = entry_capacity(capacity)?;
        let of_level = Capacity { elements: entry_capacity, markers: entry_capacity };
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

    /// A job on the caller's ranges, in a scratch of this route.
    pub(super) fn bind(
        &self,
        scratch: &Scratch,
        own: &LevelScratch,
        callers: &[Range],
    ) -> Result<Job, Error> {
        let depth = own.layout.plan.depth;
        if own.layout != self.layout(scratch.capacity(), depth)? {
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
            job = job.then(down(level)?).then(step(FilterStep::Need, level)?);
        }
        for level in (0..=depth).rev() {
            if level < depth {
                job = job.then(step(FilterStep::Trace, level)?);
            }
            job = job.then(both(level)?).then(step(FilterStep::Gather, level)?);
        }
        Ok(job)
    }

    /// A step at a level.
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
        // The first range of a name counts.
        let mut ranges = Vec::new();
        if matches!(step, FilterStep::Need | FilterStep::Trace | FilterStep::Gather) {
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

/// Every range starts at a multiple of this many words, where any device can bind it.
const ALIGNED: u32 = 64;

/// The most entries of a level: every element, and a fill for every Begin.
fn entry_capacity(capacity: Capacity) -> Result<u32, Error> {
    let most = u64::from(capacity.elements) + u64::from(capacity.markers);
    let entries = most.max(1).next_multiple_of(ALIGNED.into());
    let entries = index("entries of a level", entries, entries)?;
    check_count("entries of a level", entries, &Variant::default())?;
    Ok(entries)
}

/// A capacity laid out for a scene with filters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelLayout {
    in_place: bool,
    /// The plan of level 0.
    plan: FilterPlan,
    /// Words of the range of words.
    words: u64,
    levels: TreeLayout,
    down: TreeLayout,
    both: TreeLayout,
}

impl LevelLayout {
    /// The parts of a scratch. All trees have the same first two.
    pub(super) fn parts(&self) -> [(&'static str, u64); 4] {
        let trees = [&self.levels, &self.down, &self.both];
        let mut parts =
            [("words", 0), ("values", 0), ("filter words", 4 * self.words), ("filter boxes", 0)];
        for (name, bytes) in trees.into_iter().flat_map(TreeLayout::parts) {
            for part in parts.iter_mut().filter(|part| part.0 == name) {
                part.1 = part.1.max(bytes);
            }
        }
        parts[3].1 = 32 * u64::from(self.plan.entry_capacity);
        parts
    }
}

/// The working memory of this route.
#[derive(Clone, Debug)]
pub(crate) struct LevelScratch {
    layout: LevelLayout,
    levels: Scratch,
    down: Scratch,
    both: Scratch,
    /// A [`FilterPlan`] for each level.
    plans: Levels,
    /// Tags and origins, rects, params: in buffers of their own, because the stage of a level only reads them.
    level_words: Range,
    level_rects: Range,
    level_params: Range,
    words: Range,
    boxes: Range,
}

impl LevelScratch {
    pub(super) fn place(
        build: &Build,
        layout: LevelLayout,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch, Error> {
        let (device, label) = (&build.device, &build.label);
        let FilterPlan { depth, entry_capacity, .. } = layout.plan;
        let (levels, entries) = (u64::from(depth) + 1, u64::from(entry_capacity));
        let storage = BufferUsages::STORAGE;
        let of_levels = |name, bytes: u64, usage| {
            Ok::<_, Error>(Range::whole(name, create(device, label, name, levels * bytes, usage)?))
        };
        let params_bytes = FilterPlan::PARAMS_BYTES.into();
        let level_params =
            of_levels("level params", params_bytes, storage | BufferUsages::UNIFORM)?;
        let level_words = of_levels("level words", 8 * entries, storage)?;
        let level_rects = of_levels("level rects", 16 * entries, storage)?;
        let plans: Vec<_> = (0..=depth).map(|level| FilterPlan { level, ..layout.plan }).collect();
        let plans = Levels::of(device, label, &plans)?;
        let parts = place_parts(device, label, &layout.parts(), memory)?;
        let [words, values, filter_words, boxes] = &parts[..] else {
            return Err(Error::ForeignScratch);
        };
        let tree = |layout: &TreeLayout| {
            Scratch::of_parts(build, layout.clone(), vec![words.clone(), values.clone()])
        };
        let own = Self {
            levels: tree(&layout.levels)?,
            down: tree(&layout.down)?,
            both: tree(&layout.both)?,
            plans,
            level_words,
            level_rects,
            level_params,
            words: filter_words.clone(),
            boxes: boxes.clone(),
            layout,
        };
        let scratch = Scratch::of_parts(build, own.layout.levels.clone(), parts)?;
        Ok(Scratch { levels: Some(Box::new(own)), ..scratch })
    }

    /// The most filters around an element.
    pub(crate) fn depth(&self) -> u32 {
        self.layout.plan.depth
    }

    /// Bytes of its own buffers.
    pub(crate) fn bytes(&self) -> u64 {
        let own = [&self.level_words, &self.level_rects, &self.level_params];
        let plans = [&self.levels, &self.down, &self.both].map(|tree| &tree.plan);
        own.into_iter().chain(plans).map(Range::bytes).sum::<u64>() + self.plans.bytes()
    }

    fn ranges(&self) -> [&Range; 5] {
        [&self.level_words, &self.level_rects, &self.level_params, &self.words, &self.boxes]
    }

    /// The params of a level.
    fn params(&self, level: u32) -> Range {
        let at = u64::from(level) * u64::from(FilterPlan::PARAMS_BYTES);
        self.level_params.part("params", at, size_of::<Params>() as u64)
    }

    /// What the pass that numbers levels binds.
    fn of_levels(&self, callers: &[Range]) -> Vec<Range> {
        let tags = callers.iter().filter(|range| range.name == "tags");
        let inputs = tags.map(|tags| tags.named("inputs"));
        let elements = u64::from(self.layout.plan.element_capacity.max(1));
        let outputs = self.words.part("outputs", 0, 4 * elements);
        callers.iter().cloned().chain(inputs).chain([outputs]).collect()
    }

    /// What the stage of a level binds.
    fn of_level(&self, level: u32) -> [Range; 6] {
        let FilterPlan { entry_capacity, links, .. } = self.layout.plan;
        let (level_at, entries) = (u64::from(level), u64::from(entry_capacity));
        [
            self.params(level),
            self.level_words.part("tags", 8 * level_at * entries, 4 * entries),
            self.level_rects.part("rects", 16 * level_at * entries, 16 * entries),
            self.words.part("links", 4 * u64::from(links), 4 * entries),
            self.boxes.part("clips", 0, 16 * entries),
            self.boxes.part("contents", 16 * entries, 16 * entries),
        ]
    }
}
