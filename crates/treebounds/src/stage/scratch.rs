//! Working memory owned by the caller, for trees and for the levels of nested filters.

use crate::gpu::buffers::{Levels, Range, create, place_parts, uniform};
use crate::gpu::pipelines::Build;
use crate::stage::landings::LandingScratch;
use crate::stage::layout::TreeLayout;
use crate::{Capacity, Error};
use std::{fmt, marker::PhantomData};
use treebounds_shaders::{Counts, FilterPlan, Params};
use wgpu::{BufferBinding, BufferUsages};

/// Working memory of a `Stage`, [`NodeStage`](crate::NodeStage), [`HostClips`](crate::HostClips),
/// [`Compactor`](crate::Compactor), [`RootFix`](crate::RootFix) or [`LeafFix`](crate::LeafFix) for a
/// capacity.
///
/// The object that binds a scratch creates it: `scratch(capacity)` creates buffers, and
/// `scratch_in(capacity, range)` uses a caller-provided range of at least `scratch_bytes(capacity)`
/// bytes with the usage `STORAGE`. The contents need not be preserved between frames. Any number of jobs
/// can share a scratch if they do not run concurrently.
pub struct Scratch<Object = crate::Stage> {
    pub(crate) tree: TreeScratch,
    object: PhantomData<fn(&Object)>,
}

impl<Object> Scratch<Object> {
    pub(crate) fn new(tree: TreeScratch) -> Self {
        Self { tree, object: PhantomData }
    }

    /// The capacity of the scratch.
    pub fn capacity(&self) -> Capacity {
        self.tree.capacity()
    }

    /// The GPU memory of the scratch in bytes, including memory provided by the caller.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }
}

impl<Object> Clone for Scratch<Object> {
    fn clone(&self) -> Self {
        Self::new(self.tree.clone())
    }
}

impl<Object> fmt::Debug for Scratch<Object> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scratch").field(&self.tree).finish()
    }
}

/// The working memory of tree kernels.
#[derive(Clone, Debug)]
pub(crate) struct TreeScratch {
    pub(crate) layout: TreeLayout,
    /// The ranges `words` and `values`, and the ranges of the filter levels if present.
    pub(crate) parts: Vec<Range>,
    pub(crate) plan: Range,
    /// Present for scenes with few markers.
    pub(crate) counted: Option<CountedScratch>,
    /// Present for scenes with nested filters.
    pub(crate) levels: Option<Box<LevelScratch>>,
    /// Present for stages that write landings.
    pub(crate) landings: Option<Box<LandingScratch>>,
    /// The contents, if the caller has no range for them.
    pub(crate) contents: Option<Range>,
    /// The same memory, laid out for frames without filters: present if this layout is for filters.
    pub(crate) plain: Option<Box<TreeScratch>>,
}

/// Additional memory for a scene with few markers.
#[derive(Clone, Debug)]
pub(crate) struct CountedScratch {
    /// The layout of the elements, in the same words.
    pub(crate) layout: TreeLayout,
    pub(crate) plan: Range,
    /// The counts of the frame, bound as a uniform.
    counts: Range,
}

impl TreeScratch {
    pub(crate) fn new(
        build: &Build,
        layout: TreeLayout,
        memory: Option<wgpu::BufferBinding<'_>>,
    ) -> Result<Self, Error> {
        let parts = place_parts(&build.device, &build.label, &layout.parts(), memory)?;
        Self::from_parts(build, layout, parts)
    }

    /// Creates a scratch from existing words and values.
    pub(crate) fn from_parts(
        build: &Build,
        layout: TreeLayout,
        parts: Vec<Range>,
    ) -> Result<Self, Error> {
        let plan = plan_of(build, &layout)?;
        let (counted, levels, landings) = (None, None, None);
        Ok(Self { layout, parts, plan, counted, levels, landings, contents: None, plain: None })
    }

    /// Creates a scratch for a scene with few markers, which has separate layouts for posts and elements.
    pub(crate) fn of_posts(
        build: &Build,
        [posts, counted]: [TreeLayout; 2],
        parts: Vec<Range>,
    ) -> Result<Self, Error> {
        let plan = plan_of(build, &counted)?;
        let (name, usage) = ("frame counts", BufferUsages::STORAGE | BufferUsages::UNIFORM);
        let counts = create(&build.device, &build.label, name, size_of::<Counts>() as u64, usage)?;
        let counts = Range::whole(name, counts);
        let counted = Some(CountedScratch { layout: counted, plan, counts });
        Ok(Self { counted, ..Self::from_parts(build, posts, parts)? })
    }

