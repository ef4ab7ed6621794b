// Values flow down, along each element's path from the root.
//
//     own value, after what flows from the top where that lies in another tile; else the
//     top is the parent. log2(lanes) rounds of pointer jumping from lane to lane:
//         value = the parent's, then its own; parent = the parent's parent
//     The first of a path in the chunk is its own parent: values that go from lane to lane are rects, which
//     intersected with themselves stay as they are
//     opens put theirs into a cell each in workgroup memory
//     from where its path left the chunk, each goes on from chunk to chunk (path_walk.wgsl, path_jump.wgsl)
//     what is around each, it has passed on its way (beyond_top.wgsl), or walks to (beyond_end.wgsl)

// `own` is the element's value, the identity of an end; `outside` is what flows from the top,
// where that is in another tile. The pool and cells
// are free before; after, the pool knows roles, and after a barrier cells are free.
fn down(mine: Mine, lanes: u32, own: Flow, outside: Flow, beyond: Beyond) -> Flows {
    let is_open = (mine.role & ROLE_OPENS) != 0u;
    var flow = own;
    if mine.parent == NONE {
        flow = flow_combine(outside, flow);
    }
    // The lane of its parent; where the path leaves the chunk, its own.
    let source = mine.parent - (mine.at - mine.lane);
    var lane = select(mine.lane, source, source < lanes);
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        flow = flow_combine(lane_flow_of_many(flow, lane), flow);
        lane = lane_word_of_many(lane, lane);
    }
    let parent = lane_word(mine.parent, lane);
    if is_open {
        cells[mine.at] = flow;
        open_store(mine.at, parent, mine.role);
    }
    workgroupBarrier();
    up_ends(mine);
    let path = path_before(mine, lanes, parent);
    let whole = flow_combine(path, flow);
    let flows = Flows(around_of(mine, lanes, beyond, path, whole), whole);
    if mine.exists {
        emit_down(mine, flows);
    }
    return flows;
}
