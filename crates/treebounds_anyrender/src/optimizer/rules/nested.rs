//! Removes clips that an outer clip makes redundant, and shrinks layers to their content.
//!
#![doc = include_str!("../../../docs/nested.svg")]
//!
//! - A clip inside another clip is removed if it cuts nothing that the outer clips let through. The pass runs from the
//!   innermost clip outwards. Once a clip is removed, its whole content counts as content of the next, so one of two
//!   equal clips remains.
//! - A remaining layer whose clip is an axis-aligned rectangle is clipped to the box of its visible content, or of its
//!   filter's result.
//!
//! *Why the picture stays the same.* Pixels outside an outer clip are cut whether or not the inner clip cuts them
//! first, and the space between the content of a layer and its clip is empty. With
//! [`Exactness::Bits`](crate::Exactness::Bits), a new edge keeps a distance of eight pixels from the content, because
//! of [rounding](crate::rules).

use crate::bounds::pixels::Pixels;
use crate::optimizer::plan::{Content, Plan};
use crate::optimizer::rules::TILES;
use crate::optimizer::rules::clips::set_clip;
use kurbo::Rect;

/// A clip shrinks only if the layer loses at least one of every `WORTH` pixels.
const WORTH: u64 = 8;

/// Clips a remaining layer to its visible content, if that saves enough pixels. Returns whether the clip has changed.
pub(crate) fn shrink(plan: &mut Plan<'_>, index: usize, content: &Content) -> bool {
    let layer = &plan.layers[index];
    if layer.is_destructive || layer.reads_backdrop || layer.is_read {
        return false;
    }
    let window = layer.clip.intersect(plan.window_around(layer));
    let content = layer.painted(content.raw).intersect(window);
    if content.is_empty() {
        // Culling removes such a layer.
        return false;
    }
    let target = if plan.options.rounds() { content } else { tiles_around(content) };
    if target.intersect(layer.clip).area() + layer.clip.area() / WORTH >= layer.clip.area() {
        return false;
    }
    let Some(rect) = layer.rect else { return false };
    let target = target.rect();
    // An edge that the content reaches keeps its position, even in the middle of a pixel.
    let rect = Rect::new(
        rect.x0.max(target.x0),
        rect.y0.max(target.y0),
        rect.x1.min(target.x1),
        rect.y1.min(target.y1),
    );
    if !set_clip(&mut plan.commands[layer.push], rect) {
        return false;
    }
    plan.layers[index].clip = Pixels::around(rect).intersect(plan.view_around(&plan.layers[index]));
    true
}

/// Rounds outward to whole tiles of 4 x 4 pixels, and adds a border of one tile.
fn tiles_around(pixels: Pixels) -> Pixels {
    let (half, tile) = (TILES / 2, TILES / 2);
    let down = |v: i32| v.div_euclid(tile) * tile - half;
    let up = |v: i32| -(-v).div_euclid(tile) * tile + half;
    Pixels::new(down(pixels.x0), down(pixels.y0), up(pixels.x1), up(pixels.y1))
}
