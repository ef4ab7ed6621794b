//! What is known of a list before any rule looks at it, command by command.

use crate::Error;
use crate::glyphs::GlyphBoxes;
use crate::opaque::OpaqueImages;
use crate::pixels::Pixels;
use crate::plan::{Item, Kind, Layer, ROOT, Role, window_in};
use crate::reach::Reach;
use crate::report::Size;
use crate::rules::cull;
use crate::shape::{NotFinite, touched};
use anyrender::Paint;
use anyrender::recording::RenderCommand;
use peniko::{BlendMode, Compose, Mix};
use treebounds_core::Stream;

/// The commands of a list, measured, and the tree of its layers.
///
/// Each command is looked at once, in order, so that a list can be measured while it is recorded. A loop with a stack of
/// its own: depth costs memory, never the call stack.
#[derive(Debug, Default)]
pub(crate) struct Measure {
    pub(crate) items: Vec<Item>,
    /// In the order of their pushes: a layer comes after the layer around it.
    pub(crate) layers: Vec<Layer>,
    /// Something hides what is behind it.
    pub(crate) has_opaque: bool,
    /// How large the list is. Layers inside of one that is skipped count no pixels.
    pub(crate) size: Size,
    viewport: Pixels,
    /// What is inside a layer that cannot be seen is not looked at.
    skips: bool,
    /// How many layers are open from the outermost that cannot be seen inwards.
    unseen: usize,
    /// How many open layers have a filter, which may move what is in them to where it is seen.
    filters: usize,
    /// The layers that are open.
    open: Vec<u32>,
    /// What is wrong first with the pushes and pops.
    unbalanced: Option<Error>,
    /// What is wrong first with the numbers.
    not_finite: Option<Error>,
    glyphs: GlyphBoxes,
    images: OpaqueImages,
}

impl Measure {
    /// Forgets the commands, and keeps the boxes of glyphs and which images are opaque.
    ///
    /// With `skips`, what is inside a layer that cannot be seen in the viewport is not looked at.
    pub(crate) fn start(&mut self, viewport: Pixels, skips: bool) {
        self.items.clear();
        self.layers.clear();
        self.open.clear();
        self.has_opaque = false;
        self.size = Size::default();
        (self.viewport, self.skips) = (viewport, skips);
        (self.unseen, self.filters) = (0, 0);
        (self.unbalanced, self.not_finite) = (None, None);
    }

    /// The same again, for the same viewport.
    pub(crate) fn restart(&mut self) {
        self.start(self.viewport, self.skips);
    }

    /// Measures the commands that the list has since the last call.
    pub(crate) fn catch_up(&mut self, commands: &[RenderCommand]) {
        for command in commands.iter().skip(self.items.len()) {
            if self.skips && reads_backdrop(command) {
                // It reads the layers around it, what they do not show included.
                self.start(self.viewport, false);
                return self.catch_up(commands);
            }
            let item = self.item(command, self.items.len());
            self.items.push(item);
        }
    }

