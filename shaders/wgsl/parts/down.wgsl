// Values flow down, along each element's path from the root.
//
//     own value, after what flows from the top where that lies in another tile; else the
//     top is the parent. log2(lanes) rounds of pointer jumping from lane to lane:
//         value = the parent's, then its own; parent = the parent's parent
//     the same between chunks, for opens: a cell each in workgroup memory
//     what is no open takes the cell where its path left the chunk

// Cells are free before and after.
fn down(thread: u32, mine: ptr<function, Mine>) {
    let lanes = (*mine).lanes;
    let lane = (*mine).lane;
    var flow: array<Flow, PER_THREAD>;
    var parent: array<u32, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let top = (*mine).top[j];
        flow[j] = flow_identity();
        parent[j] = NONE;
        if at < (*mine).held {
            if ((*mine).role[j] & ROLE_CLOSES) == 0u {
                flow[j] = flow_own((*mine).first + at);
            }
            // NONE is past every tile.
            if top - (*mine).first < TILE {
                parent[j] = top - (*mine).first;
            } else {
                flow[j] = flow_combine(flow_outside(top), flow[j]);
            }
        }
        up_clear(at);
    }
    for (var reach = 1u; reach < lanes; reach *= 2u) {
        for (var j = 0u; j < PER_THREAD; j++) {
            // From a multiple of `lanes` on: what is below it is no lane, and neither is NONE.
            let source = parent[j] - (thread + j * WORKGROUP_SIZE - lane);
            let around = lane_flow(flow[j], min(source, lanes - 1u));
            let next = lane_word(parent[j], min(source, lanes - 1u));
            if source < lanes {
                flow[j] = flow_combine(around, flow[j]);
                parent[j] = next;
            }
        }
    }
    for (var j = 0u; j < PER_THREAD; j++) {
        if ((*mine).role[j] & ROLE_OPENS) != 0u {
            cells[thread + j * WORKGROUP_SIZE] = flow[j];
            parents[thread + j * WORKGROUP_SIZE] = parent[j];
        }
    }
    workgroupBarrier();
    up_ends(thread, mine);
    for (var reach = lanes; reach < TILE; reach *= 2u) {
        var moved: array<bool, PER_THREAD>;
        for (var j = 0u; j < PER_THREAD; j++) {
            moved[j] = parent[j] != NONE && ((*mine).role[j] & ROLE_OPENS) != 0u;
            if moved[j] {
                flow[j] = flow_combine(cells[parent[j]], flow[j]);
                parent[j] = parents[parent[j]];
            }
        }
        workgroupBarrier();
        for (var j = 0u; j < PER_THREAD; j++) {
            if moved[j] {
                cells[thread + j * WORKGROUP_SIZE] = flow[j];
                parents[thread + j * WORKGROUP_SIZE] = parent[j];
            }
        }
        workgroupBarrier();
    }
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let role = (*mine).role[j];
        let top = (*mine).top[j];
        // An open's path has no parent left.
        if parent[j] != NONE {
            flow[j] = flow_combine(cells[parent[j]], flow[j]);
        }
        var around = flow_identity();
        if (role & ROLE_NON_LOCAL) != 0u {
            if top - (*mine).first < TILE {
                around = cells[top - (*mine).first];
            } else {
                around = flow_outside(top);
            }
        }
        if at < (*mine).held {
            emit_down((*mine).first + at, (*mine).node[j], role, top, flow[j]);
            up_leaf(j, (*mine).first + at, role, around, flow[j]);
        }
    }
}

// What flows from an open of another tile, which survived it; or from the root.
fn flow_outside(top: u32) -> Flow {
    if top == NONE {
        return flow_root();
    }
    return flow_combine(flow_load(plan.tile_bases + top / TILE), flow_load(plan.values + top));
}
