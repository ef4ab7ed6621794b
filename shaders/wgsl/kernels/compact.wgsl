// compact: stream compaction of the nodes out of all elements.
//
// One workgroup a tile, PER_THREAD rows of elements, a thread one of each row. Roles and nodes before are
// known.
//
//     before = nodes in earlier tiles + in earlier groups of 32 + in earlier bits
//     for each element:  nodes_before[element] = before
//                        a node? node[before] = element
//
// The last tile also writes the counts; the first, where there is none. Reads 16 bytes
// for 32 elements, writes 4 an element and 4 a node.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= max(tiles_filled(), 1u) {
        return;
    }
    for (var row = 0u; row < PER_THREAD; row++) {
        compact_tile(tile, row * WORKGROUP_SIZE + thread);
    }
}
