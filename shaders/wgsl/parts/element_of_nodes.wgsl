// The stream is the nodes of a scene: of each the element there, which compaction wrote.
fn element_of(item: u32) -> u32 {
    return node_elements[item];
}

// The link to this top of the stack, or to none.
fn link_to(top: u32) -> u32 {
    if top == NONE {
        return NONE;
    }
    return element_of(top);
}
