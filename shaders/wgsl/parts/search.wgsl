// The binary search over a tree of bicyclic elements (Levien 2022, Figure 2).
//
// Instantiated for each tree there is: `heap_load(node)` reads a node of a tree
// in heap layout with `leaves` leaves, a power of two.
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
// nodes on the way from a leaf to the root, inside 1 .. 2 * leaves.

fn heap_find(leaves: u32, leaf: u32, depth: u32) -> Found {
    var left = depth;
    // Threads that climb less far wait for the others, and all descend together.
    var node = leaves + leaf;
    var above = 0u;
    while node > 1u && above == 0u {
        if node % 2u == 1u {
            let sibling = heap_load(node - 1u);
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
        found = heap_descend(leaves, above, left);
    }
    return found;
}

fn heap_descend(leaves: u32, start: u32, depth: u32) -> Found {
    var node = start;
    var left = depth;
    while node < leaves {
        node = 2u * node + 1u;
        let right = heap_load(node);
        if left >= right.y {
            left = left - right.y + right.x;
            node -= 1u;
        }
    }
    return Found(node - leaves, left);
}

// What the leaves before `leaf` come to, from left to right.
fn heap_before(leaves: u32, leaf: u32) -> Value {
    var before = IDENTITY;
    for (var node = leaves + leaf; node > 1u; node /= 2u) {
        if node % 2u == 1u {
            before = combine(heap_load(node - 1u), before);
        }
    }
    return before;
}

// What the leaves after `leaf` come to, from left to right.
fn heap_after(leaves: u32, leaf: u32) -> Value {
    var after = IDENTITY;
    for (var node = leaves + leaf; node > 1u; node /= 2u) {
        if node % 2u == 0u {
            after = combine(after, heap_load(node + 1u));
        }
    }
    return after;
}

// Both, in one climb.
fn heap_sides(leaves: u32, leaf: u32) -> Sides {
    var sides = Sides(IDENTITY, IDENTITY);
    for (var node = leaves + leaf; node > 1u; node /= 2u) {
        let sibling = heap_load(node ^ 1u);
        if node % 2u == 1u {
            sides.before = combine(sibling, sides.before);
        } else {
            sides.after = combine(sides.after, sibling);
        }
    }
    return sides;
}
