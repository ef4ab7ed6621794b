// Stores a tile's node indices, side by side, and at the last tile the counts.
//
// Valid after `roles` is written and sums_build has summed each thread's nodes;
// `before` counts the nodes of earlier tiles.

var<workgroup> roles: array<u32, WORKGROUP_SIZE>;

fn compact_tile(tile: u32, thread: u32, before: u32) {
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        let item = tile * TILE + at;
        if item < element_count() {
            let node = before + rank_of(at);
            nodes_before[item] = min(node, plan.node_capacity);
            // Nodes past the capacity are left out; `counts` says so.
            if role_of(at) != 0u && node < plan.node_capacity {
                node_elements[node] = item;
            }
        }
    }
    if tile + 1u >= tiles_filled() && thread == WORKGROUP_SIZE - 1u {
        let all = before + sums_before(thread) + countOneBits(role_nodes(roles[thread]));
        counts.elements = element_count();
        counts.nodes = min(all, plan.node_capacity);
        counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
            | select(0u, STATUS_NODES_CLAMPED, all > plan.node_capacity);
    }
}