    pub(crate) fn capacity(&self) -> Capacity {
        self.counted.as_ref().map_or(self.layout.capacity, |counted| counted.layout.capacity)
    }

    /// The ranges that kernels bind, without the plan.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = &Range> {
        self.parts.iter().chain(self.counted.iter().map(|counted| &counted.counts))
    }

    /// The buffers of the plans.
    fn plans(&self) -> impl Iterator<Item = &Range> {
        [&self.plan].into_iter().chain(self.counted.iter().map(|counted| &counted.plan))
    }

    pub(crate) fn bytes(&self) -> u64 {
        let all = self.ranges().chain(self.plans()).chain(&self.contents);
        let all = all.chain(self.plain.iter().flat_map(|plain| plain.plans()));
        let levels = self.levels.as_ref().map_or(0, |levels| levels.bytes());
        let landings = self.landings.as_ref().map_or(0, |landings| landings.bytes());
        all.map(Range::bytes).sum::<u64>() + levels + landings
    }
}

fn plan_of(build: &Build, layout: &TreeLayout) -> Result<Range, Error> {
    let bytes = bytemuck::bytes_of(&layout.plan);
    Ok(Range::whole("plan", uniform(&build.device, &build.label, "plan", bytes)?))
}

/// The scratch layout for a scene with nested filters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LevelLayout {
    pub(super) in_place: bool,
    /// The plan of level 0.
    pub(super) plan: FilterPlan,
    /// The length of the filter words.
    pub(super) words: u64,
    pub(super) levels: TreeLayout,
    pub(super) down: TreeLayout,
    pub(super) both: TreeLayout,
}

impl LevelLayout {
    /// The parts of a scratch. The trees of all levels share the parts `words` and `values`.
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

/// The working memory for nested filters.
#[derive(Clone, Debug)]
pub(crate) struct LevelScratch {
    pub(super) layout: LevelLayout,
    pub(super) levels: TreeScratch,
    pub(super) down: TreeScratch,
    pub(super) both: TreeScratch,
    /// One [`FilterPlan`] per level.
    pub(super) plans: Levels,
    /// Tags and origins. These, rects and params have separate buffers, because the stage of a level only
    /// reads them.
    pub(super) level_words: Range,
    pub(super) level_rects: Range,
    pub(super) level_params: Range,
    pub(super) words: Range,
    pub(super) boxes: Range,
}

impl LevelScratch {
    pub(super) fn place(
        build: &Build,
        layout: LevelLayout,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<TreeScratch, Error> {
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
            TreeScratch::from_parts(build, layout.clone(), vec![words.clone(), values.clone()])
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
        let scratch = TreeScratch::from_parts(build, own.layout.levels.clone(), parts)?;
        Ok(TreeScratch { levels: Some(Box::new(own)), ..scratch })
    }

    /// Bytes of the buffers in this struct that are not parts of the scratch.
    pub(crate) fn bytes(&self) -> u64 {
        let own = [&self.level_words, &self.level_rects, &self.level_params];
        let plans = [&self.levels, &self.down, &self.both].map(|tree| &tree.plan);
        own.into_iter().chain(plans).map(Range::bytes).sum::<u64>() + self.plans.bytes()
    }

    pub(super) fn ranges(&self) -> [&Range; 5] {
        [&self.level_words, &self.level_rects, &self.level_params, &self.words, &self.boxes]
    }

    pub(super) fn params(&self, level: u32) -> Range {
        let at = u64::from(level) * u64::from(FilterPlan::PARAMS_BYTES);
        self.level_params.part("params", at, size_of::<Params>() as u64)
    }

    /// The bindings of the pass that computes levels.
    pub(super) fn of_levels(&self, callers: &[Range]) -> Vec<Range> {
        let tags = callers.iter().filter(|range| range.name == "tags");
        let inputs = tags.map(|tags| tags.named("inputs"));
        let elements = u64::from(self.layout.plan.element_capacity.max(1));
        let outputs = self.words.part("outputs", 0, 4 * elements);
        callers.iter().cloned().chain(inputs).chain([outputs]).collect()
    }

    /// The bindings of the stage of one level.
    pub(super) fn of_level(&self, level: u32) -> [Range; 6] {
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
