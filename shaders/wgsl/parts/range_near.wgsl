// The tree over the tiles of what grows, in workgroup memory: no more than there are threads.

// The thread's leaf, if it has one: a load that tree_build waits for.
fn tree_leaf(thread: u32) -> Grow {
    if thread < tiles_filled() {
        return unions_load(plan.union_tree_leaves + thread);
    }
    return grow_identity();
}

fn tree_build(thread: u32, leaf: Grow) {
    let leaves = plan.union_tree_leaves;
    if thread < leaves {
        fold_leaf(leaves, thread, leaf);
    }
    workgroupBarrier();
    fold_build(thread, leaves);
}

// The product over the tiles first .. end, in order.
fn tree_range(first: u32, end: u32) -> Grow {
    return fold_range(plan.union_tree_leaves, first, max(end, first));
}

// Each workgroup has a tile.
const SPAN_THREADS = WORKGROUP_SIZE;
