//! The pixels of a picture.

use crate::palette::CHECKS;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

/// An opaque picture.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    pixmap: Pixmap,
}

/// How much of the drawing's strength is left behind the boxes, of 255.
const STRENGTH: u32 = 115;

impl Canvas {
    /// A picture of one colour; `None` where it has no area or is too large.
    pub(crate) fn new(width: u32, height: u32, [r, g, b]: [u8; 3]) -> Option<Self> {
        let mut pixmap = Pixmap::new(width, height)?;
        pixmap.fill(Color::from_rgba8(r, g, b, 255));
        Some(Self { pixmap })
    }

    pub(crate) fn into_pixmap(self) -> Pixmap {
        self.pixmap
    }

    /// A chessboard in the upper left corner: nothing is painted there.
    pub(crate) fn check(&mut self, width: u32, height: u32, side: u32) {
        for y in 0..height.min(self.pixmap.height()) {
            for x in 0..width.min(self.pixmap.width()) {
                let [r, g, b] = CHECKS[((x / side + y / side) % 2) as usize];
                self.pixel(x, y).copy_from_slice(&[r, g, b, 255]);
            }
        }
    }

    /// Lays a drawing over the top left corner, its colours faded to white.
    pub(crate) fn dimmed(&mut self, drawing: &Pixmap) {
        let width = drawing.width().min(self.pixmap.width());
        for y in 0..drawing.height().min(self.pixmap.height()) {
            for x in 0..width {
                let from = 4 * (y as usize * drawing.width() as usize + x as usize);
                let mut over = [0; 4];
                over.copy_from_slice(&drawing.data()[from..from + 4]);
                let alpha = u32::from(over[3]);
                for (under, over) in self.pixel(x, y).iter_mut().zip(over).take(3) {
                    let faded = u32::from(over) * STRENGTH + alpha * (255 - STRENGTH);
                    *under = ((faded + u32::from(*under) * (255 - alpha)) / 255) as u8;
                }
            }
        }
    }

    /// Mixes a share of a colour, 0 to 1, into a pixel.
    pub(crate) fn blend(&mut self, x: u32, y: u32, color: [u8; 3], share: f32) {
        for (under, over) in self.pixel(x, y).iter_mut().zip(color) {
            *under = (f32::from(*under) + (f32::from(over) - f32::from(*under)) * share) as u8;
        }
    }

    /// The bytes of a pixel, which must be inside.
    fn pixel(&mut self, x: u32, y: u32) -> &mut [u8] {
        let at = 4 * (y as usize * self.pixmap.width() as usize + x as usize);
        &mut self.pixmap.data_mut()[at..at + 4]
    }

    /// Draws along a path with a round pen.
    pub(crate) fn stroke(&mut self, path: &Path, color: [u8; 3], width: f32, to: Transform) {
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.pixmap.stroke_path(path, &paint(color), &stroke, to, None);
    }

    /// Fills a rectangle: left, top, width, height.
    pub(crate) fn fill(&mut self, [x, y, width, height]: [f32; 4], color: [u8; 3]) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            let path = PathBuilder::from_rect(rect);
            let even = FillRule::Winding;
            self.pixmap.fill_path(&path, &paint(color), even, Transform::identity(), None);
        }
    }
}

fn paint([r, g, b]: [u8; 3]) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, 255);
    paint
}
