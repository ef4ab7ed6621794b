//! Records drawing calls as an element stream.
//!
//! A [`Canvas`] accepts the calls of an HTML canvas (`save`, `restore`, `transform`, `clip`, `fill`, `stroke`) and of
//! Vello's `Scene` (`push_layer`, `pop_layer`). It records only the box that each call can touch. It paints nothing, so
//! it has no brushes and no fill rules.
//!
//! # How saves, clips and layers nest
//!
//! | call | opens | closed by |
//! |---|---|---|
//! | [`save`](Canvas::save) | a state | `restore`, or the `pop_layer` of the enclosing layer |
//! | [`clip`](Canvas::clip) | a clip | the `restore` or `pop_layer` that ends its state, or the end of the canvas |
//! | [`push_layer`](Canvas::push_layer) and its variants | a layer and a state | `pop_layer` |
//!
//! A layer is also a save: `pop_layer` closes the clips made inside, drops the saves, and restores the transform. The
//! reverse is an error: `restore` cannot leave a layer ([`CanvasError::LayerOpen`]). Nodes that are open at the end are
//! closed, and the scene's notes list them.
//!
//! # Shadows and filters
//!
//! [`shadow_blur`](Canvas::shadow_blur), [`shadow_offset`](Canvas::shadow_offset) and [`filter`](Canvas::filter) belong
//! to the state, as in HTML, and apply to draws but not to layers. Such a draw is inside a spread node: the draw's own
//! box is the input of the filter, and the node's content is its output. The transform affects neither blur nor offset;
//! lengths are pixels.
//!
//! # Errors
//!
//! Calls can be chained, because none of them returns an error. The canvas stores the first error, ignores all later
//! calls, and returns the error from [`finish`](Canvas::finish).
//!
//! ```
//! use kurbo::{Affine, Circle, Rect, Stroke};
//! use peniko::Mix;
//! use treebounds_core::reference;
//! use treebounds_encoding::canvas::Canvas;
//!
//! let mut canvas = Canvas::new(200.0, 100.0);
//! let lens = Circle::new((50.0, 50.0), 40.0);
//! canvas.label("lens").push_layer(Mix::Multiply, 0.5, Affine::IDENTITY, &lens);
//! canvas.save().rotate(0.5).clip(&Rect::new(0.0, 0.0, 60.0, 60.0));
//! canvas.label("bar").fill(&Rect::new(0.0, 0.0, 200.0, 20.0));
//! canvas.restore().pop_layer();
//! canvas.stroke(&Stroke::new(4.0), &Rect::new(120.0, 20.0, 180.0, 80.0));
//! let scene = canvas.finish()?;
//!
//! let bounds = reference::bounds(&scene.stream);
//! assert_eq!(scene.stream.len(), 6);
//! assert_eq!(scene.origins[2].id.as_deref(), Some("bar"));
//! assert_eq!(bounds.boxes[5].to_array(), [118.0, 18.0, 182.0, 82.0]);
//! # Ok::<(), treebounds_encoding::canvas::CanvasError>(())
//! ```

mod error;
mod record;
#[cfg(test)]
mod tests;

pub use error::{CanvasError, Place};
pub use record::{Canvas, FilterFunction};

use crate::Scene;
use crate::geometry::Extent;
use kurbo::{Affine, Shape, Size, Stroke, Vec2};
use peniko::BlendMode;
use record::{Effects, Node, Scope, outline_extent, shape_extent};
use treebounds_core::{Footprint, NodeKind, NotANumber, Rect, StreamBuilder};

impl Canvas {
    /// Creates an empty canvas of this size in pixels.
    pub fn new(width: f32, height: f32) -> Self {
        Self {
            builder: StreamBuilder::new(Rect::new(0.0, 0.0, width, height)),
            origins: Vec::new(),
            open: Vec::new(),
            scopes: Vec::new(),
            transform: Affine::IDENTITY,
            effects: Effects::NONE,
            label: None,
            things: 0,
            size: [width, height],
            error: None,
        }
    }

    /// Sets the id of the next draw or node, for reports.
    pub fn label(&mut self, id: impl Into<String>) -> &mut Self {
        self.label = Some(id.into());
        self
    }

    /// Fills the shape. The box is the same for every fill rule.
    pub fn fill(&mut self, shape: &impl Shape) -> &mut Self {
        let extent = shape_extent(shape, self.transform);
        self.draw("fill", extent)
    }

