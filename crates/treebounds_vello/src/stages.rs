//! Vello's compute stages, as published in `vello_shaders`, and their bindings.

use crate::buffers::Slot::{self, *};
use crate::kernel::pipeline;
use crate::{Antialiasing, Error};
use treebounds::device::scoped;
use treebounds::wgpu;
use vello_encoding::{WorkgroupCounts, WorkgroupSize};
use vello_shaders::{BindType, ComputeShader, SHADERS, Shaders};

static VELLO: Shaders<'static> = SHADERS;

/// The number of workgroups of a stage.
#[derive(Clone, Copy)]
pub(crate) enum Groups {
    /// Computed on the CPU.
    Counted(fn(&WorkgroupCounts) -> WorkgroupSize),
    /// Written to [`Slot::Indirect`] by an earlier stage.
    Indirect,
}

/// The shader of a stage, its bindings by binding number, and its number of workgroups.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    shader: &'static ComputeShader<'static>,
    slots: &'static [Slot],
    pub(crate) groups: Groups,
}

macro_rules! stages {
    ($($name:ident: $shader:ident, [$($slot:ident),*], $groups:expr;)*) => {
        $(pub(crate) static $name: Stage = Stage {
            name: stringify!($shader),
            shader: &VELLO.$shader,
            slots: &[$($slot),*],
            groups: $groups,
        };)*
    };
}

use Groups::{Counted, Indirect as ByIndirect};

stages! {
    PATHTAG_REDUCE: pathtag_reduce, [Config, Scene, Reduced], Counted(|c| c.path_reduce);
    PATHTAG_REDUCE2: pathtag_reduce2, [Reduced, Reduced2], Counted(|c| c.path_reduce2);
    PATHTAG_SCAN1: pathtag_scan1, [Reduced, Reduced2, ReducedScan], Counted(|c| c.path_scan1);
    PATHTAG_SCAN_SMALL: pathtag_scan_small, [Config, Scene, Reduced, TagMonoids],
        Counted(|c| c.path_scan);
    PATHTAG_SCAN_LARGE: pathtag_scan_large, [Config, Scene, ReducedScan, TagMonoids],
        Counted(|c| c.path_scan);
    BBOX_CLEAR: bbox_clear, [Config, PathBboxes], Counted(|c| c.bbox_clear);
    FLATTEN: flatten, [Config, Scene, TagMonoids, PathBboxes, Bump, Lines], Counted(|c| c.flatten);
    DRAW_REDUCE: draw_reduce, [Config, Scene, DrawReduced], Counted(|c| c.draw_reduce);
    DRAW_LEAF: draw_leaf,
        [Config, Scene, DrawReduced, PathBboxes, DrawMonoids, InfoBinData, ClipInp],
        Counted(|c| c.draw_leaf);
    CLIP_REDUCE: clip_reduce, [ClipInp, PathBboxes, ClipBics, ClipEls], Counted(|c| c.clip_reduce);
    CLIP_LEAF: clip_leaf,
        [Config, ClipInp, PathBboxes, ClipBics, ClipEls, DrawMonoids, ClipBboxes],
        Counted(|c| c.clip_leaf);
    BINNING: binning,
        [Config, DrawMonoids, PathBboxes, ClipBboxes, DrawBboxes, Bump, InfoBinData, BinHeaders],
        Counted(|c| c.binning);
    TILE_ALLOC: tile_alloc, [Config, Scene, DrawBboxes, Bump, Paths, Tiles],
        Counted(|c| c.tile_alloc);
    PATH_COUNT_SETUP: path_count_setup, [Bump, Indirect], Counted(|c| c.path_count_setup);
    PATH_COUNT: path_count, [Config, Bump, Lines, Paths, Tiles, SegCounts], ByIndirect;
    BACKDROP: backdrop_dyn, [Config, Bump, Paths, Tiles], Counted(|c| c.backdrop);
    COARSE: coarse,
        [Config, Scene, DrawMonoids, BinHeaders, InfoBinData, Paths, Tiles, Bump, Ptcl],
        Counted(|c| c.coarse);
    PATH_TILING_SETUP: path_tiling_setup, [Bump, Indirect, Ptcl], Counted(|c| c.path_tiling_setup);
    PATH_TILING: path_tiling, [Bump, SegCounts, Lines, Paths, Tiles, Segments], ByIndirect;
    FINE_AREA: fine_area,
        [Config, Segments, Ptcl, InfoBinData, BlendSpill, Output, Gradients, Atlas],
        Counted(|c| c.fine);
    FINE_MSAA8: fine_msaa8,
        [Config, Segments, Ptcl, InfoBinData, BlendSpill, Output, Gradients, Atlas, MaskLut],
        Counted(|c| c.fine);
    FINE_MSAA16: fine_msaa16,
        [Config, Segments, Ptcl, InfoBinData, BlendSpill, Output, Gradients, Atlas, MaskLut],
        Counted(|c| c.fine);
}

