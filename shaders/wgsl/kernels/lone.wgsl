// lone: roles and compaction where one tile holds all elements.
//
// One workgroup; thread t holds the PER_THREAD elements from t * PER_THREAD on, as bits.
//
//     note each element's role in a word a thread
//     for each element:  nodes_before[element] = nodes before it
//                        a node? node[nodes before it] = element
//
// Also writes the counts.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile > 0u {
        return;
    }
    let own = roles_of(thread * PER_THREAD);
    words[plan.roles + thread] = own;
    roles[thread] = own;
    sums_build(thread, lanes, countOneBits(role_nodes(own)));
    compact_tile(0u, thread, 0u);
}
