// Nothing flows from them.
fn outside_flows(thread: u32, lanes: u32) {
    outside_height = workgroupUniformLoad(&outside_tall);
}

fn outside_flow(depth: u32) -> Flow {
    return flow_identity();
}
