//! Draws the boxes of a frame as lines in the host's picture.

use crate::gpu::buffers::{Need, bytes, check, create};
use crate::gpu::capabilities::check_limits;
use crate::gpu::scoped;
use crate::{Error, InputBindings, OutputBindings};
use std::ops::Range;
use treebounds_shaders::{Access, Binding, OverlayView as Uniform, link_overlay};
use wgpu::{BufferBinding, BufferUsages, TextureFormat};

/// The kinds of elements that the overlay draws, and their appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverlayKind {
    /// A visible draw: a solid blue line.
    Draw = Uniform::DRAW as isize,
    /// A clip with visible contents: a dashed orange line around them.
    Clip = Uniform::CLIP as isize,
    /// A layer with visible contents: a dotted purple line around them.
    Layer = Uniform::LAYER as isize,
    /// An invisible element: the part of its rect inside the viewport, crossed out in gray.
    Culled = Uniform::CULLED as isize,
}

impl OverlayKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Clip, Self::Layer, Self::Culled];

    /// The line color in sRGB: red, green and blue. `treebounds_report` uses the same colors.
    pub const fn color(self) -> [u8; 3] {
        match self {
            Self::Draw => [0x00, 0x72, 0xb2],
            Self::Clip => [0xd5, 0x5e, 0x00],
            Self::Layer => [0xba, 0x48, 0x8c],
            Self::Culled => [0x55, 0x55, 0x55],
        }
    }
}

/// Describes an [`Overlay`] and its render passes.
#[derive(Clone, Copy, Debug)]
pub struct OverlayDescriptor<'a> {
    /// The label of the pipeline, bind groups and buffers. The default is "treebounds overlay".
    pub label: Option<&'a str>,
    /// The format of the only color attachment.
    pub format: TextureFormat,
    /// The number of samples per pixel.
    pub sample_count: u32,
    /// The format of the depth or stencil attachment, which is neither tested nor written.
    pub depth_stencil: Option<TextureFormat>,
    /// A cache of compiled pipelines.
    pub pipeline_cache: Option<&'a wgpu::PipelineCache>,
}

impl OverlayDescriptor<'_> {
    /// A descriptor for passes with one color attachment, one sample per pixel and no depth attachment.
    pub const fn new(format: TextureFormat) -> Self {
        Self { label: None, format, sample_count: 1, depth_stencil: None, pipeline_cache: None }
    }
}

/// The ranges that an [`Overlay`] reads. They need no usages beyond those for the stage.
#[derive(Clone, Debug)]
pub struct OverlayBindings<'a> {
    /// [`Params`](crate::Params): the viewport and the number of elements. Elements beyond the capacity are ignored.
    pub params: BufferBinding<'a>,
    /// The tag of each element.
    pub tags: BufferBinding<'a>,
    /// The rect of each element, which is drawn for culled elements.
    pub rects: BufferBinding<'a>,
    /// The box of each element: the stage's `boxes`, or its `landings`, which show filtered elements at their visible place.
    pub boxes: BufferBinding<'a>,
}

impl<'a> OverlayBindings<'a> {
    /// Uses the ranges of a stage, with `outputs.landings` instead of `outputs.boxes` if present. Set `outputs.landings` to `None` if
    /// the stage does not write [landings](crate::StageDescriptor::landings).
    pub fn new(
        inputs: impl Into<InputBindings<'a>>,
        outputs: impl Into<OutputBindings<'a>>,
    ) -> Self {
        let InputBindings { params, tags, rects, .. } = inputs.into();
        let OutputBindings { boxes, landings, .. } = outputs.into();
        Self { params, tags, rects, boxes: landings.unwrap_or(boxes) }
    }
}

/// The view of an [`OverlayJob`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlayView<'a> {
    /// The transform from the scene to target pixels, in the order of `kurbo::Affine::as_coeffs`: `[a, b, c, d, e, f]` maps `(x, y)` to
    /// `(a x + c y + e, b x + d y + f)`. If it is not finite or not invertible, nothing is drawn.
    pub transform: [f32; 6],
    /// The width and height in pixels of the target, or of the render pass's viewport.
    pub target: [u32; 2],
    /// The kinds to draw. Nodes that clip and blend belong to both kinds.
    pub kinds: &'a [OverlayKind],
}

