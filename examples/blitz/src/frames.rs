//! Measures the frame times of three renderers, both until the GPU is done and until the pixels are in
//! memory.

use crate::measure::median;
use anyhow::{Result, anyhow};
use anyrender::{ImageRenderer, Scene};
use anyrender_vello::{VelloImageRenderer, VelloScenePainter};
use anyrender_vello_hybrid::{ImageManager, VelloHybridScenePainter};
use rustc_hash::FxHashMap;
use std::time::Instant;
use treebounds::Gpu;
use treebounds_anyrender::{TreeboundsImageRenderer, replay};
use treebounds_vello::{Frame, Options, Pipeline};
use vello::{AaConfig, AaSupport, RenderParams, RendererOptions};
use vello_gpu::{RenderSize, RenderTargetConfig, TargetInit, TextureBindings};
use wgpu::{Features, TextureFormat, TextureUsages};
use wgpu_context::{BufferRenderer, BufferRendererConfig, WGPUContext};

/// Medians in milliseconds. `None` if not measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// From the first drawing call until the GPU is done, when a window would show the frame.
    pub frame: Option<f64>,
    /// From the first drawing call until the pixels are in memory.
    pub pixels: Option<f64>,
}

/// The number of untimed renderings of each frame.
pub const WARM_UPS: usize = 4;

/// Renders a frame repeatedly and returns the median time in milliseconds.
fn timed(runs: usize, mut frame: impl FnMut() -> Result<()>) -> Result<Option<f64>> {
    (0..WARM_UPS).try_for_each(|_| frame())?;
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        frame()?;
        times.push(start.elapsed());
    }
    Ok(Some(median(&mut times)))
}

/// Renders with `anyrender_vello`. Frames without readback use Vello's renderer with the same painter, on a device with the
/// same settings.
pub struct Vello {
    image: VelloImageRenderer,
    device: BufferRenderer,
    renderer: vello::Renderer,
    scene: vello::Scene,
    size: [u32; 2],
}

/// Creates a device like AnyRender's renderers, with a target.
fn device(size: [u32; 2], usage: TextureUsages) -> Result<BufferRenderer> {
    let mut context = WGPUContext::with_features_and_limits(Some(Features::CLEAR_TEXTURE), None);
    let [width, height] = size;
    let config = BufferRendererConfig { width, height, usage };
    pollster::block_on(context.create_buffer_renderer(config)).map_err(|error| anyhow!("{error:?}"))
}

impl Vello {
    /// Prepares for pictures of this size.
    pub fn new(size: [u32; 2]) -> Result<Self> {
        let device = device(size, TextureUsages::STORAGE_BINDING)?;
        let options = RendererOptions {
            antialiasing_support: AaSupport::area_only(),
            ..RendererOptions::default()
        };
        Ok(Self {
            image: VelloImageRenderer::new(size[0], size[1]),
            renderer: vello::Renderer::new(device.device(), options)?,
            device,
            scene: vello::Scene::new(),
            size,
        })
    }

    /// Measures a list.
    pub fn times(&mut self, scene: &Scene, runs: usize) -> Result<Times> {
        let mut pixels = Vec::new();
        let image = &mut self.image;
        let with_readback = timed(runs, || {
            image.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            Ok(())
        })?;
        let params = RenderParams {
            base_color: peniko::Color::TRANSPARENT,
            width: self.size[0],
            height: self.size[1],
            antialiasing_method: AaConfig::Area,
        };
        let (device, queue) = (self.device.device(), self.device.queue());
        let target = self.device.target_texture_view();
        let frame = timed(runs, || {
            self.scene.reset();
            replay(scene, &mut VelloScenePainter::new(&mut self.scene));
            self.renderer.render_to_texture(device, queue, &self.scene, &target, &params)?;
            device.poll(wgpu::PollType::wait_indefinitely())?;
            Ok(())
        })?;
        Ok(Times { frame, pixels: with_readback })
    }
}

/// Renders with treebounds' pipeline.
pub struct Treebounds {
    image: TreeboundsImageRenderer,
    frames: Pipeline,
    target: wgpu::TextureView,
    size: [u32; 2],
}

