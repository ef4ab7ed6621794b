//! Measures a list, command by command, before any rule runs.

use crate::bounds::commands::{Item, Kind, Layer, ROOT, Role, view_in, window_in};
use crate::bounds::draw;
use crate::bounds::filter;
use crate::bounds::glyphs::GlyphBoxes;
use crate::bounds::outline::{NotFinite, device_rect, touched};
use crate::bounds::pixels::Pixels;
use crate::{Error, Size};
use anyrender::Paint;
use anyrender::recording::{FillCommand, RenderCommand};
use peniko::{BlendMode, Compose, ImageFormat, ImageQuality, ImageSampler, Mix};
use std::collections::HashMap;
use treebounds_core::Stream;

/// The measured commands of a list, and the tree of its layers.
///
/// Each command is read once, in order, so a list can be measured while it is recorded. The loop has an explicit
/// stack, so depth costs memory but no call stack.
#[derive(Debug, Default)]
pub(crate) struct Measure {
    pub(crate) items: Vec<Item>,
    /// The layers in the order of their pushes: a parent precedes its children.
    pub(crate) layers: Vec<Layer>,
    /// Whether any command hides what is behind it.
    pub(crate) has_opaque: bool,
    /// Whether any backdrop filter reads what is behind it.
    pub(crate) has_backdrop: bool,
    /// The size of the list; `commands` is unused. Layers inside a skipped layer add no pixels.
    size: Size,
    /// Whether pixels must be exact to the last bit.
    pub(crate) bits: bool,
    pub(crate) vertical_hinting: bool,
    viewport: Pixels,
    /// Whether the content of invisible layers is skipped.
    skips: bool,
    /// The number of open layers inside the outermost invisible layer, including that layer.
    unseen: usize,
    /// The number of open layers whose content must not change.
    rigid: usize,
    open: Vec<u32>,
    /// The first error in the pushes and pops.
    unbalanced: Option<Error>,
    /// The first non-finite number.
    not_finite: Option<Error>,
    glyphs: GlyphBoxes,
    images: OpaqueImages,
}

impl Measure {
    /// Clears the commands, but keeps the boxes of glyphs and the opacity of images.
    ///
    /// With `skips`, the content of a layer that is invisible in the viewport is not read.
    pub(crate) fn start(&mut self, viewport: Pixels, skips: bool) {
        self.items.clear();
        self.layers.clear();
        self.open.clear();
        (self.has_opaque, self.has_backdrop) = (false, false);
        self.size = Size::default();
        (self.viewport, self.skips) = (viewport, skips);
        (self.unseen, self.rigid) = (0, 0);
        (self.unbalanced, self.not_finite) = (None, None);
    }

    pub(crate) fn restart(&mut self) {
        self.start(self.viewport, self.skips);
    }

    /// Measures the commands added since the last call.
    pub(crate) fn catch_up(&mut self, commands: &[RenderCommand]) {
        for command in commands.iter().skip(self.items.len()) {
            if self.skips && reads_backdrop(command) {
                // A backdrop filter reads the layers around it, including their invisible parts.
                self.start(self.viewport, false);
                return self.catch_up(commands);
            }
            let item = self.item(command, self.items.len());
            self.items.push(item);
        }
    }

    fn item(&mut self, command: &RenderCommand, index: usize) -> Item {
        let unseen = Item { kept: false, ..Item::new(Role::Draw, ROOT) };
        match command {
            RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => {
                self.size.layers += 1;
                self.size.depth = self.size.depth.max(self.open.len() + self.unseen.max(1));
                if self.unseen > 0 {
                    self.unseen += 1;
                    return unseen;
                }
                self.push(command, index)
            }
            // With `unseen == 1`, the pop closes the invisible layer itself.
            RenderCommand::PopLayer if self.unseen > 1 => {
                self.unseen -= 1;
                unseen
            }
            RenderCommand::PopLayer => self.pop(index),
            _ if self.unseen > 0 => unseen,
            _ => self.draw(command, index),
        }
    }

