// The role that a tag says.
fn tag_role(tag: u32) -> u32 {
    let non_local = select(0u, ROLE_NON_LOCAL, (tag & NON_LOCAL) != 0u);
    return select(0u, ROLE_OPENS | non_local, opens(tag)) | select(0u, ROLE_CLOSES, closes(tag));
}
