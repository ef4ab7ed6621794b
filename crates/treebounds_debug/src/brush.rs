//! Lines over a picture.

use crate::{
    Frame,
    boxes::{Boxes, PixelBox},
    canvas::Canvas,
    ink::Pen,
    palette::{HALO, Kind},
    sweep::Sweep,
};
use tiny_skia::{Path, PathBuilder, Transform};

/// What lines are drawn with: it depends on the size of the picture, and on how
/// many lines of a kind there are.
pub(crate) struct Brush {
    size: [i32; 2],
    unit: f64,
    looks: [Look; 4],
}

/// How the lines of one kind look.
#[derive(Clone, Copy)]
struct Look {
    pen: Pen,
    color: [u8; 3],
    /// Opacity of one line.
    strength: f32,
    /// Width of the light border on each side of a line.
    halo: i32,
}

/// How much of the picture the lines of a kind may cover before they get finer,
/// as a share.
const CROWDED: f64 = 0.3;

impl Look {
    /// Lines get finer where they are many, and fainter where that is not
    /// enough, so that about half of the picture stays free. Patterns in such a
    /// crowd would only weave a pattern of their own.
    fn new(kind: Kind, boxes: &Boxes, size: [i32; 2], unit: f64) -> Self {
        let style = kind.style();
        let pen = Pen::new(&style, unit);
        let halo = (1.2 * unit).round().max(1.0) as i32;
        let look = Self { pen, color: style.color, strength: 1.0, halo };
        let length = length(boxes, kind, size) / (f64::from(size[0]) * f64::from(size[1]));
        if length * f64::from(pen.thickness) <= CROWDED {
            return look;
        }
        let pen = pen.finer();
        let strength = (0.5 / (length * f64::from(pen.thickness))).clamp(0.01, 1.0);
        let pen = if strength < 0.4 { Pen::solid(pen.thickness) } else { pen };
        Self { pen, strength: strength as f32, halo: 0, ..look }
    }

    /// How much ink a pixel gets that so many lines cover.
    fn share(&self, count: u32) -> f32 {
        1.0 - (1.0 - self.strength).powi(count.min(1 << 16) as i32)
    }
}

impl Brush {
    pub(crate) fn new(boxes: &Boxes, frame: &Frame) -> Self {
        let unit = frame.unit();
        let size = [frame.width() as i32, frame.height() as i32];
        let looks = Kind::ALL.map(|kind| Look::new(kind, boxes, size, unit));
        Self { size, unit, looks }
    }

    pub(crate) fn size(&self) -> [i32; 2] {
        self.size
    }

    fn look(&self, kind: Kind) -> &Look {
        &self.looks[kind as usize]
    }

    /// Light borders below all lines at once, so that none hides another.
    pub(crate) fn halos(&self, canvas: &mut Canvas, boxes: &Boxes) {
        let mut sweep = Sweep::new(self.size);
        for kind in Kind::ALL {
            let Look { pen, halo, .. } = *self.look(kind);
            for place in boxes.kind(kind).places.iter().filter(|_| halo > 0) {
                pen.edges(*place, self.size, &mut |strip| sweep.add(strip.grown(halo)));
            }
        }
        sweep.run(&Pen::solid(1), |x, y, _| canvas.blend(x, y, HALO, 0.7));
    }

    /// The boxes of one kind.
    pub(crate) fn lines(&self, canvas: &mut Canvas, boxes: &Boxes, kind: Kind) {
        let look = self.look(kind);
        let mut sweep = Sweep::new(self.size);
        for place in &boxes.kind(kind).places {
            look.pen.edges(*place, self.size, &mut |strip| sweep.add(strip));
            look.pen.corners(*place, self.size, &mut |strip| sweep.add(strip));
        }
        sweep.run(&look.pen, |x, y, count| canvas.blend(x, y, look.color, look.share(count)));
    }

