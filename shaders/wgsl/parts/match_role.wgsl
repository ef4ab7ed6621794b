// The role of a tag of a stream: 1 opens, 2 closes, anything else does neither.
fn role(tag: u32) -> u32 {
    return tag & ROLE_MASK;
}
