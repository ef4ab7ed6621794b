// survive: what does each tile do to the stack, and what flows through what it leaves open?
//
// One workgroup a tile, one thread an element.
//
//     note the roles as bits
//     (closes, opens) of the tile: a node of the pyramid
//     an open with fewer opens above it than later chunks close survives the tile
//         slice[how many are open below it] = (open, nodes of the tile before it, its role)
//         value[there] = product over those and itself
//
// What survives a tile is a list, each on top of the one before, so the products along
// it are a scan. A tile has at most TILE survivors; their slots begin at tile * TILE.

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= workgroups_of_tiles() {
        indices_store(tile - workgroups_of_tiles(), thread);
        return;
    }
    if tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let item = tile * TILE + thread;
    let role = role_read(item);
    // A host's rects may be far away: nothing waits for them yet.
    var own = flow_identity();
    if LOADS_EARLY && (role & ROLE_OPENS) != 0u {
        own = flow_own(item);
    }
    if NOTES_ROLES {
        roles_note(thread, lanes, role);
    }
    let order = order_build(thread, lanes, role);
    if NOTES_ROLES {
        roles_store(tile, thread, COUNTS_NODES);
    }
    // The last chunk has none after it to look at.
    if thread == WORKGROUP_SIZE - 1u {
        var nodes = 0u;
        if COUNTS_NODES {
            nodes = nodes_before_group(GROUPS);
        }
        node_store(0u, tile, NodeSum(pool_all(), nodes));
    }
    // Chunks that leave nothing open have nothing to do.
    var survives = false;
    if order.left != 0u {
        let above = countOneBits((order.left >> order.lane) >> 1u);
        let is_left = ((order.left >> order.lane) & 1u) != 0u;
        survives = is_left && above >= pool_after(order.chunk).x;
    }
    let any = lane_ballot(survives) != 0u;
    var flow = flow_identity();
    if survives {
        flow = own;
        if !LOADS_EARLY {
            flow = flow_own(item);
        }
    }
    flow = flow_along(thread, lanes, flow, any);
    if survives {
        // All that is open below it survives too.
        let below = pool_before(order.chunk);
        let earlier = (1u << order.lane) - 1u;
        let taken = countOneBits(order.taken & earlier);
        let rank = below.y - min(below.y, taken) + countOneBits(order.left & earlier);
        let slot = tile * TILE + rank;
        words[plan.slices + slot] = item;
        if KEEPS_NODES {
            words[plan.slice_nodes + slot] = survivor_word(rank_noted(thread), role);
        }
        if GROWS {
            words[plan.ends + slot] = NONE;
        }
        flow_store(plan.values + slot, flow);
    }
}
