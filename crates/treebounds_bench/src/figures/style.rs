//! How each strategy looks.
//!
//! The colours are of Okabe and Ito's set, which people with any common colour
//! vision can tell apart, and shades of them for lines of ours; every line is labelled where it ends as well.

use plotters::style::{Color, FontFamily, IntoFont, RGBColor, TextStyle};

/// Letters and axes.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// What explains.
pub(super) const SOFT: RGBColor = RGBColor(102, 102, 102);
/// Behind everything else.
pub(super) const GRID: RGBColor = RGBColor(228, 228, 228);

/// The look of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) color: RGBColor,
    pub(super) width: u32,
    /// Radius of the points; 0 for none.
    pub(super) point: i32,
}

const BLUE: RGBColor = RGBColor(0, 114, 178);
const SKY: RGBColor = RGBColor(66, 160, 216);
const NAVY: RGBColor = RGBColor(24, 52, 112);
const TEAL: RGBColor = RGBColor(0, 152, 168);
const LILAC: RGBColor = RGBColor(132, 124, 206);
const GREEN: RGBColor = RGBColor(0, 128, 96);
const PURPLE: RGBColor = RGBColor(170, 68, 136);
const VERMILLION: RGBColor = RGBColor(213, 94, 0);
const ORANGE: RGBColor = RGBColor(184, 128, 0);
const BLACK: RGBColor = RGBColor(60, 60, 60);

/// The look of a strategy's line.
pub(super) fn look(strategy: &str) -> Look {
    let thin = |color| Look { color, width: 2, point: 3 };
    match strategy {
        crate::ours::NAME => Look { color: BLUE, width: 4, point: 5 },
        crate::ours::BITS => Look { color: SKY, width: 3, point: 4 },
        crate::bounds::FUSED => Look { color: BLUE, width: 4, point: 5 },
        crate::bounds::NODES => Look { color: NAVY, width: 3, point: 4 },
        crate::bounds::NODE_CLIPS => Look { color: TEAL, width: 3, point: 3 },
        crate::bounds::CLIPS => Look { color: SKY, width: 3, point: 3 },
        crate::bounds::BLENDS => Look { color: LILAC, width: 3, point: 3 },
        crate::copy::NAME => Look { color: BLACK, width: 2, point: 0 },
        crate::bounds::VELLO_CPU => thin(ORANGE),
        _ if is_paper(strategy) || strategy == crate::bounds::VELLO_GPU => thin(VERMILLION),
        _ if strategy.contains("all cores") => thin(GREEN),
        _ => thin(PURPLE),
    }
}

/// Whether it is one of the paper's algorithms.
pub(super) fn is_paper(strategy: &str) -> bool {
    strategy.starts_with(crate::paper::FAMILY)
}

/// Text of a size.
pub(super) fn text(size: i32, color: RGBColor) -> TextStyle<'static> {
    (FontFamily::SansSerif, size).into_font().color(&color.to_rgba())
}

/// About how wide a text of a size is.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    (0.42 * f64::from(size) * text.chars().count() as f64) as i32
}
