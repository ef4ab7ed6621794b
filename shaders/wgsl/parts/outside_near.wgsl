// Elements of other tiles on the stack before a tile, where there are no more tiles than threads: the
// stack that the earlier tiles leave.

// How many elements it has.
var<private> outside_height: u32;

// What the thread's earlier tile does: nothing waits for it yet.
fn outside_load(tile: u32, thread: u32) -> NodeSum {
    return sibling_load(0u, 0u, tile, thread);
}

// Looks at the earlier tiles, in three steps. All threads together; a barrier must part the first
// two; cells are free before the last, and in use until the last outside_at. A single tile has
// nothing before it.
fn outside_scan(earlier: NodeSum, thread: u32, lanes: u32) {
    if plan.element_capacity > TILE {
        siblings_scan(earlier, thread, lanes);
    }
}

fn outside_hold(thread: u32, lanes: u32) {
    if plan.element_capacity > TILE {
        siblings_hold(0u, 0u, thread, lanes);
    }
}

// Says how many nodes they have.
fn outside_end(earlier: NodeSum, thread: u32, lanes: u32) -> u32 {
    outside_height = 0u;
    if plan.element_capacity <= TILE {
        return 0u;
    }
    let siblings = siblings_end(thread, lanes);
    outside_height = siblings.value.y;
    return siblings.nodes;
}

// The one that is `depth` below the top, or NONE.
fn outside_at(tile: u32, depth: u32) -> Outside {
    if depth >= outside_height {
        return outside_nothing();
    }
    let sibling = sibling_of(tile, depth);
    let slot = sibling * TILE + rank_in_sibling(sibling, depth);
    return outside_in(slot, flow_combine(flow_root(), below_load(sibling)));
}
