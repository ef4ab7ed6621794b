//! The opacity of a group becomes that of its draws.
//!
#![doc = include_str!("../../docs/opacity.svg")]
//!
//! A layer of an alpha below 1, painted `over`, that cuts nothing and holds one draw, or draws whose boxes do not overlap,
//! is undone, and its alpha multiplies that of each draw. Fills, strokes and shadows of solid colours; fills and strokes of
//! images. Glyphs are left alone: those of one run may overlap, and some fonts hold pictures that have no alpha to
//! multiply.
//!
//! *Why the picture stays the same.* Each pixel has one draw at most. To paint it and multiply it with alpha, or to
//! multiply its colour first, is the same in exact arithmetic. With 8 bits a channel it is rounded three times before and
//! once after, so that a channel may differ by two in 255: the rule is off by default, and needs
//! [`Exactness::Rounding`](crate::Exactness::Rounding).

use crate::plan::{Kind, Layer, Plan};
use crate::rules::clips;
use anyrender::Paint;
use anyrender::recording::RenderCommand;

/// Multiplies the draws of this layer with its alpha, if they can be. Whether it did.
pub(crate) fn fold(plan: &mut Plan<'_>, layer: &Layer) -> bool {
    let content = &layer.content;
    let alone = !content.overlaps && !content.has_layers && !layer.span.is_read;
    if layer.kind != Kind::Opacity || !alone || !(0.0..=1.0).contains(&layer.alpha) {
        return false;
    }
    let inside = layer.span.push + 1..layer.span.pop;
    let can_all = inside
        .clone()
        .all(|index| !plan.items[index].kept || alpha_of(&mut plan.commands[index]).is_some());
    if !can_all
        || !clips::cuts_nothing(plan, layer, content.raw.intersect(plan.window_around(layer)))
    {
        return false;
    }
    for index in inside {
        if !plan.items[index].kept {
            continue;
        }
        if let Some(alpha) = alpha_of(&mut plan.commands[index]) {
            *alpha *= layer.alpha;
        }
        plan.items[index].is_opaque = false;
    }
    true
}

/// The alpha of a draw's brush, where it has one that counts for the whole draw.
fn alpha_of(command: &mut RenderCommand) -> Option<&mut f32> {
    match command {
        RenderCommand::Fill(fill) => alpha_of_brush(&mut fill.brush),
        RenderCommand::Stroke(stroke) => alpha_of_brush(&mut stroke.brush),
        RenderCommand::BoxShadow(shadow) => Some(&mut shadow.brush.components[3]),
        _ => None,
    }
}

fn alpha_of_brush(brush: &mut Paint) -> Option<&mut f32> {
    match brush {
        Paint::Solid(color) => Some(&mut color.components[3]),
        Paint::Image(image) => Some(&mut image.sampler.alpha),
        Paint::Gradient(_) | Paint::Resource(_) | Paint::Custom(_) => None,
    }
}
