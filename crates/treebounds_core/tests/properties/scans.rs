//! Every scan is the sequential one, whatever the monoid and the length.

use core::cell::Cell;
use proptest::collection::vec;
use proptest::prelude::*;
use treebounds_core::Monoid;
use treebounds_core::scan::{bottom_up_scan, exclusive_scan, inclusive_scan, reduce};

/// The free monoid: strings. It forgets nothing, so where two ways to multiply
/// agree on it, they agree on every monoid.
#[derive(Clone, Debug, PartialEq)]
struct Text(String);

thread_local! {
    static PRODUCTS: Cell<usize> = const { Cell::new(0) };
}

impl Monoid for Text {
    const IDENTITY: Self = Self(String::new());

    fn combine(&self, later: &Self) -> Self {
        PRODUCTS.set(PRODUCTS.get() + 1);
        Self(self.0.clone() + &later.0)
    }
}

fn texts(longest: usize) -> impl Strategy<Value = Vec<Text>> {
    vec("[a-z]".prop_map(Text), 0..=longest)
}

proptest! {
    #[test]
    fn scans_and_reduce_agree(items in texts(40)) {
        let (inclusive, exclusive) = (inclusive_scan(&items), exclusive_scan(&items));
        for ix in 0..items.len() {
            prop_assert_eq!(&exclusive[ix], &reduce(&items[..ix]));
            prop_assert_eq!(&inclusive[ix], &reduce(&items[..=ix]));
        }
        prop_assert_eq!((inclusive.len(), exclusive.len()), (items.len(), items.len()));
    }

    #[test]
    fn bottom_up_is_the_exclusive_scan(items in texts(100)) {
        let expected = exclusive_scan(&items);
        prop_assert_eq!(&bottom_up_scan::<2, _>(&items), &expected);
        prop_assert_eq!(&bottom_up_scan::<3, _>(&items), &expected);
        prop_assert_eq!(&bottom_up_scan::<8, _>(&items), &expected);
        prop_assert_eq!(&bottom_up_scan::<64, _>(&items), &expected);
    }
}

#[test]
fn bottom_up_takes_two_products_an_item_whatever_k_is() {
    fn products<const K: usize>(n: usize) -> usize {
        PRODUCTS.set(0);
        assert_eq!(bottom_up_scan::<K, _>(&vec![Text::IDENTITY; n]).len(), n);
        PRODUCTS.get()
    }
    for n in 1..200 {
        let counts = [products::<2>(n), products::<3>(n), products::<7>(n), products::<16>(n)];
        assert_eq!(counts, [2 * (n - 1); 4], "{n} items");
    }
}
