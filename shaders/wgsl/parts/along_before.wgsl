// Products along the threads of a workgroup, each over those before it.

// All threads together; cells are free before and after.
fn flow_before(thread: u32, lanes: u32, own: Flow) -> Flow {
    let along = flow_along(thread, lanes, own, true);
    cells[thread] = along;
    workgroupBarrier();
    var before = flow_identity();
    if thread > 0u {
        before = cells[thread - 1u];
    }
    workgroupBarrier();
    return before;
}
