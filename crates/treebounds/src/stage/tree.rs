//! The strategies of a tree task and their kernels, for values of any type.

use crate::gpu::buffers::Range;
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Compiled, Compiler, Pipeline};
use crate::stage::layout::{TreeLayout, Wanted};
use crate::stage::scratch::TreeScratch;
use crate::{Capacity, Error, Job};
use treebounds_shaders::{Kernel, Size, Step, Stream, Task, TreeKernel, Variant};

/// Kernels of one variant, in order, before compilation.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    variant: Variant,
    size: Size,
    kernels: Vec<Kernel>,
}

/// The compiled kernels of a [`Recipe`].
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    pub(crate) variant: Variant,
    pipelines: Vec<Pipeline>,
}

impl Recipe {
    fn new(task: Task, size: Size, variant: Variant) -> Self {
        let kernels = TreeKernel::steps(task, size).into_iter().map(Kernel::Tree).collect();
        Self { variant, size, kernels }
    }

    pub(crate) fn of_compaction(steps: &[Step], size: Size, variant: Variant) -> Self {
        let task = Task::both(Stream::Scene);
        let kernel = |step: &Step| {
            // The kernels that count and scan are the same for all sizes.
            let size = if *step == Step::CompactMarkers { size } else { Size::Groups };
            Kernel::Tree(TreeKernel { step: *step, task, size })
        };
        Self { variant, size, kernels: steps.iter().map(kernel).collect() }
    }

    pub(crate) fn compile_all<'r>(
        recipes: impl IntoIterator<Item = &'r Self>,
        compiler: &Compiler<'_>,
    ) -> Compiled {
        let kernels =
            |recipe: &'r Self| recipe.kernels.iter().map(|kernel| (*kernel, recipe.variant));
        compiler.compile(recipes.into_iter().flat_map(kernels))
    }

    /// Looks up the pipelines of this recipe in `compiled`.
    pub(crate) fn kernels(&self, compiled: &Compiled) -> Result<Kernels, Error> {
        let pipeline = |kernel: &Kernel| compiled.pipeline(*kernel, &self.variant);
        let pipelines = self.kernels.iter().map(pipeline).collect::<Result<_, _>>()?;
        Ok(Kernels { variant: self.variant, pipelines })
    }
}

/// Whether a strategy supports this number of elements.
fn supports(size: Size, variant: &Variant, elements: u32) -> bool {
    let tiles = elements.div_ceil(variant.tile());
    match size {
        Size::OneTile => tiles <= 1,
        Size::Near => tiles <= variant.workgroup_size(),
        Size::Bundles => tiles.div_ceil(variant.bundle_tiles()) <= variant.workgroup_size(),
        Size::Groups => true,
    }
}

impl Kernels {
    /// Compiles only the kernels of compaction: they count the markers of each tile, scan the counts, and
    /// write the marker indices.
    pub(crate) fn compaction(build: &Build) -> Result<Self, Error> {
        let variant = build.tuning.tree_variant(&build.device, Task::both(Stream::Scene), 16)?;
        let steps = [Step::CountMarkers, Step::ScanCounts, Step::Compact];
        let recipe = Recipe::of_compaction(&steps, Size::Groups, variant);
        recipe.kernels(&Recipe::compile_all([&recipe], &build.compiler()))
    }

    /// Binds the kernels to the caller's ranges and a scratch with a matching layout.
    pub(crate) fn job(
        &self,
        build: &Build,
        scratch: &TreeScratch,
        (layout, plan): (&TreeLayout, &Range),
        callers: &[Range],
        adapter: Option<&wgpu::BindGroup>,
    ) -> Result<Job, Error> {
        let ranges: Vec<Range> =
            callers.iter().chain(scratch.ranges()).chain([plan]).cloned().collect();
        let mut job = JobBuilder::new(build, &ranges, None).with_adapter(adapter);
        for pipeline in &self.pipelines {
            job.add(pipeline, workgroups(pipeline, layout), 0)?;
        }
        Ok(job.finish())
    }
}

