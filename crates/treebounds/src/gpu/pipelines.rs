//! Compiles compute pipelines.

use crate::Error;
use crate::gpu::capabilities::{Tuning, check_limits};
#[cfg(test)]
use crate::gpu::probe;
use crate::gpu::{in_parallel, is_browser, scoped};
use treebounds_shaders::{
    Access, Binding, Custom, Kernel, LinkError, Linked, Target, Variant, link_custom,
};

/// The descriptor settings for creating kernels and scratch.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub(crate) device: wgpu::Device,
    /// The caller's label, or the default label.
    pub(crate) label: String,
    pub(crate) tuning: Tuning,
    cache: Option<wgpu::PipelineCache>,
}

impl Build {
    pub(crate) fn new(
        device: &wgpu::Device,
        label: &str,
        tuning: Tuning,
        cache: Option<&wgpu::PipelineCache>,
    ) -> Self {
        Self { device: device.clone(), label: label.to_owned(), tuning, cache: cache.cloned() }
    }

    /// The label for the resources of a kernel.
    pub(crate) fn label(&self, kernel: &str) -> String {
        format!("{} {kernel}", self.label)
    }

    /// A compiler for kernels without caller-supplied WGSL.
    pub(crate) fn compiler(&self) -> Compiler<'_> {
        let checked = self.tuning.checked;
        Compiler { build: self, custom: Custom::default(), adapter: None, strides: &[], checked }
    }
}

/// Declares a descriptor with the given fields and the common settings. `$label` is the default label.
macro_rules! descriptor {
    (
        $(#[$doc:meta])* $name:ident: $label:literal
        $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name<'a> {
            /// The label of pipelines, bind groups, buffers and passes.
            #[doc = concat!("The default is \"", $label, "\".")]
            pub label: Option<&'a str>,
            $($(#[$field_doc])* pub $field: $type,)*
            /// The kernel tuning.
            pub tuning: crate::Tuning,
            /// A cache of compiled pipelines.
            pub pipeline_cache: Option<&'a wgpu::PipelineCache>,
        }

        impl From<crate::Tuning> for $name<'_> {
            /// Creates a descriptor with this tuning and defaults for all other settings.
            fn from(tuning: crate::Tuning) -> Self {
                Self { tuning, ..Self::default() }
            }
        }

        impl $name<'_> {
            /// The common settings.
            fn build(&self, device: &wgpu::Device) -> crate::gpu::pipelines::Build {
                let label = self.label.unwrap_or($label);
                crate::gpu::pipelines::Build::new(device, label, self.tuning, self.pipeline_cache)
            }
        }
    };
}
pub(crate) use descriptor;

/// Compiles kernels, with optional caller-supplied WGSL.
pub(crate) struct Compiler<'a> {
    pub(crate) build: &'a Build,
    /// The caller-supplied WGSL.
    pub(crate) custom: Custom<'a>,
    /// The layout of the adapter's bind group.
    pub(crate) adapter: Option<&'a wgpu::BindGroupLayout>,
    /// Array strides of types that caller-supplied WGSL defines.
    pub(crate) strides: &'a [(Binding, u32)],
    /// Whether wgpu adds index and loop checks.
    pub(crate) checked: bool,
}

impl Compiler<'_> {
    /// Compiles each distinct kernel and variant once, in parallel, because a driver may take a tenth of a
    /// second per kernel.
    pub(crate) fn compile(&self, wanted: impl IntoIterator<Item = (Kernel, Variant)>) -> Compiled {
        let mut each = Vec::new();
        for one in wanted {
            if !each.contains(&one) {
                each.push(one);
            }
        }
        Compiled(in_parallel(&self.build.device, &each, |(kernel, variant)| {
            (*kernel, *variant, Pipeline::new(self, *kernel, variant))
        }))
    }
}

/// The pipeline or error of each kernel.
pub(crate) struct Compiled(Vec<(Kernel, Variant, Result<Pipeline, Error>)>);

impl Compiled {
    /// Returns the pipeline of a kernel, or its error.
    pub(crate) fn pipeline(&self, kernel: Kernel, variant: &Variant) -> Result<Pipeline, Error> {
        let is_it = |made: &&(Kernel, Variant, _)| (made.0, made.1) == (kernel, *variant);
        let never = || kernel_error(kernel, "never compiled".to_owned());
        self.0.iter().find(is_it).map_or_else(|| Err(never()), |made| made.2.clone())
    }
}

fn kernel_error(kernel: Kernel, message: String) -> Error {
    Error::Kernel { kernel: kernel.name(), message, source: None }
}

/// A pipeline and the layout of its bind group. An adapter's bind group follows it.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub(crate) kernel: Kernel,
    pub(crate) variant: Variant,
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) bindings: wgpu::BindGroupLayout,
    /// The entries of `bindings`, in order.
    pub(crate) binds: Vec<(Binding, Access)>,
}

impl Pipeline {
    fn new(compiler: &Compiler<'_>, kernel: Kernel, variant: &Variant) -> Result<Self, Error> {
        let device = &compiler.build.device;
        let target = if is_browser(device) { Target::Browser } else { Target::Native };
        let variant_here = variant.with_target(target);
        let linked = link_custom(kernel, &variant_here, &compiler.custom)
            .map_err(|error| link_error(kernel, error))?;
        check_buffers(&device.limits(), linked.bindings())?;
        let label = compiler.build.label(kernel.name());
        scoped(device, || build(compiler, &label, kernel, variant, &linked))
            .map_err(|message| kernel_error(kernel, with_location(&linked, &label, message)))
    }
}

