//! A painter that optimizes its commands.

use crate::{Error, Options, Report, Workspace};
use anyrender::recording::{RenderCommand, Scene};
use anyrender::{
    Filter, Glyph, NormalizedCoord, Paint, PaintRef, PaintScene, RegisterResourceError,
    RenderContext, ResourceId,
};
use kurbo::{Affine, Rect, Shape, Stroke};
use peniko::{BlendMode, Color, Fill, FontData, StyleRef};
use std::any::Any;
use std::sync::Arc;

/// A [`PaintScene`] that records commands, optimizes them, and paints them into another one in [`Optimizer::finish`].
///
/// Renderer-specific paint ([`Paint::Custom`]) cannot be recorded and ends the recording: all commands before and after
/// are painted unchanged.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill};
/// use treebounds_anyrender::{Optimizer, Options, Workspace};
/// let (mut renderer, mut workspace) = (Scene::new(), Workspace::new()); // any PaintScene; kept from frame to frame
/// let window = Rect::new(0.0, 0.0, 640.0, 480.0);
/// let mut scene = Optimizer::new(&mut renderer, &mut workspace, window, Options::EXACT);
/// scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &window);
/// scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &window);
/// scene.pop_layer();
/// let report = scene.finish()?;
/// assert_eq!((report.before.commands, renderer.commands.len()), (3, 1));
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
#[must_use = "nothing is painted before `finish`"]
pub struct Optimizer<'a, P: PaintScene> {
    painter: &'a mut P,
    workspace: &'a mut Workspace,
    recording: Scene,
    viewport: Rect,
    options: Options,
    /// Whether an unrecordable command has ended the recording. All later commands go straight to the painter.
    passes_through: bool,
}

impl<'a, P: PaintScene> Optimizer<'a, P> {
    /// Records for `painter`. The viewport is the visible part of its picture, in device pixels.
    pub fn new(
        painter: &'a mut P,
        workspace: &'a mut Workspace,
        viewport: Rect,
        options: Options,
    ) -> Self {
        let recording = workspace.take_recording(viewport, &options);
        Self { painter, workspace, recording, viewport, options, passes_through: false }
    }

    /// Paints the recorded commands, optimized. The report is all zeros if a custom paint ended the recording.
    ///
    /// # Errors
    /// [`Error`]; the painter then receives the commands unchanged.
    pub fn finish(mut self) -> Result<Report, Error> {
        if self.passes_through {
            return Ok(Report::default());
        }
        let commands = &mut self.recording.commands;
        let result = self.workspace.plan(commands, self.viewport, &self.options);
        match result {
            Ok(_) => replay_kept(&self.recording, self.workspace.kept(), self.painter),
            Err(_) => replay(&self.recording, self.painter),
        }
        self.workspace.give_recording(self.recording);
        result
    }

    fn pass_through(&mut self) {
        if !self.passes_through {
            self.passes_through = true;
            replay(&self.recording, self.painter);
            self.recording.commands.clear();
        }
    }

    /// Measures the latest command, while it is in the cache.
    fn measure(&mut self) {
        self.workspace.measure.catch_up(&self.recording.commands);
    }
}

impl<P: PaintScene> RenderContext for Optimizer<'_, P> {
    fn try_register_custom_resource(
        &mut self,
        resource: Box<dyn Any>,
    ) -> Result<ResourceId, RegisterResourceError> {
        self.painter.try_register_custom_resource(resource)
    }

    fn unregister_resource(&mut self, resource_id: ResourceId) {
        self.painter.unregister_resource(resource_id);
    }

    fn renderer_specific_context(&self) -> Option<Box<dyn Any>> {
        self.painter.renderer_specific_context()
    }
}

/// Calls a method of the recording or, once the recording has ended, of the painter.
macro_rules! forward {
    ($self:ident . $method:ident ( $($argument:expr),* )) => {
        if $self.passes_through {
            $self.painter.$method($($argument),*);
        } else {
            $self.recording.$method($($argument),*);
            $self.measure();
        }
    };
}

