//! Matching by search: the tree of bicyclic products.
//!
//! The question is always the same: *seen from position `i`, which element is
//! the `d`-th open from the top of the stack?* For `d = 0` the answer is the
//! link of element `i`. The paper's Figure 2 answers it by a binary search over
//! partial products; this is that search (Levien 2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659)). Bar-On and Vishkin,
//! "Optimal parallel generation of a computation tree form" (1985), already
//! match parentheses by climbing and descending a tree.
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
//! The link of element 6: climb from its leaf. Node 7 is a right child, and its
//! sibling 6 opens nothing and closes nothing; node 3 is one too, and its
//! sibling 2 leaves two open, so the top is among them. Descend, right first:
//! node 5 leaves one open, and of its leaves the right one does. Element 3.
//!
//! The tree is an array: the root is node 1, the children of node `i` are `2 i`
//! and `2 i + 1`, and leaf `i` is node `size + i`, with `size` a power of two.
//! Leaves past the end are the identity. The kernels of matching keep the
//! same array over the threads of a workgroup and walk it the same way.

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

/// Where an open was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPlace {
    /// The leaf that leaves it open.
    pub leaf: usize,
    /// How many opens of the same leaf lie above it. Always 0 where leaves are
    /// elements; where they are tiles, an index from the top of the tile's slice.
    pub above: u32,
}

impl BicyclicTree {
    /// The tree over these leaves: elements, or tiles of them.
    ///
    /// There is always a leaf to spare, from which the end of the stream can be
    /// asked about.
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

    /// How many leaves there are.
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

    /// The `depth`-th open from the top of the stack (0 is the top), as seen
    /// just before leaf `from`, which may be one past the last. `None` where the
    /// stack is not that deep.
    ///
    /// Cost: at most `2 log2(n)` steps, fewer the nearer it is.
    pub fn find_open(&self, from: usize, depth: u32) -> Option<OpenPlace> {
        if from > self.len {
            return None;
        }
        // Climb. What lies left of a right child is its sibling: walking up from
        // a leaf, the left siblings are all that comes before it, nearest first.
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

    /// The leaf below `node` that holds the open, which is known to be there.
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

/// Where the search goes on when it has looked at a piece from its right end.
enum Passed {
    /// The piece holds the open.
    Here,
    /// It lies before the piece, at this depth as seen from the piece's left.
    Before(u32),
}

/// Walks leftward over a piece: its opens lie on top of the stack, and below
/// them is what its closes have left of the stack before it.
fn pass(depth: u32, piece: Bicyclic) -> Passed {
    if depth < piece.opens {
        Passed::Here
    } else {
        Passed::Before((depth - piece.opens).saturating_add(piece.closes))
    }
}

/// [`reference::links`](crate::reference::links) by one search an element. Every
/// search is independent of the others, which is the point.
pub fn links(tags: &[Tag]) -> Vec<u32> {
    let tree = BicyclicTree::of_tags(tags);
    let link = |(ix, tag): (usize, &Tag)| match tree.find_open(ix, 0) {
        Some(place) if tag.is_marker() => place.leaf as u32,
        _ => NONE,
    };
    tags.iter().enumerate().map(link).collect()
}
