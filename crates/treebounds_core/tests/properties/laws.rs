//! Checks the identity and associativity of all monoids.

use core::fmt::Debug;
use proptest::prelude::*;
use treebounds_core::{Bicyclic, Intersection, Monoid, Tag, Union};
use treebounds_testkit::streams::strategy;

fn check_laws<M: Monoid + PartialEq + Debug>(a: &M, b: &M, c: &M) -> Result<(), TestCaseError> {
    prop_assert_eq!(&M::IDENTITY.combine(a), a);
    prop_assert_eq!(&a.combine(&M::IDENTITY), a);
    prop_assert_eq!(a.combine(b).combine(c), a.combine(&b.combine(c)));
    Ok(())
}

/// Like [`check_laws`], but compares bits, so `0.0` and `-0.0` differ.
fn check_laws_in_bits<M: Monoid + bytemuck::Pod>(a: M, b: M, c: M) -> Result<(), TestCaseError> {
    let bits = |m: M| bytemuck::bytes_of(&m).to_vec();
    prop_assert_eq!(bits(M::IDENTITY.combine(&a)), bits(a));
    prop_assert_eq!(bits(a.combine(&M::IDENTITY)), bits(a));
    prop_assert_eq!(bits(a.combine(&b).combine(&c)), bits(a.combine(&b.combine(&c))));
    Ok(())
}

fn bicyclic() -> impl Strategy<Value = Bicyclic> {
    (0..6_u32, 0..6_u32).prop_map(|(closes, opens)| Bicyclic { closes, opens })
}

proptest! {
    #[test]
    fn bicyclic_is_a_monoid(a in bicyclic(), b in bicyclic(), c in bicyclic()) {
        check_laws(&a, &b, &c)?;
    }

    #[test]
    fn intersection_is_a_commutative_monoid(
        a in strategy::rect(), b in strategy::rect(), c in strategy::rect()
    ) {
        let [a, b, c] = [a, b, c].map(Intersection);
        check_laws_in_bits(a, b, c)?;
        prop_assert_eq!(a.combine(&b), b.combine(&a));
        prop_assert_eq!(a.combine(&a), a);
    }

    #[test]
    fn union_is_a_commutative_monoid(
        a in strategy::rect(), b in strategy::rect(), c in strategy::rect()
    ) {
        let [a, b, c] = [a, b, c].map(Union);
        check_laws_in_bits(a, b, c)?;
        prop_assert_eq!(a.combine(&b), b.combine(&a));
        prop_assert_eq!(a.combine(&a), a);
    }

    #[test]
    fn intersections_are_inside_and_unions_around_both_rects(
        a in strategy::rect(), b in strategy::rect()
    ) {
        let (both, around) = (a.intersect(b), a.union(b));
        prop_assert!(a.contains(both) && b.contains(both));
        prop_assert!(around.contains(a) && around.contains(b));
        prop_assert_eq!(a.contains(b), a.intersect(b) == b);
        prop_assert_eq!(a.contains(b), a.union(b) == a);
    }

    #[test]
    fn products_count_unmatched_closes_and_opens(tags in strategy::tags(60)) {
        let sections = tags.iter().map(|tag| Bicyclic::from(*tag));
        let product = sections.fold(Bicyclic::IDENTITY, |all, one| all.combine(&one));
        let (mut open, mut closes) = (0, 0);
        for tag in tags {
            match Bicyclic::from(tag) {
                Bicyclic::OPEN => open += 1,
                Bicyclic::CLOSE if open == 0 => closes += 1,
                Bicyclic::CLOSE => open -= 1,
                _ => prop_assert_eq!(tag, Tag::DRAW),
            }
        }
        prop_assert_eq!(product, Bicyclic { closes, opens: open });
    }
}
