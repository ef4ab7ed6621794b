// count: how many nodes does each tile of elements hold?
//
// One workgroup a tile of TILE elements. The order does not matter for a sum,
// so a thread takes every WORKGROUP_SIZE-th element: neighbours load neighbours.
//
//     tile_nodes[tile] = nodes in the tile
//
// Reads 4 bytes an element.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    var nodes = 0u;
    for (var j = 0u; j < PER_THREAD; j++) {
        let element = tile * TILE + j * WORKGROUP_SIZE + thread;
        if element < element_count() {
            let tag = tags[element];
            nodes += select(0u, 1u, opens(tag) || closes(tag));
        }
    }
    sums_build(thread, lanes, nodes);
    if thread == WORKGROUP_SIZE - 1u {
        words[plan.tile_nodes + tile] = sums_before(thread) + nodes;
    }
}
