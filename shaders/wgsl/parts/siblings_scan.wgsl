// What siblings do to the stack, each with those after it: one a thread. All threads together.

var<workgroup> sibling_nodes: atomic<u32>;
var<workgroup> sibling_all: Value;

// The thread's sibling, what those after it in its chunk do, and the nodes of all in the chunk.
var<private> sibling_own: Value;
var<private> sibling_after: Value;
var<private> sibling_chunk_nodes: u32;

// From lane to lane. Nobody reads what was here before.
fn siblings_scan(own: NodeSum, thread: u32, lanes: u32) {
    let lane = thread % lanes;
    var nodes = own.nodes;
    if thread == 0u {
        atomicStore(&sibling_nodes, 0u);
    }
    // Those after it in the chunk, with itself.
    var sum = own.value;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let later = Value(lane_word_after(sum.x, width), lane_word_after(sum.y, width));
        if lane + width < lanes {
            sum = combine(sum, later);
        }
        if COUNTS_NODES {
            nodes += lane_word_of_many(nodes, lane ^ width);
        }
    }
    let next = min(lane + 1u, lanes - 1u);
    let after = Value(lane_word(sum.x, next), lane_word(sum.y, next));
    sibling_own = own.value;
    sibling_after = select(after, IDENTITY, lane == lanes - 1u);
    sibling_chunk_nodes = nodes;
    sibling_sums_note(thread, lanes, sum);
}

// From chunk to chunk: what those after the thread's do. A barrier must part it from the scan.
fn siblings_after(thread: u32, lanes: u32) -> Value {
    sibling_sums_build(thread, lanes);
    if COUNTS_NODES && thread % lanes == 0u {
        atomicAdd(&sibling_nodes, sibling_chunk_nodes);
    }
    let after = combine(sibling_after, sibling_sums_after(thread / lanes));
    if thread == 0u {
        sibling_all = combine(sibling_own, after);
    }
    return after;
}

// What all do, and their nodes. A barrier must part it from siblings_after.
fn siblings_all() -> NodeSum {
    return NodeSum(sibling_all, atomicLoad(&sibling_nodes));
}
