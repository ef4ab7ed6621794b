//! The picture.

use crate::{failure::Failure, options::Size};
use std::fmt::Display;
use treebounds_encoding::svg::usvg::Tree;
use treebounds_report::{Backdrop, Findings, Frame, FrameError, Overlay, Picture, Scene};

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
    let backdrop = match (behind, plain) {
        (Behind::Nothing, _) => None,
        (_, Some(why)) => Some(Err(without(why))),
        (Behind::Tree(tree), None) => Some(Backdrop::svg(tree, &frame).map_err(without)),
    };
    let (overlay, note) = match backdrop {
        None => (overlay, None),
        Some(Ok(backdrop)) => {
            let note = coarser(backdrop.reduction());
            (overlay.on(backdrop), note)
        }
        Some(Err(note)) => (overlay, Some(note)),
    };
    Ok(Painted { picture: overlay.paint().map_err(Failure::bad)?, note })
}

fn without(why: impl Display) -> String {
    format!("the drawing is not in the picture: {why}")
}

fn coarser(reduction: f64) -> Option<String> {
    (reduction > 1.0).then(|| {
        let background = "the drawing costs much to paint; its background";
        format!("{background} is {reduction:.1} times coarser")
    })
}
