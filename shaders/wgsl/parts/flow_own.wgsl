// What the element adds to what flows to it: its rect.
fn flow_own(item: u32) -> Flow {
    return rect_of(item);
}
