// survive: what does each tile do to the stack, and what flows through what it leaves open?
//
// One workgroup a tile, one thread an element.
//
//     note the roles as bits
//     (closes, opens) of the tile: a node of the pyramid
//     an open with fewer opens above it than later chunks close survives the tile
//         slice[how many survive below it] = (open, nodes of the tile before it)
//         value[there] = product over those and itself
//
// What survives a tile is a list, each on top of the one before, so the products along
// it are a scan. A tile has at most TILE survivors; their slots begin at tile * TILE.

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let item = tile * TILE + thread;
    roles_clear(thread);
    let role = role_read(item);
    workgroupBarrier();
    roles_note(thread, lanes, role);
    let order = order_build(thread, lanes, role);
    roles_store(tile, thread);
    let all = pool_all();
    if thread == 0u {
        node_store(0u, tile, all, nodes_before_group(GROUPS));
    }
    let later = pool_after(order.chunk);
    let above = countOneBits((order.left >> order.lane) >> 1u);
    let survives = (role & ROLE_OPENS) != 0u && order.close >= lanes && above >= later.x;
    var flow = flow_identity();
    if survives {
        flow = flow_own(item);
    }
    flow = flow_along(thread, lanes, flow);
    if survives {
        let slot = tile * TILE + all.y - 1u - (later.y + above - later.x);
        words[plan.slices + slot] = item;
        words[plan.slice_nodes + slot] = rank_noted(thread);
        words[plan.ends + item] = NONE;
        flow_store(plan.values + slot, flow);
    }
}
