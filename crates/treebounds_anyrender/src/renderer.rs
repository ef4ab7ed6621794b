//! AnyRender backends over treebounds' pipeline: Vello's shaders with treebounds' clip stage.

use anyrender::{ImageRenderer, RenderContext, WindowHandle, WindowRenderer};
use anyrender_vello::VelloScenePainter;
use peniko::Color;
use std::sync::Arc;
use treebounds::{Gpu, optional_features};
use treebounds_vello::{Frame, Options, Pipeline, Report, wgpu};
use wgpu::{PresentMode, TextureFormat, TextureUsages};
use wgpu_context::{
    DeviceHandle, SurfaceRenderer, SurfaceRendererConfiguration, TextureConfiguration,
};

/// The reason why a renderer cannot render.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RendererError {
    /// No GPU is available.
    #[error(transparent)]
    Gpu(#[from] treebounds::Error),
    /// Building the pipeline or rendering the frame failed.
    #[error(transparent)]
    Pipeline(#[from] treebounds_vello::Error),
    /// The window cannot be rendered to.
    #[error("the window has no surface to render to: {0}")]
    Surface(String),
}

fn painter(scene: &mut vello::Scene) -> VelloScenePainter<'static, '_> {
    VelloScenePainter::new(scene)
}

/// An [`ImageRenderer`] over [`Pipeline`], without limits on the number or depth of layers. Each layer is clipped to
/// its visible part.
///
/// It replaces `VelloImageRenderer`: the same painter, the same shaders, and pixels as unpremultiplied RGBA with 8 bits
/// per channel. Like `VelloImageRenderer`, it skips filters. Unlike `VelloImageRenderer`, it also skips custom textures
/// ([`RenderContext::try_register_custom_resource`]).
///
/// [`ImageRenderer::new`] cannot fail: without a GPU, all pictures are transparent, and [`error`](Self::error) returns
/// the reason. [`TreeboundsImageRenderer::try_new`] fails instead.
pub struct TreeboundsImageRenderer {
    pipeline: Result<Box<Pipeline>, RendererError>,
    frame: Frame,
    scene: vello::Scene,
    outcome: Option<Result<Report, RendererError>>,
}

impl TreeboundsImageRenderer {
    /// Creates a renderer on the best available GPU, including software implementations.
    ///
    /// # Errors
    /// [`RendererError::Gpu`], [`RendererError::Pipeline`].
    pub fn try_new(width: u32, height: u32) -> Result<Self, RendererError> {
        let gpu = pollster::block_on(Gpu::request())?;
        Self::with_gpu(&gpu, width, height, &Options::default())
    }

    /// Creates a renderer on this GPU. `options` selects the clip stage.
    ///
    /// # Errors
    /// [`RendererError::Pipeline`].
    pub fn with_gpu(
        gpu: &Gpu,
        width: u32,
        height: u32,
        options: &Options,
    ) -> Result<Self, RendererError> {
        let pipeline = Pipeline::new(&gpu.device, &gpu.queue, options)?;
        Ok(Self::of(Ok(Box::new(pipeline)), width, height))
    }

    fn of(pipeline: Result<Box<Pipeline>, RendererError>, width: u32, height: u32) -> Self {
        let frame = Frame::new(width, height);
        Self { pipeline, frame, scene: vello::Scene::new(), outcome: None }
    }

    /// Returns the reason why the last picture could not be rendered and is transparent; `None` if it was rendered.
    pub fn error(&self) -> Option<&RendererError> {
        let last = self.outcome.as_ref().and_then(|outcome| outcome.as_ref().err());
        self.pipeline.as_ref().err().or(last)
    }

    /// Returns the report of the last picture.
    pub fn report(&self) -> Option<&Report> {
        self.outcome.as_ref()?.as_ref().ok()
    }
}

impl RenderContext for TreeboundsImageRenderer {}

impl ImageRenderer for TreeboundsImageRenderer {
    type ScenePainter<'a>
        = VelloScenePainter<'static, 'a>
    where
        Self: 'a;

    fn new(width: u32, height: u32) -> Self {
        Self::try_new(width, height).unwrap_or_else(|error| Self::of(Err(error), width, height))
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.frame.width, self.frame.height) = (width, height);
    }

    fn reset(&mut self) {
        self.scene.reset();
    }

    fn render_to_vec<F: FnOnce(&mut Self::ScenePainter<'_>)>(
        &mut self,
        draw_fn: F,
        vec: &mut Vec<u8>,
    ) {
        vec.resize(4 * self.frame.width as usize * self.frame.height as usize, 0);
        self.render(draw_fn, vec);
    }

    /// If `buffer` is too short, writes only the pixels that fit.
    fn render<F: FnOnce(&mut Self::ScenePainter<'_>)>(&mut self, draw_fn: F, buffer: &mut [u8]) {
        draw_fn(&mut painter(&mut self.scene));
        if let Ok(pipeline) = &mut self.pipeline {
            let rendered = pipeline.render_to_slice(self.scene.encoding(), &self.frame, buffer);
            self.outcome = Some(rendered.map_err(RendererError::from));
        }
        if self.error().is_some() {
            buffer.fill(0);
        }
        self.scene.reset();
    }
}

