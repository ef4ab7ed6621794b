//! What every task over a tree does, whatever its values are.

use crate::job::{Bound, JobBuilder};
use crate::pipelines::Pipeline;
use crate::plan::{Layout, build_levels};
use crate::{Capacity, Error, Job, Match, Options, Scratch};
use treebounds_shaders::{Binding, Custom, Kernel, RectFormat, Task, Variant};

/// The kernels of a task: matching, then values that flow down or grow up.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) device: wgpu::Device,
    pub(crate) variant: Variant,
    task: Task,
    /// Bytes of a value in an array.
    value_bytes: u32,
    matching: Match,
    /// Roles alone, where one tile holds all elements and nobody wants node indices.
    count: Option<Pipeline>,
    survive: Pipeline,
    spine: Pipeline,
    bases: Pipeline,
    resolve: Pipeline,
    /// Where values grow.
    build_unions: Option<Pipeline>,
    span: Option<Pipeline>,
}

/// What writes node indices: after the rest, or all at once for one tile.
#[derive(Clone, Debug)]
pub(crate) struct Compaction {
    compact: Pipeline,
    lone: Pipeline,
}

impl Compaction {
    pub(crate) fn new(tree: &Tree, checked: bool) -> Result<Self, Error> {
        let pipeline = |kernel| Pipeline::new(&tree.device, kernel, &tree.variant, checked);
        Ok(Self { compact: pipeline(Kernel::Compact)?, lone: pipeline(Kernel::Lone)? })
    }
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
        let grows = |kernel| task.grows().then(|| pipeline(kernel)).transpose();
        Ok(Self {
            device: device.clone(),
            variant,
            task,
            value_bytes,
            matching: Match::tops(device, options)?,
            count: task.is_generic().then(|| pipeline(Kernel::Count)).transpose()?,
            survive: pipeline(Kernel::Survive(task))?,
            spine: pipeline(Kernel::Spine(task))?,
            bases: pipeline(Kernel::Bases(task))?,
            resolve: pipeline(Kernel::Resolve(task))?,
            build_unions: grows(Kernel::BuildUnions(task))?,
            span: grows(Kernel::Span(task))?,
        })
    }

    fn layout(&self, capacity: Capacity) -> Result<Layout, Error> {
        Layout::of_tree(self.task, capacity, self.variant, self.value_bytes)
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let layout = self.layout(capacity)?;
        let matching = self.matching.scratch_bytes(capacity.elements)?;
        Ok(layout.word_bytes + layout.product_bytes + layout.top_bytes + matching)
    }

    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let layout = self.layout(capacity)?;
        let levels = levels(&layout);
        let matching = self.matching.scratch(capacity.elements)?;
        Scratch::new(&self.device, layout, &levels, matching)
    }

    /// A job of this task on the caller's buffers, with compaction where it is wanted.
    pub(crate) fn bind<'a>(
        &self,
        params: &'a wgpu::Buffer,
        tags: &'a wgpu::Buffer,
        scratch: &'a Scratch,
        callers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
        compaction: Option<&Compaction>,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        let own = Some((self.task, self.value_bytes));
        if layout.variant != self.variant || layout.task != own {
            return Err(Error::ForeignScratch);
        }
        let matching = self.matching.bind(params, tags, &scratch.tops, &scratch.matching)?;
        let buffers = |binding| {
            Some(match binding {
                Binding::Plan => (&scratch.plan, scratch.plan.size()),
                Binding::Tops => (&scratch.tops, scratch.tops.size()),
                Binding::Words => (&scratch.words, scratch.words.size()),
                Binding::Products => (&scratch.products, scratch.products.size()),
                other => return callers(other),
            })
        };
        let mut job = JobBuilder {
            device: &self.device,
            buffers: &buffers,
            levels: &scratch.levels,
            dispatches: matching.dispatches().to_vec(),
        };
        if layout.tiles == 1 {
            let roles = compaction.map(|compaction| &compaction.lone).or(self.count.as_ref());
            if let Some(roles) = roles {
                job.add(roles, 1, 0)?;
            }
            job.add(&self.resolve, 1, 0)?;
        } else {
            self.add(&mut job, layout)?;
            if let Some(compaction) = compaction {
                job.add(&compaction.compact, layout.tiles, 0)?;
            }
        }
        Ok(job.finish("treebounds"))
    }

    fn add(&self, job: &mut JobBuilder<'_>, layout: &Layout) -> Result<(), Error> {
        let threads = self.variant.workgroup_size();
        let groups = layout.tiles.div_ceil(threads);
        job.add(&self.survive, layout.tiles, 0)?;
        // Where only products grow, and nobody has node indices, tiles need nothing of
        // those before.
        if self.task != Task::LeafFix {
            job.add(&self.spine, groups, 0)?;
            if groups > 1 {
                job.add(&self.bases, groups, 0)?;
            }
        }
        job.add(&self.resolve, layout.tiles, 0)?;
        if let (Some(build), Some(span)) = (&self.build_unions, &self.span) {
            for (level, nodes) in levels(layout).iter().enumerate() {
                job.add(build, nodes.div_ceil(threads), level)?;
            }
            job.add(span, layout.tiles, 0)?;
        }
        Ok(())
    }
}

/// The levels of the dispatches that build the tree of what grows.
fn levels(layout: &Layout) -> Vec<u32> {
    build_levels(layout.plan.union_tree_leaves, layout.variant.workgroup_size())
}
