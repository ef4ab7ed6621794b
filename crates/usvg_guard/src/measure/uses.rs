//! What shows itself: uses that lead back to where they are.
//!
//! usvg leaves out the shortest of these circles. Round the others it goes until
//! it has too many elements, and says only that.

use super::outline::{Index, Outline, Sort};
use crate::svg::SvgError;

/// How far an element was followed.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    Open,
    Done,
}

/// The first circle of uses.
pub(super) fn circle(outline: &Outline) -> Option<SvgError> {
    let mut states = vec![State::Unknown; outline.len()];
    // The way from the root, with how much of each element was followed.
    let mut way: Vec<(Index, usize)> = vec![(0, 0)];
    while let Some((at, followed)) = way.last_mut() {
        let (here, next) = (*at, shown(outline, *at).get(*followed).copied());
        *followed += 1;
        states[here as usize] = State::Open;
        match next.map(|next| (next, states[next as usize])) {
            Some((next, State::Unknown)) => way.push((next, 0)),
            Some((next, State::Open)) => return Some(describe(outline, &way, next)),
            Some((_, State::Done)) => {}
            None => {
                states[here as usize] = State::Done;
                way.pop();
            }
        }
    }
    None
}

/// What is shown where the element is.
fn shown(outline: &Outline, at: Index) -> &[Index] {
    let element = outline.element(at);
    if element.sort != Sort::Use {
        return &element.children;
    }
    element.links.as_ref().and_then(|links| links.href.as_ref()).map_or(&[], std::slice::from_ref)
}

/// Names what the uses of a circle show, which all have an id.
fn describe(outline: &Outline, way: &[(Index, usize)], back: Index) -> SvgError {
    let start = way.iter().position(|(at, _)| *at == back).unwrap_or_default();
    let round: Vec<Index> = way[start..].iter().map(|(at, _)| *at).collect();
    let after = round.iter().cycle().skip(1);
    let pairs = round.iter().zip(after);
    let uses = pairs.filter(|(at, _)| outline.element(**at).sort == Sort::Use);
    let mut names: Vec<String> = uses.map(|(_, shown)| outline.name(*shown)).collect();
    let first = names.first().cloned().unwrap_or_default();
    names.truncate(8);
    SvgError::Circle { path: format!("{} -> {first}", names.join(" -> ")) }
}
