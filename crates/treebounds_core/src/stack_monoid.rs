//! The stack monoid: how a section of a stream changes a stack of values.
//!
//! [`Bicyclic`] counts the open nodes of a section; the stack monoid also keeps their values:
//!
//! ```text
//! index    0 1 2 3 4 5 6
//! section  ) ( ( ) ( ) (
//! leaves   )  (1        (6      closes: 1, pushed: [1, 6]
//! ```
//!
//! If indices are pushed, matching is a scan: the product of everything before an element is the stack at that element, and
//! the top of the stack is the element's link. No parallel machine would keep that many stacks, but the idea carries over:
//! Levien's kernels keep one *slice* of pushed values per tile and use the bicyclic counts to find the slice that contains a
//! value. See "The stack monoid"
//! ([2020](https://raphlinus.github.io/gpu/2020/09/05/stack-monoid.html)), "The
//! stack monoid revisited" (2021), and
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659) (2022).

use crate::{Bicyclic, Monoid};
use alloc::{vec, vec::Vec};

/// Pops, then pushes of these values. The [module](self) has a figure.
///
/// ```
/// use treebounds_core::{Monoid, StackMonoid};
/// let two = StackMonoid::push('a').combine(&StackMonoid::push('b'));
/// let after = two.combine(&StackMonoid::pop()).combine(&StackMonoid::push('c'));
/// assert_eq!(after.pushed(), ['a', 'c']);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StackMonoid<T> {
    closes: usize,
    pushed: Vec<T>,
}

impl<T> StackMonoid<T> {
    /// One value is pushed.
    pub fn push(value: T) -> Self {
        Self { closes: 0, pushed: vec![value] }
    }

    /// One value is popped.
    pub const fn pop() -> Self {
        Self { closes: 1, pushed: Vec::new() }
    }

    /// The number of values from before the section that it pops.
    pub const fn closes(&self) -> usize {
        self.closes
    }

    /// The values that it leaves pushed, bottom first: the section's *slice*.
    pub fn pushed(&self) -> &[T] {
        &self.pushed
    }

    /// The value on top, if the section leaves one.
    pub fn top(&self) -> Option<&T> {
        self.pushed.last()
    }

    /// The same without the values. This is a homomorphism: the counts of a product are the product of the counts.
    pub fn counts(&self) -> Bicyclic {
        Bicyclic { closes: saturate(self.closes), opens: saturate(self.pushed.len()) }
    }
}

impl<T: Clone> Monoid for StackMonoid<T> {
    const IDENTITY: Self = Self { closes: 0, pushed: Vec::new() };

    /// Cost: one copy per remaining value.
    fn combine(&self, later: &Self) -> Self {
        let matched = self.pushed.len().min(later.closes);
        let kept = &self.pushed[..self.pushed.len() - matched];
        Self {
            closes: self.closes + (later.closes - matched),
            pushed: [kept, &later.pushed].concat(),
        }
    }
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_of_the_module() {
        let section =
            ")(()()(".chars().enumerate().fold(StackMonoid::IDENTITY, |section, (ix, c)| {
                section.combine(&if c == '(' { StackMonoid::push(ix) } else { StackMonoid::pop() })
            });
        assert_eq!((section.closes(), section.pushed()), (1, [1, 6].as_slice()));
        assert_eq!(section.top(), Some(&6));
        assert_eq!(section.counts(), Bicyclic { closes: 1, opens: 2 });
    }
}
