// compact nodes: stream compaction of the nodes out of all elements, where nodes are few.
//
// One thread a group of 32 elements, whose roles and nodes before are known.
//
//     before = nodes in earlier tiles (counted_near.wgsl, counted_far.wgsl) + in earlier groups of the tile
//     the group has as many before it, of all tiles now
//     entries: its mark, at the place of as many nodes and marks as are before, then its nodes, in order
//     node[before] = element; before += 1
//
// Nodes past the capacity are none; `counts` says so. The last thread writes the last mark, and the counts. Reads
// 16 bytes for 32 elements, writes 8, and 8 a node.

fn kernel(workgroup: u32, thread: u32, lanes: u32) {
    let first = workgroup * WORKGROUP_SIZE;
    if first >= groups_filled() {
        return;
    }
    // Threads past the last group help to sum.
    let at = min(first + thread, groups_filled() - 1u);
    let counted = counted_before(32u * first / plan.counted, 32u * at / plan.counted, thread);
    if first + thread > at {
        return;
    }
    if element_count() == 0u {
        words[plan.entries] = entry_of(0u, 0u);
        counts_store(0u);
        return;
    }
    let group = group_at(at);
    let all = group.opens | group.closes;
    let before = min(counted + group.nodes_before, plan.node_capacity);
    let nodes = lowest_bits(all, min(plan.node_capacity - before, 32u));
    if nodes != all {
        words[plan.roles + 4u * at] = group.opens & nodes;
        words[plan.roles + 4u * at + 1u] = group.closes & nodes;
    }
    words[plan.roles + 4u * at + 3u] = before;
    var item = before + at;
    words[plan.entries + item] = entry_of(32u * at, 0u);
    for (var rest = nodes; rest != 0u; rest &= rest - 1u) {
        let place = countTrailingZeros(rest);
        // Below the capacity.
        node_elements[item - at] = 32u * at + place;
        item++;
        words[plan.entries + item] = entry_of(32u * at + place, role_in(group, place));
    }
    if 32u * at + 32u >= element_count() {
        words[plan.entries + item + 1u] = entry_of(32u * (at + 1u), 0u);
        counts_store(counted + group.nodes_before + countOneBits(all));
    }
}

// One at least, which counts even where there is no element.
fn groups_filled() -> u32 {
    return max((element_count() + 31u) / 32u, 1u);
}
