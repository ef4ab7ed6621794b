// The role of an element, as the host says; none past the last.
fn role_read(item: u32) -> u32 {
    if item >= element_count() {
        return 0u;
    }
    let role = host_role(item) & (ROLE_OPENS | ROLE_CLOSES);
    // Both at once is neither.
    return select(role, 0u, role == (ROLE_OPENS | ROLE_CLOSES));
}

// The same of one of those that there are; both where the host says so.
fn role_of(item: u32) -> u32 {
    return host_role(item) & (ROLE_OPENS | ROLE_CLOSES);
}
