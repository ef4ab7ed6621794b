//! Matching by search: a tree of bicyclic products.
//!
//! The question is always the same: *seen from position `i`, which element is the `d`-th open from the top of the stack?* For
//! `d = 0` the answer is the link of element `i`. Figure 2 of Levien's paper answers it by a binary search over partial
//! products; this is that search (2022, [arXiv:2205.11659](https://arxiv.org/abs/2205.11659)). Bar-On and Vishkin, "Optimal
//! parallel generation of a computation tree form" (1985), already match parentheses by climbing and descending a tree.
//!
//! ```text
//! node 1                     0)(1               closes)(opens of all below
//!                  ╭──────────┴──────────╮
//! nodes 2, 3      0)(2                  1)(0
//!              ╭───┴────╮            ╭───┴────╮
//! 4 ... 7     0)(2     1)(1         0)(0     1)(0
//!            ╭─┴─╮    ╭─┴─╮        ╭─┴─╮    ╭─┴─╮
//! leaves     (   (    )   (        (   )    )   ·
//! element    0   1    2   3        4   5    6   (to spare)
//! ```
//!
//! To find the link of element 6, climb from its leaf. Node 7 is a right child; its sibling 6 opens nothing and closes nothing.
//! Node 3 is a right child too; its sibling 2 leaves two open, so the top is among them. Descend, right child first: node 5
//! leaves one open, and so does its right leaf. The answer is element 3.
//!
//! The tree is an array: the root is node 1, the children of node `i` are `2 i` and `2 i + 1`, and leaf `i` is node
//! `size + i`, where `size` is a power of two. Leaves past the end are the identity. The matching kernels keep the same array
//! over the threads of a workgroup and walk it in the same way.

use crate::{Bicyclic, Monoid, NONE, Tag};
use alloc::vec::Vec;

/// A tree of bicyclic products. The [module](self) has its layout.
///
/// ```
/// use treebounds_core::{BicyclicTree, NodeKind, Tag};
/// let (open, close) = (Tag::begin(NodeKind::Clip), Tag::end(NodeKind::Clip));
/// let tree = BicyclicTree::of_tags(&[open, open, open, close, close]);
/// let place = tree.find_open(4, 0).unwrap();
/// assert_eq!(place.leaf, 1); // the last close ends element 1
/// ```
#[derive(Clone, Debug)]
pub struct BicyclicTree {
    nodes: Vec<Bicyclic>,
    size: usize,
    len: usize,
}

/// The position of an open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPlace {
    /// The leaf that contains it.
    pub leaf: usize,
    /// The number of opens of the same leaf above it on the stack. Always 0 if leaves are elements; if they are tiles, an
    /// index from the top of the tile's slice.
    pub above: u32,
}

impl BicyclicTree {
    /// The tree over these leaves: elements, or tiles of elements.
    ///
    /// There is always a spare leaf, so that a search can start at the end of the stream.
    pub fn new(leaves: &[Bicyclic]) -> Self {
        let size = (leaves.len() + 1).next_power_of_two();
        let mut nodes = alloc::vec![Bicyclic::IDENTITY; 2 * size];
        nodes[size..size + leaves.len()].copy_from_slice(leaves);
        for node in (1..size).rev() {
            nodes[node] = nodes[2 * node].combine(&nodes[2 * node + 1]);
        }
        Self { nodes, size, len: leaves.len() }
    }

    /// The tree over the elements of a stream.
    pub fn of_tags(tags: &[Tag]) -> Self {
        Self::new(&tags.iter().map(|tag| (*tag).into()).collect::<Vec<_>>())
    }

    /// The number of leaves.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no leaves.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The product of all leaves.
    pub fn total(&self) -> Bicyclic {
        self.nodes[1]
    }

    /// The `depth`-th open from the top of the stack (0 is the top), as seen just before leaf `from`, which may be one past
    /// the last. `None` if the stack is not that deep.
    ///
    /// Cost: at most `2 log2(n)` steps, and fewer the nearer the open is.
    pub fn find_open(&self, from: usize, depth: u32) -> Option<OpenPlace> {
        if from > self.len {
            return None;
        }
        // Climb. The left siblings of the right children on the way up cover everything before the leaf, nearest first.
        let mut depth = depth;
        let mut node = self.size + from;
        while node > 1 {
            if node % 2 == 1 {
                match pass(depth, self.nodes[node - 1]) {
                    Passed::Here => return Some(self.descend(node - 1, depth)),
                    Passed::Before(deeper) => depth = deeper,
                }
            }
            node /= 2;
        }
        None
    }

    /// Finds the leaf below `node` that contains the open, which is known to be there.
    fn descend(&self, mut node: usize, mut depth: u32) -> OpenPlace {
        while node < self.size {
            let right = 2 * node + 1;
            node = match pass(depth, self.nodes[right]) {
                Passed::Here => right,
                Passed::Before(deeper) => {
                    depth = deeper;
                    right - 1
                }
            };
        }
        OpenPlace { leaf: node - self.size, above: depth }
    }
}

/// The outcome of looking at a node's product from its right end.
enum Passed {
    /// The node contains the open.
    Here,
    /// The open lies before the node, at this depth as seen from the node's left end.
    Before(u32),
}

/// Walks leftward over a node. Its opens are on top of the stack; below them is the stack before it, without the values that
/// its closes popped.
fn pass(depth: u32, node: Bicyclic) -> Passed {
    if depth < node.opens {
        Passed::Here
    } else {
        Passed::Before((depth - node.opens).saturating_add(node.closes))
    }
}

/// [`reference::links`](crate::reference::links) by one search per element. The searches do not depend on each other, so they
/// can run in parallel.
pub fn links(tags: &[Tag]) -> Vec<u32> {
    let tree = BicyclicTree::of_tags(tags);
    let link = |(ix, tag): (usize, &Tag)| match tree.find_open(ix, 0) {
        Some(place) if tag.is_marker() => place.leaf as u32,
        _ => NONE,
    };
    tags.iter().enumerate().map(link).collect()
}
