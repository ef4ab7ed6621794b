//! A clip stage on Vello's buffers, for any number and depth of clips, which can cut layers to their contents.

use crate::Error;
use crate::kernel::{self, ADAPTER_BINDS, Dispatch, Kernel, Name};
use treebounds::device::{Need, check_buffers, create_buffer, scoped};
use treebounds::{
    Capacity, HostAdapter, HostClips, HostClipsDescriptor, Inputs, Outputs, Params, Stage,
    StageDescriptor, wgpu,
};
use vello_encoding::{Clip, ClipBbox, ConfigUniform, DrawMonoid, Encoding, Layout, PathBbox};
use wgpu::{BufferBinding, BufferUsages};

/// Vello's buffers between its stages `draw_leaf` and `binning`, for n draw objects and m begins and ends
/// of layers. They may be ranges of larger buffers.
///
/// | range | contents | bytes | usage | access |
/// |---|---|---|---|---|
/// | `config` | [`ConfigUniform`] | 88 | `UNIFORM` | read |
/// | `scene` | the packed encoding | its size | `STORAGE` | read with [`LayerBoxes::Visible`] |
/// | `clip_inp` | [`Clip`] | 8 m | `STORAGE` | read |
/// | `path_bboxes` | [`PathBbox`] | 24 n | `STORAGE` | read; written with [`LayerBoxes::Visible`] |
/// | `draw_monoids` | [`DrawMonoid`] | 16 n | `STORAGE` | written for ends |
/// | `clip_bboxes` | [`ClipBbox`] | 16 m | `STORAGE` | written |
///
/// WebGPU tracks whole buffers, so written ranges and read-only ranges must not share a buffer.
#[derive(Clone, Debug)]
pub struct ClipBuffers<'a> {
    /// The uniform for all stages.
    pub config: BufferBinding<'a>,
    /// The packed encoding.
    pub scene: BufferBinding<'a>,
    /// One entry per begin and end.
    pub clip_inp: BufferBinding<'a>,
    /// One box per path.
    pub path_bboxes: BufferBinding<'a>,
    /// The exclusive prefix sum before each draw object.
    pub draw_monoids: BufferBinding<'a>,
    /// One box per begin and end.
    pub clip_bboxes: BufferBinding<'a>,
}

/// The maximum number of draw objects and layers of a [`ClipJob`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClipCapacity {
    /// The maximum number of draw objects, `layout.n_draw_objects`. Also limits the paths.
    pub draw_objects: u32,
    /// The maximum number of begins and ends of layers, `layout.n_clips`.
    pub clips: u32,
}

/// The boxes of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerBoxes {
    /// The box of the layer's clip path, intersected with the clips around it, as in Vello.
    Clip,
    /// The clip box, cut to the visible contents of the layer unless its blend changes pixels outside its
    /// source. This needs passes over all draw objects instead of only begins and ends.
    #[default]
    Visible,
}

/// How to build a [`ClipStage`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipStageDescriptor<'a> {
    /// The label of pipelines, bind groups, buffers and passes. The default is "treebounds clips".
    pub label: Option<&'a str>,
    /// The boxes of layers.
    pub layers: LayerBoxes,
    /// A cache of compiled pipelines.
    pub pipeline_cache: Option<&'a wgpu::PipelineCache>,
}

/// Replaces Vello's `clip_reduce` and `clip_leaf`, for any number and depth of layers.
///
/// It reads the counts from Vello's config on the GPU, so one bound job can be used for all frames within
/// its capacity.
///
/// For encodings with unclosed layers, call [`close_layers`] on the layout, because Vello's resolver
/// appends the missing ends without counting them.
#[derive(Clone, Debug)]
pub struct ClipStage {
    device: wgpu::Device,
    label: String,
    layers: Layers,
}

/// The kernels for [`LayerBoxes`].
#[derive(Clone, Debug)]
enum Layers {
    /// Computes clips directly on Vello's buffers.
    Clips { clips: HostClips, bindings: wgpu::BindGroupLayout },
    /// Computes clips and contents on copies of all draw objects.
    Objects { load: Kernel, stage: Box<Stage>, apply: Kernel },
}

