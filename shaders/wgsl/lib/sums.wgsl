// Sums over the threads of a workgroup.

import package::constants::WORKGROUP_SIZE;
import package::lib::chunks::{Thread, rounds, word};

// One sum per chunk.
var<workgroup> chunk_sums: array<u32, WORKGROUP_SIZE>;

// Returns the sum over the threads before this one: an exclusive scan. All threads call it. A barrier must separate two
// calls.
fn sum_before(t: Thread, own: u32) -> u32 {
    var sum = own;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let before = word(t, sum, select(t.lane, t.lane - width, t.lane >= width));
        sum += select(0u, before, t.lane >= width);
    }
    if t.lane == t.lanes - 1u {
        chunk_sums[t.chunk] = sum;
    }
    workgroupBarrier();
    var earlier = 0u;
    for (var chunk = 0u; chunk < t.chunk; chunk++) {
        earlier += chunk_sums[chunk];
    }
    return earlier + sum - own;
}
