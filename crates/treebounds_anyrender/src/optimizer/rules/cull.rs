//! Removes invisible commands.
//!
#![doc = include_str!("../../../docs/cull.svg")]
//!
//! The rule removes a draw if its box does not overlap the area in which it can be visible: the viewport, intersected
//! with the clips of all layers around the draw. Inside a filter, that area grows by what the filter reads. A fill,
//! stroke or shadow whose colour has alpha 0 is removed anywhere. A layer is removed with its content if nothing in it
//! can be visible, or if its alpha is 0. The content of such a layer is not even read, so the part of a page that is
//! scrolled out of view costs little.
//!
//! *Why the picture stays the same.* Boxes are never too small, so a draw outside the visible area changes no pixel of
//! the picture. If the blend mode of a layer changes pixels outside the layer, the layer's box is the box of its
//! parent, and the two are culled together.

use crate::bounds::commands::Role;
use crate::optimizer::plan::Plan;

pub(crate) fn run(plan: &mut Plan<'_>) {
    let mut index = 0;
    while index < plan.items.len() {
        let item = &plan.items[index];
        match item.role {
            Role::Draw if item.is_transparent || !item.own.intersects(plan.window_of(item)) => {
                plan.items[index].kept = false;
                plan.report.culled_draws += 1;
            }
            Role::Push => {
                let layer = &plan.layers[item.layer as usize];
                if layer.is_hidden(plan.window_around(layer)) {
                    plan.items[index..=layer.pop].iter_mut().for_each(|item| item.kept = false);
                    plan.report.culled_layers += 1;
                    index = layer.pop;
                } else if layer.is_rigid {
                    index = layer.pop;
                }
            }
            Role::Draw | Role::Pop => {}
        }
        index += 1;
    }
}
