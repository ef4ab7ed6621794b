//! From boxes to the strips of pixels that draw their edges.

use crate::{boxes::PixelBox, palette::Style};

/// Along which direction a strip's pattern runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// No pattern.
    Solid,
    /// Dashes from left to right.
    Across,
    /// Dashes from top to bottom.
    Down,
}

/// Pixels to ink: the columns `x0..x1` in the rows `y0..y1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strip {
    pub(crate) run: Run,
    pub(crate) x0: i32,
    pub(crate) y0: i32,
    pub(crate) x1: i32,
    pub(crate) y1: i32,
}

/// A style in whole pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pen {
    /// Thickness of the line.
    pub(crate) thickness: i32,
    /// Length of a dash.
    pub(crate) dash: i32,
    /// Length of a dash and the gap after it; equal to `dash` where solid.
    pub(crate) period: i32,
    /// From the box's edge outwards to the line: what is in the box stays free.
    pub(crate) outset: i32,
}

impl Pen {
    /// The style in pixels: the same in every picture, whatever its scale.
    pub(crate) fn new(style: &Style) -> Self {
        let Style { thickness, dash: [dash, gap], outset, .. } = *style;
        let (dash, period) = if gap == 0 { (1, 1) } else { (dash, dash + gap) };
        Self { thickness, dash, period, outset }
    }

    /// A light border for it: solid, wider by so much, and outside of the box too.
    pub(crate) fn border(self, by: i32) -> Self {
        let outset = (self.outset - by).max(0);
        let thickness = self.outset - outset + self.thickness + by;
        Self { outset, ..Self::solid(thickness) }
    }

    /// Half as thick, with half the dashes.
    pub(crate) fn finer(self) -> Self {
        if self.is_solid() {
            return Self::solid((self.thickness / 2).max(1));
        }
        let (dash, gap) = ((self.dash / 2).max(1), ((self.period - self.dash) / 2).max(1));
        Self { thickness: (self.thickness / 3).max(1), dash, period: dash + gap, outset: 0 }
    }

    /// Without gaps.
    pub(crate) fn solid(thickness: i32) -> Self {
        Self { thickness, dash: 1, period: 1, outset: 0 }
    }

    fn is_solid(&self) -> bool {
        self.dash == self.period
    }

    /// Whether a pattern has ink at this coordinate. It is a matter of the
    /// picture's pixels, not of where a box begins: dashes of edges that
    /// coincide coincide too, and do not fill each other's gaps.
    pub(crate) fn inks(&self, coordinate: i32) -> bool {
        coordinate.rem_euclid(self.period) < self.dash
    }

    /// The strips of a box's edges, for a picture of this size. Edges on the
    /// picture's border are moved inside it; a box outside has none.
    pub(crate) fn edges(&self, place: PixelBox, size: [i32; 2], out: &mut impl FnMut(Strip)) {
        let Some([l, t, r, b]) = self.settle(place, size) else { return };
        let w = self.thickness;
        let (across, down) =
            if self.is_solid() { (Run::Solid, Run::Solid) } else { (Run::Across, Run::Down) };
        let mut strip = |run, x0: i32, y0: i32, x1: i32, y1: i32| {
            if x0 < x1 && y0 < y1 {
                out(Strip { run, x0, y0, x1, y1 });
            }
        };
        strip(across, l, t, r + w, t + w);
        strip(across, l, b.max(t + w), r + w, b + w);
        strip(down, l, t + w, l + w, b);
        strip(down, r.max(l + w), t + w, r + w, b);
    }

    /// Short solid strips in the corners, where a pattern may have a gap.
    pub(crate) fn corners(&self, place: PixelBox, size: [i32; 2], out: &mut impl FnMut(Strip)) {
        let Some([l, t, r, b]) = self.settle(place, size) else { return };
        let (w, reach) = (self.thickness, self.thickness * 2);
        if self.is_solid() || r - l < 3 * reach || b - t < 3 * reach {
            return;
        }
        for x in [l, r] {
            for y in [t, b] {
                let x0 = if x == l { x } else { x + w - reach };
                let y0 = if y == t { y } else { y + w - reach };
                out(Strip { run: Run::Solid, x0, y0: y, x1: x0 + reach, y1: y + w });
                out(Strip { run: Run::Solid, x0: x, y0, x1: x + w, y1: y0 + reach });
            }
        }
    }

    /// The first column of the left and of the right edge, the first row of the
    /// top and of the bottom edge.
    fn settle(&self, [x0, y0, x1, y1]: PixelBox, [width, height]: [i32; 2]) -> Option<[i32; 4]> {
        if x1 < 0 || y1 < 0 || x0 > width || y0 > height {
            return None;
        }
        let (w, out) = (self.thickness, self.outset);
        let inside = |edge: i32, side: i32| edge.clamp(0, (side - w).max(0));
        let (l, t) = (inside(x0 - out - w, width), inside(y0 - out - w, height));
        Some([l, t, inside(x1 + out, width), inside(y1 + out, height)])
    }
}
