// The rest of each path in the tile, one chunk after the other: with subgroups there are few, and each step
// goes to an earlier one.

// The value of an element, given it as far as its chunk goes, and where the path goes on, or NONE.
fn path_end(mine: Mine, lanes: u32, parent: u32, own: Flow) -> Flow {
    var flow = own;
    for (var at = parent; at != NONE; at = open_parent(at)) {
        flow = flow_combine(cells[at], flow);
    }
    return flow;
}

// That of an open.
fn path_of(open: u32) -> Flow {
    var flow = cells[open];
    for (var at = open_parent(open); at != NONE; at = open_parent(at)) {
        flow = flow_combine(cells[at], flow);
    }
    return flow;
}
