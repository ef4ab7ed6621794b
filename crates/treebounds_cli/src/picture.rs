//! The picture.

use crate::{failure::Failure, options::Size};
use std::fmt::Display;
use treebounds_encoding::svg::{self, usvg::Tree};
use treebounds_report::{
    Backdrop, BackdropError, Findings, Frame, FrameError, Overlay, Picture, Scene,
};

/// What is painted behind the boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Behind<'a> {
    Nothing,
    Tree(&'a Tree),
    /// A drawing that is read again, in pieces.
    Pieces {
        data: &'a [u8],
        options: &'a svg::Options,
    },
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
        (Behind::Pieces { data, options }, None) => Some(pieces(data, options, &frame)),
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

/// Paints pieces, one over the other.
fn pieces(data: &[u8], options: &svg::Options, frame: &Frame) -> Result<Backdrop, String> {
    let mut painted = Ok(None);
    let read = svg::trees_in_pieces(data, options, &mut |tree| {
        let before = std::mem::replace(&mut painted, Ok(None));
        painted = before.and_then(|before: Option<Backdrop>| match before {
            None => Backdrop::svg(tree, frame).map(Some),
            Some(before) => before.and(tree, frame).map(Some),
        });
    });
    read.map_err(without)?;
    painted.map_err(without)?.ok_or_else(|| without(BackdropError::Failed))
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
