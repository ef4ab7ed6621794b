//! Kernels on Vello's buffers before and after the stage, and the stage's adapter.

use crate::Error;
use treebounds::device::scoped;
use treebounds::treebounds_core::{NONE, Tag};
use treebounds::{Counts, Params, wgpu};
use vello_encoding::DrawTag;
use wgpu::BufferBinding;

const WORKGROUP_SIZE: u32 = 256;

/// The access of a kernel to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Uniform,
    Read,
    ReadWrite,
}

/// Declares the buffers with their names and types in WGSL.
macro_rules! names {
    ($($name:ident $wgsl:literal $type:literal)*) => {
        /// The name of a buffer in WGSL.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Name { $($name,)* }

        impl Name {
            fn wgsl(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($wgsl, $type),)* }
            }
        }
    };
}

names! {
    Config "config" "Config"
    Scene "scene" "array<u32>"
    ClipInp "clip_inp" "array<ClipInp>"
    PathBboxes "path_bboxes" "array<PathBbox>"
    DrawMonoids "draw_monoids" "array<DrawMonoid>"
    ClipBboxes "clip_bboxes" "array<vec4<f32>>"
    Params "params" "Params"
    Tags "tags" "array<u32>"
    Rects "rects" "array<vec4<f32>>"
    Counts "counts" "Counts"
    Links "links" "array<u32>"
    Clips "clips" "array<vec4<f32>>"
    Contents "contents" "array<vec4<f32>>"
}

/// The WGSL of a kernel and its bindings, numbered in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    name: &'static str,
    text: &'static str,
    binds: &'static [(Name, Access)],
}

use Access::{Read, ReadWrite, Uniform};

pub(crate) const LOAD_OBJECTS: Source = Source {
    name: "load objects",
    text: include_str!("../wgsl/load_objects.wgsl"),
    binds: &[
        (Name::Config, Uniform),
        (Name::Scene, Read),
        (Name::DrawMonoids, Read),
        (Name::PathBboxes, Read),
        (Name::Params, ReadWrite),
        (Name::Tags, ReadWrite),
        (Name::Rects, ReadWrite),
    ],
};

const APPLY_BINDS: &[(Name, Access)] = &[
    (Name::Config, Uniform),
    (Name::Params, Uniform),
    (Name::Counts, Uniform),
    (Name::ClipInp, Read),
    (Name::Tags, Read),
    (Name::Links, Read),
    (Name::Clips, Read),
    (Name::Contents, Read),
    (Name::DrawMonoids, ReadWrite),
    (Name::PathBboxes, ReadWrite),
    (Name::ClipBboxes, ReadWrite),
];

pub(crate) const APPLY: Source =
    Source { name: "apply", text: include_str!("../wgsl/apply.wgsl"), binds: APPLY_BINDS };

/// The bindings of the adapter, which works directly on Vello's buffers.
pub(crate) const ADAPTER_BINDS: &[(Name, Access)] = &[
    (Name::Config, Uniform),
    (Name::ClipInp, Read),
    (Name::PathBboxes, Read),
    (Name::DrawMonoids, ReadWrite),
    (Name::ClipBboxes, ReadWrite),
];

/// The adapter that reads Vello's clip input, and writes the outputs of Vello's clip stage.
pub(crate) fn adapter_wgsl() -> String {
    let mut wgsl = "import package::constants::NONE;\n".to_owned();
    wgsl += "import package::lib::rect::NOTHING;\n";
    wgsl += include_str!("../wgsl/common.wgsl");
    wgsl += &declarations(1, ADAPTER_BINDS);
    wgsl + include_str!("../wgsl/clips.wgsl")
}

fn declarations(group: u32, binds: &[(Name, Access)]) -> String {
    let mut wgsl = String::new();
    for (number, (name, access)) in binds.iter().enumerate() {
        let (name, ty) = name.wgsl();
        let space = match access {
            Uniform => "uniform",
            Read => "storage, read",
            ReadWrite => "storage, read_write",
        };
        wgsl += &format!("@group({group}) @binding({number}) var<{space}> {name}: {ty};\n");
    }
    wgsl
}

impl Source {
    fn wgsl(&self) -> String {
        let constants = [
            ("WORKGROUP_SIZE", WORKGROUP_SIZE),
            ("NONE", NONE),
            ("ROLE_DRAW", Tag::ROLE_DRAW),
            ("ROLE_BEGIN", Tag::ROLE_BEGIN),
            ("ROLE_END", Tag::ROLE_END),
            ("CLIP", Tag::CLIP),
            ("BLEND", Tag::BLEND),
            ("NON_LOCAL", Tag::NON_LOCAL),
            ("DRAWTAG_NOP", DrawTag::NOP.0),
            ("DRAWTAG_BEGIN_CLIP", DrawTag::BEGIN_CLIP.0),
            ("DRAWTAG_END_CLIP", DrawTag::END_CLIP.0),
        ];
        let mut wgsl: String =
            constants.map(|(name, value)| format!("const {name} = {value}u;\n")).concat();
        wgsl += "const MAX = 0x1.fffffep+127f;\n";
        wgsl += Params::WGSL;
        wgsl += Counts::WGSL;
        wgsl += include_str!("../wgsl/common.wgsl");
        wgsl += include_str!("../wgsl/grid.wgsl");
        wgsl += &declarations(0, self.binds);
        wgsl + self.text
    }
}

