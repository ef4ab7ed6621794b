//! How each kind of box looks.
//!
//! The colours are of Okabe and Ito's set, which people with any common colour
//! vision can tell apart; the line's pattern says the same a second time.

/// The kinds of boxes, in the order they are drawn: patterns with gaps over
/// solid lines, so that boxes that coincide can all be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Nothing of it can be seen.
    Culled,
    /// Something painted.
    Draw,
    /// A node's clip box.
    Clip,
    /// What a layer covers.
    Layer,
}

/// The look of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) color: [u8; 3],
    /// Thickness, in pixels.
    pub(crate) thickness: i32,
    /// Length of a dash and of the gap after it, in pixels; no gap: solid.
    pub(crate) dash: [i32; 2],
    /// How far outside the box's edge the line begins, in pixels. A clip or layer often has
    /// the very box of the one draw in it; beside each other all can be seen.
    pub(crate) outset: i32,
}

/// Around every line, so that it shows on dark drawings too.
pub(crate) const HALO: [u8; 3] = [255, 255, 255];
/// The text of the legend.
pub(crate) const TEXT: [u8; 3] = [34, 34, 34];
/// Behind the legend.
pub(crate) const PAPER: [u8; 3] = [255, 255, 255];
/// The squares that show through where nothing is painted.
pub(crate) const CHECKS: [[u8; 3]; 2] = [[255, 255, 255], [244, 244, 244]];

/// Few boxes to many, for maps of how many boxes cover a pixel: light to dark, so that grey prints tell them apart.
const HEAT: [[u8; 3]; 5] =
    [[255, 236, 160], [254, 196, 79], [236, 112, 20], [174, 40, 18], [72, 12, 48]];

/// The colour of a share of the most, 0 to 1.
pub(crate) fn heat(share: f32) -> [u8; 3] {
    let at = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let from = (at as usize).min(HEAT.len() - 2);
    let part = at - from as f32;
    std::array::from_fn(|channel| {
        let [a, b] = [HEAT[from][channel], HEAT[from + 1][channel]].map(f32::from);
        (a + (b - a) * part) as u8
    })
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Culled, Self::Draw, Self::Clip, Self::Layer];

    pub(crate) fn style(self) -> Style {
        match self {
            Self::Culled => Style { color: [85, 85, 85], thickness: 1, dash: [1, 0], outset: 0 },
            Self::Draw => Style { color: [0, 114, 178], thickness: 2, dash: [1, 0], outset: 0 },
            Self::Clip => Style { color: [213, 94, 0], thickness: 2, dash: [9, 6], outset: 2 },
            Self::Layer => Style { color: [186, 72, 140], thickness: 2, dash: [3, 3], outset: 4 },
        }
    }

    /// What so many of them are called.
    pub(crate) fn noun(self, count: usize) -> &'static str {
        match (self, count) {
            (Self::Culled, _) => "culled",
            (Self::Draw, 1) => "draw",
            (Self::Draw, _) => "draws",
            (Self::Clip, 1) => "clip",
            (Self::Clip, _) => "clips",
            (Self::Layer, 1) => "layer",
            (Self::Layer, _) => "layers",
        }
    }
}
