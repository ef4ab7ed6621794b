//! Renders with Vello's own renderer, and compares pictures.

use crate::gpu::gpu;
use treebounds::Gpu;
use treebounds_vello::{Antialiasing, Clips, Frame, Options, Pipeline};
use vello::wgpu;
use vello::{AaConfig, AaSupport, RenderParams, Renderer, RendererOptions, Scene};

pub use treebounds_testkit::font;

/// Creates a pipeline of this project on the tests' GPU.
///
/// # Errors
/// Any error of the pipeline.
pub fn pipeline(clips: Clips) -> Result<Pipeline, treebounds_vello::Error> {
    let Gpu { device, queue, .. } = gpu();
    Pipeline::new(device, queue, &Options { clips, ..Options::default() })
}

/// Creates Vello's own renderer on the tests' GPU.
///
/// # Panics
/// If Vello rejects the device.
#[expect(clippy::expect_used, reason = "the device failing is a failure of the test")]
pub fn renderer(antialiasing: Antialiasing) -> Renderer {
    let antialiasing_support: AaSupport = [aa_config(antialiasing)].into_iter().collect();
    let options = RendererOptions { antialiasing_support, ..RendererOptions::default() };
    Renderer::new(&gpu().device, options).expect("Vello accepts the device")
}

fn aa_config(antialiasing: Antialiasing) -> AaConfig {
    match antialiasing {
        Antialiasing::Area => AaConfig::Area,
        Antialiasing::Msaa8 => AaConfig::Msaa8,
        Antialiasing::Msaa16 => AaConfig::Msaa16,
    }
}

/// Paints with Vello's own renderer and returns RGBA pixels, row by row.
///
/// # Panics
/// If the device fails.
#[expect(clippy::expect_used, reason = "the device failing is a failure of the test")]
pub fn render_vello(renderer: &mut Renderer, scene: &Scene, frame: &Frame) -> Vec<u8> {
    let Gpu { device, queue, .. } = gpu();
    let size =
        wgpu::Extent3d { width: frame.width, height: frame.height, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let params = RenderParams {
        base_color: frame.base_color,
        width: frame.width,
        height: frame.height,
        antialiasing_method: aa_config(frame.antialiasing),
    };
    renderer.render_to_texture(device, queue, scene, &view, &params).expect("Vello renders");
    let row = (4 * frame.width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = crate::gpu::buffer(
        u64::from(row) * u64::from(frame.height),
        wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
    );
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, size);
    queue.submit([encoder.finish()]);
    let rows: Vec<u8> = crate::gpu::read(&buffer, row as usize * frame.height as usize);
    rows.chunks_exact(row as usize)
        .flat_map(|padded| &padded[..4 * frame.width as usize])
        .copied()
        .collect()
}

/// Compares two pictures: returns the number of differing pixels, and the maximum difference of a
/// channel.
pub fn difference(a: &[u8], b: &[u8]) -> (usize, u8) {
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4));
    let worst = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
    let each = pixels.filter_map(worst).filter(|worst| *worst > 0);
    each.fold((0, 0), |(count, most), worst| (count + 1, most.max(worst)))
}
