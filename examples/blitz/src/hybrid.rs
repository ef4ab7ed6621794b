//! Display lists into memory by `vello_gpu`, whose AnyRender backend paints into windows alone.

use anyhow::{Context, Result};
use anyrender_vello_hybrid::wgpu::{CommandEncoderDescriptor, TextureFormat, TextureUsages};
use anyrender_vello_hybrid::{ImageManager, VelloHybridScenePainter};
use rustc_hash::FxHashMap;
use vello_common::paint::ImageId;
use vello_gpu::{
    ClearSettings, RenderSettings, RenderSize, RenderTargetConfig, Renderer, Resources, Scene,
    TargetInit, TextureBindings,
};
use wgpu_context::{BufferRenderer, BufferRendererConfig, WGPUContext};

/// A renderer for pictures of one size.
pub struct HybridImageRenderer {
    target: BufferRenderer,
    renderer: Renderer,
    resources: Resources,
    scene: Scene,
    size: [u16; 2],
    /// Pictures that are in the atlas already.
    images: FxHashMap<u64, ImageId>,
}

impl HybridImageRenderer {
    /// A renderer on the best GPU there is, software ones included.
    ///
    /// # Errors
    /// No GPU, or a side of more than 65,535 pixels.
    pub fn new([width, height]: [u32; 2]) -> Result<Self> {
        let size = [u16::try_from(width)?, u16::try_from(height)?];
        let config =
            BufferRendererConfig { width, height, usage: TextureUsages::RENDER_ATTACHMENT };
        let target = pollster::block_on(WGPUContext::new().create_buffer_renderer(config))
            .ok()
            .context("no GPU: install a Vulkan driver, such as Mesa's llvmpipe")?;
        let format = TextureFormat::Rgba8Unorm;
        let config = RenderTargetConfig { format, width: size[0], height: size[1] };
        let settings = RenderSettings::default();
        let scene = Scene::new_with(size[0], size[1], settings.level);
        let (renderer, resources) = Renderer::new_with(target.device(), &config, settings);
        Ok(Self { target, renderer, resources, scene, size, images: FxHashMap::default() })
    }

    /// The picture, RGBA of 8 bits each, premultiplied.
    ///
    /// # Errors
    /// What `vello_gpu` says.
    pub fn render_to_vec(
        &mut self,
        draw: impl FnOnce(&mut VelloHybridScenePainter<'_>),
        pixels: &mut Vec<u8>,
    ) -> Result<()> {
        let (device, queue) = (self.target.device(), self.target.queue());
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        let images = ImageManager::new(
            &mut self.renderer,
            &mut self.resources,
            device,
            queue,
            &mut encoder,
            &mut self.images,
        );
        let mut textures = FxHashMap::default();
        let handle = &self.target.device_handle;
        draw(&mut VelloHybridScenePainter::new(&mut self.scene, images, &mut textures, handle));
        let size = RenderSize { width: self.size[0], height: self.size[1] };
        self.renderer.render(
            &self.scene,
            &mut self.resources,
            device,
            queue,
            &mut encoder,
            &size,
            &self.target.target_texture_view(),
            Some(&Renderer::create_depth_texture_view(device, &size)),
            &TextureBindings::new(),
            TargetInit::Clear(ClearSettings::default()),
        )?;
        queue.submit([encoder.finish()]);
        self.scene.reset();
        pixels.resize(4 * usize::from(size.width) * usize::from(size.height), 0);
        self.target.copy_texture_to_buffer(pixels);
        Ok(())
    }
}
