// The tree over the tiles of what grows, in workgroup memory: no more than there are threads.

fn tree_build(thread: u32) {
    let leaves = plan.union_tree_leaves;
    if thread < leaves {
        var value = grow_identity();
        if thread < tiles_filled() {
            value = unions_load(leaves + thread);
        }
        fold_leaf(leaves, thread, value);
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
