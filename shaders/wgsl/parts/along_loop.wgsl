// Products along the threads of a workgroup, each over those before it and itself; between
// chunks one after the other: with subgroups there are few.

// All threads together; cells are free before and after. `any` says of a chunk that somebody
// in it wants to know.
fn flow_along(thread: u32, lanes: u32, own: Flow, any: bool) -> Flow {
    var flow = own;
    if any {
        flow = flow_along_chunk(thread % lanes, lanes, thread % lanes, own);
    }
    if thread % lanes == lanes - 1u {
        cells[thread / lanes] = flow;
    }
    workgroupBarrier();
    var before = flow_identity();
    if any {
        for (var chunk = 0u; chunk < thread / lanes; chunk++) {
            before = flow_combine(before, cells[chunk]);
        }
    }
    workgroupBarrier();
    return flow_combine(before, flow);
}
