//! What every task over a tree does, whatever its values are.

use crate::compiler::{Compiler, unless_refused};
use crate::job::Bound;
use crate::kernels::{Kernels, Recipe, Tiles};
use crate::options::{has_buffers, has_bundles};
use crate::plan::Layout;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Kernel, Reach, RectFormat, Task, Variant};

/// The kernels of a task: values that flow down or grow up.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) device: wgpu::Device,
    task: Task,
    /// Bytes of a value in an array.
    value_bytes: u32,
    /// For one tile, then where each workgroup reads all elements before its own, then for no more tiles than a
    /// workgroup has threads, then for no more bundles of them; each from few threads to many.
    small: Vec<Kernels>,
    /// For all that those do not hold.
    large: Kernels,
}

/// The kernel of one tile.
fn one_tile(device: &wgpu::Device, task: Task, variant: Variant) -> Recipe {
    let resolve = Kernel::Resolve(task, Reach::Near);
    let kernels = match Kernel::OneTile(task) {
        // A host says the roles again, and wants no node indices.
        _ if task == Task::Host => vec![resolve],
        kernel if kernel.is_optional() && !has_buffers(device, kernel) => {
            vec![Kernel::OneTileNodes, resolve]
        }
        kernel => vec![kernel],
    };
    Recipe::new(variant, kernels).up_to(Tiles::One)
}

/// The kernels for no more tiles than a workgroup has threads. Where there may be many tiles, the first
/// has runs.
pub(crate) fn near(task: Task, variant: Variant, in_runs: bool) -> Recipe {
    let surviving = if in_runs { variant.in_runs() } else { variant };
    few(task, variant, Reach::Near).after(Kernel::Survive(task), surviving).up_to(Tiles::Near)
}

/// The kernels for so few elements that each workgroup reads all before its tile.
fn nearest(task: Task, variant: Variant) -> Recipe {
    few(task, variant, Reach::Nearest).up_to(Tiles::Nearest)
}

/// What these two have in common.
fn few(task: Task, variant: Variant, reach: Reach) -> Recipe {
    let mut kernels = vec![Kernel::Resolve(task, reach)];
    if task.grows() {
        kernels.push(Kernel::Span(task, reach));
    } else if task == Task::Clips {
        // Somebody wants node indices, and nothing spans.
        kernels.push(Kernel::Compact);
    }
    Recipe::new(variant, kernels)
}

/// The kernels for no more bundles of tiles than a workgroup has threads, where the device can run them.
pub(crate) fn bundles(
    device: &wgpu::Device,
    task: Task,
    variant: Variant,
    value_bytes: u32,
) -> Option<Recipe> {
    let mut rest = vec![Kernel::OutsideBundles(task), Kernel::Resolve(task, Reach::Far)];
    rest.extend(task.grows().then_some(Kernel::SpanBundles(task)));
    let recipe = Recipe::new(variant, rest);
    let recipe = recipe.after(Kernel::SurviveBundles(task), variant.in_bundles());
    has_bundles(device, &variant, task, value_bytes).then(|| recipe.up_to(Tiles::Bundles))
}

/// The kernels for any number of tiles.
pub(crate) fn far(task: Task, variant: Variant) -> Recipe {
    let between = [Kernel::Gather, Kernel::Spine, Kernel::Bases, Kernel::Outside];
    let mut kernels = between.map(|kernel| kernel(task)).to_vec();
    kernels.push(Kernel::Resolve(task, Reach::Far));
    if task.grows() {
        kernels.extend([Kernel::BuildUnions(task), Kernel::Span(task, Reach::Far)]);
    }
    Recipe::new(variant, kernels).after(Kernel::Survive(task), variant.in_runs())
}

/// The kernels for few elements, ascending; and those for any number.
fn recipes(
    device: &wgpu::Device,
    task: Task,
    value_bytes: u32,
    [rects, boxes]: [RectFormat; 2],
    options: &Options,
) -> Result<(Vec<Recipe>, Recipe), Error> {
    let middle = options.variant(device, task, value_bytes)?.with_formats(rects, boxes)?;
    let [nears, one_tiles] = options.near_variants(device, task, value_bytes, &middle)?;
    let in_runs = |variant: Variant| variant.workgroup_size() > middle.workgroup_size();
    let one_tiles = one_tiles.into_iter().map(|variant| one_tile(device, task, variant));
    let nearest = (middle.nearest() > 0).then(|| nearest(task, middle));
    let nears = nears.into_iter().map(|variant| near(task, variant, in_runs(variant)));
    let bundles = bundles(device, task, middle, value_bytes);
    let small = one_tiles.chain(nearest).chain(nears).chain(bundles);
    Ok((small.collect(), far(task, middle)))
}

impl Tree {
    /// For any number of elements.
    pub(crate) fn new(
        compiler: &Compiler<'_>,
        task: Task,
        value_bytes: u32,
        formats: [RectFormat; 2],
        options: &Options,
    ) -> Result<Self, Error> {
        let device = compiler.device;
        let (small, far) = recipes(device, task, value_bytes, formats, options)?;
        let compiled = compiler.compile_all(small.iter().chain([&far]));
        let made = |recipe: &Recipe| {
            unless_refused(compiled.kernels(recipe), recipe.variant == far.variant)
        };
        let small = small.iter().filter_map(made).collect::<Result<_, _>>()?;
        let large = compiled.kernels(&far)?;
        Ok(Self { device: device.clone(), task, value_bytes, small, large })
    }

    /// For so many elements and no other number: compiles what [`Tree::new`] would run for them.
    pub(crate) fn only_for(
        elements: u32,
        compiler: &Compiler<'_>,
        task: Task,
        value_bytes: u32,
        formats: [RectFormat; 2],
        options: &Options,
    ) -> Result<Self, Error> {
        let device = compiler.device.clone();
        let (small, far) = recipes(&device, task, value_bytes, formats, options)?;
        let compile = |recipe: &Recipe| compiler.compile_all([recipe]).kernels(recipe);
        let fitting = small.iter().filter(|recipe| recipe.holds(elements));
        let mut made = fitting
            .filter_map(|recipe| unless_refused(compile(recipe), recipe.variant == far.variant));
        let large = made.next().unwrap_or_else(|| compile(&far))?;
        Ok(Self { device, task, value_bytes, small: Vec::new(), large })
    }

    /// Those for so many elements.
    fn kernels(&self, elements: u32) -> &Kernels {
        self.small.iter().find(|kernels| kernels.holds(elements)).unwrap_or(&self.large)
    }

    /// Whether there are more tiles than a workgroup has threads.
    pub(crate) fn is_far(&self, elements: u32) -> bool {
        matches!(self.kernels(elements).most, Tiles::Bundles | Tiles::Any)
    }

    pub(crate) fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).variant
    }

    fn layout(&self, capacity: Capacity) -> Result<Layout, Error> {
        let kernels = self.kernels(capacity.elements);
        let (variant, between) = (kernels.variant, kernels.between());
        Layout::of_tree(self.task, capacity, variant, self.value_bytes, between)
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
        let kernels = self.kernels(elements);
        kernels.job(&self.device, scratch, (layout, &scratch.plan), callers, host)
    }
}
