// The role of an element, from its tag; none past the last.
fn role_read(item: u32) -> u32 {
    if item >= element_count() {
        return 0u;
    }
    let tag = tags[item];
    if closes(tag) {
        return ROLE_CLOSES;
    }
    if !opens(tag) {
        return 0u;
    }
    return ROLE_OPENS | select(0u, ROLE_NON_LOCAL, (tag & NON_LOCAL) != 0u);
}