impl OverlayView<'_> {
    /// A view of all kinds, with one target pixel per scene unit.
    pub const fn new(target: [u32; 2]) -> Self {
        Self { transform: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0], target, kinds: &OverlayKind::ALL }
    }

    fn uniform(&self, is_srgb: bool) -> Uniform {
        let [a, b, c, d, e, f] = self.transform;
        let [width, height] = self.target.map(|side| side as f32);
        let area = a * d - b * c;
        if !(e.is_finite() && f.is_finite() && area.is_finite())
            || area == 0.0
            || width * height == 0.0
        {
            return Uniform::default();
        }
        let [draw, clip, layer, culled] = OverlayKind::ALL.map(|kind| {
            let [red, green, blue] = kind.color().map(|part| shade(part, is_srgb));
            [red, green, blue, 1.0]
        });
        let kinds = self.kinds.iter().fold(0, |bits, kind| bits | *kind as u32);
        let (axes, place) = ([a, b, c, d], [e, f, width, height]);
        Uniform { axes, place, draw, clip, layer, culled, kinds, ..Uniform::default() }
    }
}

/// Converts an sRGB component to a fragment shader's output. sRGB targets expect linear values.
fn shade(part: u8, is_srgb: bool) -> f32 {
    match f32::from(part) / 255.0 {
        part if !is_srgb => part,
        part if part <= 0.040_45 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    }
}

/// Draws the boxes of a frame into the host's render pass as one-pixel lines, directly from the stage's buffers and without readbacks.
///
/// Lines are just outside their boxes, or at the edge of the target for boxes that extend beyond it. Clip lines are two pixels further
/// out, and layer lines four, so coinciding boxes stay distinguishable. Boxes are rounded to whole pixels unless the transform rotates
/// them. Ends and filters draw nothing, even in unbalanced streams.
///
/// Cost: [`OverlayJob::draw`] is one instanced draw without allocations. Each element in its range costs 48 vertices, which read
/// 36 bytes, plus the pixels of its lines. Hidden elements cost only their vertices. [`OverlayJob::set_view`] writes 112 bytes.
///
/// ```
/// use treebounds::{Error, Inputs, Outputs, Overlay, OverlayBindings, OverlayDescriptor, OverlayJob, OverlayView, wgpu};
///
/// /// Once, and whenever the buffers change.
/// fn prepare(device: &wgpu::Device, inputs: &Inputs, outputs: &Outputs, elements: u32) -> Result<OverlayJob, Error> {
///     let overlay = Overlay::new(device, &OverlayDescriptor::new(wgpu::TextureFormat::Bgra8Unorm))?;
///     overlay.bind(&OverlayBindings::new(inputs, outputs), elements)
/// }
///
/// /// In every frame, after recording the stage's job.
/// fn frame(queue: &wgpu::Queue, pass: &mut wgpu::RenderPass<'_>, overlay: &OverlayJob, size: [u32; 2]) {
///     overlay.set_view(queue, &OverlayView::new(size));
///     overlay.draw(pass, 0..u32::MAX);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Overlay {
    device: wgpu::Device,
    label: String,
    is_srgb: bool,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

/// An [`Overlay`] bound to the buffers of a frame.
#[derive(Clone, Debug)]
pub struct OverlayJob {
    is_srgb: bool,
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
    view: wgpu::Buffer,
    elements: u32,
}

