// Stores a tile's node indices, side by side, and at the last element the counts.
//
// Valid after the tile's roles are stored; `before` counts the nodes of earlier tiles.

fn compact_tile(tile: u32, thread: u32, before: u32) {
    let item = tile * TILE + thread;
    if item < element_count() {
        let group = group_load(tile, thread);
        let node = before + rank_in(group, thread);
        let is_node = role_in(group, thread) != 0u;
        nodes_before[item] = min(node, plan.node_capacity);
        // Nodes past the capacity are left out; `counts` says so.
        if is_node && node < plan.node_capacity {
            node_elements[node] = item;
        }
        if item + 1u == element_count() {
            counts_store(node + u32(is_node));
        }
    }
    if element_count() == 0u && thread == 0u {
        counts_store(0u);
    }
}

fn counts_store(nodes: u32) {
    counts.elements = element_count();
    counts.nodes = min(nodes, plan.node_capacity);
    counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
        | select(0u, STATUS_NODES_CLAMPED, nodes > plan.node_capacity);
}
