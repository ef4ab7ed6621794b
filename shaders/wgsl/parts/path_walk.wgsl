// The rest of each path in the tile, one chunk after the other: with subgroups there are few. (Where they are
// not full, a chunk is an element, and a walk as long as the path.)
//
// Each step goes to an open of an earlier chunk, whose cell and parent were stored before a barrier: it ends,
// and no index is past the tile.

// The value of an element, given it as far as its chunk goes, and where the path goes on, or NONE.
fn path_end(mine: Mine, lanes: u32, parent: u32, own: Flow) -> Flow {
    return path_from(parent, own);
}

// That of an open.
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
