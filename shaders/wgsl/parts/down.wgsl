// Values flow down, along each element's path from the root.
//
//     own value, after what flows from the top where that lies in another tile; else the
//     top is the parent. log2(lanes) rounds of pointer jumping from lane to lane:
//         value = the parent's, then its own; parent = the parent's parent
//     the same between chunks, for opens: a cell each in workgroup memory
//     what is no open takes the cell where its path left the chunk

// Of each open, its parent in another chunk of the tile, or NONE.
fn parent_store(at: u32, parent: u32) {
    pool[at] = parent;
}

// `own` is the element's value, the identity of an end; `outside` is what flows from the top,
// where that is in another tile. The pool and cells
// are free before and after.
fn down(mine: Mine, lanes: u32, own: Flow, outside: Flow, beyond: Beyond) -> Flows {
    let is_open = (mine.role & ROLE_OPENS) != 0u;
    var flow = own;
    var parent = mine.parent;
    if parent == NONE {
        flow = flow_combine(outside, flow);
    }
    let chunk = mine.at - mine.lane;
    for (var reach = 1u; reach < lanes; reach *= 2u) {
        // What lies before the chunk is no lane, and neither is NONE.
        let source = parent - chunk;
        let is_lane = source < lanes;
        let around = lane_flow(flow, select(mine.lane, source, is_lane));
        let next = lane_word(parent, select(mine.lane, source, is_lane));
        if is_lane {
            flow = flow_combine(around, flow);
            parent = next;
        }
    }
    if is_open {
        cells[mine.at] = flow;
        parent_store(mine.at, parent);
    }
    up_clear(mine.at);
    workgroupBarrier();
    up_ends(mine);
    for (var reach = lanes; reach < TILE; reach *= 2u) {
        let moves = is_open && parent != NONE;
        if moves {
            flow = flow_combine(cells[parent], flow);
            parent = pool[parent];
        }
        workgroupBarrier();
        if moves {
            cells[mine.at] = flow;
            parent_store(mine.at, parent);
        }
        workgroupBarrier();
    }
    // An open's path has no parent left.
    if parent != NONE {
        flow = flow_combine(cells[parent], flow);
    }
    var around = flow_identity();
    if wants_around(mine) {
        around = beyond.flow;
        if beyond.at != NONE {
            around = cells[beyond.at];
        }
    }
    let flows = Flows(around, flow);
    if mine.exists {
        emit_down(mine, flows);
    }
    return flows;
}
