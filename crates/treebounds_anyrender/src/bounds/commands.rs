//! The facts about each command and each layer of a list.

use crate::bounds::pixels::Pixels;
use kurbo::Rect;
use treebounds_core::Footprint;

/// The parent of a layer that is not inside another.
pub(crate) const ROOT: u32 = u32::MAX;

/// The role of a command in the tree of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Draw,
    Push,
    Pop,
}

/// One command. Items are small; the rules read them, and touch the commands only to change them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Item {
    /// The pixels that a draw touches, ignoring clips, inside the viewport or what filters need for it.
    pub(crate) own: Pixels,
    /// The pixels that an opaque draw covers completely inside the viewport.
    pub(crate) covered: Pixels,
    /// For a draw, the layer around it; for a push or a pop, its own layer.
    pub(crate) layer: u32,
    pub(crate) role: Role,
    /// Whether it stays in the list.
    pub(crate) kept: bool,
    /// Whether it hides what it covers.
    pub(crate) is_opaque: bool,
    pub(crate) is_transparent: bool,
    /// Whether its brush has a single alpha for the whole draw.
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
    /// Clips, and does nothing else.
    #[default]
    Plain,
    /// Multiplies the alpha.
    Opacity,
    /// Blends in another way, but changes only pixels that the content covers.
    Local,
    /// Changes pixels outside its content.
    NonLocal,
    /// Moves or spreads pixels, or reads the pixels behind.
    Filter,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layer {
    pub(crate) push: usize,
    pub(crate) pop: usize,
    /// Its parent, or [`ROOT`].
    pub(crate) parent: u32,
    pub(crate) kind: Kind,
    /// Whether it was pushed as a clip, and so only clips.
    pub(crate) is_clip: bool,
    /// Whether a backdrop filter inside reads pixels of this layer.
    pub(crate) is_read: bool,
    /// Whether its blend mode changes pixels outside its content, whatever its kind.
    pub(crate) is_destructive: bool,
    /// Whether its draws have taken over its alpha.
    pub(crate) is_folded: bool,
    /// The alpha of a [`Kind::Opacity`].
    pub(crate) alpha: f32,
    /// Whether it, and not only a layer inside, reads what is behind it.
    pub(crate) reads_backdrop: bool,
    /// Whether its content stays as it is, because its filter may change with anything in it.
    pub(crate) is_rigid: bool,
    /// What its filter reads. The clip cuts the filter's result.
    pub(crate) footprint: Option<Footprint>,
    /// The pixels that its clip touches in the view around it.
    pub(crate) clip: Pixels,
    /// Its clip in device space as it was recorded, if it is a rectangle.
    pub(crate) rect: Option<Rect>,
    /// The area in which its content can be visible.
    pub(crate) window: Pixels,
    /// The viewport for its content: what filters need for the viewport, ignoring clips.
    pub(crate) view: Pixels,
}

impl Layer {
    #[inline]
    pub(crate) fn new(push: usize, parent: u32) -> Self {
        Self { push, pop: push, parent, alpha: 1.0, ..Self::default() }
    }

    /// The area in which its content can be visible, by what can be visible around it.
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

    /// What the layer makes of its content, before its clip cuts it.
    pub(crate) fn painted(&self, content: Pixels) -> Pixels {
        match self.footprint {
            _ if self.reads_backdrop || self.is_rigid => self.clip,
            Some(footprint) => content.forward_bounds(footprint),
            None => content,
        }
    }

    /// Whether nothing of the layer can be seen, by what can be visible `around` it.
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

/// How many commands, layers and pixels of layers a display list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Commands of all kinds, pops included.
    pub commands: usize,
    /// Layers and clips: each is a push and a pop.
    pub layers: usize,
    /// How many layers are open at most.
    pub depth: usize,
    /// Pixels of the viewport inside the clips of layers, each layer by itself; none inside a layer that cannot be seen.
    pub layer_pixels: u64,
}
