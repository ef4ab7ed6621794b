// What the chunks of a workgroup do to the stack, one after the other: with subgroups there
// are so few that a tree would not pay.

// A word a chunk, and another where a chunk has at least four elements: a word an element will do. Free for
// something else once they have been asked.
var<workgroup> pool: array<atomic<u32>, WORKGROUP_SIZE>;
var<private> pool_chunks: u32;

// A chunk has at most 32 elements, so that 16 bits hold either count.
fn pool_load(chunk: u32) -> Value {
    let counts = atomicLoad(&pool[chunk]);
    return Value(counts & 0xffffu, counts >> 16u);
}

// Which lanes a chunk leaves open, a bit each, before pool_build; of a chunk of one element nobody asks.
fn pool_note(chunk: u32, lanes: u32, left: u32) {
    if lanes > 1u {
        atomicStore(&pool[WORKGROUP_SIZE / lanes + chunk], left);
    }
}

fn pool_left(chunk: u32) -> u32 {
    return atomicLoad(&pool[pool_chunks + chunk]);
}

// Takes a leaf for each chunk, which its first lane brings. Nobody reads the pool before.
fn pool_build(thread: u32, lanes: u32, leaf: Value) {
    pool_chunks = WORKGROUP_SIZE / lanes;
    if thread % lanes == 0u {
        atomicStore(&pool[thread / lanes], leaf.x | (leaf.y << 16u));
    }
    workgroupBarrier();
}

fn pool_range(first: u32, end: u32) -> Value {
    var value = IDENTITY;
    for (var chunk = first; chunk < end; chunk++) {
        value = combine(value, pool_load(chunk));
    }
    return value;
}

// What all chunks do together.
fn pool_all() -> Value {
    return pool_range(0u, pool_chunks);
}

// What the chunks before one do, and those after it.
fn pool_before(chunk: u32) -> Value {
    return pool_range(0u, chunk);
}

fn pool_after(chunk: u32) -> Value {
    return pool_range(chunk + 1u, pool_chunks);
}

// Which earlier chunk opened the element `depth` below the top of the stack before a chunk.
fn pool_find(chunk: u32, depth: u32) -> Found {
    var left = depth;
    for (var earlier = chunk; earlier > 0u; earlier--) {
        let value = pool_load(earlier - 1u);
        if left < value.y {
            return Found(earlier - 1u, left);
        }
        left = left - value.y + value.x;
    }
    return Found(NONE, left);
}
