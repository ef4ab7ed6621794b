// resolve: what flows to each element of a tile, and what grows in each of its nodes.
//
// One workgroup a tile, one thread an element. The elements of a subgroup are a *chunk*
// (without subgroups, of one element): within it values go from lane to lane, and only
// between chunks through workgroup memory.
//
//     order (order.wgsl): the top of the stack before each element, where it is in the tile
//     outside (outside_near.wgsl, outside_far.wgsl): else which element of another tile, and
//         what flows from it
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
    // Which lane of its chunk the thread is.
    lane: u32,
    // The top of the stack before it, or NONE; and its place in the tile, or NONE.
    top: u32,
    parent: u32,
    role: u32,
    // If it is a node, its index.
    node: u32,
}

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    var mine: Mine;
    mine.item = tile * TILE + thread;
    mine.at = thread;
    mine.exists = mine.item < element_count();
    let lanes = lanes_begin(thread, subgroup);
    mine.lane = thread % lanes;
    let own_place = place_of(tile, thread);
    mine.role = own_place.role;
    mine.node = own_place.node;
    // Nothing waits for them yet.
    let earlier = outside_load(tile, thread);
    var own = flow_identity();
    if mine.exists && (mine.role & ROLE_CLOSES) == 0u {
        own = flow_own(mine.item);
    }
    let order = order_build(thread, lanes, mine.role);
    let top = order_top(order);
    let place = beyond_top(mine.role, order, top);
    let nodes = outside_build(tile, earlier, thread, lanes);
    var outside = Outside(NONE, flow_root());
    if top.at == NONE {
        outside = outside_at(tile, top.depth);
    }
    mine.parent = top.at;
    mine.top = select(tile * TILE + top.at, outside.item, top.at == NONE);
    mine.node += nodes;
    if COUNTS_NODES && thread == 0u {
        words[plan.tile_nodes + tile] = nodes;
    }
    let beyond = beyond_of(tile, place, outside);
    // The pool has been read, and cells.
    workgroupBarrier();
    let flows = down(mine, lanes, own, outside.flow, beyond);
    up(tile, mine, lanes, flows);
}
