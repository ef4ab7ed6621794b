// One word per open of a tile: the exit of its path from the chunk, the close of its node, and its role.
//
//     bits 0 to 10     exit: the place of the next open of the path, in an earlier chunk, + 1; 0 if there is none
//     bits 11 to 21    the place of the matching close, + 1; 0 if there is none
//     from bit 22 on   role
//
// A tile has at most 1,024 elements, so a place + 1 fits in 11 bits.
//
// The thread of the open stores the word. After a barrier, the thread of the matching close adds its own place, while other
// threads read the exit. The words are declared in lib/stack.wgsl, which no longer needs them at that point.

import package::lib::stack::shared_words;

const PLACE_BITS = 11u;
const PLACE_MASK = (1u << PLACE_BITS) - 1u;

// `exit` is a place or NONE.
fn store_open(at: u32, exit: u32, role: u32) {
    atomicStore(&shared_words[at], (role << (2u * PLACE_BITS)) | (exit + 1u));
}

// Returns a place or NONE.
fn exit_of_open(at: u32) -> u32 {
    return (atomicLoad(&shared_words[at]) & PLACE_MASK) - 1u;
}

fn role_of_open(at: u32) -> u32 {
    return atomicLoad(&shared_words[at]) >> (2u * PLACE_BITS);
}

// At most one thread calls it per open, because a node has one close.
fn store_close(at: u32, close: u32) {
    atomicOr(&shared_words[at], (close + 1u) << PLACE_BITS);
}

// Returns a place or NONE. A barrier must separate it from store_close().
fn close_of_open(at: u32) -> u32 {
    return ((atomicLoad(&shared_words[at]) >> PLACE_BITS) & PLACE_MASK) - 1u;
}
