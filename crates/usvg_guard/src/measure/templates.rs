//! Gradients, patterns and filters that take from each other with `href`.
//!
//! usvg follows such a chain until it comes back to where it began. A chain that
//! runs into a circle it is not itself part of never ends: there the reference that closes the circle is left out.

use super::outline::{Index, Outline};
use super::sort::Sort;
use crate::left_out::{CIRCLE, Cut, Part};

/// What is known of where the chain from an element leads.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    /// On the chain that is being followed.
    Open,
    Ends,
    /// It comes back to where it began, by way of others.
    Circle,
}

/// Chains that never end.
#[derive(Default)]
pub(super) struct Chains {
    pub(super) cuts: Vec<Cut>,
    pub(super) circle: Option<String>,
}

/// Finds the chains that never end. Those elements refer to nothing afterwards.
pub(super) fn cuts(outline: &mut Outline) -> Chains {
    let mut states = vec![State::Unknown; outline.len() as usize];
    let mut out = Chains::default();
    for start in 0..outline.len() {
        follow(outline, start, &mut states, &mut out);
    }
    out
}

fn follow(outline: &mut Outline, start: Index, states: &mut [State], out: &mut Chains) {
    let mut chain = Vec::new();
    let mut next = Some(start);
    while let Some(at) = next {
        match states[at as usize] {
            State::Unknown => {
                states[at as usize] = State::Open;
                chain.push(at);
                next = template(outline, at);
            }
            State::Ends => break,
            State::Open if chain.first() == Some(&at) => {
                chain.iter().for_each(|at| states[*at as usize] = State::Circle);
                return;
            }
            State::Circle if chain.is_empty() => return,
            State::Open | State::Circle => {
                out.circle.get_or_insert_with(|| outline.way(&chain, at));
                out.cuts.extend(cut(outline, before(outline, at)));
                break;
            }
        }
    }
    for at in chain {
        states[at as usize] = State::Ends;
    }
}

/// The element of a circle that refers to this one, and so closes it.
fn before(outline: &Outline, at: Index) -> Index {
    let mut last = at;
    while let Some(next) = template(outline, last).filter(|next| *next != at) {
        last = next;
    }
    last
}

fn cut(outline: &mut Outline, at: Index) -> Option<Cut> {
    let element = &mut outline.elements[at as usize];
    element.links.as_mut()?.href = None;
    Some(Cut { node: element.node, part: Part::Attribute("href".into()), why: CIRCLE })
}

/// What the element takes from, if that is of the same sort and not itself.
pub(super) fn template(outline: &Outline, at: Index) -> Option<Index> {
    let element = outline.element(at);
    if !matches!(element.sort, Sort::Gradient | Sort::Pattern | Sort::Filter) {
        return None;
    }
    let target = element.links.as_ref()?.href?;
    (target != at && outline.element(target).sort == element.sort).then_some(target)
}
