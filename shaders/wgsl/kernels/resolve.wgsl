// resolve: what flows to each element of a tile, and what grows in each of its nodes.
//
// One workgroup a tile of TILE elements, of which each thread has every WORKGROUP_SIZE-th,
// so that neighbours load and store side by side. The elements that the lanes of a subgroup
// hold side by side are a *chunk* (without subgroups, of one element): within it values go
// from lane to lane, and only between chunks through workgroup memory.
//
//     down (down.wgsl): each element's product along its path from the root
//     up (up.wgsl): each node's product over what is inside it
//
// What both write, `emit_*` says: for a scene clips and contents, links and bounds.

// Of each open, its parent in another chunk of the tile, or NONE.
var<workgroup> parents: array<u32, TILE>;

// A thread's elements.
struct Mine {
    // The tile's first element, how many it has, and the nodes before it.
    first: u32,
    held: u32,
    nodes: u32,
    // The lanes of the subgroup, and which one the thread is.
    lanes: u32,
    lane: u32,
    // The top of the stack before each.
    top: array<u32, PER_THREAD>,
    // Its role; none past the last.
    role: array<u32, PER_THREAD>,
    // If it is a node, its index.
    node: array<u32, PER_THREAD>,
}

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    var mine: Mine;
    mine.first = tile * TILE;
    mine.held = min(element_count() - mine.first, TILE);
    mine.lanes = lanes;
    mine.lane = thread % lanes;
    mine.nodes = 0u;
    if tile > 0u {
        mine.nodes = words[plan.tile_nodes + tile];
    }
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        mine.top[j] = tops[mine.first + min(at, mine.held - 1u)];
        let group = group_load(tile, at);
        mine.role[j] = role_in(group, at);
        mine.node[j] = mine.nodes + rank_in(group, at);
    }
    down(thread, &mine);
    up(tile, thread, &mine);
}
