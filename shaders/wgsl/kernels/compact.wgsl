// compact: stream compaction of the nodes out of all elements.
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on.
//
//     before = nodes in earlier tiles + in earlier threads
//     for each element:  nodes_before[element] = before
//                        a node? node[before] = element; before += 1
//
// The last tile also writes the counts; the first, where there is none. Reads 4 bytes
// an element, writes 4, and 4 a node.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= max(tiles_filled(), 1u) {
        return;
    }
    let first = tile * TILE + thread * PER_THREAD;
    let end = min(first + PER_THREAD, element_count());
    var nodes = 0u;
    for (var element = first; element < end; element++) {
        let tag = tags[element];
        nodes += select(0u, 1u, opens(tag) || closes(tag));
    }
    sums_build(thread, lanes, nodes);

    var before = sums_before(thread);
    if tile > 0u {
        before += words[plan.tile_nodes + tile];
    }
    for (var element = first; element < end; element++) {
        let tag = tags[element];
        nodes_before[element] = min(before, plan.node_capacity);
        if opens(tag) || closes(tag) {
            // Nodes past the capacity are left out; `counts` says so.
            if before < plan.node_capacity {
                node_elements[before] = element;
            }
            before++;
        }
    }

    if tile + 1u >= tiles_filled() && thread == WORKGROUP_SIZE - 1u {
        counts.elements = element_count();
        counts.nodes = min(before, plan.node_capacity);
        counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
            | select(0u, STATUS_NODES_CLAMPED, before > plan.node_capacity);
    }
}