    /// Strokes the outline of the shape. A stroke of zero width draws nothing.
    ///
    /// A dashed stroke has the box of the solid stroke, enlarged if the dashes have caps.
    pub fn stroke(&mut self, style: &Stroke, shape: &impl Shape) -> &mut Self {
        let extent = outline_extent(shape, style, self.transform);
        self.draw("stroke", extent)
    }

    /// Draws an image of this size with its corner at the origin. `transform` is applied before the canvas's own
    /// transform.
    pub fn draw_image(&mut self, size: impl Into<Size>, transform: Affine) -> &mut Self {
        let extent = shape_extent(&size.into().to_rect(), self.transform * transform);
        self.draw("image", extent)
    }

    /// Draws a run of glyphs with one box per glyph.
    pub fn draw_glyphs(&mut self, boxes: impl IntoIterator<Item = kurbo::Rect>) -> &mut Self {
        let transform = self.transform;
        let extent = boxes.into_iter().try_fold(Extent::NOTHING, |run, glyph| {
            Ok(run.union(shape_extent(&glyph, transform)?))
        });
        self.draw("glyphs", extent)
    }

    /// Clips all following draws to the shape, until the current state ends.
    pub fn clip(&mut self, shape: &impl Shape) -> &mut Self {
        self.open_node(Node::clip("clip"), shape_extent(shape, self.transform))
    }

    /// Opens a layer: everything drawn until [`pop_layer`](Self::pop_layer) is clipped to the shape and composited as a
    /// group. `transform` and then the canvas's own transform apply to the shape; `transform` does not apply to the
    /// layer's content.
    ///
    /// The layer is a clip and a blend in one node. Even with `Mix::Normal` and an `alpha` of 1, it isolates its
    /// content, unlike [`push_clip_layer`](Self::push_clip_layer). An operator that changes pixels outside its source
    /// (`Clear`, `Copy`, `SrcIn`, `DestIn`, `SrcOut`, `DestAtop`) makes the node non-local. The opacity affects no box;
    /// the parameter exists to match Vello's call.
    pub fn push_layer(
        &mut self,
        blend: impl Into<BlendMode>,
        alpha: f32,
        transform: Affine,
        shape: &impl Shape,
    ) -> &mut Self {
        let _ = alpha;
        let non_local = blend.into().is_destructive();
        let node = Node { source: "layer", kind: NodeKind::ClipBlend, non_local };
        self.open_layer(node, shape_extent(shape, self.transform * transform))
    }

    /// Opens a layer without a shape, equivalent to [`push_layer`](Self::push_layer) with a shape that contains
    /// everything.
    pub fn push_group(&mut self, blend: impl Into<BlendMode>, alpha: f32) -> &mut Self {
        let _ = alpha;
        let non_local = blend.into().is_destructive();
        let node = Node { source: "group", kind: NodeKind::Blend, non_local };
        self.open_layer(node, Ok(Extent::EVERYTHING))
    }

    /// Opens a layer that only clips, like Vello's method of the same name: a [`clip`](Self::clip) that `pop_layer`
    /// closes.
    pub fn push_clip_layer(&mut self, transform: Affine, shape: &impl Shape) -> &mut Self {
        let extent = shape_extent(shape, self.transform * transform);
        self.open_layer(Node::clip("clip"), extent)
    }

    /// Opens a layer whose luminance masks the enclosing layer, like Vello's method of the same name. The layer is
    /// non-local: wherever the mask is empty, the backdrop disappears.
    pub fn push_luminance_mask_layer(
        &mut self,
        alpha: f32,
        transform: Affine,
        shape: &impl Shape,
    ) -> &mut Self {
        let _ = alpha;
        let node = Node { source: "mask", kind: NodeKind::ClipBlend, non_local: true };
        self.open_layer(node, shape_extent(shape, self.transform * transform))
    }

    /// Returns the first error so far.
    pub fn error(&self) -> Option<&CanvasError> {
        self.error.as_ref()
    }

