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
//     draws (draws.wgsl): where nodes are few, the boxes of what lies between them, in whole rows; the bounds of
//         nodes are written after these
//     up (up.wgsl): each node's product over what is inside it
//
// What the rest writes, `emit_*` says: for a scene clips and contents, links and bounds.

// What an element is (place_*.wgsl), and its number among the nodes.
struct Place {
    role: u32,
    node: u32,
}

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let place = place_of(tile, thread);
    var mine = mine_of(tile, thread, lanes, place.role);
    mine.node = place.node;
    // Nothing waits for them yet.
    let earlier = outside_load(tile, thread);
    let own = mine_own(mine);
    outside_scan(earlier, thread, lanes);
    let order = order_build(thread, lanes, mine.role);
    if HOLDS_EARLY {
        outside_hold(thread, lanes);
    }
    let seen = mine_seen(mine, order);
    if !HOLDS_EARLY {
        outside_hold(thread, lanes);
    }
    let nodes = outside_end(earlier, thread, lanes);
    if COUNTS_NODES && thread == 0u {
        words[plan.tile_nodes + tile] = nodes;
    }
    mine_resolve(tile, mine, lanes, own, seen, nodes);
}
