//! Brackets of several kinds in segments, with their errors.

use crate::{Bracket, BracketRole, NONE, Segment};
use alloc::vec::Vec;

/// The result of [`brackets`]: lists with one word per element, and the segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brackets {
    /// For a close, the open that it matches; for an open, its parent, the nearest open around it; [`NONE`] if there is none
    /// in the segment, and for other elements.
    pub links: Vec<u32>,
    /// For an open, its close; for a close, its open; [`NONE`] if there is none in the segment, and for other elements.
    pub partners: Vec<u32>,
    /// The number of opens around the element in its segment. An open and its close have the same depth. For a reset, the number
    /// of unclosed opens.
    pub depths: Vec<u32>,
    /// All segments: one more than resets.
    pub segments: Vec<Segment>,
}

/// Matches brackets of several kinds in segments. The [module](crate::brackets) documentation defines the result.
///
/// Cost: one pass, and a stack as deep as the nesting.
pub fn brackets(elements: &[Bracket]) -> Brackets {
    let mut out = Brackets::default();
    let mut open: Vec<u32> = Vec::new();
    let mut segment = Segment::NEW;
    for (ix, bracket) in (0..).zip(elements) {
        let (mut link, mut partner) = (NONE, NONE);
        let mut depth = open.len();
        match bracket.role() {
            BracketRole::Other => {}
            BracketRole::Open => {
                link = open.last().copied().unwrap_or(NONE);
                open.push(ix);
            }
            BracketRole::Close => match open.pop() {
                None => segment.unopened = segment.unopened.min(ix),
                Some(top) => {
                    (link, partner, depth) = (top, top, open.len());
                    out.partners[top as usize] = ix;
                    if elements[top as usize].kind() != bracket.kind() {
                        segment.mismatched = segment.mismatched.min(ix);
                    }
                }
            },
            BracketRole::Reset => {
                let unclosed = open.first().copied().unwrap_or(NONE);
                out.segments.push(Segment { unclosed, end: ix, ..segment });
                open.clear();
                segment = Segment::NEW;
            }
        }
        out.links.push(link);
        out.partners.push(partner);
        out.depths.push(depth as u32);
    }
    let unclosed = open.first().copied().unwrap_or(NONE);
    out.segments.push(Segment { unclosed, end: elements.len() as u32, ..segment });
    out
}
