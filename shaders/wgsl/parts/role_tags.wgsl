// The role of an element, from its tag; none past the last.
fn role_read(item: u32) -> u32 {
    if item >= element_count() {
        return 0u;
    }
    return tag_role(tags[item]);
}
