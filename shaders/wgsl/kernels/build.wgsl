// build: the upper levels of the tree over the tiles, from its leaves up, until no more than
// UNION_ROOTS nodes are left to read one after the other.
//
// Each workgroup takes WORKGROUP_SIZE nodes of one level and writes the nodes
// above them, log2(WORKGROUP_SIZE) levels or as many as there are; the next
// dispatch goes on from there. `level.nodes` is the number of nodes of the level
// that is read, a power of two.
//
// Leaves past the last tile were never written: they, and what stands over such
// leaves alone, count as the identity; a workgroup of such leaves alone does nothing.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let leaves_each = plan.union_tree_leaves / level.nodes;
    let filled = (tiles_filled() + leaves_each - 1u) / leaves_each;
    let first = group * WORKGROUP_SIZE;
    if first >= filled {
        return;
    }
    var value = grow_identity();
    if first + thread < filled {
        value = unions_load(level.nodes + first + thread);
    }
    fold_leaf(FOLD_LEAVES, thread, value);
    workgroupBarrier();
    fold_build(thread, FOLD_LEAVES);

    // Node `thread` of the block, `up` levels above its leaves, is the node of
    // the tree as many levels above the level that was read.
    if thread > 0u {
        let depth = firstLeadingBit(thread);
        let up = firstLeadingBit(WORKGROUP_SIZE) - depth;
        let nodes = level.nodes >> up;
        let index = (first >> up) + thread - (1u << depth);
        if index < nodes {
            unions_store(nodes + index, cells[thread]);
        }
    }
}
