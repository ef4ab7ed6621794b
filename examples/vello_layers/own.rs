//! Vello's own renderer, to pixels.

use treebounds::Gpu;
use treebounds_vello::Frame;
use vello::wgpu;
use vello::{AaConfig, AaSupport, RenderParams, Renderer, RendererOptions, Scene};

/// A renderer with one way of antialiasing, by area.
pub(crate) fn renderer(gpu: &Gpu) -> anyhow::Result<Renderer> {
    let options = RendererOptions {
        antialiasing_support: AaSupport::area_only(),
        ..RendererOptions::default()
    };
    Ok(Renderer::new(&gpu.device, options)?)
}

/// What it paints: RGBA, row by row.
pub(crate) fn render(
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
