// The product over the tiles first .. end, in order. No tile past the last is in it.

// The tree over few tiles, in workgroup memory.
fn tree_prepare(thread: u32) {
    if plan.union_tree_leaves > WORKGROUP_SIZE {
        return;
    }
    var value = grow_identity();
    if thread < tiles_filled() {
        value = unions_load(plan.union_tree_leaves + thread);
    }
    fold_leaf(FOLD_LEAVES, thread, value);
    workgroupBarrier();
    fold_build(thread, FOLD_LEAVES);
}

fn tree_range(first: u32, end: u32) -> Grow {
    if plan.union_tree_leaves > WORKGROUP_SIZE {
        return unions_range(first, end);
    }
    return fold_range(FOLD_LEAVES, first, max(end, first));
}

// From both ends up the tree, taking every subtree that lies inside and whose parent does
// not.
fn unions_range(first: u32, end: u32) -> Grow {
    var left = grow_identity();
    var right = grow_identity();
    var low = plan.union_tree_leaves + first;
    var high = plan.union_tree_leaves + max(end, first);
    while low < high {
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
    }
    return grow_combine(left, right);
}
