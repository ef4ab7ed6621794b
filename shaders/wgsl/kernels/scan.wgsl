// scan: how many nodes come before each tile of elements?
//
// One workgroup; each thread has a run of consecutive tiles.
//
//     tile_nodes[tile] = nodes in the tiles before it

fn kernel(group: u32, thread: u32, lanes: u32) {
    if group > 0u {
        return;
    }
    let each = (tiles_filled() + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let first = min(thread * each, tiles_filled());
    let end = min(first + each, tiles_filled());
    var nodes = 0u;
    for (var tile = first; tile < end; tile++) {
        nodes += words[plan.tile_nodes + tile];
    }
    sums_build(thread, lanes, nodes);
    var before = sums_before(thread);
    for (var tile = first; tile < end; tile++) {
        let own = words[plan.tile_nodes + tile];
        words[plan.tile_nodes + tile] = before;
        before += own;
    }
}
