// A binary tree of bicyclic elements over the threads of a workgroup, in workgroup memory, and the search in it
// (Levien, Fast GPU bounding boxes on tree-structured scenes, 2022, Figure 2).
//
// Heap layout: node 1 is the root, the children of node i are 2i and 2i + 1, and the leaf of thread t is node
// WORKGROUP_SIZE + t. Node 0 is unused. Every index in this file is an ancestor of a leaf, a child of an inner node, or the
// sibling (node ^ 1) of a node other than the root, so all are from 1 to 2 * WORKGROUP_SIZE - 1.

import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::lanes;
import package::constants::{NONE, WORKGROUP_SIZE};

const LEAVES = WORKGROUP_SIZE;

// (closes, opens) of each node. A kernel may reuse the memory after the last use of the tree.
var<workgroup> nodes: array<vec2<u32>, 2u * WORKGROUP_SIZE>;

fn load(node: u32) -> Bicyclic {
    return Bicyclic(nodes[node].x, nodes[node].y);
}

fn load_leaf(thread: u32) -> Bicyclic {
    return load(LEAVES + thread);
}

fn store(node: u32, value: Bicyclic) {
    nodes[node] = vec2<u32>(value.closes, value.opens);
}

// Returns the product of all leaves, as a value that compilers know to be uniform. All threads call it together; it has a
// barrier before and after the load.
fn uniform_root() -> Bicyclic {
    let root = workgroupUniformLoad(&nodes[1]);
    return Bicyclic(root.x, root.y);
}

// Builds the tree over the leaves of all threads. Ends with a barrier, after which all threads may read all nodes.
//
// While both children of a node are in one subgroup, the lane of the left child reads the right child's value from the lane
// `width` further on. The last lanes of a subgroup receive an undefined value, but no left child reads it. In loops before
// this call, lanes take different numbers of rounds; we assume that they have reconverged (lib/lanes.wgsl).
fn build(thread: u32, lanes: u32, leaf: Bicyclic) {
    store(LEAVES + thread, leaf);
    var level = LEAVES;
    @if(subgroups) {
        var value = leaf;
        var node = LEAVES + thread;
        for (var round = 0u; round < firstTrailingBit(lanes); round++) {
            let width = 1u << round;
            let right = lanes::pair_of_later(width, vec2<u32>(value.closes, value.opens));
            value = combine(value, Bicyclic(right.x, right.y));
            level /= 2u;
            node /= 2u;
            if (thread & (2u * width - 1u)) == 0u {
                store(node, value);
            }
        }
    }
    workgroupBarrier();
    for (level /= 2u; level > 0u; level /= 2u) {
        if thread < level {
            let node = level + thread;
            store(node, combine(load(2u * node), load(2u * node + 1u)));
        }
        workgroupBarrier();
    }
}

// The products of the leaves before and after a leaf, each from left to right.
struct Sides {
    before: Bicyclic,
    after: Bicyclic,
}

fn sides(leaf: u32) -> Sides {
    var sides = Sides(IDENTITY, IDENTITY);
    for (var node = LEAVES + leaf; node > 1u; node /= 2u) {
        let sibling = load(node ^ 1u);
        if node % 2u == 1u {
            sides.before = combine(sibling, sides.before);
        } else {
            sides.after = combine(sides.after, sibling);
        }
    }
    return sides;
}

// An open of the stack: its leaf, and the number of the leaf's opens above it. If no leaf has the open, `leaf` is NONE, and
// `depth` counts the opens above it on the stack before leaf 0.
struct Found {
    leaf: u32,
    depth: u32,
}

// On the stack just before a leaf, finds the open that has `depth` others above it.
//
//     climb:    at a right child, the left sibling comes just before;
//               if depth < its opens, it has the open: descend
//               otherwise skip it: depth += its closes - its opens
//     descend:  the right child comes later, so it is tested first
//
// Cost: at most two loads per level.
fn find(leaf: u32, depth: u32) -> Found {
    var left = depth;
    // Threads that finish climbing early wait for the others, and all threads descend together.
    var node = LEAVES + leaf;
    var above = 0u;
    while node > 1u && above == 0u {
        if node % 2u == 1u {
            let sibling = load(node - 1u);
            if left < sibling.opens {
                above = node - 1u;
            } else {
                left = left - sibling.opens + sibling.closes;
            }
        }
        node /= 2u;
    }
    var found = Found(NONE, left);
    if above != 0u {
        found = descend(above, left);
    }
    return found;
}

// Finds the open with `depth` others above it among those that a node leaves; depth < opens of the node.
fn descend(start: u32, depth: u32) -> Found {
    var node = start;
    var left = depth;
    while node < LEAVES {
        node = 2u * node + 1u;
        let right = load(node);
        if left >= right.opens {
            left = left - right.opens + right.closes;
            node -= 1u;
        }
    }
    return Found(node - LEAVES, left);
}
