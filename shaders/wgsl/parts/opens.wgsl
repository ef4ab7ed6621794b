// What the pool keeps of each open of a tile, in a word: where its path goes on in another chunk, where it
// ends in the tile, and its role. A tile has at most 1,024 elements, so that a place, or none, has 11 bits:
// it is stored one higher, and none is 0.
//
// Its own thread stores the word; after a barrier the thread of its end adds the end, while others read
// where the path goes on.

const PLACE_BITS = 11u;
const PLACE_MASK = (1u << PLACE_BITS) - 1u;

// The parent is a place in the tile, or NONE.
fn open_store(at: u32, parent: u32, role: u32) {
    atomicStore(&pool[at], (role << (2u * PLACE_BITS)) | (parent + 1u));
}

fn open_parent(at: u32) -> u32 {
    return (atomicLoad(&pool[at]) & PLACE_MASK) - 1u;
}

fn open_role(at: u32) -> u32 {
    return atomicLoad(&pool[at]) >> (2u * PLACE_BITS);
}

// One end an open: nobody else writes the word any more, and who reads it now wants the rest.
fn open_ends(at: u32, end: u32) {
    atomicStore(&pool[at], atomicLoad(&pool[at]) | ((end + 1u) << PLACE_BITS));
}

// Its place in the tile, or NONE; a barrier must part it from open_ends.
fn open_end(at: u32) -> u32 {
    return ((atomicLoad(&pool[at]) >> PLACE_BITS) & PLACE_MASK) - 1u;
}
