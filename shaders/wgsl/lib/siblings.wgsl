// The stack that siblings leave: consecutive tiles, bundles or groups, a thread each, at most WORKGROUP_SIZE.
//
// A sibling pushes its slice; the siblings after it close the slice from the top, so a prefix of it survives.
//
//     after   (closes, opens) of all siblings after one: an exclusive scan from the right
//     held    how many entries of the sibling survive: opens - min(opens, after.closes)
//     above   how many entries of the stack lie above those: after.opens
//     below   the product of what flows under those: an exclusive scan of the value of each sibling's topmost held entry
//
//     siblings      (   ( (   )             slices    a | b c | -       (the third closes c)
//     after                                 (0,1)  (1,0)  (0,0)
//     held, above                           1, 1   1, 0   0, 0          the stack: a, then b on top
//
// `above` descends from sibling to sibling, so a binary search finds the entry `depth` below the top.

import package::constants::{SIBLING_STACKS, WORKGROUP_SIZE};
import package::kernel::shared_values;
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::chunks::{Thread, chunks_of, rounds, word};
import package::lib::scratch::{Sum, no_sum};
@if(flows) import package::lib::scan::along_threads;
@if(flows) import package::lib::value::{Value, down_identity};

// Several stacks may be known at a time; `stack` numbers them, below SIBLING_STACKS.
var<workgroup> above: array<u32, SIBLING_STACKS * WORKGROUP_SIZE>;
var<workgroup> held: array<u32, SIBLING_STACKS * WORKGROUP_SIZE>;
var<workgroup> chunk_sums: array<Sum, WORKGROUP_SIZE>;
var<workgroup> totals: array<Sum, SIBLING_STACKS>;

// A thread's sibling, and what the later lanes of its chunk do.
struct Noted {
    own: Bicyclic,
    after: Bicyclic,
}

// Step 1. Each thread gives its sibling, or no_sum() where it has none. A barrier must follow.
fn note(t: Thread, own: Sum) -> Noted {
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
    return Noted(own.does, after);
}

// Step 2. Finds `held` and `above` of the thread's sibling; returns how many entries the sibling holds. The first `count`
// threads have the siblings. A barrier must follow before total() or find() is asked.
fn hold(t: Thread, noted: Noted, count: u32, stack: u32) -> u32 {
    var later = no_sum();
    for (var chunk = t.chunk + 1u; chunk < chunks_of(t, count); chunk++) {
        let sum = chunk_sums[chunk];
        later = Sum(combine(later.does, sum.does), later.markers + sum.markers);
    }
    let after = combine(noted.after, later.does);
    let own_held = noted.own.opens - min(noted.own.opens, after.closes);
    above[stack * WORKGROUP_SIZE + t.index] = after.opens;
    held[stack * WORKGROUP_SIZE + t.index] = own_held;
    if t.index == 0u {
        totals[stack] = Sum(combine(noted.own, after), chunk_sums[0].markers + later.markers);
    }
    return own_held;
}

// Step 3. `value` is that of the topmost entry that the sibling holds, from the bottom of its slice on; the identity
// where it holds none. shared_values[stack * WORKGROUP_SIZE + i] is then `below` of sibling i. The scan overwrites the first
// shared values, which are stack 0's, so stack 0 comes last. Ends with a barrier.
@if(flows)
fn flow(t: Thread, value: Value, count: u32, stack: u32) {
    let along = along_threads(t, value, count);
    // Exclusive: each sibling takes the product up to the one before.
    let next = (t.index + 1u) % WORKGROUP_SIZE;
    var below = along;
    if next == 0u {
        below = down_identity();
    }
    shared_values[stack * WORKGROUP_SIZE + next] = below;
    workgroupBarrier();
}

// What flows under the entries that a sibling holds.
@if(flows)
fn below(sibling: u32, stack: u32) -> Value {
    return shared_values[stack * WORKGROUP_SIZE + sibling];
}

// What all siblings do together.
fn total(stack: u32) -> Sum {
    return totals[stack];
}

// An entry of the stack: the sibling that holds it, and how many others of the sibling's slice are below it.
struct Open {
    sibling: u32,
    rank: u32,
}

// The entry `depth` below the top of the stack, which is higher than that; `count` siblings, at least one.
fn find(depth: u32, count: u32, stack: u32) -> Open {
    let first = stack * WORKGROUP_SIZE;
    var low = 0u;
    var high = count - 1u;
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