    fn item(&mut self, command: &RenderCommand, index: usize) -> Item {
        let is_push =
            matches!(command, RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_));
        self.size.commands += 1;
        if is_push {
            self.size.layers += 1;
            self.size.depth = self.size.depth.max(self.open.len() + self.unseen.max(1));
        }
        let is_pop = matches!(command, RenderCommand::PopLayer);
        // The last pop is that of the layer that cannot be seen.
        if self.unseen > usize::from(is_pop) {
            self.unseen = self.unseen + usize::from(is_push) - usize::from(is_pop);
            return Item { kept: false, ..Item::new(Role::Draw, ROOT) };
        }
        match command {
            _ if is_push => self.push(command, index),
            _ if is_pop => self.pop(index),
            _ => self.draw(command, index),
        }
    }

    /// # Errors
    /// [`Error::TooMany`], [`Error::NothingOpen`], [`Error::StillOpen`], [`Error::NotFinite`].
    pub(crate) fn check(&self) -> Result<(), Error> {
        let (commands, most) = (self.items.len(), Stream::MAX_LEN);
        if commands > most {
            return Err(Error::TooMany { commands, most });
        }
        if let Some(error) = self.unbalanced {
            return Err(error);
        }
        if let Some(innermost) = self.open.last() {
            let innermost = self.layers[*innermost as usize].push;
            return Err(Error::StillOpen { count: self.open.len(), innermost });
        }
        self.not_finite.map_or(Ok(()), Err)
    }

    fn around(&self) -> u32 {
        self.open.last().copied().unwrap_or(ROOT)
    }

    fn push(&mut self, command: &RenderCommand, index: usize) -> Item {
        let mut layer = layer_of(command, index, self.around()).unwrap_or_else(|what| {
            self.not_finite.get_or_insert(Error::NotFinite { command: index, what });
            Layer::new(index, self.around())
        });
        if reads_backdrop(command) {
            // Layers around a layer that is read are read.
            for open in self.open.iter().rev() {
                if std::mem::replace(&mut self.layers[*open as usize].is_read, true) {
                    break;
                }
            }
        }
        let seen = layer.clip.intersect(self.viewport);
        self.size.layer_pixels += seen.area();
        let around = window_in(&self.layers, layer.parent, self.viewport);
        layer.window =
            if layer.kind == Kind::Filter { around } else { around.intersect(layer.clip) };
        let is_hidden = self.skips && self.filters == 0 && cull::is_hidden(&layer, around);
        self.unseen = usize::from(is_hidden);
        self.filters += usize::from(layer.kind == Kind::Filter);
        let number = self.layers.len() as u32;
        self.layers.push(layer);
        self.open.push(number);
        Item::new(Role::Push, number)
    }

    fn pop(&mut self, index: usize) -> Item {
        let Some(layer) = self.open.pop() else {
            self.unbalanced.get_or_insert(Error::NothingOpen { command: index });
            return Item::new(Role::Pop, ROOT);
        };
        self.unseen = 0;
        self.layers[layer as usize].pop = index;
        self.filters -= usize::from(self.layers[layer as usize].kind == Kind::Filter);
        Item::new(Role::Pop, layer)
    }

    fn draw(&mut self, command: &RenderCommand, index: usize) -> Item {
        let mut item = Item::new(Role::Draw, self.around());
        match Reach::of_draw(command, &mut self.glyphs) {
            Ok(reach) => (item.own, item.covered) = (reach.touched, reach.covered),
            Err(what) => {
                _ = self.not_finite.get_or_insert(Error::NotFinite { command: index, what })
            }
        }
        (item.is_transparent, item.has_alpha) = alpha_of(command);
        if let RenderCommand::Fill(fill) = command
            && !item.covered.is_empty()
        {
            item.is_opaque = self.images.is_opaque(fill);
            self.has_opaque |= item.is_opaque;
        }
        item
    }
}

/// Whether a backdrop filter reads what is behind this layer.
pub(crate) fn reads_backdrop(command: &RenderCommand) -> bool {
    matches!(command, RenderCommand::PushLayer(layer) if layer.backdrop_filter.is_some())
}

fn layer_of(command: &RenderCommand, push: usize, parent: u32) -> Result<Layer, &'static str> {
    let plain = Layer::new(push, parent);
    let (path, transform, layer) = match command {
        RenderCommand::PushLayer(layer) => {
            let kind = if layer.filter.is_some() || layer.backdrop_filter.is_some() {
                Kind::Filter
            } else if layer.blend.is_destructive() {
                Kind::NonLocal
            } else if layer.blend != (BlendMode { mix: Mix::Normal, compose: Compose::SrcOver }) {
                Kind::Local
            } else if layer.alpha == 1.0 {
                Kind::Plain
            } else {
                Kind::Opacity
            };
            let is_destructive = layer.blend.is_destructive();
            (
                &layer.clip,
                layer.transform,
                Layer { kind, alpha: layer.alpha, is_destructive, ..plain },
            )
        }
        RenderCommand::PushClipLayer(clip) => {
            (&clip.clip, clip.transform, Layer { is_clip: true, ..plain })
        }
        _ => return Err("a layer"),
    };
    if !transform.is_finite() {
        return Err("the transform of a layer");
    }
    if !layer.alpha.is_finite() {
        return Err("the alpha of a layer");
    }
    let clip = touched(path, transform).map_err(|NotFinite| "the clip of a layer")?;
    Ok(Layer { clip, ..layer })
}

/// Whether a draw has alpha 0 all over, and whether its brush has one alpha that counts for the whole draw.
///
/// Pictures in fonts do not ask for the brush, so that glyphs are never transparent.
fn alpha_of(command: &RenderCommand) -> (bool, bool) {
    let brush = match command {
        RenderCommand::Fill(fill) => &fill.brush,
        RenderCommand::Stroke(stroke) => &stroke.brush,
        RenderCommand::BoxShadow(shadow) => return (shadow.brush.components[3] == 0.0, true),
        _ => return (false, false),
    };
    match brush {
        Paint::Solid(color) => (color.components[3] == 0.0, true),
        Paint::Image(_) => (false, true),
        Paint::Gradient(_) | Paint::Resource(_) | Paint::Custom(_) => (false, false),
    }
}