    /// A box of the legend: as if it were the only one.
    pub(crate) fn sample(&self, canvas: &mut Canvas, kind: Kind, place: PixelBox) {
        let [left, top, right, bottom] = place;
        let pen = Pen { outset: 0, ..Pen::new(&kind.style(), self.unit) };
        let size = [right - left + pen.thickness, bottom - top + pen.thickness];
        let inner = [pen.thickness / 2, pen.thickness / 2, right - left, bottom - top];
        let mut sweep = Sweep::new(size);
        pen.edges(inner, size, &mut |strip| sweep.add(strip));
        pen.corners(inner, size, &mut |strip| sweep.add(strip));
        let color = kind.style().color;
        let (left, top) = (left.max(0) as u32, top.max(0) as u32);
        sweep.run(&pen, |x, y, _| canvas.blend(left + x, top + y, color, 1.0));
        if kind == Kind::Culled {
            self.cross(canvas, place);
        }
    }

    /// Crosses what is culled out. Where that is much, only its middle.
    pub(crate) fn crosses(&self, canvas: &mut Canvas, boxes: &Boxes) {
        let culled = &boxes.kind(Kind::Culled).places;
        let few = culled.len() <= FEW;
        let mut crosses: Vec<PixelBox> = culled
            .iter()
            .map(|&place| match self.inside(place) {
                Some(place) if few => place,
                _ => self.middle(place, few),
            })
            .collect();
        crosses.sort_unstable();
        crosses.dedup();
        for place in crosses {
            self.cross(canvas, place);
        }
    }

    /// The part of a box that is in the picture, where that is large enough for
    /// a cross to be seen as one.
    fn inside(&self, [x0, y0, x1, y1]: PixelBox) -> Option<PixelBox> {
        let [width, height] = self.size;
        let [x0, y0, x1, y1] = [x0.max(0), y0.max(0), x1.min(width), y1.min(height)];
        let least = (6.0 * self.unit) as i32;
        (x1 - x0 >= least && y1 - y0 >= least).then_some([x0, y0, x1, y1])
    }

    /// A small square in the middle of a box, or where the border is nearest to
    /// it. Many are brought to a grid, so that they do not cover each other.
    fn middle(&self, [x0, y0, x1, y1]: PixelBox, few: bool) -> PixelBox {
        let arm = (7.0 * self.unit).round().max(3.0) as i32;
        let cell = if few { 1 } else { 3 * arm };
        let at = |from: i32, to: i32, side: i32| {
            let middle = (from.clamp(0, side) + to.clamp(0, side)) / 2 / cell * cell + cell / 2;
            middle.min(side - arm - 2).max(arm + 2)
        };
        let (x, y) = (at(x0, x1, self.size[0]), at(y0, y1, self.size[1]));
        [x - arm, y - arm, x + arm, y + arm]
    }

    /// The diagonals of a box.
    fn cross(&self, canvas: &mut Canvas, place: PixelBox) {
        let Some(path) = diagonals(place) else { return };
        let width = (1.2 * self.unit).max(1.0) as f32;
        let halo = width + (2.4 * self.unit) as f32;
        canvas.stroke(&path, HALO, halo, Transform::identity());
        canvas.stroke(&path, Kind::Culled.style().color, width, Transform::identity());
    }
}

/// So many boxes are crossed out as a whole.
const FEW: usize = 64;

/// The length of all lines of a kind, as far as they are in the picture.
fn length(boxes: &Boxes, kind: Kind, [width, height]: [i32; 2]) -> f64 {
    let side = |from: i32, to: i32, end: i32| f64::from((to.min(end) - from.max(0)).max(0));
    let lengths = boxes.kind(kind).places.iter();
    lengths.map(|[x0, y0, x1, y1]| 2.0 * (side(*x0, *x1, width) + side(*y0, *y1, height))).sum()
}

fn diagonals([x0, y0, x1, y1]: PixelBox) -> Option<Path> {
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|edge| edge as f32);
    let mut path = PathBuilder::new();
    path.move_to(x0, y0);
    path.line_to(x1, y1);
    path.move_to(x1, y0);
    path.line_to(x0, y1);
    path.finish()
}