impl ClipStage {
    /// Builds the stage for a device.
    ///
    /// Cost: 1 dispatch for up to 1,024 begins and ends, and 2 for up to 2<sup>18</sup>, like Vello's own
    /// stage; with [`LayerBoxes::Visible`], 3 for up to 1,024 draw objects and 5 for up to 2<sup>18</sup>. See
    /// [`HostClips`] and [`Stage`] for larger scenes.
    ///
    /// # Errors
    /// The errors of [`Stage::new`]; [`Error::Kernel`] if the device rejects a kernel.
    pub fn new(device: &wgpu::Device, descriptor: &ClipStageDescriptor<'_>) -> Result<Self, Error> {
        let ClipStageDescriptor { label, layers, pipeline_cache } = *descriptor;
        let label = label.unwrap_or("treebounds clips");
        let layers = match layers {
            LayerBoxes::Visible => {
                let descriptor = StageDescriptor {
                    label: Some(label),
                    few_markers: true,
                    pipeline_cache,
                    ..Default::default()
                };
                let kernel = |source| Kernel::new(device, source, label, pipeline_cache);
                Layers::Objects {
                    load: kernel(kernel::LOAD_OBJECTS)?,
                    stage: Box::new(Stage::new(device, &descriptor)?),
                    apply: kernel(kernel::APPLY)?,
                }
            }
            LayerBoxes::Clip => {
                let bindings = scoped(device, || kernel::bindings(device, label, ADAPTER_BINDS))
                    .map_err(|message| Error::Kernel { kernel: "clips", message })?;
                let host = HostAdapter { wgsl: &kernel::adapter_wgsl(), bindings: &bindings };
                let descriptor = HostClipsDescriptor {
                    label: Some(label),
                    pipeline_cache,
                    ..Default::default()
                };
                // SAFETY: `clips.wgsl` compares every index that it reads from a buffer with the
                // length of the indexed array, and contains no loops.
                #[expect(unsafe_code, reason = "our own WGSL, for speed")]
                let clips = unsafe { HostClips::new_unchecked(device, &host, &descriptor) }?;
                Layers::Clips { clips, bindings }
            }
        };
        Ok(Self { device: device.clone(), label: label.to_owned(), layers })
    }

    /// Binds Vello's buffers and allocates working memory: up to 29 bytes per begin or end; with
    /// [`LayerBoxes::Visible`], up to about 77 bytes per draw object plus 40 per begin or end.
    ///
    /// If a frame has more layers or draw objects than the capacity, the layers beyond the capacity keep
    /// the old contents of their buffers, and no layer is cut to its visible contents.
    ///
    /// # Errors
    /// [`Error::Stage`] with the errors of [`Stage::bind`]; [`Error::Device`] if a buffer was destroyed or
    /// belongs to another device.
    pub fn bind(
        &self,
        buffers: &ClipBuffers<'_>,
        capacity: ClipCapacity,
    ) -> Result<ClipJob, Error> {
        check(&self.device, buffers, capacity)?;
        match &self.layers {
            Layers::Clips { clips, bindings } => {
                self.bind_clips(clips, bindings, buffers, capacity)
            }
            Layers::Objects { load, stage, apply } => {
                self.bind_objects([load, apply], stage, buffers, capacity)
            }
        }
    }

    fn bind_clips(
        &self,
        clips: &HostClips,
        bindings: &wgpu::BindGroupLayout,
        buffers: &ClipBuffers<'_>,
        capacity: ClipCapacity,
    ) -> Result<ClipJob, Error> {
        let scratch = clips.scratch(capacity.clips)?;
        let buffer = |name| vello_buffer(buffers, name).unwrap_or(buffers.config.clone());
        kernel::check_accesses("clips", ADAPTER_BINDS, buffer)?;
        let group = scoped(&self.device, || {
            kernel::bind_group(&self.device, &self.label, bindings, ADAPTER_BINDS, buffer)
        });
        let group = group.map_err(Error::Device)?;
        let core = clips.bind(&group, &scratch)?;
        Ok(self.job(None, core, None, scratch.bytes()))
    }

    fn bind_objects(
        &self,
        [load, apply]: [&Kernel; 2],
        stage: &Stage,
        buffers: &ClipBuffers<'_>,
        capacity: ClipCapacity,
    ) -> Result<ClipJob, Error> {
        let elements = capacity.draw_objects;
        let inner = Capacity { elements, markers: capacity.clips, filter_depth: 0 };
        let slots = u64::from(elements.max(1));
        let storage = BufferUsages::STORAGE;
        let create =
            |name, size, usage| create_buffer(&self.device, &self.label, name, size, usage);
        let inputs = Inputs {
            params: create("params", size_of::<Params>() as u64, BufferUsages::UNIFORM | storage)?,
            tags: create("tags", (4 * slots).next_multiple_of(16), storage)?,
            rects: create("rects", 16 * slots, storage)?,
            filter_depth: 0,
        };
        let outputs = Outputs::new(&self.device, inner)?;
        let scratch = stage.scratch(inner)?;
        let core = stage.bind(&inputs, &outputs, &scratch)?;
        let buffer = |name| {
            let own = match name {
                Name::Params => &inputs.params,
                Name::Tags => &inputs.tags,
                Name::Rects => &inputs.rects,
                Name::Counts => &outputs.counts,
                Name::Links => &outputs.links,
                Name::Clips => &outputs.clips,
                Name::Contents => &outputs.contents,
                name => return vello_buffer(buffers, name).unwrap_or(buffers.config.clone()),
            };
            own.as_entire_buffer_binding()
        };
        let Inputs { params, tags, rects, .. } = &inputs;
        let Outputs {
            counts, markers_before, marker_elements, links, clips, contents, boxes, ..
        } = &outputs;
        let own = [
            params,
            tags,
            rects,
            counts,
            markers_before,
            marker_elements,
            links,
            clips,
            contents,
            boxes,
        ];
        let bytes = own.into_iter().map(wgpu::Buffer::size).sum::<u64>() + scratch.bytes();
        let load = load.bind(&self.device, elements, buffer)?;
        let apply = apply.bind(&self.device, capacity.clips, buffer)?;
        Ok(self.job(Some(load), core, Some(apply), bytes))
    }

