//! The three ways to render a scene.

use crate::scenes::Example;
use treebounds::Gpu;
use treebounds_vello::{Clips, Error, Frame, Options, Pipeline};
use vello::peniko::Color;
use vello::{AaConfig, AaSupport, RenderParams, Renderer, RendererOptions, Scene, wgpu};

/// The renderers.
pub(crate) struct Ways<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    pipelines: [(&'static str, Pipeline); 2],
}

/// What one of them made of a scene.
pub(crate) struct Rendering {
    /// For the names of files.
    pub(crate) name: &'static str,
    /// White where it failed.
    pub(crate) pixels: Vec<u8>,
}

/// A white frame for a scene.
pub(crate) fn frame(example: &Example) -> Frame {
    Frame { base_color: Color::WHITE, ..Frame::new(example.width, example.height) }
}

impl<'a> Ways<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> anyhow::Result<Self> {
        let pipeline = |clips| {
            let options = Options { clips, ..Options::default() };
            Pipeline::new(&gpu.device, &gpu.queue, &options)
        };
        Ok(Self {
            gpu,
            renderer: renderer(gpu)?,
            pipelines: [
                ("pipeline", pipeline(Clips::Vello)?),
                ("treebounds", pipeline(Clips::TreeboundsShrink)?),
            ],
        })
    }

    /// All three, Vello's own first.
    pub(crate) fn render(&mut self, example: &Example) -> anyhow::Result<Vec<Rendering>> {
        let frame = frame(example);
        let pixels = render_by_vello(self.gpu, &mut self.renderer, &example.scene, &frame)?;
        let mut all = vec![Rendering { name: "vello", pixels }];
        for (name, pipeline) in &mut self.pipelines {
            let pixels = match pipeline.render_to_pixels(example.scene.encoding(), &frame) {
                Ok((pixels, _)) => pixels,
                Err(error @ (Error::TooLarge { .. } | Error::TooMany { .. })) => {
                    eprintln!("{}: {error}", example.name);
                    vec![255; 4 * (frame.width * frame.height) as usize]
                }
                Err(error) => return Err(error.into()),
            };
            all.push(Rendering { name, pixels });
        }
        Ok(all)
    }
}

impl Rendering {
    /// How many pixels are apart by more than the last bit.
    pub(crate) fn differing(&self, other: &Self) -> usize {
        let pixels = self.pixels.chunks_exact(4).zip(other.pixels.chunks_exact(4));
        pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 1)).count()
    }
}

/// A renderer with one way of antialiasing, by area.
fn renderer(gpu: &Gpu) -> anyhow::Result<Renderer> {
    let options = RendererOptions {
        antialiasing_support: AaSupport::area_only(),
        ..RendererOptions::default()
    };
    Ok(Renderer::new(&gpu.device, options)?)
}

/// What it paints: RGBA, row by row.
fn render_by_vello(
    gpu: &Gpu,
    renderer: &mut Renderer,
    scene: &Scene,
    frame: &Frame,
) -> anyhow::Result<Vec<u8>> {
    let Gpu { device, queue, .. } = gpu;
    let Frame { width, height, base_color, .. } = *frame;
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("Vello's target"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let params = RenderParams { base_color, width, height, antialiasing_method: AaConfig::Area };
    renderer.render_to_texture(device, queue, scene, &view, &params)?;

    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("pixels"),
        size: u64::from(row) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, size);
    queue.submit([encoder.finish()]);
    let rows: Vec<u8> = treebounds::device::read(device, &buffer)?;
    let pixels = rows.chunks_exact(row as usize).flat_map(|padded| &padded[..4 * width as usize]);
    Ok(pixels.copied().collect())
}
