// The tree over the tiles of what grows, which is built at least up to UNION_ROOTS nodes.

fn range_load(tile: u32, thread: u32) -> Grow {
    return grow_identity();
}

fn range_build(tile: u32, thread: u32, lanes: u32, leaf: Grow) {}

// The product over the tiles after this one, up to `end`, in order: from both ends up the tree,
// taking every subtree that lies inside and whose parent does not; then the roots between, one after
// the other. No tile past the last is in such a subtree.
fn range_of(tile: u32, end: u32) -> Grow {
    let first = tile + 1u;
    var left = grow_identity();
    var right = grow_identity();
    var low = plan.union_tree_leaves + first;
    var high = plan.union_tree_leaves + max(end, first);
    var nodes = plan.union_tree_leaves;
    while low < high && nodes > UNION_ROOTS {
        if low % 2u == 1u {
            left = grow_combine(left, unions_load(low));
            low++;
        }
        if high % 2u == 1u {
            high--;
            right = grow_combine(unions_load(high), right);
        }
        low /= 2u;
        high /= 2u;
        nodes /= 2u;
    }
    for (; low < high; low++) {
        left = grow_combine(left, unions_load(low));
    }
    return grow_combine(left, right);
}
