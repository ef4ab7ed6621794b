//! The reference quantities of relative units: the font, the viewport, the page and the current colour.

use color::DynamicColor;

/// The sizes of a font, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metrics {
    /// The font size.
    pub(crate) size: f64,
    /// The height of an `x`.
    pub(crate) ex: f64,
    /// The height of an `H`.
    pub(crate) cap: f64,
    /// The advance of a `0`.
    pub(crate) ch: f64,
    /// The distance between lines.
    pub(crate) line: f64,
    /// The height of a line without the gap to the next.
    pub(crate) height: f64,
    /// Whether `ex` and `cap` differ from those of browsers, which measure outlines fitted to pixels.
    pub(crate) is_rough: bool,
}

impl Metrics {
    /// Returns the metrics that CSS assumes for an unknown font.
    pub(crate) fn of_size(size: f64) -> Self {
        let (half, line) = (size / 2.0, size * 1.2);
        Self { size, ex: half, cap: size, ch: half, line, height: line, is_rough: false }
    }
}

/// The reference quantities of relative units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Environment {
    pub(crate) font: Metrics,
    pub(crate) root_font: Metrics,
    /// The size of the nearest viewport, in its own units; `None` if it depends on where a definition is used.
    pub(crate) view: Option<(f64, f64)>,
    /// The size of the page.
    pub(crate) page: (f64, f64),
    /// Whether the only font family is `monospace`, for which browsers use smaller keyword sizes.
    pub(crate) is_mono: bool,
    /// The current colour.
    pub(crate) colour: DynamicColor,
    /// Whether `light-dark` selects dark.
    pub(crate) is_dark: bool,
}

/// The default font size in pixels, as in browsers.
pub(crate) const FONT_SIZE: f64 = 16.0;

/// The default font size of the family `monospace`, in pixels.
pub(crate) const MONO_SIZE: f64 = 13.0;

impl Default for Environment {
    /// The environment of the root of a drawing without a size.
    fn default() -> Self {
        let (page, font) = ((100.0, 100.0), Metrics::of_size(FONT_SIZE));
        Self {
            font,
            root_font: font,
            view: Some(page),
            page,
            is_mono: false,
            colour: DynamicColor::from_alpha_color(color::palette::css::BLACK),
            is_dark: false,
        }
    }
}
