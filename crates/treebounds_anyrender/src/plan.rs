//! What is known of a list while it is optimized.

use crate::balance::{ROOT, Span};
use crate::glyphs::GlyphBoxes;
use crate::opaque::OpaqueImages;
use crate::pixels::{Pixels, Touched};
use crate::reach::Reach;
use crate::shape::{NotFinite, touched};
use crate::{Error, Options, Report, Size};
use anyrender::recording::{RenderCommand, Scene};
use peniko::{BlendMode, Compose, Mix};

/// One command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// What a draw touches inside the viewport, whatever cuts it.
    pub(crate) own: Pixels,
    /// What a draw covers whole.
    pub(crate) covered: Pixels,
    /// What a draw touches inside the clips around it.
    pub(crate) visible: Pixels,
    /// The layer around a draw; of a push or a pop, its own layer.
    pub(crate) layer: u32,
    /// It stays in the list.
    pub(crate) kept: bool,
    /// What it covers, it hides.
    pub(crate) is_opaque: bool,
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

/// A layer, and, once it is being settled, what is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
    /// It only cuts: it was pushed as a clip.
    pub(crate) is_clip: bool,
    /// What its clip touches inside the viewport.
    pub(crate) clip: Pixels,
    /// What can be visible inside it.
    pub(crate) window: Pixels,
    /// Its alpha, of a [`Kind::Opacity`].
    pub(crate) alpha: f32,
    pub(crate) content: Content,
}

/// What is left in a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    /// The box of all of it, cut by the clips that are left inside, not by its own.
    pub(crate) raw: Pixels,
    /// A few boxes of it, in all.
    pub(crate) touched: Touched,
    /// How many draws there are, outside of layers.
    pub(crate) draws: u32,
    /// The last of them.
    pub(crate) last_draw: usize,
    /// Every pixel is opaque or untouched.
    pub(crate) is_hard: bool,
    /// Draws may overlap.
    pub(crate) overlaps: bool,
    /// A layer is left inside.
    pub(crate) has_layers: bool,
    /// A layer is left inside that does more than to be painted over what is behind it.
    pub(crate) has_blends: bool,
}

impl Content {
    pub(crate) const NOTHING: Self = Self {
        raw: Pixels::NOTHING,
        touched: Touched::NOTHING,
        draws: 0,
        last_draw: 0,
        is_hard: true,
        overlaps: false,
        has_layers: false,
        has_blends: false,
    };

    pub(crate) fn is_empty(&self) -> bool {
        self.draws == 0 && !self.has_layers
    }

    pub(crate) fn add_draw(&mut self, index: usize, item: &Item) {
        self.overlaps |= self.touched.intersects(item.own);
        self.raw = self.raw.union(item.own);
        self.touched.add(item.own);
        self.draws += 1;
        self.last_draw = index;
        self.is_hard &= item.is_opaque && item.covered.contains(item.own);
    }

    /// Takes over what was in a layer that is gone.
    pub(crate) fn add_content(&mut self, inner: &Self) {
        self.overlaps |= inner.overlaps || self.touched.intersects(inner.raw);
        self.raw = self.raw.union(inner.raw);
        self.touched.add_all(&inner.touched);
        self.draws += inner.draws;
        if inner.draws > 0 {
            self.last_draw = inner.last_draw;
        }
        self.is_hard &= inner.is_hard;
        self.has_layers |= inner.has_layers;
        self.has_blends |= inner.has_blends;
    }

    /// Adds a layer that stays.
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
    /// What can be visible around a layer.
    pub(crate) fn window_around(&self, layer: &Layer) -> Pixels {
        match layer.span.parent {
            ROOT => self.viewport,
            parent => self.layers[parent as usize].window,
        }
    }

    /// The layer that this command pushes, if it is a push.
    pub(crate) fn pushed(&self, index: usize) -> Option<usize> {
        let layer = self.items[index].layer;
        (layer != ROOT && self.layers[layer as usize].span.push == index).then_some(layer as usize)
    }
}

/// What a layer does.
pub(crate) fn kind_of(command: &RenderCommand) -> (Kind, f32, bool) {
    let RenderCommand::PushLayer(layer) = command else { return (Kind::Plain, 1.0, true) };
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
    (kind, layer.alpha, false)
}

/// Measures every command.
///
/// # Errors
/// [`Error::NotFinite`].
pub(crate) fn measure(
    scene: &Scene,
    spans: &[Span],
    viewport: Pixels,
    (glyphs, images): (&mut GlyphBoxes, &mut OpaqueImages),
    items: &mut Vec<Item>,
    layers: &mut Vec<Layer>,
) -> Result<Size, Error> {
    items.clear();
    layers.clear();
    let mut at = ROOT;
    let mut window = viewport;
    let mut size = Size { commands: scene.commands.len(), ..Size::default() };
    for (index, command) in scene.commands.iter().enumerate() {
        let reach = Reach::of_draw(command, index, glyphs)?;
        let mut item = Item {
            own: reach.touched.intersect(viewport),
            covered: reach.covered.intersect(viewport),
            visible: reach.touched.intersect(window),
            layer: at,
            kept: true,
            is_opaque: false,
        };
        match command {
            RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => {
                at = layers.len() as u32;
                item.layer = at;
                let layer = measure_layer(command, index, spans[at as usize], [viewport, window])?;
                size.layers += 1;
                size.layer_pixels += layer.clip.area();
                window = layer.window;
                layers.push(layer);
            }
            RenderCommand::PopLayer => {
                at = spans[at as usize].parent;
                window = if at == ROOT { viewport } else { layers[at as usize].window };
            }
            RenderCommand::Fill(fill) => item.is_opaque = images.is_opaque(fill),
            _ => {}
        }
        items.push(item);
    }
    Ok(size)
}

fn measure_layer(
    command: &RenderCommand,
    index: usize,
    span: Span,
    [viewport, window]: [Pixels; 2],
) -> Result<Layer, Error> {
    let bad = |what| Error::NotFinite { command: index, what };
    let (kind, alpha, is_clip) = kind_of(command);
    let (path, transform) = match command {
        RenderCommand::PushLayer(layer) => (&layer.clip, layer.transform),
        RenderCommand::PushClipLayer(clip) => (&clip.clip, clip.transform),
        _ => return Err(bad("a layer")),
    };
    if !transform.is_finite() {
        return Err(bad("the transform of a layer"));
    }
    if !alpha.is_finite() {
        return Err(bad("the alpha of a layer"));
    }
    let clip = touched(path, transform).map_err(|NotFinite| bad("the clip of a layer"))?;
    let clip = clip.intersect(viewport);
    // A filter may bring in what lies outside of its clip; a backdrop filter inside may read it.
    let cuts = kind != Kind::Filter && !span.is_read;
    let window = if cuts { window.intersect(clip) } else { window };
    Ok(Layer { span, kind, is_clip, clip, window, alpha, content: Content::NOTHING })
}
