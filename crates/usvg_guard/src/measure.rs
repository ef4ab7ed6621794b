//! What a file would cost to read, found out before it is read.
//!
//! A short file can be made to mean a huge drawing (ten uses of ten uses of
//! ten ...), a very deep one (a pattern painted with a pattern painted with ...)
//! or an endless one (three clip paths that clip each other in turn). usvg cuts
//! the shortest circles and counts the uses; the rest would end in a stack
//! overflow, which nothing can catch, or in a very long wait. So the references
//! are followed here first, over the bare XML, with every element measured once.

mod arcs;
mod cost;
mod entities;
mod outline;
mod style;
mod templates;
mod text;
mod text_path;
mod uses;

pub(super) use arcs::ARCS_MAX;
pub(super) use entities::check_entities;
pub(super) use text::TEXT_MAX;

use super::SvgError;
use cost::Costs;
use outline::Outline;
use usvg::roxmltree::Document;

/// The namespace of SVG.
pub(super) const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// How deep the elements of a file may be nested inside each other: usvg's own
/// limit.
const NESTING_MAX: u64 = 1024;

/// How many elements a file may have: usvg's own limit.
pub(super) const ELEMENTS_MAX: u64 = 1_000_000;

/// How many copies of clip paths, masks, patterns and filters a file may make:
/// usvg compares every one with every other.
const COPIES_MAX: u64 = 100_000;

/// How many levels of nesting one reference (to a pattern, a mask, ...) is as
/// dear as, on the stack.
const REFERENCE_LEVELS: u64 = 16;

/// How many levels of nesting the stack holds, references counted so. Painting
/// needs most, and most of all in builds without optimization: about 100 KiB for
/// a pattern inside a pattern.
pub(super) const LEVELS_MAX: u64 = super::LARGE_STACK as u64 >> 14;

/// What there is to be visited, each element as often as it is reached, and how
/// deep that goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// How many visits.
    pub(super) work: u64,
    /// How many copies are made of definitions that cannot be shared, because
    /// their units are those of what they are used on.
    copies: u64,
    /// How many steps it takes to lay out the texts.
    pub(super) text: u64,
    /// How many steps it takes to follow the arcs.
    pub(super) arcs: u64,
    /// How many levels.
    pub(super) depth: u64,
}

/// Measures a file.
///
/// # Errors
/// References in a circle that usvg would follow for ever, or more nesting than
/// it or the stack holds.
pub(super) fn measure(document: &Document) -> Result<Cost, SvgError> {
    let outline = Outline::new(document)?;
    templates::check(&outline)?;
    Costs::new(&outline).total()
}

/// What to say of a file that has too many elements when every use is followed:
/// the circle that its uses lead round in, if there is one.
pub(super) fn circle_of_uses(document: &Document) -> Option<SvgError> {
    uses::circle(&Outline::new(document).ok()?)
}