pub(crate) fn bindings(
    device: &wgpu::Device,
    label: &str,
    binds: &[(Name, Access)],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = binds
        .iter()
        .zip(0..)
        .map(|((_, access), binding)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match access {
                    Uniform => wgpu::BufferBindingType::Uniform,
                    Read => wgpu::BufferBindingType::Storage { read_only: true },
                    ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

pub(crate) fn bind_group<'a>(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    binds: &[(Name, Access)],
    buffer: impl Fn(Name) -> BufferBinding<'a>,
) -> wgpu::BindGroup {
    let buffers = binds.iter().map(|(name, _)| buffer(*name));
    let entries: Vec<_> = buffers
        .zip(0..)
        .map(|(buffer, binding)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::Buffer(buffer),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

/// Checks that no buffer has both writable and read-only ranges. wgpu would reject this only when the
/// dispatch is recorded.
pub(crate) fn check_accesses<'a>(
    kernel: &'static str,
    binds: &[(Name, Access)],
    buffer: impl Fn(Name) -> BufferBinding<'a>,
) -> Result<(), treebounds::Error> {
    let bound = binds.iter().map(|(name, access)| (name.wgsl().0, *access, buffer(*name).buffer));
    let (written, reads): (Vec<_>, Vec<_>) = bound.partition(|bind| bind.1 == ReadWrite);
    for (read, _, buffer) in reads {
        if let Some((written, ..)) = written.iter().find(|bind| bind.2 == buffer) {
            return Err(treebounds::Error::MixedAccess { kernel, read, written });
        }
    }
    Ok(())
}

/// Creates a pipeline with one bind group. `is_zeroed` initializes workgroup memory with zeros.
pub(crate) fn pipeline(
    device: &wgpu::Device,
    label: &str,
    module: &wgpu::ShaderModule,
    bindings: &wgpu::BindGroupLayout,
    (is_zeroed, cache): (bool, Option<&wgpu::PipelineCache>),
) -> wgpu::ComputePipeline {
    let label = Some(label);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(bindings)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: is_zeroed,
            ..Default::default()
        },
        cache,
    })
}

#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    source: Source,
    label: String,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroupLayout,
}

#[derive(Clone, Debug)]
pub(crate) struct Dispatch {
    name: &'static str,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    groups: [u32; 2],
}

impl Kernel {
    /// Compiles a kernel with wgpu's checks, because it reads indices written by Vello's stages.
    pub(crate) fn new(
        device: &wgpu::Device,
        source: Source,
        label: &str,
        cache: Option<&wgpu::PipelineCache>,
    ) -> Result<Self, Error> {
        let label = format!("{label} {}", source.name);
        scoped(device, || Self::build(device, source, label, cache))
            .map_err(|message| Error::Kernel { kernel: source.name, message })
    }

    fn build(
        device: &wgpu::Device,
        source: Source,
        own_label: String,
        cache: Option<&wgpu::PipelineCache>,
    ) -> Self {
        let label = Some(&*own_label);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(source.wgsl().into()),
        });
        let bindings = bindings(device, &own_label, source.binds);
        let pipeline = pipeline(device, &own_label, &module, &bindings, (true, cache));
        Self { source, label: own_label, pipeline, bindings }
    }

    /// Binds the kernel to run with this number of threads.
    pub(crate) fn bind<'a>(
        &self,
        device: &wgpu::Device,
        threads: u32,
        buffer: impl Fn(Name) -> BufferBinding<'a>,
    ) -> Result<Dispatch, Error> {
        let name = self.source.name;
        check_accesses(name, self.source.binds, &buffer)?;
        let most = device.limits().max_compute_workgroups_per_dimension.max(1);
        let groups = threads.div_ceil(WORKGROUP_SIZE);
        let columns = groups.clamp(1, most);
        let groups = [columns, groups.div_ceil(columns)];
        let dispatch = || {
            let bind_group =
                bind_group(device, &self.label, &self.bindings, self.source.binds, buffer);
            Dispatch { name, pipeline: self.pipeline.clone(), bind_group, groups }
        };
        scoped(device, dispatch).map_err(|message| Error::Device(format!("{name}: {message}")))
    }
}

impl Dispatch {
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group(self.name);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        pass.pop_debug_group();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vello_encoding::DrawBeginClip;

    /// The mask in `load_objects.wgsl` has a bit for each operator that does not change pixels outside its source.
    #[test]
    fn wgsl_mask_contains_all_local_operators() {
        use peniko::Compose;
        let local = [
            Compose::Dest,
            Compose::SrcOver,
            Compose::DestOver,
            Compose::DestOut,
            Compose::SrcAtop,
            Compose::Xor,
            Compose::Plus,
            Compose::PlusLighter,
        ];
        let mask = local.into_iter().fold(0, |mask, operator| mask | 1_u32 << operator as u32);
        assert!(LOAD_OBJECTS.text.contains(&format!("LOCAL_OPERATORS = {mask:#x}u;")), "{mask:#x}");
        let bit = DrawBeginClip::LUMINANCE_MASK_BLEND_MODE;
        assert!(LOAD_OBJECTS.text.contains(&format!("LUMINANCE_MASK = {bit:#x}u;")));
    }
}
