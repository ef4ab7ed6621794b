// The role of a node, from the tag of its element; none past the last.
fn role_read(item: u32) -> u32 {
    if item >= node_count() {
        return 0u;
    }
    return tag_role(tags[element_of(item)]);
}
