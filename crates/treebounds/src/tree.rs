//! What every task over a tree does, whatever its values are.

use crate::job::{Bound, JobBuilder};
use crate::options::has_buffers;
use crate::pipelines::Pipeline;
use crate::plan::{Layout, build_levels, pyramid_levels};
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Custom, Kernel, Reach, RectFormat, Task, Variant};

/// The kernels of a task: values that flow down or grow up.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) device: wgpu::Device,
    task: Task,
    /// Bytes of a value in an array.
    value_bytes: u32,
    /// For no more tiles than a workgroup has threads; from few threads to many.
    near: Vec<Near>,
    /// For any number.
    far: Far,
}

/// The kernels for no more tiles than a workgroup has threads.
#[derive(Clone, Debug)]
struct Near {
    variant: Variant,
    /// What is dispatched where one tile holds all elements.
    one_tile: Vec<Pipeline>,
    survive: Pipeline,
    resolve: Pipeline,
    /// Where values grow.
    span: Option<Pipeline>,
    /// Where somebody wants node indices, and nothing spans.
    compact: Option<Pipeline>,
}

/// The kernels for any number of tiles.
#[derive(Clone, Debug)]
struct Far {
    /// Of the same variant, with the first kernel and the last.
    near: Near,
    gather: Pipeline,
    spine: Pipeline,
    bases: Pipeline,
    outside: Pipeline,
    resolve: Pipeline,
    /// Where values grow.
    build_unions: Option<Pipeline>,
    span: Option<Pipeline>,
}

/// Compiles kernels of a variant.
type Compile<'a> = &'a dyn Fn(Kernel, &Variant) -> Result<Pipeline, Error>;

impl Near {
    fn new(
        device: &wgpu::Device,
        task: Task,
        variant: Variant,
        compile: Compile<'_>,
    ) -> Result<Self, Error> {
        let pipeline = |kernel| compile(kernel, &variant);
        let when = |wanted: bool, kernel| wanted.then(|| pipeline(kernel)).transpose();
        let resolve = pipeline(Kernel::Resolve(task, Reach::Near))?;
        let one_tile = match Kernel::OneTile(task) {
            // A host says the roles again, and wants no node indices.
            _ if task == Task::Host => vec![resolve.clone()],
            kernel if kernel.is_optional() && !has_buffers(device, kernel) => {
                vec![pipeline(Kernel::OneTileNodes)?, resolve.clone()]
            }
            kernel => vec![pipeline(kernel)?],
        };
        Ok(Self {
            one_tile,
            survive: pipeline(Kernel::Survive(task))?,
            resolve,
            span: when(task.grows(), Kernel::Span(task, Reach::Near))?,
            compact: when(task == Task::Clips, Kernel::Compact)?,
            variant,
        })
    }

    /// Whether it looks at all tiles of so many elements at once.
    fn is_near(&self, elements: u32) -> bool {
        elements.div_ceil(self.variant.tile()) <= self.variant.workgroup_size()
    }
}

impl Far {
    fn new(task: Task, near: Near, compile: Compile<'_>) -> Result<Self, Error> {
        let pipeline = |kernel| compile(kernel, &near.variant);
        let when = |wanted: bool, kernel| wanted.then(|| pipeline(kernel)).transpose();
        Ok(Self {
            gather: pipeline(Kernel::Gather(task))?,
            spine: pipeline(Kernel::Spine(task))?,
            bases: pipeline(Kernel::Bases(task))?,
            outside: pipeline(Kernel::Outside(task))?,
            resolve: pipeline(Kernel::Resolve(task, Reach::Far))?,
            build_unions: when(task.grows(), Kernel::BuildUnions(task))?,
            span: when(task.grows(), Kernel::Span(task, Reach::Far))?,
            near,
        })
    }
}

impl Tree {
    pub(crate) fn new(
        device: &wgpu::Device,
        task: Task,
        value_bytes: u32,
        [rects, boxes]: [RectFormat; 2],
        custom: &Custom<'_>,
        host: Option<&wgpu::BindGroupLayout>,
        options: &Options,
    ) -> Result<Self, Error> {
        // Not all of a module with a monoid is ours: it does not go unchecked.
        let checked = options.checked || task.is_generic();
        let compile: Compile<'_> =
            &|kernel, variant| Pipeline::custom(device, kernel, variant, custom, host, checked);
        let variant = options.variant(device, value_bytes)?.with_formats(rects, boxes)?;
        let far = Far::new(task, Near::new(device, task, variant, compile)?, compile)?;
        let near = options.near_variants(device, value_bytes, &variant)?.into_iter().map(|near| {
            let near = near.with_formats(rects, boxes)?;
            if near == variant {
                return Ok(far.near.clone());
            }
            Near::new(device, task, near, compile)
        });
        let near = near.collect::<Result<_, Error>>()?;
        Ok(Self { device: device.clone(), task, value_bytes, near, far })
    }

