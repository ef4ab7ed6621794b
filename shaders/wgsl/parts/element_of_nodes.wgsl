// The stream is the nodes of a scene: of each the element there, which compaction wrote.
fn element_of(item: u32) -> u32 {
    return node_elements[item];
}
