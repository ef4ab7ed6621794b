//! A canvas takes shapes of any type.

use crate::shapes::{Any, Drawn};
use kurbo::{Affine, Shape, Stroke};
use peniko::BlendMode;
use treebounds_encoding::canvas::Canvas;

/// What a canvas does with a shape, of whatever type.
pub(super) trait On {
    fn fill(&self, canvas: &mut Canvas);
    fn stroke(&self, canvas: &mut Canvas, style: &Stroke);
    fn clip(&self, canvas: &mut Canvas);
    fn layer(&self, canvas: &mut Canvas, blend: BlendMode, by: Affine);
    fn mask(&self, canvas: &mut Canvas, by: Affine);
}

impl<S: Shape> On for S {
    fn fill(&self, canvas: &mut Canvas) {
        canvas.fill(self);
    }
    fn stroke(&self, canvas: &mut Canvas, style: &Stroke) {
        canvas.stroke(style, self);
    }
    fn clip(&self, canvas: &mut Canvas) {
        canvas.clip(self);
    }
    fn layer(&self, canvas: &mut Canvas, blend: BlendMode, by: Affine) {
        canvas.push_layer(blend, 1.0, by, self);
    }
    fn mask(&self, canvas: &mut Canvas, by: Affine) {
        canvas.push_luminance_mask_layer(1.0, by, self);
    }
}

/// Does this with a canvas and the shape.
pub(super) fn with(drawn: &Drawn, canvas: &mut Canvas, work: impl FnOnce(&mut Canvas, &dyn On)) {
    match &drawn.shape {
        Any::Rect(shape) => work(canvas, shape),
        Any::Circle(shape) => work(canvas, shape),
        Any::Line(shape) => work(canvas, shape),
        Any::Rounded(shape) => work(canvas, shape),
        Any::Arc(shape) => work(canvas, shape),
        Any::Path(shape) => work(canvas, shape),
    }
}
