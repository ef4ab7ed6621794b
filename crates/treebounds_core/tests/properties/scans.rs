//! Every scan equals the sequential one, for any length; and matching by scans and by search equals the reference.

use core::cell::Cell;
use proptest::collection::vec;
use proptest::prelude::*;
use treebounds_core::scan::{self, bottom_up_scan, exclusive_scan, inclusive_scan, reduce};
use treebounds_core::{
    Bicyclic, BicyclicTree, Monoid, NONE, Role, StackMonoid, Tag, bicyclic_tree, reference,
};
use treebounds_testkit::streams::{SHAPES, strategy};

/// Strings, the free monoid. It keeps everything, so two ways to multiply that agree on it agree on every monoid.
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
fn bottom_up_takes_two_products_per_item_for_every_k() {
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

/// The effect of each element on a stack of indices.
fn stacks(tags: &[Tag]) -> Vec<StackMonoid<u32>> {
    let stack = |(ix, tag): (usize, &Tag)| match tag.role() {
        Role::Draw => scan::reduce(&[]),
        Role::Begin => StackMonoid::push(ix as u32),
        Role::End => StackMonoid::pop(),
    };
    tags.iter().enumerate().map(stack).collect()
}

proptest! {
    #[test]
    fn the_search_finds_the_reference_links(tags in strategy::tags(200)) {
        prop_assert_eq!(bicyclic_tree::links(&tags), reference::links(&tags));
    }

    #[test]
    fn the_top_of_the_scanned_stack_is_the_link(tags in strategy::tags(60)) {
        let before = scan::bottom_up_scan::<4, _>(&stacks(&tags));
        for (ix, link) in reference::links(&tags).into_iter().enumerate() {
            if tags[ix].is_marker() {
                prop_assert_eq!(before[ix].top().copied().unwrap_or(NONE), link);
            }
        }
    }

    /// The tree finds the whole stack at every position, not only its top.
    #[test]
    fn the_tree_knows_every_stack(tags in strategy::tags(40)) {
        let tree = BicyclicTree::of_tags(&tags);
        prop_assert_eq!(tree.len(), tags.len());
        for from in 0..=tags.len() {
            let stack = scan::reduce(&stacks(&tags[..from]));
            let found: Vec<_> = (0..).map_while(|depth| tree.find_open(from, depth)).collect();
            let indices: Vec<_> = found.iter().rev().map(|place| place.leaf as u32).collect();
            prop_assert_eq!(stack.pushed(), &indices);
            prop_assert!(found.iter().all(|place| place.above == 0));
            prop_assert_eq!(tree.find_open(from, u32::MAX), None);
        }
        prop_assert_eq!(tree.find_open(tags.len() + 1, 0), None);
    }

    /// A tree over tiles finds the tile and the index in its slice.
    #[test]
    fn a_tree_of_tiles_points_into_their_slices(tags in strategy::tags(80), tile in 1..9_usize) {
        let tiles: Vec<_> = stacks(&tags).chunks(tile).map(scan::reduce).collect();
        let counts: Vec<Bicyclic> = tiles.iter().map(StackMonoid::counts).collect();
        let tree = BicyclicTree::new(&counts);
        prop_assert_eq!(tree.total(), scan::reduce(&counts));
        for from in 0..=tiles.len() {
            let stack = scan::reduce(&tiles[..from]);
            for (depth, value) in stack.pushed().iter().rev().enumerate() {
                let place = tree.find_open(from, depth as u32).expect("the stack is that deep");
                let slice = tiles[place.leaf].pushed();
                prop_assert_eq!(&slice[slice.len() - 1 - place.above as usize], value);
            }
            prop_assert_eq!(tree.find_open(from, stack.pushed().len() as u32), None);
        }
    }
}

#[test]
fn every_shape_is_matched() {
    for shape in SHAPES {
        for n in [0, 1, 2, 255, 256, 257, 5000] {
            let stream = shape.stream(n, 1);
            let links = bicyclic_tree::links(stream.tags());
            assert_eq!(links, reference::links(stream.tags()), "{}, {n}", shape.name);
        }
    }
}
