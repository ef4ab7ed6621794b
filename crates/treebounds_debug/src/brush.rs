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
/// many lines there are.
pub(crate) struct Brush {
    size: [i32; 2],
    unit: f64,
    /// Whether lines are as thin as they get.
    fine: bool,
    /// Opacity of one line.
    strength: f32,
    /// Width of the halo on each side of a line.
    halo: i32,
}

/// How much of the picture lines may cover before they get thinner, as a share.
const CROWDED: f64 = 0.25;

impl Brush {
    pub(crate) fn new(boxes: &Boxes, frame: &Frame) -> Self {
        let unit = frame.unit();
        let size = [frame.width() as i32, frame.height() as i32];
        let crowd = crowd(boxes, size, unit);
        let fine = crowd > CROWDED;
        let strength = if fine { (CROWDED / crowd).sqrt().clamp(0.25, 0.8) as f32 } else { 1.0 };
        let halo = if fine { 0 } else { (1.2 * unit).round().max(1.0) as i32 };
        Self { size, unit, fine, strength, halo }
    }

    pub(crate) fn size(&self) -> [i32; 2] {
        self.size
    }

    fn pen(&self, kind: Kind) -> Pen {
        Pen::new(&kind.style(), self.unit, self.fine)
    }

    /// Light borders below all lines at once, so that none hides another.
    pub(crate) fn halos(&self, canvas: &mut Canvas, boxes: &Boxes) {
        if self.halo == 0 {
            return;
        }
        let mut sweep = Sweep::new(self.size);
        for kind in Kind::ALL {
            for place in &boxes.kind(kind).places {
                self.pen(kind).edges(*place, self.size, &mut |strip| {
                    sweep.add(strip.grown(self.halo));
                });
            }
        }
        let pen = self.pen(Kind::Draw);
        sweep.run(&pen, |x, y, _| canvas.blend(x, y, HALO, 0.7));
    }

    /// The boxes of one kind.
    pub(crate) fn lines(&self, canvas: &mut Canvas, boxes: &Boxes, kind: Kind) {
        let pen = self.pen(kind);
        let mut sweep = Sweep::new(self.size);
        for place in &boxes.kind(kind).places {
            pen.edges(*place, self.size, &mut |strip| sweep.add(strip));
            if !self.fine {
                pen.corners(*place, self.size, &mut |strip| sweep.add(strip));
            }
        }
        let (color, clear) = (kind.style().color, 1.0 - self.strength);
        sweep.run(&pen, |x, y, count| {
            let share = 1.0 - clear.powi(count.min(64) as i32);
            canvas.blend(x, y, color, share);
        });
    }

    /// A box of the legend.
    pub(crate) fn sample(&self, canvas: &mut Canvas, kind: Kind, place: PixelBox) {
        let pen = Pen::new(&kind.style(), self.unit, false);
        let size = [self.size[0], place[3] + 2 * pen.thickness];
        let mut sweep = Sweep::new(size);
        pen.edges(place, size, &mut |strip| sweep.add(strip));
        pen.corners(place, size, &mut |strip| sweep.add(strip));
        let color = kind.style().color;
        sweep.run(&pen, |x, y, _| canvas.blend(x, y, color, 1.0));
        if kind == Kind::Culled {
            self.cross(canvas, place);
        }
    }

    /// Crosses what is culled out. Where that is much, only its middle.
    pub(crate) fn crosses(&self, canvas: &mut Canvas, boxes: &Boxes) {
        let culled = &boxes.kind(Kind::Culled).places;
        let arm = (7.0 * self.unit).round().max(3.0) as i32;
        let few = culled.len() <= 64;
        let mut middles: Vec<PixelBox> = culled
            .iter()
            .map(
                |&place| if few && self.is_inside(place) { place } else { self.middle(place, arm) },
            )
            .collect();
        middles.sort_unstable();
        middles.dedup();
        for place in middles {
            self.cross(canvas, place);
        }
    }

    fn is_inside(&self, [x0, y0, x1, y1]: PixelBox) -> bool {
        x1 > 0 && y1 > 0 && x0 < self.size[0] && y0 < self.size[1]
    }

    /// A small square in the middle of a box, or where the border is nearest to
    /// it; on a coarse grid, so that many have few places.
    fn middle(&self, [x0, y0, x1, y1]: PixelBox, arm: i32) -> PixelBox {
        let at = |from: i32, to: i32, side: i32| {
            let middle = (from.max(0) + to.min(side)) / 2 / 4 * 4;
            middle.max(arm + 2).min((side - arm - 2).max(0))
        };
        let (x, y) = (at(x0, x1, self.size[0]), at(y0, y1, self.size[1]));
        [x - arm, y - arm, x + arm, y + arm]
    }

    /// The diagonals of a box.
    fn cross(&self, canvas: &mut Canvas, place: PixelBox) {
        let Some(path) = diagonals(place) else { return };
        let width = (1.2 * self.unit).max(1.0) as f32;
        let halo = width + 2.0 * self.halo as f32;
        canvas.stroke(&path, HALO, halo, Transform::identity());
        canvas.stroke(&path, Kind::Culled.style().color, width, Transform::identity());
    }
}

/// The share of the picture that all lines would cover, one beside the other.
fn crowd(boxes: &Boxes, [width, height]: [i32; 2], unit: f64) -> f64 {
    let length = |[x0, y0, x1, y1]: &PixelBox| {
        let side = |from: i32, to: i32, end: i32| f64::from((to.min(end) - from.max(0)).max(0));
        2.0 * (side(*x0, *x1, width) + side(*y0, *y1, height))
    };
    let covered: f64 = Kind::ALL
        .iter()
        .map(|&kind| {
            let thickness = Pen::new(&kind.style(), unit, false).thickness;
            f64::from(thickness) * boxes.kind(kind).places.iter().map(length).sum::<f64>()
        })
        .sum();
    covered / (f64::from(width) * f64::from(height))
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
