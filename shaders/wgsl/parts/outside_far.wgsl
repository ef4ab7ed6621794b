// Elements of other tiles on the stack before a tile, where there are many groups of tiles:
// by the tree that `bases` built over the tiles of each; rarely, above the groups.

var<workgroup> is_above: u32;

// The one that is `depth` below the top, NONE where there is nothing to find. All threads
// together; the pool and cells are free before and after.
fn outside_find(tile: u32, depth: u32, thread: u32, lanes: u32) -> Outside {
    let group = tile / WORKGROUP_SIZE;
    if thread == 0u {
        is_above = 0u;
    }
    // The pool has been read.
    workgroupBarrier();
    var found = Outside(NONE, flow_root(), words[node_at(0u, tile) + 5u]);
    var left = NONE;
    if depth != NONE {
        let at = heap_find(group, tile % WORKGROUP_SIZE, depth);
        if at.leaf != NONE {
            let other = group * WORKGROUP_SIZE + at.leaf;
            let slot = other * TILE + node_load(0u, other).y - 1u - at.depth;
            found.item = words[plan.slices + slot];
            found.flow =
                flow_combine(flow_load(node_base(0u, other)), flow_load(plan.values + slot));
        } else if at.depth < words[node_at(1u, group) + 6u] {
            left = at.depth;
            is_above = 1u;
        }
    }
    if workgroupUniformLoad(&is_above) == 1u {
        let above = outside_above(1u, group, left, thread, lanes);
        if left != NONE {
            found.item = above.item;
            found.flow = above.flow;
        }
    }
    return found;
}