    /// Closes all open nodes and returns the scene, whose notes list these nodes.
    ///
    /// # Errors
    /// Returns the first error of any call.
    pub fn finish(mut self) -> Result<Scene, CanvasError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (stream, closed) = self.builder.finish_closing()?;
        let mut notes = Vec::with_capacity(closed.len());
        for begin in closed {
            let origin = self.origins[begin as usize].clone();
            let place = Place { element: begin, id: origin.id.clone() };
            notes.push(format!(
                "the {} at {place} was open at the end and has been closed",
                origin.source
            ));
            self.origins.push(origin);
        }
        let [width, height] = self.size;
        Ok(Scene { stream, origins: self.origins, notes, width, height })
    }
}

impl Canvas {
    /// Saves the transform, the clips, the shadow and the filter for [`restore`](Self::restore).
    pub fn save(&mut self) -> &mut Self {
        self.push_scope(None)
    }

    /// Restores the transform, shadow and filter of the last [`save`](Self::save), and closes the clips made since. A
    /// save outside the innermost layer cannot be restored.
    pub fn restore(&mut self) -> &mut Self {
        if self.error.is_some() {
            return self;
        }
        let before = self.next_place();
        match self.scopes.last().copied() {
            None => self.fail(CanvasError::NothingSaved { before }),
            Some(Scope { layer: Some(begin), .. }) => {
                let layer = self.place_of(begin);
                self.fail(CanvasError::LayerOpen { before, layer })
            }
            Some(_) => self.leave(self.scopes.len() - 1),
        }
    }

    /// Closes the innermost layer and all clips and saves inside it.
    pub fn pop_layer(&mut self) -> &mut Self {
        if self.error.is_some() {
            return self;
        }
        match self.scopes.iter().rposition(|scope| scope.layer.is_some()) {
            Some(layer) => self.leave(layer),
            None => {
                let before = self.next_place();
                self.fail(CanvasError::NoLayer { before })
            }
        }
    }

    /// Multiplies the current transform by `transform`, which is applied first.
    pub fn transform(&mut self, transform: Affine) -> &mut Self {
        self.set_transform(self.transform * transform)
    }

    /// Replaces the current transform.
    pub fn set_transform(&mut self, transform: Affine) -> &mut Self {
        self.transform = transform;
        self
    }

    /// Sets the shadow blur of the following draws, in pixels: twice the standard deviation. Negative and non-finite
    /// numbers are ignored.
    ///
    /// A draw has a shadow if its blur or its offset is not zero.
    pub fn shadow_blur(&mut self, blur: f64) -> &mut Self {
        if blur >= 0.0 && blur.is_finite() {
            self.effects.shadow_blur = blur;
        }
        self
    }

    /// Sets the shadow offset of the following draws, in pixels. Non-finite numbers are ignored.
    pub fn shadow_offset(&mut self, offset: impl Into<Vec2>) -> &mut Self {
        let offset = offset.into();
        if offset.is_finite() {
            self.effects.shadow_offset = offset;
        }
        self
    }

    /// Applies these filter functions in order to each following draw, before its shadow. An empty list is no filter.
    pub fn filter(&mut self, functions: &[FilterFunction]) -> &mut Self {
        let footprints = functions.iter().map(|function| function.footprint());
        self.effects.filter = footprints.fold(Footprint::IDENTITY, Footprint::then);
        self
    }

    /// Translates all following draws.
    pub fn translate(&mut self, by: impl Into<Vec2>) -> &mut Self {
        self.transform(Affine::translate(by))
    }

    /// Scales all following draws about the origin.
    pub fn scale(&mut self, x: f64, y: f64) -> &mut Self {
        self.transform(Affine::scale_non_uniform(x, y))
    }

    /// Rotates all following draws about the origin, from the x axis towards the y axis.
    pub fn rotate(&mut self, radians: f64) -> &mut Self {
        self.transform(Affine::rotate(radians))
    }

    fn open_layer(&mut self, node: Node, extent: Result<Extent, NotANumber>) -> &mut Self {
        let begin = self.builder.len() as u32;
        self.push_scope(Some(begin)).open_node(node, extent)
    }

    fn push_scope(&mut self, layer: Option<u32>) -> &mut Self {
        let depth = self.builder.depth();
        let Self { transform, effects, .. } = *self;
        self.scopes.push(Scope { transform, effects, depth, layer });
        self
    }

    fn leave(&mut self, index: usize) -> &mut Self {
        let scope = self.scopes.drain(index..).next();
        if let Some(scope) = scope {
            (self.transform, self.effects) = (scope.transform, scope.effects);
            self.close_down_to(scope.depth);
        }
        self
    }
}
