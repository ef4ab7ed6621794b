//! The bicyclic monoid: how a section of a stream changes the depth.
//!
//! Cancel every matched pair in a section of a stream and ignore its draws. The rest is always some closes followed by some
//! opens:
//!
//! ```text
//! ( ) ) ( ( ) ) ) (      (a section)
//! · · ) · · · · ) (      (matched pairs cancelled)
//!     ) )         (      closes: 2, opens: 1
//! ```
//!
//! Read it as *pops, then pushes*. To join two sections, cancel once more, where the opens of the first meet the closes of the
//! second:
//!
//! ```text
//!   a.closes  a.opens   b.closes  b.opens
//!     ) )      ( ( (  ·   ) )       (
//!                ╰─┼───────╯ │
//!                  ╰─────────╯           matched = min(a.opens, b.closes) = 2
//!     ) )      (                    (    closes: 2, opens: 2
//! ```
//!
//! Joining is associative because concatenation is, and because cancelling ends in the same `)))((` whatever pair goes first.
//! It is not commutative: `( · )` leaves nothing, `) · (` leaves both.
//!
//! In algebra this is the *bicyclic semigroup*: all words in `p` and `q` under the one rule that `p q` vanishes, each with the
//! normal form `q…q p…p`. Levien, "Fast GPU bounding boxes on tree-structured scenes" (2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659)), builds parentheses matching for GPUs on it. With the
//! values that are pushed instead of their number, it would be his [stack monoid](https://raphlinus.github.io/gpu/2020/09/05/stack-monoid.html).
//! Its size is constant, so it can be scanned where stacks cannot.

use crate::{Monoid, Role, Tag};
use bytemuck::{Pod, Zeroable};

/// Pops, then pushes. The [module](self) derives it.
///
/// 8 bytes, the layout of a WGSL `vec2<u32>`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct Bicyclic {
    /// The number of nodes from before the section that it closes.
    pub closes: u32,
    /// The number of its own nodes that it leaves open.
    pub opens: u32,
}

impl Bicyclic {
    /// One node is opened.
    pub const OPEN: Self = Self { closes: 0, opens: 1 };
    /// One node is closed.
    pub const CLOSE: Self = Self { closes: 1, opens: 0 };

    /// The change of depth over the section, if enough nodes were open before.
    #[inline]
    pub const fn net(self) -> i64 {
        self.opens as i64 - self.closes as i64
    }
}

impl Monoid for Bicyclic {
    const IDENTITY: Self = Self { closes: 0, opens: 0 };

    /// Neither count exceeds the number of elements in the section, so sections of a [`Stream`](crate::Stream) never
    /// saturate.
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
    fn the_figures_of_the_module() {
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
    fn the_order_matters() {
        assert_eq!(Bicyclic::OPEN.combine(&Bicyclic::CLOSE), Bicyclic::IDENTITY);
        let both = Bicyclic { closes: 1, opens: 1 };
        assert_eq!(Bicyclic::CLOSE.combine(&Bicyclic::OPEN), both);
    }
}
