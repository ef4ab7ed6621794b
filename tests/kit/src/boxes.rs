//! Adversarial families of boxes for binning.

use crate::Rng;
use treebounds_core::{BinGrid, Rect};

/// A family of boxes, determined by the number of boxes, the grid and a seed.
#[derive(Clone, Copy, Debug)]
pub struct BoxShape {
    /// The name in failure messages.
    pub name: &'static str,
    one: fn(&mut Rng, &Area, usize) -> Rect,
}

impl BoxShape {
    /// Returns `n` canonical boxes. A GPU may flush the smallest numbers to 0.
    pub fn boxes(&self, grid: &BinGrid, n: usize, seed: u64) -> Vec<Rect> {
        let mut rng = Rng::new(seed);
        let area = Area::of(grid);
        let one = |at| (self.one)(&mut rng, &area, at).canonical().unwrap_or(Rect::NOTHING);
        (0..n).map(one).collect()
    }
}

/// All families.
pub const BOX_SHAPES: &[BoxShape] = &[
    BoxShape { name: "mixed", one: mixed },
    BoxShape { name: "nothing visible", one: nothing },
    BoxShape { name: "everything everywhere", one: |_, _, _| Rect::EVERYTHING },
    BoxShape { name: "tiny", one: tiny },
    BoxShape { name: "one bin", one: |_, area, _| area.bin(0, 0) },
    BoxShape {
        name: "the last bin",
        one: |_, area, _| area.bin(area.bins[0] - 1, area.bins[1] - 1),
    },
    BoxShape { name: "one row", one: row },
    BoxShape { name: "one column", one: column },
    BoxShape { name: "whole bins", one: whole_bins },
    BoxShape { name: "one large among tiny", one: one_large },
    BoxShape { name: "beside the viewport", one: beside },
];

struct Area {
    origin: [f32; 2],
    size: [f32; 2],
    bin: [f32; 2],
    bins: [u32; 2],
}

impl Area {
    fn of(grid: &BinGrid) -> Self {
        Self {
            origin: grid.origin().map(|x| x as f32),
            size: grid.size().map(|x| x as f32),
            bin: grid.bin().map(|x| x as f32),
            bins: [grid.columns(), grid.rows()],
        }
    }

    fn edge(&self, axis: usize, bin: u32) -> f32 {
        self.origin[axis] + bin as f32 * self.bin[axis]
    }

    fn bin(&self, column: u32, row: u32) -> Rect {
        let [x0, y0] = [self.edge(0, column), self.edge(1, row)];
        let [x1, y1] = [self.edge(0, column + 1), self.edge(1, row + 1)];
        Rect::new(x0, y0, x1, y1)
    }

    /// Returns a coordinate in the viewport or slightly outside.
    fn place(&self, rng: &mut Rng, axis: usize) -> f32 {
        let (start, size) = (self.origin[axis], self.size[axis]);
        rng.range(start - size / 8.0, start + size + size / 8.0)
    }
}

fn mixed(rng: &mut Rng, area: &Area, at: usize) -> Rect {
    match rng.below(12) {
        0 => nothing(rng, area, at),
        1 => whole_bins(rng, area, at),
        2 => between(rng, area),
        3 if rng.one_in(8) => Rect::EVERYTHING,
        _ => tiny(rng, area, at),
    }
}

/// Returns a box between two arbitrary corners, which may be inverted.
fn between(rng: &mut Rng, area: &Area) -> Rect {
    let [x0, x1] = [0; 2].map(|_| area.place(rng, 0));
    let [y0, y1] = [0; 2].map(|_| area.place(rng, 1));
    Rect::new(x0, y0, x1, y1)
}

fn nothing(rng: &mut Rng, area: &Area, _: usize) -> Rect {
    let (x, y) = (area.place(rng, 0), area.place(rng, 1));
    match rng.below(3) {
        0 => Rect::NOTHING,
        1 => Rect::new(x, y, x, y + 5.0),
        _ => Rect::new(x, y, x + 5.0, y - 1.0),
    }
}

fn tiny(rng: &mut Rng, area: &Area, _: usize) -> Rect {
    let (x, y) = (area.place(rng, 0), area.place(rng, 1));
    let (width, height) = (rng.range(0.1, 9.0), rng.range(0.1, 9.0));
    Rect::new(x, y, x + width, y + height)
}

fn row(rng: &mut Rng, area: &Area, _: usize) -> Rect {
    let y = area.edge(1, rng.below(area.bins[1]));
    Rect::new(-1e9, y, 1e9, y + 0.5)
}

fn column(rng: &mut Rng, area: &Area, _: usize) -> Rect {
    let x = area.edge(0, rng.below(area.bins[0]));
    Rect::new(x, -1e9, x + 0.5, 1e9)
}

/// Returns a box with edges on bin edges, now and then off by the smallest step.
fn whole_bins(rng: &mut Rng, area: &Area, _: usize) -> Rect {
    let mut edge = |axis: usize| {
        let x = area.edge(axis, rng.below(area.bins[axis] + 1));
        match rng.below(6) {
            0 => x.next_up(),
            1 => x.next_down(),
            _ => x,
        }
    };
    let [x0, x1, y0, y1] = [edge(0), edge(0), edge(1), edge(1)];
    Rect::new(x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1))
}

fn one_large(rng: &mut Rng, area: &Area, at: usize) -> Rect {
    if at % 97 == 31 { Rect::EVERYTHING } else { tiny(rng, area, at) }
}

/// Returns a box just outside the viewport, or with an edge on the viewport's edge.
fn beside(rng: &mut Rng, area: &Area, _: usize) -> Rect {
    let [x0, y0] = area.origin;
    let (x1, y1) = (x0 + area.size[0], y0 + area.size[1]);
    match rng.below(4) {
        0 => Rect::new(x0 - 9.0, y0, x0, y1),
        1 => Rect::new(x1, y0, x1 + 9.0, y1),
        2 => Rect::new(x0, y0 - 9.0, x1, y0 + 0.5),
        _ => Rect::new(x0, y1, x1, y1 + 9.0),
    }
}
