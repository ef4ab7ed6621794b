//! What every task over a tree does, whatever its values are.

use crate::job::{Bound, JobBuilder};
use crate::kernels::{Compile, Kernels};
use crate::options::has_buffers;
use crate::pipelines::Pipeline;
use crate::plan::Layout;
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
    one_tile: Vec<Kernels>,
    near: Vec<Kernels>,
    /// For any number.
    far: Kernels,
}

/// The kernel of one tile. `near` has it of this variant, if anybody has compiled it.
fn one_tile(
    device: &wgpu::Device,
    task: Task,
    variant: Variant,
    near: Option<&Kernels>,
    compile: Compile<'_>,
) -> Result<Kernels, Error> {
    let resolve = Kernel::Resolve(task, Reach::Near);
    let compiled = near.and_then(|near| near.find(resolve));
    let compile: Compile<'_> = &|kernel, variant| match compiled {
        Some(pipeline) if kernel == resolve => Ok(pipeline.clone()),
        _ => compile(kernel, variant),
    };
    let kernels = match Kernel::OneTile(task) {
        // A host says the roles again, and wants no node indices.
        _ if task == Task::Host => vec![resolve],
        kernel if kernel.is_optional() && !has_buffers(device, kernel) => {
            vec![Kernel::OneTileNodes, resolve]
        }
        kernel => vec![kernel],
    };
    Kernels::new(variant, kernels, compile)
}

/// The kernels for no more tiles than a workgroup has threads. Where there may be many tiles, the first
/// has runs.
pub(crate) fn near(
    task: Task,
    variant: Variant,
    in_runs: bool,
    compile: Compile<'_>,
) -> Result<Kernels, Error> {
    let surviving = if in_runs { variant.in_runs() } else { variant };
    let first = compile(Kernel::Survive(task), &surviving)?;
    let mut rest = vec![Kernel::Resolve(task, Reach::Near)];
    if task.grows() {
        rest.push(Kernel::Span(task, Reach::Near));
    } else if task == Task::Clips {
        // Somebody wants node indices, and nothing spans.
        rest.push(Kernel::Compact);
    }
    Ok(Kernels::new(variant, rest, compile)?.after(first))
}

/// The kernels for any number of tiles.
pub(crate) fn far(task: Task, variant: Variant, compile: Compile<'_>) -> Result<Kernels, Error> {
    let first = compile(Kernel::Survive(task), &variant.in_runs())?;
    let mut rest = vec![
        Kernel::Gather(task),
        Kernel::Spine(task),
        Kernel::Bases(task),
        Kernel::Outside(task),
        Kernel::Resolve(task, Reach::Far),
    ];
    if task.grows() {
        rest.extend([Kernel::BuildUnions(task), Kernel::Span(task, Reach::Far)]);
    }
    Ok(Kernels::new(variant, rest, compile)?.after(first))
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
        let far = far(task, middle, compile)?;
        let [nears, one_tiles] = options.near_variants(device, task, value_bytes, &middle)?;
        let nears = nears.into_iter().filter_map(|variant| {
            let in_runs = variant.workgroup_size() > middle.workgroup_size();
            unless_refused(near(task, variant, in_runs, compile), variant == middle)
        });
        let near = nears.collect::<Result<Vec<_>, _>>()?;
        let one_tiles = one_tiles.into_iter().filter_map(|variant| {
            let same = near.iter().find(|near| near.variant == variant);
            unless_refused(one_tile(device, task, variant, same, compile), variant == middle)
        });
        let one_tile = one_tiles.collect::<Result<_, _>>()?;
        Ok(Self { device: device.clone(), task, value_bytes, one_tile, near, far })
    }

    /// The kernels that hold so many elements in one tile, if there are any.
    fn one_tile(&self, elements: u32) -> Option<&Kernels> {
        self.one_tile.iter().find(|kernels| elements <= kernels.variant.tile())
    }

    /// The kernels that look at all of their tiles at once, if there are any.
    fn near(&self, elements: u32) -> Option<&Kernels> {
        self.near.iter().find(|kernels| kernels.is_near(elements))
    }

    /// Those for so many elements.
    fn kernels(&self, elements: u32) -> &Kernels {
        self.one_tile(elements).or_else(|| self.near(elements)).unwrap_or(&self.far)
    }

    /// Whether it takes the kernels for any number of tiles.
    pub(crate) fn is_far(&self, elements: u32) -> bool {
        self.one_tile(elements).is_none() && self.near(elements).is_none()
    }

    pub(crate) fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).variant
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
        Scratch::new(&self.device, layout)
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
        self.kernels(elements).add(&mut job, layout)?;
        Ok(job.finish("treebounds"))
    }
}

/// Leaves out what a device refuses and need not run: a kernel may take more registers than so many
/// threads have.
pub(crate) fn unless_refused<T>(
    made: Result<T, Error>,
    must_run: bool,
) -> Option<Result<T, Error>> {
    if made.is_err() && !must_run { None } else { Some(made) }
}
