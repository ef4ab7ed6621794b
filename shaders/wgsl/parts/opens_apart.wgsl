// What the pool keeps of each open of a tile, in two words: where its path goes on, and its role; and where
// it ends in the tile. A tile has fewer elements than 16 bits count.

const NO_PARENT = 0xffffu;

// The parent is a place in the tile, or NONE.
fn open_store(at: u32, parent: u32, role: u32) {
    open_move(at, parent, role);
    pool[TILE + at] = NONE;
}

// Its path goes on elsewhere.
fn open_move(at: u32, parent: u32, role: u32) {
    pool[at] = (role << 16u) | (parent & NO_PARENT);
}

fn open_parent(at: u32) -> u32 {
    let parent = pool[at] & NO_PARENT;
    return select(parent, NONE, parent == NO_PARENT);
}

fn open_role(at: u32) -> u32 {
    return pool[at] >> 16u;
}

// One end an open; a barrier must part it from open_store.
fn open_ends(at: u32, end: u32) {
    pool[TILE + at] = end;
}

// Its place in the tile, or NONE; a barrier must part it from open_ends.
fn open_end(at: u32) -> u32 {
    return pool[TILE + at];
}