impl Treebounds {
    /// Prepares for pictures of this size.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self> {
        let [width, height] = size;
        let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("target"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        Ok(Self {
            image: TreeboundsImageRenderer::with_gpu(gpu, width, height, &Options::default())?,
            frames: Pipeline::new(&gpu.device, &gpu.queue, &Options::default())?,
            target: target.create_view(&wgpu::TextureViewDescriptor::default()),
            size,
        })
    }

    /// Measures a list.
    pub fn times(&mut self, scene: &Scene, runs: usize) -> Result<Times> {
        let mut pixels = Vec::new();
        let with_readback = timed(runs, || {
            self.image.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            self.image.error().map_or(Ok(()), |error| Err(error.clone().into()))
        })?;
        let mut recorded = vello::Scene::new();
        let size = Frame::new(self.size[0], self.size[1]);
        let frame = timed(runs, || {
            recorded.reset();
            replay(scene, &mut VelloScenePainter::new(&mut recorded));
            self.frames.render_to_texture(recorded.encoding(), &size, &self.target)?;
            Ok(())
        })?;
        Ok(Times { frame, pixels: with_readback })
    }
}

/// Renders with `vello_gpu`, through AnyRender's painter for it.
pub struct VelloGpu {
    device: BufferRenderer,
    renderer: vello_gpu::Renderer,
    resources: vello_gpu::Resources,
    scene: vello_gpu::Scene,
    depth: wgpu::TextureView,
    images: FxHashMap<u64, vello_common::paint::ImageId>,
    size: RenderSize,
}

impl VelloGpu {
    /// Prepares for pictures of this size.
    pub fn new(size: [u32; 2]) -> Result<Self> {
        let device = device(size, TextureUsages::RENDER_ATTACHMENT)?;
        let [width, height] = [u16::try_from(size[0])?, u16::try_from(size[1])?];
        let config = RenderTargetConfig { format: TextureFormat::Rgba8Unorm, width, height };
        let (renderer, resources) = vello_gpu::Renderer::new(device.device(), &config);
        let size = RenderSize { width, height };
        let depth = vello_gpu::Renderer::create_depth_texture_view(device.device(), &size);
        let scene = vello_gpu::Scene::new(width, height);
        let images = FxHashMap::default();
        Ok(Self { device, renderer, resources, scene, depth, images, size })
    }

    fn submit(&mut self, list: &Scene) -> Result<()> {
        let (device, queue) = (self.device.device(), self.device.queue());
        let mut encoder = device.create_command_encoder(&Default::default());
        self.scene.reset();
        let images = ImageManager::new(
            &mut self.renderer,
            &mut self.resources,
            device,
            queue,
            &mut encoder,
            &mut self.images,
        );
        let mut textures = FxHashMap::default();
        let handle = &self.device.device_handle;
        let mut painter =
            VelloHybridScenePainter::new(&mut self.scene, images, &mut textures, handle);
        replay(list, &mut painter);
        drop(painter);
        self.renderer
            .render(
                &self.scene,
                &mut self.resources,
                device,
                queue,
                &mut encoder,
                &self.size,
                &self.device.target_texture_view(),
                Some(&self.depth),
                &TextureBindings::new(),
                TargetInit::Clear(Default::default()),
            )
            .map_err(|error| anyhow!("vello_gpu: {error:?}"))?;
        queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Measures a list.
    pub fn times(&mut self, scene: &Scene, runs: usize) -> Result<Times> {
        let frame = timed(runs, || {
            self.submit(scene)?;
            self.device.device().poll(wgpu::PollType::wait_indefinitely())?;
            Ok(())
        })?;
        let mut pixels = vec![0; 4 * usize::from(self.size.width) * usize::from(self.size.height)];
        let with_readback = timed(runs, || {
            self.submit(scene)?;
            self.device.copy_texture_to_buffer(&mut pixels);
            Ok(())
        })?;
        Ok(Times { frame, pixels: with_readback })
    }
}
