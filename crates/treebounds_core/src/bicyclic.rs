//! The bicyclic monoid: the effect of a section of a stream on a stack.
//!
//! Cancel all matched pairs in a section of a stream, and ignore the draws. Some closes followed by some opens remain:
//!
//! ```text
//! ( ) ) ( ( ) ) ) (      (a section)
//! · · ) · · · · ) (      (matched pairs cancelled)
//!     ) )         (      closes: 2, opens: 1
//! ```
//!
//! Read this as *pops, then pushes*. To join two sections, cancel the opens of the first with the closes of the second:
//!
//! ```text
//!   a.closes  a.opens   b.closes  b.opens
//!     ) )      ( ( (  ·   ) )       (
//!                ╰─┼───────╯ │
//!                  ╰─────────╯           matched = min(a.opens, b.closes) = 2
//!     ) )      (                    (    closes: 2, opens: 2
//! ```
//!
//! Joining is associative, because concatenation is associative and the order of cancelling does not affect the result. It is
//! not commutative: `( · )` cancels to nothing, but `) · (` does not.
//!
//! In algebra this is the *bicyclic semigroup*: all words in `p` and `q`, with the single rule that `p q` cancels, and the normal
//! form `q…q p…p`. Levien uses it for parentheses matching on GPUs in "Fast GPU bounding boxes on tree-structured scenes" (2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659)). His
//! [stack monoid](https://raphlinus.github.io/gpu/2020/09/05/stack-monoid.html) stores the pushed values instead of their number.
//! Elements of the bicyclic semigroup have a constant size, which makes scans possible.

use crate::{Monoid, Role, Tag};
use bytemuck::{Pod, Zeroable};

/// Pops, then pushes. The [module](self) documentation derives the operation.
///
/// 8 bytes, with the layout of a WGSL `vec2<u32>`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct Bicyclic {
    /// The number of earlier nodes that the section closes.
    pub closes: u32,
    /// The number of nodes that the section leaves open.
    pub opens: u32,
}

impl Bicyclic {
    /// Opens one node.
    pub const OPEN: Self = Self { closes: 0, opens: 1 };
    /// Closes one node.
    pub const CLOSE: Self = Self { closes: 1, opens: 0 };

    /// The change in depth over the section, if enough nodes were open before it.
    #[inline]
    pub const fn net(self) -> i64 {
        self.opens as i64 - self.closes as i64
    }
}

impl Monoid for Bicyclic {
    const IDENTITY: Self = Self { closes: 0, opens: 0 };

    /// Counts never exceed the number of elements in the section, so sections of a [`Stream`](crate::Stream) never saturate.
    #[inline]
    fn combine(&self, later: &Self) -> Self {
        let matched = self.opens.min(later.closes);
        Self {
            closes: self.closes.saturating_add(later.closes - matched),
            opens: later.opens.saturating_add(self.opens - matched),
        }
    }
}

impl From<Role> for Bicyclic {
    #[inline]
    fn from(role: Role) -> Self {
        match role {
            Role::Draw => Self::IDENTITY,
            Role::Begin => Self::OPEN,
            Role::End => Self::CLOSE,
        }
    }
}

impl From<Tag> for Bicyclic {
    #[inline]
    fn from(tag: Tag) -> Self {
        tag.role().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_figures_are_correct() {
        let section = "())(()))(".chars().fold(Bicyclic::IDENTITY, |section, c| {
            section.combine(if c == '(' { &Bicyclic::OPEN } else { &Bicyclic::CLOSE })
        });
        assert_eq!(section, Bicyclic { closes: 2, opens: 1 });
        let a = Bicyclic { closes: 2, opens: 3 };
        let b = Bicyclic { closes: 2, opens: 1 };
        assert_eq!(a.combine(&b), Bicyclic { closes: 2, opens: 2 });
        assert_eq!(a.combine(&b).net(), a.net() + b.net());
    }

    #[test]
    fn combine_is_not_commutative() {
        assert_eq!(Bicyclic::OPEN.combine(&Bicyclic::CLOSE), Bicyclic::IDENTITY);
        let both = Bicyclic { closes: 1, opens: 1 };
        assert_eq!(Bicyclic::CLOSE.combine(&Bicyclic::OPEN), both);
    }
}
