//! What is known of a list while it is optimized.

use crate::pixels::{Pixels, Touched};
use crate::{Options, Report, Size};
use anyrender::recording::RenderCommand;
use kurbo::Rect;

/// A layer without a layer around it.
pub(crate) const ROOT: u32 = u32::MAX;

/// What a command is in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Draw,
    Push,
    Pop,
}

/// One command. The rules look at items, which are small, and at commands only to change them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// What a draw touches inside the viewport, whatever cuts it.
    pub(crate) own: Pixels,
    /// What an opaque draw covers whole inside the viewport.
    pub(crate) covered: Pixels,
    /// The layer around a draw; of a push or a pop, its own layer.
    pub(crate) layer: u32,
    pub(crate) role: Role,
    /// It stays in the list.
    pub(crate) kept: bool,
    /// What it covers, it hides.
    pub(crate) is_opaque: bool,
    /// It has alpha 0 all over.
    pub(crate) is_transparent: bool,
    /// Its brush has one alpha, which counts for the whole draw.
    pub(crate) has_alpha: bool,
}

impl Item {
    #[inline]
    pub(crate) fn new(role: Role, layer: u32) -> Self {
        let nothing = Pixels::NOTHING;
        Self {
            own: nothing,
            covered: nothing,
            layer,
            role,
            kept: true,
            is_opaque: false,
            is_transparent: false,
            has_alpha: false,
        }
    }
}

/// What a layer does with what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Cuts, and else nothing.
    Plain,
    /// Makes it more transparent.
    Opacity,
    /// Blends it in some other way, where it is and nowhere else.
    Local,
    /// Changes pixels where it is not.
    NonLocal,
    /// Moves pixels, or reads those behind. What is in it is left alone.
    Filter,
}

/// A layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    /// The index of its push.
    pub(crate) push: usize,
    /// The index of its pop.
    pub(crate) pop: usize,
    /// The layer around it, or [`ROOT`].
    pub(crate) parent: u32,
    pub(crate) kind: Kind,
    /// It only cuts: it was pushed as a clip.
    pub(crate) is_clip: bool,
    /// A backdrop filter inside reads pixels of this layer.
    pub(crate) is_read: bool,
    /// Its blend mode changes pixels where it is not, whatever its kind.
    pub(crate) is_destructive: bool,
    /// Its alpha is now that of its draws.
    pub(crate) is_folded: bool,
    /// Its alpha, of a [`Kind::Opacity`].
    pub(crate) alpha: f32,
    /// What its clip touches inside the viewport.
    pub(crate) clip: Pixels,
    /// Its clip in device space, as it came, if it is a rectangle.
    pub(crate) rect: Option<Rect>,
    /// What can be visible inside it.
    pub(crate) window: Pixels,
}

impl Layer {
    /// A layer that does nothing.
    #[inline]
    pub(crate) fn new(push: usize, parent: u32) -> Self {
        Self {
            push,
            pop: push,
            parent,
            kind: Kind::Plain,
            is_clip: false,
            is_read: false,
            is_destructive: false,
            is_folded: false,
            alpha: 1.0,
            clip: Pixels::NOTHING,
            rect: None,
            window: Pixels::NOTHING,
        }
    }
}

/// What is left in a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    /// The box of all of it, cut by the clips that are left inside, not by its own.
    pub(crate) raw: Pixels,
    /// A few boxes that hold all of it.
    pub(crate) touched: Touched,
    /// How many draws there are, outside of layers.
    pub(crate) draws: u32,
    /// The last of them.
    pub(crate) last_draw: usize,
    /// Every pixel is opaque or untouched.
    pub(crate) is_hard: bool,
    /// Draws may overlap.
    pub(crate) overlaps: bool,
    /// Each draw has an alpha of its own.
    pub(crate) has_alphas: bool,
    /// A layer is left inside.
    pub(crate) has_layers: bool,
    /// A layer is left inside that does more than to be painted over what is behind it.
    pub(crate) has_blends: bool,
}

impl Content {
    pub(crate) fn nothing(options: &Options) -> Self {
        // Only rounding asks what lies behind a layer, and opacity which draws overlap.
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

    /// Takes over what was in a layer that is gone.
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

/// A list, what is known of it, and what was done to it.
pub(crate) struct Plan<'a> {
    pub(crate) commands: &'a mut [RenderCommand],
    pub(crate) items: &'a mut [Item],
    pub(crate) layers: &'a mut [Layer],
    pub(crate) viewport: Pixels,
    pub(crate) options: Options,
    pub(crate) report: Report,
}

impl Plan<'_> {
    /// Down the tree: opens the windows of layers that a backdrop filter reads, and so those of all that is in them.
    pub(crate) fn open_windows(&mut self) {
        for index in 0..self.layers.len() {
            let window = self.window_around(&self.layers[index]);
            let layer = &mut self.layers[index];
            // A filter may bring in what lies outside of its clip; a backdrop filter inside may read it.
            let is_open = layer.kind == Kind::Filter || layer.is_read;
            layer.window = if is_open { window } else { window.intersect(layer.clip) };
        }
    }

    /// What can be visible around a draw.
    #[inline]
    pub(crate) fn window_of(&self, draw: &Item) -> Pixels {
        window_in(self.layers, draw.layer, self.viewport)
    }

    /// What can be visible around a layer.
    #[inline]
    pub(crate) fn window_around(&self, layer: &Layer) -> Pixels {
        window_in(self.layers, layer.parent, self.viewport)
    }

    /// How large the list is without the commands that are gone.
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
                    let pixels = self.layers[item.layer as usize].clip.area();
                    size.layer_pixels = size.layer_pixels.saturating_add(pixels);
                }
                Role::Pop => depth -= 1,
            }
        }
        size
    }
}

/// What can be visible inside a layer, or outside of all.
#[inline]
pub(crate) fn window_in(layers: &[Layer], layer: u32, viewport: Pixels) -> Pixels {
    if layer == ROOT { viewport } else { layers[layer as usize].window }
}