    fn job(
        &self,
        load: Option<Dispatch>,
        core: treebounds::Job,
        apply: Option<Dispatch>,
        bytes: u64,
    ) -> ClipJob {
        ClipJob { label: self.label.clone(), load, core, apply, bytes }
    }

    /// The boxes of layers.
    pub fn layers(&self) -> LayerBoxes {
        match self.layers {
            Layers::Clips { .. } => LayerBoxes::Clip,
            Layers::Objects { .. } => LayerBoxes::Visible,
        }
    }
}

/// The range of Vello's buffers with this name.
fn vello_buffer<'a>(buffers: &ClipBuffers<'a>, name: Name) -> Option<BufferBinding<'a>> {
    let range = match name {
        Name::Config => &buffers.config,
        Name::Scene => &buffers.scene,
        Name::ClipInp => &buffers.clip_inp,
        Name::PathBboxes => &buffers.path_bboxes,
        Name::DrawMonoids => &buffers.draw_monoids,
        Name::ClipBboxes => &buffers.clip_bboxes,
        _ => return None,
    };
    Some(range.clone())
}

/// The bound clip stage of a frame. Recording never allocates, submits or waits.
#[derive(Clone, Debug)]
pub struct ClipJob {
    label: String,
    load: Option<Dispatch>,
    core: treebounds::Job,
    apply: Option<Dispatch>,
    bytes: u64,
}

impl ClipJob {
    /// Records the job in a new pass. It must run between Vello's `draw_leaf` and `binning`.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes: None,
        });
        self.record_in_pass(&mut pass);
    }

    /// Records the job into an open compute pass.
    pub fn record_in_pass(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.load.iter().for_each(|load| load.record(pass));
        self.core.record_in_pass(pass);
        self.apply.iter().for_each(|apply| apply.record(pass));
    }

    /// The GPU memory in bytes used in addition to Vello's buffers.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Counts the ends that Vello's resolver appends for unclosed layers. Vello's own stages ignore them, and
/// lose the alpha and backdrop of these layers. Call this once, on the layout returned by the resolver.
pub fn close_layers(layout: &mut Layout, encoding: &Encoding) {
    layout.n_draw_objects += encoding.n_open_clips;
    layout.n_paths += encoding.n_open_clips;
    layout.n_clips += encoding.n_open_clips;
}

fn check<'a>(
    device: &wgpu::Device,
    buffers: &ClipBuffers<'a>,
    capacity: ClipCapacity,
) -> Result<(), treebounds::Error> {
    let bytes = |count: u32, size: usize| u64::from(count.max(1)) * size as u64;
    let (n, m) = (capacity.draw_objects, capacity.clips);
    let storage = BufferUsages::STORAGE;
    let need = |name, binding: &BufferBinding<'a>, bytes, usage| Need {
        name,
        binding: binding.clone(),
        bytes,
        usage,
    };
    let ClipBuffers { config, scene, clip_inp, path_bboxes, draw_monoids, clip_bboxes } = buffers;
    let needs = [
        need("config", config, size_of::<ConfigUniform>() as u64, BufferUsages::UNIFORM),
        need("scene", scene, 4, storage),
        need("clip_inp", clip_inp, bytes(m, size_of::<Clip>()), storage),
        need("path_bboxes", path_bboxes, bytes(n, size_of::<PathBbox>()), storage),
        need("draw_monoids", draw_monoids, bytes(n, size_of::<DrawMonoid>()), storage),
        need("clip_bboxes", clip_bboxes, bytes(m, size_of::<ClipBbox>()), storage),
    ];
    check_buffers(device, needs, &[]).map(|_| ())
}
