//! Estimates the blend spill of a frame from its layers, before anything is rendered.
//!
//! Vello's last stage stores the pixels behind the four outermost layers of a tile in registers. The pixels behind all other layers go
//! to the blend spill, one word each. A tile with `m` layers needs `m - 4` words per pixel:
//!
//! ```text
//! depth   0   1   2   3 | 4   5   6      at most four of the layers on a tile have a depth below 4,
//!         r   r   r   r | w   w   w      so at least m - 4 layers have a larger depth
//! ```
//!
//! Therefore, the total area of all layers with a depth of 4 or more is sufficient, and each depth covers at most the whole target. A
//! layer that blends covers its box. Vello skips layers that only clip on tiles completely inside their paths, so such a layer covers
//! only the tiles along the edges of its path. Their number is estimated by the tiles along the border of its box. If the path has
//! longer edges, the estimate may be too low, and the frame is rendered again.

use super::Clips;
use crate::Frame;
use crate::check::LAYERS_IN_REGISTERS;
use core::num::NonZeroU16;
use treebounds::treebounds_core::layer_plan::{LayerExtent, LayerNodes, LayerRules, layer_plan};
use treebounds::treebounds_core::{Rect, Tag, reference};
use vello_encoding::Encoding;

const TILE: NonZeroU16 = NonZeroU16::new(16).expect("not zero");

/// The maximum estimate, 256 MiB. Beyond it, the frame is rendered without a plan.
const MOST_WORDS: u64 = 1 << 26;

/// Estimates the words of blend spill. `None` if the encoding cannot be read or the estimate is too large.
pub(super) fn words(encoding: &Encoding, frame: &Frame, clips: Clips) -> Option<u32> {
    let size = [frame.width as f32, frame.height as f32];
    let stream = treebounds_encoding::vello::encode(encoding, size[0], size[1]).ok()?.stream;
    let boxes = match clips {
        Clips::TreeboundsShrink => LayerExtent::Content,
        Clips::Treebounds | Clips::Vello => LayerExtent::Clip,
    };
    let rules = LayerRules { nodes: LayerNodes::All, boxes, snap: TILE };
    let plan = layer_plan(&stream, &reference::bounds(&stream), &rules);
    let mut by_depth = vec![0_u64; plan.by_depth.len().saturating_sub(LAYERS_IN_REGISTERS)];
    for layer in &plan.layers {
        let deep = (layer.depth as usize).checked_sub(LAYERS_IN_REGISTERS);
        if let Some(words) = deep.and_then(|deep| by_depth.get_mut(deep)) {
            let blends = stream.tags()[layer.element as usize].bits() & Tag::BLEND != 0;
            *words += if blends { layer.area.into() } else { border(layer.rect) };
        }
    }
    let target = Rect::new(0.0, 0.0, size[0], size[1]);
    let side = f64::from(TILE.get());
    let all = (target.width() / side).ceil() * (target.height() / side).ceil() * side * side;
    let words: u64 = by_depth.iter().map(|words| (*words).min(all as u64)).sum();
    (words <= MOST_WORDS).then_some(words as u32)
}

/// The number of pixels in the outermost tiles of a box of whole tiles.
fn border(rect: Rect) -> u64 {
    let inside = |side: f64| (side - 2.0 * f64::from(TILE.get())).max(0.0);
    (rect.area() - inside(rect.width()) * inside(rect.height())) as u64
}