impl<P: PaintScene> PaintScene for Optimizer<'_, P> {
    fn reset(&mut self) {
        self.recording.reset();
        self.workspace.measure.restart();
        self.painter.reset();
        self.passes_through = false;
    }

    fn push_layer(
        &mut self,
        fill: Fill,
        blend: impl Into<BlendMode>,
        alpha: f32,
        transform: Affine,
        clip: &impl Shape,
        filter: Option<Arc<Filter>>,
        backdrop_filter: Option<Arc<Filter>>,
    ) {
        forward!(self.push_layer(fill, blend, alpha, transform, clip, filter, backdrop_filter));
    }

    fn push_clip_layer(&mut self, fill: Fill, transform: Affine, clip: &impl Shape) {
        forward!(self.push_clip_layer(fill, transform, clip));
    }

    fn pop_layer(&mut self) {
        forward!(self.pop_layer());
    }

    fn stroke<'a>(
        &mut self,
        style: &Stroke,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        let brush = brush.into();
        if matches!(brush, Paint::Custom(_)) {
            self.pass_through();
        }
        forward!(self.stroke(style, transform, brush, brush_transform, shape));
    }

    fn fill<'a>(
        &mut self,
        style: Fill,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        let brush = brush.into();
        if matches!(brush, Paint::Custom(_)) {
            self.pass_through();
        }
        forward!(self.fill(style, transform, brush, brush_transform, shape));
    }

    fn draw_glyphs<'a, 's: 'a>(
        &'s mut self,
        font: &'a FontData,
        font_size: f32,
        hint: bool,
        normalized_coords: &'a [NormalizedCoord],
        embolden: kurbo::Vec2,
        style: impl Into<StyleRef<'a>>,
        brush: impl Into<PaintRef<'a>>,
        brush_alpha: f32,
        transform: Affine,
        glyph_transform: Option<Affine>,
        glyphs: impl Iterator<Item = Glyph> + Clone,
    ) {
        let (style, brush) = (style.into(), brush.into());
        if matches!(brush, Paint::Custom(_)) {
            self.pass_through();
        }
        forward!(self.draw_glyphs(
            font,
            font_size,
            hint,
            normalized_coords,
            embolden,
            style,
            brush,
            brush_alpha,
            transform,
            glyph_transform,
            glyphs
        ));
    }

    fn draw_box_shadow(
        &mut self,
        transform: Affine,
        rect: Rect,
        brush: Color,
        radius: f64,
        std_dev: f64,
    ) {
        forward!(self.draw_box_shadow(transform, rect, brush, radius, std_dev));
    }

    fn append_scene(&mut self, scene: Scene, scene_transform: Affine) {
        let has_custom = scene.commands.iter().any(has_custom_paint);
        if has_custom {
            self.pass_through();
        }
        forward!(self.append_scene(scene, scene_transform));
    }
}

fn has_custom_paint(command: &RenderCommand) -> bool {
    let brush = match command {
        RenderCommand::Fill(fill) => &fill.brush,
        RenderCommand::Stroke(stroke) => &stroke.brush,
        RenderCommand::GlyphRun(run) => &run.brush,
        _ => return false,
    };
    matches!(brush, Paint::Custom(_))
}

/// Paints the commands of a recording, without changing it.
pub fn replay(scene: &Scene, painter: &mut impl PaintScene) {
    scene.commands.iter().for_each(|command| paint(command, painter));
}

/// Paints the remaining commands.
pub(crate) fn replay_kept(
    scene: &Scene,
    kept: impl Iterator<Item = bool>,
    painter: &mut impl PaintScene,
) {
    let kept = scene.commands.iter().zip(kept).filter(|(_, kept)| *kept);
    kept.for_each(|(command, _)| paint(command, painter));
}

fn paint(command: &RenderCommand, painter: &mut impl PaintScene) {
    match command {
        RenderCommand::PushLayer(layer) => painter.push_layer(
            layer.fill,
            layer.blend,
            layer.alpha,
            layer.transform,
            &layer.clip,
            layer.filter.clone(),
            layer.backdrop_filter.clone(),
        ),
        RenderCommand::PushClipLayer(clip) => {
            painter.push_clip_layer(clip.fill, clip.transform, &clip.clip);
        }
        RenderCommand::PopLayer => painter.pop_layer(),
        RenderCommand::Stroke(stroke) => painter.stroke(
            &stroke.style,
            stroke.transform,
            &stroke.brush,
            stroke.brush_transform,
            &stroke.shape,
        ),
        RenderCommand::Fill(fill) => {
            painter.fill(fill.fill, fill.transform, &fill.brush, fill.brush_transform, &fill.shape);
        }
        RenderCommand::GlyphRun(run) => painter.draw_glyphs(
            &run.font_data,
            run.font_size,
            run.hint,
            &run.normalized_coords,
            run.embolden,
            &run.style,
            &run.brush,
            run.brush_alpha,
            run.transform,
            run.glyph_transform,
            run.glyphs.iter().copied(),
        ),
        RenderCommand::BoxShadow(shadow) => painter.draw_box_shadow(
            shadow.transform,
            shadow.rect,
            shadow.brush,
            shadow.radius,
            shadow.std_dev,
        ),
    }
}