pub(crate) static BEFORE_CLIPS: [&Stage; 9] = [
    &PATHTAG_REDUCE,
    &PATHTAG_REDUCE2,
    &PATHTAG_SCAN1,
    &PATHTAG_SCAN_SMALL,
    &PATHTAG_SCAN_LARGE,
    &BBOX_CLEAR,
    &FLATTEN,
    &DRAW_REDUCE,
    &DRAW_LEAF,
];

pub(crate) static VELLO_CLIPS: [&Stage; 2] = [&CLIP_REDUCE, &CLIP_LEAF];

/// The stages after the clip stage, except the last.
pub(crate) static AFTER_CLIPS: [&Stage; 8] = [
    &BINNING,
    &TILE_ALLOC,
    &PATH_COUNT_SETUP,
    &PATH_COUNT,
    &BACKDROP,
    &COARSE,
    &PATH_TILING_SETUP,
    &PATH_TILING,
];

/// The last stage, which paints.
pub(crate) fn fine(antialiasing: Antialiasing) -> &'static Stage {
    match antialiasing {
        Antialiasing::Area => &FINE_AREA,
        Antialiasing::Msaa8 => &FINE_MSAA8,
        Antialiasing::Msaa16 => &FINE_MSAA16,
    }
}

impl Stage {
    /// Whether the stage runs for a scene with these counts. The scan of path tags has one or two levels.
    pub(crate) fn runs(&self, counts: &WorkgroupCounts) -> bool {
        match self.name {
            "pathtag_reduce2" | "pathtag_scan1" | "pathtag_scan_large" => {
                counts.use_large_path_scan
            }
            "pathtag_scan_small" => !counts.use_large_path_scan,
            _ => true,
        }
    }
}

pub(crate) struct Compiled {
    pub(crate) stage: &'static Stage,
    pub(crate) pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl Compiled {
    pub(crate) fn new(device: &wgpu::Device, stage: &'static Stage) -> Result<Self, Error> {
        scoped(device, || build(device, stage))
            .map_err(|message| Error::Kernel { kernel: stage.name, message })
    }

    /// Binds the resources in the slots.
    pub(crate) fn bind<'a>(
        &self,
        device: &wgpu::Device,
        resource: impl Fn(Slot) -> wgpu::BindingResource<'a>,
    ) -> wgpu::BindGroup {
        let entries: Vec<_> = used(self.stage)
            .map(|(binding, slot, _)| wgpu::BindGroupEntry { binding, resource: resource(slot) })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.stage.name),
            layout: &self.layout,
            entries: &entries,
        })
    }
}

/// The bindings that the shader uses: number, slot and kind.
fn used(stage: &'static Stage) -> impl Iterator<Item = (u32, Slot, BindType)> {
    let numbers = stage.shader.wgsl.binding_indices.iter();
    numbers.zip(stage.shader.bindings.iter()).filter_map(|(number, kind)| {
        stage.slots.get(usize::from(*number)).map(|slot| (u32::from(*number), *slot, *kind))
    })
}

fn build(device: &wgpu::Device, stage: &'static Stage) -> Compiled {
    let label = Some(stage.name);
    let descriptor = wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(stage.shader.wgsl.code.as_ref().into()),
    };
    // `tile_alloc` clears the tiles of 256 paths at a time even if they do not fit the buffer, so it
    // needs wgpu's checks.
    let module = if std::ptr::eq(stage, &raw const TILE_ALLOC) {
        device.create_shader_module(descriptor)
    } else {
        // SAFETY: these are Vello's unmodified shaders, and Vello's renderer compiles them the same way.
        // `check` has verified all their assumptions about an encoding, and all buffers have the sizes
        // that `RenderConfig` requires. If a growing buffer is too small, all stages except `tile_alloc`
        // check before they write, given that `segments` is at least as long as `seg_counts`.
        #[expect(unsafe_code, reason = "same as Vello, for the same performance")]
        unsafe {
            device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
        }
    };
    let entries: Vec<_> = used(stage)
        .map(|(binding, _, kind)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: binding_type(kind),
            count: None,
        })
        .collect();
    let layout = device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let pipeline = pipeline(device, stage.name, &module, &layout, (false, None));
    Compiled { stage, pipeline, layout }
}

fn binding_type(kind: BindType) -> wgpu::BindingType {
    let buffer =
        |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    match kind {
        BindType::Uniform => buffer(wgpu::BufferBindingType::Uniform),
        BindType::BufReadOnly => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
        BindType::Buffer => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
        BindType::Image => wgpu::BindingType::StorageTexture {
            access: wgpu::StorageTextureAccess::WriteOnly,
            format: wgpu::TextureFormat::Rgba8Unorm,
            view_dimension: wgpu::TextureViewDimension::D2,
        },
        BindType::ImageRead => wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    }
}
