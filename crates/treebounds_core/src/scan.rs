//! Reductions and scans over any monoid.
//!
//! A *scan* gives every element the product of those before it; *inclusive* if
//! the element counts itself in, *exclusive* if not:
//!
//! ```text
//! items             a   b    c     d
//! inclusive_scan    a   ab   abc   abcd
//! exclusive_scan    1   a    ab    abc
//! reduce                           abcd
//! ```
//!
//! These two take a product that waits for the one before it: `n` steps. The
//! [`bottom_up_scan`] needs about `2 k log_k n` steps if all that may happen at
//! once does, for at most twice the products.

use crate::Monoid;
use alloc::vec::Vec;

/// The product of all, in order.
pub fn reduce<M: Monoid>(items: &[M]) -> M {
    items.iter().fold(M::IDENTITY, |product, item| product.combine(item))
}

/// The product of each item and all before it.
///
/// ```
/// use treebounds_core::{Bicyclic, scan};
/// let depths = scan::inclusive_scan(&[Bicyclic::OPEN, Bicyclic::OPEN, Bicyclic::CLOSE]);
/// assert_eq!(depths.iter().map(|b| b.opens).collect::<Vec<_>>(), [1, 2, 1]);
/// ```
pub fn inclusive_scan<M: Monoid>(items: &[M]) -> Vec<M> {
    let mut product = M::IDENTITY;
    let step = |item| {
        product = product.combine(item);
        product.clone()
    };
    items.iter().map(step).collect()
}

/// The product of all before each item.
pub fn exclusive_scan<M: Monoid>(items: &[M]) -> Vec<M> {
    prefixes(M::IDENTITY, items).collect()
}

/// [`exclusive_scan`] in the shape of a tree with `K` children a node, built and
/// read level by level, from the bottom up.
///
/// ```text
/// K = 2                a    b    c     d     e      f       g
///                      ╰──┬─╯    ╰──┬──╯     ╰───┬──╯       │     up: reduce groups of K
///                         ab        cd           ef         g
///                         ╰────┬────╯            ╰────┬─────╯
///                            abcd                    efg
///                              ╰──────────┬───────────╯
///                                     (the root)
///                                         1                       down: scan each group,
///                              ╭──────────┴───────────╮           starting from the
///                              1                    abcd          prefix of the group
///                         ╭────┴────╮            ╭────┴─────╮
///                         1         ab         abcd       abcdef
///                      ╭──┴─╮    ╭──┴──╮     ╭───┴──╮       │
///                      1    a    ab   abc  abcd   abcde  abcdef
/// ```
///
/// A level is a list of groups, and the list of the groups' products is a level
/// again: one scan of a shorter list, instead of `K` scans of the subtrees whose
/// results would have to be added up afterwards. That is what makes the work
/// linear: `2 (n - 1)` products whatever `K` is, where the tree read from the
/// top takes about `n log n`. Groups of one level are independent of each other:
/// on a GPU a thread takes a group, and `K` is its elements per thread.
///
/// After Elliott, "Understanding efficient parallel scan" (talk, 2013), where
/// the turning over of the tree is found by algebra. Groups may be short here,
/// so any length will do.
pub fn bottom_up_scan<const K: usize, M: Monoid>(items: &[M]) -> Vec<M> {
    const { assert!(K >= 2, "a group of one makes no level shorter") }
    if items.len() <= 1 {
        return items.iter().map(|_| M::IDENTITY).collect();
    }
    let groups: Vec<M> = items.chunks(K).map(reduce_group).collect();
    let before_groups = bottom_up_scan::<K, M>(&groups);
    items.chunks(K).zip(before_groups).flat_map(|(group, before)| prefixes(before, group)).collect()
}

/// [`reduce`] without the product by the identity: `len - 1` products.
fn reduce_group<M: Monoid>(group: &[M]) -> M {
    match group {
        [] => M::IDENTITY,
        [first, rest @ ..] => {
            rest.iter().fold(first.clone(), |product, item| product.combine(item))
        }
    }
}

/// For each item, `before` and all items before it: `len - 1` products.
fn prefixes<M: Monoid>(before: M, items: &[M]) -> impl Iterator<Item = M> {
    let mut product = before;
    items.iter().enumerate().map(move |(ix, _)| {
        if ix > 0 {
            product = product.combine(&items[ix - 1]);
        }
        product.clone()
    })
}
