// What the pool keeps of each open of a tile: where its path goes on in another chunk, and its role. A tile
// has fewer elements than 16 bits count.

const NO_PARENT = 0xffffu;

// The parent is a place in the tile, or NONE.
fn open_store(at: u32, parent: u32, role: u32) {
    pool[at] = (role << 16u) | (parent & NO_PARENT);
}

fn open_parent(at: u32) -> u32 {
    let parent = pool[at] & NO_PARENT;
    return select(parent, NONE, parent == NO_PARENT);
}

fn open_role(at: u32) -> u32 {
    return pool[at] >> 16u;
}
