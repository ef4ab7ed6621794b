// The role of an entry; none past the last. No load waits for a branch.
fn role_read(item: u32) -> u32 {
    let count = element_count();
    let entry = entry_load(min(item, max(count, 1u) - 1u));
    return select(0u, entry_role(entry), item < count);
}