/// Checks that the device supports this number of buffers.
fn check_buffers(limits: &wgpu::Limits, binds: &[(Binding, Access)]) -> Result<(), Error> {
    let uniforms = binds.iter().filter(|bind| bind.1 == Access::Uniform).count() as u32;
    let rows = [
        (
            "max_storage_buffers_per_shader_stage",
            binds.len() as u32 - uniforms,
            limits.max_storage_buffers_per_shader_stage,
        ),
        (
            "max_uniform_buffers_per_shader_stage",
            uniforms,
            limits.max_uniform_buffers_per_shader_stage,
        ),
    ];
    check_limits(rows)
}

fn link_error(kernel: Kernel, error: LinkError) -> Error {
    match error {
        LinkError::Variant(error) => error.into(),
        error => {
            let message = error.to_string();
            Error::Kernel { kernel: kernel.name(), message, source: Some(error) }
        }
    }
}

/// Prepends the source file and line to a message. Parse errors give the line after the name `wgsl`, and
/// validation errors give it after the module's label.
fn with_location(linked: &Linked, label: &str, message: String) -> String {
    let line_after = |name| {
        let rest = message.split(&format!("{name}:")).nth(1)?;
        rest.split(':').next()?.parse().ok()
    };
    match ["wgsl", label].into_iter().find_map(line_after).map(|line| linked.locate(line)) {
        Some((file, line)) if !file.is_empty() => format!("{file}, line {line}: {message}"),
        _ => message,
    }
}

fn build(
    compiler: &Compiler<'_>,
    label: &str,
    kernel: Kernel,
    variant: &Variant,
    linked: &Linked,
) -> Pipeline {
    let (device, adapter) = (&compiler.build.device, compiler.adapter);
    let module = module(device, label, linked, compiler.checked);
    let label = Some(label);
    // A binding whose type is defined by caller-supplied WGSL contains at least one value.
    let least = |binding| {
        let stride = compiler.strides.iter().find(|stride| stride.0 == binding);
        stride.and_then(|stride| wgpu::BufferSize::new(stride.1.into()))
    };
    let binds = linked.bindings().to_vec();
    let entries: Vec<_> = binds
        .iter()
        .map(|&(binding, access)| wgpu::BindGroupLayoutEntry {
            binding: binding.number(),
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: binding_type(access),
                has_dynamic_offset: false,
                min_binding_size: least(binding),
            },
            count: None,
        })
        .collect();
    let bindings = device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let mut groups = vec![Some(&bindings)];
    groups.extend(adapter.map(Some));
    #[cfg(test)]
    if let Some(probe) = probe::of(device) {
        groups.resize(probe::GROUP as usize, None);
        groups.push(Some(&probe.layout));
    }
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module: &module,
        entry_point: Some("main"),
        // Kernels write all workgroup memory before reading it.
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: compiler.build.cache.as_ref(),
    });
    Pipeline { kernel, variant: *variant, pipeline, bindings, binds }
}

/// Creates the module of a kernel, with or without wgpu's index and loop checks.
fn module(
    device: &wgpu::Device,
    label: &str,
    linked: &Linked,
    checked: bool,
) -> wgpu::ShaderModule {
    let text = linked.source();
    #[cfg(test)]
    let text = &match probe::of(device) {
        Some(_) => probe::instrument(label, text),
        None => text.to_owned(),
    };
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    };
    if checked {
        return device.create_shader_module(descriptor);
    }
    let checks = wgpu::ShaderRuntimeChecks::unchecked();
    // SAFETY: the WGSL is ours, or its author guarantees the requirements of `new_unchecked`. For any
    // input contents, every index is in bounds if the ranges have the sizes that `bind` requires:
    // - Elements, markers, tiles and threads are compared with their counts, which are clamped to the
    //   capacity of the layout.
    // - Tree nodes are computed by halving and doubling inside the tree.
    // - All indices that a kernel reads were written by earlier kernels of the same job, for all items
    //   below those counts: entries, slots, outer slots and opens, starts in bundles, and numbers of
    //   earlier markers; in matching, the pyramid, slices, bitmaps and links; in binning, ranges,
    //   segments, items and places; with filters, roots, links and origins of entries.
    // - Binning stores no entries of a workgroup unless all its entries fit, and the number of piece
    //   headers is the number of batches in the capacity times the number of bins.
    // - Damage compares a partner with the other frame's number of elements before it reads the box.
    // Every loop terminates: it counts to a bound, clears one bit per iteration, or moves to an earlier
    // position in the tile or an earlier window of nodes in each iteration.
    //
    // None of this depends on values exchanged between lanes of a subgroup, directly or through memory.
    // The kernels assume reconvergence, which WGSL does not guarantee; without it, only boxes are wrong.
    // `lib/chunks.wgsl` and `lib/lanes.wgsl` list all values that come from lanes, and where each is
    // bounded. The test in `probe.rs` replaces every value from a lane with noise, and checks in every
    // strategy of the stage and of matching that no index is out of bounds and every run terminates. One
    // assumption about the platform remains: `thread_index` is different for each thread.
    // `Tuning::variant` rejects subgroups where this is not guaranteed. The build with wgpu's checks
    // passes the same tests.
    #[expect(unsafe_code, reason = "kernels are trusted, for speed")]
    unsafe {
        device.create_shader_module_trusted(descriptor, checks)
    }
}

fn binding_type(access: Access) -> wgpu::BufferBindingType {
    match access {
        Access::Uniform => wgpu::BufferBindingType::Uniform,
        Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
        Access::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
    }
}
