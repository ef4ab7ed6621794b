//! Monoids: operations that can be regrouped and run in parallel.
//!
//! A sum can be split anywhere, its parts computed separately and the results combined, because addition is associative.
//! Reductions and scans need only this property. Everything that this project computes in parallel is a monoid: rects under
//! intersection, rects under union, and [pops and pushes](crate::Bicyclic), where the order matters but the grouping does not.

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
/// Equality is bitwise: the result of a backend must not depend on where it splits its input. `a · b` need not equal `b · a`;
/// `a` comes first in the stream.
pub trait Monoid: Clone {
    /// The identity.
    const IDENTITY: Self;

    /// The product `self · later`.
    #[must_use]
    fn combine(&self, later: &Self) -> Self;
}

/// Canonical rects under [`Rect::intersect`]: clips along a path of the tree.
///
/// Both laws need canonical rects ([`Rect::canonical`]). Combining with the identity would make infinite edges finite, and turn
/// any empty rect into [`Rect::NOTHING`].
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
/// Rects must be canonical. Empty rects other than [`Rect::NOTHING`], such as `(5, 5, 5, 5)`, contain no point but enlarge a
/// union. The laws would hold, but the boxes would be too large.
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

    #[test]
    fn non_canonical_rects_break_laws_or_enlarge_boxes() {
        let infinite = Rect::new(f32::NEG_INFINITY, 0.0, 1.0, 1.0);
        let point = Rect::new(5.0, 5.0, 5.0, 5.0);
        let unit = Rect::new(0.0, 0.0, 1.0, 1.0);
        assert_ne!(Intersection::IDENTITY.combine(&Intersection(infinite)).0, infinite);
        assert_ne!(Intersection::IDENTITY.combine(&Intersection(point)).0, point);
        assert_ne!(Union(unit).combine(&Union(point)).0, unit);
    }
}