/// A [`WindowRenderer`] over [`Pipeline`], without limits on the number or depth of layers. Each layer is clipped to
/// its visible part.
///
/// It replaces `VelloWindowRenderer`. If opening the window or rendering a frame fails, the window keeps its last
/// picture, and [`error`](Self::error) returns the reason.
pub struct TreeboundsWindowRenderer {
    /// Dropped before the window.
    active: Option<Active>,
    window: Option<Arc<dyn WindowHandle>>,
    instance: wgpu::Instance,
    scene: vello::Scene,
    base_color: Color,
    outcome: Option<Result<Report, RendererError>>,
}

struct Active {
    pipeline: Box<Pipeline>,
    surface: SurfaceRenderer<'static>,
}

impl Default for TreeboundsWindowRenderer {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeboundsWindowRenderer {
    /// Creates a renderer with a white background. [`WindowRenderer::resume`] provides the window.
    pub fn new() -> Self {
        Self::with_base_color(Color::WHITE)
    }

    /// Creates a renderer with this background colour.
    pub fn with_base_color(base_color: Color) -> Self {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        Self {
            active: None,
            window: None,
            instance: wgpu::Instance::new(descriptor.with_env()),
            scene: vello::Scene::new(),
            base_color,
            outcome: None,
        }
    }

    /// Returns the reason why the window could not be opened or the last frame not rendered.
    pub fn error(&self) -> Option<&RendererError> {
        self.outcome.as_ref()?.as_ref().err()
    }

    /// Returns the report of the last frame.
    pub fn report(&self) -> Option<&Report> {
        self.outcome.as_ref()?.as_ref().ok()
    }

    async fn open(
        instance: wgpu::Instance,
        window: Arc<dyn WindowHandle>,
        [width, height]: [u32; 2],
    ) -> Result<Active, RendererError> {
        let failed = |error: &dyn std::fmt::Display| RendererError::Surface(error.to_string());
        let surface = instance.create_surface(window).map_err(|error| failed(&error))?;
        let wanted = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = instance.request_adapter(&wanted).await.map_err(|error| failed(&error))?;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("treebounds"),
                required_features: adapter.features() & optional_features(),
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await
            .map_err(|error| failed(&error))?;
        let pipeline = Box::new(Pipeline::new(&device, &queue, &Options::default())?);
        let surface = SurfaceRenderer::new(
            surface,
            SurfaceRendererConfiguration {
                usage: TextureUsages::RENDER_ATTACHMENT,
                formats: vec![TextureFormat::Rgba8Unorm, TextureFormat::Bgra8Unorm],
                width: width.max(1),
                height: height.max(1),
                present_mode: PresentMode::AutoVsync,
                desired_maximum_frame_latency: 1,
                alpha_mode: wgpu::CompositeAlphaMode::Auto,
                view_formats: vec![],
            },
            Some(TextureConfiguration {
                usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING,
                format: TextureFormat::Rgba8Unorm,
                alpha_conversion: None,
            }),
            DeviceHandle { instance, adapter, device, queue },
        )
        .map_err(|error| failed(&error))?;
        Ok(Active { pipeline, surface })
    }
}

impl Active {
    /// Renders and presents a frame. Does nothing if the window currently has no texture to render to.
    fn show(
        &mut self,
        scene: &vello::Scene,
        base_color: Color,
    ) -> Option<Result<Report, RendererError>> {
        let Ok(target) = self.surface.target_texture_view() else {
            self.surface.clear_surface_texture();
            return None;
        };
        let (width, height) = (self.surface.config.width, self.surface.config.height);
        let frame = Frame { base_color, ..Frame::new(width, height) };
        let rendered = self.pipeline.render_to_texture(scene.encoding(), &frame, &target);
        drop(target);
        if rendered.is_ok() && self.surface.maybe_blit_and_present().is_err() {
            return None;
        }
        Some(rendered.map_err(RendererError::from))
    }
}

impl RenderContext for TreeboundsWindowRenderer {}

impl WindowRenderer for TreeboundsWindowRenderer {
    type ScenePainter<'a>
        = VelloScenePainter<'static, 'a>
    where
        Self: 'a;

    fn resume<F: FnOnce() + 'static>(
        &mut self,
        window: Arc<dyn WindowHandle>,
        width: u32,
        height: u32,
        on_ready: F,
    ) {
        if self.active.is_some() {
            return;
        }
        self.window = Some(window.clone());
        match pollster::block_on(Self::open(self.instance.clone(), window, [width, height])) {
            Ok(active) => {
                self.active = Some(active);
                self.outcome = None;
            }
            Err(error) => self.outcome = Some(Err(error)),
        }
        on_ready();
    }

    fn complete_resume(&mut self) -> bool {
        self.is_active()
    }

    fn suspend(&mut self) {
        self.active = None;
        self.window = None;
    }

    fn is_active(&self) -> bool {
        self.active.is_some()
    }

    fn set_size(&mut self, width: u32, height: u32) {
        if let Some(active) = &mut self.active {
            active.surface.resize(width.max(1), height.max(1));
        }
    }

    fn render<F: FnOnce(&mut Self::ScenePainter<'_>)>(&mut self, draw_fn: F) {
        let Some(active) = &mut self.active else { return };
        draw_fn(&mut painter(&mut self.scene));
        let shown = active.show(&self.scene, self.base_color);
        self.outcome = shown.or(self.outcome.take());
        self.scene.reset();
    }
}
