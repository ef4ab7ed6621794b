//! Kernels compiled side by side: a driver takes a tenth of a second for each.

use crate::Error;
use crate::compiler::Compiler;
use crate::pipelines::Pipeline;
use crate::side_by_side::side_by_side;
use treebounds_shaders::{Kernel, Variant};

impl Compiler<'_> {
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
}

/// Leaves out what a device refuses and need not run: a kernel may take more registers than so many
/// threads have.
pub(crate) fn unless_refused<T>(
    made: Result<T, Error>,
    must_run: bool,
) -> Option<Result<T, Error>> {
    if made.is_err() && !must_run { None } else { Some(made) }
}
