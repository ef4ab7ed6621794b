//! Compiles kernels side by side: a driver takes a tenth of a second for each.

use crate::Error;
use crate::kernels::{Kernels, Recipe};
use crate::pipelines::Pipeline;
use crate::side_by_side::side_by_side;
use treebounds_shaders::{Binding, Custom, Kernel, Variant};

/// Compiles for a device.
pub(crate) struct Compiler<'a> {
    pub(crate) device: &'a wgpu::Device,
    /// WGSL of the caller's own.
    pub(crate) custom: Custom<'a>,
    /// Which may have a bind group of its own.
    pub(crate) host: Option<&'a wgpu::BindGroupLayout>,
    /// Bytes from one value in an array to the next, where WGSL of the caller's own says what they are.
    pub(crate) strides: &'a [(Binding, u32)],
    /// Whether wgpu adds its checks.
    pub(crate) checked: bool,
}

impl<'a> Compiler<'a> {
    /// For kernels that are all ours.
    pub(crate) fn new(device: &'a wgpu::Device, checked: bool) -> Self {
        Self { device, custom: Custom::default(), host: None, strides: &[], checked }
    }

    /// Compiles each kernel of each variant.
    pub(crate) fn compile(&self, wanted: impl IntoIterator<Item = (Kernel, Variant)>) -> Compiled {
        let mut each = Vec::new();
        for one in wanted {
            if !each.contains(&one) {
                each.push(one);
            }
        }
        Compiled(side_by_side(self.device, &each, |(kernel, variant)| {
            (*kernel, *variant, Pipeline::new(self, *kernel, variant))
        }))
    }

    /// Compiles all that these recipes name.
    pub(crate) fn compile_all<'r>(
        &self,
        recipes: impl IntoIterator<Item = &'r Recipe>,
    ) -> Compiled {
        let kernels =
            |recipe: &'r Recipe| recipe.kernels.iter().map(|kernel| (*kernel, recipe.variant));
        self.compile(recipes.into_iter().flat_map(kernels))
    }
}

/// What became of each.
pub(crate) struct Compiled(Vec<(Kernel, Variant, Result<Pipeline, Error>)>);

impl Compiled {
    /// One of them.
    pub(crate) fn pipeline(&self, kernel: Kernel, variant: &Variant) -> Result<Pipeline, Error> {
        let is_it = |made: &&(Kernel, Variant, _)| (made.0, made.1) == (kernel, *variant);
        let never = || Error::Kernel { kernel: kernel.name(), message: "never compiled".into() };
        self.0.iter().find(is_it).map_or_else(|| Err(never()), |made| made.2.clone())
    }

    /// Those of a recipe.
    pub(crate) fn kernels(&self, recipe: &Recipe) -> Result<Kernels, Error> {
        let pipelines = recipe.kernels.iter().map(|kernel| self.pipeline(*kernel, &recipe.variant));
        let pipelines = pipelines.collect::<Result<_, _>>()?;
        Ok(Kernels { variant: recipe.variant, size: recipe.size, pipelines })
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
