// Sums over the threads of a workgroup.

import package::constants::WORKGROUP_SIZE;
import package::lib::chunks::{Thread, rounds, word};

// A sum for each chunk.
var<workgroup> chunk_sums: array<u32, WORKGROUP_SIZE>;

// The sum of what the threads before this one bring: an exclusive scan. All threads; called once.
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
