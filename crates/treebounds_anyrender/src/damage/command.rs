//! Measurements of a single command.

use crate::bounds::commands::{Layer, ROOT};
use crate::bounds::draw;
use crate::bounds::filter;
use crate::bounds::glyphs::GlyphBoxes;
use crate::bounds::measure::read_layer;
use crate::bounds::outline::device_rect;
use crate::bounds::pixels::Pixels;
use crate::bounds::stream::{node_of, rect_of};
use anyrender::Paint;
use anyrender::recording::{FillCommand, RenderCommand};
use treebounds_core::{Footprint, Rect, Tag};

use super::appearance::plain_number;

/// The boxes and effects of a command, independent of the layers around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredCommand {
    pub(super) tag: Tag,
    /// The pixels that a draw, or the clip of a push, touches.
    pub(super) rect: Rect,
    /// The footprint of a layer's filter, for its push and its pop. It is unlimited if the result depends on the box of
    /// all content, visible or not: any change inside may then change the whole result.
    pub(super) footprint: Footprint,
    /// The reach of a layer's reads from the pixels behind it, if any.
    pub(super) backdrop: Option<Footprint>,
    pub(super) plain: Plain,
}

/// The pixels that a command changes in the same way, and the number of that change. The command paints a plain colour,
/// or is a layer that cuts none of these pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plain {
    pub(super) pixels: Pixels,
    pub(super) number: u64,
}

/// The coordinate limit of boxes that can be moved. Beyond it, `f32` represents fractions of a pixel less precisely.
const NEAR: f32 = 8_192.0;

impl MeasuredCommand {
    fn new(tag: Tag, rect: Rect) -> Self {
        let (footprint, plain) = (Footprint::IDENTITY, Plain::default());
        Self { tag, rect, footprint, backdrop: None, plain }
    }

    /// Returns the entry of the matching pop.
    pub(super) fn closing(&self) -> Self {
        Self { footprint: self.footprint, ..Self::new(self.tag.closing(), Rect::NOTHING) }
    }

    /// Whether the content counts as part of the layer's appearance.
    pub(super) fn is_rigid(&self) -> bool {
        self.footprint == Footprint::EVERYWHERE
    }

    /// Whether the layer has a node for its filter inside its own node.
    pub(super) fn spreads(&self) -> bool {
        self.footprint != Footprint::IDENTITY
    }

    /// Returns this entry for the same command at another position. `None` if the command must be measured there.
    pub(super) fn moved(&self, by: [i32; 2]) -> Option<Self> {
        if by == [0, 0] {
            return Some(*self);
        }
        let rect = moved(self.rect, by);
        let is_near = |rect: Rect| rect.to_array().iter().all(|edge| edge.abs() < NEAR);
        let stays = self.rect.is_empty() || self.rect == Rect::EVERYTHING;
        if !(stays || is_near(self.rect) && is_near(rect)) {
            return None;
        }
        let Pixels { x0, y0, x1, y1 } = self.plain.pixels;
        let mut moved = Self { rect, ..*self };
        if !self.plain.pixels.is_empty() {
            moved.plain.pixels = Pixels::new(x0 + by[0], y0 + by[1], x1 + by[0], y1 + by[1]);
        }
        Some(moved)
    }
}

/// Moves the rect, except for far edges.
pub(super) fn moved(rect: Rect, by: [i32; 2]) -> Rect {
    if rect.is_empty() {
        return Rect::NOTHING;
    }
    let [x, y] = by.map(|by| by as f32);
    Rect::new(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y)
}

#[derive(Debug, Default)]
pub(super) struct Meter {
    glyphs: GlyphBoxes,
    pub(super) bits: bool,
    pub(super) vertical_hinting: bool,
}

impl Meter {
    /// Measures a push or a draw.
    ///
    /// # Errors
    /// The name of the part with a non-finite number.
    pub(super) fn measure(
        &mut self,
        command: &RenderCommand,
    ) -> Result<MeasuredCommand, &'static str> {
        let touched = match command {
            RenderCommand::Fill(fill) => return measure_fill(fill, command),
            RenderCommand::Stroke(stroke) => draw::of_stroke(stroke)?,
            RenderCommand::BoxShadow(shadow) => draw::of_shadow(shadow)?,
            RenderCommand::GlyphRun(run) => {
                draw::of_glyphs(run, &mut self.glyphs, self.vertical_hinting)?
            }
            RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => {
                return self.measure_layer(command);
            }
            RenderCommand::PopLayer => Pixels::NOTHING,
        };
        Ok(MeasuredCommand::new(Tag::DRAW, rect_of(touched)))
    }

    fn measure_layer(&self, command: &RenderCommand) -> Result<MeasuredCommand, &'static str> {
        let mut layer = Layer::new(0, ROOT);
        read_layer(command, &mut layer, self.bits)?;
        let (tag, _) = node_of(&layer, command);
        let mut entry = MeasuredCommand::new(tag, rect_of(layer.clip));
        entry.footprint = footprint_of(&layer);
        if layer.reads_backdrop {
            // The filter may show its backdrop anywhere in the layer.
            entry.tag = tag.fills();
            entry.backdrop = Some(backdrop_of(command, &layer, self.bits));
        } else if let (None, Some(rect)) = (layer.footprint, layer.rect) {
            entry.plain = plain(command, Pixels::inside(rect));
        }
        Ok(entry)
    }
}

fn measure_fill(
    fill: &FillCommand,
    command: &RenderCommand,
) -> Result<MeasuredCommand, &'static str> {
    let rect = device_rect(&fill.shape, fill.transform);
    let mut entry = MeasuredCommand::new(Tag::DRAW, rect_of(draw::of_fill(fill, rect)?));
    if let (Some(rect), Paint::Solid(color)) = (rect, &fill.brush)
        && color.components[3] >= 1.0
    {
        entry.plain = plain(command, Pixels::inside(rect));
    }
    Ok(entry)
}

fn plain(command: &RenderCommand, pixels: Pixels) -> Plain {
    Plain { pixels, number: plain_number(command) }
}

fn footprint_of(layer: &Layer) -> Footprint {
    match layer.footprint {
        None => Footprint::IDENTITY,
        Some(_) if layer.is_rigid => Footprint::EVERYWHERE,
        Some(footprint) => footprint,
    }
}

/// Returns the reach of the layer's reads from the pixels behind it: through its backdrop filter, and then through its
/// own filter.
fn backdrop_of(push: &RenderCommand, layer: &Layer, bits: bool) -> Footprint {
    let RenderCommand::PushLayer(push) = push else { return Footprint::IDENTITY };
    let own = footprint_of(layer);
    let Some(behind) = &push.backdrop_filter else { return own };
    let behind = filter::backdrop(behind, push.transform, bits);
    behind.hull(behind.then(own))
}
