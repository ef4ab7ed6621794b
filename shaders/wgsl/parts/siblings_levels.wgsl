// Siblings that are nodes of a level of the pyramid.

// The thread's sibling, if there is one: a load that siblings_scan waits for.
fn sibling_load(level: u32, first: u32, count: u32, thread: u32) -> NodeSum {
    var sum = NodeSum(IDENTITY, 0u);
    if thread < count {
        sum.value = node_load(level, first + thread);
        if COUNTS_NODES {
            sum.nodes = words[node_at(level, first + thread) + 2u];
        }
    }
    return sum;
}

// What flows from the last element that one holds, from its own part of the stack on.
fn sibling_held_flow(level: u32, node: u32, opens: u32, held: u32) -> Flow {
    return entry_at(level, node, held - 1u).flow;
}

// An element that a node leaves open: its slot, and what flows from it, from the node's own
// part of the stack on.
struct Entry {
    slot: u32,
    flow: Flow,
}

// The one with `rank` others of the node below it.
fn entry_at(level: u32, node: u32, rank: u32) -> Entry {
    var at = node;
    var place = rank;
    var flow = flow_identity();
    for (var above = level; above > 0u; above--) {
        let depth = node_load(above, at).y - 1u - place;
        let child = child_of(above, at, depth);
        place = rank_in_child(above, child, depth);
        flow = flow_combine(flow, flow_load(node_below(above - 1u, child)));
        at = child;
    }
    let slot = at * TILE + place;
    return Entry(slot, flow_combine(flow, flow_load(plan.values + slot)));
}
