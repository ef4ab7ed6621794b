//! What every task over a tree does, whatever its values are.

use crate::job::{Bound, JobBuilder};
use crate::pipelines::Pipeline;
use crate::plan::{Layout, build_levels, pyramid_levels};
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Custom, Kernel, Reach, RectFormat, Task, Variant};

/// The kernels of a task: values that flow down or grow up.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) device: wgpu::Device,
    pub(crate) variant: Variant,
    task: Task,
    /// Bytes of a value in an array.
    value_bytes: u32,
    /// Roles where one tile holds all elements, and node indices where somebody wants them.
    lone: Pipeline,
    survive: Pipeline,
    gather: Pipeline,
    spine: Pipeline,
    bases: Pipeline,
    outside: Pipeline,
    /// For few tiles, and for many.
    resolve: [Pipeline; 2],
    /// Where values grow.
    build_unions: Option<Pipeline>,
    span: Option<[Pipeline; 2]>,
    /// Where somebody wants node indices, and nothing spans.
    compact: Option<Pipeline>,
}

impl Tree {
    pub(crate) fn new(
        device: &wgpu::Device,
        task: Task,
        value_bytes: u32,
        [rects, boxes]: [RectFormat; 2],
        custom: &Custom<'_>,
        options: &Options,
    ) -> Result<Self, Error> {
        let variant = options.variant(device, value_bytes)?.with_formats(rects, boxes)?;
        // Not all of a module with a monoid is ours: it does not go unchecked.
        let checked = options.checked || task.is_generic();
        let pipeline = |kernel| Pipeline::custom(device, kernel, &variant, custom, checked);
        let both = |kernel: fn(Task, Reach) -> Kernel| {
            Ok::<_, Error>([
                pipeline(kernel(task, Reach::Near))?,
                pipeline(kernel(task, Reach::Far))?,
            ])
        };
        let when = |wanted: bool, kernel| wanted.then(|| pipeline(kernel)).transpose();
        Ok(Self {
            device: device.clone(),
            variant,
            task,
            value_bytes,
            lone: pipeline(if task.is_generic() { Kernel::Count } else { Kernel::Lone })?,
            survive: pipeline(Kernel::Survive(task))?,
            gather: pipeline(Kernel::Gather(task))?,
            spine: pipeline(Kernel::Spine(task))?,
            bases: pipeline(Kernel::Bases(task))?,
            outside: pipeline(Kernel::Outside)?,
            resolve: both(Kernel::Resolve)?,
            build_unions: when(task.grows(), Kernel::BuildUnions(task))?,
            span: task.grows().then(|| both(Kernel::Span)).transpose()?,
            compact: when(task == Task::Clips, Kernel::Compact)?,
        })
    }

    fn layout(&self, capacity: Capacity) -> Result<Layout, Error> {
        Layout::of_tree(self.task, capacity, self.variant, self.value_bytes)
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
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        let own = Some((self.task, self.value_bytes));
        if layout.variant != self.variant || layout.task != own {
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
            dispatches: Vec::new(),
        };
        if layout.tiles == 1 {
            job.add(&self.lone, 1, 0)?;
            job.add(&self.resolve[0], 1, 0)?;
        } else {
            self.add(&mut job, layout)?;
        }
        Ok(job.finish("treebounds"))
    }

    fn add(&self, job: &mut JobBuilder<'_>, layout: &Layout) -> Result<(), Error> {
        let groups = groups(layout);
        let reach = usize::from(!groups.is_empty());
        // With many tiles, a workgroup of some kernels has one for every 32 threads.
        let each = (self.variant.workgroup_size() / 32).max(1);
        job.add(&self.survive, layout.tiles, 0)?;
        for (level, groups) in groups.iter().enumerate() {
            job.add(&self.gather, *groups, level)?;
        }
        for (level, groups) in groups.iter().enumerate().skip(1).rev() {
            job.add(&self.spine, *groups, level)?;
        }
        if let Some(groups) = groups.first() {
            job.add(&self.bases, *groups, 0)?;
            job.add(&self.outside, layout.tiles.div_ceil(each), 0)?;
        }
        job.add(&self.resolve[reach], layout.tiles, 0)?;
        if let (Some(build), Some(span)) = (&self.build_unions, &self.span) {
            for (i, nodes) in unions(layout).iter().enumerate() {
                let threads = self.variant.workgroup_size();
                job.add(build, nodes.div_ceil(threads), groups.len() + i)?;
            }
            job.add(&span[reach], layout.tiles.div_ceil([1, each][reach]), 0)?;
        }
        if let Some(compact) = &self.compact {
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
