//! Removes what is invisible.
//!
#![doc = include_str!("../../docs/cull.svg")]
//!
//! A draw goes where the box of what it touches does not meet the box of what can be visible around it: the viewport, cut by
//! the clips of all layers around it. A fill, a stroke or a shadow whose colour has alpha 0 goes wherever it is. A
//! layer goes with all that is in it where nothing can be visible in it, or where its alpha is 0. What is in such a layer
//! is not even looked at, which makes a page that is scrolled far cheap.
//!
//! *Why the picture stays the same.* Boxes are never too small, so that a draw outside of its window changes no pixel of
//! the layer that reaches the picture. A blend mode that changes pixels where the layer is not has no box but
//! that of the layer around it, and so is culled only with that one.

use crate::pixels::Pixels;
use crate::plan::{Kind, Layer, Plan, Role};

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
                if is_hidden(layer, plan.window_around(layer)) {
                    plan.items[index..=layer.pop].iter_mut().for_each(|item| item.kept = false);
                    plan.report.culled_layers += 1;
                    index = layer.pop;
                } else if layer.kind == Kind::Filter {
                    index = layer.pop;
                }
            }
            Role::Draw | Role::Pop => {}
        }
        index += 1;
    }
}

/// Whether nothing of the layer can be seen, by what can be visible `around` it.
pub(crate) fn is_hidden(layer: &Layer, around: Pixels) -> bool {
    match layer.kind {
        Kind::NonLocal | Kind::Filter => around.is_empty(),
        Kind::Opacity if layer.alpha == 0.0 && !layer.is_read => true,
        _ => layer.window.is_empty(),
    }
}