/// The number of workgroups that a pipeline needs for a layout's capacity.
fn workgroups(pipeline: &Pipeline, layout: &TreeLayout) -> u32 {
    let variant = &pipeline.variant;
    let Kernel::Tree(kernel) = pipeline.kernel else { return layout.tiles };
    let Capacity { elements, markers, .. } = layout.capacity;
    let tiles = layout.tiles.div_ceil(kernel.tiles(variant));
    match kernel.step {
        Step::ScanCounts => 1,
        // Each thread processes a record of 32 elements.
        Step::CompactMarkers => elements.div_ceil(32).div_ceil(variant.workgroup_size()).max(1),
        // Additional workgroups store marker indices, for the 32 elements after each separator except
        // the last.
        Step::ReduceTiles | Step::ReduceBundles if kernel.task.stream == Stream::FewMarkers => {
            let records = elements.saturating_sub(markers).saturating_sub(1);
            tiles + records.div_ceil(variant.workgroup_size() * Variant::INDEX_ROWS / 32)
        }
        _ => tiles,
    }
}

/// The strategies of a task, from few elements to any number. Choosing a strategy compiles nothing.
#[derive(Clone, Debug)]
pub(crate) struct Strategies {
    task: Task,
    /// The array stride of a value.
    value_bytes: u32,
    recipes: Vec<Recipe>,
}

impl Strategies {
    /// `OneTile` is offered with one, two and four times the usual number of threads. `Near` is also
    /// offered with twice the threads, which is faster than `Bundles`, except with filters.
    pub(crate) fn new(build: &Build, task: Task, value_bytes: u32) -> Result<Self, Error> {
        let (device, tuning) = (&build.device, &build.tuning);
        let variant = tuning.tree_variant(device, task, value_bytes)?;
        let larger = |size, times| {
            tuning.larger_tree_variant(device, (task, value_bytes), size, &variant, times)
        };
        let strategies = [
            (Size::OneTile, Some(variant)),
            (Size::OneTile, larger(Size::OneTile, 2)),
            (Size::OneTile, larger(Size::OneTile, 4)),
            (Size::Near, Some(variant)),
            (Size::Near, larger(Size::Near, 2).filter(|_| !task.filters)),
            (Size::Bundles, Some(variant)),
            (Size::Groups, Some(variant)),
        ];
        let recipes = strategies
            .into_iter()
            .filter_map(|(size, variant)| variant.map(|variant| Recipe::new(task, size, variant)));
        let recipes = recipes.filter(|recipe| !recipe.kernels.is_empty()).collect();
        Ok(Self { task, value_bytes, recipes })
    }

    /// The index of the first strategy that supports this number of elements.
    fn place(&self, elements: u32) -> Option<usize> {
        self.recipes.iter().position(|recipe| supports(recipe.size, &recipe.variant, elements))
    }

    fn recipe(&self, elements: u32) -> Result<&Recipe, Error> {
        let place = self.place(elements).ok_or(Error::ForeignScratch)?;
        self.recipes.get(place).ok_or(Error::ForeignScratch)
    }

    /// Elements per tile of the last strategy, which supports any number of elements.
    pub(crate) fn tile(&self) -> u32 {
        self.recipes.last().map_or(Variant::default(), |last| last.variant).tile()
    }

    pub(crate) fn variant(&self, elements: u32) -> Variant {
        self.recipe(elements).map_or_else(|_| Variant::default(), |recipe| recipe.variant)
    }

    fn wanted(&self, recipe: &Recipe) -> Wanted {
        let (task, value_bytes) = (self.task, self.value_bytes);
        Wanted { task, size: recipe.size, variant: recipe.variant, value_bytes }
    }

    pub(crate) fn layout(&self, capacity: Capacity) -> Result<TreeLayout, Error> {
        TreeLayout::new(self.wanted(self.recipe(capacity.elements)?), capacity)
    }

    /// The layouts of the posts and of the elements of a scene with few markers.
    pub(crate) fn post_layouts(&self, capacity: Capacity) -> Result<[TreeLayout; 2], Error> {
        let recipe = self.recipe(TreeLayout::posts(capacity))?;
        // Compaction uses the usual number of threads, like the last strategy.
        let counting = self.recipes.last().map_or(recipe.variant, |last| last.variant);
        TreeLayout::of_posts(self.wanted(recipe), counting, capacity)
    }

    /// A tree without kernels, which cannot be bound.
    pub(crate) fn uncompiled(self, build: &Build) -> Tree {
        Tree { build: build.clone(), strategies: self, kernels: Vec::new() }
    }

