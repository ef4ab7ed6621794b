// compact: stream compaction of the nodes out of all elements.
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on.
//
//     before = nodes in earlier tiles + in earlier threads
//     for each element:  nodes_before[element] = before
//                        a node? node[before] = element; before += 1
//
// The first tile also writes the counts. Reads 4 bytes an element, writes 4, and
// 12 a node.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= counts_filled() {
        return;
    }
    let first = tile * TILE + thread * PER_THREAD;
    let end = min(first + PER_THREAD, element_count());
    var nodes = 0u;
    for (var element = first; element < end; element++) {
        let tag = tags[element];
        nodes += select(0u, 1u, opens(tag) || closes(tag));
    }
    block_build(thread, lanes, Value(0u, nodes));

    var before = counts_before(counts_size(), tile).y + block_before(BLOCK_LEAVES, thread).y;
    for (var element = first; element < end; element++) {
        let tag = tags[element];
        nodes_before[element] = min(before, plan.node_capacity);
        if opens(tag) || closes(tag) {
            // Nodes past the capacity are left out; `counts` says so.
            if before < plan.node_capacity {
                node_elements[before] = element;
                words[plan.node_tags + before] = tag;
                words[plan.ends + before] = NONE;
            }
            before++;
        }
    }

    if tile == 0u && thread == 0u {
        let all = counts_load(1u).y;
        counts.elements = element_count();
        counts.nodes = min(all, plan.node_capacity);
        counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
            | select(0u, STATUS_NODES_CLAMPED, all > plan.node_capacity);
    }
}
