//! A painter that only records calls, including custom paints, which a recording cannot store.

use anyrender::{Filter, Glyph, NormalizedCoord, Paint, PaintRef, PaintScene, RenderContext};
use kurbo::{Affine, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, Color, Fill, FontData, StyleRef};
use std::sync::Arc;

/// The number of commands since the last reset, and those with a custom paint.
#[derive(Default)]
pub struct Spy {
    pub commands: usize,
    /// The indices of commands with a custom paint, and that paint's number.
    pub customs: Vec<(usize, u32)>,
    pub resets: usize,
}

impl Spy {
    fn note(&mut self, brush: PaintRef<'_>) {
        if let Paint::Custom(custom) = brush {
            let number = custom.downcast_ref::<u32>().copied().unwrap();
            self.customs.push((self.commands, number));
        }
        self.commands += 1;
    }
}

impl RenderContext for Spy {}

impl PaintScene for Spy {
    fn reset(&mut self) {
        *self = Self { resets: self.resets + 1, ..Self::default() };
    }

    fn push_layer(
        &mut self,
        _: Fill,
        _: impl Into<BlendMode>,
        _: f32,
        _: Affine,
        _: &impl Shape,
        _: Option<Arc<Filter>>,
        _: Option<Arc<Filter>>,
    ) {
        self.commands += 1;
    }

    fn push_clip_layer(&mut self, _: Fill, _: Affine, _: &impl Shape) {
        self.commands += 1;
    }

    fn pop_layer(&mut self) {
        self.commands += 1;
    }

    fn stroke<'a>(
        &mut self,
        _: &Stroke,
        _: Affine,
        brush: impl Into<PaintRef<'a>>,
        _: Option<Affine>,
        _: &impl Shape,
    ) {
        self.note(brush.into());
    }

    fn fill<'a>(
        &mut self,
        _: Fill,
        _: Affine,
        brush: impl Into<PaintRef<'a>>,
        _: Option<Affine>,
        _: &impl Shape,
    ) {
        self.note(brush.into());
    }

    fn draw_glyphs<'a, 's: 'a>(
        &'s mut self,
        _: &'a FontData,
        _: f32,
        _: bool,
        _: &'a [NormalizedCoord],
        _: Vec2,
        _: impl Into<StyleRef<'a>>,
        brush: impl Into<PaintRef<'a>>,
        _: f32,
        _: Affine,
        _: Option<Affine>,
        _: impl Iterator<Item = Glyph> + Clone,
    ) {
        self.note(brush.into());
    }

    fn draw_box_shadow(&mut self, _: Affine, _: Rect, _: Color, _: f64, _: f64) {
        self.commands += 1;
    }
}
