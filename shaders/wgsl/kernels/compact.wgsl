// compact: stream compaction of the nodes out of all elements.
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as bits. Stores are side by side.
//
//     before = nodes in earlier tiles + in earlier threads + in earlier bits
//     for each element:  nodes_before[element] = before
//                        a node? node[before] = element
//
// The last tile also writes the counts; the first, where there is none. Reads 4 bytes
// a thread, writes 4 an element and 4 a node.

var<workgroup> roles: array<u32, WORKGROUP_SIZE>;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= max(tiles_filled(), 1u) {
        return;
    }
    var own = 0u;
    if tile < tiles_filled() {
        own = words[plan.roles + tile * WORKGROUP_SIZE + thread];
    }
    let nodes = role_nodes(own);
    roles[thread] = own;
    sums_build(thread, lanes, countOneBits(nodes));
    var before = 0u;
    if tile > 0u {
        before = words[plan.tile_nodes + tile];
    }
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
        let all = before + sums_before(thread) + countOneBits(nodes);
        counts.elements = element_count();
        counts.nodes = min(all, plan.node_capacity);
        counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
            | select(0u, STATUS_NODES_CLAMPED, all > plan.node_capacity);
    }
}
