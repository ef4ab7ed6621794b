//! A painter that records, and keeps apart what a recording cannot hold.

use anyrender::recording::Scene;
use anyrender::{Filter, Glyph, NormalizedCoord, Paint, PaintRef, PaintScene, RenderContext};
use kurbo::{Affine, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, Color, Fill, FontData, StyleRef};
use std::sync::Arc;

/// What it was told to paint. A custom paint leaves its place in the recording transparent.
#[derive(Default)]
pub struct Spy {
    pub scene: Scene,
    /// The indices of commands with a custom paint, and that paint, a number.
    pub customs: Vec<(usize, u32)>,
    pub resets: usize,
}

impl Spy {
    fn look(&mut self, brush: &PaintRef<'_>) {
        if let Paint::Custom(custom) = brush {
            let number = custom.downcast_ref::<u32>().copied().unwrap();
            self.customs.push((self.scene.commands.len(), number));
        }
    }
}

impl RenderContext for Spy {}

impl PaintScene for Spy {
    fn reset(&mut self) {
        self.scene.reset();
        self.customs.clear();
        self.resets += 1;
    }

    fn push_layer(
        &mut self,
        fill: Fill,
        blend: impl Into<BlendMode>,
        alpha: f32,
        transform: Affine,
        clip: &impl Shape,
        filter: Option<Arc<Filter>>,
        backdrop: Option<Arc<Filter>>,
    ) {
        self.scene.push_layer(fill, blend, alpha, transform, clip, filter, backdrop);
    }

    fn push_clip_layer(&mut self, fill: Fill, transform: Affine, clip: &impl Shape) {
        self.scene.push_clip_layer(fill, transform, clip);
    }

    fn pop_layer(&mut self) {
        self.scene.pop_layer();
    }

    fn stroke<'a>(
        &mut self,
        style: &Stroke,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        second: Option<Affine>,
        shape: &impl Shape,
    ) {
        let brush = brush.into();
        self.look(&brush);
        self.scene.stroke(style, transform, brush, second, shape);
    }

    fn fill<'a>(
        &mut self,
        style: Fill,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        second: Option<Affine>,
        shape: &impl Shape,
    ) {
        let brush = brush.into();
        self.look(&brush);
        self.scene.fill(style, transform, brush, second, shape);
    }

    fn draw_glyphs<'a, 's: 'a>(
        &'s mut self,
        font: &'a FontData,
        size: f32,
        hint: bool,
        coords: &'a [NormalizedCoord],
        embolden: Vec2,
        style: impl Into<StyleRef<'a>>,
        brush: impl Into<PaintRef<'a>>,
        alpha: f32,
        transform: Affine,
        second: Option<Affine>,
        glyphs: impl Iterator<Item = Glyph> + Clone,
    ) {
        let brush = brush.into();
        self.look(&brush);
        self.scene.draw_glyphs(
            font, size, hint, coords, embolden, style, brush, alpha, transform, second, glyphs,
        );
    }

    fn draw_box_shadow(
        &mut self,
        transform: Affine,
        rect: Rect,
        brush: Color,
        radius: f64,
        deviation: f64,
    ) {
        self.scene.draw_box_shadow(transform, rect, brush, radius, deviation);
    }
}
