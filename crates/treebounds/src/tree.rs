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
    /// For one tile, and for no more tiles than a workgroup has threads; from few threads to many.
    one_tile: Vec<OneTile>,
    near: Vec<Near>,
    /// For any number.
    far: Far,
}

/// What is dispatched where one tile holds all elements.
#[derive(Clone, Debug)]
struct OneTile {
    variant: Variant,
    kernels: Vec<Pipeline>,
}

/// The kernels for no more tiles than a workgroup has threads.
#[derive(Clone, Debug)]
struct Near {
    variant: Variant,
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
    variant: Variant,
    survive: Pipeline,
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

impl OneTile {
    /// `near` has the kernels of this variant, if anybody has compiled them.
    fn new(
        device: &wgpu::Device,
        task: Task,
        variant: Variant,
        near: Option<&Near>,
        compile: Compile<'_>,
    ) -> Result<Self, Error> {
        let resolve = || match near {
            Some(near) => Ok(near.resolve.clone()),
            None => compile(Kernel::Resolve(task, Reach::Near), &variant),
        };
        let kernels = match Kernel::OneTile(task) {
            // A host says the roles again, and wants no node indices.
            _ if task == Task::Host => vec![resolve()?],
            kernel if kernel.is_optional() && !has_buffers(device, kernel) => {
                vec![compile(Kernel::OneTileNodes, &variant)?, resolve()?]
            }
            kernel => vec![compile(kernel, &variant)?],
        };
        Ok(Self { variant, kernels })
    }
}

impl Near {
    /// Where there may be many tiles, the first kernel has runs.
    fn new(
        task: Task,
        variant: Variant,
        in_runs: bool,
        compile: Compile<'_>,
    ) -> Result<Self, Error> {
        let pipeline = |kernel| compile(kernel, &variant);
        let when = |wanted: bool, kernel| wanted.then(|| pipeline(kernel)).transpose();
        let surviving = if in_runs { variant.in_runs() } else { variant };
        Ok(Self {
            survive: compile(Kernel::Survive(task), &surviving)?,
            resolve: pipeline(Kernel::Resolve(task, Reach::Near))?,
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
    fn new(task: Task, variant: Variant, compile: Compile<'_>) -> Result<Self, Error> {
        let pipeline = |kernel| compile(kernel, &variant);
        let when = |wanted: bool, kernel| wanted.then(|| pipeline(kernel)).transpose();
        Ok(Self {
            survive: compile(Kernel::Survive(task), &variant.in_runs())?,
            gather: pipeline(Kernel::Gather(task))?,
            spine: pipeline(Kernel::Spine(task))?,
            bases: pipeline(Kernel::Bases(task))?,
            outside: pipeline(Kernel::Outside(task))?,
            resolve: pipeline(Kernel::Resolve(task, Reach::Far))?,
            build_unions: when(task.grows(), Kernel::BuildUnions(task))?,
            span: when(task.grows(), Kernel::Span(task, Reach::Far))?,
            variant,
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
        let middle = options.variant(device, task, value_bytes)?.with_formats(rects, boxes)?;
        let far = Far::new(task, middle, compile)?;
        let [near, one_tile] = options.near_variants(device, task, value_bytes, &middle)?;
        let near = near.into_iter().filter_map(|variant| {
            let in_runs = variant.workgroup_size() > middle.workgroup_size();
            let made = Near::new(task, variant, in_runs, compile);
            unless_refused(made, variant == middle)
        });
        let near = near.collect::<Result<Vec<_>, _>>()?;
        let one_tile = one_tile.into_iter().filter_map(|variant| {
            let same = near.iter().find(|near| near.variant == variant);
            let made = OneTile::new(device, task, variant, same, compile);
            unless_refused(made, variant == middle)
        });
        let one_tile = one_tile.collect::<Result<_, _>>()?;
        Ok(Self { device: device.clone(), task, value_bytes, one_tile, near, far })
    }

    /// The kernels that hold so many elements in one tile, if there are any.
    fn one_tile(&self, elements: u32) -> Option<&OneTile> {
        self.one_tile.iter().find(|kernels| elements <= kernels.variant.tile())
    }

    /// The kernels that look at all of their tiles at once, if there are any.
    fn near(&self, elements: u32) -> Option<&Near> {
        self.near.iter().find(|kernels| kernels.is_near(elements))
    }

    pub(crate) fn variant(&self, elements: u32) -> Variant {
        let one_tile = self.one_tile(elements).map(|kernels| kernels.variant);
        let near = || self.near(elements).map(|kernels| kernels.variant);
        one_tile.or_else(near).unwrap_or(self.far.variant)
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
        match (self.one_tile(elements), self.near(elements)) {
            (Some(one_tile), _) => {
                one_tile.kernels.iter().try_for_each(|kernel| job.add(kernel, 1, 0))?;
            }
            (None, Some(near)) => near.add(&mut job, layout.tiles)?,
            (None, None) => self.far.add(&mut job, layout)?,
        }
        Ok(job.finish("treebounds"))
    }
}

impl Near {
    fn add(&self, job: &mut JobBuilder<'_>, tiles: u32) -> Result<(), Error> {
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
        job.add(&self.survive, layout.tiles, 0)?;
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
        Ok(())
    }
}

/// Leaves out what a device refuses and need not run: a kernel may take more registers than so many
/// threads have.
fn unless_refused<T>(made: Result<T, Error>, must_run: bool) -> Option<Result<T, Error>> {
    if made.is_err() && !must_run { None } else { Some(made) }
}

/// How many groups each level of the pyramid over the tiles has: nodes of the next.
fn groups(layout: &Layout) -> Vec<u32> {
    pyramid_levels(layout.tiles, layout.variant.workgroup_size()).split_off(1)
}

/// The levels of the dispatches that build the tree of what grows: none where one workgroup
/// has a thread for each tile, which is where the kernels are near.
fn unions(layout: &Layout) -> Vec<u32> {
    let threads = layout.variant.workgroup_size();
    let leaves = layout.plan.union_tree_leaves;
    if leaves <= threads { Vec::new() } else { build_levels(leaves, threads) }
}
