// The rest of each path in the tile by pointer jumping over the opens: each chunk is an element, and a path
// may be as long as the tile.

// The value of an element, given it as far as its chunk goes, and where the path goes on, or NONE. All
// threads together.
fn path_end(mine: Mine, lanes: u32, first: u32, own: Flow) -> Flow {
    let is_open = (mine.role & ROLE_OPENS) != 0u;
    var flow = own;
    var parent = first;
    for (var reach = lanes; reach < TILE; reach *= 2u) {
        let moves = is_open && parent != NONE;
        if moves {
            flow = flow_combine(cells[parent], flow);
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
    if parent != NONE {
        flow = flow_combine(cells[parent], flow);
    }
    return flow;
}

// That of an open.
fn path_of(open: u32) -> Flow {
    return cells[open];
}
