// The nodes among a tile's elements, counted. `at` counts a tile's elements.
//
// Valid after `node_bits` is written, and what counts nodes after sums_build.

// Which of each thread's elements are nodes.
var<workgroup> node_bits: array<u32, WORKGROUP_SIZE>;

fn is_node(at: u32) -> bool {
    return (node_bits[at / PER_THREAD] & (1u << (at % PER_THREAD))) != 0u;
}

// How many nodes of the tile come before its element `at`.
fn rank_of(at: u32) -> u32 {
    let before = node_bits[at / PER_THREAD] & ((1u << (at % PER_THREAD)) - 1u);
    return sums_before(at / PER_THREAD) + countOneBits(before);
}
