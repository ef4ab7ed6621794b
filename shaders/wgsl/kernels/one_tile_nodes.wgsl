// one_tile_nodes: roles and compaction where one tile holds all elements, and `resolve` does the rest.
//
// One workgroup, one thread an element.
//
//     note the roles as bits, and the nodes before each group of 32 elements
//     for each element:  nodes_before[element] = nodes before it
//                        a node? node[nodes before it] = element
//
// Also writes the counts.

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile > 0u {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    roles_note(thread, lanes, role_read(thread));
    workgroupBarrier();
    roles_store(0u, thread, true);
    storageBarrier();
    workgroupBarrier();
    compact_tile(0u, thread);
}
