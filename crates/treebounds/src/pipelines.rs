//! Compute pipelines for the kernels of a variant.

use crate::Error;
use crate::compiler::Compiler;
use crate::options::check_limits;
use crate::ready::{is_browser, scoped};
use treebounds_shaders::{
    Access, Binding, Kernel, LinkError, Linked, Target, Variant, link_custom,
};

/// One pipeline, and the layout of its bind group; a host has the next.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub(crate) kernel: Kernel,
    /// What it was compiled for.
    pub(crate) variant: Variant,
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) bindings: wgpu::BindGroupLayout,
    /// The buffers of that group, in order.
    pub(crate) binds: Vec<(Binding, Access)>,
}

impl Pipeline {
    /// Compiles a kernel.
    pub(crate) fn new(
        compiler: &Compiler<'_>,
        kernel: Kernel,
        variant: &Variant,
    ) -> Result<Self, Error> {
        let target = if is_browser(compiler.device) { Target::Browser } else { Target::Native };
        let variant_here = variant.with_target(target);
        let linked = link_custom(kernel, &variant_here, &compiler.custom)
            .map_err(|error| unlinked(kernel, error))?;
        check_buffers(&compiler.device.limits(), linked.bindings())?;
        scoped(compiler.device, || build(compiler, kernel, variant, &linked)).map_err(|message| {
            Error::Kernel {
                kernel: kernel.name(),
                message: placed(&linked, kernel.name(), message),
            }
        })
    }
}

/// That the device binds so many buffers.
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

fn unlinked(kernel: Kernel, error: LinkError) -> Error {
    match error {
        LinkError::Variant(error) => error.into(),
        error => Error::Kernel { kernel: kernel.name(), message: error.to_string() },
    }
}

/// With the file that the line came from: parse errors name a line of `wgsl`, validation errors one of the module's label.
fn placed(linked: &Linked, label: &str, message: String) -> String {
    let line_after = |name| {
        let rest = message.split(&format!("{name}:")).nth(1)?;
        rest.split(':').next()?.parse().ok()
    };
    match ["wgsl", label].into_iter().find_map(line_after).map(|line| linked.locate(line)) {
        Some((file, line)) if !file.is_empty() => format!("{file}, line {line}: {message}"),
        _ => message,
    }
}

fn build(compiler: &Compiler<'_>, kernel: Kernel, variant: &Variant, linked: &Linked) -> Pipeline {
    let (device, host) = (compiler.device, compiler.host);
    let label = Some(kernel.name());
    let module = module(device, kernel, linked, compiler.checked);
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
                // No smaller than what the kernel takes for one value.
                min_binding_size: least(binding),
            },
            count: None,
        })
        .collect();
    let bindings = device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&bindings), host][..1 + usize::from(host.is_some())],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module: &module,
        entry_point: Some("main"),
        // No kernel uses workgroup memory that it has not written.
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    });
    Pipeline { kernel, variant: *variant, pipeline, bindings, binds }
}

/// The kernel, with the checks that wgpu adds to every index and loop, or without.
fn module(
    device: &wgpu::Device,
    kernel: Kernel,
    linked: &Linked,
    checked: bool,
) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(kernel.name()),
        source: wgpu::ShaderSource::Wgsl(linked.source().into()),
    };
    if checked {
        return device.create_shader_module(descriptor);
    }
    let checks = wgpu::ShaderRuntimeChecks::unchecked();
    // SAFETY: all of the text is ours (or its author promised what `new_unchecked` asks), and every
    // index is in bounds, whatever the inputs hold, given buffers of
    // the sizes that `bind` demands. Elements, nodes, tiles and threads are compared
    // with their counts, which are cut to the capacity that the regions were laid out
    // for; tree nodes come from halving and doubling inside the tree; and what a kernel
    // reads as an index (entries, slots, outer slots and opens, starts in bundles, nodes before; of matching the
    // pyramid, slices and bitmaps; of binning ranges, chunks, items and places), an earlier
    // kernel of the same job wrote, for everything below those counts. Of bins, no entry is stored
    // where not all fit (of pieces, not all of its workgroup), and headers of pieces are as many as the batches of the
    // capacity times the bins. Loops count to a bound, clear a bit a round, end when as many bits as were counted are
    // cleared, or go to an open of an earlier chunk of the tile a round, which the workgroup has
    // stored. The checked build passes the same tests.
    #[expect(unsafe_code, reason = "trusted kernels of our own, for speed")]
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
