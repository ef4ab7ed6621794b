// count: how many nodes does each tile of elements hold?
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements from
// tile * TILE + t * PER_THREAD on, as bits.
//
//     note each element's role in a word a thread
//     tile_nodes[tile] = nodes in the tile
//
// Reads 4 bytes an element, writes 4 a thread.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let own = roles_of(tile * TILE + thread * PER_THREAD);
    words[plan.roles + tile * WORKGROUP_SIZE + thread] = own;
    let nodes = countOneBits(role_nodes(own));
    sums_build(thread, lanes, nodes);
    if thread == WORKGROUP_SIZE - 1u {
        words[plan.tile_nodes + tile] = sums_before(thread) + nodes;
    }
}
