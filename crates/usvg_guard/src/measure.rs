//! What a file would cost to read, found out before it is read.
//!
//! A short file can be made to mean a huge drawing (ten uses of ten uses of
//! ten ...), a very deep one (a pattern painted with a pattern painted with ...)
//! or an endless one (three clip paths that clip each other in turn). usvg cuts
//! the shortest circles and counts the uses; the rest would end in a stack
//! overflow, which nothing can catch, or in a very long wait. So the references
//! are followed here first, over the bare XML, with every element measured once.
//!
//! | module | finds |
//! |---|---|
//! | [`outline`] | the elements, their references and what each costs by itself |
//! | [`expand`] | how many elements the uses make, how deep, and circles of uses |
//! | [`templates`] | chains of gradients, patterns and filters without end |
//! | [`searches`] | how long usvg looks for circles itself |
//! | [`total`] | circles of definitions, and the cost of all |
//! | [`numbers`] | numbers that usvg and resvg fail on |

mod arcs;
mod cost;
mod expand;
mod links;
mod numbers;
mod outline;
mod place;
mod searches;
mod sort;
mod targets;
mod templates;
mod text;
mod text_path;
mod total;

pub use cost::Cost;

use crate::left_out::Cut;
use crate::{Limits, Refused};
use expand::Expansion;
use outline::Outline;
use total::Costs;
use usvg::roxmltree::Document;

/// How many levels of nesting one reference (to a pattern, a mask, ...) is as
/// dear as, on the stack.
const REFERENCE_LEVELS: u64 = 16;

/// What a document costs, and what must be left out for it to cost no more.
pub(crate) struct Measured {
    pub(crate) cost: Cost,
    pub(crate) cuts: Vec<Cut>,
    /// One of the circles that are to be cut, by the ids on the way.
    pub(crate) circle: Option<String>,
}

/// Measures a document.
///
/// # Errors
/// The first limit that is passed.
pub(crate) fn measure(document: &Document, limits: &Limits) -> Result<Measured, Refused> {
    let mut outline = Outline::new(document, limits)?;
    let mut cuts = std::mem::take(&mut outline.cuts);
    cuts.extend(numbers::cuts(document, outline.largest));
    let expansion = Expansion::of(&mut outline, limits)?;
    cuts.extend(expansion.cuts);
    let mut circle = expansion.circle;
    let chains = templates::cuts(&mut outline);
    circle = circle.or(chains.circle);
    cuts.extend(chains.cuts);
    let mut cost = Costs::new(&outline, limits);
    let mut total = cost.total()?;
    total.steps = total.steps.saturating_add(expansion.steps);
    limits.check(&total)?;
    let found = cost.finish();
    circle = circle.or(found.circle);
    cuts.extend(found.cuts);
    Ok(Measured { cost: total, cuts, circle })
}
