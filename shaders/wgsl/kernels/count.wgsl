// count: which elements of each tile are nodes, and how many?
//
// One workgroup a tile of TILE elements, of which each thread has every WORKGROUP_SIZE-th.
//
//     note the roles as bits, and the nodes before each group of 32 elements
//     tile_nodes[tile] = nodes in the tile
//
// Reads 4 bytes an element, writes 16 for 32 elements.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    roles_clear(thread);
    workgroupBarrier();
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        roles_note(at, lanes, role_read(tile * TILE + at));
    }
    workgroupBarrier();
    roles_store(tile, thread);
    if thread == 0u {
        words[plan.tile_nodes + tile] = nodes_before_group(GROUPS);
    }
}
