// The rest of each path in the tile by pointer jumping over the opens: each chunk is an element, and a path
// may be as long as the tile.

// What flows to an element, from the open on where its path goes on, or from nowhere. All threads together.
fn path_before(mine: Mine, lanes: u32, first: u32) -> Flow {
    let is_open = (mine.role & ROLE_OPENS) != 0u;
    var parent = first;
    for (var reach = lanes; reach < TILE; reach *= 2u) {
        let moves = is_open && parent != NONE;
        var flow = flow_identity();
        if moves {
            flow = flow_combine(cells[parent], cells[mine.at]);
            parent = open_parent(parent);
        }
        workgroupBarrier();
        if moves {
            cells[mine.at] = flow;
            open_move(mine.at, parent, mine.role);
        }
        workgroupBarrier();
    }
    // An open's path has no parent left.
    if first == NONE {
        return flow_identity();
    }
    return cells[first];
}

// That of an open, and itself.
fn path_of(open: u32) -> Flow {
    return cells[open];
}
