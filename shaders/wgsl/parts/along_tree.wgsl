// Products along the threads of a workgroup, each over those before it and itself; between
// chunks by a tree over them.

// All threads together; cells are free before and after. `any` says of a chunk that somebody
// in it wants to know.
fn flow_along(thread: u32, lanes: u32, own: Flow, any: bool) -> Flow {
    var flow = own;
    if any {
        flow = flow_along_chunk(thread % lanes, lanes, thread % lanes, own);
    }
    let chunks = WORKGROUP_SIZE / lanes;
    if thread % lanes == lanes - 1u {
        cells[chunks + thread / lanes] = flow;
    }
    workgroupBarrier();
    for (var level = chunks / 2u; level > 0u; level /= 2u) {
        if thread < level {
            let node = level + thread;
            cells[node] = flow_combine(cells[2u * node], cells[2u * node + 1u]);
        }
        workgroupBarrier();
    }
    // Up the tree, taking every earlier sibling.
    var before = flow_identity();
    for (var node = chunks + thread / lanes; node > 1u; node /= 2u) {
        if node % 2u == 1u {
            before = flow_combine(cells[node - 1u], before);
        }
    }
    workgroupBarrier();
    return flow_combine(before, flow);
}
