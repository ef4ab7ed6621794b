// The stack that siblings leave. Siblings are consecutive tiles, bundles or groups: one per thread, at most
// WORKGROUP_SIZE.
//
// Each sibling pushes its slice, and later siblings close the slice from its top, so a prefix of it survives.
//
//     after   (closes, opens) of all later siblings: an exclusive scan from the right
//     held    the number of opens of the sibling's slice that survive: opens - min(opens, after.closes)
//     above   the number of opens of the stack above those: after.opens
//     below   the product that flows to those: an exclusive scan over the value of the topmost open that each sibling holds
//
//     siblings      (   ( (   )             slices    a | b c | -       (the third closes c)
//     after                                 (0,1)  (1,0)  (0,0)
//     held, above                           1, 1   1, 0   0, 0          the stack: a, with b on top
//
// `above` decreases from sibling to sibling, so a binary search finds the open at a depth.
//
// All threads call the steps of the scans: scan_chunk, a barrier, scan_workgroup, and scan_values.

import package::constants::{SIBLING_STACKS, WORKGROUP_SIZE};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::chunks::{Thread, chunks_of, rounds, word};
import package::lib::scratch::{Sum, no_sum};
import package::lib::scan::along_threads;
import package::lib::shared;
import package::value::{Value, down_identity};

// A kernel may keep the results for SIBLING_STACKS stacks at a time; `stack` is the index of one.
var<workgroup> above: array<u32, SIBLING_STACKS * WORKGROUP_SIZE>;
var<workgroup> held: array<u32, SIBLING_STACKS * WORKGROUP_SIZE>;
var<workgroup> chunk_sums: array<Sum, WORKGROUP_SIZE>;
var<workgroup> totals: array<Sum, SIBLING_STACKS>;

// A thread's sibling, and the product of the siblings of later lanes of the chunk.
struct ChunkScan {
    own: Bicyclic,
    after: Bicyclic,
}

// Step 1. Each thread passes its sibling, or no_sum() if it has none. A barrier must follow.
fn scan_chunk(t: Thread, own: Sum) -> ChunkScan {
    var sum = own;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let has_later = t.lane + width < t.lanes;
        let lane = select(t.lane, t.lane + width, has_later);
        let later = Bicyclic(word(t, sum.does.closes, lane), word(t, sum.does.opens, lane));
        if has_later {
            sum.does = combine(sum.does, later);
        }
        @if(scene) sum.markers += word(t, sum.markers, t.lane ^ width);
    }
    let has_next = t.lane + 1u < t.lanes;
    let next = select(t.lane, t.lane + 1u, has_next);
    var after = Bicyclic(word(t, sum.does.closes, next), word(t, sum.does.opens, next));
    if !has_next {
        after = IDENTITY;
    }
    if t.lane == 0u {
        chunk_sums[t.chunk] = sum;
    }
    return ChunkScan(own.does, after);
}

// Step 2. Stores `held` and `above` of the thread's sibling, and returns `held`. The first `count` threads have siblings. A
// barrier must follow before total() or find() is called.
fn scan_workgroup(t: Thread, scan: ChunkScan, count: u32, stack: u32) -> u32 {
    var later = no_sum();
    for (var chunk = t.chunk + 1u; chunk < chunks_of(t, count); chunk++) {
        let sum = chunk_sums[chunk];
        later = Sum(combine(later.does, sum.does), later.markers + sum.markers);
    }
    let after = combine(scan.after, later.does);
    let own_held = scan.own.opens - min(scan.own.opens, after.closes);
    above[stack * WORKGROUP_SIZE + t.index] = after.opens;
    held[stack * WORKGROUP_SIZE + t.index] = own_held;
    if t.index == 0u {
        totals[stack] = Sum(combine(scan.own, after), chunk_sums[0].markers + later.markers);
    }
    return own_held;
}

// Step 3. `value` is the product along the sibling's slice up to the topmost open that it holds, or the identity if it
// holds none. Afterwards, the shared value stack * WORKGROUP_SIZE + i is `below` of sibling i. The scan overwrites the first
// shared values, which belong to stack 0, so stack 0 must be scanned last. If no values flow, this is only a barrier.
//
// In loops before this call (in scan_workgroup, and in the search for the topmost open), lanes take different numbers of
// rounds; we assume that they have reconverged (lib/chunks.wgsl).
fn scan_values(t: Thread, value: Value, count: u32, stack: u32) {
    @if(flows) {
        let along = along_threads(t, value, count);
        // Exclusive: each sibling gets the product up to the sibling before it.
        let next = (t.index + 1u) % WORKGROUP_SIZE;
        var below = along;
        if next == 0u {
            below = down_identity();
        }
        shared::store(stack * WORKGROUP_SIZE + next, below);
    }
    workgroupBarrier();
}

// Returns the product that flows to the opens that a sibling holds.
@if(flows)
fn below(sibling: u32, stack: u32) -> Value {
    return shared::load(stack * WORKGROUP_SIZE + sibling);
}

// Returns the product of all siblings.
fn total(stack: u32) -> Sum {
    return totals[stack];
}

// An open of the stack: the sibling that holds it, and the number of opens of that sibling's slice below it.
struct Open {
    sibling: u32,
    rank: u32,
}

// Finds the open with `depth` others above it; the stack must be deeper than `depth`. There are `count` siblings, at least
// one.
//
// `above` and `held` are results of lane operations. Whatever they contain, the sibling is less than `count`, or 0. The
// rank may be any word, and callers bound it.
fn find(depth: u32, count: u32, stack: u32) -> Open {
    let first = stack * WORKGROUP_SIZE;
    var low = 0u;
    var high = max(count, 1u) - 1u;
    while low < high {
        let middle = (low + high) / 2u;
        if above[first + middle] <= depth {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return Open(low, held[first + low] - 1u - (depth - above[first + low]));
}
