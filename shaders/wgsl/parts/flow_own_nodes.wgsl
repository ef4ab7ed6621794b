// What a node adds to what flows to it: its rect. What is no node adds nothing.
fn flow_own(item: u32) -> Flow {
    if item >= node_count() {
        return flow_identity();
    }
    return rect_of(element_of(item));
}
