// The tree over the tiles of what grows, in workgroup memory: no more than there are threads.

fn tree_build(thread: u32) {
    var value = grow_identity();
    if thread < tiles_filled() {
        value = unions_load(plan.union_tree_leaves + thread);
    }
    fold_leaf(FOLD_LEAVES, thread, value);
    workgroupBarrier();
    fold_build(thread, FOLD_LEAVES);
}

// The product over the tiles first .. end, in order.
fn tree_range(first: u32, end: u32) -> Grow {
    return fold_range(FOLD_LEAVES, first, max(end, first));
}
