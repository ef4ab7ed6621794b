//! Decides which layers remain, from the innermost outwards.

use crate::bounds::commands::{Kind, Role};
use crate::optimizer::plan::{Content, Plan};
use crate::optimizer::rules::{clips, layers, nested, opacity};

/// Decides for every layer, in the order of the pops, whether it remains. `open` is reused memory for the content
/// of the open layers.
pub(crate) fn run(plan: &mut Plan<'_>, open: &mut Vec<Content>) {
    let nothing = Content::nothing(&plan.options);
    open.clear();
    // The first entry is the content outside all layers; the last is the content of the innermost open layer.
    open.push(nothing);
    let mut index = 0;
    while index < plan.items.len() {
        let item = &plan.items[index];
        let layer = item.layer as usize;
        match (item.role, open.last_mut()) {
            _ if !item.kept => {}
            (_, None) => {}
            (Role::Draw, Some(inside)) => inside.add_draw(index, item),
            (Role::Push, Some(around)) if plan.layers[layer].is_rigid => {
                keep(plan, layer, &nothing, around);
                index = plan.layers[layer].pop;
            }
            (Role::Push, _) => open.push(nothing),
            (Role::Pop, _) => {
                if let [.., around, content] = &mut open[..] {
                    settle(plan, layer, content, around);
                    open.pop();
                }
            }
        }
        index += 1;
    }
    if plan.report.folded_groups > 0 {
        opacity::fade(plan);
    }
}

/// Decides whether a layer remains, after the layers inside it. Adds the remaining content to the parent's.
fn settle(plan: &mut Plan<'_>, index: usize, content: &Content, around: &mut Content) {
    let options = plan.options;
    if options.layers && layers::is_empty(&plan.layers[index], content) {
        plan.report.empty_layers += 1;
        return remove(plan, index);
    }
    if options.clips && clips::shape_draw(plan, index, content) {
        plan.report.shaped_draws += 1;
        remove(plan, index);
        let mut shaped = Content::nothing(&options);
        shaped.add_draw(content.last_draw, &plan.items[content.last_draw]);
        return around.add_content(&shaped);
    }
    if let Some(rule) = idle_by(plan, index, content) {
        let is_fresh = !around.touched.intersects(content.raw);
        if options.rounds() || layers::rounds_nothing(content, is_fresh) {
            count(plan, rule);
            remove(plan, index);
            return around.add_content(content);
        }
        plan.report.kept_for_rounding += 1;
    }
    if options.opacity && options.rounds() && opacity::fold(plan, index, content) {
        plan.report.folded_groups += 1;
        remove(plan, index);
        return around.add_content(&Content { is_hard: false, ..*content });
    }
    if options.clips && clips::simplify(plan, index, content) {
        plan.report.simpler_clips += 1;
    } else if options.nested && nested::shrink(plan, index, content) {
        plan.report.shrunk_layers += 1;
    }
    keep(plan, index, content, around);
}

/// The reason why a layer has no effect.
enum Idle {
    Layer,
    Clip,
    Nested,
}

/// Returns the enabled rule by which the layer has no effect.
fn idle_by(plan: &Plan<'_>, index: usize, content: &Content) -> Option<Idle> {
    let layer = &plan.layers[index];
    if !layers::is_idle(layer, content) {
        return None;
    }
    let options = plan.options;
    let on = if layer.is_clip { options.clips } else { options.layers };
    if on && clips::cuts_nothing(plan, layer, content.raw) {
        return Some(if layer.is_clip { Idle::Clip } else { Idle::Layer });
    }
    let left = content.raw.intersect(plan.window_around(layer));
    (options.nested && left != content.raw && clips::cuts_nothing(plan, layer, left))
        .then_some(Idle::Nested)
}

fn count(plan: &mut Plan<'_>, rule: Idle) {
    match rule {
        Idle::Layer => plan.report.idle_layers += 1,
        Idle::Clip => plan.report.idle_clips += 1,
        Idle::Nested => plan.report.nested_clips += 1,
    }
}

fn remove(plan: &mut Plan<'_>, index: usize) {
    let layer = &plan.layers[index];
    plan.items[layer.push].kept = false;
    plan.items[layer.pop].kept = false;
}

fn keep(plan: &Plan<'_>, index: usize, content: &Content, around: &mut Content) {
    let layer = &plan.layers[index];
    let blends = !matches!(layer.kind, Kind::Plain | Kind::Opacity) || layer.is_read;
    let pixels = if layer.is_destructive {
        // The clips around the layer may still be removed, so they are ignored.
        plan.view_around(layer)
    } else {
        layer.painted(content.raw).intersect(layer.clip)
    };
    around.add_layer(pixels, blends);
}
