// compact nodes: stream compaction of the nodes out of all elements, where nodes are few.
//
// One thread a group of 32 elements, whose roles and nodes before are known.
//
//     before = nodes in earlier tiles (counted_near.wgsl, counted_far.wgsl) + in earlier groups of the tile
//     the group has as many before it, of all tiles now
//     for each node of the group: node[before] = element; before += 1
//
// The last thread also writes the counts. Reads 16 bytes for 32 elements, writes 4, and 4 a node.

fn kernel(workgroup: u32, thread: u32, lanes: u32) {
    let first = workgroup * WORKGROUP_SIZE;
    if first >= groups_filled() {
        return;
    }
    // Threads past the last group help to sum.
    let at = min(first + thread, groups_filled() - 1u);
    let before = counted_before(32u * first / plan.counted, 32u * at / plan.counted, thread);
    if first + thread > at {
        return;
    }
    gaps_clear(at);
    var node = 0u;
    if element_count() > 0u {
        let group = group_at(at);
        node = before + group.nodes_before;
        words[plan.roles + 4u * at + 3u] = node;
        for (var rest = group.opens | group.closes; rest != 0u; rest &= rest - 1u) {
            // Nodes past the capacity are left out; `counts` says so.
            if node < plan.node_capacity {
                node_elements[node] = 32u * at + firstTrailingBit(rest);
            }
            node++;
        }
    }
    if 32u * at + 32u >= element_count() {
        counts_store(node);
    }
}

// One at least, which counts even where there is no element.
fn groups_filled() -> u32 {
    return max((element_count() + 31u) / 32u, 1u);
}
