//! What a canvas remembers between calls: transforms, saves and layers.

use super::record::Node;
use super::{Canvas, CanvasError};
use crate::geometry::Extent;
use kurbo::{Affine, Vec2};
use treebounds_core::NotANumber;

/// What to go back to when a save or a layer ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// The transform then.
    transform: Affine,
    /// How many nodes were open then.
    depth: usize,
    /// The begin of the layer; a save has none.
    layer: Option<u32>,
}

impl Canvas {
    /// Remembers the transform and the clips, to go back to with
    /// [`restore`](Self::restore).
    pub fn save(&mut self) -> &mut Self {
        self.push_scope(None)
    }

    /// Goes back to the last [`save`](Self::save): gives back its transform and
    /// closes the clips made since. It does not reach out of a layer.
    pub fn restore(&mut self) -> &mut Self {
        if self.mistake.is_some() {
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

    /// Closes the innermost layer, and the clips and saves made inside.
    pub fn pop_layer(&mut self) -> &mut Self {
        if self.mistake.is_some() {
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

    /// Applies this transform before the one so far, to what follows.
    pub fn transform(&mut self, transform: Affine) -> &mut Self {
        self.set_transform(self.transform * transform)
    }

    /// Replaces the transform of what follows.
    pub fn set_transform(&mut self, transform: Affine) -> &mut Self {
        self.transform = transform;
        self
    }

    /// The transform of what follows.
    pub fn current_transform(&self) -> Affine {
        self.transform
    }

    /// Moves what follows.
    pub fn translate(&mut self, by: impl Into<Vec2>) -> &mut Self {
        self.transform(Affine::translate(by))
    }

    /// Scales what follows, about the origin.
    pub fn scale(&mut self, x: f64, y: f64) -> &mut Self {
        self.transform(Affine::scale_non_uniform(x, y))
    }

    /// Turns what follows about the origin: `radians` from the x axis towards
    /// the y axis.
    pub fn rotate(&mut self, radians: f64) -> &mut Self {
        self.transform(Affine::rotate(radians))
    }

    pub(super) fn open_layer(
        &mut self,
        node: Node,
        extent: Result<Extent, NotANumber>,
    ) -> &mut Self {
        let begin = self.builder.len() as u32;
        self.push_scope(Some(begin)).open(node, extent)
    }

    fn push_scope(&mut self, layer: Option<u32>) -> &mut Self {
        let depth = self.builder.depth();
        self.scopes.push(Scope { transform: self.transform, depth, layer });
        self
    }

    /// Ends this scope and those inside it.
    fn leave(&mut self, index: usize) -> &mut Self {
        let scope = self.scopes.drain(index..).next();
        if let Some(scope) = scope {
            self.transform = scope.transform;
            self.close_down_to(scope.depth);
        }
        self
    }
}
