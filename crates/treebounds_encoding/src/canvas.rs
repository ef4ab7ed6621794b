//! Drawing calls as an element stream.
//!
//! A [`Canvas`] takes the calls of an HTML canvas (`save`, `restore`,
//! `transform`, `clip`, `fill`, `stroke`) and of Vello's `Scene` (`push_layer`,
//! `pop_layer`) and keeps what bounds need: which box each call can touch. It
//! paints nothing, so brushes and fill rules do not appear.
//!
//! # How saves, clips and layers nest
//!
//! | call | opens | is closed by |
//! |---|---|---|
//! | [`save`](Canvas::save) | a state | `restore`; or the `pop_layer` of the layer it is in |
//! | [`clip`](Canvas::clip) | a clip | the `restore` or `pop_layer` that ends its state; or the end |
//! | [`push_layer`](Canvas::push_layer) and its kin | a layer and a state | `pop_layer` |
//!
//! So a layer is also a save: `pop_layer` closes the clips and drops the saves
//! made inside, and gives back the transform. The reverse is a mistake:
//! `restore` does not reach out of a layer ([`CanvasError::LayerOpen`]). What is
//! open at the end is closed, and named in the scene's notes.
//!
//! # Mistakes
//!
//! Calls can be chained, because none of them returns an error. The canvas keeps
//! the first mistake, ignores all calls after it, and reports it from
//! [`finish`](Canvas::finish).
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
mod state;
#[cfg(test)]
mod tests;

pub use error::{CanvasError, Place};

use crate::geometry::Extent;
use kurbo::{Affine, Shape, Size, Stroke};
use peniko::BlendMode;
use record::{Node, outline_extent, shape_extent};
use state::Scope;
use treebounds_core::{NodeKind, Rect, StreamBuilder};
use treebounds_report::{Origin, Scene};

/// Builds a [`Scene`] from drawing calls; the [module](self) says how they nest.
#[derive(Clone, Debug)]
pub struct Canvas {
    builder: StreamBuilder,
    origins: Vec<Origin>,
    /// The begins that are open, outermost first.
    open: Vec<u32>,
    /// The saves and layers that are open, outermost first.
    scopes: Vec<Scope>,
    transform: Affine,
    label: Option<String>,
    /// How many things were drawn or opened.
    things: u32,
    size: [f32; 2],
    mistake: Option<CanvasError>,
}

impl Canvas {
    /// An empty canvas, this many pixels wide and high.
    pub fn new(width: f32, height: f32) -> Self {
        Self {
            builder: StreamBuilder::new(Rect::new(0.0, 0.0, width, height)),
            origins: Vec::new(),
            open: Vec::new(),
            scopes: Vec::new(),
            transform: Affine::IDENTITY,
            label: None,
            things: 0,
            size: [width, height],
            mistake: None,
        }
    }

    /// Names the next thing drawn or opened: reports call it so.
    pub fn label(&mut self, id: impl Into<String>) -> &mut Self {
        self.label = Some(id.into());
        self
    }

    /// Fills the shape. The rule by which it is filled does not change its box.
    pub fn fill(&mut self, shape: &impl Shape) -> &mut Self {
        let extent = shape_extent(shape, self.transform);
        self.draw("fill", extent)
    }

    /// Strokes the outline of the shape. A stroke without width draws nothing.
    ///
    /// The box of a dashed stroke is that of the unbroken one, wider where the
    /// dashes have caps.
    pub fn stroke(&mut self, style: &Stroke, shape: &impl Shape) -> &mut Self {
        let extent = outline_extent(shape, style, self.transform);
        self.draw("stroke", extent)
    }

    /// Draws an image of this size, from the origin of the transform on: the
    /// canvas's own transform, after this one.
    pub fn draw_image(&mut self, size: impl Into<Size>, transform: Affine) -> &mut Self {
        let extent = shape_extent(&size.into().to_rect(), self.transform * transform);
        self.draw("image", extent)
    }

    /// Draws a run of glyphs, given the box of each.
    pub fn draw_glyphs(&mut self, boxes: impl IntoIterator<Item = kurbo::Rect>) -> &mut Self {
        let transform = self.transform;
        let extent = boxes.into_iter().try_fold(Extent::EMPTY, |mut run, glyph| {
            run.union(shape_extent(&glyph, transform)?);
            Ok(run)
        });
        self.draw("glyphs", extent)
    }

    /// Cuts what is drawn from here on to the shape, until the state in which it
    /// was made ends.
    pub fn clip(&mut self, shape: &impl Shape) -> &mut Self {
        self.open(Node::clip("clip"), shape_extent(shape, self.transform))
    }

    /// Opens a layer: what is drawn until [`pop_layer`](Self::pop_layer) is cut
    /// to the shape and composited as one. The shape is seen through the
    /// canvas's own transform, after this one; what is inside does not see this
    /// one.
    ///
    /// It is clip and blend in one node, also where the blend mode is the plain
    /// one and `alpha` is 1: it still isolates what is inside, which
    /// [`push_clip_layer`](Self::push_clip_layer) does not. An operator that
    /// changes pixels outside its source (`Clear`, `Copy`, `SrcIn`, `DestIn`,
    /// `SrcOut`, `DestAtop`) makes the node non-local. The opacity changes no
    /// box; it is here so that calls read as Vello's do.
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

    /// Opens a layer without a shape of its own: as [`push_layer`](Self::push_layer)
    /// with a shape that holds everything.
    pub fn push_group(&mut self, blend: impl Into<BlendMode>, alpha: f32) -> &mut Self {
        let _ = alpha;
        let non_local = blend.into().is_destructive();
        let node = Node { source: "group", kind: NodeKind::Blend, non_local };
        self.open_layer(node, Ok(Extent::EVERYTHING))
    }

    /// Opens a layer that only clips, as Vello's of the same name: a
    /// [`clip`](Self::clip) that `pop_layer` closes.
    pub fn push_clip_layer(&mut self, transform: Affine, shape: &impl Shape) -> &mut Self {
        let extent = shape_extent(shape, self.transform * transform);
        self.open_layer(Node::clip("clip"), extent)
    }

    /// Opens a layer whose luminance masks what is already drawn in the layer
    /// around it, as Vello's of the same name. It is non-local: where nothing is
    /// drawn inside, what is behind disappears.
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

    /// The first mistake made so far.
    pub fn mistake(&self) -> Option<&CanvasError> {
        self.mistake.as_ref()
    }

    /// The finished scene. What is open is closed, and named in its notes.
    ///
    /// # Errors
    /// The first mistake made, if any.
    pub fn finish(mut self) -> Result<Scene, CanvasError> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        let (stream, closed) = self.builder.finish_closing()?;
        let mut notes = Vec::with_capacity(closed.len());
        for begin in closed {
            let origin = self.origins[begin as usize].clone();
            let place = Place { element: begin, id: origin.id.clone() };
            notes.push(format!("the {} at {place} was open at the end: closed", origin.source));
            self.origins.push(origin);
        }
        let [width, height] = self.size;
        Ok(Scene { stream, origins: self.origins, notes, width, height })
    }
}
