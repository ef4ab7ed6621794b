//! Kernels of one variant that run one after the other.

use crate::buffers::Bound;
use crate::compiled::Compiled;
use crate::compiler::Compiler;
use crate::job::JobBuilder;
use crate::pipelines::Pipeline;
use crate::tree_layout::TreeLayout;
use crate::{Capacity, Error, Job, Scratch};
use treebounds_shaders::{Binding, Kernel, Size, Step, Stream, Task, TreeKernel, Variant};

/// Kernels of one variant, compiled, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    pub(crate) variant: Variant,
    pub(crate) size: Size,
    pub(crate) pipelines: Vec<Pipeline>,
}

/// The same before they are compiled.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) variant: Variant,
    pub(crate) size: Size,
    pub(crate) kernels: Vec<Kernel>,
}

impl Recipe {
    /// For a task over so many tiles.
    pub(crate) fn new(task: Task, size: Size, variant: Variant) -> Self {
        let kernels = TreeKernel::steps(task, size).into_iter().map(Kernel::Tree).collect();
        Self { variant, size, kernels }
    }

    /// Compaction by these steps.
    pub(crate) fn of_compaction(steps: &[Step], size: Size, variant: Variant) -> Self {
        let task = Task::both(Stream::Scene);
        let kernel = |step: &Step| {
            // The counts are the same whoever takes them.
            let size = if *step == Step::CompactMarkers { size } else { Size::Groups };
            Kernel::Tree(TreeKernel { step: *step, task, size })
        };
        Self { variant, size, kernels: steps.iter().map(kernel).collect() }
    }

    /// Compiles the kernels of several.
    pub(crate) fn compile_all<'r>(
        recipes: impl IntoIterator<Item = &'r Self>,
        compiler: &Compiler<'_>,
    ) -> Compiled {
        let kernels =
            |recipe: &'r Self| recipe.kernels.iter().map(|kernel| (*kernel, recipe.variant));
        compiler.compile(recipes.into_iter().flat_map(kernels))
    }

    /// Its kernels, of all that were compiled.
    pub(crate) fn kernels(&self, compiled: &Compiled) -> Result<Kernels, Error> {
        let pipeline = |kernel: &Kernel| compiled.pipeline(*kernel, &self.variant);
        let pipelines = self.kernels.iter().map(pipeline).collect::<Result<_, _>>()?;
        Ok(Kernels { variant: self.variant, size: self.size, pipelines })
    }

    /// Whether it is for so many elements.
    pub(crate) fn holds(&self, elements: u32) -> bool {
        holds(self.size, &self.variant, elements)
    }
}

/// Whether so many elements are no more tiles than these.
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
    /// Whether they are for so many elements.
    pub(crate) fn holds(&self, elements: u32) -> bool {
        holds(self.size, &self.variant, elements)
    }

    /// A job of these in a scratch, as it is laid out for them, on the caller's buffers.
    pub(crate) fn job<'a>(
        &self,
        device: &wgpu::Device,
        scratch: &'a Scratch,
        (layout, plan): (&TreeLayout, &'a wgpu::Buffer),
        callers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
        host: Option<&'a wgpu::BindGroup>,
    ) -> Result<Job, Error> {
        let buffers = |binding| {
            Some(match binding {
                Binding::Plan => (plan, plan.size()),
                Binding::Words => (&scratch.words, scratch.words.size()),
                Binding::Products => (&scratch.values, scratch.values.size()),
                other => return callers(other),
            })
        };
        let mut job = JobBuilder::new(device, &buffers, None).with_host(host);
        for pipeline in &self.pipelines {
            job.add(pipeline, workgroups(pipeline, layout), 0)?;
        }
        Ok(job.finish("treebounds"))
    }
}

/// Workgroups that a step takes for the capacity of a layout.
fn workgroups(pipeline: &Pipeline, layout: &TreeLayout) -> u32 {
    let variant = &pipeline.variant;
    let Kernel::Tree(kernel) = pipeline.kernel else { return layout.tiles };
    let Capacity { elements, markers } = layout.capacity;
    let tiles = layout.tiles.div_ceil(kernel.tiles(variant));
    match kernel.step {
        Step::ScanCounts => 1,
        // A thread has a record of 32 elements.
        Step::CompactMarkers => elements.div_ceil(32).div_ceil(variant.workgroup_size()).max(1),
        // More workgroups store node indices, of 32 elements for each mark; after the last mark is none.
        Step::ReduceTiles | Step::ReduceBundles if kernel.task.stream == Stream::FewMarkers => {
            let records = elements.saturating_sub(markers).saturating_sub(1);
            tiles + records.div_ceil(variant.workgroup_size() * Variant::INDEX_ROWS / 32)
        }
        _ => tiles,
    }
}
