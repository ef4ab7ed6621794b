// one_tile: what flows to each element, and what grows in each node, where one tile holds all.
//
// One workgroup, one thread an element: resolve, which asks for the roles itself, and for scenes
// compacts the nodes out of all elements.
//
// Of a scene it reads a tag (4 bytes) and a rect (16) an element, and writes a box (16), a node
// index (4) and for a node its link (4), element (4), clip and content (16 each).

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile > 0u {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    var mine = mine_of(tile, thread, lanes, role_read(tile * TILE + thread));
    let own = mine_own(mine);
    if COUNTS_NODES {
        roles_note(thread, lanes, mine.role);
    }
    let order = order_build(thread, lanes, mine.role);
    if COUNTS_NODES {
        mine.node = rank_noted(thread);
    }
    mine_compact(mine);
    mine_resolve(tile, mine, lanes, own, mine_seen(mine, order), 0u);
}
