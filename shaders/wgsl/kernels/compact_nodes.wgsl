// compact nodes: stream compaction of the nodes out of all elements, where nodes are few.
//
// One thread a group of 32 elements, whose roles and nodes before are known; then one thread a node.
//
//     before = nodes in earlier tiles (counted_near.wgsl, counted_far.wgsl) + in earlier groups of the tile
//     the group has as many before it, of all tiles now
//     entries: the group's mark, at the place of as many nodes and marks as are before
//     for each node of the workgroup's groups: which of these has it? the last with no more before
//         node[..] = element, and its entry: stores lie side by side
//
// Nodes past the capacity are none; `counts` says so. The thread of the last group writes the last mark, and the counts. Reads
// 16 bytes for 32 elements, writes 8, and 8 a node.

// Of each group of the workgroup: nodes before it, its nodes as bits, and what they are.
var<workgroup> group_before: array<u32, WORKGROUP_SIZE>;
var<workgroup> group_nodes: array<u32, WORKGROUP_SIZE>;
var<workgroup> group_closes: array<u32, WORKGROUP_SIZE>;
var<workgroup> group_non_local: array<u32, WORKGROUP_SIZE>;

fn kernel(workgroup: u32, thread: u32, lanes: u32) {
    let first = workgroup * WORKGROUP_SIZE;
    if first >= groups_filled() {
        return;
    }
    // Threads past the last group help to sum.
    let at = min(first + thread, groups_filled() - 1u);
    let counted = counted_before(32u * first / plan.counted, 32u * at / plan.counted, thread);
    if element_count() == 0u {
        if thread == 0u {
            words[plan.entries] = entry_of(0u, 0u);
            counts_store(0u);
        }
        return;
    }
    let exists = first + thread == at;
    var group = Group(0u, 0u, 0u, 0u);
    if exists {
        group = group_at(at);
    }
    let all = group.opens | group.closes;
    let before = min(counted + group.nodes_before, plan.node_capacity);
    let nodes = lowest_bits(all, min(plan.node_capacity - before, 32u));
    if exists {
        if nodes != all {
            words[plan.roles + 4u * at] = group.opens & nodes;
            words[plan.roles + 4u * at + 1u] = nodes;
        }
        words[plan.roles + 4u * at + 3u] = before;
        words[plan.entries + before + at] = entry_of(32u * at, 0u);
        if 32u * at + 32u >= element_count() {
            words[plan.entries + before + countOneBits(nodes) + at + 1u] = entry_of(32u * (at + 1u), 0u);
            counts_store(counted + group.nodes_before + countOneBits(all));
        }
    }
    // Nobody finds what is past the last group.
    group_before[thread] = select(NONE, before, exists);
    group_nodes[thread] = nodes;
    group_closes[thread] = group.closes;
    group_non_local[thread] = group.non_local;
    workgroupBarrier();
    let last = min(WORKGROUP_SIZE, groups_filled() - first) - 1u;
    let end = group_before[last] + countOneBits(group_nodes[last]);
    for (var node = group_before[0] + thread; node < end; node += WORKGROUP_SIZE) {
        node_store(first, node);
    }
}

// A node of the workgroup's groups, of which `first` is the first. Below the capacity.
fn node_store(first: u32, node: u32) {
    var own = 0u;
    for (var step = WORKGROUP_SIZE / 2u; step > 0u; step /= 2u) {
        if group_before[own + step] <= node {
            own += step;
        }
    }
    let place = bit_from_bottom(group_nodes[own], node - group_before[own]);
    let closes = (group_closes[own] >> place) & 1u;
    let non_local = (group_non_local[own] >> place) & 1u;
    let role = select(ROLE_OPENS | (ROLE_NON_LOCAL * non_local), ROLE_CLOSES, closes != 0u);
    let element = 32u * (first + own) + place;
    node_elements[node] = element;
    words[plan.entries + node + first + own + 1u] = entry_of(element, role);
}

// One at least, which counts even where there is no element.
fn groups_filled() -> u32 {
    return max((element_count() + 31u) / 32u, 1u);
}
