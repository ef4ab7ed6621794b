// resolve: what flows to each element of a tile, and what grows in each of its nodes.
//
// One workgroup a tile of TILE elements. Each element has a cell in workgroup memory;
// threads take every WORKGROUP_SIZE-th element, so that neighbours load and store side
// by side.
//
//     down (down.wgsl): each element's product along its path from the root
//     up (up.wgsl): each node's product over what is inside it
//
// What both write, `emit_*` says: for a scene clips and contents, links and bounds.

var<workgroup> roles: array<u32, WORKGROUP_SIZE>;
// While values flow down, each open's parent in the tile; then each open's end there.
var<workgroup> others: array<u32, TILE>;

// A thread's elements, every WORKGROUP_SIZE-th from the thread-th of the tile on.
struct Mine {
    // The tile's first element, how many it has, and the nodes before it.
    first: u32,
    held: u32,
    nodes: u32,
    // The top of the stack before each.
    top: array<u32, PER_THREAD>,
    // Its role; none past the last.
    role: array<u32, PER_THREAD>,
}

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    var mine: Mine;
    mine.first = tile * TILE;
    mine.held = min(element_count() - mine.first, TILE);
    for (var j = 0u; j < PER_THREAD; j++) {
        mine.top[j] = tops[mine.first + min(thread + j * WORKGROUP_SIZE, mine.held - 1u)];
    }
    let own = words[plan.roles + tile * WORKGROUP_SIZE + thread];
    roles[thread] = own;
    sums_build(thread, lanes, countOneBits(role_nodes(own)));
    mine.nodes = 0u;
    if tile > 0u {
        mine.nodes = words[plan.tile_nodes + tile];
    }
    for (var j = 0u; j < PER_THREAD; j++) {
        mine.role[j] = role_of(thread + j * WORKGROUP_SIZE);
    }
    down(thread, &mine);
    up(tile, thread, &mine);
}
