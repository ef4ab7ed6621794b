//! The picture.

use crate::{failure::Failure, options::Size};
use treebounds_encoding::svg::usvg::Tree;
use treebounds_report::{Findings, Frame, FrameError, Overlay, Picture, Scene};

/// What is painted behind the boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Behind<'a> {
    Nothing,
    Tree(&'a Tree),
}

/// A picture, and what is to be said of it.
pub(crate) struct Painted {
    pub(crate) picture: Picture,
    pub(crate) note: Option<String>,
}

/// How large the picture is to be.
///
/// # Errors
/// The drawing has no area, or the picture would be too large.
pub fn frame(size: &Size, scene: &Scene) -> Result<Frame, Failure> {
    let (width, height) = (scene.width, scene.height);
    let (asked, frame) = match (size.width, size.scale) {
        (Some(pixels), _) => {
            (format!("--width {pixels}: "), Frame::with_width(width, height, pixels))
        }
        (None, Some(scale)) => {
            (format!("--scale {}: ", short(scale)), Frame::with_scale(width, height, scale))
        }
        (None, None) => (String::new(), Frame::fit(width, height)),
    };
    frame.map_err(|error| match error {
        FrameError::NoArea { .. } => Failure::bad(error),
        _ => Failure::usage(format!("{asked}{error}")),
    })
}

/// The number without a row of zeros.
fn short(number: f64) -> String {
    if number < 1e9 { number.to_string() } else { format!("{number:e}") }
}

/// Paints the boxes over the drawing; over nothing, where there is none, or it cannot be painted, or is not to be, which
/// `plain` says the reason of.
pub(crate) fn paint(
    findings: &Findings<'_>,
    behind: Behind<'_>,
    plain: Option<&str>,
    frame: Frame,
) -> Result<Painted, Failure> {
    let overlay = Overlay::new(findings, frame);
    let without = |why: &str| Some(format!("the drawing is not in the picture: {why}"));
    let (overlay, note) = match (behind, plain) {
        (Behind::Nothing, _) => (overlay, None),
        (_, Some(why)) => (overlay, without(why)),
        (Behind::Tree(tree), None) => (overlay.on(tree), None),
    };
    match overlay.paint() {
        Ok(picture) => Ok(Painted { picture, note }),
        // The boxes do not depend on the drawing.
        Err(error) => {
            let picture = Overlay::new(findings, frame).paint().map_err(Failure::bad)?;
            Ok(Painted { picture, note: without(&error.to_string()) })
        }
    }
}
