//! How large the picture is, and where in it the drawing lies.

use treebounds_core::Rect;

/// The part of a picture that shows the drawing: its top left corner is the
/// drawing's, and one drawing pixel is [`scale`](Self::scale) picture pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    width: u32,
    height: u32,
    scale: f64,
}

/// Why there can be no such picture.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The drawing has no area.
    #[error("the drawing is {width} x {height} pixels, which leaves nothing to show")]
    NoArea {
        /// Its width.
        width: f32,
        /// Its height.
        height: f32,
    },
    /// The scale is not a positive number.
    #[error("a scale of {scale} is not a positive number")]
    BadScale {
        /// The scale asked for.
        scale: f64,
    },
    /// The picture would be too large.
    #[error(
        "the picture would be {width} x {height} pixels; it may have {max_side} a side and {max_pixels} in all",
        width = pixels(*width),
        height = pixels(*height),
        max_side = Frame::MAX_SIDE,
        max_pixels = Frame::MAX_PIXELS
    )]
    TooLarge {
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    },
}

/// A number of pixels: the whole of it, or its size where that is all it says.
fn pixels(side: f64) -> String {
    if side < 1e9 { format!("{side:.0}") } else { format!("{side:.0e}") }
}

impl Frame {
    /// The most pixels a side that a picture may have.
    pub const MAX_SIDE: u32 = 16_384;
    /// The most pixels in all.
    pub const MAX_PIXELS: u32 = 1 << 26;
    /// [`Frame::fit`] makes the longer side no shorter than this ...
    pub const FIT_MIN: u32 = 1_000;
    /// ... and no longer than this ...
    pub const FIT_MAX: u32 = 2_000;
    /// ... unless the shorter one would be shorter than this; then the longer side is
    pub const FIT_SHORT: u32 = 300;
    /// no longer than this.
    pub const FIT_LONG: u32 = 8_000;

    /// A size that suits a screen: the drawing's own where its longer side has
    /// 1,000 to 2,000 pixels, else scaled to the nearer of these. Very tall and very wide drawings are larger, so that
    /// their shorter side is to be seen: up to 300 pixels, and 8,000 on the longer side.
    ///
    /// # Errors
    /// [`FrameError::NoArea`].
    pub fn fit(width: f32, height: f32) -> Result<Self, FrameError> {
        let (longer, shorter) = (f64::from(width.max(height)), f64::from(width.min(height)));
        let fitted = longer.clamp(f64::from(Self::FIT_MIN), f64::from(Self::FIT_MAX)) / longer;
        let seen = (f64::from(Self::FIT_SHORT) / shorter).min(f64::from(Self::FIT_LONG) / longer);
        Self::new(width, height, if seen.is_finite() { fitted.max(seen) } else { fitted })
    }

    /// A picture that shows the drawing this many pixels wide.
    ///
    /// # Errors
    /// [`FrameError::NoArea`], or [`FrameError::TooLarge`].
    pub fn with_width(width: f32, height: f32, pixels: u32) -> Result<Self, FrameError> {
        Self::new(width, height, f64::from(pixels) / f64::from(width))
    }

    /// This many picture pixels for a drawing pixel.
    ///
    /// # Errors
    /// [`FrameError::NoArea`], [`FrameError::BadScale`] or
    /// [`FrameError::TooLarge`].
    pub fn with_scale(width: f32, height: f32, scale: f64) -> Result<Self, FrameError> {
        Self::new(width, height, scale)
    }

    fn new(width: f32, height: f32, scale: f64) -> Result<Self, FrameError> {
        let has_area = |side: f32| side.is_finite() && side > 0.0;
        if !(has_area(width) && has_area(height)) {
            return Err(FrameError::NoArea { width, height });
        }
        if !(scale.is_finite() && scale > 0.0) {
            return Err(FrameError::BadScale { scale });
        }
        let [w, h] = [width, height].map(|side| (f64::from(side) * scale).round().max(1.0));
        if w.max(h) > f64::from(Self::MAX_SIDE) || w * h > f64::from(Self::MAX_PIXELS) {
            return Err(FrameError::TooLarge { width: w, height: h });
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

    /// Picture pixels for a drawing pixel.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The rect's edges in picture pixels, where a pixel is whole; `None` where
    /// it is empty. Edges far outside stay within what `i32` holds.
    pub(crate) fn place(&self, rect: Rect) -> Option<[i32; 4]> {
        let far = f64::from(Self::MAX_SIDE) * 4.0;
        let edge = |x: f32| (f64::from(x) * self.scale).round().clamp(-far, far) as i32;
        (!rect.is_empty()).then(|| rect.to_array().map(edge))
    }
}
