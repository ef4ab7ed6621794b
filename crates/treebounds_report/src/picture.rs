//! A finished picture.

use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use tiny_skia::Pixmap;

/// A finished picture.
#[derive(Clone, Debug)]
pub struct Picture {
    pixmap: Pixmap,
}

/// The picture cannot be written as PNG.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the picture cannot be written as PNG: {0}")]
pub struct PngError(String);

impl Picture {
    pub(crate) fn new(pixmap: Pixmap) -> Self {
        Self { pixmap }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Height in pixels: the drawing's and the legend's.
    pub fn height(&self) -> u32 {
        self.pixmap.height()
    }

    /// The pixels, four bytes each: red, green, blue and 255, row by row.
    pub fn pixels(&self) -> &[u8] {
        self.pixmap.data()
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// [`PngError`].
    pub fn to_png(&self) -> Result<Vec<u8>, PngError> {
        let mut file = Vec::new();
        PngEncoder::new(&mut file)
            .write_image(self.pixels(), self.width(), self.height(), ExtendedColorType::Rgba8)
            .map_err(|error| PngError(error.to_string()))?;
        Ok(file)
    }
}
