//! Matching by search: a tree of bicyclic products.
//!
//! The search answers one question: *at position `i`, which element is the `d`-th open from the top of the stack?* For `d = 0`
//! this is the link of element `i`. The search is a binary search over partial products, from Figure 2 of Levien's paper (2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659)). Bar-On and Vishkin, "Optimal parallel generation of a computation tree
//! form" (1985), already matched parentheses by climbing and descending a tree.
//!
//! ```text
//! node 1                     0)(1               closes)(opens of all leaves below
//!                  ╭──────────┴──────────╮
//! nodes 2, 3      0)(2                  1)(0
//!              ╭───┴────╮            ╭───┴────╮
//! 4 ... 7     0)(2     1)(1         0)(0     1)(0
//!            ╭─┴─╮    ╭─┴─╮        ╭─┴─╮    ╭─┴─╮
//! leaves     (   (    )   (        (   )    )   ·
//! element    0   1    2   3        4   5    6   (to spare)
//! ```
//!
//! To find the link of element 6, climb from its leaf. Node 7 is a right child, and its sibling 6 neither opens nor closes.
//! Node 3 is also a right child, and its sibling 2 leaves two nodes open, which include the top of the stack. Descend, right child
//! first: node 5 leaves one node open, and so does its right leaf. The link is element 3.
//!
//! The tree is an array: the root is node 1, the children of node `i` are `2 i` and `2 i + 1`, and leaf `i` is node
//! `size + i`, where `size` is a power of two. Leaves past the end are the identity. The matching kernels use the same array and
//! search over the threads of a workgroup.

use crate::{Bicyclic, Monoid, NONE, Tag};
use alloc::vec::Vec;

/// A tree of bicyclic products. The [module](self) documentation describes its layout.
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
    /// The leaf that contains the open.
    pub leaf: usize,
    /// The number of opens in the same leaf above it on the stack. Always 0 if leaves are elements; if leaves are tiles, an
    /// index from the top of the tile's slice.
    pub above: u32,
}

impl BicyclicTree {
    /// Builds a tree over leaves that are elements or tiles of elements.
    ///
    /// The tree has a spare leaf, so that a search can start at the end of the stream.
    pub fn new(leaves: &[Bicyclic]) -> Self {
        let size = (leaves.len() + 1).next_power_of_two();
        let mut nodes = alloc::vec![Bicyclic::IDENTITY; 2 * size];
        nodes[size..size + leaves.len()].copy_from_slice(leaves);
        for node in (1..size).rev() {
            nodes[node] = nodes[2 * node].combine(&nodes[2 * node + 1]);
        }
        Self { nodes, size, len: leaves.len() }
    }

    /// Builds a tree over the elements of a stream.
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

    /// Finds the `depth`-th open from the top of the stack (0 is the top) before leaf `from`, which may be one past the last leaf.
    /// Returns `None` if the stack is shallower.
    ///
    /// Cost: at most `2 log2(n)` steps, and fewer for near opens.
    pub fn find_open(&self, from: usize, depth: u32) -> Option<OpenPlace> {
        if from > self.len {
            return None;
        }
        // Together, the left siblings on the way up cover all leaves before `from`. The nearest comes first.
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

    /// Finds the leaf that contains the open. The open must be below `node`.
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

/// The result of [`pass`].
enum Passed {
    /// The node contains the open.
    Here,
    /// The open is before the node. Contains its depth in the stack before the node.
    Before(u32),
}

/// Continues a search to the left of a node. The node's closes pop values from the earlier stack, then its opens are pushed, so
/// they are on top.
fn pass(depth: u32, node: Bicyclic) -> Passed {
    if depth < node.opens {
        Passed::Here
    } else {
        Passed::Before((depth - node.opens).saturating_add(node.closes))
    }
}

/// Computes [`reference::links`](crate::reference::links) with one search per element. The searches are independent, so they can
/// run in parallel.
pub fn links(tags: &[Tag]) -> Vec<u32> {
    let tree = BicyclicTree::of_tags(tags);
    let link = |(ix, tag): (usize, &Tag)| match tree.find_open(ix, 0) {
        Some(place) if tag.is_marker() => place.leaf as u32,
        _ => NONE,
    };
    tags.iter().enumerate().map(link).collect()
}
