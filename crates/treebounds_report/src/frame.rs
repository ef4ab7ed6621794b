//! The size of a picture, and the scale of the drawing in it.

use treebounds_core::Rect;

/// The part of a picture that shows the drawing, starting at the top left corner. One drawing pixel takes
/// [`scale`](Self::scale) picture pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureFrame {
    width: u32,
    height: u32,
    scale: f64,
}

/// The reason why a picture of this size is impossible.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureFrameError {
    /// The drawing has no area.
    #[error("the drawing is {width} x {height} pixels, which leaves nothing to show")]
    NoArea {
        /// The drawing's width.
        width: f32,
        /// The drawing's height.
        height: f32,
    },
    /// The scale is not a positive number.
    #[error("a scale of {scale} is not a positive number")]
    BadScale {
        /// The requested scale.
        scale: f64,
    },
    /// The picture would be too large.
    #[error(
        "the picture would be {width} x {height} pixels, more than {max_side} on a side or {max_pixels} in all; choose a smaller size",
        width = pixels(*width),
        height = pixels(*height),
        max_side = PictureFrame::MAX_SIDE,
        max_pixels = PictureFrame::MAX_PIXELS
    )]
    TooLarge {
        /// The picture's width.
        width: f64,
        /// The picture's height.
        height: f64,
    },
}

/// Formats a number of pixels in full, or with an exponent if it is absurdly large.
fn pixels(side: f64) -> String {
    if side < 1e9 { format!("{side:.0}") } else { format!("{side:.0e}") }
}

impl PictureFrame {
    /// The maximum width and height of a picture.
    pub const MAX_SIDE: u32 = 16_384;
    const MAX_PIXELS: u32 = 1 << 26;
    /// The range in which [`PictureFrame::fit`] keeps the longer side.
    const FIT: [f64; 2] = [1_000.0, 2_000.0];
    /// The minimum length of the shorter side; takes precedence over `FIT`.
    const FIT_SHORT: f64 = 300.0;
    /// The maximum length of the longer side when the drawing is enlarged for `FIT_SHORT`.
    const FIT_LONG: f64 = 8_000.0;

    /// Picks a size that suits a screen: the drawing's own size if its longer side has 1,000 to 2,000 pixels, otherwise
    /// scaled to the nearer of the two. Very tall and very wide drawings are enlarged until the shorter side has 300 pixels
    /// or the longer side has 8,000.
    ///
    /// # Errors
    /// [`PictureFrameError::NoArea`].
    pub fn fit(width: f32, height: f32) -> Result<Self, PictureFrameError> {
        let (longer, shorter) = (f64::from(width.max(height)), f64::from(width.min(height)));
        let fitted = longer.clamp(Self::FIT[0], Self::FIT[1]) / longer;
        let seen = (Self::FIT_SHORT / shorter).min(Self::FIT_LONG / longer);
        Self::with_scale(width, height, if seen.is_finite() { fitted.max(seen) } else { fitted })
    }

    /// Picks the scale that makes the drawing `pixels` wide.
    ///
    /// # Errors
    /// [`PictureFrameError::NoArea`] or [`PictureFrameError::TooLarge`].
    pub fn with_width(width: f32, height: f32, pixels: u32) -> Result<Self, PictureFrameError> {
        Self::with_scale(width, height, f64::from(pixels) / f64::from(width))
    }

    /// Uses `scale` picture pixels per drawing pixel.
    ///
    /// # Errors
    /// [`PictureFrameError::NoArea`], [`PictureFrameError::BadScale`] or [`PictureFrameError::TooLarge`].
    pub fn with_scale(width: f32, height: f32, scale: f64) -> Result<Self, PictureFrameError> {
        let has_area = |side: f32| side.is_finite() && side > 0.0;
        if !(has_area(width) && has_area(height)) {
            return Err(PictureFrameError::NoArea { width, height });
        }
        if !(scale.is_finite() && scale > 0.0) {
            return Err(PictureFrameError::BadScale { scale });
        }
        let [w, h] = [width, height].map(|side| (f64::from(side) * scale).round().max(1.0));
        if w.max(h) > f64::from(Self::MAX_SIDE) || w * h > f64::from(Self::MAX_PIXELS) {
            return Err(PictureFrameError::TooLarge { width: w, height: h });
        }
        Ok(Self { width: w as u32, height: h as u32, scale })
    }

    /// Width in picture pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in picture pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Picture pixels per drawing pixel.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the rect's edges in whole picture pixels, clamped far outside the picture. `None` if the rect is empty.
    pub(crate) fn place(&self, rect: Rect) -> Option<[i32; 4]> {
        let far = f64::from(Self::MAX_SIDE) * 4.0;
        let edge = |x: f32| (f64::from(x) * self.scale).round().clamp(-far, far) as i32;
        (!rect.is_empty()).then(|| rect.to_array().map(edge))
    }
}
