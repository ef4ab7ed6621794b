//! Brackets for parsers: kinds, segments and errors.
//!
//! An element opens, closes, resets or does nothing. Opens and closes have a kind, so that `]` does not close `{`. A reset ends a
//! *segment*, such as a line or a document. Brackets only match inside their segment:
//!
//! ```text
//! element    0   1   2   3   4   5   6   7   8   9  10  11
//!            [   {   }   ]   ;   {   ]   ;   )   ;   (   [
//! segment    0   0   0   0   0   1   1   1   2   2   3   3
//! partner    3   2   1   0   -   6   5   -   -   -   -   -
//! depth      0   1   1   0   0   0   0   0   0   0   0   1
//! errors                         mismatched  unopened  unclosed
//!                                at 6        at 8      at 10
//! ```
//!
//! **Matching ignores kinds.** A close matches the open on top of the stack. If their kinds differ, the close is *mismatched*, and
//! matching continues. A close on an empty stack is *unopened*. An open that is still on the stack at the end of its segment is
//! *unclosed*.
//!
//! **The first error** of a segment is the first unopened or mismatched close, where a parser stops. Without such a close, it is the
//! first unclosed open, which a parser only detects at the end of the segment. Up to the first error, all recovery strategies have
//! the same stack, so the first error does not depend on the strategy.

use crate::NONE;
use bytemuck::{Pod, Zeroable};

/// The effect of an element on a parser's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BracketRole {
    /// No effect.
    Other,
    /// Opens a bracket.
    Open,
    /// Closes the nearest open bracket.
    Close,
    /// Ends a segment and empties the stack.
    Reset,
}

/// An element as one word: its role in the two lowest bits (0 other, 1 open, 2 close, 3 reset), and its kind in the others.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct Bracket(u32);

impl Bracket {
    /// An element that neither opens nor closes.
    pub const OTHER: Self = Self(0);
    /// The end of a segment.
    pub const RESET: Self = Self(3);
    /// The number of kinds: a kind has 30 bits.
    pub const KINDS: u32 = 1 << 30;

    /// An open bracket. `kind` is taken modulo [`Bracket::KINDS`].
    pub const fn open(kind: u32) -> Self {
        Self(kind << 2 | 1)
    }

    /// A close bracket. `kind` is taken modulo [`Bracket::KINDS`].
    pub const fn close(kind: u32) -> Self {
        Self(kind << 2 | 2)
    }

    /// The packed word.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The role.
    pub const fn role(self) -> BracketRole {
        match self.0 & 3 {
            0 => BracketRole::Other,
            1 => BracketRole::Open,
            2 => BracketRole::Close,
            _ => BracketRole::Reset,
        }
    }

    /// The kind of an open or close bracket; unused for other roles.
    pub const fn kind(self) -> u32 {
        self.0 >> 2
    }
}

impl From<u32> for Bracket {
    /// Converts any word to a bracket.
    fn from(bits: u32) -> Self {
        Self(bits)
    }
}

/// The errors and the end of a segment. It begins after the end of the previous segment.
///
/// 16 bytes, with the layout of four words in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Segment {
    /// The first close without an open; [`NONE`] if there is none.
    pub unopened: u32,
    /// The first close that matches an open of another kind; [`NONE`] if there is none.
    pub mismatched: u32,
    /// The first open without a close; [`NONE`] if there is none.
    pub unclosed: u32,
    /// The reset that ends the segment; for the last segment, the number of elements.
    pub end: u32,
}

impl Segment {
    /// A segment without errors and without an end.
    pub const NEW: Self = Self { unopened: NONE, mismatched: NONE, unclosed: NONE, end: NONE };

    /// The first error, or `None` if the segment is valid.
    ///
    /// ```
    /// use treebounds_core::{Bracket, BracketError, BracketErrorKind, reference};
    ///
    /// let (square, curly) = (0, 1);
    /// let elements = [Bracket::open(square), Bracket::open(curly), Bracket::close(square)];
    /// let found = reference::brackets(&elements).segments[0].first_error();
    /// assert_eq!(found, Some(BracketError { element: 2, kind: BracketErrorKind::Mismatched }));
    /// ```
    pub fn first_error(&self) -> Option<BracketError> {
        let (element, kind) = match self.unopened.min(self.mismatched) {
            NONE => (self.unclosed, BracketErrorKind::Unclosed),
            close if close == self.unopened => (close, BracketErrorKind::Unopened),
            close => (close, BracketErrorKind::Mismatched),
        };
        (element != NONE).then_some(BracketError { element, kind })
    }
}

/// An error of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracketError {
    /// The invalid close, or the unclosed open.
    pub element: u32,
    /// The kind of error.
    pub kind: BracketErrorKind,
}

/// The kind of a bracket error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BracketErrorKind {
    /// A close without an open.
    Unopened,
    /// A close that matches an open of another kind.
    Mismatched,
    /// An open without a close.
    Unclosed,
}
