//! The kernels over a tree, in every strategy, whatever values flow down or grow up.

use crate::gpu::buffers::Range;
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Compiled, Compiler, Pipeline};
use crate::stage::layout::{TreeLayout, Wanted};
use crate::stage::scratch::TreeScratch;
use crate::{Capacity, Error, Job};
use treebounds_shaders::{Kernel, Size, Step, Stream, Task, TreeKernel, Variant};

/// Kernels of one variant in their order, not compiled yet.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    variant: Variant,
    size: Size,
    kernels: Vec<Kernel>,
}

/// The same, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    pub(crate) variant: Variant,
    pipelines: Vec<Pipeline>,
}

impl Recipe {
    /// A task for that many tiles.
    fn new(task: Task, size: Size, variant: Variant) -> Self {
        let kernels = TreeKernel::steps(task, size).into_iter().map(Kernel::Tree).collect();
        Self { variant, size, kernels }
    }

    /// Compaction by these steps.
    pub(crate) fn of_compaction(steps: &[Step], size: Size, variant: Variant) -> Self {
        let task = Task::both(Stream::Scene);
        let kernel = |step: &Step| {
            // Counting does not depend on the size.
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

    /// Its kernels, out of all that were compiled.
    pub(crate) fn kernels(&self, compiled: &Compiled) -> Result<Kernels, Error> {
        let pipeline = |kernel: &Kernel| compiled.pipeline(*kernel, &self.variant);
        let pipelines = self.kernels.iter().map(pipeline).collect::<Result<_, _>>()?;
        Ok(Kernels { variant: self.variant, pipelines })
    }
}

/// Whether a strategy takes that many elements.
fn holds(size: Size, variant: &Variant, elements: u32) -> bool {
    let tiles = elements.div_ceil(variant.tile());
    match size {
        Size::OneTile => tiles <= 1,
        Size::Near => tiles <= variant.workgroup_size(),
        Size::Bundles => tiles.div_ceil(variant.bundle_tiles()) <= variant.workgroup_size(),
        Size::Groups => true,
    }
}

impl Kernels {
    /// Compaction alone: the roles and counts of tiles, their scan, and indices.
    pub(crate) fn compaction(build: &Build) -> Result<Self, Error> {
        let variant = build.tuning.tree_variant(&build.device, Task::both(Stream::Scene), 16)?;
        let steps = [Step::CountMarkers, Step::ScanCounts, Step::Compact];
        let recipe = Recipe::of_compaction(&steps, Size::Groups, variant);
        recipe.kernels(&Recipe::compile_all([&recipe], &build.compiler()))
    }

    /// A job of these kernels in a scratch that is laid out for them, on the caller's ranges.
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

/// Workgroups that a step takes for the capacity of a layout.
fn workgroups(pipeline: &Pipeline, layout: &TreeLayout) -> u32 {
    let variant = &pipeline.variant;
    let Kernel::Tree(kernel) = pipeline.kernel else { return layout.tiles };
    let Capacity { elements, markers, .. } = layout.capacity;
    let tiles = layout.tiles.div_ceil(kernel.tiles(variant));
    match kernel.step {
        Step::ScanCounts => 1,
        // A thread has a record of 32 elements.
        Step::CompactMarkers => elements.div_ceil(32).div_ceil(variant.workgroup_size()).max(1),
        // More workgroups store marker indices: of the 32 elements after each separator but the last.
        Step::ReduceTiles | Step::ReduceBundles if kernel.task.stream == Stream::FewMarkers => {
            let records = elements.saturating_sub(markers).saturating_sub(1);
            tiles + records.div_ceil(variant.workgroup_size() * Variant::INDEX_ROWS / 32)
        }
        _ => tiles,
    }
}

/// The strategies of a task, from few elements to any number. Choosing among them compiles nothing.
#[derive(Clone, Debug)]
pub(crate) struct Strategies {
    task: Task,
    /// Bytes of a value in an array.
    value_bytes: u32,
    recipes: Vec<Recipe>,
}

impl Strategies {
    /// One tile comes with the usual number of threads, twice and four times as many; near also
    /// comes with twice as many, where that takes less time than bundles. With filters it does not.
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

    /// The first strategy that takes that many elements.
    fn place(&self, elements: u32) -> Option<usize> {
        self.recipes.iter().position(|recipe| holds(recipe.size, &recipe.variant, elements))
    }

    fn recipe(&self, elements: u32) -> Result<&Recipe, Error> {
        let place = self.place(elements).ok_or(Error::ForeignScratch)?;
        self.recipes.get(place).ok_or(Error::ForeignScratch)
    }

    /// Elements per tile of the strategy for any number of elements.
    pub(crate) fn tile(&self) -> u32 {
        self.recipes.last().map_or(Variant::default(), |last| last.variant).tile()
    }

    /// The variant for that many elements.
    pub(crate) fn variant(&self, elements: u32) -> Variant {
        self.recipe(elements).map_or_else(|_| Variant::default(), |recipe| recipe.variant)
    }

    fn wanted(&self, recipe: &Recipe) -> Wanted {
        let (task, value_bytes) = (self.task, self.value_bytes);
        Wanted { task, size: recipe.size, variant: recipe.variant, value_bytes }
    }

    /// The layout of a capacity.
    pub(crate) fn layout(&self, capacity: Capacity) -> Result<TreeLayout, Error> {
        TreeLayout::new(self.wanted(self.recipe(capacity.elements)?), capacity)
    }

    /// The layouts of a scene of few markers: of its posts, and of its elements.
    pub(crate) fn post_layouts(&self, capacity: Capacity) -> Result<[TreeLayout; 2], Error> {
        let recipe = self.recipe(TreeLayout::posts(capacity))?;
        // Compaction has the usual number of threads, as the last strategy.
        let counting = self.recipes.last().map_or(recipe.variant, |last| last.variant);
        TreeLayout::of_posts(self.wanted(recipe), counting, capacity)
    }

    /// The strategies without kernels, for a tree that binds nothing.
    pub(crate) fn uncompiled(self, build: &Build) -> Tree {
        Tree { build: build.clone(), strategies: self, kernels: Vec::new() }
    }

    /// Compiles every strategy, or only the one for that many elements. A strategy that is not
    /// necessary is left out where the device refuses it.
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
                |elements| !kernels.is_empty() || !holds(recipe.size, &recipe.variant, elements);
            if only_for.is_some_and(has) {
                continue;
            }
            let made = match &all {
                Some(compiled) => recipe.kernels(compiled),
                None => recipe.kernels(&Recipe::compile_all([&recipe], compiler)),
            };
            // One tile of a scene binds more buffers than WebGPU promises, and a driver may have too
            // few registers for more threads than usual; other strategies take as many elements.
            let is_optional = recipe.size == Size::OneTile || usual != Some(recipe.variant);
            if made.is_ok() || !is_optional {
                kernels.push(made?);
                self.recipes.push(recipe);
            }
        }
        Ok(Tree { build: compiler.build.clone(), strategies: self, kernels })
    }
}

/// The kernels of a task, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) build: Build,
    pub(crate) strategies: Strategies,
    /// One for each strategy.
    kernels: Vec<Kernels>,
}

impl Tree {
    /// For any number of elements.
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

    /// A job of this task on the caller's ranges.
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

    /// [`Tree::bind`] without an adapter; with `sizes` also the jobs for fewer elements.
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

    /// The kernels for that many elements.
    pub(crate) fn kernels(&self, elements: u32) -> Result<&Kernels, Error> {
        let place = self.strategies.place(elements);
        place.and_then(|place| self.kernels.get(place)).ok_or(Error::ForeignScratch)
    }
}

/// The methods that make the scratch of an object over a tree, of which all elements may be markers.
/// The text follows "Bytes of a scratch for this many elements".
macro_rules! elements_scratch {
    ($object:ident, $($tree:tt).+, $cost:literal) => {
        impl $object {
            #[doc = concat!("Bytes of a scratch for this many elements", $cost, ".")]
            ///
            /// # Errors
            /// [`Error::TooMany`] where 32-bit indices do not suffice.
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
