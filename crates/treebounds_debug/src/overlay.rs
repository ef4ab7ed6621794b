//! The boxes over the drawing.

use crate::{
    Findings, Frame, Picture,
    boxes::Boxes,
    brush::Brush,
    canvas::Canvas,
    legend::Legend,
    palette::{Kind, PAPER},
};
use tiny_skia::Pixmap;

/// A picture of the boxes of some elements.
///
/// The drawing lies dimmed behind them (see [`Backdrop`](crate::Backdrop)), a
/// legend below. Draws are solid blue, clips dashed orange, layers dotted purple;
/// what is culled has no bounds and is shown crossed out where its rect is, and
/// by a cross on the border where that is outside the picture. A picture too
/// narrow for the legend has none.
#[derive(Clone, Debug)]
pub struct Overlay<'a> {
    findings: &'a Findings<'a>,
    frame: Frame,
    backdrop: Option<Pixmap>,
}

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
    #[cfg(feature = "svg")]
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
        let legend = Legend::new(&boxes, self.frame.width(), self.frame.unit());
        let (width, height) = (self.frame.width(), self.frame.height() + legend.height());
        let mut canvas =
            Canvas::new(width, height, PAPER).ok_or(OverlayError::NoMemory { width, height })?;
        canvas.check(self.frame.height(), (16.0 * self.frame.unit()) as u32);
        if let Some(backdrop) = &self.backdrop {
            canvas.dimmed(backdrop);
        }
        let brush = Brush::new(&boxes, &self.frame);
        brush.halos(&mut canvas, &boxes);
        for kind in Kind::ALL {
            brush.lines(&mut canvas, &boxes, kind);
        }
        brush.crosses(&mut canvas, &boxes);
        legend.draw(&mut canvas, &brush, self.frame.height());
        Ok(Picture::new(canvas.into_pixmap()))
    }
}
