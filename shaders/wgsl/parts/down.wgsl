// Values flow down, along each element's path from the root.
//
//     cell of an open = its own value, after what flows from its top where that lies in
//     another tile; else the top is its parent. log2(TILE) rounds of pointer jumping:
//         cell = the parent's cell, then its own; parent = the parent's parent
//     around = the cell of each element's top

// Cells, the lower half where there is a tree of them, are free before and after.
fn down(thread: u32, mine: ptr<function, Mine>) {
    var flow: array<Flow, PER_THREAD>;
    var parent: array<u32, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let role = (*mine).role[j];
        flow[j] = flow_identity();
        if at < (*mine).held && (role & ROLE_CLOSES) == 0u {
            flow[j] = flow_own((*mine).first + at);
        }
        parent[j] = NONE;
        if (role & ROLE_OPENS) != 0u {
            // NONE is past every tile.
            parent[j] = (*mine).top[j] - (*mine).first;
            if parent[j] >= TILE {
                parent[j] = NONE;
                flow[j] = flow_combine(flow_outside((*mine).top[j]), flow[j]);
            }
            cells[at] = flow[j];
            others[at] = parent[j];
        }
    }
    for (var reach = 1u; reach < TILE; reach *= 2u) {
        workgroupBarrier();
        var moved: array<bool, PER_THREAD>;
        for (var j = 0u; j < PER_THREAD; j++) {
            moved[j] = parent[j] != NONE;
            if moved[j] {
                flow[j] = flow_combine(cells[parent[j]], flow[j]);
                parent[j] = others[parent[j]];
            }
        }
        workgroupBarrier();
        for (var j = 0u; j < PER_THREAD; j++) {
            let at = thread + j * WORKGROUP_SIZE;
            if moved[j] {
                cells[at] = flow[j];
                others[at] = parent[j];
            }
        }
    }
    workgroupBarrier();
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        if at < (*mine).held {
            let role = (*mine).role[j];
            let top = (*mine).top[j];
            var around = flow_identity();
            // A local open has what is around it in its own flow.
            if (role & (ROLE_OPENS | ROLE_NON_LOCAL)) != ROLE_OPENS {
                if top - (*mine).first < TILE {
                    around = cells[top - (*mine).first];
                } else {
                    around = flow_outside(top);
                }
            }
            let node = (*mine).nodes + rank_of(at);
            emit_down((*mine).first + at, node, role, top, around, flow[j]);
            up_leaf(at, (*mine).first + at, role, around, flow[j]);
        } else {
            up_past(at);
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
