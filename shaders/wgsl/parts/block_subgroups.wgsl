// A tree over the threads of a workgroup, in workgroup memory; subgroups build
// its lowest levels without a barrier.
//
// Heap layout: node 1 is the root, the children of node i are 2i and 2i + 1,
// and thread t's leaf is node WORKGROUP_SIZE + t. Every index below comes from
// halving a leaf's, so it lies in 1 .. 2 * WORKGROUP_SIZE. Node 0 is never used.
//
// Valid after: block_build, in every thread.

const BLOCK_LEAVES = WORKGROUP_SIZE;

// At least 2 * WORKGROUP_SIZE: a kernel may use it for something else afterwards.
var<workgroup> block: array<Value, BLOCK_ROOM>;

fn block_leaves() -> u32 {
    return BLOCK_LEAVES;
}

fn block_load(node: u32) -> Value {
    return block[node];
}

// While the halves of a node lie in one subgroup, its left lane takes the right
// half's value from the lane `width` further on. What the last lanes of a
// subgroup take is undefined, but a left lane never reads it.
fn block_build(thread: u32, lanes: u32, leaf: Value) {
    block[BLOCK_LEAVES + thread] = leaf;
    var value = leaf;
    var level = BLOCK_LEAVES;
    var node = BLOCK_LEAVES + thread;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        value = combine(value, subgroupShuffleDown(value, width));
        level /= 2u;
        node /= 2u;
        if (thread & (2u * width - 1u)) == 0u {
            block[node] = value;
        }
    }
    workgroupBarrier();
    for (level /= 2u; level > 0u; level /= 2u) {
        if thread < level {
            let node = level + thread;
            block[node] = combine(block[2u * node], block[2u * node + 1u]);
        }
        workgroupBarrier();
    }
}