impl Overlay {
    /// Compiles the overlay for a device and the render passes of a descriptor.
    ///
    /// # Errors
    /// [`Error::TargetFormat`] for an integer format, [`Error::DeviceLacks`] on a device without storage buffers in vertex shaders, and
    /// [`Error::Kernel`] if the device rejects the format or the number of samples.
    pub fn new(device: &wgpu::Device, descriptor: &OverlayDescriptor<'_>) -> Result<Self, Error> {
        let &OverlayDescriptor { format, .. } = descriptor;
        let sampled = format.sample_type(None, Some(device.features()));
        if !matches!(sampled, Some(wgpu::TextureSampleType::Float { .. })) {
            return Err(Error::TargetFormat { format });
        }
        let storage = device.limits().max_storage_buffers_per_shader_stage;
        check_limits([("max_storage_buffers_per_shader_stage", 3, storage)])?;
        let label = descriptor.label.unwrap_or("treebounds overlay");
        let failed = |message: String, source| Error::Kernel { kernel: "overlay", message, source };
        let linked = link_overlay().map_err(|error| failed(error.to_string(), Some(error)))?;
        let entries: Vec<_> = linked
            .bindings()
            .iter()
            .map(|&(binding, access)| wgpu::BindGroupLayoutEntry {
                binding: binding.number(),
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: match access {
                        Access::Uniform => wgpu::BufferBindingType::Uniform,
                        _ => wgpu::BufferBindingType::Storage { read_only: true },
                    },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let build = || build(device, label, descriptor, linked.source(), &entries);
        let (layout, pipeline) = scoped(device, build).map_err(|message| failed(message, None))?;
        let (device, label) = (device.clone(), label.to_owned());
        Ok(Self { device, label, is_srgb: format.is_srgb(), layout, pipeline })
    }

    /// Binds a frame of at most `elements` elements. The job draws nothing until [`OverlayJob::set_view`] is called.
    ///
    /// # Errors
    /// The errors of [`Stage::bind`](crate::Stage::bind) for an unsuitable range; [`Error::Device`] if memory runs out.
    pub fn bind(&self, frame: &OverlayBindings<'_>, elements: u32) -> Result<OverlayJob, Error> {
        let needs = [
            Need::params(&frame.params),
            Need::storage("tags", &frame.tags, bytes(4, elements)),
            Need::storage("rects", &frame.rects, bytes(16, elements)),
            Need::storage("boxes", &frame.boxes, bytes(16, elements)),
        ];
        let ranges = check(&self.device, needs, &[])?;
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let view = create(&self.device, &self.label, "view", size_of::<Uniform>() as u64, usage)?;
        let bindings = ranges.iter().map(|range| range.binding());
        let bindings = bindings.chain([view.as_entire_buffer_binding()]);
        let numbers = Self::BINDINGS.map(Binding::number);
        let entries: Vec<_> = numbers
            .into_iter()
            .zip(bindings)
            .map(|(binding, range)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(range),
            })
            .collect();
        let (label, layout) = (Some(self.label.as_str()), &self.layout);
        let descriptor = wgpu::BindGroupDescriptor { label, layout, entries: &entries };
        let group = scoped(&self.device, || self.device.create_bind_group(&descriptor))
            .map_err(Error::Device)?;
        let (is_srgb, pipeline) = (self.is_srgb, self.pipeline.clone());
        Ok(OverlayJob { is_srgb, pipeline, group, view, elements })
    }

    /// The shader's bindings, in the order of a job's ranges.
    const BINDINGS: [Binding; 5] =
        [Binding::Params, Binding::Tags, Binding::Rects, Binding::Boxes, Binding::View];
}

fn build(
    device: &wgpu::Device,
    label: &str,
    descriptor: &OverlayDescriptor<'_>,
    text: &str,
    entries: &[wgpu::BindGroupLayoutEntry],
) -> (wgpu::BindGroupLayout, wgpu::RenderPipeline) {
    let label = Some(label);
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let module = &device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
    let layout =
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let compilation_options = wgpu::PipelineCompilationOptions::default();
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("main"),
            compilation_options: compilation_options.clone(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: descriptor.depth_stencil.map(|format| wgpu::DepthStencilState {
            format,
            depth_write_enabled: format.has_depth_aspect().then_some(false),
            depth_compare: format.has_depth_aspect().then_some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: descriptor.sample_count,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("paint"),
            compilation_options,
            targets: &[Some(descriptor.format.into())],
        }),
        multiview_mask: None,
        cache: descriptor.pipeline_cache,
    });
    (layout, pipeline)
}

impl OverlayJob {
    /// Sets the view from the next submission on, with one [`wgpu::Queue::write_buffer`] of 112 bytes.
    pub fn set_view(&self, queue: &wgpu::Queue, view: &OverlayView<'_>) {
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view.uniform(self.is_srgb)));
    }

    /// Draws a range of elements, for example a layer from its begin to its end, or `0..u32::MAX` for all. Indices beyond the elements
    /// of the frame or the job are ignored.
    ///
    /// Call it after drawing the scene. It changes the pipeline and bind group 0 of the pass.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, elements: Range<u32>) {
        let end = elements.end.min(self.elements);
        if elements.start < end {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.draw(0..6 * Uniform::LINES, elements.start..end);
        }
    }
}
