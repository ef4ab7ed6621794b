// gather: what each group of nodes does to the stack, and how its stack is made of theirs.
//
// One workgroup a group of WORKGROUP_SIZE nodes of a level of the pyramid, a thread a node;
// the group is a node of the next. `level.nodes` is the number of the level that is read.
//
//     for each node: how much of it is left at the end of the group, above what, under what
//     (closes, opens) of the group

fn kernel(group: u32, thread: u32, subgroup: u32) {
    let filled = level_filled(level.nodes);
    let first = group * WORKGROUP_SIZE;
    if first >= filled {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let count = min(filled - first, WORKGROUP_SIZE);
    let own = sibling_load(level.nodes, first, count, thread);
    let siblings = siblings_build(level.nodes, first, own, thread, lanes);
    if thread < count {
        let at = node_at(level.nodes, first + thread);
        words[at + 3u] = sibling_above[thread];
        words[at + 4u] = sibling_held[thread];
        flow_store(node_below(level.nodes, first + thread), below_load(thread));
    }
    if thread == 0u {
        node_store(level.nodes + 1u, group, siblings);
    }
}
