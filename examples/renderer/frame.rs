//! The passes of a frame and their buffers.

use crate::scene::{DEVIATION, Scene, Shape};
use anyhow::ensure;
use bytemuck::{Pod, Zeroable};
use std::borrow::Cow;
use treebounds::treebounds_core::{BinGrid, Stream};
use treebounds::wgpu::{self, BindingResource, BufferUsages, TextureFormat, TextureUsages};
use treebounds::{
    BinCapacity, BinStatus, Binner, BinnerDescriptor, Bins, Capacity, Gpu, Inputs, Job, Outputs,
    Overlay, OverlayBindings, OverlayDescriptor, OverlayJob, OverlayView, Stage, StageDescriptor,
    capture,
};

/// The side of a bin and of a workgroup, in pixels.
const SIDE: u32 = 16;
/// The width of the border around a blurred box whose pixels affect the result: `RADIUS` in `shaders/shapes.wgsl`.
const RADIUS: u32 = 15;

const CANVAS: TextureFormat = TextureFormat::Rgba8Unorm;

/// Objects that are compiled once.
pub(crate) struct Kernels {
    stage: Stage,
    binner: Binner,
    overlay: Overlay,
    /// The compute pipelines of a frame, in dispatch order.
    passes: [wgpu::ComputePipeline; 6],
}

impl Kernels {
    pub(crate) fn new(device: &wgpu::Device) -> anyhow::Result<Self> {
        let module = |text: &str| {
            let source = [include_str!("shaders/shapes.wgsl"), text].concat();
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("renderer"),
                source: wgpu::ShaderSource::Wgsl(Cow::Owned(source)),
            })
        };
        let moving = module(include_str!("shaders/move.wgsl"));
        let layer = module(include_str!("shaders/layer.wgsl"));
        let paint = module(include_str!("shaders/paint.wgsl"));
        let pipeline = |module, entry| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: None,
                module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                cache: None,
            })
        };
        let filters = StageDescriptor { filter_depth: 1, landings: true, ..Default::default() };
        Ok(Self {
            stage: Stage::new(device, &filters)?,
            binner: Binner::new(device, &BinnerDescriptor::default())?,
            overlay: Overlay::new(device, &OverlayDescriptor::new(CANVAS))?,
            passes: [
                pipeline(&moving, "move_shapes"),
                pipeline(&layer, "size_layer"),
                pipeline(&paint, "paint_layer"),
                pipeline(&layer, "blur_x"),
                pipeline(&layer, "blur_y"),
                pipeline(&paint, "paint_canvas"),
            ],
        })
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Uniforms {
    size: [u32; 2],
    elements: u32,
    blur: u32,
    blur_marker: u32,
    culls: u32,
    seconds: f32,
    deviation: f32,
}

/// The buffers and bind groups of a scene.
pub(crate) struct Frame {
    size: [u32; 2],
    uniforms: Uniforms,
    uniform: wgpu::Buffer,
    layer: wgpu::Buffer,
    bins: Bins,
    /// The jobs for the lists of bins, without and with boxes.
    jobs: [Job; 2],
    groups: Vec<wgpu::BindGroup>,
    overlay: OverlayJob,
    inputs: Inputs,
    pub(crate) canvas: wgpu::Texture,
}

/// The amount of work in a frame.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Layer {
    origin: [i32; 2],
    size: [u32; 2],
    groups: [u32; 4],
}

/// The use of boxes in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boxes {
    /// No boxes are computed.
    Without,
    /// Boxes decide what is painted.
    Used,
    /// Boxes are also drawn over the picture.
    Shown,
}

/// Counts of the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    /// The number of elements in the lists of all bins.
    pub(crate) entries: u32,
    /// The number of pixels in the blurred layer.
    pub(crate) layer_pixels: u32,
}

