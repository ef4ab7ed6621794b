//! The boxes over the drawing.

use crate::{
    Findings, Frame, Picture, boxes::Boxes, brush::Brush, canvas::Canvas, heat::Heat, labels,
    legend::Legend, palette::PAPER,
};
use tiny_skia::Pixmap;

/// A picture of the boxes of some elements.
///
/// The drawing lies dimmed behind them (see [`Backdrop`](crate::Backdrop)), a
/// legend below. Draws are solid blue, clips dashed orange, layers dotted purple; lines lie outside of the boxes and are
/// as wide in every picture. Boxes have their ids, or their numbers in the report, where there is room. What is culled
/// has no bounds and is crossed out where its rect is; what is culled outside of the canvas is only counted. Where the
/// boxes of a kind are too many for lines, colours say how many of them cover a pixel. A picture narrower than its
/// legend is as wide as that.
#[derive(Clone, Debug)]
pub struct Overlay<'a> {
    findings: &'a Findings<'a>,
    frame: Frame,
    backdrop: Option<Pixmap>,
}

/// The side of a square of the background.
const CHECK: u32 = 16;

/// The picture could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// No memory for its pixels.
    #[error("there is no memory for a picture of {width} x {height} pixels")]
    NoMemory {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
}

impl<'a> Overlay<'a> {
    /// The boxes of these findings, on an empty background.
    pub fn new(findings: &'a Findings<'a>, frame: Frame) -> Self {
        Self { findings, frame, backdrop: None }
    }

    /// Puts the drawing behind the boxes.
    #[cfg(feature = "picture")]
    #[must_use]
    pub fn on(self, backdrop: crate::Backdrop) -> Self {
        Self { backdrop: Some(backdrop.into_pixmap()), ..self }
    }

    /// Paints the picture.
    ///
    /// # Errors
    /// [`OverlayError::NoMemory`].
    pub fn paint(&self) -> Result<Picture, OverlayError> {
        let boxes = Boxes::of(self.findings, &self.frame);
        let brush = Brush::new(&boxes, &self.frame);
        let heat = Heat::of(&boxes, &brush.kinds(true), brush.size());
        let lines = brush.kinds(false);
        let legend = Legend::new(&boxes, &brush, heat.as_ref(), self.frame.width());
        let width = self.frame.width().max(legend.width());
        let height = self.frame.height() + legend.height();
        let mut canvas =
            Canvas::new(width, height, PAPER).ok_or(OverlayError::NoMemory { width, height })?;
        canvas.check(self.frame.width(), self.frame.height(), CHECK);
        if let Some(backdrop) = &self.backdrop {
            canvas.dimmed(backdrop);
        }
        heat.into_iter().for_each(|heat| heat.paint(&mut canvas));
        brush.halos(&mut canvas, &boxes);
        for kind in &lines {
            brush.lines(&mut canvas, &boxes, *kind);
        }
        brush.crosses(&mut canvas, &boxes);
        labels::write(&mut canvas, &boxes, brush.size(), &lines);
        legend.draw(&mut canvas, &brush, self.frame.height());
        Ok(Picture::new(canvas.into_pixmap()))
    }
}
