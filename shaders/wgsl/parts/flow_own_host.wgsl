// What the element adds to what flows to it: its rect, as the host says.
fn flow_own(item: u32) -> Flow {
    return host_rect(item);
}
