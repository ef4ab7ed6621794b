//! Lines over a picture.

use crate::{
    Frame,
    boxes::{Boxes, PixelBox},
    canvas::Canvas,
    ink::Pen,
    palette::{HALO, Kind, heat},
    sweep::Sweep,
};
use tiny_skia::{Path, PathBuilder, Transform};

/// What lines are drawn with: it depends on how many lines of a kind there are.
pub(crate) struct Brush {
    size: [i32; 2],
    looks: [Look; 4],
}

/// How the lines of one kind look.
#[derive(Clone, Copy)]
struct Look {
    pen: Pen,
    color: [u8; 3],
    /// Width of the light border outside of a line.
    halo: i32,
    /// Whether there are no lines, but a map of how many boxes cover a pixel.
    is_heat: bool,
}

/// How much of the picture the lines of a kind may cover before they get finer, as a share ...
const CROWDED: f64 = 0.3;
/// ... and how much the finer ones, before they are a map.
const FULL: f64 = 0.35;

impl Look {
    /// Lines get finer where they are many. Where that is not enough, a map says how many there are.
    fn new(kind: Kind, boxes: &Boxes, size: [i32; 2]) -> Self {
        let style = kind.style();
        let pen = Pen::new(&style);
        let look = Self { pen, color: style.color, halo: 1, is_heat: false };
        let length = length(boxes, kind, size) / (f64::from(size[0]) * f64::from(size[1]));
        let many = boxes.kind(kind).places.len() > FEW;
        if !many || length * f64::from(pen.thickness) <= CROWDED {
            return look;
        }
        let is_heat = length > FULL && kind != Kind::Culled;
        Self { pen: pen.finer(), halo: 0, is_heat, ..look }
    }
}

impl Brush {
    pub(crate) fn new(boxes: &Boxes, frame: &Frame) -> Self {
        let size = [frame.width() as i32, frame.height() as i32];
        let looks = Kind::ALL.map(|kind| Look::new(kind, boxes, size));
        Self { size, looks }
    }

    pub(crate) fn size(&self) -> [i32; 2] {
        self.size
    }

    /// The kinds that are shown as a map, or those that are not.
    pub(crate) fn kinds(&self, are_heat: bool) -> Vec<Kind> {
        Kind::ALL.into_iter().filter(|kind| self.look(*kind).is_heat == are_heat).collect()
    }

    fn look(&self, kind: Kind) -> &Look {
        &self.looks[kind as usize]
    }

    /// Light borders below all lines at once, so that none hides another.
    pub(crate) fn halos(&self, canvas: &mut Canvas, boxes: &Boxes) {
        let mut sweep = Sweep::new(self.size);
        for kind in self.kinds(false) {
            let Look { pen, halo, .. } = *self.look(kind);
            let border = pen.border(halo);
            for place in boxes.kind(kind).places.iter().filter(|_| halo > 0) {
                border.edges(*place, self.size, &mut |strip| sweep.add(strip));
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
        sweep.run(&look.pen, |x, y, _| canvas.blend(x, y, look.color, 1.0));
    }

    /// A box of the legend: as if it were the only one.
    pub(crate) fn sample(&self, canvas: &mut Canvas, kind: Kind, place: PixelBox) {
        let [left, top, right, bottom] = place;
        let pen = Pen { outset: 0, ..Pen::new(&kind.style()) };
        let size = [right - left, bottom - top];
        let inner =
            [pen.thickness, pen.thickness, size[0] - pen.thickness, size[1] - pen.thickness];
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

    /// A swatch of the legend: from few boxes to many.
    pub(crate) fn heat_sample(canvas: &mut Canvas, [left, top, right, bottom]: PixelBox) {
        for x in left.max(0)..right {
            let share = (x - left) as f32 / (right - left - 1).max(1) as f32;
            for y in top.max(0)..bottom {
                canvas.blend(x as u32, y as u32, heat(share), 1.0);
            }
        }
    }

    /// Crosses what is culled out, each box from corner to corner, where that is large enough to be seen.
    pub(crate) fn crosses(&self, canvas: &mut Canvas, boxes: &Boxes) {
        for place in &boxes.kind(Kind::Culled).places {
            if let Some(place) = self.inside(*place) {
                self.cross(canvas, place);
            }
        }
    }

    /// The part of a box that is in the picture, where that is large enough for
    /// a cross to be seen as one.
    fn inside(&self, [x0, y0, x1, y1]: PixelBox) -> Option<PixelBox> {
        let [width, height] = self.size;
        let [x0, y0, x1, y1] = [x0.max(0), y0.max(0), x1.min(width), y1.min(height)];
        (x1 - x0 >= LEAST && y1 - y0 >= LEAST).then_some([x0, y0, x1, y1])
    }

    /// The diagonals of a box.
    fn cross(&self, canvas: &mut Canvas, place: PixelBox) {
        let Some(path) = diagonals(place) else { return };
        canvas.stroke(&path, Kind::Culled.style().color, 1.0, Transform::identity());
    }
}

/// So many boxes of a kind are never a crowd.
const FEW: usize = 64;

/// A smaller box has no cross.
const LEAST: i32 = 6;

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
