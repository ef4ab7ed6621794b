// spine: what flows under each node of a level of the pyramid above the tiles, from the root
// on.
//
// One workgroup a group of WORKGROUP_SIZE nodes, a thread a node. What the earlier siblings of
// a node leave stands on an element of the stack before their group: as far below its top as
// they close of it. `level.nodes` is the number of the level; those above are done.
//
//     base[node] = what flows from that element
//
// Also counts the nodes of the stream before the group, if somebody wants to know.

fn kernel(group: u32, thread: u32, subgroup: u32) {
    let filled = level_filled(level.nodes);
    let first = group * WORKGROUP_SIZE;
    if first >= filled {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let lane = thread % lanes;
    let count = min(filled - first, WORKGROUP_SIZE);
    var own = IDENTITY;
    if thread < count {
        own = node_load(level.nodes, first + thread);
    }
    // Those before it in the chunk, with itself; then without.
    var sum = own;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let earlier = Value(lane_word_before(sum.x, width), lane_word_before(sum.y, width));
        if lane >= width {
            sum = combine(earlier, sum);
        }
    }
    let previous = max(lane, 1u) - 1u;
    var before = Value(lane_word(sum.x, previous), lane_word(sum.y, previous));
    if lane == 0u {
        before = IDENTITY;
    }
    // The last lane has the chunk's.
    if lanes > 1u {
        sum = Value(lane_word(sum.x, lanes - 1u), lane_word(sum.y, lanes - 1u));
    }
    pool_build(thread, lanes, sum);
    before = combine(pool_before(thread / lanes), before);
    var depth = NONE;
    if thread < count {
        depth = before.x;
    }
    workgroupBarrier();
    let found = outside_above(level.nodes + 1u, group, depth, thread, lanes);
    if thread < count {
        flow_store(node_base(level.nodes, first + thread), found.flow);
    }
    if thread == 0u {
        if COUNTS_NODES {
            let nodes = nodes_before_node(level.nodes + 1u, group, sibling_count);
            words[node_at(level.nodes + 1u, group) + 5u] = nodes;
        }
        words[node_at(level.nodes + 1u, group) + 6u] = stack_height;
    }
}