    /// The kernels that look at all tiles of so many elements at once, if there are any: those
    /// with one tile for all, else with as many as there may be.
    fn near(&self, elements: u32) -> Option<&Near> {
        let one_tile = self.near.iter().find(|kernels| elements <= kernels.variant.tile());
        one_tile.or_else(|| self.near.iter().find(|kernels| kernels.is_near(elements)))
    }

    pub(crate) fn variant(&self, elements: u32) -> Variant {
        self.near(elements).map_or(self.far.near.variant, |kernels| kernels.variant)
    }

    fn layout(&self, capacity: Capacity) -> Result<Layout, Error> {
        let variant = self.variant(capacity.elements);
        Layout::of_tree(self.task, capacity, variant, self.value_bytes)
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let layout = self.layout(capacity)?;
        Ok(layout.word_bytes + layout.product_bytes)
    }

    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let layout = self.layout(capacity)?;
        // The pyramid's kernels want the number of a level; the union tree's, its nodes.
        let mut levels: Vec<u32> = (0..groups(&layout).len() as u32).collect();
        levels.extend(unions(&layout));
        Scratch::new(&self.device, layout, &levels)
    }

    /// A job of this task on the caller's buffers.
    pub(crate) fn bind<'a>(
        &self,
        scratch: &'a Scratch,
        callers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
        host: Option<&'a wgpu::BindGroup>,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        let elements = layout.capacity.elements;
        let own = Some((self.task, self.value_bytes));
        if layout.variant != self.variant(elements) || layout.task != own {
            return Err(Error::ForeignScratch);
        }
        let buffers = |binding| {
            Some(match binding {
                Binding::Plan => (&scratch.plan, scratch.plan.size()),
                Binding::Words => (&scratch.words, scratch.words.size()),
                Binding::Products => (&scratch.products, scratch.products.size()),
                other => return callers(other),
            })
        };
        let mut job = JobBuilder {
            device: &self.device,
            buffers: &buffers,
            levels: &scratch.levels,
            host,
            dispatches: Vec::new(),
        };
        match self.near(elements) {
            Some(near) => near.add(&mut job, layout.tiles)?,
            None => self.far.add(&mut job, layout)?,
        }
        Ok(job.finish("treebounds"))
    }
}

impl Near {
    fn add(&self, job: &mut JobBuilder<'_>, tiles: u32) -> Result<(), Error> {
        if tiles == 1 {
            return self.one_tile.iter().try_for_each(|kernel| job.add(kernel, 1, 0));
        }
        job.add(&self.survive, tiles, 0)?;
        job.add(&self.resolve, tiles, 0)?;
        for last in self.span.iter().chain(&self.compact) {
            job.add(last, tiles, 0)?;
        }
        Ok(())
    }
}

impl Far {
    fn add(&self, job: &mut JobBuilder<'_>, layout: &Layout) -> Result<(), Error> {
        let threads = layout.variant.workgroup_size();
        // A workgroup of some kernels has a tile for every 32 threads.
        let several = layout.tiles.div_ceil((threads / 32).max(1));
        let groups = groups(layout);
        job.add(&self.near.survive, layout.tiles, 0)?;
        for (level, groups) in groups.iter().enumerate() {
            job.add(&self.gather, *groups, level)?;
        }
        for (level, groups) in groups.iter().enumerate().skip(1).rev() {
            job.add(&self.spine, *groups, level)?;
        }
        job.add(&self.bases, groups.first().copied().unwrap_or(1), 0)?;
        job.add(&self.outside, several, 0)?;
        job.add(&self.resolve, layout.tiles, 0)?;
        if let (Some(build), Some(span)) = (&self.build_unions, &self.span) {
            for (i, nodes) in unions(layout).iter().enumerate() {
                job.add(build, nodes.div_ceil(threads), groups.len() + i)?;
            }
            job.add(span, several, 0)?;
        }
        if let Some(compact) = &self.near.compact {
            job.add(compact, layout.tiles, 0)?;
        }
        Ok(())
    }
}

/// How many groups each level of the pyramid over the tiles has: nodes of the next.
fn groups(layout: &Layout) -> Vec<u32> {
    pyramid_levels(layout.tiles, layout.variant.workgroup_size()).split_off(1)
}

/// The levels of the dispatches that build the tree of what grows: none where one workgroup
/// has a leaf for each tile.
fn unions(layout: &Layout) -> Vec<u32> {
    let threads = layout.variant.workgroup_size();
    let leaves = layout.plan.union_tree_leaves;
    if leaves <= threads { Vec::new() } else { build_levels(leaves, threads) }
}
