// resolve: what flows to each element of a tile, and what grows in each of its nodes.
//
// One workgroup a tile, one thread an element. The elements of a subgroup are a *chunk*
// (without subgroups, of one element): within it values go from lane to lane, and only
// between chunks through workgroup memory.
//
//     down (down.wgsl): each element's product along its path from the root
//     up (up.wgsl): each node's product over what is inside it
//
// What both write, `emit_*` says: for a scene clips and contents, links and bounds.

// A thread's element.
struct Mine {
    item: u32,
    // Its place in the tile, which is the thread; and whether there is such an element.
    at: u32,
    exists: bool,
    // The lanes of the subgroup, and which one the thread is.
    lanes: u32,
    lane: u32,
    // The top of the stack before it, and the same in the tile; past it where it is not in it.
    top: u32,
    parent: u32,
    role: u32,
    // If it is a node, its index.
    node: u32,
}

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    var mine: Mine;
    mine.item = tile * TILE + thread;
    mine.at = thread;
    mine.exists = mine.item < element_count();
    mine.lanes = lanes;
    mine.lane = thread % lanes;
    mine.top = tops[min(mine.item, element_count() - 1u)];
    // NONE is past every tile.
    mine.parent = mine.top - tile * TILE;
    let group = group_load(tile, thread);
    mine.role = role_in(group, thread);
    mine.node = rank_in(group, thread);
    if tile > 0u {
        mine.node += words[plan.tile_nodes + tile];
    }
    let flows = down(mine);
    up(tile, mine, flows);
}
