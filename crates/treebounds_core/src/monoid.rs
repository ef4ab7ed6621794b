//! Monoids: what a parallel machine may regroup.
//!
//! A sum over a million elements can be cut anywhere, its parts summed apart and
//! the parts joined, because addition does not care how it is bracketed. That is
//! all a reduction or a scan asks for. Everything this project computes in
//! parallel is a monoid: rects that intersect, rects that unite, and stacks
//! ([`Bicyclic`](crate::Bicyclic), [`StackMonoid`](crate::StackMonoid)), where
//! order matters but bracketing does not.

use crate::Rect;
use bytemuck::{Pod, Zeroable};

/// A type with an associative operation and its identity.
///
/// For all values `a`, `b` and `c`:
///
/// ```text
/// identity       IDENTITY · a = a = a · IDENTITY
/// associativity  (a · b) · c = a · (b · c)
/// ```
///
/// Equal means equal in every bit: what a backend computes must not depend on
/// where it cuts its input. `a · b` need not be `b · a`; `a` comes first in the
/// stream.
pub trait Monoid: Clone {
    /// The value that changes nothing.
    const IDENTITY: Self;

    /// `self`, then `later`.
    #[must_use]
    fn combine(&self, later: &Self) -> Self;
}

/// Canonical rects under [`Rect::intersect`]: clips, along a path of the tree.
///
/// Both laws need the rects to be canonical ([`Rect::canonical`]). An infinite
/// edge would not survive the identity, whose edges are finite; neither would
/// an empty rect that is not [`Rect::NOTHING`], since every empty intersection
/// is written as that one.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Intersection(pub Rect);

impl Monoid for Intersection {
    const IDENTITY: Self = Self(Rect::EVERYTHING);

    #[inline]
    fn combine(&self, later: &Self) -> Self {
        Self(self.0.intersect(later.0))
    }
}

/// Canonical rects under [`Rect::union`]: content, over the subtrees.
///
/// Here canonical matters more. An empty rect that is not [`Rect::NOTHING`],
/// such as `(5, 5, 5, 5)`, holds no point, but a union that takes it in grows
/// to reach it. The laws would still hold; the boxes would be too large.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Union(pub Rect);

impl Monoid for Union {
    const IDENTITY: Self = Self(Rect::NOTHING);

    #[inline]
    fn combine(&self, later: &Self) -> Self {
        Self(self.0.union(later.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Why the rects have to be canonical: each of these breaks a law or a box.
    #[test]
    fn what_is_not_canonical_breaks_the_laws() {
        let infinite = Rect::new(f32::NEG_INFINITY, 0.0, 1.0, 1.0);
        let point = Rect::new(5.0, 5.0, 5.0, 5.0);
        let unit = Rect::new(0.0, 0.0, 1.0, 1.0);
        assert_ne!(Intersection::IDENTITY.combine(&Intersection(infinite)).0, infinite);
        assert_ne!(Intersection::IDENTITY.combine(&Intersection(point)).0, point);
        assert_ne!(Union(unit).combine(&Union(point)).0, unit);
    }
}
