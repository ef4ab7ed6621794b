//! Gaps in the new document, which are filled in once the boxes of all elements are known.

use super::definitions::Generated;
use crate::measure::boxes::{Boxes, DEPTH, Moves, matrix_text};
use crate::notes::Note;
use crate::values::properties::IGNORED;
use kurbo::Affine;
use std::fmt::Write;

/// An attribute of the new document that is filled in at the end.
pub(crate) struct Gap {
    /// The place in the text.
    pub(crate) at: usize,
    pub(crate) element: u32,
    /// Its slot among the boxes.
    pub(crate) slot: u32,
    /// The attribute; empty for the place of generated definitions.
    pub(crate) name: &'static str,
    /// The matrix, if it is known already.
    pub(crate) matrix: Option<Affine>,
    /// A transform after it.
    pub(crate) then: Affine,
}

/// Fills in the gaps of a text.
pub(crate) fn fill(
    boxes: &mut Boxes,
    text: &str,
    gaps: &[Gap],
    generated: &[Generated],
    notes: &mut Vec<Note>,
) -> String {
    let mut out = String::with_capacity(text.len() + 100 * gaps.len());
    let mut start = 0;
    for gap in gaps {
        out += &text[start..gap.at];
        start = gap.at;
        if gap.name.is_empty() {
            generated.iter().for_each(|one| one.write(boxes, &mut out, notes));
            continue;
        }
        match gap.matrix.map_or_else(|| boxes.matrix(gap.slot, DEPTH), Ok) {
            Ok(matrix) if matrix.is_finite() => {
                let _ = write!(out, " {}=\"{}\"", gap.name, matrix_text(matrix * gap.then));
                if gap.element == 0 {
                    out += " transform-origin=\"0 0\"";
                }
            }
            _ => {
                let what = boxes.moves(gap.slot).map(Moves::text);
                let what = what.unwrap_or_else(|| "transform".to_owned()).into();
                notes.push(Note { element: gap.element, what, effect: IGNORED.into() });
            }
        }
    }
    out += &text[start..];
    out
}
