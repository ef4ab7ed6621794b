//! Reductions and scans over any monoid.
//!
//! A *scan* gives every element the product of all elements before it, including itself (*inclusive*) or not (*exclusive*):
//!
//! ```text
//! items             a   b    c     d
//! inclusive_scan    a   ab   abc   abcd
//! exclusive_scan    1   a    ab    abc
//! reduce                           abcd
//! ```
//!
//! In both of these scans every product waits for the one before it, which takes `n` steps. With enough threads,
//! [`bottom_up_scan`] takes about `2 k log_k n` steps, for at most twice as many products.

use crate::Monoid;
use alloc::vec::Vec;

/// The product of all items, in order.
pub fn reduce<M: Monoid>(items: &[M]) -> M {
    items.iter().fold(M::IDENTITY, |product, item| product.combine(item))
}

/// For each item, the product of all items before it and itself.
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

/// For each item, the product of all items before it.
pub fn exclusive_scan<M: Monoid>(items: &[M]) -> Vec<M> {
    prefixes(M::IDENTITY, items).collect()
}

/// [`exclusive_scan`] by a tree with `K` children per node: upsweep, then downsweep, level by level.
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
/// A level is a list of groups, and the list of the groups' products is the next level: one scan of a shorter list, instead
/// of `K` scans of subtrees whose results would have to be combined afterwards. That makes the work linear: `2 (n - 1)`
/// products for every `K`, where the tree read from the top takes about `n log n`. The groups of a level are independent: on a
/// GPU, each thread takes one group of `K` elements.
///
/// After Elliott, "Understanding efficient parallel scan" (talk, 2013), who derives the bottom-up form by algebra. Groups may
/// be short, so the list may have any length.
pub fn bottom_up_scan<const K: usize, M: Monoid>(items: &[M]) -> Vec<M> {
    const { assert!(K >= 2, "groups of one item do not make a level shorter") }
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

/// For each item, the product of `before` and all items before it: `len - 1` products.
fn prefixes<M: Monoid>(before: M, items: &[M]) -> impl Iterator<Item = M> {
    let mut product = before;
    items.iter().enumerate().map(move |(ix, _)| {
        if ix > 0 {
            product = product.combine(&items[ix - 1]);
        }
        product.clone()
    })
}
