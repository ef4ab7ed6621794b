//! Moves the opacity of a group to its draws.
//!
#![doc = include_str!("../../../docs/opacity.svg")]
//!
//! The rule removes a layer with an alpha below 1 that is painted `over`, cuts nothing, and contains a single draw or
//! draws whose boxes do not overlap. Its alpha then multiplies the alpha of each draw. This works for fills, strokes
//! and shadows of solid colours, and for fills and strokes of images. Groups with glyphs are kept, because the glyphs
//! of one run may overlap, and bitmap glyphs have no alpha to multiply.
//!
//! *Why the picture stays the same.* At most one draw covers each pixel. Painting it and then multiplying by alpha
//! equals multiplying its colour first, in exact arithmetic. With 8 bits per channel, the layer rounds three times and
//! the draw once, so a channel may differ by two steps in 255. The rule is therefore off by default, and requires
//! [`Exactness::Rounding`](crate::Exactness::Rounding).

use crate::bounds::commands::{Kind, ROOT, Role};
use crate::optimizer::plan::{Content, Plan};
use crate::optimizer::rules::clips;
use anyrender::Paint;
use anyrender::recording::RenderCommand;

/// Folds the alpha of this layer into its draws, if they support it. Returns whether the layer was folded. [`fade`]
/// multiplies the alphas later.
pub(crate) fn fold(plan: &mut Plan<'_>, index: usize, content: &Content) -> bool {
    let layer = &plan.layers[index];
    let alone = !content.overlaps && !content.has_layers && !layer.is_read;
    let fades = content.has_alphas && (0.0..=1.0).contains(&layer.alpha);
    if layer.kind != Kind::Opacity || !alone || !fades {
        return false;
    }
    let shown = content.raw.intersect(plan.window_around(layer));
    if !clips::cuts_nothing(plan, layer, shown) {
        return false;
    }
    plan.layers[index].is_folded = true;
    // A single draw may still get another shape, and is then checked again.
    plan.items[content.last_draw].is_opaque = false;
    true
}

/// Multiplies each draw with the alphas of all folded layers around it. One pass visits each draw once, at any depth.
pub(crate) fn fade(plan: &mut Plan<'_>) {
    // From here on, the alpha of a layer is the factor for its draws: one, unless a layer around them is folded.
    for index in 0..plan.layers.len() {
        let around = fade_in(plan, plan.layers[index].parent);
        let layer = &mut plan.layers[index];
        layer.alpha = if layer.is_folded { around * layer.alpha } else { around };
    }
    for index in 0..plan.items.len() {
        let item = &plan.items[index];
        let fade = fade_in(plan, item.layer);
        if item.kept
            && item.role == Role::Draw
            && fade < 1.0
            && let Some(alpha) = alpha_of(&mut plan.commands[index])
        {
            *alpha *= fade;
        }
    }
}

fn fade_in(plan: &Plan<'_>, layer: u32) -> f32 {
    if layer == ROOT { 1.0 } else { plan.layers[layer as usize].alpha }
}

/// The alpha of a draw's brush, if one alpha applies to the whole draw.
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
