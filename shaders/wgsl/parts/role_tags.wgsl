// The role of an element, from its tag; none past the last. No load waits for a branch.
fn role_read(item: u32) -> u32 {
    let count = element_count();
    let tag = tags[min(item, max(count, 1u) - 1u)];
    return select(0u, tag_role(tag), item < count);
}

// Whether one of those that there are opens or closes, and nothing else; ROLE_MASK where the tag is none.
fn role_of(item: u32) -> u32 {
    return tags[item] & ROLE_MASK;
}