    /// Compiles all strategies, or only the strategy for `only_for` elements. Optional strategies that the
    /// device rejects are left out.
    pub(crate) fn compile(
        mut self,
        compiler: &Compiler<'_>,
        only_for: Option<u32>,
    ) -> Result<Tree, Error> {
        let recipes = std::mem::take(&mut self.recipes);
        let usual = recipes.last().map(|last| last.variant);
        let all = only_for.is_none().then(|| Recipe::compile_all(&recipes, compiler));
        let mut kernels = Vec::new();
        for recipe in recipes {
            let has =
                |elements| !kernels.is_empty() || !supports(recipe.size, &recipe.variant, elements);
            if only_for.is_some_and(has) {
                continue;
            }
            let made = match &all {
                Some(compiled) => recipe.kernels(compiled),
                None => recipe.kernels(&Recipe::compile_all([&recipe], compiler)),
            };
            // `OneTile` binds more buffers than WebGPU guarantees, and a device may have too few registers
            // for more threads than usual. Other strategies support the same elements.
            let is_optional = recipe.size == Size::OneTile || usual != Some(recipe.variant);
            if made.is_ok() || !is_optional {
                kernels.push(made?);
                self.recipes.push(recipe);
            }
        }
        Ok(Tree { build: compiler.build.clone(), strategies: self, kernels })
    }
}

/// The compiled kernels of a task.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) build: Build,
    pub(crate) strategies: Strategies,
    /// One per strategy.
    kernels: Vec<Kernels>,
}

impl Tree {
    pub(crate) fn new(
        compiler: &Compiler<'_>,
        task: Task,
        value_bytes: u32,
    ) -> Result<Self, Error> {
        Strategies::new(compiler.build, task, value_bytes)?.compile(compiler, None)
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        Ok(self.strategies.layout(capacity)?.bytes(&self.build))
    }

    pub(crate) fn scratch(
        &self,
        capacity: Capacity,
        memory: Option<wgpu::BufferBinding<'_>>,
    ) -> Result<TreeScratch, Error> {
        TreeScratch::new(&self.build, self.strategies.layout(capacity)?, memory)
    }

    pub(crate) fn bind(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        adapter: Option<&wgpu::BindGroup>,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        if *layout != self.strategies.layout(layout.capacity)? {
            return Err(Error::ForeignScratch);
        }
        let kernels = self.kernels(layout.capacity.elements)?;
        kernels.job(&self.build, scratch, (layout, &scratch.plan), callers, adapter)
    }

    /// Binds without an adapter, as [`Tree::bind`] does. If `sizes` is set, also binds the jobs for
    /// [`Job::up_to`].
    pub(crate) fn bind_sizes(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        sizes: bool,
    ) -> Result<Job, Error> {
        let job = self.bind(scratch, callers, None)?;
        if !sizes {
            return Ok(job);
        }
        Ok(job.with_smaller(self.smaller(scratch, callers)?))
    }

    pub(crate) fn kernels(&self, elements: u32) -> Result<&Kernels, Error> {
        let place = self.strategies.place(elements);
        place.and_then(|place| self.kernels.get(place)).ok_or(Error::ForeignScratch)
    }
}

/// Implements the scratch methods of an object over a tree, all of whose elements may be markers.
/// `$cost` follows "The size in bytes of a scratch".
macro_rules! elements_scratch {
    ($object:ident, $($tree:tt).+, $cost:literal) => {
        impl $object {
            #[doc = concat!("The size in bytes of a scratch", $cost, ".")]
            ///
            /// # Errors
            /// [`Error::TooMany`] if the elements exceed 32-bit indices.
            pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
                self.$($tree).+.scratch_bytes(crate::Capacity::all_markers(elements))
            }

            fn place_scratch(
                &self,
                elements: u32,
                memory: Option<wgpu::BufferBinding<'_>>,
            ) -> Result<Scratch<Self>, Error> {
                self.$($tree).+.scratch(crate::Capacity::all_markers(elements), memory).map(Scratch::new)
            }
        }

        crate::gpu::buffers::scratch_methods!($object -> Scratch<Self>, elements: u32);
    };
}
pub(crate) use elements_scratch;
