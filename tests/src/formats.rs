//! Rects in the formats that a renderer may have them in.

use treebounds::RectFormat;
use treebounds_core::{Rect, RectI16, RectI32};

/// Rects as words in a format, and the rects that they then are.
pub fn words_of(format: RectFormat, rects: &[Rect]) -> (Vec<u32>, Vec<Rect>) {
    let mut words: Vec<u32> = Vec::new();
    let mut seen = Vec::new();
    for &rect in rects {
        match format {
            RectFormat::F32 => {
                words.extend(rect.to_array().map(f32::to_bits));
                seen.push(rect);
            }
            RectFormat::I16 => {
                let packed = RectI16::from(rect);
                words.extend::<[u32; 2]>(bytemuck::cast(packed.0));
                seen.push(packed.to_rect());
            }
            RectFormat::I32 | RectFormat::PathBbox => {
                let packed = RectI32::from(rect);
                words.extend(packed.0.map(|edge| edge as u32));
                seen.push(packed.to_rect());
                if format == RectFormat::PathBbox {
                    words.extend([7, 9]);
                }
            }
        }
    }
    (words, seen)
}
