// Nothing flows from them.
fn outside_flows(thread: u32, lanes: u32) {
    outside_height = workgroupUniformLoad(&sibling_all).y;
}

fn outside_flow(depth: u32) -> Flow {
    return flow_identity();
}
