//! The optimizer's working state: what is known about each command and each layer of a list.

use crate::pixels::{Pixels, Touched};
use crate::{Options, Report, Size};
use anyrender::recording::RenderCommand;
use kurbo::Rect;
use treebounds_core::Kernel;

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
    /// Whether its alpha is 0 everywhere.
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

/// A layer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layer {
    /// The index of its push.
    pub(crate) push: usize,
    /// The index of its pop.
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
    pub(crate) kernel: Option<Kernel>,
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
    /// A layer without any effect.
    #[inline]
    pub(crate) fn new(push: usize, parent: u32) -> Self {
        Self { push, pop: push, parent, alpha: 1.0, ..Self::default() }
    }

    /// The area in which its content can be visible, by what can be visible around it.
    #[inline]
    pub(crate) fn window_inside(&self, around: Pixels) -> Pixels {
        match self.kernel {
            None if self.is_read => around,
            None => around.intersect(self.clip),
            // A backdrop filter inside may read more than the filter shows.
            Some(_) if self.is_read => Pixels::EVERYTHING,
            Some(kernel) => around.intersect(self.clip).need(kernel),
        }
    }

    /// What the layer makes of its content, before its clip cuts it.
    pub(crate) fn painted(&self, content: Pixels) -> Pixels {
        match self.kernel {
            _ if self.reads_backdrop || self.is_rigid => self.clip,
            Some(kernel) => content.trace(kernel),
            None => content,
        }
    }
}

/// The content that remains in a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    /// The box of the content, cut by the clips that remain inside but not by the layer's own clip.
    pub(crate) raw: Pixels,
    /// A few boxes that together contain the content.
    pub(crate) touched: Touched,
    /// The number of draws that are not inside a further layer.
    pub(crate) draws: u32,
    /// The last of these draws.
    pub(crate) last_draw: usize,
    /// Whether every pixel is opaque or untouched.
    pub(crate) is_hard: bool,
    /// Whether draws may overlap.
    pub(crate) overlaps: bool,
    /// Whether each draw has an alpha that can be multiplied.
    pub(crate) has_alphas: bool,
    /// Whether a layer remains inside.
    pub(crate) has_layers: bool,
    /// Whether a layer remains inside whose blend mode is not plain `over`.
    pub(crate) has_blends: bool,
}

impl Content {
    pub(crate) fn nothing(options: &Options) -> Self {
        // Only the rounding check needs the pixels behind a layer; only the opacity rule needs overlaps.
        let asks = !options.rounds() || options.opacity;
        Self {
            raw: Pixels::NOTHING,
            touched: if asks { Touched::NOTHING } else { Touched::EVERYTHING },
            draws: 0,
            last_draw: 0,
            is_hard: true,
            overlaps: false,
            has_alphas: true,
            has_layers: false,
            has_blends: false,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.draws == 0 && !self.has_layers
    }

    #[inline]
    pub(crate) fn add_draw(&mut self, index: usize, item: &Item) {
        self.overlaps |= self.touched.intersects(item.own);
        self.raw = self.raw.union(item.own);
        self.touched.add(item.own);
        self.draws += 1;
        self.last_draw = index;
        self.is_hard &= item.is_opaque && item.covered.contains(item.own);
        self.has_alphas &= item.has_alpha;
    }

    /// Adds the content of a layer that was removed.
    #[inline]
    pub(crate) fn add_content(&mut self, inner: &Self) {
        self.overlaps |= inner.overlaps || self.touched.intersects(inner.raw);
        self.raw = self.raw.union(inner.raw);
        self.touched.add_all(&inner.touched);
        self.draws += inner.draws;
        if inner.draws > 0 {
            self.last_draw = inner.last_draw;
        }
        self.is_hard &= inner.is_hard;
        self.has_alphas &= inner.has_alphas;
        self.has_layers |= inner.has_layers;
        self.has_blends |= inner.has_blends;
    }

    /// Adds a layer that stays.
    #[inline]
    pub(crate) fn add_layer(&mut self, pixels: Pixels, blends: bool) {
        self.overlaps |= self.touched.intersects(pixels);
        self.raw = self.raw.union(pixels);
        self.touched.add(pixels);
        self.is_hard = false;
        self.has_layers = true;
        self.has_blends |= blends;
    }
}

/// A list, the measurements of it, and the changes made to it.
pub(crate) struct Plan<'a> {
    pub(crate) commands: &'a mut [RenderCommand],
    pub(crate) items: &'a mut [Item],
    pub(crate) layers: &'a mut [Layer],
    pub(crate) viewport: Pixels,
    pub(crate) options: Options,
    pub(crate) report: Report,
}

impl Plan<'_> {
    /// Goes down the tree and widens the visible area of every layer that a backdrop filter reads, and of everything inside it.
    pub(crate) fn open_windows(&mut self) {
        for index in 0..self.layers.len() {
            let window = self.window_around(&self.layers[index]);
            self.layers[index].window = self.layers[index].window_inside(window);
        }
    }

    /// The area in which a draw can be visible.
    #[inline]
    pub(crate) fn window_of(&self, draw: &Item) -> Pixels {
        window_in(self.layers, draw.layer, self.viewport)
    }

    /// The area in which a layer can be visible.
    #[inline]
    pub(crate) fn window_around(&self, layer: &Layer) -> Pixels {
        window_in(self.layers, layer.parent, self.viewport)
    }

    /// The viewport around a layer.
    pub(crate) fn view_around(&self, layer: &Layer) -> Pixels {
        view_in(self.layers, layer.parent, self.viewport)
    }

    /// The size of the list without the removed commands.
    pub(crate) fn size(&self) -> Size {
        let mut size = Size::default();
        let mut depth = 0;
        for item in self.items.iter().filter(|item| item.kept) {
            size.commands += 1;
            match item.role {
                Role::Draw => {}
                Role::Push => {
                    depth += 1;
                    size.layers += 1;
                    size.depth = size.depth.max(depth);
                    let pixels =
                        self.layers[item.layer as usize].clip.intersect(self.viewport).area();
                    size.layer_pixels = size.layer_pixels.saturating_add(pixels);
                }
                Role::Pop => depth -= 1,
            }
        }
        size
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
