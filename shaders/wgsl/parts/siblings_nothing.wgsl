// Nothing flows under them.
fn siblings_flow(thread: u32, lanes: u32, flow: Flow) {}

fn below_load(sibling: u32) -> Flow {
    return flow_identity();
}
