// count: which elements of each tile are nodes, and how many?
//
// One workgroup a tile, one thread an element.
//
//     note the roles as bits, and the nodes before each group of 32 elements
//     tile_nodes[tile] = nodes in the tile
//
// Reads 4 bytes an element, writes 16 for 32 elements.

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    roles_note(thread, lanes, role_read(tile * TILE + thread));
    workgroupBarrier();
    roles_store(tile, thread);
    if thread == 0u {
        words[plan.tile_nodes + tile] = nodes_before_group(GROUPS);
    }
}
