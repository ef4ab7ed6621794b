//! Brackets for parsers: kinds, segments and errors.
//!
//! An element opens, closes, resets or does nothing. An open and a close have a kind, so that `]` does not close `{`. A reset
//! ends a *segment*, such as a line or a document. Brackets match inside their segment only:
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
//! **Shape first, kinds afterwards.** A close matches the open on top of the stack, whatever the kinds. If they differ, the
//! close is *mismatched*, and matching goes on as if they did not. A close on an empty stack is *unopened*. An open that is
//! still on the stack when its segment ends is *unclosed*.
//!
//! **The first error** of a segment is where a reader stops: the first close that is unopened or mismatched. If there is none,
//! it is the lowest unclosed open, which a reader only knows at the end of the segment. Up to the first error
//! every strategy of recovery has the same stack, so this error does not depend on ours.

use crate::NONE;
use bytemuck::{Pod, Zeroable};

/// What an element does to the stack of a parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BracketRole {
    /// Nothing.
    Other,
    /// Opens.
    Open,
    /// Closes the nearest open.
    Close,
    /// Ends a segment: the stack is empty afterwards.
    Reset,
}

/// An element in one word: its role in the two lowest bits (0 other, 1 open, 2 close, 3 reset), and its kind above them.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct Bracket(u32);

impl Bracket {
    /// Neither opens nor closes.
    pub const OTHER: Self = Self(0);
    /// Ends a segment.
    pub const RESET: Self = Self(3);
    /// The number of kinds: they have 30 bits.
    pub const KINDS: u32 = 1 << 30;

    /// An open of a kind, which is taken modulo [`Bracket::KINDS`].
    pub const fn open(kind: u32) -> Self {
        Self(kind << 2 | 1)
    }

    /// A close of a kind, which is taken modulo [`Bracket::KINDS`].
    pub const fn close(kind: u32) -> Self {
        Self(kind << 2 | 2)
    }

    /// The word.
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

    /// The kind, which only opens and closes use.
    pub const fn kind(self) -> u32 {
        self.0 >> 2
    }
}

impl From<u32> for Bracket {
    /// Any word is a bracket.
    fn from(bits: u32) -> Self {
        Self(bits)
    }
}

/// A segment: its errors and its end. It begins after the end of the segment before it.
///
/// 16 bytes, the layout of four words in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Segment {
    /// The first close without an open; [`NONE`] if there is none.
    pub unopened: u32,
    /// The first close that matches an open of another kind; [`NONE`] if there is none.
    pub mismatched: u32,
    /// The first open without a close; [`NONE`] if there is none.
    pub unclosed: u32,
    /// The reset that ends it; for the last segment, the number of elements.
    pub end: u32,
}

impl Segment {
    /// Without errors, and without an end.
    pub const NEW: Self = Self { unopened: NONE, mismatched: NONE, unclosed: NONE, end: NONE };

    /// The first error; `None` where the segment is right.
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
    /// The close that is wrong, or the open that stays open.
    pub element: u32,
    /// What is wrong with it.
    pub kind: BracketErrorKind,
}

/// What is wrong with a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BracketErrorKind {
    /// A close without an open.
    Unopened,
    /// A close that matches an open of another kind.
    Mismatched,
    /// An open without a close.
    Unclosed,
}
