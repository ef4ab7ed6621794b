// A tree of products over the threads of a workgroup, for any monoid; laid out as
// the tree of `block`. Instantiated for each monoid: `Fold`, FOLD_IDENTITY and
// fold_combine are its.
//
// The nodes lie in `cells`, which other parts use before or after.
//
// Valid after: fold_build, in every thread.

fn fold_build(thread: u32, lanes: u32, leaf: Fold) {
    cells[WORKGROUP_SIZE + thread] = leaf;
    workgroupBarrier();
    for (var level = WORKGROUP_SIZE / 2u; level > 0u; level /= 2u) {
        if thread < level {
            let node = level + thread;
            cells[node] = fold_combine(cells[2u * node], cells[2u * node + 1u]);
        }
        workgroupBarrier();
    }
}

// The product over the threads first .. end, in order: from both ends up, taking
// every subtree that lies inside and whose parent does not.
fn fold_range(first: u32, end: u32) -> Fold {
    var left = FOLD_IDENTITY;
    var right = FOLD_IDENTITY;
    var low = WORKGROUP_SIZE + first;
    var high = WORKGROUP_SIZE + end;
    while low < high {
        if low % 2u == 1u {
            left = fold_combine(left, cells[low]);
            low++;
        }
        if high % 2u == 1u {
            high--;
            right = fold_combine(cells[high], right);
        }
        low /= 2u;
        high /= 2u;
    }
    return fold_combine(left, right);
}

// The product over the threads before this one.
fn fold_before(thread: u32) -> Fold {
    return fold_range(0u, thread);
}
