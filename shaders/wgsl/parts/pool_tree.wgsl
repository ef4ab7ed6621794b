// What the chunks of a workgroup do to the stack, by a tree over them in workgroup memory.
//
// Heap layout: node 1 is the root, the children of node i are 2i and 2i + 1, and chunk c's
// leaf is node chunks + c. Every index comes from halving a leaf's, and lies in
// 1 .. 2 * WORKGROUP_SIZE.

// Two words a node; free for something else once the tree has been asked.
var<workgroup> pool: array<u32, 4u * WORKGROUP_SIZE>;
var<private> pool_chunks: u32;

fn block_leaves() -> u32 {
    return pool_chunks;
}

fn block_load(node: u32) -> Value {
    return Value(pool[2u * node], pool[2u * node + 1u]);
}

fn pool_store(node: u32, value: Value) {
    pool[2u * node] = value.x;
    pool[2u * node + 1u] = value.y;
}

// Takes a leaf for each chunk, which its first lane brings. Nobody reads the pool before.
fn pool_build(thread: u32, lanes: u32, leaf: Value) {
    pool_chunks = WORKGROUP_SIZE / lanes;
    if thread % lanes == 0u {
        pool_store(pool_chunks + thread / lanes, leaf);
    }
    workgroupBarrier();
    for (var level = WORKGROUP_SIZE / lanes / 2u; level > 0u; level /= 2u) {
        if thread < level {
            let node = level + thread;
            pool_store(node, combine(block_load(2u * node), block_load(2u * node + 1u)));
        }
        workgroupBarrier();
    }
}

// Which lanes a chunk leaves open: a chunk is one element, so that nobody asks.
fn pool_note(chunk: u32, lanes: u32, left: u32) {}

fn pool_left(chunk: u32) -> u32 {
    return 0u;
}

// What all chunks do together.
fn pool_all() -> Value {
    return block_load(1u);
}

// What the chunks before one do, and those after it.
fn pool_before(chunk: u32) -> Value {
    return block_sides(chunk).before;
}

fn pool_after(chunk: u32) -> Value {
    return block_sides(chunk).after;
}

// Which earlier chunk opened the element `depth` below the top of the stack before a chunk.
fn pool_find(chunk: u32, depth: u32) -> Found {
    return block_find(chunk, depth);
}
