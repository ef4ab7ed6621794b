//! Brushes that hide everything behind them.

use anyrender::Paint;
use anyrender::recording::FillCommand;
use peniko::{ImageFormat, ImageQuality, ImageSampler};
use std::collections::HashMap;

/// The most images that are cached; the next one clears the cache, because a video has a new image in every frame.
const MOST: usize = 4_096;

/// A cache of which images are opaque, so that each is scanned once.
#[derive(Debug, Default)]
pub(crate) struct OpaqueImages {
    known: HashMap<u64, bool>,
}

impl OpaqueImages {
    /// Whether the brush is opaque everywhere: a solid colour, or an image of opaque pixels that is not blended with
    /// what is beside them. Gradients are not looked into, nor what only a renderer knows.
    ///
    /// An image seen through a transform that nearly flattens it paints nothing at all.
    #[inline]
    pub(crate) fn is_opaque(&mut self, fill: &FillCommand) -> bool {
        match &fill.brush {
            Paint::Solid(color) => color.components[3] >= 1.0,
            Paint::Image(image) => {
                let ImageSampler { quality, alpha, .. } = image.sampler;
                let plain = quality == ImageQuality::Low && alpha == 1.0;
                let seen = fill.transform * fill.brush_transform.unwrap_or_default();
                let is_flat = !(1e-4..1e8).contains(&seen.determinant().abs());
                plain
                    && !is_flat
                    && image.image.width > 0
                    && image.image.height > 0
                    && self.image(&image.image)
            }
            Paint::Gradient(_) | Paint::Resource(_) | Paint::Custom(_) => false,
        }
    }

    fn image(&mut self, image: &peniko::ImageData) -> bool {
        if !matches!(image.format, ImageFormat::Rgba8 | ImageFormat::Bgra8) {
            return false;
        }
        let pixels = image.width as usize * image.height as usize;
        if self.known.len() == MOST && !self.known.contains_key(&image.data.id()) {
            self.known.clear();
        }
        *self.known.entry(image.data.id()).or_insert_with(|| {
            let bytes = image.data.data();
            bytes.len() >= 4 * pixels && bytes.chunks_exact(4).all(|pixel| pixel[3] == 255)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use peniko::{Blob, ImageAlphaType, ImageData};

    #[test]
    fn images_are_bounded() {
        let mut images = OpaqueImages::default();
        for i in 0..10_000_u32 {
            let alpha = if i % 2 == 0 { 255 } else { 9 };
            let image = ImageData {
                data: Blob::from(vec![0, 0, 0, alpha]),
                format: ImageFormat::Rgba8,
                alpha_type: ImageAlphaType::Alpha,
                width: 1,
                height: 1,
            };
            assert_eq!((images.image(&image), images.image(&image)), (i % 2 == 0, i % 2 == 0));
            assert!(images.known.len() <= MOST);
        }
    }
}
