// A tree of products in workgroup memory, for any monoid (`Fold`, fold_identity and
// fold_combine), over at most FOLD_LEAVES leaves, a power of two.
//
// Heap layout: node 1 is the root, the children of node i are 2i and 2i + 1, and leaf j
// is node leaves + j. Every index comes from halving a leaf's, or one past the
// last leaf's, and lies in 1 .. 2 * leaves.

var<workgroup> cells: array<Fold, 2u * FOLD_LEAVES>;

fn fold_leaf(leaves: u32, leaf: u32, value: Fold) {
    cells[leaves + leaf] = value;
}

// From the leaves up, a level a barrier. A barrier must part it from what wrote the
// leaves; it ends with one.
fn fold_build(thread: u32, leaves: u32) {
    for (var level = leaves / 2u; level > 0u; level /= 2u) {
        for (var at = thread; at < level; at += WORKGROUP_SIZE) {
            let node = level + at;
            cells[node] = fold_combine(cells[2u * node], cells[2u * node + 1u]);
        }
        workgroupBarrier();
    }
}

// The product over the leaves first .. end, in order: from both ends up, taking every
// subtree that lies inside and whose parent does not.
fn fold_range(leaves: u32, first: u32, end: u32) -> Fold {
    var left = fold_identity();
    var right = fold_identity();
    var low = leaves + first;
    var high = leaves + end;
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
