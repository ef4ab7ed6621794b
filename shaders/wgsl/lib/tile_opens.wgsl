// One word for each open of a tile: where its path to the root goes on, where its node closes, and its role.
//
//     bits 0 to 10     exit: the place of the open in an earlier chunk where the path goes on, + 1; 0 if there is none
//     bits 11 to 21    the place of the matching close, + 1; 0 if there is none
//     from bit 22 on   role
//
// A tile has at most 1,024 elements, so 11 bits hold a place + 1.
//
// The open's thread stores the word. After a barrier, the thread of its close adds the close, while other threads read
// the exit. lib/stack.wgsl has declared the words, and no longer needs them then.

import package::lib::stack::shared_words;

const PLACE_BITS = 11u;
const PLACE_MASK = (1u << PLACE_BITS) - 1u;

// `exit` is a place, or NONE.
fn store_open(at: u32, exit: u32, role: u32) {
    atomicStore(&shared_words[at], (role << (2u * PLACE_BITS)) | (exit + 1u));
}

// A place, or NONE.
fn exit_of_open(at: u32) -> u32 {
    return (atomicLoad(&shared_words[at]) & PLACE_MASK) - 1u;
}

fn role_of_open(at: u32) -> u32 {
    return atomicLoad(&shared_words[at]) >> (2u * PLACE_BITS);
}

// At most one thread calls it for an open: a node has one close.
fn store_close(at: u32, close: u32) {
    atomicOr(&shared_words[at], (close + 1u) << PLACE_BITS);
}

// A place, or NONE. A barrier must separate it from store_close.
fn close_of_open(at: u32) -> u32 {
    return ((atomicLoad(&shared_words[at]) >> PLACE_BITS) & PLACE_MASK) - 1u;
}
