//! From the innermost layer outwards: which layers stay.

use crate::balance::ROOT;
use crate::plan::{Content, Kind, Plan};
use crate::rules::{clips, layers, nested, opacity};
use anyrender::recording::RenderCommand;

/// Settles every layer, in the order of their pops.
pub(crate) fn run(plan: &mut Plan<'_>) {
    let mut root = Content::NOTHING;
    let mut index = 0;
    while index < plan.items.len() {
        let item = plan.items[index];
        if item.kept {
            if let Some(layer) = plan.pushed(index) {
                if plan.layers[layer].kind == Kind::Filter {
                    keep(plan, &mut root, layer);
                    index = plan.layers[layer].span.pop;
                }
            } else if matches!(plan.commands[index], RenderCommand::PopLayer) {
                settle(plan, &mut root, item.layer as usize);
            } else {
                content_of(plan, &mut root, item.layer).add_draw(index, &item);
            }
        }
        index += 1;
    }
}

fn content_of<'a>(plan: &'a mut Plan<'_>, root: &'a mut Content, layer: u32) -> &'a mut Content {
    if layer == ROOT { root } else { &mut plan.layers[layer as usize].content }
}

/// Decides on one layer; all that is in it is settled.
fn settle(plan: &mut Plan<'_>, root: &mut Content, index: usize) {
    let options = plan.options;
    let layer = plan.layers[index];
    if options.layers && layers::is_empty(&layer) {
        plan.report.empty_layers += 1;
        return remove(plan, index);
    }
    if options.clips && clips::shape_draw(plan, &layer) {
        plan.report.shaped_draws += 1;
        let mut content = Content::NOTHING;
        let draw = layer.content.last_draw;
        content.add_draw(draw, &plan.items[draw]);
        return undo(plan, root, index, &content);
    }
    if let Some(rule) = idle_by(plan, index) {
        let raw = layer.content.raw;
        let is_fresh = !content_of(plan, root, layer.span.parent).touched.intersects(raw);
        if options.rounds() || layers::rounds_nothing(&layer, is_fresh) {
            count(plan, rule);
            return undo(plan, root, index, &layer.content);
        }
        plan.report.kept_for_rounding += 1;
    }
    if options.opacity && options.rounds() && opacity::fold(plan, &layer) {
        plan.report.folded_groups += 1;
        let content = Content { is_hard: false, ..layer.content };
        return undo(plan, root, index, &content);
    }
    if options.clips && clips::simplify(plan, &layer) {
        plan.report.simpler_clips += 1;
    } else if options.nested && nested::shrink(plan, &layer) {
        plan.report.shrunk_layers += 1;
    }
    keep(plan, root, index);
}

/// Why a layer that does nothing does nothing.
enum Idle {
    Layer,
    Clip,
    Nested,
}

/// Whether the layer does nothing, by a rule that is on.
fn idle_by(plan: &Plan<'_>, index: usize) -> Option<Idle> {
    let layer = &plan.layers[index];
    if !layers::is_idle(layer) {
        return None;
    }
    let options = plan.options;
    let on = if layer.is_clip { options.clips } else { options.layers };
    let raw = layer.content.raw;
    if on && clips::cuts_nothing(plan, layer, raw) {
        return Some(if layer.is_clip { Idle::Clip } else { Idle::Layer });
    }
    let left = raw.intersect(plan.window_around(layer));
    (options.nested && left != raw && clips::cuts_nothing(plan, layer, left))
        .then_some(Idle::Nested)
}

fn count(plan: &mut Plan<'_>, rule: Idle) {
    match rule {
        Idle::Layer => plan.report.idle_layers += 1,
        Idle::Clip => plan.report.idle_clips += 1,
        Idle::Nested => plan.report.nested_clips += 1,
    }
}

/// The push and the pop of the layer go.
fn remove(plan: &mut Plan<'_>, index: usize) {
    let span = plan.layers[index].span;
    plan.items[span.push].kept = false;
    plan.items[span.pop].kept = false;
}

/// The layer goes, its content is its parent's.
fn undo(plan: &mut Plan<'_>, root: &mut Content, index: usize, content: &Content) {
    remove(plan, index);
    content_of(plan, root, plan.layers[index].span.parent).add_content(content);
}

/// The layer stays.
fn keep(plan: &mut Plan<'_>, root: &mut Content, index: usize) {
    let layer = plan.layers[index];
    let blends = !matches!(layer.kind, Kind::Plain | Kind::Opacity) || layer.span.is_read;
    let pixels = match layer.kind {
        // All that the clips around it leave, and those may yet go.
        Kind::NonLocal | Kind::Filter => plan.viewport,
        _ => layer.content.raw.intersect(layer.clip),
    };
    content_of(plan, root, layer.span.parent).add_layer(pixels, blends);
}
