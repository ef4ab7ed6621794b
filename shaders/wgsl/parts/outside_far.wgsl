// Elements of other tiles on the stack before a tile, where there are many groups of tiles:
// `outside` has found them.

// The one that is `depth` below the top, NONE where there is nothing to find.
fn outside_find(tile: u32, depth: u32, thread: u32, lanes: u32) -> Outside {
    var found = Outside(NONE, flow_root(), words[node_at(0u, tile) + 5u]);
    if depth != NONE {
        let slot = words[plan.outs + tile * TILE + depth];
        if slot != NONE {
            found.item = words[plan.slices + slot];
            found.flow =
                flow_combine(flow_load(node_base(0u, slot / TILE)), flow_load(plan.values + slot));
        }
    }
    // The pool has been read.
    workgroupBarrier();
    return found;
}
