// The rest of each path in the tile, one chunk after the other: with subgroups there are few. (Where they are
// not full, a chunk is an element, and a walk as long as the path.)
//
// Each step goes to an open of an earlier chunk, whose cell and parent were stored before a barrier: it ends,
// and no index is past the tile.

// What flows to where an element's path leaves its chunk, from there on; the path goes on there, or nowhere.
fn path_before(mine: Mine, lanes: u32, parent: u32) -> Flow {
    return path_from(parent, flow_identity());
}

// That of an open, and itself.
fn path_of(open: u32) -> Flow {
    return path_from(open_parent(open), cells[open]);
}

fn path_from(parent: u32, own: Flow) -> Flow {
    var flow = own;
    for (var at = parent; at != NONE; at = open_parent(at)) {
        flow = flow_combine(cells[at], flow);
    }
    return flow;
}
