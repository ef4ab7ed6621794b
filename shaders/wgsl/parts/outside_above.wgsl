// Elements of the stack before a node of the pyramid, by the stacks that its earlier siblings
// leave, those of its parent, and so on.

// How high the stack is before the node, once it has been looked at to the bottom.
var<private> stack_height: u32;
// How many nodes its earlier siblings have.
var<private> sibling_count: u32;

// The one that is `depth` below the top, NONE where there is nothing to find; keeps the
// node's row. All threads together; the pool and cells are free before and after.
fn outside_above(level: u32, node: u32, depth: u32, thread: u32, lanes: u32) -> Outside {
    var found = outside_nothing();
    var left = depth;
    var own = node;
    var before = IDENTITY;
    let top = level_top();
    for (var at = level; at <= top; at++) {
        let count = own % WORKGROUP_SIZE;
        let first = own - count;
        let value = sibling_load(at, first, count, thread);
        let siblings = siblings_build(at, first, value, thread, lanes);
        if at == level {
            sibling_count = siblings.nodes;
            row_store(level, node, count, siblings.value, thread);
        }
        before = combine(siblings.value, before);
        if left != NONE {
            if left < siblings.value.y {
                let sibling = sibling_of(count, left);
                let rank = rank_in_sibling(sibling, left);
                let entry = entry_at(at, first + sibling, rank);
                let under = flow_combine(base_of(at, own), below_load(sibling));
                found.item = words[plan.slices + entry.slot];
                found.slot = entry.slot;
                found.flow = flow_combine(under, entry.flow);
                left = NONE;
            } else {
                left = left - siblings.value.y + siblings.value.x;
            }
        }
        own /= WORKGROUP_SIZE;
    }
    stack_height = before.y;
    workgroupBarrier();
    return found;
}

// Keeps what its earlier siblings leave, for `outside`.
fn row_store(level: u32, node: u32, count: u32, all: Value, thread: u32) {
    if thread < count {
        words[row_at(level, node) + thread] = sibling_above[thread];
    }
    if thread == 0u {
        let at = node_at(level, node);
        words[at + 7u] = all.x;
        words[at + 8u] = all.y;
    }
}

// What flows under the stack that a node's earlier siblings leave.
fn base_of(level: u32, node: u32) -> Flow {
    if level == level_top() {
        return flow_root();
    }
    return flow_load(node_base(level, node));
}

// How many nodes of the stream come before a node of the pyramid, of which its earlier
// siblings have so many.
fn nodes_before_node(level: u32, node: u32, siblings: u32) -> u32 {
    if level == level_top() {
        return siblings;
    }
    return siblings + words[node_at(level + 1u, node / WORKGROUP_SIZE) + 5u];
}