    pub(crate) fn size(&self) -> Size {
        Size { commands: self.items.len(), ..self.size }
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

    fn innermost(&self) -> u32 {
        self.open.last().copied().unwrap_or(ROOT)
    }

    fn push(&mut self, command: &RenderCommand, index: usize) -> Item {
        let mut layer = Layer::new(index, self.innermost());
        if let Err(what) = read_layer(command, &mut layer, self.bits) {
            self.record_not_finite(index, what);
        }
        if layer.reads_backdrop {
            self.has_backdrop = true;
            // If a layer is read, so are the layers around it.
            for open in self.open.iter().rev() {
                if std::mem::replace(&mut self.layers[*open as usize].is_read, true) {
                    break;
                }
            }
        }
        let view = view_in(&self.layers, layer.parent, self.viewport);
        layer.clip = layer.clip.intersect(view);
        let pixels = layer.clip.intersect(self.viewport).area();
        self.size.layer_pixels = self.size.layer_pixels.saturating_add(pixels);
        let around = window_in(&self.layers, layer.parent, self.viewport);
        layer.window = layer.window_inside(around);
        layer.view = match layer.footprint {
            None => view,
            Some(footprint) if self.skips => view.reverse_bounds(footprint),
            // A backdrop filter inside may read more than the filter shows.
            Some(_) => Pixels::EVERYTHING,
        };
        let is_hidden = self.skips && self.rigid == 0 && layer.is_hidden(around);
        self.unseen = usize::from(is_hidden);
        self.rigid += usize::from(layer.is_rigid);
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
        self.rigid -= usize::from(self.layers[layer as usize].is_rigid);
        Item::new(Role::Pop, layer)
    }

    fn draw(&mut self, command: &RenderCommand, index: usize) -> Item {
        let mut item = Item::new(Role::Draw, self.innermost());
        let view = view_in(&self.layers, item.layer, self.viewport);
        let touched = match command {
            RenderCommand::Fill(fill) => {
                let rect = device_rect(&fill.shape, fill.transform);
                (item.is_transparent, item.has_alpha) = alpha_of(&fill.brush);
                let touched = draw::of_fill(fill, rect);
                if let (Some(rect), Ok(touched)) = (rect, touched)
                    && touched.intersects(view)
                    && self.images.is_opaque(fill)
                {
                    item.covered = Pixels::inside(rect).intersect(view);
                    item.is_opaque = !item.covered.is_empty();
                    self.has_opaque |= item.is_opaque;
                }
                touched
            }
            RenderCommand::Stroke(stroke) => {
                (item.is_transparent, item.has_alpha) = alpha_of(&stroke.brush);
                draw::of_stroke(stroke)
            }
            RenderCommand::BoxShadow(shadow) => {
                (item.is_transparent, item.has_alpha) = (shadow.brush.components[3] == 0.0, true);
                draw::of_shadow(shadow)
            }
            // Bitmap glyphs ignore the brush, so even glyphs with a transparent brush count as visible.
            RenderCommand::GlyphRun(run) => {
                draw::of_glyphs(run, &mut self.glyphs, self.vertical_hinting)
            }
            RenderCommand::PushLayer(_)
            | RenderCommand::PushClipLayer(_)
            | RenderCommand::PopLayer => Ok(Pixels::NOTHING),
        };
        match touched {
            Ok(touched) => item.own = touched.intersect(view),
            Err(what) => self.record_not_finite(index, what),
        }
        item
    }

    fn record_not_finite(&mut self, command: usize, what: &'static str) {
        self.not_finite.get_or_insert(Error::NotFinite { command, what });
    }
}

fn reads_backdrop(command: &RenderCommand) -> bool {
    let RenderCommand::PushLayer(layer) = command else { return false };
    layer.backdrop_filter.is_some() || layer.filter.as_deref().is_some_and(filter::reads_backdrop)
}

/// Returns the effect of a layer, and its clip.
pub(crate) fn read_layer(
    command: &RenderCommand,
    layer: &mut Layer,
    bits: bool,
) -> Result<(), &'static str> {
    let (path, transform) = match command {
        RenderCommand::PushLayer(push) => {
            layer.is_destructive = push.blend.is_destructive();
            layer.kind = if push.filter.is_some() || push.backdrop_filter.is_some() {
                Kind::Filter
            } else if layer.is_destructive {
                Kind::NonLocal
            } else if push.blend != (BlendMode { mix: Mix::Normal, compose: Compose::SrcOver }) {
                Kind::Local
            } else if push.alpha == 1.0 {
                Kind::Plain
            } else {
                Kind::Opacity
            };
            layer.alpha = push.alpha;
            let filters = [&push.filter, &push.backdrop_filter];
            if filters.into_iter().flatten().any(|filter| !filter::is_finite(filter)) {
                return Err("a filter");
            }
            layer.reads_backdrop = reads_backdrop(command);
            if let Some(filter) = &push.filter {
                let support = filter::support(filter, push.transform, bits);
                (layer.footprint, layer.is_rigid) = (Some(support.footprint), support.is_rigid);
            }
            (&push.clip, push.transform)
        }
        RenderCommand::PushClipLayer(push) => {
            layer.is_clip = true;
            (&push.clip, push.transform)
        }
        _ => return Err("a layer"),
    };
    if !layer.alpha.is_finite() {
        return Err("the alpha of a layer");
    }
    layer.rect = device_rect(path, transform);
    layer.clip = match layer.rect {
        Some(rect) => Pixels::around(rect),
        None if !transform.is_finite() => return Err("the transform of a layer"),
        None => touched(path, transform).map_err(|NotFinite| "the clip of a layer")?,
    };
    Ok(())
}

