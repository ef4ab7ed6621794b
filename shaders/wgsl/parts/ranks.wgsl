// The elements of a tile, by their roles; `at` counts them.
//
// Valid after `roles` is written and sums_build has summed each thread's nodes.

fn is_open(at: u32) -> bool {
    return (role_opens(roles[at / PER_THREAD]) & (1u << (at % PER_THREAD))) != 0u;
}

fn is_close(at: u32) -> bool {
    return (role_closes(roles[at / PER_THREAD]) & (1u << (at % PER_THREAD))) != 0u;
}

fn is_node(at: u32) -> bool {
    return (role_nodes(roles[at / PER_THREAD]) & (1u << (at % PER_THREAD))) != 0u;
}

fn is_non_local(at: u32) -> bool {
    return (role_non_local(roles[at / PER_THREAD]) & (1u << (at % PER_THREAD))) != 0u;
}

// How many nodes of the tile come before its element `at`.
fn rank_of(at: u32) -> u32 {
    let before = role_nodes(roles[at / PER_THREAD]) & ((1u << (at % PER_THREAD)) - 1u);
    return sums_before(at / PER_THREAD) + countOneBits(before);
}
