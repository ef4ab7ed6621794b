//! The properties of each command and each layer of a list.

use crate::bounds::pixels::Pixels;
use kurbo::Rect;
use treebounds_core::Footprint;

/// The parent of a top-level layer.
pub(crate) const ROOT: u32 = u32::MAX;

/// The role of a command in the tree of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Draw,
    Push,
    Pop,
}

/// The properties of a command. Items are small: the rules read only items, and access commands only to change
/// them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Item {
    /// The pixels that a draw touches, ignoring clips. Limited to the viewport, or to what the enclosing filters
    /// read to fill it.
    pub(crate) own: Pixels,
    /// The pixels that an opaque draw covers completely inside the viewport.
    pub(crate) covered: Pixels,
    /// For a draw, the layer around it; for a push or a pop, its own layer.
    pub(crate) layer: u32,
    pub(crate) role: Role,
    /// Whether the command remains in the list.
    pub(crate) kept: bool,
    /// Whether the draw hides everything that it covers.
    pub(crate) is_opaque: bool,
    pub(crate) is_transparent: bool,
    /// Whether the brush has a single alpha for the whole draw.
    pub(crate) has_alpha: bool,
}

impl Item {
    #[inline]
    pub(crate) fn new(role: Role, layer: u32) -> Self {
        Self { layer, role, kept: true, ..Self::default() }
    }
}

/// The effect of a layer on its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Only clips.
    #[default]
    Plain,
    /// Multiplies the alpha.
    Opacity,
    /// Has another blend mode that changes only pixels covered by the content.
    Local,
    /// Changes pixels outside its content.
    NonLocal,
    /// Moves or spreads pixels, or reads the pixels behind the layer.
    Filter,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layer {
    pub(crate) push: usize,
    pub(crate) pop: usize,
    /// The parent layer, or [`ROOT`].
    pub(crate) parent: u32,
    pub(crate) kind: Kind,
    /// Whether the layer was pushed with `push_clip_layer` and only clips.
    pub(crate) is_clip: bool,
    /// Whether a backdrop filter inside reads pixels of this layer.
    pub(crate) is_read: bool,
    /// Whether the blend mode changes pixels outside the content. Independent of the kind.
    pub(crate) is_destructive: bool,
    /// Whether the alpha was moved to the draws.
    pub(crate) is_folded: bool,
    /// The alpha of a [`Kind::Opacity`].
    pub(crate) alpha: f32,
    /// Whether the layer itself, not only a nested one, reads the pixels behind it.
    pub(crate) reads_backdrop: bool,
    /// Whether the content must not change, because the filter may depend on all of it.
    pub(crate) is_rigid: bool,
    /// The footprint of the filter's input. The clip applies to the filter's result.
    pub(crate) footprint: Option<Footprint>,
    /// The pixels of the surrounding view that the clip touches.
    pub(crate) clip: Pixels,
    /// The clip as recorded, in device space, if it is a rectangle.
    pub(crate) rect: Option<Rect>,
    /// The area in which the content can be visible.
    pub(crate) window: Pixels,
    /// The area that the enclosing filters read to fill the viewport, ignoring clips.
    pub(crate) view: Pixels,
}

impl Layer {
    #[inline]
    pub(crate) fn new(push: usize, parent: u32) -> Self {
        Self { push, pop: push, parent, alpha: 1.0, ..Self::default() }
    }

    /// The area in which the content can be visible. `around` is the visible area around the layer.
    #[inline]
    pub(crate) fn window_inside(&self, around: Pixels) -> Pixels {
        match self.footprint {
            None if self.is_read => around,
            None => around.intersect(self.clip),
            // A backdrop filter inside may read more than the filter shows.
            Some(_) if self.is_read => Pixels::EVERYTHING,
            Some(footprint) => around.intersect(self.clip).reverse_bounds(footprint),
        }
    }

    /// Returns the pixels that the layer paints for this content, before clipping.
    pub(crate) fn painted(&self, content: Pixels) -> Pixels {
        match self.footprint {
            _ if self.reads_backdrop || self.is_rigid => self.clip,
            Some(footprint) => content.forward_bounds(footprint),
            None => content,
        }
    }

    /// Whether no part of the layer is visible. `around` is the visible area around the layer.
    pub(crate) fn is_hidden(&self, around: Pixels) -> bool {
        match self.kind {
            _ if self.is_destructive => around.is_empty(),
            Kind::Opacity if self.alpha == 0.0 && !self.is_read => true,
            _ => self.window.is_empty(),
        }
    }
}

/// The area in which the content of a layer, or of the whole list, can be visible.
#[inline]
pub(crate) fn window_in(layers: &[Layer], layer: u32, viewport: Pixels) -> Pixels {
    if layer == ROOT { viewport } else { layers[layer as usize].window }
}

/// The viewport for the content of a layer, or of the whole list.
#[inline]
pub(crate) fn view_in(layers: &[Layer], layer: u32, viewport: Pixels) -> Pixels {
    if layer == ROOT { viewport } else { layers[layer as usize].view }
}

/// The size of a display list in commands, layers and layer pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Commands of all kinds, including pops.
    pub commands: usize,
    /// Layers and clips; each has a push and a pop.
    pub layers: usize,
    /// The maximum number of open layers.
    pub depth: usize,
    /// The number of viewport pixels inside each layer's clip, summed over all layers. Layers inside an invisible
    /// layer do not count.
    pub layer_pixels: u64,
}
