//! Gradients, patterns and filters that take from each other with `href`.
//!
//! usvg follows such a chain until it comes back to where it began. A chain that
//! runs into a circle it is not itself part of never does.

use super::outline::{Index, Outline, Sort};
use crate::svg::SvgError;

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

/// Refuses chains that never end.
pub(super) fn check(outline: &Outline) -> Result<(), SvgError> {
    let mut states = vec![State::Unknown; outline.len()];
    for start in 0..outline.len() as Index {
        follow(outline, start, &mut states)?;
    }
    Ok(())
}

fn follow(outline: &Outline, start: Index, states: &mut [State]) -> Result<(), SvgError> {
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
                return Ok(());
            }
            State::Circle if chain.is_empty() => return Ok(()),
            State::Open | State::Circle => {
                let names: Vec<String> = chain.iter().take(8).map(|at| outline.name(*at)).collect();
                let path = format!("{} -> {}", names.join(" -> "), outline.name(at));
                return Err(SvgError::Circle { path });
            }
        }
    }
    chain.iter().for_each(|at| states[*at as usize] = State::Ends);
    Ok(())
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