/// Whether a draw with this brush has alpha 0 everywhere, and whether the brush has a single alpha for the whole draw.
fn alpha_of(brush: &Paint) -> (bool, bool) {
    match brush {
        Paint::Solid(color) => (color.components[3] == 0.0, true),
        Paint::Image(_) => (false, true),
        Paint::Gradient(_) | Paint::Resource(_) | Paint::Custom(_) => (false, false),
    }
}

/// The maximum number of cached images. The next one clears the cache, because a video has a new image in every frame.
const MOST_IMAGES: usize = 4_096;

/// Caches which images are opaque, so that each is scanned once.
#[derive(Debug, Default)]
struct OpaqueImages {
    known: HashMap<u64, bool>,
}

impl OpaqueImages {
    /// Whether the brush is opaque everywhere: a solid colour, or an image of opaque pixels that is not blended with
    /// its surroundings. Gradients and renderer-specific paint count as translucent.
    ///
    /// Under a transform that is nearly singular, an image paints nothing at all.
    #[inline]
    fn is_opaque(&mut self, fill: &FillCommand) -> bool {
        match &fill.brush {
            Paint::Solid(color) => color.components[3] >= 1.0,
            Paint::Image(image) => {
                let ImageSampler { quality, alpha, .. } = image.sampler;
                let plain = quality == ImageQuality::Low && alpha == 1.0;
                let seen = fill.transform * fill.brush_transform.unwrap_or_default();
                let is_flat = !(1e-4..1e8).contains(&seen.determinant().abs());
                plain
                    && !is_flat
                    && image.image.width > 0
                    && image.image.height > 0
                    && self.image(&image.image)
            }
            Paint::Gradient(_) | Paint::Resource(_) | Paint::Custom(_) => false,
        }
    }

    fn image(&mut self, image: &peniko::ImageData) -> bool {
        if !matches!(image.format, ImageFormat::Rgba8 | ImageFormat::Bgra8) {
            return false;
        }
        let pixels = image.width as usize * image.height as usize;
        if self.known.len() == MOST_IMAGES && !self.known.contains_key(&image.data.id()) {
            self.known.clear();
        }
        *self.known.entry(image.data.id()).or_insert_with(|| {
            let bytes = image.data.data();
            bytes.len() >= 4 * pixels && bytes.chunks_exact(4).all(|pixel| pixel[3] == 255)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use peniko::{Blob, ImageAlphaType, ImageData};

    #[test]
    fn image_cache_is_bounded() {
        let mut images = OpaqueImages::default();
        for i in 0..10_000_u32 {
            let alpha = if i % 2 == 0 { 255 } else { 9 };
            let image = ImageData {
                data: Blob::from(vec![0, 0, 0, alpha]),
                format: ImageFormat::Rgba8,
                alpha_type: ImageAlphaType::Alpha,
                width: 1,
                height: 1,
            };
            assert_eq!((images.image(&image), images.image(&image)), (i % 2 == 0, i % 2 == 0));
            assert!(images.known.len() <= MOST_IMAGES);
        }
    }
}
