//! Monoids: operations that a parallel machine may regroup.
//!
//! A sum over a million elements can be cut anywhere, its parts added up separately and the results joined, because addition
//! is associative. Reductions and scans need nothing else. Everything this project computes in parallel is a monoid: rects
//! under intersection, rects under union, and [pops and pushes](crate::Bicyclic), where the order matters but the grouping does not.

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
/// Equal means equal in every bit: the result of a backend must not depend on where it cuts its input. `a · b` need not be
/// `b · a`; `a` comes first in the stream.
pub trait Monoid: Clone {
    /// The neutral value.
    const IDENTITY: Self;

    /// The product `self · later`.
    #[must_use]
    fn combine(&self, later: &Self) -> Self;
}

/// Canonical rects under [`Rect::intersect`]: clips along a path of the tree.
///
/// Both laws need canonical rects ([`Rect::canonical`]). The product with the identity would change an infinite edge, because
/// the identity's edges are finite, and an empty rect other than [`Rect::NOTHING`], because every empty intersection becomes
/// that one.
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

/// Canonical rects under [`Rect::union`]: contents of subtrees.
///
/// Canonical rects matter even more here. An empty rect other than [`Rect::NOTHING`], such as `(5, 5, 5, 5)`, contains no
/// point, but enlarges a union. The laws would still hold; the boxes would be too large.
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

    /// Each of these rects breaks a law or enlarges a box, which is why rects must be canonical.
    #[test]
    fn rects_that_are_not_canonical_break_the_laws() {
        let infinite = Rect::new(f32::NEG_INFINITY, 0.0, 1.0, 1.0);
        let point = Rect::new(5.0, 5.0, 5.0, 5.0);
        let unit = Rect::new(0.0, 0.0, 1.0, 1.0);
        assert_ne!(Intersection::IDENTITY.combine(&Intersection(infinite)).0, infinite);
        assert_ne!(Intersection::IDENTITY.combine(&Intersection(point)).0, point);
        assert_ne!(Union(unit).combine(&Union(point)).0, unit);
    }
}
