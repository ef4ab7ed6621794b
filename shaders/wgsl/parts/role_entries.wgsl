// The role of an entry; none past the last.
fn role_read(item: u32) -> u32 {
    if item >= element_count() {
        return 0u;
    }
    return entry_role(entry_load(item));
}
