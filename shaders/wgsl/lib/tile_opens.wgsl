// The opens of a tile, a word each: where the path to the root goes on, in an earlier chunk; where the node ends; the role.
//
//     bits 0 to 10   place of the open in an earlier chunk that the path goes on from, + 1; 0 for none
//     11 to 21       place of the node's end, + 1; 0 for none
//     from 22 on     role
//
// A tile has 1,024 elements at most, so 11 bits hold a place + 1.
//
// The open's own thread stores the word; after a barrier the thread of its end adds the end, while other threads read
// where the path goes on. The words are those of lib/stack.wgsl, which is no longer needed then.

import package::lib::stack::shared_words;

const PLACE_BITS = 11u;
const PLACE_MASK = (1u << PLACE_BITS) - 1u;

// `parent` is a place, or NONE.
fn store_open(at: u32, parent: u32, role: u32) {
    atomicStore(&shared_words[at], (role << (2u * PLACE_BITS)) | (parent + 1u));
}

// A place, or NONE.
fn parent_of_open(at: u32) -> u32 {
    return (atomicLoad(&shared_words[at]) & PLACE_MASK) - 1u;
}

fn role_of_open(at: u32) -> u32 {
    return atomicLoad(&shared_words[at]) >> (2u * PLACE_BITS);
}

// One thread an open: a node has one end.
fn store_close(at: u32, end: u32) {
    atomicOr(&shared_words[at], (end + 1u) << PLACE_BITS);
}

// A place, or NONE. A barrier must part it from store_close.
fn close_of_open(at: u32) -> u32 {
    return ((atomicLoad(&shared_words[at]) >> PLACE_BITS) & PLACE_MASK) - 1u;
}
