// Nothing flows along.
fn flow_before(kept: Kept, thread: u32, lanes: u32) -> Flow {
    return flow_identity();
}
