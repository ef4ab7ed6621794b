// Elements of other tiles on the stack before a tile, where one group holds all tiles: the
// stack that the earlier tiles leave.

// The one that is `depth` below the top, NONE where there is nothing to find. All threads
// together; the pool and cells are free before and after.
fn outside_find(tile: u32, depth: u32, thread: u32, lanes: u32) -> Outside {
    var found = Outside(NONE, flow_root(), 0u);
    // A single tile has nothing before it.
    if plan.element_capacity > TILE {
        let siblings = siblings_build(0u, 0u, tile, thread, lanes);
        found.nodes = siblings.nodes;
        // NONE is below every stack.
        if depth < siblings.all.y {
            let sibling = sibling_of(tile, depth);
            let rank = sibling_held[sibling] - 1u - (depth - sibling_above[sibling]);
            let slot = sibling * TILE + rank;
            found.item = words[plan.slices + slot];
            found.flow = flow_combine(below_load(sibling), flow_load(plan.values + slot));
            found.flow = flow_combine(flow_root(), found.flow);
        }
    }
    // The pool has been read, and cells.
    workgroupBarrier();
    return found;
}
