//! What every task over a tree does, whatever its values are.

use crate::buffers::Bound;
use crate::compiled::unless_refused;
use crate::compiler::Compiler;
use crate::kernels::{Kernels, Recipe};
use crate::tree_layout::{TreeLayout, Wanted};
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Size, Stream, Task, Variant};

/// The kernels of a task: values that flow down or grow up.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) device: wgpu::Device,
    task: Task,
    /// Bytes of a value in an array.
    value_bytes: u32,
    /// From few elements to any number.
    strategies: Vec<Kernels>,
}

/// The strategies, from few elements to any number. One tile comes with as many threads as elsewhere, with twice and with
/// four times as many; near with twice as many, too, where that is less than bundles take.
fn recipes(
    device: &wgpu::Device,
    task: Task,
    value_bytes: u32,
    options: &Options,
) -> Result<Vec<Recipe>, Error> {
    let variant = options.tree_variant(device, task, value_bytes)?;
    let larger = |size, times| {
        options.larger_tree_variant(device, (task, value_bytes), size, &variant, times)
    };
    let strategies = [
        (Size::OneTile, Some(variant)),
        (Size::OneTile, larger(Size::OneTile, 2)),
        (Size::OneTile, larger(Size::OneTile, 4)),
        (Size::Near, Some(variant)),
        (Size::Near, larger(Size::Near, 2)),
        (Size::Bundles, Some(variant)),
        (Size::Groups, Some(variant)),
    ];
    let recipes = strategies
        .into_iter()
        .filter_map(|(size, variant)| variant.map(|variant| Recipe::new(task, size, variant)));
    Ok(recipes.filter(|recipe| !recipe.kernels.is_empty()).collect())
}

/// Whether the stage does without: one tile of a scene binds more buffers than WebGPU promises, and a driver may have too
/// few registers for more threads.
fn may_be_refused(recipe: &Recipe, recipes: &[Recipe]) -> bool {
    let usual = recipes.last().is_none_or(|last| last.variant == recipe.variant);
    recipe.size == Size::OneTile || !usual
}

impl Tree {
    /// For any number of elements.
    pub(crate) fn new(
        compiler: &Compiler<'_>,
        task: Task,
        value_bytes: u32,
        options: &Options,
    ) -> Result<Self, Error> {
        let recipes = recipes(compiler.device, task, value_bytes, options)?;
        let compiled = Recipe::compile_all(&recipes, compiler);
        let made = recipes.iter().filter_map(|recipe| {
            unless_refused(recipe.kernels(&compiled), !may_be_refused(recipe, &recipes))
        });
        let strategies = made.collect::<Result<_, _>>()?;
        Ok(Self { device: compiler.device.clone(), task, value_bytes, strategies })
    }

    /// For so many elements and no other number: compiles what [`Tree::new`] would run for them.
    pub(crate) fn only_for(
        elements: u32,
        compiler: &Compiler<'_>,
        task: Task,
        value_bytes: u32,
        options: &Options,
    ) -> Result<Self, Error> {
        let recipes = recipes(compiler.device, task, value_bytes, options)?;
        let fitting = recipes.iter().filter(|recipe| recipe.holds(elements));
        let mut made = fitting.filter_map(|recipe| {
            unless_refused(
                recipe.kernels(&Recipe::compile_all([recipe], compiler)),
                !may_be_refused(recipe, &recipes),
            )
        });
        let strategies = made.next().into_iter().collect::<Result<_, _>>()?;
        Ok(Self { device: compiler.device.clone(), task, value_bytes, strategies })
    }

    /// Those for so many elements.
    fn kernels(&self, elements: u32) -> Option<&Kernels> {
        self.strategies.iter().find(|kernels| kernels.holds(elements))
    }

    /// The variant for so many elements.
    pub(crate) fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).map_or_else(Variant::default, |kernels| kernels.variant)
    }

    /// The layout of a capacity, and the kernels for it.
    fn layout(&self, capacity: Capacity) -> Result<(TreeLayout, &Kernels), Error> {
        let kernels = self.kernels(capacity.elements).ok_or(Error::ForeignScratch)?;
        Ok((TreeLayout::new(self.wanted(kernels), capacity)?, kernels))
    }

    fn wanted(&self, kernels: &Kernels) -> Wanted {
        let (task, value_bytes) = (self.task, self.value_bytes);
        Wanted { task, size: kernels.size, variant: kernels.variant, value_bytes }
    }

    /// The layouts of a scene of few nodes: of its entries, and of its elements.
    pub(crate) fn entry_layouts(&self, capacity: Capacity) -> Result<[TreeLayout; 2], Error> {
        let entries = TreeLayout::entries(capacity);
        let kernels = self.kernels(entries).ok_or(Error::ForeignScratch)?;
        // Compaction has the usual number of threads, as the last strategy.
        let counting = self.strategies.last().map_or(kernels.variant, |last| last.variant);
        TreeLayout::of_entries(self.wanted(kernels), counting, capacity)
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let (layout, _) = self.layout(capacity)?;
        Ok(layout.word_bytes + layout.value_buffer_bytes)
    }

    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let (layout, _) = self.layout(capacity)?;
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
        let expected = match self.task.stream {
            Stream::FewMarkers => self.entry_layouts(scratch.capacity())?[0].clone(),
            _ => self.layout(layout.capacity)?.0,
        };
        if *layout != expected {
            return Err(Error::ForeignScratch);
        }
        let kernels = self.kernels(layout.capacity.elements).ok_or(Error::ForeignScratch)?;
        kernels.job(&self.device, scratch, (layout, &scratch.plan), callers, host)
    }
}
