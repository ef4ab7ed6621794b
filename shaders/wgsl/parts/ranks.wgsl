// The elements of a tile, by their roles; `at` counts them.
//
// Valid after `roles` is written and sums_build has summed each thread's nodes.

const ROLE_OPENS = 1u;
const ROLE_CLOSES = 0x100u;
const ROLE_NON_LOCAL = 0x10000u;

// What an element is, a bit for each of the above.
fn role_of(at: u32) -> u32 {
    return (roles[at / PER_THREAD] >> (at % PER_THREAD)) & (ROLE_OPENS | ROLE_CLOSES | ROLE_NON_LOCAL);
}

// How many nodes of the tile come before its element `at`.
fn rank_of(at: u32) -> u32 {
    let before = role_nodes(roles[at / PER_THREAD]) & ((1u << (at % PER_THREAD)) - 1u);
    return sums_before(at / PER_THREAD) + countOneBits(before);
}
