//! What a frame is painted on.

/// How edges are smoothed. The modes of Vello.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Antialiasing {
    /// The area of a pixel that is covered.
    #[default]
    Area,
    /// Eight samples a pixel.
    Msaa8,
    /// Sixteen samples a pixel.
    Msaa16,
}

/// Size and background of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// What is behind everything.
    pub base_color: peniko::Color,
    /// How edges are smoothed.
    pub antialiasing: Antialiasing,
}

impl Frame {
    /// A transparent frame of this size, smoothed by area.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            base_color: peniko::Color::TRANSPARENT,
            antialiasing: Antialiasing::Area,
        }
    }
}
