//! The optimizer's working state: a measured list, the remaining content of each layer, and the changes so far.

use crate::bounds::commands::{Item, Layer, Role, Size, view_in, window_in};
use crate::bounds::pixels::{Pixels, Touched};
use crate::optimizer::options::{Options, Report};
use anyrender::recording::RenderCommand;

/// The remaining content of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    /// The box of the content, clipped by the remaining clips inside but not by the layer's own clip.
    pub(crate) raw: Pixels,
    /// A few boxes that together contain the content.
    pub(crate) touched: Touched,
    /// The number of draws outside nested layers.
    pub(crate) draws: u32,
    pub(crate) last_draw: usize,
    /// Whether every pixel is opaque or untouched.
    pub(crate) is_hard: bool,
    pub(crate) overlaps: bool,
    /// Whether each draw has an alpha that can be multiplied.
    pub(crate) has_alphas: bool,
    pub(crate) has_layers: bool,
    /// Whether a nested layer remains whose blend mode is not plain `over`.
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

    /// Adds the content of a removed layer.
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

    /// Adds a remaining layer.
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

/// A list with its measurements and changes.
pub(crate) struct Plan<'a> {
    pub(crate) commands: &'a mut [RenderCommand],
    pub(crate) items: &'a mut [Item],
    pub(crate) layers: &'a mut [Layer],
    pub(crate) viewport: Pixels,
    pub(crate) options: Options,
    pub(crate) report: Report,
}

impl Plan<'_> {
    /// Walks down the tree and enlarges the visible area of every layer that a backdrop filter reads, and of everything
    /// inside it.
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
