//! Display lists into memory.

use super::{Frame, Options, Pipeline, RendererError, painter};
use anyrender::{ImageRenderer, RenderContext};
use anyrender_vello::VelloScenePainter;
use treebounds::Gpu;
use treebounds_vello::Report;

/// An [`ImageRenderer`] over [`Pipeline`]: any number of layers, any depth, each cut to what is visible in it.
///
/// It replaces `VelloImageRenderer`: the same painter, the same shaders, and pixels as unpremultiplied RGBA with 8 bits per channel.
/// Like `VelloImageRenderer` it skips filters; unlike it, it also skips custom textures
/// ([`RenderContext::try_register_custom_resource`]).
///
/// [`ImageRenderer::new`] cannot fail. Without a GPU it makes a renderer of transparent pictures, and [`error`](Self::error)
/// returns the reason; [`TreeboundsImageRenderer::try_new`] fails instead.
pub struct TreeboundsImageRenderer {
    pipeline: Result<Box<Pipeline>, RendererError>,
    frame: Frame,
    scene: vello::Scene,
    outcome: Option<Result<Report, RendererError>>,
}

impl TreeboundsImageRenderer {
    /// A renderer on the best GPU there is, software ones included.
    ///
    /// # Errors
    /// [`RendererError::Gpu`], [`RendererError::Pipeline`].
    pub fn try_new(width: u32, height: u32) -> Result<Self, RendererError> {
        let gpu = pollster::block_on(Gpu::request())?;
        Self::with_gpu(&gpu, width, height, &Options::default())
    }

    /// A renderer on this GPU, with either clip stage.
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

    /// Why the last picture is transparent, if it was not rendered.
    pub fn error(&self) -> Option<&RendererError> {
        let last = self.outcome.as_ref().and_then(|outcome| outcome.as_ref().err());
        self.pipeline.as_ref().err().or(last)
    }

    /// What the last picture took.
    pub fn report(&self) -> Option<&Report> {
        self.outcome.as_ref()?.as_ref().ok()
    }

    fn pixels(&mut self) -> Option<Vec<u8>> {
        let pipeline = self.pipeline.as_mut().ok()?;
        let rendered = pipeline.render_to_pixels(self.scene.encoding(), &self.frame);
        let (pixels, outcome) = match rendered {
            Ok((pixels, report)) => (Some(pixels), Ok(report)),
            Err(error) => (None, Err(error.into())),
        };
        self.outcome = Some(outcome);
        pixels
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
        let bytes = 4 * self.frame.width as usize * self.frame.height as usize;
        draw_fn(&mut painter(&mut self.scene));
        *vec = self.pixels().unwrap_or_else(|| vec![0; bytes]);
        self.scene.reset();
    }

    /// A buffer that is too short gets the rows that it has room for.
    fn render<F: FnOnce(&mut Self::ScenePainter<'_>)>(&mut self, draw_fn: F, buffer: &mut [u8]) {
        let mut pixels = Vec::new();
        self.render_to_vec(draw_fn, &mut pixels);
        let len = buffer.len().min(pixels.len());
        buffer[..len].copy_from_slice(&pixels[..len]);
    }
}