impl Frame {
    /// Creates buffers for a scene, with this capacity of list entries.
    pub(crate) fn new(
        gpu: &Gpu,
        kernels: &Kernels,
        scene: &Scene,
        (size, entries): ([u32; 2], u32),
    ) -> anyhow::Result<Self> {
        let (device, stream) = (&gpu.device, &scene.stream);
        let capacity = Capacity::of(stream);
        let elements = capacity.elements;
        let buffer = |label, size: u64, usage| {
            let descriptor = wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            };
            device.create_buffer(&descriptor)
        };
        let uniform = buffer("frame", 32, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        let layer = buffer(
            "layer",
            size_of::<Layer>() as u64,
            BufferUsages::STORAGE | BufferUsages::INDIRECT | BufferUsages::COPY_SRC,
        );
        let shape_bytes = (size_of::<Shape>() * scene.shapes.len()) as u64;
        let shapes = buffer("shapes", shape_bytes, BufferUsages::STORAGE | BufferUsages::COPY_DST);
        let own_boxes = buffer("own boxes", 16 * u64::from(elements), BufferUsages::STORAGE);

        let inputs = Inputs::new(device, capacity)?;
        let outputs = Outputs::new(device, capacity)?;
        let scratch = kernels.stage.scratch(capacity)?;
        let grid = BinGrid::with_bins([0, 0], size, [SIDE, SIDE])?;
        let room = BinCapacity { elements, entries };
        let bin_scratch = kernels.binner.scratch(room, &grid)?;
        let bins = Bins::new(device, &grid, entries)?;
        let params = inputs.params.as_entire_buffer_binding();
        let without = kernels.binner.bind(
            params,
            own_boxes.as_entire_buffer_binding(),
            &bins,
            &bin_scratch,
        )?;
        let with = kernels.stage.bind_bins(
            &inputs,
            &outputs,
            &scratch,
            &kernels.binner,
            &bins,
            &bin_scratch,
        )?;
        let overlay = kernels.overlay.bind(&OverlayBindings::new(&inputs, &outputs), elements)?;
        overlay.set_view(&gpu.queue, &OverlayView::new(size));
        inputs.write(&gpu.queue, stream)?;
        gpu.queue.write_buffer(&shapes, 0, bytemuck::cast_slice(&scene.shapes));

        let texture = |[width, height]: [u32; 2], format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("renderer"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING | usage,
                view_formats: &[],
            })
        };
        let layer_size = size.map(|side| side + 2 * RADIUS);
        let layers = [(); 2]
            .map(|()| texture(layer_size, TextureFormat::Rgba16Float, TextureUsages::empty()));
        let canvas =
            texture(size, CANVAS, TextureUsages::COPY_SRC | TextureUsages::RENDER_ATTACHMENT);
        let [first, second] =
            layers.each_ref().map(|texture| texture.create_view(&Default::default()));
        let canvas_view = canvas.create_view(&Default::default());

        let all = |buffer: &'static str| match buffer {
            "frame" => uniform.as_entire_binding(),
            "shapes" => shapes.as_entire_binding(),
            "rects" => inputs.rects.as_entire_binding(),
            "own boxes" => own_boxes.as_entire_binding(),
            "contents" => outputs.contents.as_entire_binding(),
            "layer" => layer.as_entire_binding(),
            "headers" => bins.headers.as_entire_binding(),
            "entries" => bins.entries.as_entire_binding(),
            "first" => BindingResource::TextureView(&first),
            "second" => BindingResource::TextureView(&second),
            _ => BindingResource::TextureView(&canvas_view),
        };
        let bound: [&[(u32, &str)]; 6] = [
            &[(0, "frame"), (1, "shapes"), (2, "rects"), (3, "own boxes")],
            &[(0, "frame"), (1, "contents"), (2, "layer")],
            &[(0, "frame"), (1, "shapes"), (2, "rects"), (3, "layer"), (8, "first")],
            &[(0, "frame"), (3, "layer"), (4, "first"), (5, "second")],
            &[(0, "frame"), (3, "layer"), (4, "second"), (5, "first")],
            &[
                (0, "frame"),
                (1, "shapes"),
                (2, "rects"),
                (3, "layer"),
                (4, "headers"),
                (5, "entries"),
                (6, "first"),
                (7, "canvas"),
            ],
        ];
        let group = |(pipeline, bound): (&wgpu::ComputePipeline, &[(u32, &'static str)])| {
            let entries: Vec<_> = bound
                .iter()
                .map(|&(binding, name)| wgpu::BindGroupEntry { binding, resource: all(name) })
                .collect();
            let layout = &pipeline.get_bind_group_layout(0);
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout,
                entries: &entries,
            })
        };
        let groups = kernels.passes.iter().zip(bound).map(group).collect();
        let blur_marker =
            stream.tags()[..scene.blur as usize].iter().filter(|tag| tag.is_marker()).count();
        let uniforms = Uniforms {
            size,
            elements,
            blur: scene.blur,
            blur_marker: blur_marker as u32,
            culls: 0,
            seconds: 0.0,
            deviation: DEVIATION,
        };
        Ok(Self {
            size,
            uniforms,
            uniform,
            layer,
            bins,
            jobs: [without, with],
            groups,
            overlay,
            inputs,
            canvas,
        })
    }

    /// Records and submits a frame at this time. Boxes can be shown only in frames that compute them.
    pub(crate) fn paint(&self, gpu: &Gpu, kernels: &Kernels, seconds: f32, boxes: Boxes) {
        let culls = boxes != Boxes::Without;
        let uniforms = Uniforms { seconds, culls: culls.into(), ..self.uniforms };
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniforms));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let bins = self.size.map(|side| side.div_ceil(SIDE));
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for (step, (pipeline, group)) in kernels.passes.iter().zip(&self.groups).enumerate() {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            match step {
                0 => {
                    pass.dispatch_workgroups(self.uniforms.elements.div_ceil(256), 1, 1);
                    self.jobs[usize::from(culls)].record_in_pass(&mut pass);
                }
                1 => pass.dispatch_workgroups(1, 1, 1),
                5 => pass.dispatch_workgroups(bins[0], bins[1], 1),
                _ => pass.dispatch_workgroups_indirect(&self.layer, 16),
            }
        }
        drop(pass);
        if boxes == Boxes::Shown {
            self.show_boxes(&mut encoder);
        }
        gpu.queue.submit([encoder.finish()]);
    }

    fn show_boxes(&self, encoder: &mut wgpu::CommandEncoder) {
        let view = &self.canvas.create_view(&Default::default());
        let ops = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
        let color =
            wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("boxes"),
            color_attachments: &[Some(color)],
            ..Default::default()
        });
        self.overlay.draw(&mut pass, 0..u32::MAX);
    }

    /// Waits for the last frame and reads its counts. If its lists did not fit, the error is the number of entries they
    /// need.
    pub(crate) fn work(&self, gpu: &Gpu) -> anyhow::Result<Result<Work, u32>> {
        let status: Vec<BinStatus> = download(gpu, &self.bins.status)?;
        let layer: Vec<Layer> = download(gpu, &self.layer)?;
        ensure!(status.len() == 1 && layer.len() == 1, "the counts of a frame are missing");
        let (status, layer) = (status[0], layer[0]);
        if status.flags & BinStatus::ENTRIES_TOO_FEW != 0 {
            return Ok(Err(status.needed));
        }
        Ok(Ok(Work { entries: status.needed, layer_pixels: layer.size[0] * layer.size[1] }))
    }
}

impl Frame {
    /// Returns the stream of the last frame, with the places that the GPU gave to its shapes.
    pub(crate) fn stream(&self, gpu: &Gpu) -> anyhow::Result<Stream> {
        Ok(capture(&gpu.device, &gpu.queue, &self.inputs)?)
    }
}

pub(crate) fn download<T: Pod>(gpu: &Gpu, buffer: &wgpu::Buffer) -> anyhow::Result<Vec<T>> {
    let descriptor = wgpu::BufferDescriptor {
        label: Some("download"),
        size: buffer.size(),
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    };
    let target = gpu.device.create_buffer(&descriptor);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &target, 0, buffer.size());
    gpu.queue.submit([encoder.finish()]);
    target.map_async(wgpu::MapMode::Read, .., |_| ());
    gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
    let bytes = target.get_mapped_range(..)?;
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}
