// The role that a tag says.
fn tag_role(tag: u32) -> u32 {
    if closes(tag) {
        return ROLE_CLOSES;
    }
    if !opens(tag) {
        return 0u;
    }
    return ROLE_OPENS | select(0u, ROLE_NON_LOCAL, (tag & NON_LOCAL) != 0u);
}
