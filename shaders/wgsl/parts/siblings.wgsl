// The stack that some siblings leave: the first `count` nodes of a group of the pyramid, or bundles of tiles.
//
//     after = the product of the siblings after each
//     held  = as many of its opens as `after` does not close
//     above = the opens of `after`
//     below = what flows under its part of the stack, from the first sibling's on
//
// Three steps, all threads together, each with its sibling: scan, hold, end. A barrier must part the
// first two. Others may do something else between them: what each step asks for has time to arrive.
//
// Valid after: siblings_end, in every thread; cells keep `below`.

var<workgroup> sibling_above: array<u32, WORKGROUP_SIZE>;
var<workgroup> sibling_held: array<u32, WORKGROUP_SIZE>;

// What flows under what it holds, seen from its own part of the stack.
var<private> sibling_flow: Flow;

// From chunk to chunk; asks for what flows under each.
fn siblings_hold(level: u32, first: u32, thread: u32, lanes: u32) {
    let after = siblings_after(thread, lanes);
    let held = sibling_own.y - min(sibling_own.y, after.x);
    sibling_above[thread] = after.y;
    sibling_held[thread] = held;
    sibling_flow = flow_identity();
    if held > 0u {
        sibling_flow = sibling_held_flow(level, first + thread, sibling_own.y, held);
    }
}

// What flows under all before each; and what all do together. Cells are free before.
fn siblings_end(thread: u32, lanes: u32) -> NodeSum {
    // What is before the thread: shifted by one.
    siblings_flow(thread, lanes, sibling_flow);
    workgroupBarrier();
    return siblings_all();
}

// All steps at once; the pool and cells are free before.
fn siblings_build(level: u32, first: u32, own: NodeSum, thread: u32, lanes: u32) -> NodeSum {
    // Nobody reads what an earlier call left.
    workgroupBarrier();
    siblings_scan(own, thread, lanes);
    siblings_hold(level, first, thread, lanes);
    return siblings_end(thread, lanes);
}

// How many elements of what a sibling leaves are below that one.
fn rank_in_sibling(sibling: u32, depth: u32) -> u32 {
    return sibling_held[sibling] - 1u - (depth - sibling_above[sibling]);
}

// The sibling that has the element `depth` below the top of their stack; there is one.
fn sibling_of(count: u32, depth: u32) -> u32 {
    var low = 0u;
    var high = count - 1u;
    while low < high {
        let middle = (low + high) / 2u;
        if sibling_above[middle] <= depth {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low;
}
