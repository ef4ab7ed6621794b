// Elements of other tiles on the stack before a tile, where one group holds all tiles: the
// stack that the earlier tiles leave.

// How many elements it has.
var<private> outside_height: u32;

// What the thread's earlier tile does: nothing waits for it yet.
fn outside_load(tile: u32, thread: u32) -> NodeSum {
    return sibling_load(0u, 0u, tile, thread);
}

// Looks at the earlier tiles, and says how many nodes they have. All threads together; the
// pool and cells are free before, and in use until the last outside_at.
fn outside_build(tile: u32, earlier: NodeSum, thread: u32, lanes: u32) -> u32 {
    outside_height = 0u;
    // A single tile has nothing before it.
    if plan.element_capacity <= TILE {
        return 0u;
    }
    let siblings = siblings_build(0u, 0u, tile, earlier, thread, lanes);
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
