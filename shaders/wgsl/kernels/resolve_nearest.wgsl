// resolve, where there are few elements: what flows to each element of a tile, and what grows in each of its nodes.
//
// One workgroup a tile, one thread an element. Nothing has looked at the tiles before: each workgroup reads
// the roles of all elements before its own tile, as bits (outside_nearest.wgsl). There are at most NEAREST_RUN tiles.
// The rest is resolve.wgsl.
//
//     what each run does to the stack; which of what it leaves open is open at the tile's start; what flows
//         under that
//     order, down, up; and where the nodes end that go on in other tiles (ends_nearest.wgsl)

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    var mine = mine_of(tile, thread, lanes, role_read(tile * TILE + thread));
    // Nothing waits for it yet.
    let own = mine_own(mine);
    let earlier = outside_read(tile, thread, lanes);
    if COUNTS_NODES {
        roles_note(thread, lanes, mine.role);
    }
    outside_scan(earlier, thread, lanes);
    let order = order_build(thread, lanes, mine.role);
    if HOLDS_EARLY {
        outside_hold(thread, lanes);
    }
    if COUNTS_NODES {
        mine.node = rank_noted(thread);
        roles_store(tile, thread, true);
    }
    let seen = mine_seen(mine, order);
    // As long as the pool says so.
    if GROWS && tile + 1u == tiles_filled() {
        outside_closed = pool_all().x;
    }
    if !HOLDS_EARLY {
        outside_hold(thread, lanes);
    }
    let nodes = outside_end(thread, lanes);
    if COUNTS_NODES && thread == 0u {
        words[plan.tile_nodes + tile] = nodes;
    }
    mine_resolve(tile, mine, lanes, own, seen, nodes);
}
