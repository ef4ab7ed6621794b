// The binary search over the workgroup's tree of bicyclic elements (Levien 2022, Figure
// 2), a leaf a thread.
//
// Question: seen from the start of leaf `leaf`, which leaf opened the node that
// is `depth` below the top of the stack, and how far below the top of *that*
// leaf's own opens is it?
//
//     climb:    at a right child, the left sibling comes just before us
//               depth < its opens: it is in there, descend
//               else: pass it, depth += its closes - its opens
//     descend:  the right child comes later, so it is asked first
//
// Work: two loads a level at most. All indices are siblings and children of
// nodes on the way from a leaf to the root, inside 1 .. 2 * block_leaves().

fn block_find(leaf: u32, depth: u32) -> Found {
    var left = depth;
    // Threads that climb less far wait for the others, and all descend together.
    var node = block_leaves() + leaf;
    var above = 0u;
    while node > 1u && above == 0u {
        if node % 2u == 1u {
            let sibling = block_load(node - 1u);
            if left < sibling.y {
                above = node - 1u;
            } else {
                left = left - sibling.y + sibling.x;
            }
        }
        node /= 2u;
    }
    var found = Found(NONE, left);
    if above != 0u {
        found = block_descend(above, left);
    }
    return found;
}

fn block_descend(start: u32, depth: u32) -> Found {
    var node = start;
    var left = depth;
    while node < block_leaves() {
        node = 2u * node + 1u;
        let right = block_load(node);
        if left >= right.y {
            left = left - right.y + right.x;
            node -= 1u;
        }
    }
    return Found(node - block_leaves(), left);
}

// What the leaves before and after `leaf` come to, each from left to right.
fn block_sides(leaf: u32) -> Sides {
    var sides = Sides(IDENTITY, IDENTITY);
    for (var node = block_leaves() + leaf; node > 1u; node /= 2u) {
        let sibling = block_load(node ^ 1u);
        if node % 2u == 1u {
            sides.before = combine(sibling, sides.before);
        } else {
            sides.after = combine(sides.after, sibling);
        }
    }
    return sides;
}
