// What flows under each sibling's part of their stack.
fn siblings_flow(thread: u32, lanes: u32, flow: Flow) {
    let along = flow_along(thread, lanes, flow, true);
    // Each needs that of the one before.
    if thread + 1u < WORKGROUP_SIZE {
        cells[thread + 1u] = along;
    } else {
        cells[0] = flow_identity();
    }
}

fn below_load(sibling: u32) -> Flow {
    return cells[sibling];
}
