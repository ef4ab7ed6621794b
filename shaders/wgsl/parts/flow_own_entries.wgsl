// What an entry adds to what flows to it: the rect of a node. A mark adds nothing.
fn flow_own(item: u32) -> Flow {
    if item >= element_count() {
        return flow_identity();
    }
    let entry = entry_load(item);
    if entry_is_mark(entry) {
        return flow_identity();
    }
    return rect_of(entry_element(entry));
}
